/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between database texts and library texts. Include after postgres.h, fmgr.h. */
#ifndef POSTGRES_TEXT_H
#define POSTGRES_TEXT_H

#include <urivet.h>

/* Maximum length in octets for functions without a policy. They return NULL for longer texts. */
#define PIECES_MOST (1024 * 1024)

/* Returns the text of an argument that is not NULL. It is converted to UTF-8 if the database
 * encoding allows that; otherwise its octets are returned unchanged. A text of more than `most`
 * octets (at most URIVET_MAX_LENGTH) is not fetched, decompressed or converted as a whole. Its
 * first most + 1 octets are returned, so that the library finds it too long. The octets live as
 * long as the argument or the memory context of the call. Raises an error if the conversion
 * fails. */
struct urivet_text argument_text(FunctionCallInfo fcinfo, int argument, uint32 most);

/* Returns a database text for a text from argument_text() or the library. */
Datum text_datum(struct urivet_text text);

/* Like text_datum(), for a string; NULL becomes an empty text. */
Datum string_datum(const char *string);

#endif
