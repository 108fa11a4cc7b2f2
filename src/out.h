/* SPDX-License-Identifier: Apache-2.0 */
/* The one writer of output: bounded, counts what it could not write. */
#ifndef URIVET_OUT_H
#define URIVET_OUT_H

#include <stddef.h>

#include "text.h"

struct out {
	char *data;
	size_t capacity;
	size_t length; /* octets put, written or not */
};

/* Writes at a position instead of behind what was put, which counts nothing. */
static inline void put_at(struct out *o, size_t at, unsigned c)
{
	if (at + 1 < o->capacity)
		o->data[at] = (char)(unsigned char)c;
}

static inline void put(struct out *o, unsigned c)
{
	put_at(o, o->length, c);
	o->length++;
}

static inline void put_string(struct out *o, const char *s)
{
	while (*s != '\0')
		put(o, (unsigned char)*s++);
}

/* The octet put at position `at`; AT_END if none is there. */
static inline unsigned octet_put(const struct out *o, size_t at)
{
	return at < o->length && at + 1 < o->capacity ? (unsigned char)o->data[at] : AT_END;
}

/* What was written so far, as a text to be read; good until the next put(). */
static inline struct text put_so_far(const struct out *o)
{
	const size_t room = o->capacity > 0 ? o->capacity - 1 : 0;
	const size_t written = o->length < room ? o->length : room;
	const struct text t = {(const uint8_t *)o->data,
			       written < UINT32_MAX ? (uint32_t)written : UINT32_MAX};
	return t;
}

/* Writes the final NUL where there is room and returns the octets put. */
static inline size_t put_end(struct out *o)
{
	if (o->capacity > 0)
		o->data[o->length < o->capacity ? o->length : o->capacity - 1] = '\0';
	return o->length;
}

#endif
