/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing what the caller gives as a name with a name of the library's. */
#ifndef URIVET_NAMES_H
#define URIVET_NAMES_H

#include <stdbool.h>
#include <string.h>

/* Is text[0..length) the name? */
static inline bool is_named(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && (length == 0 || memcmp(name, text, length) == 0);
}

#endif
