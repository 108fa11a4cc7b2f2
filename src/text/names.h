/* SPDX-License-Identifier: Apache-2.0 */
/* Names: comparing what the caller gives with one of the library's, and their lengths. */
#ifndef URIVET_NAMES_H
#define URIVET_NAMES_H

#include <stdbool.h>
#include <string.h>

/* Is text[0..length) the name? */
static inline bool is_named(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && (length == 0 || memcmp(name, text, length) == 0);
}

/* How many octets a string of the library's, or of a policy's, has. */
static inline size_t length_of(const char *name)
{
	return strlen(name);
}

#endif
