/* SPDX-License-Identifier: Apache-2.0 */
/* Names that the library hands out, looked up by texts of the caller. */
#ifndef URIVET_NAMES_H
#define URIVET_NAMES_H

#include <stdbool.h>
#include <string.h>

/* Is text[0..length) that name? */
static inline bool is_named(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && (length == 0 || memcmp(name, text, length) == 0);
}

#endif
