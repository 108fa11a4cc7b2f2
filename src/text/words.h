/* SPDX-License-Identifier: Apache-2.0 */
/* Eight octets at once, as one 64-bit word. */
#ifndef URIVET_WORDS_H
#define URIVET_WORDS_H

#include "text/text.h"

/* The same value in each octet of a word. */
#define EACH_OCTET(value) (UINT64_C(0x0101010101010101) * (value))

/* Is any octet of the word 0? Without their highest bits the octets cannot carry into each
 * other. */
/*@ assigns \nothing; */
static inline bool has_zero(uint64_t word)
{
	const uint64_t low = EACH_OCTET(0x7f);
	return ~(((word & low) + low) | word | low) != 0;
}

/* The first octet c from `at` on, or the end. */
/*@ requires readable(t) && c < AT_END;
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end); */
static inline uint32_t find_octet(struct text t, uint32_t at, unsigned c)
{
	const uint64_t wanted = EACH_OCTET(c);
	uint64_t word = 0;
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop assigns at, word;
	    loop variant t.end - at; */
	while (load_8(t, at, &word) && !has_zero(word ^ wanted))
		at += 8;
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at) != c)
		at++;
	return at;
}

/* Mixes a word into a sum, by a step of a generator that multiplies with carry (the prime is
 * 4294957665 * 2^32 - 1). */
/*@ assigns \nothing; */
static inline uint64_t stir(uint64_t sum, uint64_t word)
{
	sum ^= word;
	return (sum % 0x100000000) * 4294957665 + sum / 0x100000000;
}

#endif
