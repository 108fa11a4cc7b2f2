/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises plain URLs by AVX2: 32 octets in each instruction. */
#include "plain/vector.h"

#if URIVET_VECTORS >= 2
#include <immintrin.h>

#define ISA(name) name##_avx2
#define TARGET    __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#define VECTOR    __m256i
#define LANES     sizeof(__m256i)
#include "plain/masks.h"
#include "plain/escapes.h"

/* Only these two functions read the text. window_at() ensures that all octets lie in it. */
RULE __m256i load_32(struct text t, uint32_t at)
{
	return _mm256_loadu_si256((const void *)(t.data + at));
}

RULE __m256i load_16(struct text t, uint32_t at)
{
	return _mm256_zextsi128_si256(_mm_loadu_si128((const void *)(t.data + at)));
}

RULE __m256i constant(const uint8_t of[32])
{
	return _mm256_load_si256((const void *)of);
}

RULE __m256i class_bits(__m256i v)
{
	const __m256i low_bits = constant(urivet_avx2.low_bits);
	const __m256i row = _mm256_and_si256(_mm256_srli_epi16(v, 4), low_bits);
	return _mm256_and_si256(_mm256_shuffle_epi8(constant(urivet_avx2.columns), v),
				_mm256_shuffle_epi8(constant(urivet_avx2.rows), row));
}

RULE uint32_t signs_avx2(__m256i v)
{
	return (uint32_t)_mm256_movemask_epi8(v);
}

/* Returns a mask of octets that become 0x80 or more when `added` is added, saturating at 0xFF. */
RULE uint32_t reach(__m256i v, const uint8_t added[32])
{
	return signs_avx2(_mm256_adds_epu8(v, constant(added)));
}

/* Doubling shifts out the highest bit (marks). Then the bits of hosts are the highest that
 * remain. */
RULE struct classes classes_of(__m256i v)
{
	const __m256i bits = class_bits(v);
	const struct classes c = {
	    reach(_mm256_add_epi8(bits, bits), urivet_avx2.to_host),
	    reach(bits, urivet_avx2.to_path),
	    signs_avx2(bits),
	};
	return c;
}

RULE uint32_t octets_equal(__m256i v, char c)
{
	return signs_avx2(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(c)));
}

RULE uint32_t digits_of(__m256i v)
{
	const __m256i value = _mm256_sub_epi8(v, _mm256_set1_epi8('0'));
	return signs_avx2(_mm256_cmpeq_epi8(value, _mm256_min_epu8(value, _mm256_set1_epi8(9))));
}

RULE uint64_t first_eight(__m256i v)
{
	return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(v));
}

RULE OCTETS lanes_all(uint8_t c)
{
	const uint32_t four = urivet_avx2_fours[c];
	return (OCTETS)_mm256_set1_epi32((int)four);
}

RULE uint64_t signs_of(OCTETS v)
{
	return signs_avx2((__m256i)v);
}

TARGET uint32_t urivet_brief_by_avx2(struct text t)
{
	return brief_by_masks(t);
}

TARGET bool urivet_plain_by_avx2(struct text t, struct plain *p)
{
	return plain_by_masks(t, p);
}

TARGET struct tail urivet_tail_by_avx2(struct text t, uint32_t at)
{
	return tail_by_masks(t, at);
}

TARGET uint32_t urivet_window_kinds_by_avx2(struct text t, uint32_t base, uint32_t *at)
{
	return kinds_of_window(t, base, at);
}

#undef ISA
#undef TARGET
#undef VECTOR
#undef LANES
#endif
