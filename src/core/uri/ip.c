/* SPDX-License-Identifier: Apache-2.0 */
/* IP addresses: strict parsing, parsing as inet_aton(3) does, and formatting. */
#include "uri/ip.h"

/* dec-octet = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35 */
uint32_t urivet_dec_octet(struct text t, uint32_t at, uint8_t *value)
{
	unsigned v = 0;
	uint32_t i = at;
	/*@ loop invariant fills(t, at, i) && i <= at + 3;
	    loop invariant (i == at ==> v == 0) && (i == at + 1 ==> v <= 15);
	    loop invariant (i == at + 2 ==> v <= 165) && (i == at + 3 ==> v <= 1665);
	    loop invariant digits_stand ==> v == decimal(t.data, at, i) &&
	      (\forall integer k; at <= k < i ==> is_digit(t.data, k));
	    loop assigns i, v;
	    loop variant at + 3 - i; */
	while (is(t, i, DIGIT) && i - at < 3) {
		v = v * 10 + digit_value(octet(t, i));
		i++;
	}
	//@ assert digits_stand && at < t.end && i == at ==> !is_digit(t.data, at);
	//@ assert digits_stand && i < t.end && i < at + 3 ==> !is_digit(t.data, i);
	if (i == at || v > 255 || is(t, i, DIGIT) || (octet(t, at) == '0' && i - at > 1))
		return at;
	*value = (uint8_t)v;
	return i;
}

