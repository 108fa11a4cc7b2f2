/* SPDX-License-Identifier: Apache-2.0 */
/* The one writer of output: bounded, counts what it could not write. */
#ifndef URIVET_OUT_H
#define URIVET_OUT_H

#include <stddef.h>

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

/* Writes the final NUL where there is room and returns the octets put. */
static inline size_t put_end(struct out *o)
{
	if (o->capacity > 0)
		o->data[o->length < o->capacity ? o->length : o->capacity - 1] = '\0';
	return o->length;
}

#endif
