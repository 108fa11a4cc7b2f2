/* SPDX-License-Identifier: Apache-2.0 */
/* A run of octets that somebody else owns: how the command passes input around. */
#ifndef CLI_OCTETS_H
#define CLI_OCTETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <urivet.h>

/* A build without the vectors of the library has none here either. */
#if defined(__SSE2__) && defined(__GNUC__) && !(defined(URIVET_VECTORS) && !URIVET_VECTORS)
#define OCTETS_BY_16 1
#include <emmintrin.h>

static inline __m128i octets_16(const uint8_t *from)
{
	__m128i octets;

	memcpy(&octets, from, sizeof octets);
	return octets;
}
#else
#define OCTETS_BY_16 0
#endif

struct text {
	const uint8_t *data;
	size_t length;
};

static inline struct text text_of(const char *string)
{
	return (struct text){(const uint8_t *)string, strlen(string)};
}

/* The octets of `span`, or as many of them as `text` holds: of an over-long
 * input only the first ones are kept. */
static inline struct text text_part(struct text text, struct urivet_span span)
{
	size_t start = span.offset < text.length ? span.offset : text.length;
	size_t rest = text.length - start;

	return (struct text){start > 0 ? text.data + start : text.data,
			     span.length < rest ? span.length : rest};
}

#endif
