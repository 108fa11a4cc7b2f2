/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode (RFC 3492) for labels of at most 63 octets. */
#ifndef URIVET_PUNYCODE_H
#define URIVET_PUNYCODE_H

#include "text/out.h"
#include "text/text.h"

/* A label has at most this many code points. */
#define PUNYCODE_POINTS 64

struct code_points {
	uint32_t count;
	uint32_t point[PUNYCODE_POINTS];
};

/* Decodes what stands from `at` to the end of t, letters in lower case: false
 * if it is no Punycode, or yields a value above U+10FFFF or too many points. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(points);
    assigns *points;
    ensures points->count <= PUNYCODE_POINTS; */
bool urivet_punycode_decode(struct text t, uint32_t at, struct code_points *points);

/* Encodes, letters in lower case. Points below 0x80 must be such as a decoder returns;
 * encoding stops when only points above U+10FFFF are left. */
/*@ requires writable(o) && o->length + 0x10000000 <= MAX_PUT;
    requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    requires \separated(points, o, o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 0x10000000; */
void urivet_punycode_encode(struct out *o, const struct code_points *points);

#endif