bool urivet_ipv4_address(struct text t, uint32_t at, uint8_t address[4])
{
	/*@ loop invariant 0 <= k <= 4 && at <= \max(\at(at, Pre), t.end) + 1;
	    loop invariant \at(at, Pre) + 2 * k <= at && (k > 0 ==> at <= t.end + 1);
	    loop assigns k, at, address[0 .. 3];
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++) {
		uint32_t next = urivet_dec_octet(t, at, &address[k]);
		if (next == at || octet(t, next) != (k < 3 ? '.' : AT_END))
			return false;
		at = next + 1;
	}
	return true;
}

/* Sets the base from the prefix, as inet_aton(3) and browsers do. Returns the offset of the
 * digits. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(n);
    assigns n->base;
    ensures fills(t, at, \result) && BASE_DECIMAL <= n->base <= BASE_HEXADECIMAL;
    ensures n->base == BASE_HEXADECIMAL ==> \result == at + 2; */
static uint32_t number_prefix(struct text t, uint32_t at, struct number *n)
{
	n->base = BASE_DECIMAL;
	if (octet(t, at) != '0')
		return at;
	if (lower(octet(t, at + 1)) == 'x') {
		n->base = BASE_HEXADECIMAL;
		return at + 2;
	}
	if (is(t, at + 1, DIGIT))
		n->base = BASE_OCTAL;
	return at;
}

struct number urivet_number(struct text t, uint32_t at)
{
	static const uint8_t radix[] = {0, 10, 8, 16};
	const uint64_t too_big = (uint64_t)1 << 32;
	struct number n = {0};
	uint32_t i = number_prefix(t, at, &n);
	const uint32_t digits = n.base == BASE_HEXADECIMAL ? HEXDIG : DIGIT;
	/*@ loop invariant fills(t, at, i) && n.value <= too_big;
	    loop assigns i, n.bad_digit, n.value;
	    loop variant t.end - i; */
	while (is(t, i, digits)) {
		unsigned d = hex_value(octet(t, i));
		n.bad_digit = n.bad_digit || d >= radix[n.base];
		n.value = n.value * radix[n.base] + d;
		if (n.value > too_big)
			n.value = too_big;
		i++;
	}
	n.small = i == at + 1 && octet(t, at) <= '7';
	n.next = i;
	if (i == at || (i < t.end && octet(t, i) != '.'))
		n.base = BASE_NONE;
	return n;
}

/* Adds one part to the number. *last is the previous part, which now counts as one octet of the
 * value because another part follows. */
/*@ requires \valid(d) && \valid_read(n) && \valid(base) && \valid(last);
    requires \separated(d, n, base, last) && d->parts < URIVET_MAX_LENGTH;
    assigns *d, *base, *last;
    ensures d->parts == \old(d->parts) + 1; */
static void take_part(struct dotted_number *d, const struct number *n, uint8_t *base,
		      uint64_t *last)
{
	d->octal = d->octal || n->base == BASE_OCTAL;
	d->hex = d->hex || n->base == BASE_HEXADECIMAL;
	if (!n->small) {
		d->mixed = d->mixed || (*base != BASE_NONE && *base != n->base);
		*base = n->base;
	}
	if (n->bad_digit)
		d->has_value = false;
	if (d->parts > 0 && *last > 255)
		d->overflow = true;
	if (d->parts > 0 && d->parts < 4)
		d->value |= (uint32_t)(*last % 256 * 0x1000000 >> 8 * (d->parts - 1));
	*last = n->value;
	d->parts++;
}

/* Adds the last part, which fills the rest of the 32 bits. */
/*@ requires \valid(d);
    assigns d->overflow, d->has_value, d->value; */
static void take_last_part(struct dotted_number *d, uint64_t last)
{
	if (d->parts >= 1 && d->parts <= 4 && last >> (8 * (5 - d->parts)) != 0)
		d->overflow = true;
	if (d->parts < 1 || d->parts > 4 || d->overflow || d->empty_part)
		d->has_value = false;
	else
		d->value |= (uint32_t)last;
}

struct dotted_number urivet_dotted_number(struct text t, uint32_t at)
{
	struct dotted_number d = {.has_value = true};
	uint8_t base = BASE_NONE, quad[4];
	uint64_t last = 0;
	if (urivet_ipv4_address(t, at, quad)) {
		d.numeric = true;
		d.canonical = true;
		d.parts = 4;
		d.value = urivet_ipv4_value(quad);
		return d;
	}
	/*@ loop invariant fills(t, \at(at, Pre), at) && d.parts <= at - \at(at, Pre);
	    loop assigns at, base, last, d;
	    loop variant t.end - at; */
	while (at < t.end) {
		if (octet(t, at) == '.') {
			d.empty_part = true;
		} else {
			const struct number n = urivet_number(t, at);
			if (n.base == BASE_NONE) {
				d.numeric = false;
				return d;
			}
			take_part(&d, &n, &base, &last);
			at = n.next;
		}
		d.trailing_dot = octet(t, at) == '.' && at + 1 == t.end;
		at += at < t.end;
	}
	d.numeric = d.parts > 0;
	take_last_part(&d, last);
	return d;
}

/* ---- IPv6 ---------------------------------------------------------------- */

/* Parses h16 = 1*4HEXDIG. Returns its end, or `at` if there is none. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(value);
    assigns *value;
    ensures fills(t, at, \result); */
static uint32_t h16(struct text t, uint32_t at, unsigned *value)
{
	uint32_t i = at;
	*value = 0;
	/*@ loop invariant fills(t, at, i) && i <= at + 4;
	    loop invariant (i == at ==> *value == 0) && (i == at + 1 ==> *value <= 0xf);
	    loop invariant (i == at + 2 ==> *value <= 0xff) && (i == at + 3 ==> *value <= 0xfff);
	    loop assigns i, *value;
	    loop variant at + 4 - i; */
	while (is(t, i, HEXDIG) && i - at < 4) {
		*value = *value * 16 + hex_value(octet(t, i));
		i++;
	}
	return is(t, i, HEXDIG) ? at : i;
}

/* Moves the groups after "::" to the end of the address. */
/*@ requires \valid(address + (0 .. 15)) && gap <= filled <= 14;
    assigns address[0 .. 15]; */
static void open_gap(uint8_t address[16], unsigned filled, unsigned gap)
{
	/*@ loop invariant 0 <= k <= filled - gap;
	    loop assigns k, address[0 .. 15];
	    loop variant filled - gap - k; */
	for (unsigned k = 0; k < filled - gap; k++) {
		address[15 - k] = address[filled - 1 - k];
		address[filled - 1 - k] = 0;
	}
}

/* Parses the separator of groups: ":", or once "::" for one or more zero groups. Returns the offset
 * of the next group, or `at` on errors. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(gap) && colon < AT_END;
    assigns *gap;
    ensures fills(t, at, \result);
    ensures *gap == \old(*gap) || *gap == filled; */
static uint32_t group_separator(unsigned colon, struct text t, uint32_t at, unsigned filled,
				unsigned *gap)
{
	if (octet(t, at) != colon)
		return at;
	if (octet(t, at + 1) != colon)
		return filled == 0 ? at : at + 1;
	if (*gap <= 16)
		return at;
	*gap = filled;
	return at + 2;
}

/*
 * IPv6address, all nine alternatives: groups of 16 bits, at most one "::" for one or more zero
 * groups; the last two groups may be a dotted quad.
 */
bool urivet_ipv6_parted_by(unsigned colon, struct text t, uint32_t at, uint8_t address[16],
			   bool *dotted)
{
	unsigned filled = 0, gap = 17; /* octets; 17: no "::" yet */
	/*@ loop invariant 0 <= k <= 16;
	    loop assigns k, address[0 .. 15];
	    loop variant 16 - k; */
	for (unsigned k = 0; k < 16; k++)
		address[k] = 0;
	*dotted = false;
	/*@ loop invariant fills(t, \at(at, Pre), at) && filled <= 16;
	    loop invariant gap <= filled || gap == 17;
	    loop assigns at, filled, gap, address[0 .. 15], *dotted;
	    loop variant t.end - at; */
	while (at < t.end && filled <= 14 && !*dotted) {
		unsigned value;
		if (filled > 0 || octet(t, at) == colon) {
			uint32_t next = group_separator(colon, t, at, filled, &gap);
			if (next == at)
				return false;
			if (next == t.end)
				break; /* ends in "::", or in a ":" which the last test rejects */
			at = next;
		}
		uint32_t next = h16(t, at, &value);
		if (octet(t, next) == '.' && filled <= 12 &&
		    urivet_ipv4_address(t, at, &address[filled])) {
			*dotted = true;
			filled += 4;
			at = t.end;
			continue;
		}
		if (next == at)
			return false;
		address[filled] = (uint8_t)(value >> 8);
		address[filled + 1] = (uint8_t)(value & 255);
		filled += 2;
		at = next;
	}
	/* `at` is the end of the last group or quad; a trailing "::" has set the gap */
	if (gap == 17)
		return filled == 16 && at == t.end;
	if (filled > 14 || (at != t.end && (gap != filled || at + 2 != t.end)))
		return false;
	open_gap(address, filled, gap);
	return true;
}

bool urivet_ipv6_address(struct text t, uint32_t at, uint8_t address[16], bool *dotted)
{
	return urivet_ipv6_parted_by(':', t, at, address, dotted);
}

/*@ requires k < 8 && \valid_read(address + (0 .. 15));
    assigns \nothing;
    ensures \result <= 0xffff; */
static unsigned group(const uint8_t address[16], unsigned k)
{
	return address[2 * k] * 256u + address[2 * k + 1];
}

/* Returns the start of the longest run of two or more zero groups, the first of equal ones, and
 * sets *length, in groups (RFC 5952, 4.2). Returns 8 if there is none. */
/*@ requires \valid_read(address + (0 .. 15)) && \valid(length);
    requires \separated(address + (0 .. 15), length);
    assigns *length;
    ensures 1 <= *length <= 8 && (\result == 8 || \result + *length <= 8); */
static unsigned zero_run(const uint8_t address[16], unsigned *length)
{
	unsigned best = 8, run = 0;
	*length = 1;
	/*@ loop invariant run <= k <= 8 && 1 <= *length <= 8;
	    loop invariant best == 8 || best + *length <= 8;
	    loop assigns k, run, best, *length;
	    loop variant 8 - k; */
	for (unsigned k = 0; k < 8; k++) {
		run = group(address, k) == 0 ? run + 1 : 0;
		if (run > *length) {
			*length = run;
			best = k + 1 - run;
		}
	}
	return best;
}

/*@ requires writable(o) && o->length + 4 <= MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 4; */
static void put_h16(struct out *o, unsigned value)
{
	static const char digits[] = "0123456789abcdef";
	bool started = false;
	/*@ loop invariant writable(o) && shift <= 16 && shift % 4 == 0;
	    loop invariant \at(o->length, Pre) <= o->length;
	    loop invariant 4 * (o->length - \at(o->length, Pre)) <= 16 - shift;
	    loop assigns shift, started, WRITTEN(o);
	    loop variant shift; */
	for (unsigned shift = 16; shift > 0; shift -= 4) {
		unsigned d = value >> (shift - 4) & 15;
		started = started || d != 0 || shift == 4;
		if (started)
			put(o, (unsigned char)digits[d]);
	}
}

void urivet_put_ipv6(struct out *o, const uint8_t address[16])
{
	unsigned length;
	const unsigned gap = zero_run(address, &length);
	/*@ loop invariant writable(o) && 0 <= k <= 8;
	    loop invariant \at(o->length, Pre) <= o->length <= \at(o->length, Pre) + 5 * k;
	    loop assigns k, WRITTEN(o);
	    loop variant 8 - k; */
	for (unsigned k = 0; k < 8; k++) {
		if (k == gap) {
			put_string(o, "::");
			k += length - 1;
			continue;
		}
		if (k > 0 && k != gap + length)
			put(o, ':');
		put_h16(o, group(address, k));
	}
}

/* Returns the offset after a group as put_h16() writes it, or `at`. */
/*@ requires readable(t) && at <= UINT32_MAX - 4;
    assigns \nothing;
    ensures at <= \result <= at + 4; */
static uint32_t after_h16(struct text t, uint32_t at, unsigned value)
{
	const uint32_t digits = 1u + (value > 0xf) + (value > 0xff) + (value > 0xfff);
	/*@ loop invariant k <= digits;
	    loop assigns k;
	    loop variant digits - k; */
	for (uint32_t k = 0; k < digits; k++)
		if (!is(t, at + k, HEXDIG) ||
		    hex_value(octet(t, at + k)) != (value >> 4 * (digits - 1 - k) & 15))
			return at;
	return at + digits;
}

bool urivet_ipv6_canonical(struct text t, uint32_t at, const uint8_t address[16])
{
	unsigned length;
	const unsigned gap = zero_run(address, &length);
	/*@ loop invariant k <= 8 && at <= \at(at, Pre) + 6 * k;
	    loop assigns k, at;
	    loop variant 8 - k; */
	for (unsigned k = 0; k < 8; k++) {
		const uint32_t colons = k == gap ? 2 : k > 0 && k != gap + length;
		const uint32_t start = at + colons;
		if ((colons > 0 && octet(t, at) != ':') || (colons > 1 && octet(t, at + 1) != ':'))
			return false;
		at = k == gap ? start : after_h16(t, start, group(address, k));
		if (k == gap)
			k += length - 1;
		else if (at == start)
			return false;
	}
	return at == t.end;
}

/*@ requires writable(o) && o->length + 3 <= MAX_PUT && value <= 255;
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) + 1 <= o->length <= \old(o->length) + 3; */
static void put_decimal(struct out *o, unsigned value)
{
	if (value >= 100)
		put(o, '0' + value / 100);
	if (value >= 10)
		put(o, '0' + value / 10 % 10);
	put(o, '0' + value % 10);
}

void urivet_put_ipv4(struct out *o, const uint8_t address[4])
{
	/*@ loop invariant writable(o) && 0 <= k <= 4;
	    loop invariant k == 0 ==> o->length == \at(o->length, Pre);
	    loop invariant k > 0 ==> \at(o->length, Pre) + 2 * k - 1 <= o->length;
	    loop invariant k > 0 ==> o->length <= \at(o->length, Pre) + 4 * k - 1;
	    loop assigns k, WRITTEN(o);
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++) {
		if (k > 0)
			put(o, '.');
		put_decimal(o, address[k]);
	}
}
