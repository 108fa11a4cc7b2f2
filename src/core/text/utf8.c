/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 (RFC 3629) in percent-encoded text. */
#include "text/utf8.h"
#include "text/words.h"

#define LEADS 8

static const struct utf8_lead leads[LEADS] = {
    {0xc2, 0xdf, 1, 0x1f, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0x0f, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x0f, 0x80, 0xbf}, {0xed, 0xed, 2, 0x0f, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x0f, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x07, 0x90, 0xbf},
    {0xf1, 0xf3, 3, 0x07, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x07, 0x80, 0x8f},
};

/* The row in `leads` of each octet from 0xE0 on. */
static const uint8_t lead_row[] = {1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 4, 4, 5, 6, 6, 6, 7};

const struct utf8_lead *urivet_utf8_lead(unsigned octet)
{
	if (octet < 0xc2 || octet > 0xf4)
		return NULL;
	return &leads[octet < 0xe0 ? 0 : lead_row[octet - 0xe0] % LEADS];
}

/* Returns true for overlong sequences, which use more octets than needed: C0 and C1, E0 80-9F, F0
 * 80-8F. */
/*@ assigns \nothing; */
static bool is_overlong(unsigned first, unsigned second)
{
	return (second & 0xc0) == 0x80 &&
	       (first == 0xc0 || first == 0xc1 || (first == 0xe0 && second < 0xa0) ||
		(first == 0xf0 && second < 0x90));
}

/* Sets *u to an invalid sequence of one octet. */
/*@ requires \valid(u);
    assigns *u;
    ensures u->next == next && u->form == UTF8_INVALID; */
static inline void set_invalid(struct utf8 *u, uint32_t next)
{
	u->code_point = 0;
	u->next = next;
	u->octets = 1;
	u->form = UTF8_INVALID;
}

void urivet_utf8(struct text t, uint32_t at, bool escaped, struct utf8 *u)
{
	const struct unit first = decode(t, at);
	const struct utf8_lead *const lead = urivet_utf8_lead(first.value);
	struct unit next;
	uint32_t code_point;
	set_invalid(u, first.next);
	if (lead == NULL && (first.value & ~1u) != 0xc0)
		return;
	next = decode(t, first.next);
	if (lead == NULL || next.value < lead->low || next.value > lead->high ||
	    (escaped && !next.escaped)) {
		if (next.value < AT_END && is_overlong(first.value, next.value))
			u->form = UTF8_OVERLONG;
		return;
	}
	code_point = (uint8_t)(first.value & lead->bits) * 64u + next.value % 64;
	/*@ loop invariant more <= 3 && first.next <= next.next <= t.end;
	    loop invariant more == 3 ==> code_point <= 0x3fff;
	    loop invariant more == 2 ==> code_point <= 0xfffff;
	    loop invariant more == 1 ==> code_point <= 0x3ffffff;
	    loop assigns more, code_point, next;
	    loop variant more; */
	for (unsigned more = (lead->more + 3u) % 4; more > 0; more--) {
		next = decode(t, next.next);
		if (next.value > 0xbf || next.value < 0x80 || (escaped && !next.escaped))
			return;
		code_point = code_point * 64 + next.value % 64;
	}
	u->code_point = code_point;
	u->next = next.next;
	u->octets = (uint8_t)(lead->more + 1);
	u->form = UTF8_VALID;
}

/* ---- Escapes -------------------------------------------------------------------------------- */

/* The blocks of 32 code points that hold one which a rule reports as itself: ASCII and controls,
 * bidirectional and invisible characters, those whose compatibility form routes; and surrogates.
 * tests/core/unit/test_compatibility.c compares all with the rules. */
static const uint32_t reported[64] = {
    [0] = 0x0ca0ce3f, [1] = 0x00010000, [4] = 0x00000c00, [6] = 0x00000001,
    [7] = 0x00103e00, [8] = 0x00001f3b, [9] = 0x000000f8, [11] = 0x00000008,
    [12] = 0xfc640800, [41] = 0x80000000, [54] = 0xffffffff, [55] = 0xffffffff,
    [62] = 0x01000000, [63] = 0xa78f0000,
};

/* Returns true if no rule reports the code point. One that is cut to its last octet must not become
 * a line end or NUL. */
