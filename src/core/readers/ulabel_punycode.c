/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode (RFC 3492) for long labels. Deltas count code points that were already handled. Their
 * positions are kept in a bit set, so that no list is searched for each delta. A code point is
 * stored with its position in four octets, the position in the low 11 bits. */
#include "readers/ulabel_punycode.h"

enum {
	PUNY_BASE = 36,
	PUNY_TMIN = 1,
	PUNY_TMAX = 26,
	PUNY_SKEW = 38,
	PUNY_DAMP = 700,
	PUNY_BIAS = 2 * PUNY_BASE,
	PUNY_N = 128
};

enum { PLACE_BITS = 11, PLACE_COUNT = 1 << PLACE_BITS };
#define LAST_POINT 0x10ffffu
/* Larger deltas exceed all code points. Adding a position to this one cannot overflow. */
#define DELTA_MOST (UINT32_MAX - PUNYCODE_DECODED_MOST)
#define NO_DELTA   UINT32_MAX

/* ---- Sets of positions ------------------------------------------------------------- */

struct place_set {
	uint32_t bits[PLACE_COUNT / 32];
};

static unsigned ones(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555u;
	bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
	return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

static bool has_place(const struct place_set *p, uint32_t i)
{
	return (p->bits[i / 32] >> i % 32 & 1) != 0;
}

static void add_place(struct place_set *p, uint32_t i)
{
	p->bits[i / 32] |= 1u << i % 32;
}

/* Returns the number of positions in the set below i. */
static uint32_t places_below(const struct place_set *p, uint32_t i)
{
	uint32_t n = ones(p->bits[i / 32] & ~(UINT32_MAX << i % 32));
	for (uint32_t k = 0; k < i / 32; k++)
		n += ones(p->bits[k]);
	return n;
}

/* Returns the position outside the set with n others outside the set before it. */
static uint32_t free_place(const struct place_set *p, uint32_t n)
{
	uint32_t k = 0, i;
	while (ones(~p->bits[k]) <= n)
		n -= ones(~p->bits[k++]);
	for (i = k * 32; has_place(p, i) || n > 0; i++)
		n -= !has_place(p, i);
	return i;
}

/* ---- Deltas -------------------------------------------------------------------------- */

/* RFC 3492, 6.1 */
static uint32_t adapt_bias(uint32_t delta, uint32_t points, bool first)
{
	uint32_t k = 0;
	delta = first ? delta / PUNY_DAMP : delta / 2;
	delta += delta / points;
	for (; delta > (PUNY_BASE - PUNY_TMIN) * PUNY_TMAX / 2; k += PUNY_BASE)
		delta /= PUNY_BASE - PUNY_TMIN;
	return k + (PUNY_BASE - PUNY_TMIN + 1) * delta / (delta + PUNY_SKEW);
}

static uint32_t digit_limit(uint32_t k, uint32_t bias)
{
	if (k <= bias)
		return PUNY_TMIN;
	return k >= bias + PUNY_TMAX ? PUNY_TMAX : k - bias;
}

static void put_delta(struct out *o, uint32_t delta, uint32_t bias)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	uint32_t limit = digit_limit(PUNY_BASE, bias);
	for (uint32_t k = 2 * PUNY_BASE; delta >= limit; k += PUNY_BASE) {
		const uint32_t rest = delta - limit;
		put(o, (unsigned char)digits[limit + rest % (PUNY_BASE - limit)]);
		delta = rest / (PUNY_BASE - limit);
		limit = digit_limit(k, bias);
	}
	put(o, (unsigned char)digits[delta]);
}

/* Returns the value of a digit, or PUNY_BASE. */
static uint32_t puny_digit(unsigned c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : PUNY_BASE;
}

/* Returns the delta at *at and advances *at. Returns NO_DELTA if there is none or it is too
 * large. */
static uint32_t take_delta(struct text t, uint32_t *at, uint32_t bias)
{
	uint64_t value = 0, weight = 1;
	for (uint32_t k = PUNY_BASE;; k += PUNY_BASE) { /* stops at the end, which is no digit */
		const uint32_t digit = puny_digit(octet(t, (*at)++)), limit = digit_limit(k, bias);
		value += digit * weight;
		if (digit == PUNY_BASE || value > DELTA_MOST)
			return NO_DELTA;
		if (digit < limit)
			return (uint32_t)value;
		weight *= PUNY_BASE - limit; /* at most 35 times the value, so it cannot overflow */
	}
}

/* ---- Encoding ---------------------------------------------------------------------------- */

static uint32_t with_place(uint32_t c, uint32_t place)
{
	return c << PLACE_BITS | place;
}

static uint32_t sorted_at(const struct ulabel *l, uint32_t i)
{
	return ulabel_number(l, i, 4);
}

/* Moves element i down in the min-heap of the first `count` numbers. */
static void sift(struct ulabel *l, uint32_t i, uint32_t count)
{
	const uint32_t sinking = sorted_at(l, i);
	for (uint32_t below; (below = 2 * i + 1) < count; i = below) {
		if (below + 1 < count && sorted_at(l, below + 1) < sorted_at(l, below))
			below++;
		if (sorted_at(l, below) > sinking)
			break;
		ulabel_set_number(l, i, 4, sorted_at(l, below));
	}
	ulabel_set_number(l, i, 4, sinking);
}

