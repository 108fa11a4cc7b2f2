/* SPDX-License-Identifier: Apache-2.0 */
/* Processing of eight octets at once, as one 64-bit word. */
#ifndef URIVET_WORDS_H
#define URIVET_WORDS_H

#include "text/text.h"

/* A word with the same value in each octet. */
#define EACH_OCTET(value) (UINT64_C(0x0101010101010101) * (value))

/* Returns a word with the highest bit of each octet that is 0, no other bits. The highest bits are
 * masked so that no sum carries into the next octet. */
/*@ assigns \nothing; */
static inline uint64_t zeros(uint64_t word)
{
	const uint64_t low = EACH_OCTET(0x7f), rest = word & low;
	//@ assert rest <= 0x7f7f7f7f7f7f7f7f;
	return ~((rest + low) | word | low);
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE_ENDIAN_WORDS 1
#else
#define LITTLE_ENDIAN_WORDS 0
#endif

/* Returns the index of the lowest bit that is set. */
/*@ requires word != 0;
    assigns \nothing;
    ensures \result <= 63; */
static inline uint32_t lowest_set_bit(uint64_t word)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
	return (uint32_t)__builtin_ctzll(word);
#else
	uint32_t k = 0;
	/*@ loop invariant k <= 63;
	    loop assigns k;
	    loop variant 63 - k; */
	while (k < 63 && (word >> k & 1) == 0)
		k++;
	return k;
#endif
}

/* Returns the index, in memory, of the first octet of the word that is not 0. */
/*@ requires word != 0;
    assigns \nothing;
    ensures \result <= 7; */
static inline uint32_t first_in_word(uint64_t word)
{
#if LITTLE_ENDIAN_WORDS && !defined(__FRAMAC__)
	return lowest_set_bit(word) / 8;
#else
	uint8_t octets[8];
	uint32_t k = 0;
	memcpy(octets, &word, sizeof octets);
	/*@ loop invariant k <= 7;
	    loop assigns k;
	    loop variant 7 - k; */
	while (k < 7 && octets[k] == 0)
		k++;
	return k;
#endif
}

/* Returns the offset of the first octet c or d from `at` on, or the end. */
/*@ requires readable(t) && c < AT_END && d < AT_END;
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end); */
static inline uint32_t find_either(struct text t, uint32_t at, unsigned c, unsigned d)
{
	uint64_t word = 0;
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop assigns at, word;
	    loop variant t.end - at; */
	while (load_8(t, at, &word)) {
		const uint64_t found = zeros(word ^ EACH_OCTET(c)) | zeros(word ^ EACH_OCTET(d));
		if (found != 0)
			return at + first_in_word(found);
		at += 8;
	}
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at) != c && octet(t, at) != d)
		at++;
	return at;
}

/* Returns the offset of the first octet c from `at` on, or the end. */
/*@ requires readable(t) && c < AT_END;
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end); */
static inline uint32_t find_octet(struct text t, uint32_t at, unsigned c)
{
	return find_either(t, at, c, c);
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
