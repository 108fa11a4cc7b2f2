/* SPDX-License-Identifier: Apache-2.0 */
/* Processing of eight octets at once, as one 64-bit word. */
#ifndef URIVET_WORDS_H
#define URIVET_WORDS_H

#include "text/text.h"

/* A word with the same value in each octet. */
#define EACH_OCTET(value) (UINT64_C(0x0101010101010101) * (value))

/* Returns true if any octet of the word is 0. The highest bits are masked so that no sum carries
 * into the next octet. */
/*@ assigns \nothing; */
static inline bool has_zero(uint64_t word)
{
	const uint64_t low = EACH_OCTET(0x7f);
	return ~(((word & low) + low) | word | low) != 0;
}

/* Returns the offset of the first octet c from `at` on, or the end. */
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

/* Mixes a word into a hash by a step of a multiply-with-carry generator (the prime is 4294957665 *
 * 2^32 - 1). */
/*@ assigns \nothing; */
static inline uint64_t stir(uint64_t sum, uint64_t word)
{
	sum ^= word;
	return (sum % 0x100000000) * 4294957665 + sum / 0x100000000;
}

#endif
