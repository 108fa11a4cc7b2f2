/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the vector instructions of this machine, and defines the AVX2 tables. */
#include "plain/vector.h"
#include "text/utf8.h"

#if URIVET_VECTORS >= 2
#include <cpuid.h>
#include <stdatomic.h>

/*
 * Classifies the octets of a path: unreserved (RFC 3986, 2.3) and "/". The high four bits of an
 * octet select its row, the low four its column. It is in the class if the masks of its row and
 * column share a bit.
 */
enum {
	MARKS = 0x80,  /* row 2: - . / */
	JOINTS = 0x40, /* row 2: - . */
	ROW_6 = 0x20,  /* a-o */
	ROW_7 = 0x10,  /* p-z; rows 6 and 7 and JOINTS are allowed in a host */
	ROW_5 = 0x08,  /* P-Z _ */
	ROW_4 = 0x04,  /* A-O */
	ROW_3 = 0x02,  /* 0-9 */
	TILDES = 0x01, /* row 7: ~ */
	LETTERS = ROW_4 | ROW_5 | ROW_6 | ROW_7
};

#define TWICE(...)                                                                                 \
	{                                                                                          \
		__VA_ARGS__, __VA_ARGS__                                                           \
	}
#define FOUR(c)    c, c, c, c
#define SIXTEEN(c) FOUR(c), FOUR(c), FOUR(c), FOUR(c)

/* clang-format off */
const struct urivet_avx2_tables urivet_avx2 = {
	.columns = TWICE(
		ROW_3 | ROW_5 | ROW_7,                       /* 0   P   p */
		ROW_3 | LETTERS, ROW_3 | LETTERS,            /* 1 A Q a q, 2 B R b r */
		ROW_3 | LETTERS, ROW_3 | LETTERS,            /* 3 C S c s, 4 D T d t */
		ROW_3 | LETTERS, ROW_3 | LETTERS,            /* 5 E U e u, 6 F V f v */
		ROW_3 | LETTERS, ROW_3 | LETTERS,            /* 7 G W g w, 8 H X h x */
		ROW_3 | LETTERS, LETTERS,                    /* 9 I Y i y,   J Z j z */
		ROW_4 | ROW_6, ROW_4 | ROW_6,                /*   K   k,     L   l   */
		MARKS | JOINTS | ROW_4 | ROW_6,              /* -   M   m   */
		MARKS | JOINTS | ROW_4 | ROW_6 | TILDES,     /* .   N   n ~ */
		MARKS | ROW_4 | ROW_5 | ROW_6),              /* /   O _ o   */
	.rows = TWICE(0, 0, MARKS | JOINTS, ROW_3, ROW_4, ROW_5, ROW_6, ROW_7 | TILDES,
		      0, 0, 0, 0, 0, 0, 0, 0),
	.low_bits = TWICE(SIXTEEN(0x0f)),
	.to_host = TWICE(SIXTEEN(0x80 - 2 * ROW_7)),
	.to_path = TWICE(SIXTEEN(0x80 - 1)),
};
/* clang-format on */

#define FOURS(c)      (c) * 0x01010101u,
#define EACH_4(f, c)  f(c) f((c) + 1u) f((c) + 2u) f((c) + 3u)
#define EACH_16(f, c) EACH_4(f, c) EACH_4(f, (c) + 4u) EACH_4(f, (c) + 8u) EACH_4(f, (c) + 12u)
#define EACH_64(f, c)                                                                              \
	EACH_16(f, c) EACH_16(f, (c) + 16u) EACH_16(f, (c) + 32u) EACH_16(f, (c) + 48u)
const uint32_t urivet_avx2_fours[256] = {EACH_64(FOURS, 0u) EACH_64(FOURS, 64u) EACH_64(FOURS, 128u)
					     EACH_64(FOURS, 192u)};

/* Returns true if the operating system saves the SSE and AVX registers: bits 1 and 2 of XCR0. */
static bool saves_avx(void)
{
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (low & 6) == 6;
}

bool urivet_has_avx2(void)
{
	const unsigned wanted = bit_AVX2 | bit_BMI | bit_BMI2;
	unsigned a, b, c, d;
	if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0 || !saves_avx())
		return false;
	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & wanted) != wanted)
		return false;
	return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT) != 0;
}

/* Returns true if AVX2 is usable. Caches the result, since CPUID takes a hundred cycles, a thousand
 * in a virtual machine. Avoids constructors and ifuncs, which fail with static executables,
 * sanitizers and some linkers, and function pointers in writable memory. Racing threads store the
 * same value. */
static inline bool use_avx2(void)
{
	enum { UNKNOWN, NO, YES };
	static _Atomic uint8_t answer;
	uint8_t known = atomic_load_explicit(&answer, memory_order_relaxed);
	if (known == UNKNOWN) {
		known = urivet_has_avx2() ? YES : NO;
		atomic_store_explicit(&answer, known, memory_order_relaxed);
	}
	return known == YES;
}
#define BEST(name, ...) (use_avx2() ? name##_avx2(__VA_ARGS__) : name##_sse2(__VA_ARGS__))
#elif URIVET_VECTORS == 1
#define BEST(name, ...) BASELINE(name)(__VA_ARGS__)
#endif

#if URIVET_VECTORS >= 1
uint32_t urivet_brief_by_vector(struct text t)
{
	return BEST(urivet_brief_by, t);
}

/* Same as urivet_escaped_kinds(). */
INLINED uint32_t escaped_kinds(struct text t, uint32_t at, struct windows *loud)
{
	uint32_t kinds = 0;
	for (uint32_t base = at - at % WINDOW; base < t.end; base += WINDOW) {
		uint32_t seen = WINDOW_UNREAD;
		if (t.end - base >= WINDOW_READ)
			seen = BEST(urivet_window_kinds_by, t, base, &at);
		if (seen == WINDOW_UNREAD)
			seen = urivet_window_kinds(t, at > base ? at - at % 8 : base, &at);
		kinds |= seen;
		see_window(loud, base, seen);
	}
	return kinds;
}

/* As urivet_see_escapes(), but by vectors, and where the other vectors need no stack any more. */
static COLD void see_escapes(struct text t, uint32_t at, struct tail *tail)
{
	const struct text path = until(t, tail->path_end), query = until(t, tail->query_end);
	if (tail->path & PERCENT)
		tail->escaped_path = escaped_kinds(path, at, &tail->loud);
	if (tail->query & PERCENT)
		tail->escaped = escaped_kinds(query, path.end, &tail->loud);
	tail->escaped |= tail->escaped_path;
}

bool urivet_plain_by_vector(struct text t, struct plain *p)
{
	const bool whole = BEST(urivet_plain_by, t, p);
	if (!whole && p->host > 0)
		see_escapes(t, p->path, &p->tail);
	return whole;
}

struct tail urivet_tail_by_vector(struct text t, uint32_t at)
{
	struct tail tail = BEST(urivet_tail_by, t, at);
	see_escapes(t, at, &tail);
	return tail;
}
#endif
