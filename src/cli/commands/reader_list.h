/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of reader names for help and messages, from readers.def. */
#ifndef URIVET_READER_LIST_H
#define URIVET_READER_LIST_H

#include <stdbool.h>

#include <urivet.h>
#include <urivet/readers.h>

/* Size of the buffer for the names of all readers, with separators. */
#define READER_LIST 512u

/* Returns true if the reader follows an edition of the standard. Only these can resolve and
 * normalise. */
bool is_edition(int reader);

/* Writes "rfc3986, uri-2003 or uri-1997": the editions, or all readers. `last` is the last
 * separator, as " or ". Returns `list`. */
const char *reader_list(char list[READER_LIST], bool editions, const char *last);

#endif