/*@ requires code_point <= 0xffff;
    assigns \nothing; */
static inline bool is_unreported(uint32_t code_point)
{
	const uint32_t low = code_point & 0xff;
	return (reported[code_point >> 10] >> (code_point >> 5 & 31) & 1) == 0 &&
	       (code_point <= 0xff || (low != 0 && low != '\n' && low != '\r'));
}

/* Reads eight upper-case hexadecimal digits: their values, one an octet. Returns false if an octet
 * is none. */
/*@ requires \valid(values);
    assigns *values; */
static inline bool read_digits(uint64_t word, uint64_t *values)
{
	const uint64_t letter = word >> 6 & EACH_OCTET(0x01);
	const uint64_t row = EACH_OCTET(0x30) + (letter << 4);
	const uint64_t value = (word & EACH_OCTET(0x0f)) + 9 * letter;
	const uint64_t above_9 = (value + EACH_OCTET(0x06)) >> 4 & EACH_OCTET(0x01);
	*values = value;
	return (((word & EACH_OCTET(0xf0)) ^ row) | (above_9 ^ letter) | (value & EACH_OCTET(0x10))) == 0;
}

/* Returns the code point of a character of two or three triplets with upper-case digits, or 0.
 * `word` has the eight octets after its first "%", as in "E4%B8%AD" or "C3%A9". */
/*@ assigns \nothing;
    ensures \result <= 0xffff; */
static inline uint32_t escaped_character(uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t percent = UINT64_C(0x0000ff0000ff0000), two = UINT64_C(0x000000ffffffffff);
	const bool three = (word & 0xff) == 'E';
	uint64_t v;
	uint32_t code_point;
	word ^= percent & EACH_OCTET('%' ^ '0');
	if (!three) /* whatever follows */
		word = (word & two) | (EACH_OCTET('0') & ~two);
	if (!read_digits(word, &v) || (v & percent) != 0 || (v >> 24 & 0x0c) != 8)
		return 0;
	code_point = (uint32_t)((v >> 24 & 3) << 4 | (v >> 32 & 15));
	if (!three)
		return (v & 14) == 12 ? (uint32_t)((v & 1) << 10 | (v >> 8 & 15) << 6) | code_point : 0;
	if ((v >> 48 & 0x0c) != 8)
		return 0;
	code_point = (uint32_t)((v >> 8 & 15) << 12) | code_point << 6 |
		     (uint32_t)((v >> 48 & 3) << 4 | (v >> 56 & 15));
	return code_point >= 0x800 ? code_point : 0;
#else
	(void)word;
	return 0;
#endif
}

/* Returns the end of the quiet character at `at`, or `at`. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing;
    ensures \result == at || at < \result <= t.end; */
static inline uint32_t quiet_end(struct text t, uint32_t at)
{
	uint64_t word;
	const uint32_t code_point = load_8(t, at + 1, &word) ? escaped_character(word) : 0;
	if (!is_unreported(code_point))
		return at;
	return code_point < 0x800 ? at + 6 : at + 9;
}

struct escape urivet_escape(struct text t, uint32_t at)
{
	const uint32_t end = octet(t, at + 1) < 'C' ? at : quiet_end(t, at);
	struct escape escape = {PERCENT | LOUD, at + 1};
	unsigned value;
	if (end > at)
		return (struct escape){HIGH, end};
	value = read_triplet(t, at);
	if (value == NO_TRIPLET)
		return escape;
	escape.next = at + 3;
	escape.kinds = urivet_kinds[value % LOWER_TRIPLET] | (value >= 0x80 ? LOUD : 0);
	if (value == ' ' && (at + 3 == t.end || is(t, at + 3, SLASH | QUESTION | HASH)))
		escape.kinds = SPACE | SPACE_END;
	return escape;
}

COLD uint32_t urivet_after_character(struct text t, uint32_t at)
{
	/*@ loop invariant at - 8 <= k <= at;
	    loop assigns k;
	    loop variant at - k; */
	for (uint32_t k = at - 8; k < at; k++) {
		const struct escape escape = urivet_escape(t, k);
		if (octet(t, k) == '%' && (escape.kinds & LOUD) == 0 && escape.next > at)
			return escape.next;
	}
	return at;
}
