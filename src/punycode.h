/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode (RFC 3492) for labels of at most 63 octets. */
#ifndef URIVET_PUNYCODE_H
#define URIVET_PUNYCODE_H

#include "out.h"
#include "text.h"

/* A label has at most this many code points. */
#define PUNYCODE_POINTS 64

struct code_points {
	uint32_t count;
	uint32_t point[PUNYCODE_POINTS];
};

/* Decodes what stands from `at` to the end of t, letters in lower case: false
 * if it is no Punycode, or yields a value above U+10FFFF or too many points. */
bool urivet_punycode_decode(struct text t, uint32_t at, struct code_points *points);

/* Encodes, letters in lower case. Of points below 0x80 only those that a
 * decoder gives are expected. */
void urivet_punycode_encode(struct out *o, const struct code_points *points);

#endif
