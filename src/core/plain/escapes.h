/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads escapes by vectors: what the "%" in a window of 64 octets begin, as urivet_window_kinds()
 * says it octet by octet. All triplets are decoded, then characters are recognised by comparing
 * each octet with the next two. There are no branches that depend on single escapes.
 *
 * This is a template, as masks.h, which is included before. The file for an instruction set also
 * defines LANES, the octets of a vector of the compiler, and the functions that the template only
 * declares.
 */
#include "text/utf8.h"

/* clang-format off */
#define OCTETS          ISA(octets)
#define SIGNED          ISA(signed_octets)
#define PAIRS           ISA(pairs)
#define octets_at       ISA(octets_at)
#define signs_of        ISA(signs_of)
#define lanes_all       ISA(lanes_all)
#define lanes_equal     ISA(lanes_equal)
#define lanes_among     ISA(lanes_among)
#define lanes_below     ISA(lanes_below)
#define digit_at        ISA(digit_at)
#define decoded_at      ISA(decoded_at)
#define percent_at      ISA(percent_at)
#define quiet_ascii     ISA(quiet_ascii)
#define kinds_of_ascii  ISA(kinds_of_ascii)
#define see_ascii       ISA(see_ascii)
#define see_characters  ISA(see_characters)
#define loaded_at       ISA(loaded_at)
#define quiet_leads     ISA(quiet_leads)
#define triplets_of     ISA(triplets_of)
#define last_end        ISA(last_end)
#define see_octets      ISA(see_octets)
#define kinds_of_window ISA(kinds_of_window)
/* clang-format on */

typedef uint8_t OCTETS __attribute__((vector_size(LANES)));
typedef int8_t SIGNED __attribute__((vector_size(LANES)));
typedef uint16_t PAIRS __attribute__((vector_size(LANES)));

/* Returns a bit for each octet: its highest. */
RULE uint64_t signs_of(OCTETS v);

RULE OCTETS octets_at(struct text t, uint32_t at)
{
	OCTETS v;
	memcpy(&v, t.data + at, sizeof v);
	return v;
}

/* Returns a vector of equal octets. */
RULE OCTETS lanes_all(uint8_t c);

/* Each of the following returns 0xFF for an octet of which it is true, 0 for others. */
RULE OCTETS lanes_equal(OCTETS v, uint8_t c)
{
	return (OCTETS)(v == lanes_all(c));
}

RULE OCTETS lanes_among(OCTETS v, uint8_t first, uint8_t last)
{
	return (OCTETS)(v - lanes_all(first) <= lanes_all((uint8_t)(last - first)));
}

/* The order is that of signed octets: 0x80 is the least. */
RULE OCTETS lanes_below(OCTETS v, uint8_t c)
{
	return (OCTETS)((SIGNED)v < (SIGNED)lanes_all(c));
}

/* Returns the values of hexadecimal digits in upper case. Clears the lanes of *valid of others. */
RULE OCTETS digit_at(struct text t, uint32_t at, OCTETS *valid)
{
	const OCTETS v = octets_at(t, at), letter = lanes_among(v, 'A', 'F');
	*valid &= lanes_among(v, '0', '9') | letter;
	return v - lanes_all('0') - (letter & lanes_all(7));
}

/* Returns what triplets at each octet encode, if their digits are in upper case; 0 for others.
 * `percent`: 0xFF where a "%" is. */
RULE OCTETS decoded_at(struct text t, uint32_t at, OCTETS percent)
{
	const OCTETS high = digit_at(t, at + 1, &percent) & lanes_all(15);
	return ((OCTETS)((PAIRS)high << 4) | digit_at(t, at + 2, &percent)) & percent;
}

RULE OCTETS percent_at(struct text t, uint32_t at)
{
	return lanes_equal(octets_at(t, at), '%');
}

/* Returns the octets that no rule reports: 20 22 3C 3E 40 60, 5B 5D 7B 7D, 5E 7C. */
RULE OCTETS quiet_ascii(OCTETS v)
{
	const OCTETS lower = v | lanes_all(0x20), even = v | lanes_all(2);
	return lanes_equal(even, 0x22) | lanes_equal(even, 0x3e) | lanes_equal(lower, 0x60) |
	       lanes_equal(lower, 0x7b) | lanes_equal(lower, 0x7d) | lanes_equal(v, 0x5e) |
	       lanes_equal(v, 0x7c);
}

/* What the triplets of a window encode, and those of the octets after it: see decoded_at(). */
struct ISA(values) {
	uint8_t of[64 + 16];
};

/* What the "%" of a window begin: a bit for each octet. */
struct ISA(escapes) {
	uint64_t others; /* ASCII that a rule may report, or no triplet in upper case */
	uint64_t space, space_end, high;
	uint64_t two, three, loud; /* first octets of characters */
};

/* Decodes the triplets from `at` on, which is octet k of the window, and sees those of ASCII. This
 * and see_characters() are not inlined, because constants of loops would be kept on the stack. */
TARGET static COLD void see_ascii(struct text t, uint32_t at, unsigned k,
				  struct ISA(values) *values, struct ISA(escapes) *e)
{
	const OCTETS percent = percent_at(t, at), v = decoded_at(t, at, percent);
	const OCTETS space = lanes_equal(v, ' ');
	const OCTETS parted = lanes_equal(octets_at(t, at + 3) | lanes_all(0x10), '?'); /* or "/" */
	memcpy(values->of + k, &v, sizeof v);
	e->others |= signs_of(percent & ~quiet_ascii(v) & ~v) << k;
	e->high |= signs_of(v) << k;
	e->space |= signs_of(space) << k;
	e->space_end |= signs_of(space & parted) << k;
}

