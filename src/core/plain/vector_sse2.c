/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises plain URLs by SSE2: 16 octets in each instruction, in pairs. */
#include "plain/vector.h"

#if URIVET_VECTORS >= 1 && defined(URIVET_BASELINE_SSE2)
#include <emmintrin.h>

struct pair {
	__m128i low, high;
};
#define ISA(name) name##_sse2
#define TARGET
#define VECTOR struct pair
#define LANES  sizeof(__m128i)
#include "plain/masks.h"
#include "plain/escapes.h"

/* Only this function reads the text. window_at() ensures that all octets lie in it. */
RULE __m128i load(struct text t, uint32_t at)
{
	return _mm_loadu_si128((const void *)(t.data + at));
}

RULE struct pair load_32(struct text t, uint32_t at)
{
	const struct pair v = {load(t, at), load(t, at + 16)};
	return v;
}

RULE struct pair load_16(struct text t, uint32_t at)
{
	const struct pair v = {load(t, at), _mm_setzero_si128()};
	return v;
}

RULE uint32_t signs_sse2(__m128i low, __m128i high)
{
	return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

RULE __m128i equals(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

/* Returns a mask of the octets from `first` to `last`. Shifts `first` to the lowest signed value,
 * so that one comparison suffices. */
RULE __m128i between(__m128i v, int first, int last)
{
	const __m128i moved = _mm_add_epi8(v, _mm_set1_epi8((char)(0x80 - first)));
	return _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(last - first + 1 - 0x80)));
}

RULE __m128i either(__m128i a, __m128i b)
{
	return _mm_or_si128(a, b);
}

/* Returns a mask of the path octets other than a-z. */
RULE __m128i path_octets(__m128i v)
{
	const __m128i ranges = either(between(v, '-', '9'), between(v, 'A', 'Z'));
	return either(ranges, either(equals(v, '_'), equals(v, '~')));
}

RULE struct classes classes_of(struct pair v)
{
	const __m128i letter[] = {between(v.low, 'a', 'z'), between(v.high, 'a', 'z')};
	const __m128i mark[] = {between(v.low, '-', '/'), between(v.high, '-', '/')};
	const uint32_t letters = signs_sse2(letter[0], letter[1]);
	struct classes c;
	c.mark = signs_sse2(mark[0], mark[1]);
	c.host = letters | (c.mark & ~octets_equal(v, '/'));
	c.path = letters | signs_sse2(path_octets(v.low), path_octets(v.high));
	return c;
}

RULE uint32_t octets_equal(struct pair v, char c)
{
	return signs_sse2(equals(v.low, c), equals(v.high, c));
}

RULE uint32_t digits_of(struct pair v)
{
	return signs_sse2(between(v.low, '0', '9'), between(v.high, '0', '9'));
}

RULE uint64_t first_eight(struct pair v)
{
	return (uint64_t)_mm_cvtsi128_si64(v.low);
}

RULE OCTETS lanes_all(uint8_t c)
{
	return (OCTETS){0} + c;
}

RULE uint64_t signs_of(OCTETS v)
{
	return (uint32_t)_mm_movemask_epi8((__m128i)v);
}

uint32_t urivet_brief_by_sse2(struct text t)
{
	return brief_by_masks(t);
}

bool urivet_plain_by_sse2(struct text t, struct plain *p)
{
	return plain_by_masks(t, p);
}

struct tail urivet_tail_by_sse2(struct text t, uint32_t at)
{
	return tail_by_masks(t, at);
}

uint32_t urivet_window_kinds_by_sse2(struct text t, uint32_t base, uint32_t *at)
{
	return kinds_of_window(t, base, at);
}

#undef ISA
#undef TARGET
#undef VECTOR
#undef LANES
#endif
