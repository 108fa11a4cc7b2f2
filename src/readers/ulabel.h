/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A label of a domain as its code points, in Normalization Form C (UAX 15).
 *
 * The points lie in room of the output that is not written yet: each in three octets,
 * from `top` downwards. No input octet becomes more than two of them (tests/names/uts46.py
 * sees to that), and while marks are put in order they stand there twice, at most one of
 * an octet: nine octets for one, beside what is written of the labels before. An A-label
 * stands there three times while it is looked whether it is normal - decoded, composed
 * again, and its marks once more -, beside its own octets: ten for one. So the room of
 * URIVET_READING_CAPACITY() suffices.
 */
#ifndef URIVET_ULABEL_H
#define URIVET_ULABEL_H

#include "readers/uts46_class.h"
#include "text/out.h"

struct ulabel {
	struct out room; /* the output, of which all may be read */
	size_t top;      /* the offset after the first code point */
	uint32_t count;  /* of code points */
	uint32_t marks;  /* the index of the first that follows the last starter */
};

/* An empty label, in the room up to offset `top` of what `o` writes to. */
static inline struct ulabel ulabel_in(const struct out *o, size_t top)
{
	const struct ulabel l = {{o->data, o->capacity, o->capacity}, top, 0, 0};
	return l;
}

/* A number of `size` octets at an index. */
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

/* The code point at an index. */
static inline uint32_t ulabel_point(const struct ulabel *l, uint32_t i)
{
	return ulabel_number(l, i, 3);
}

static inline void ulabel_set_point(struct ulabel *l, uint32_t i, uint32_t c)
{
	ulabel_set_number(l, i, 3, c);
}

/* Adds a code point that has no canonical decomposition, or is a Hangul syllable. All that are
 * added take linear time. */
void urivet_ulabel_add(struct ulabel *l, uint32_t c);

/* To be called after the last one was added. */
void urivet_ulabel_close(struct ulabel *l);

#endif
