/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain URLs by vector instructions: the same answers as urivet_plain_by_octet(), faster.
 * x86-64 and 64-bit ARM have them, and a build can leave them out.
 */
#ifndef URIVET_VECTOR_H
#define URIVET_VECTOR_H

#include "plain/plain.h"

/*
 * The baseline: what every machine of its kind has, so that nothing is asked at run time. gcc
 * and clang say whether code may use NEON (that of kernels may not). Octets in the other order
 * are read one by one, as on machines without a baseline.
 */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#if defined(__x86_64__)
#define URIVET_BASELINE_SSE2
#define BASELINE(name) name##_sse2
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define URIVET_BASELINE_NEON
#define BASELINE(name) name##_neon
#endif
#endif

/* 0: none; 1: the baseline; 2: AVX2 as well, where an x86-64 has it. */
#ifndef URIVET_VECTORS
#if defined(URIVET_BASELINE_SSE2)
#define URIVET_VECTORS 2
#elif defined(URIVET_BASELINE_NEON)
#define URIVET_VECTORS 1
#else
#define URIVET_VECTORS 0
#endif
#endif
#if (URIVET_VECTORS >= 1 && !defined(BASELINE)) ||                                                 \
    (URIVET_VECTORS >= 2 && !defined(URIVET_BASELINE_SSE2))
#error "URIVET_VECTORS asks for vectors that this compiler does not know of this machine"
#endif

/* Shorter texts are left to urivet_plain_by_octet(), so that no load reads beyond a text. */
#define VECTOR_LEAST 16
/* Texts shorter than this fit into one window. */
#define VECTOR_BRIEF 64

/* urivet_plain() and urivet_uri_end() by each set of instructions. VECTOR_LEAST <= t.end */
#if URIVET_VECTORS >= 1
struct plain urivet_plain_by_vector(struct text t);
struct plain BASELINE(urivet_plain_by)(struct text t);
uint32_t urivet_uri_end_by_vector(struct text t);
uint32_t BASELINE(urivet_uri_end_by)(struct text t);
#endif
#if URIVET_VECTORS >= 2
struct plain urivet_plain_by_avx2(struct text t);
uint32_t urivet_uri_end_by_avx2(struct text t);
/* Has the machine AVX2, BMI 1 and 2 and LZCNT, and does the system save their registers? */
bool urivet_has_avx2(void);
#endif

/* urivet_brief() likewise. VECTOR_LEAST <= t.end < VECTOR_BRIEF */
#if URIVET_VECTORS >= 1
uint32_t urivet_brief_by_vector(struct text t);
uint32_t BASELINE(urivet_brief_by)(struct text t);
uint64_t urivet_brief_rows_by_vector(struct text t, const int32_t *offsets, uint32_t rows);
uint64_t BASELINE(urivet_brief_rows_by)(struct text t, const int32_t *offsets, uint32_t rows);
#endif
#if URIVET_VECTORS >= 2
uint32_t urivet_brief_by_avx2(struct text t);
uint64_t urivet_brief_rows_by_avx2(struct text t, const int32_t *offsets, uint32_t rows);

/* The constants of vector_avx2.c. They are defined in another file, vector.c, so that they are
 * loaded from memory: gcc would build each from an immediate in every call, by two shuffles,
 * of which most machines can do only one at a time. */
struct urivet_avx2_tables {
	_Alignas(32) uint8_t columns[32];
	uint8_t rows[32], low_bits[32], to_host[32], to_path[32];
};
extern const struct urivet_avx2_tables urivet_avx2;
#endif

/* By the best instructions that this machine has. */
/*@ requires readable(t);
    assigns \nothing;
    ensures plain_in(\result, t.end); */
static inline struct plain urivet_plain(struct text t)
{
#if URIVET_VECTORS >= 1
	if (t.end >= VECTOR_LEAST)
		return urivet_plain_by_vector(t);
#endif
	return urivet_plain_by_octet(t);
}

/* The first octet that no URI holds anywhere, or the end. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= t.end; */
static inline uint32_t urivet_uri_end(struct text t)
{
#if URIVET_VECTORS >= 1
	if (t.end >= VECTOR_LEAST)
		return urivet_uri_end_by_vector(t);
#endif
	return urivet_uri_end_by_octet(t);
}

/* Can urivet_brief() be asked about a text of that length? Never without vectors. */
/*@ assigns \nothing;
    ensures \result ==> VECTOR_LEAST <= length < VECTOR_BRIEF; */
static inline bool is_brief_length(size_t length)
{
	return URIVET_VECTORS >= 1 && length >= VECTOR_LEAST && length < VECTOR_BRIEF;
}

/* Where the path begins in a plain URL that ends with its path. 0 says nothing: then
 * urivet_plain() must tell. */
/*@ requires readable(t) && VECTOR_LEAST <= t.end < VECTOR_BRIEF;
    assigns \nothing;
    ensures \result == 0 || 8 < \result <= t.end; */
static inline uint32_t urivet_brief(struct text t)
{
#if URIVET_VECTORS >= 1
	return urivet_brief_by_vector(t);
#else
	(void)t;
	return 0;
#endif
}

/* urivet_brief() of rows: bit k is set if it tells that t[offsets[k] .. offsets[k + 1]) is a plain
 * URL. Offsets may be of any value. */
/*@ requires \valid_read(offsets + (0 .. rows)) && rows <= 64;
    assigns \nothing; */
static inline uint64_t urivet_brief_rows(struct text t, const int32_t *offsets, uint32_t rows)
{
#if URIVET_VECTORS >= 1
	return urivet_brief_rows_by_vector(t, offsets, rows);
#else
	(void)t;
	(void)offsets;
	(void)rows;
	return 0;
#endif
}

/* The parts of a plain URL whose path begins where urivet_brief() says. */
/*@ requires readable(t) && 8 < path <= t.end < VECTOR_BRIEF;
    assigns \nothing;
    ensures plain_in(\result, t.end) && \result.host > 0; */
static inline struct plain brief_parts(struct text t, uint32_t path)
{
	const struct plain p = {octet(t, 4) == 's' ? 8 : 7, (uint16_t)path, t.end, t.end, 0};
	return p;
}

/* urivet_plain(), by urivet_brief() where that can tell. */
/*@ requires readable(t);
    assigns \nothing;
    ensures plain_in(\result, t.end); */
static inline struct plain urivet_plain_or_brief(struct text t)
{
	const uint32_t path = is_brief_length(t.end) ? urivet_brief(t) : 0;
	return path > 0 ? brief_parts(t, path) : urivet_plain(t);
}

#endif
