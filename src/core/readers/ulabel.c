/* SPDX-License-Identifier: Apache-2.0 */
/* Normalization Form C, one code point at a time: UAX 15, and Unicode, section 3.11. */
#include "readers/ulabel.h"

/* ---- Composition --------------------------------------------------------------- */

/* Hangul syllables: Unicode, section 3.12. */
enum {
	HANGUL_L = 0x1100,
	HANGUL_V = 0x1161,
	HANGUL_T = 0x11a7,
	HANGUL_S = 0xac00,
	L_COUNT = 19,
	V_COUNT = 21,
	T_COUNT = 28,
	S_COUNT = L_COUNT * V_COUNT * T_COUNT
};

/* Returns true if c is one of `count` code points from `first`. */
static bool is_of(uint32_t c, uint32_t first, uint32_t count)
{
	return c >= first && c - first < count;
}

/* Returns the syllable composed of L and V, or of LV and T; 0 if there is none. */
static uint32_t hangul_composite(uint32_t first, uint32_t second)
{
	if (is_of(first, HANGUL_L, L_COUNT) && is_of(second, HANGUL_V, V_COUNT))
		return HANGUL_S + ((first - HANGUL_L) * V_COUNT + (second - HANGUL_V)) * T_COUNT;
	if (is_of(first, HANGUL_S, S_COUNT) && (first - HANGUL_S) % T_COUNT == 0 &&
	    is_of(second, HANGUL_T + 1, T_COUNT - 1))
		return first + (second - HANGUL_T);
	return 0;
}

/* Maps the planes with composable code points to 16 bits; see uts46_tables.h. */
#define FOLDED_BY (0x11000u - 0xe000u)

static uint32_t folded(uint32_t c)
{
	return c >> 12 == 0x11 ? c - FOLDED_BY : c;
}

/* Returns the primary composite of two code points, or 0. */
static uint32_t composite(uint32_t first, uint32_t second)
{
	const uint64_t wanted = (uint64_t)folded(first) << 32 | folded(second);
	uint32_t low = 0, high = COMPOSITES;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		const struct composite *const row = &urivet_composites[middle];
		const uint64_t pair = (uint64_t)row->first << 32 | row->second;
		if (pair < wanted)
			low = middle + 1;
		else if (pair > wanted)
			high = middle;
		else
			return row->whole >> 12 == 0xe ? row->whole + FOLDED_BY : row->whole;
	}
	return hangul_composite(first, second);
}

/* ---- Marks after a starter --------------------------------------------------------- */

static unsigned ccc_at(const struct ulabel *l, uint32_t i)
{
	return urivet_uts46_class(ulabel_point(l, i))->ccc;
}

/* The Canonical Ordering Algorithm: a stable sort by combining class, from a copy behind the marks.
 * Time is linear, as there are only 55 classes. */
static void order_marks(struct ulabel *l)
{
	const uint32_t size = l->count - l->marks;
	uint32_t at = l->marks;
	unsigned ccc = 0;
	if (size < 2)
		return;
	for (uint32_t i = 0; i < size; i++)
		ulabel_set_point(l, l->count + i, ulabel_point(l, l->marks + i));
	while (at < l->count) {
		unsigned next = UINT8_MAX;
		for (uint32_t i = l->count; i < l->count + size; i++) {
			const unsigned of_this = ccc_at(l, i);
			if (of_this > ccc)
				next = of_this < next ? of_this : next;
			else if (of_this == ccc)
				ulabel_set_point(l, at++, ulabel_point(l, i));
		}
		ccc = next;
	}
}

/* Composes c with the last starter. Returns false if they have no composite. */
static bool joins_starter(struct ulabel *l, uint32_t c)
{
	uint32_t whole;
	if (l->marks == 0)
		return false;
	whole = composite(ulabel_point(l, l->marks - 1), c);
	if (whole == 0)
		return false;
	ulabel_set_point(l, l->marks - 1, whole);
	return true;
}

/* The Canonical Composition Algorithm for marks: each composes with its starter unless a kept mark
 * of the same or a higher class is between them. */
static void compose_marks(struct ulabel *l)
{
	uint32_t kept = l->marks;
	unsigned last = 0;
	for (uint32_t i = l->marks; i < l->count; i++) {
		const uint32_t c = ulabel_point(l, i);
		const unsigned ccc = ccc_at(l, i);
		if (last < ccc && joins_starter(l, c))
			continue;
		ulabel_set_point(l, kept++, c);
		last = ccc;
	}
	l->count = kept;
}

void urivet_ulabel_close(struct ulabel *l)
{
	order_marks(l);
	compose_marks(l);
}

/* ---- Adding --------------------------------------------------------------------------- */

/* Adds a starter, which may compose with the starter directly before it. */
static void add_starter(struct ulabel *l, uint32_t c)
{
	urivet_ulabel_close(l);
	if (l->count == l->marks && joins_starter(l, c))
		return;
	ulabel_set_point(l, l->count, c);
	l->marks = ++l->count;
}

/* Adds the decomposition of Hangul syllable number s. */
static void add_syllable(struct ulabel *l, uint32_t s)
{
	add_starter(l, HANGUL_L + s / (V_COUNT * T_COUNT));
	add_starter(l, HANGUL_V + s / T_COUNT % V_COUNT);
	if (s % T_COUNT > 0)
		add_starter(l, HANGUL_T + s % T_COUNT);
}

void urivet_ulabel_add(struct ulabel *l, uint32_t c)
{
	if (is_of(c, HANGUL_S, S_COUNT)) {
		add_syllable(l, c - HANGUL_S);
	} else if (urivet_uts46_class(c)->ccc == 0) {
		add_starter(l, c);
	} else {
		ulabel_set_point(l, l->count++, c);
	}
}