/* Heap sort in descending order. The smallest comes last, where the output of the encoder may
 * overwrite it. */
static void sort_down(struct ulabel *l, uint32_t count)
{
	for (uint32_t i = count; i > 0; i--)
		sift(l, i - 1, count);
	for (uint32_t i = count; i > 0;) {
		const uint32_t least = sorted_at(l, 0);
		i--;
		ulabel_set_number(l, 0, 4, sorted_at(l, i));
		ulabel_set_number(l, i, 4, least);
		sift(l, 0, i);
	}
}

/* Writes the ASCII characters and records their positions; moves the others to the beginning.
 * Returns the number of the others. */
static uint32_t put_ascii(struct ulabel *l, struct out *o, struct place_set *handled)
{
	uint32_t others = 0;
	for (uint32_t i = 0; i < l->count; i++) {
		const uint32_t c = ulabel_point(l, i);
		if (c < PUNY_N) {
			put(o, c);
			add_place(handled, i);
		} else {
			ulabel_set_point(l, others++, c);
		}
	}
	if (others < l->count)
		put(o, '-');
	return others;
}

/* Adds the positions to the `others` code points at the beginning. */
static void add_places(struct ulabel *l, uint32_t others, const struct place_set *handled)
{
	uint32_t place = l->count;
	while (others > 0) {
		others--;
		do
			place--;
		while (has_place(handled, place));
		ulabel_set_number(l, others, 4, with_place(ulabel_point(l, others), place));
	}
}

static bool may_be_encoded(const struct ulabel *l)
{
	uint32_t units = 0;
	for (uint32_t i = 0; i < l->count; i++)
		units += ulabel_point(l, i) > 0xffff ? 2 : 1;
	return units <= PUNYCODE_ENCODED_MOST;
}

bool urivet_ulabel_encode(struct ulabel *l, struct out *o)
{
	struct place_set handled = {{0}};
	uint32_t n = PUNY_N, bias = PUNY_BIAS, done, basic, before = 0;
	if (!may_be_encoded(l))
		return false;
	done = put_ascii(l, o, &handled);
	add_places(l, done, &handled);
	sort_down(l, done);
	basic = l->count - done;
	for (uint32_t i = done; i > 0; i--) {
		const uint32_t next = sorted_at(l, i - 1);
		const uint32_t c = next >> PLACE_BITS, place = next % PLACE_COUNT;
		const uint32_t below = places_below(&handled, place);
		const uint32_t handled_count = l->count - i;
		/* each value from n counts all positions where a code point can be inserted */
		const uint32_t delta = (c - n) * (handled_count + 1) + below - before;
		put_delta(o, delta, bias);
		bias = adapt_bias(delta, handled_count + 1, handled_count == basic);
		add_place(&handled, place);
		n = c;
		before = below + 1;
	}
	return true;
}

/* ---- Decoding ------------------------------------------------------------------------------ */

/* Reads the octets before the last hyphen, which are literal. Returns the offset after it, or
 * `at`. */
static uint32_t take_ascii(struct ulabel *l, struct text t, uint32_t at)
{
	uint32_t hyphen = at;
	for (uint32_t i = at; i < t.end; i++)
		if (octet(t, i) == '-')
			hyphen = i;
	for (uint32_t i = at; i < hyphen; i++, l->count++)
		ulabel_set_number(l, l->count, 4, with_place(octet(t, i), l->count));
	return hyphen > at ? hyphen + 1 : at;
}

/* Computes the final position of each code point. So far, each has its position among those decoded
 * before it. Going backwards from the last, its final position is the one with that many free
 * positions before it. */
static void find_places(struct ulabel *l)
{
	struct place_set taken = {{0}};
	for (uint32_t i = l->count; i > 0;) {
		const uint32_t one = sorted_at(l, --i);
		const uint32_t place = free_place(&taken, one % PLACE_COUNT);
		add_place(&taken, place);
		ulabel_set_number(l, i, 4, with_place(one >> PLACE_BITS, place));
	}
}

/* Moves each code point to its position, following the cycles of the permutation, and stores them
 * in three octets each. */
static void move_to_places(struct ulabel *l)
{
	for (uint32_t i = 0; i < l->count; i++) {
		uint32_t one = sorted_at(l, i);
		while (one % PLACE_COUNT != i) {
			const uint32_t other = sorted_at(l, one % PLACE_COUNT);
			ulabel_set_number(l, one % PLACE_COUNT, 4, one);
			one = other;
		}
		ulabel_set_point(l, i, one >> PLACE_BITS);
	}
}

bool urivet_ulabel_decode(struct ulabel *l, struct text t, uint32_t at)
{
	uint32_t n = PUNY_N, bias = PUNY_BIAS, i = 0, basic;
	if (t.end - at > PUNYCODE_DECODED_MOST)
		return false;
	at = take_ascii(l, t, at);
	basic = l->count;
	while (at < t.end) {
		const uint32_t size = l->count + 1;
		uint32_t delta = take_delta(t, &at, bias);
		if (delta == NO_DELTA)
			return false;
		bias = adapt_bias(delta, size, l->count == basic);
		delta += i;
		n += delta / size;
		i = delta % size;
		if (n > LAST_POINT)
			return false;
		ulabel_set_number(l, l->count++, 4, with_place(n, i++));
	}
	find_places(l);
	move_to_places(l);
	return true;
}
