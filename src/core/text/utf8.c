/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 (RFC 3629) in percent-encoded text. */
#include "text/utf8.h"
#include "text/words.h"

#define LEADS 8

static const struct utf8_lead leads[LEADS] = {
    {1, 0x1f, 0x80, 0xbf}, {2, 0x0f, 0xa0, 0xbf}, {2, 0x0f, 0x80, 0xbf}, {2, 0x0f, 0x80, 0x9f},
    {2, 0x0f, 0x80, 0xbf}, {3, 0x07, 0x90, 0xbf}, {3, 0x07, 0x80, 0xbf}, {3, 0x07, 0x80, 0x8f},
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
	return (reported[code_point / 1024] >> code_point / 32 % 32 & 1) == 0 && low != 0 &&
	       low != '\n' && low != '\r';
}

/* Returns the six bits of the octet 0x80-0xBF that a triplet with upper-case digits encodes; 64 or
 * more for other octets. */
/*@ requires readable(t) && at + 3 <= t.end;
    assigns \nothing; */
static inline uint32_t continuation(struct text t, uint32_t at)
{
	const uint8_t *const octets = t.data + at;
	const uint32_t high = urivet_digits[octets[1]], low = urivet_digits[octets[2]];
	const uint32_t wrong = (uint32_t)(low >= LOWER_DIGIT) + (uint32_t)(octets[0] != '%');
	return ((high * 16 | low % 16) ^ 0x80) | wrong * 64;
}

/* Returns the end of the quiet character whose first octet, 0xC2-0xEF, the triplet at `at` encodes,
 * or `at`. */
/*@ requires readable(t) && at + 3 <= t.end && 0xc2 <= first <= 0xef;
    assigns \nothing;
    ensures \result == at || (at < \result <= t.end && \result <= at + 9); */
INLINED uint32_t quiet_end(struct text t, uint32_t at, unsigned first)
{
	const uint32_t end = first < 0xe0 ? at + 6 : at + 9;
	uint32_t next, code_point;
	if (end > t.end)
		return at;
	next = continuation(t, at + 3);
	code_point = first % 32 * 64 + next % 64;
	if (first >= 0xe0) {
		const uint32_t last = continuation(t, at + 6);
		next |= last;
		code_point = code_point % 1024 * 64 + last % 64;
		if (code_point < 0x800)
			return at;
	}
	return next < 64 && is_unreported(code_point) ? end : at;
}

/* Returns SPACE_END, two bits below SPACE, if a space whose escape ends at `at` may be the last
 * octet of a segment or of a component. There is no branch, since it could not be foreseen. */
/*@ requires readable(t);
    assigns \nothing; */
static inline uint32_t space_end(struct text t, uint32_t at, uint32_t kinds)
{
	const uint32_t after = (kind(t, at) & (SLASH | QUESTION | HASH)) | (uint32_t)(at == t.end);
	return (kinds & SPACE) >> (after != 0 ? 2 : 31);
}

/* Returns what the "%" at `at` begins. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH + WINDOW;
    assigns \nothing;
    ensures at < \result.next <= at + 9 && (at < t.end ==> \result.next <= t.end); */
INLINED struct escape read_escape(struct text t, uint32_t at)
{
	const unsigned value = read_triplet(t, at);
	uint32_t kinds;
	if (value == NO_TRIPLET)
		return (struct escape){PERCENT | LOUD, at + 1};
	kinds = urivet_kinds[value % LOWER_TRIPLET];
	if (value < 0x80)
		return (struct escape){(kinds & ~(uint32_t)QUIET_OCTETS) |
					   space_end(t, at + 3, kinds),
				       at + 3};
	if (value >= 0xc2 && value <= 0xef) {
		const uint32_t end = quiet_end(t, at, value);
		if (end > at)
			return (struct escape){HIGH, end};
	}
	return (struct escape){kinds | LOUD, at + 3};
}

struct escape urivet_escape(struct text t, uint32_t at)
{
	return read_escape(t, at);
}

/* Returns a bit for each octet of the word, which has none but their lowest bits. */
/*@ assigns \nothing; */
static inline uint8_t gathered(uint64_t word)
{
	word |= word >> 7;
	word |= word >> 14;
	return (uint8_t)(word | word >> 28);
}

/* Returns a bit for each "%" in the window that begins at `start`, the lowest for its first
 * octet. */
/*@ requires readable(t) && start <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static inline uint64_t percents_from(struct text t, uint32_t start)
{
	const struct text window = until(t, start - start % WINDOW + WINDOW);
	uint64_t percents = 0;
	uint32_t at = start;
#if LITTLE_ENDIAN_WORDS
	uint64_t word = 0;
	/*@ loop invariant start <= at <= start + WINDOW;
	    loop assigns at, percents, word;
	    loop variant start + WINDOW - at; */
	for (; load_8(window, at, &word); at += 8) {
		const uint64_t found = gathered(zeros(word ^ EACH_OCTET('%')) >> 7);
		percents = percents >> 8 | found * (UINT64_C(1) << 56);
	}
#endif
	/*@ loop invariant start <= at <= start + WINDOW;
	    loop assigns at, percents;
	    loop variant start + WINDOW - at; */
	for (; at < window.end; at++)
		percents = percents >> 1 | (octet(window, at) == '%' ? UINT64_C(1) << 63 : 0);
	return percents >> (WINDOW - (at - start)) % WINDOW;
}

uint32_t urivet_window_kinds(struct text t, uint32_t base, uint32_t *at)
{
	uint64_t percents = percents_from(t, base);
	uint32_t kinds = 0, next = *at;
	if (next > base) /* drops the bits before */
		percents &= UINT64_MAX - (UINT64_MAX >> (WINDOW - 1 - (next - base - 1) % WINDOW));
	/*@ loop invariant left <= WINDOW && next <= t.end + WINDOW + 9;
	    loop assigns percents, kinds, next, left;
	    loop variant left; */
	for (uint32_t left = WINDOW; percents != 0 && left > 0; left--) {
		const uint32_t percent = base + lowest_set_bit(percents);
		const struct escape escape = read_escape(t, percent);
		kinds |= escape.kinds;
		next = escape.next;
		percents &= percents - 1;
		/*@ loop invariant k <= percent + 12;
		    loop assigns k, percents;
		    loop variant next - k; */
		for (uint32_t k = percent + 3; k < next && percents != 0; k += 3)
			percents &= percents - 1;
	}
	*at = next;
	return kinds;
}

uint32_t urivet_escaped_kinds(struct text t, uint32_t at, struct windows *loud)
{
	uint32_t kinds = 0;
	/*@ loop invariant base <= t.end + WINDOW - 1;
	    loop invariant at <= t.end + WINDOW + 9;
	    loop assigns base, at, kinds, loud->half[0 .. 1];
	    loop variant t.end - base; */
	for (uint32_t base = at - at % 8; base < t.end; base += WINDOW - base % WINDOW) {
		const uint32_t seen = urivet_window_kinds(t, base, &at);
		kinds |= seen;
		see_window(loud, base, seen);
	}
	return kinds;
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
