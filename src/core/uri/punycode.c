/* SPDX-License-Identifier: Apache-2.0 */
/* Punycode: RFC 3492, sections 5 and 6. */
#include "uri/punycode.h"

enum { BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, INITIAL_BIAS = 72, INITIAL_N = 128 };

#define MAX_POINT 0x10ffffu
/* The largest accepted delta. Labels of up to PUNYCODE_POINTS points need smaller ones only. */
#define MAX_DELTA (MAX_POINT * (PUNYCODE_POINTS + 1))
/* An upper bound of the result of adapt(). */
#define MAX_BIAS MAX_DELTA

/* Adapts the bias (RFC 3492, 6.1). */
/*@ requires delta <= 2 * MAX_DELTA && points > 0;
    assigns \nothing;
    ensures \result <= MAX_BIAS; */
static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
	uint32_t k = 0;
	delta = first ? delta / DAMP : delta / 2;
	if (delta >= points)
		delta += delta / points;
	if (delta == 0)
		return 0; /* the same result as below, but faster */
	/*@ loop invariant delta <= 4 * MAX_DELTA && 10 * k <= 4 * MAX_DELTA - delta;
	    loop assigns delta, k;
	    loop variant delta; */
	while (delta > (BASE - TMIN) * TMAX / 2) {
		delta /= BASE - TMIN;
		k += BASE;
	}
	return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

/*@ requires bias <= MAX_BIAS;
    assigns \nothing;
    ensures TMIN <= \result <= TMAX; */
static uint32_t threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias)
		return TMIN;
	return k >= bias + TMAX ? TMAX : k - bias;
}

/* Returns the value of a digit, or BASE if it is not one. */
/*@ requires c <= AT_END;
    assigns \nothing;
    ensures \result <= BASE; */
static uint32_t basic_digit(unsigned c)
{
	c = lower(c);
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : BASE;
}

/* Decodes one generalised variable-length integer. Returns its end, or `at` if there is none or it
 * is too large. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(delta) && bias <= MAX_BIAS;
    assigns *delta;
    ensures at <= \result <= \max(at, t.end);
    ensures \result > at ==> *delta <= MAX_DELTA; */
static uint32_t decode_delta(struct text t, uint32_t at, uint32_t bias, uint32_t *delta)
{
	uint64_t value = 0, weight = 1;
	/* each digit except the last adds to the value */
	/*@ loop invariant at <= i <= \max(at, t.end) && BASE <= k <= BASE * (value + 1);
	    loop invariant value <= MAX_DELTA && 1 <= weight <= MAX_DELTA + 1;
	    loop assigns i, k, value, weight, *delta;
	    loop variant t.end - i; */
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
			weight = (uint64_t)MAX_DELTA + 1; /* every further digit except 0 is now
			                                   * too large */
	}
	return at;
}

/* Copies the basic code points before the last hyphen. Returns the offset after the hyphen. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(points);
    assigns *points;
    ensures at <= \result <= \max(at, t.end);
    ensures points->count <= PUNYCODE_POINTS; */
static uint32_t take_basic(struct text t, uint32_t at, struct code_points *points)
{
	uint32_t hyphen = at;
	points->count = 0;
	/*@ loop invariant at <= i && at <= hyphen;
	    loop invariant hyphen == at || hyphen < t.end;
	    loop assigns i, hyphen;
	    loop variant t.end - i; */
	for (uint32_t i = at; i < t.end; i++)
		if (octet(t, i) == '-')
			hyphen = i;
	/*@ loop invariant at <= i <= hyphen && points->count <= PUNYCODE_POINTS;
	    loop assigns i, points->count, points->point[0 .. PUNYCODE_POINTS - 1];
	    loop variant hyphen - i; */
	for (uint32_t i = at; i < hyphen && points->count < PUNYCODE_POINTS; i++)
		points->point[points->count++] = lower(octet(t, i));
	return hyphen > at || octet(t, at) == '-' ? hyphen + 1 : at;
}

bool urivet_punycode_decode(struct text t, uint32_t at, struct code_points *points,
			    uint8_t places[PUNYCODE_POINTS])
{
	uint32_t n = INITIAL_N, bias = INITIAL_BIAS, i = 0;
	uint32_t next = take_basic(t, at, points);
	const uint32_t basic = points->count;
	if (find(until(t, next), at, HIGH) < next)
		return false;
	/*@ loop invariant at <= next <= \max(at, t.end) && points->count <= PUNYCODE_POINTS;
	    loop invariant bias <= MAX_BIAS && n <= MAX_POINT && i <= points->count;
	    loop assigns next, bias, n, i, *points, places[0 .. PUNYCODE_POINTS - 1];
	    loop variant t.end - next; */
	while (next < t.end) {
		const uint32_t size = points->count + 1;
		uint32_t delta;
		const uint32_t end = decode_delta(t, next, bias, &delta);
		if (end == next || size > PUNYCODE_POINTS)
			return false;
		i += delta;
		bias = adapt(delta, size, points->count == basic);
		if (i >= size) {
			n += i / size;
			i %= size;
		}
		if (n > MAX_POINT)
			return false;
		places[points->count] = (uint8_t)i;
		points->point[points->count++] = n;
		i++;
		next = end;
	}
	return true;
}

