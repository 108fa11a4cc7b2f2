/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs in blocks of exactly their size, in builds with AddressSanitizer. It then notices each read
 * beyond an input, which in a larger buffer would find the next one. */
#ifndef COMMON_EXACT_H
#define COMMON_EXACT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define EXACT_BUFFERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXACT_BUFFERS 1
#endif
#endif
#ifndef EXACT_BUFFERS
#define EXACT_BUFFERS 0
#endif

/* The negative control: reads one octet beyond a block of the kind that URIVET_OVERREAD names. */
static inline void exact_plant(const void *block, size_t length, const char *kind)
{
	const char *wanted = EXACT_BUFFERS ? getenv("URIVET_OVERREAD") : NULL;

	if (wanted != NULL && strcmp(wanted, kind) == 0 &&
	    ((const volatile uint8_t *)block)[length] == 0)
		abort();
}

/* Returns a copy of the data in a block of its size, in place of the block in `*held`, which the
 * caller frees at the end. In other builds, or without memory, returns the data itself. */
static inline const void *exact_copy(void **held, const void *data, size_t length, const char *kind)
{
	void *copy;

	if (!EXACT_BUFFERS || data == NULL)
		return data;
	copy = malloc(length);
	free(*held);
	*held = copy;
	if (copy == NULL)
		return data;
	if (length > 0)
		memcpy(copy, data, length);
	exact_plant(copy, length, kind);
	return copy;
}

#endif
