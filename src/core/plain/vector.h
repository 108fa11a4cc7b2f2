/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises plain URLs by vector instructions, with the same results as urivet_plain_by_octet()
 * but faster. For x86-64 and 64-bit ARM; a build can disable it.
 */
#ifndef URIVET_VECTOR_H
#define URIVET_VECTOR_H

#include "plain/plain.h"

/*
 * The baseline: instructions that every machine of the architecture has, so no run-time check is
 * needed. gcc and clang define whether code may use NEON (kernel code may not). Big-endian ARM
 * reads octets one by one, as do machines without a baseline.
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

/* 0: none; 1: the baseline; 2: also AVX2 if the x86-64 machine supports it. */
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

/* urivet_plain() and urivet_tail() for each instruction set. VECTOR_LEAST <= t.end, and a "/" at
 * `at`. Those of one instruction set do not read what escapes encode. */
#if URIVET_VECTORS >= 1
bool urivet_plain_by_vector(struct text t, struct plain *p);
bool BASELINE(urivet_plain_by)(struct text t, struct plain *p);
struct tail urivet_tail_by_vector(struct text t, uint32_t at);
struct tail BASELINE(urivet_tail_by)(struct text t, uint32_t at);
#endif
#if URIVET_VECTORS >= 2
bool urivet_plain_by_avx2(struct text t, struct plain *p);
struct tail urivet_tail_by_avx2(struct text t, uint32_t at);
/* Returns true if the machine has AVX2, BMI 1 and 2 and LZCNT, and the operating system saves the
 * registers. */
bool urivet_has_avx2(void);
#endif

/* urivet_window_kinds() for each instruction set, in a path or query, with WINDOW_READ octets from
 * `base` on. Returns WINDOW_UNREAD if the window has escapes that it leaves to that function. */
enum { WINDOW_READ = 98 };
#define WINDOW_UNREAD UINT32_MAX
#if URIVET_VECTORS >= 1
uint32_t BASELINE(urivet_window_kinds_by)(struct text t, uint32_t base, uint32_t *at);
#endif
#if URIVET_VECTORS >= 2
uint32_t urivet_window_kinds_by_avx2(struct text t, uint32_t base, uint32_t *at);
#endif

/* urivet_brief() for each instruction set. VECTOR_LEAST <= t.end < VECTOR_BRIEF */
#if URIVET_VECTORS >= 1
uint32_t urivet_brief_by_vector(struct text t);
uint32_t BASELINE(urivet_brief_by)(struct text t);
#endif
#if URIVET_VECTORS >= 2
uint32_t urivet_brief_by_avx2(struct text t);

/* The constants of vector_avx2.c. They are defined in another file, vector.c, so that they are
 * loaded from memory. gcc would otherwise build each from an immediate in every call, with two
 * shuffles, and most machines can run only one shuffle at a time. */
struct urivet_avx2_tables {
	_Alignas(32) uint8_t columns[32];
	uint8_t rows[32], low_bits[32], to_host[32], to_path[32];
};
extern const struct urivet_avx2_tables urivet_avx2;
extern const uint32_t urivet_avx2_fours[256]; /* each octet four times */
#endif

/* Recognises a plain URL by the best instructions of this machine. See urivet_plain_by_octet(). */
/*@ requires readable(t) && \valid(p);
    assigns *p;
    ensures plain_in(p, t);
    ensures \result ==> p->host > 0; */
static inline bool urivet_plain(struct text t, struct plain *p)
{
#if URIVET_VECTORS >= 1
	if (t.end >= VECTOR_LEAST)
		return urivet_plain_by_vector(t, p);
#endif
	return urivet_plain_by_octet(t, p);
}

/* Returns the ends of path and query, and their kinds; for a path that begins with "/", at least
 * those of KINDS_IN_PATH and KINDS_IN_QUERY. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures tail_in(\result, t, at); */
static inline struct tail urivet_tail(struct text t, uint32_t at)
{
#if URIVET_VECTORS >= 1
	if (t.end >= VECTOR_LEAST && octet(t, at) == '/')
		return urivet_tail_by_vector(t, at);
#endif
	return urivet_tail_by_octet(t, at);
}

/* Returns true if urivet_brief() accepts a text of that length. Always false without vectors. */
/*@ assigns \nothing;
    ensures \result ==> VECTOR_LEAST <= length < VECTOR_BRIEF; */
static inline bool is_brief_length(size_t length)
{
	return URIVET_VECTORS >= 1 && length >= VECTOR_LEAST && length < VECTOR_BRIEF;
}

/* Returns the offset of the path in a plain URL that ends with its path. Returns 0 if this is
 * unknown; then call urivet_plain(). */
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

/* Same as urivet_plain(), but tries urivet_brief() first. */
/*@ requires readable(t) && \valid(p);
    assigns *p;
    ensures plain_in(p, t);
    ensures \result ==> p->host > 0; */
static inline bool urivet_plain_or_brief(struct text t, struct plain *p)
{
	const uint32_t path = is_brief_length(t.end) ? urivet_brief(t) : 0;
	if (path == 0)
		return urivet_plain(t, p);
	set_plain_path(p, t, path);
	return true;
}

#endif
