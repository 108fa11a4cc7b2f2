/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the database as the library reads them, and back. Include after postgres.h, fmgr.h. */
#ifndef POSTGRES_TEXT_H
#define POSTGRES_TEXT_H

#include <urivet.h>

/* Octets that functions without a policy read: a longer text has no parts and no spelling. */
#define PIECES_MOST (1024 * 1024)

/*
 * The text of an argument that is not NULL, in UTF-8 where the database has an encoding that can be
 * converted, else its octets as they are. One of more than `most` octets (at most URIVET_MAX_LENGTH)
 * is neither fetched nor decompressed as a whole, nor converted: its first most + 1 octets are
 * handed out, by which the library sees that it is too long. The octets live as long as the
 * argument or the memory context of the call. Raises an error where the text cannot be converted.
 */
struct urivet_text argument_text(FunctionCallInfo fcinfo, int argument, uint32 most);

/* A text of the database from one that argument_text() or the library wrote. */
Datum text_datum(struct urivet_text text);

/* The same of a string; NULL is the empty one. */
Datum string_datum(const char *string);

#endif
