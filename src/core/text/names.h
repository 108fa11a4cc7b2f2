/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing and measuring NUL-terminated names. */
#ifndef URIVET_NAMES_H
#define URIVET_NAMES_H

#include <stdbool.h>
#include <string.h>

/* Returns true if text[0..length) equals the name. */
static inline bool is_named(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && (length == 0 || memcmp(name, text, length) == 0);
}

/* Returns the length in octets of a string of the library or of a policy. */
static inline size_t length_of(const char *name)
{
	return strlen(name);
}

#endif
