/* SPDX-License-Identifier: Apache-2.0 */
/* The only writer of output. It stays within its buffer and counts the octets that did not fit. */
#ifndef URIVET_OUT_H
#define URIVET_OUT_H

#include <stddef.h>
#include <string.h>

#include "text/text.h"

struct out {
	char *data;
	size_t capacity;
	size_t length; /* octets put, written or not */
};

/* An upper bound of all output: the longest input with each octet escaped, plus additions. */
#define MAX_PUT ((size_t)URIVET_MAX_LENGTH * 4)

/*@ predicate writable(struct out *o) =
      \valid(o) && o->length <= MAX_PUT && \valid(o->data + (0 .. o->capacity - 1)) &&
      \separated(o, o->data + (0 .. o->capacity - 1)); */
/* The locations that put() and its like assign, for contracts. */
/* clang-format off */
#define WRITTEN(o) (o)->length, (o)->data[0 .. (o)->capacity - 1]
/* clang-format on */

/* Writes an octet at position `at` without changing the length. */
/*@ requires writable(o) && at < MAX_PUT;
    assigns o->data[0 .. o->capacity - 1];
    ensures writable(o); */
static inline void put_at(struct out *o, size_t at, unsigned c)
{
	if (o->capacity > 0 && at < o->capacity - 1)
		o->data[at] = (char)(unsigned char)c;
}

/*@ requires writable(o) && o->length < MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o) && o->length == \old(o->length) + 1; */
static inline void put(struct out *o, unsigned c)
{
	put_at(o, o->length, c);
	o->length++;
}

/* Appends `size` octets at once. */
/*@ requires writable(o) && o->length + size <= MAX_PUT && \valid_read(octets + (0 .. size - 1));
    requires \separated(o, octets + (0 .. size - 1), o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && o->length == \old(o->length) + size; */
static inline void put_copy(struct out *o, const uint8_t *octets, size_t size)
{
	const size_t room = o->length + 1 < o->capacity ? o->capacity - 1 - o->length : 0;
	if (size > 0 && room > 0)
		memcpy(o->data + o->length, octets, size < room ? size : room);
	o->length += size;
}

/* Appends the octets of a literal or an array, up to a NUL in it. */
#define put_string(o, s) put_octets(o, s, ARRAY_SIZE(s))

/*@ requires writable(o) && o->length + size <= MAX_PUT && \valid_read(s + (0 .. size - 1));
    requires size <= 64;
    requires \separated(o, s + (0 .. size - 1));
    assigns WRITTEN(o);
    ensures writable(o);
    ensures \old(o->length) <= o->length <= \old(o->length) + size; */
static inline void put_octets(struct out *o, const char *s, size_t size)
{
	/*@ loop invariant k <= size && writable(o);
	    loop invariant \at(o->length, Pre) <= o->length <= \at(o->length, Pre) + k;
	    loop assigns k, WRITTEN(o);
	    loop variant size - k; */
	for (size_t k = 0; k < size && s[k] != '\0'; k++)
		put(o, (unsigned char)s[k]);
}

/* Returns the octet that was written at position `at`; AT_END if there is none. */
/*@ requires writable(o);
    assigns \nothing;
    ensures \result <= AT_END; */
static inline unsigned octet_put(const struct out *o, size_t at)
{
	return at < o->length && o->capacity > 0 && at < o->capacity - 1
		   ? (unsigned char)o->data[at]
		   : AT_END;
}

/* Returns the text written so far; valid until the next put(). */
/*@ requires writable(o);
    assigns \nothing;
    ensures readable(\result);
    ensures \result.end == \min(URIVET_MAX_LENGTH, \min(o->length, \max(o->capacity, 1) - 1)); */
static inline struct text put_so_far(const struct out *o)
{
	const size_t room = o->capacity > 0 ? o->capacity - 1 : 0;
	const size_t written = o->length < room ? o->length : room;
	return text_of(o->data,
		       written < URIVET_MAX_LENGTH ? (uint32_t)written : URIVET_MAX_LENGTH);
}

/* Writes the final NUL if there is room. Returns the number of octets put. */
/*@ requires writable(o);
    assigns o->data[0 .. o->capacity - 1];
    ensures writable(o) && \result == o->length; */
static inline size_t put_end(struct out *o)
{
	if (o->capacity > 0)
		o->data[o->length < o->capacity ? o->length : o->capacity - 1] = '\0';
	return o->length;
}

#endif
