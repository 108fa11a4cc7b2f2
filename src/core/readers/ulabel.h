/* SPDX-License-Identifier: Apache-2.0 */
/* A domain label as code points, in Normalization Form C (UAX 15).
 *
 * The code points are stored in the unused part of the output, in three octets each, from `top`
 * downwards. An input octet becomes at most two code points (checked by tests/core/names/uts46.py).
 * While marks are sorted, they are stored twice, at most one per input octet. So this takes nine
 * octets per input octet, besides the labels already written. An A-label takes ten: its own octet,
 * and three code points while it is checked (decoded, recomposed, and the marks again).
 * URIVET_READING_CAPACITY() provides that much. */
#ifndef URIVET_ULABEL_H
#define URIVET_ULABEL_H

#include "readers/uts46_class.h"
#include "text/out.h"

struct ulabel {
	struct out room; /* the output buffer; all of it may be read */
	size_t top;      /* offset after the first code point */
	uint32_t count;  /* number of code points */
	uint32_t marks;  /* index of the first mark after the last starter */
};

/* Returns an empty label stored in the buffer of `o`, below offset `top`. */
static inline struct ulabel ulabel_in(const struct out *o, size_t top)
{
	const struct ulabel l = {{o->data, o->capacity, o->capacity}, top, 0, 0};
	return l;
}

/* Returns element i of an array of numbers of `size` octets. */
static inline uint32_t ulabel_number(const struct ulabel *l, uint32_t i, unsigned size)
{
	size_t at = l->top - ((size_t)i + 1) * size;
	uint32_t value = 0;
	for (unsigned k = 0; k < size; k++)
		value = value << 8 | (uint8_t)octet_put(&l->room, at++);
	return value;
}

static inline void ulabel_set_number(struct ulabel *l, uint32_t i, unsigned size, uint32_t value)
{
	size_t at = l->top - (size_t)i * size;
	for (unsigned k = 0; k < size; k++) {
		put_at(&l->room, --at, value & 0xff);
		value >>= 8;
	}
}

/* Returns the code point at index i. */
static inline uint32_t ulabel_point(const struct ulabel *l, uint32_t i)
{
	return ulabel_number(l, i, 3);
}

static inline void ulabel_set_point(struct ulabel *l, uint32_t i, uint32_t c)
{
	ulabel_set_number(l, i, 3, c);
}

/* Adds a code point that has no canonical decomposition, or a Hangul syllable. Adding all code
 * points of a label takes linear time. */
void urivet_ulabel_add(struct ulabel *l, uint32_t c);

/* Completes the label. Call it after the last code point. */
void urivet_ulabel_close(struct ulabel *l);

#endif
