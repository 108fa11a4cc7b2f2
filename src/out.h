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

static inline void put(struct out *o, unsigned c)
{
	if (o->length + 1 < o->capacity)
		o->data[o->length] = (char)(unsigned char)c;
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
