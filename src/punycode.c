/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode: RFC 3492, sections 5 and 6. */
#include "punycode.h"

enum { BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, INITIAL_BIAS = 72, INITIAL_N = 128 };

#define MAX_POINT 0x10ffffu
/* No delta of a label that short comes near: what exceeds it is refused. */
#define MAX_DELTA (MAX_POINT * (PUNYCODE_POINTS + 1))

/* 6.1 */
static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
	uint32_t k = 0;
	delta = first ? delta / DAMP : delta / 2;
	delta += delta / points;
	while (delta > (BASE - TMIN) * TMAX / 2) {
		delta /= BASE - TMIN;
		k += BASE;
	}
	return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

static uint32_t threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias)
		return TMIN;
	return k >= bias + TMAX ? TMAX : k - bias;
}

/* The value of a digit, or BASE. */
static uint32_t basic_digit(unsigned c)
{
	c = lower(c);
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : BASE;
}

/* One generalised variable-length integer: where it ends, or `at` if there is
 * none or it is too big. */
static uint32_t decode_delta(struct text t, uint32_t at, uint32_t bias, uint32_t *delta)
{
	uint64_t value = 0, weight = 1;
	for (uint32_t k = BASE, i = at; i < t.end; k += BASE, i++) {
		const uint32_t digit = basic_digit(octet(t, i)), limit = threshold(k, bias);
		if (digit == BASE)
			return at;
		value += digit * weight;
		if (value > MAX_DELTA)
			return at;
		if (digit < limit) {
			*delta = (uint32_t)value;
			return i + 1;
		}
		weight *= BASE - limit;
		if (weight > MAX_DELTA)
			weight = (uint64_t)MAX_DELTA + 1; /* any digit but 0 is too much now */
	}
	return at;
}

/* The code points before the last hyphen stand for themselves. */
static uint32_t take_basic(struct text t, uint32_t at, struct code_points *points)
{
	uint32_t hyphen = at;
	points->count = 0;
	for (uint32_t i = at; i < t.end; i++)
		if (octet(t, i) == '-')
			hyphen = i;
	for (uint32_t i = at; i < hyphen && points->count < PUNYCODE_POINTS; i++)
		points->point[points->count++] = lower(octet(t, i));
	return hyphen > at || octet(t, at) == '-' ? hyphen + 1 : at;
}

static void insert(struct code_points *points, uint32_t at, uint32_t value)
{
	for (uint32_t k = points->count; k > at; k--)
		points->point[k] = points->point[k - 1];
	points->point[at] = value;
	points->count++;
}

bool urivet_punycode_decode(struct text t, uint32_t at, struct code_points *points)
{
	uint32_t n = INITIAL_N, bias = INITIAL_BIAS, i = 0;
	uint32_t next = take_basic(t, at, points);
	const uint32_t basic = points->count;
	while (next < t.end) {
		const uint32_t size = points->count + 1;
		uint32_t delta;
		const uint32_t end = decode_delta(t, next, bias, &delta);
		if (end == next || size > PUNYCODE_POINTS)
			return false;
		i += delta;
		bias = adapt(delta, size, points->count == basic);
		n += i / size;
		i %= size;
		if (n > MAX_POINT)
			return false;
		insert(points, i, n);
		i++;
		next = end;
	}
	return true;
}

static void put_digit(struct out *o, uint32_t digit)
{
	put(o, digit < 26 ? 'a' + digit : '0' + (digit - 26));
}

static void encode_delta(struct out *o, uint32_t delta, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		const uint32_t limit = threshold(k, bias);
		if (delta < limit) {
			put_digit(o, delta);
			return;
		}
		put_digit(o, limit + (delta - limit) % (BASE - limit));
		delta = (delta - limit) / (BASE - limit);
	}
}

/* The smallest code point that is n or above. */
static uint32_t next_point(const struct code_points *points, uint32_t n)
{
	uint32_t m = UINT32_MAX;
	for (uint32_t k = 0; k < points->count; k++)
		if (points->point[k] >= n && points->point[k] < m)
			m = points->point[k];
	return m;
}

static uint32_t put_basic(struct out *o, const struct code_points *points)
{
	uint32_t basic = 0;
	for (uint32_t k = 0; k < points->count; k++)
		if (points->point[k] < INITIAL_N) {
			put(o, points->point[k]);
			basic++;
		}
	if (basic > 0)
		put(o, '-');
	return basic;
}

void urivet_punycode_encode(struct out *o, const struct code_points *points)
{
	uint32_t n = INITIAL_N, delta = 0, bias = INITIAL_BIAS;
	const uint32_t basic = put_basic(o, points);
	uint32_t handled = basic;
	while (handled < points->count) {
		const uint32_t m = next_point(points, n);
		delta += (m - n) * (handled + 1);
		n = m;
		for (uint32_t k = 0; k < points->count; k++) {
			if (points->point[k] < n)
				delta++;
			if (points->point[k] != n)
				continue;
			encode_delta(o, delta, bias);
			bias = adapt(delta, handled + 1, handled == basic);
			delta = 0;
			handled++;
		}
		delta++;
		n++;
	}
}
