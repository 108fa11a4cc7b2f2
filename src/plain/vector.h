/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain URLs by vector instructions: the same answers as urivet_plain_by_octet(), faster.
 * Only x86-64 has them, and a build can leave them out.
 */
#ifndef URIVET_VECTOR_H
#define URIVET_VECTOR_H

#include "plain/plain.h"

/* 0: none; 1: SSE2, which every x86-64 has; 2: AVX2 as well, where the machine has it. */
#ifndef URIVET_VECTORS
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__FRAMAC__)
#define URIVET_VECTORS 2
#else
#define URIVET_VECTORS 0
#endif
#endif

/* Shorter texts are left to urivet_plain_by_octet(), so that no load reads beyond a text. */
#define VECTOR_LEAST 16
/* Texts shorter than this fit into one window. */
#define VECTOR_BRIEF 64

/* urivet_plain() and urivet_uri_end() by each set of instructions. VECTOR_LEAST <= t.end */
#if URIVET_VECTORS >= 1
struct plain urivet_plain_by_vector(struct text t);
struct plain urivet_plain_by_sse2(struct text t);
uint32_t urivet_uri_end_by_vector(struct text t);
uint32_t urivet_uri_end_by_sse2(struct text t);
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
uint32_t urivet_brief_by_sse2(struct text t);
#endif
#if URIVET_VECTORS >= 2
uint32_t urivet_brief_by_avx2(struct text t);

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

#endif