/* Moves the point at index `last` to index `place`, shifting those between. */
/*@ requires \valid(point + (0 .. last)) && last < PUNYCODE_POINTS;
    assigns point[0 .. last]; */
static void move_point(uint32_t *point, uint32_t last, uint32_t place)
{
	const uint32_t moved = point[last];
	uint32_t k = last;
	/*@ loop invariant k <= last;
	    loop assigns k, point[0 .. last];
	    loop variant k; */
	for (; k > place; k--)
		point[k] = point[k - 1];
	point[k] = moved;
}

void urivet_punycode_order(struct code_points *points, const uint8_t places[PUNYCODE_POINTS])
{
	/*@ loop invariant k <= points->count;
	    loop assigns k, points->point[0 .. PUNYCODE_POINTS - 1];
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++)
		if (points->point[k] >= INITIAL_N) /* ASCII points are already in order */
			move_point(points->point, k, places[k]);
}

/*@ requires writable(o) && o->length < MAX_PUT && digit < BASE;
    assigns WRITTEN(o);
    ensures writable(o) && o->length == \old(o->length) + 1; */
static void put_digit(struct out *o, uint32_t digit)
{
	put(o, digit < 26 ? 'a' + digit : '0' + (digit - 26));
}

/*@ requires writable(o) && o->length + delta < MAX_PUT;
    requires delta <= MAX_DELTA && bias <= MAX_BIAS;
    assigns WRITTEN(o);
    ensures writable(o);
    ensures \old(o->length) <= o->length <= \old(o->length) + delta + 1; */
static void encode_delta(struct out *o, uint32_t delta, uint32_t bias)
{
	/* each digit except the last reduces the delta */
	/*@ loop invariant writable(o) && delta <= \at(delta, Pre);
	    loop invariant \at(o->length, Pre) <= o->length;
	    loop invariant o->length + delta <= \at(o->length, Pre) + \at(delta, Pre);
	    loop invariant BASE <= k && k / BASE + delta <= \at(delta, Pre) + 1;
	    loop assigns k, delta, WRITTEN(o);
	    loop variant delta; */
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

/* Returns the smallest code point that is at least n, or UINT32_MAX. */
/*@ requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    assigns \nothing;
    ensures n <= \result; */
static uint32_t next_point(const struct code_points *points, uint32_t n)
{
	uint32_t m = UINT32_MAX;
	/*@ loop invariant k <= points->count && n <= m;
	    loop assigns k, m;
	    loop variant points->count - k; */
	for (uint32_t k = 0; k < points->count; k++)
		if (points->point[k] >= n && points->point[k] < m)
			m = points->point[k];
	return m;
}

/*@ requires writable(o) && o->length + PUNYCODE_POINTS + 1 <= MAX_PUT;
    requires \valid_read(points) && points->count <= PUNYCODE_POINTS;
    requires \separated(points, o, o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \result <= points->count;
    ensures \old(o->length) <= o->length <= \old(o->length) + PUNYCODE_POINTS + 1; */
static uint32_t put_basic(struct out *o, const struct code_points *points)
{
	uint32_t basic = 0;
	/*@ loop invariant writable(o) && basic <= k <= points->count;
	    loop invariant \at(o->length, Pre) <= o->length <= \at(o->length, Pre) + k;
	    loop assigns k, basic, WRITTEN(o);
	    loop variant points->count - k; */
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
	uint32_t n = INITIAL_N, delta = 0, bias = INITIAL_BIAS, m;
	const uint32_t basic = put_basic(o, points);
	uint32_t handled = basic;
	/* each skipped n adds at most 65 to the delta, each digit except the last reduces it */
	/*@ loop invariant writable(o) && handled <= 2 * PUNYCODE_POINTS && bias <= MAX_BIAS;
	    loop invariant INITIAL_N <= n <= MAX_POINT + 1;
	    loop invariant \at(o->length, Pre) <= o->length;
	    loop invariant o->length - \at(o->length, Pre) + delta <=
	      (n - INITIAL_N) * 2 * (PUNYCODE_POINTS + 1) + PUNYCODE_POINTS + 1;
	    loop invariant delta <= (n - INITIAL_N) * (PUNYCODE_POINTS + 1);
	    loop assigns n, delta, bias, m, handled, WRITTEN(o);
	    loop variant MAX_POINT + 1 - n; */
	while (handled < points->count && (m = next_point(points, n)) <= MAX_POINT) {
		delta += (m - n) * (handled + 1);
		n = m;
		/*@ loop invariant writable(o) && k <= points->count && bias <= MAX_BIAS;
		    loop invariant handled <= \at(handled, LoopEntry) + k;
		    loop invariant \at(o->length, Pre) <= o->length;
		    loop invariant o->length + delta <=
		      \at(o->length, LoopEntry) + \at(delta, LoopEntry) + 2 * k;
		    loop invariant delta <= \at(delta, LoopEntry) + k;
		    loop assigns k, delta, bias, handled, WRITTEN(o);
		    loop variant points->count - k; */
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