RULE OCTETS loaded_at(const struct ISA(values) *values, unsigned k)
{
	OCTETS v;
	memcpy(&v, values->of + k, sizeof v);
	return v;
}

/* Sees characters of two octets, U+00C0-00FF and U+0380-07FF without 0600-061F, and of three,
 * U+0800-0FFF, 3000-30FF, 4000-9FFF and A800-D7FF. Loud ones become NUL or a line end when cut to
 * their last octet. */
TARGET static COLD void see_characters(const struct ISA(values) *values, unsigned k,
				       struct ISA(escapes) *e)
{
	const OCTETS a = loaded_at(values, k), b = loaded_at(values, k + 3),
		     c = loaded_at(values, k + 6);
	const OCTETS late = lanes_equal(a, 0xe0) | lanes_equal(a, 0xea);
	const OCTETS fit = lanes_below(b, 0xc0) &
			   ~((late | lanes_equal(a, 0xd8)) & lanes_below(b, 0xa0)) &
			   ~(lanes_equal(a, 0xed) & ~lanes_below(b, 0xa0)) &
			   ~(lanes_equal(a, 0xe3) & ~lanes_below(b, 0x84));
	const OCTETS two =
	    (lanes_equal(a, 0xc3) | (lanes_below(a, 0xe0) & ~lanes_below(a, 0xce))) & fit;
	const OCTETS three = (late | (lanes_below(a, 0xee) & ~lanes_below(a, 0xe3))) &
			     lanes_below(c, 0xc0) & fit;
	const OCTETS high = (a & two) | (b & three), low = (b & two) | (c & three);
	const OCTETS cut = lanes_equal(low, 0x80) | lanes_equal(low, 0x8a) | lanes_equal(low, 0x8d);
	e->two |= signs_of(two) << k;
	e->three |= signs_of(three) << k;
	e->loud |= signs_of(lanes_equal(high & lanes_all(3), 0) & cut) << k;
}

/* Sees the characters among the bits of `from`. Returns the first octets of quiet ones. */
RULE uint64_t quiet_leads(const struct ISA(values) *values, uint64_t from, struct ISA(escapes) *e)
{
	for (unsigned k = 0; k < 64; k += (unsigned)LANES)
		see_characters(values, k, e);
	e->two &= from;
	e->three &= from;
	return (e->two | e->three) & ~e->loud;
}

/* Returns all triplets of the characters with these first octets. */
RULE uint64_t triplets_of(uint64_t firsts, uint64_t three)
{
	return firsts | firsts << 3 | (firsts & three) << 6;
}

/* Returns the end of the last of these characters in the window at `base`, or `at`. */
RULE uint32_t last_end(uint64_t firsts, uint64_t three, uint32_t base, uint32_t at)
{
	const uint32_t last = firsts != 0 ? 63 - (uint32_t)__builtin_clzll(firsts) : 0;
	return firsts == 0 ? at : base + last + ((three >> last & 1) != 0 ? 9 : 6);
}

/* Sees the "%" in the window at `base`. Returns the bits from `at` on. */
RULE uint64_t see_octets(struct text t, uint32_t base, uint32_t at, struct ISA(values) *values,
			 struct ISA(escapes) *e)
{
	const OCTETS beyond = decoded_at(t, base + 64, percent_at(t, base + 64));
	const uint64_t from = at > base ? bits_from(at - base) : ~UINT64_C(0);
	for (unsigned k = 0; k < 64; k += (unsigned)LANES)
		see_ascii(t, base + k, k, values, e);
	memcpy(values->of + 64, &beyond, 16);
	e->others &= from;
	e->high &= from;
	e->space &= from;
	e->space_end &= from;
	return from;
}

/* Returns the kinds of these escapes, of ASCII; 0 if one is no triplet with digits in upper case,
 * or NUL. */
RULE uint32_t kinds_of_ascii(const struct ISA(values) *values, uint64_t escapes)
{
	uint32_t kinds = 0;
	for (; escapes != 0; escapes &= escapes - 1) {
		const uint8_t value = values->of[lowest_bit(escapes)];
		if (value == 0)
			return 0;
		kinds |= urivet_kinds[value];
	}
	return kinds;
}

/* Returns what urivet_window_kinds() returns, or WINDOW_UNREAD. */
RULE uint32_t kinds_of_window(struct text t, uint32_t base, uint32_t *at)
{
	struct ISA(values) values;
	struct ISA(escapes) e = {0};
	const uint64_t from = see_octets(t, base, *at, &values, &e);
	const uint32_t ascii = kinds_of_ascii(&values, e.others);
	uint32_t kinds = (e.space != 0 ? SPACE : 0) | (e.space_end != 0 ? SPACE_END : 0);
	if (e.others != 0 && ascii == 0)
		return WINDOW_UNREAD;
	if (e.high != 0) {
		const uint64_t quiet = quiet_leads(&values, from, &e), firsts = e.two | e.three;
		if (e.high != triplets_of(firsts, e.three))
			return WINDOW_UNREAD;
		*at = last_end(quiet, e.three, base, *at);
		kinds |= HIGH | (quiet != firsts ? LOUD : 0);
	}
	return kinds | ascii;
}
