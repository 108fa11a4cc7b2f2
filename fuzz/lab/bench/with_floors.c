/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the floor: the minimum cost of reading these octets. Each touches every octet once,
 * but for the call, and none of them judges anything.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

static bool call(const char *url, size_t length)
{
	return length > 0 && url[0] != '\0';
}

static bool scan_memchr(const char *url, size_t length)
{
	return memchr(url, '\n', length) == NULL;
}

/* 1: an octet that no URL holds */
static uint8_t table[256];

__attribute__((constructor)) static void fill(void)
{
	for (unsigned c = 0; c < 256; c++)
		table[c] = c <= ' ' || c >= 0x7f || strchr("\"<>\\^`{|}", (int)c) != NULL;
}

static bool scan_table(const char *url, size_t length)
{
	for (size_t k = 0; k < length; k++)
		if (table[(unsigned char)url[k]])
			return false;
	return true;
}

/* The same set by two look-ups of four bits, as the vector path does it. */
__attribute__((target("avx2"))) static inline int bad_32(__m256i v)
{
	const __m256i columns = _mm256_broadcastsi128_si256(
	    _mm_setr_epi8(0x3c, 0x7e, 0x7c, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x5e,
			  0x4a, 0x5e, 0x6a, 0x5e));
	const __m256i rows = _mm256_broadcastsi128_si256(
	    _mm_setr_epi8(0, 0, 2, 4, 8, 16, 64, 32, 0, 0, 0, 0, 0, 0, 0, 0));
	const __m256i row = _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
	const __m256i both =
	    _mm256_and_si256(_mm256_shuffle_epi8(columns, v), _mm256_shuffle_epi8(rows, row));
	return _mm256_movemask_epi8(_mm256_cmpeq_epi8(both, _mm256_setzero_si256()));
}

__attribute__((target("avx2"))) static inline __m256i load(const char *at)
{
	return _mm256_loadu_si256((const void *)at);
}

__attribute__((target("avx2"))) static bool scan_avx2(const char *url, size_t length)
{
	int bad = 0;
	size_t k = 0;
	if (length < 32) {
		__m128i a, b;
		if (length < 16)
			return scan_table(url, length);
		a = _mm_loadu_si128((const void *)url);
		b = _mm_loadu_si128((const void *)(url + length - 16));
		return bad_32(_mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1)) == 0;
	}
	for (; k + 32 < length; k += 32)
		bad |= bad_32(load(url + k));
	return (bad | bad_32(load(url + length - 32))) == 0;
}

static inline __m128i between(__m128i v, int first, int last)
{
	const __m128i moved = _mm_add_epi8(v, _mm_set1_epi8((char)(0x80 - first)));
	return _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(last - first + 1 - 0x80)));
}

static inline int bad_16(__m128i v)
{
	const __m128i good = _mm_or_si128(
	    _mm_or_si128(between(v, '#', ';'), between(v, '?', '[')),
	    _mm_or_si128(_mm_or_si128(between(v, 'a', 'z'), _mm_cmpeq_epi8(v, _mm_set1_epi8('_'))),
			 _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('!')),
				      _mm_cmpeq_epi8(v, _mm_set1_epi8('=')))));
	const __m128i rest = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(']')),
					  _mm_cmpeq_epi8(v, _mm_set1_epi8('~')));
	return _mm_movemask_epi8(_mm_or_si128(good, rest)) ^ 0xffff;
}

static bool scan_sse2(const char *url, size_t length)
{
	int bad = 0;
	size_t k = 0;
	if (length < 16)
		return scan_table(url, length);
	for (; k + 16 < length; k += 16)
		bad |= bad_16(_mm_loadu_si128((const void *)(url + k)));
	return (bad | bad_16(_mm_loadu_si128((const void *)(url + length - 16)))) == 0;
}

const struct contestant contestants[] = {
    {"floor: call", call},
    {"floor: memchr", scan_memchr},
    {"floor: AVX2 class scan", scan_avx2},
    {"floor: SSE2 class scan", scan_sse2},
    {"floor: table scan", scan_table},
    {NULL, NULL},
};
