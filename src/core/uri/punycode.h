/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode (RFC 3492) for labels of at most 63 octets. */
#ifndef URIVET_PUNYCODE_H
#define URIVET_PUNYCODE_H

#include "text/out.h"
#include "text/text.h"

/* A label has at most this many code points. */
#define PUNYCODE_POINTS 64

/* The maximum length of an A-label in the DNS, in octets with "xn--" (RFC 5890, 2.3.1), whatever a
 * policy allows. */
#define LONGEST_ALABEL 63

struct code_points {
	uint32_t count;
	uint32_t point[PUNYCODE_POINTS];
};

/* Decodes the text from `at` to the end of t, with letters in lower case. Returns false if it is
 * not Punycode, or yields a value above U+10FFFF or too many points. The ASCII points come first,
 * the others in the order of decoding; `places` has the index at which to insert each of these
 * among those before it. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(points);
    requires \valid(places + (0 .. PUNYCODE_POINTS - 1));
    requires \separated(points, places + (0 .. PUNYCODE_POINTS - 1));
    assigns *points, places[0 .. PUNYCODE_POINTS - 1];
    ensures points->count <= PUNYCODE_POINTS; */
bool urivet_punycode_decode(struct text t, uint32_t at, struct code_points *points,
			    uint8_t places[PUNYCODE_POINTS]);

/* Puts decoded points into their final order, using their places. */
/*@ requires \valid(points) && points->count <= PUNYCODE_POINTS;
    requires \valid_read(places + (0 .. PUNYCODE_POINTS - 1));
    requires \separated(points, places + (0 .. PUNYCODE_POINTS - 1));
    assigns points->point[0 .. PUNYCODE_POINTS - 1]; */
void urivet_punycode_order(struct code_points *points, const uint8_t places[PUNYCODE_POINTS]);

/* Encodes the points, with letters in lower case. Points below 0x80 must be such as a decoder
 * returns; encoding stops when only points above U+10FFFF are left. */
/*@ requires writable(o) && o->length + 0x10000000 <= MAX_PUT;
    requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    requires \separated(points, o, o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 0x10000000; */
void urivet_punycode_encode(struct out *o, const struct code_points *points);

#endif
