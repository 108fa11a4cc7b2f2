/* SPDX-License-Identifier: Apache-2.0 */
/* The readers by name, for help and messages: what readers.def says. */
#ifndef URIVET_READER_LIST_H
#define URIVET_READER_LIST_H

#include <stdbool.h>

#include <urivet.h>

/* Room for the names of all readers, and what stands between them. */
#define READER_LIST 512u

/* Does the reader follow a text of the standard? Only such a one resolves and normalises. */
bool is_edition(int reader);

/* Writes "rfc3986, uri-2003 or uri-1997" with `last` for "or": the editions, or all. Returns list. */
const char *reader_list(char list[READER_LIST], bool editions, const char *last);

#endif
