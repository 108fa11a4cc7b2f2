/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that a name spells. IPv4 in decimal digits is checked in any name. IPv4 in hexadecimal
 * digits and IPv6 are checked below domains that known_names.def marks as spelling addresses. The
 * labels before such a domain are split at dots and hyphens. Each part must belong to an address or
 * be a word: the remote name server may decode more spellings than we can.
 */
#include "rules/rules.h"
#include "uri/ip.h"

#define SEPARATOR (DOT | HYPHEN)

/* ---- Reading ------------------------------------------------------------------------ */

/* Returns true if a part ends at `at`. */
/*@ requires readable(t);
    assigns \nothing; */
static bool ends_piece(struct text t, uint32_t at)
{
	return at >= t.end || is(t, at, SEPARATOR);
}

/* Parses four numbers below 256, separated by one octet of `separators` each. Returns the end, or
 * 0. */
/*@ requires readable(t) && at <= t.end && \valid(ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3];
    ensures \result == 0 || at < \result <= t.end; */
static uint32_t read_decimal_ipv4(struct text t, uint32_t at, uint32_t separators, uint8_t ipv4[4])
{
	/*@ loop invariant k <= 4 && \at(at, Pre) <= at <= t.end;
	    loop invariant k > 0 ==> \at(at, Pre) < at;
	    loop assigns k, at, ipv4[0 .. 3];
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++) {
		const uint32_t end = skip(t, at, DIGIT);
		if (urivet_dec_octet(until(t, end), at, &ipv4[k]) == at)
			return 0;
		if (k < 3 && !is(t, end, separators))
			return 0;
		at = k < 3 ? end + 1 : end;
	}
	return at;
}

/* Parses exactly eight hexadecimal digits that end a part. Returns the end, or 0. */
/*@ requires readable(t) && at <= t.end && \valid(ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3];
    ensures \result == 0 || at < \result <= t.end; */
static uint32_t read_hex_ipv4(struct text t, uint32_t at, uint8_t ipv4[4])
{
	const uint32_t end = skip(t, at, HEXDIG);
	if (end != at + 8 || !ends_piece(t, end))
		return 0;
	/*@ loop invariant k <= 4;
	    loop assigns k, ipv4[0 .. 3];
	    loop variant 4 - k; */
	for (uint32_t k = 0; k < 4; k++)
		ipv4[k] = (uint8_t)(hex_value(octet(t, at + 2 * k)) * 16 +
				    hex_value(octet(t, at + 2 * k + 1)));
	return end;
}

/* Successive parts of a label that may be groups of an IPv6 address, with hyphens in place of
 * colons. Each has at most four hexadecimal digits, or is empty. */
struct groups {
	uint32_t last; /* offset of the last part */
	uint32_t end;
	uint32_t count;
};

/* Reads as many groups as possible from `at` on. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result.end <= t.end;
    ensures at <= \result.last <= \result.end;
    ensures \result.count <= \result.end - at + 1; */
static struct groups read_groups(struct text t, uint32_t at)
{
	struct groups g = {at, at, 0};
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop invariant \at(at, Pre) <= g.end <= t.end && \at(at, Pre) <= g.last <= g.end;
	    loop invariant g.count <= at - \at(at, Pre) && g.count <= g.end - \at(at, Pre) + 1;
	    loop assigns at, g;
	    loop variant t.end - at; */
	for (;;) {
		const uint32_t end = skip(t, at, HEXDIG);
		if (end - at > 4 || !ends_piece(t, end))
			return g;
		g.last = at;
		g.end = end;
		g.count++;
		if (octet(t, end) != '-')
			return g;
		at = end + 1;
	}
}

/* ---- Checking ---------------------------------------------------------------------- */

/* Reports an address of 4 or 16 octets that is spelled at `where`, and checks it. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static void judge_spelling(struct subject *s, const uint8_t *address, unsigned octets,
			   struct urivet_span where, bool allowed)
{
	add_in_host(s, URIVET_F_HOST_EMBEDS_IP, where.offset, span_end(where));
	if (allowed)
		urivet_rules_denied_spelling(s, address, octets, where);
	else if (octets == 16)
		urivet_rules_spelled_ipv6(s, address, where);
	else
		urivet_rules_spelled_ipv4(s, address, where);
}

/* A run of numbers below 256, each separated from the next by one separator. */
struct number_row {
	uint32_t count;
	uint32_t next;   /* offset where the next number must begin; 0: none can */
	uint32_t values; /* the last four numbers, one octet each */
	uint32_t sizes;  /* the digit counts of the last four, one octet each */
};

/* Shifts one octet into the last four. */
/*@ requires octet <= 255;
    assigns \nothing; */
static inline uint32_t append_octet(uint32_t four, uint32_t octet)
{
	return four % 0x1000000 * 256 + octet;
}

/* Returns the row extended by the digits up to `end`, or a new row if they do not continue it. */
/*@ requires readable(t) && at < end <= t.end && row.count <= at;
    assigns \nothing;
    ensures \result.count <= end; */
static inline struct number_row with_digits(struct number_row row, struct text t, uint32_t at,
					    uint32_t end)
{
	const uint32_t size = end - at;
	uint8_t value = 0;
	const bool number = size <= 3 && urivet_dec_octet(until(t, end), at, &value) > at;
	if (!number || at != row.next)
		row.count = 0;
	if (number) {
		row.values = append_octet(row.values, value);
		row.sizes = append_octet(row.sizes, size);
		row.count++;
	}
	row.next = is(t, end, SEPARATOR) ? end + 1 : 0;
	return row;
}

/* Checks the address in the last four numbers, which end at `end`. */
/*@ requires end <= URIVET_MAX_LENGTH; JUDGES_HOST(s); */
static void judge_row(struct subject *s, struct number_row row, uint32_t end, bool allowed)
{
	const uint32_t size = row.sizes / 0x1000000 + row.sizes / 0x10000 % 256 +
			      row.sizes / 256 % 256 + row.sizes % 256 + 3;
	uint8_t ipv4[4];
	/*@ loop invariant k <= 4;
	    loop assigns k, ipv4[0 .. 3];
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++)
		ipv4[k] = (uint8_t)(row.values >> (24 - 8 * k) & 255);
	judge_spelling(s, ipv4, 4, span(end > size ? end - size : 0, end), allowed);
}

/* Checks every four numbers in a row, so addresses may overlap. */
void urivet_rules_spelled(struct subject *s, struct text t, uint32_t at, bool allowed)
{
	struct number_row row = {0};
	t = until(t, urivet_judged_end(s));
	at = find(t, at, DIGIT);
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre);
	    loop invariant at < t.end ==> stands(t, at, DIGIT);
	    loop invariant row.count <= at;
	    loop assigns at, row, FOUND_IN(s, \at(s->report, Pre));
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t end = skip(t, at, DIGIT);
		row = with_digits(row, t, at, end);
		if (row.count >= 4)
			judge_row(s, row, end, allowed);
		at = find(t, end, DIGIT);
	}
}

/* Checks all addresses spelled as eight hexadecimal digits. */
/*@ requires readable(t) && t.end <= s->t.end; JUDGES_HOST(s); */
static void judge_hex_spellings(struct subject *s, struct text t, uint32_t at, bool allowed)
{
	uint8_t ipv4[4];
	at = find(t, at, HEXDIG);
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre);
	    loop invariant at < t.end ==> stands(t, at, HEXDIG);
	    loop assigns at, ipv4[0 .. 3], FOUND_IN(s, \at(s->report, Pre));
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t next = skip(t, at, HEXDIG);
		const uint32_t end = read_hex_ipv4(t, at, ipv4);
		if (end > 0)
			judge_spelling(s, ipv4, 4, span(at, end), allowed);
		at = find(t, next, HEXDIG);
	}
}

/* Checks t from `at` on if all of it is an IPv6 address with hyphens in place of colons. Returns
 * true if it is. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static bool judge_if_ipv6(struct subject *s, struct text t, uint32_t at, bool allowed)
{
	uint8_t address[16];
	bool dotted;
	if (!urivet_ipv6_parted_by('-', t, at, address, &dotted))
		return false;
	judge_spelling(s, address, 16, span(at, t.end), allowed);
	return true;
}

/* Checks two IPv6 readings of the groups from `at` on: the groups alone, and an address that ends
 * in dotted IPv4, whose first number is the last group. Returns the end of the longer one, or 0. */
/*@ requires readable(t) && t.end <= s->t.end;
    requires at <= g.last <= g.end <= t.end;
    JUDGES_HOST(s);
    ensures \result <= t.end; */
static uint32_t judge_groups(struct subject *s, struct text t, uint32_t at, struct groups g,
			     bool allowed)
{
	uint8_t ipv4[4];
	const uint32_t dotted = read_decimal_ipv4(t, g.last, DOT, ipv4);
	const bool plain = judge_if_ipv6(s, until(t, g.end), at, allowed);
	if (dotted > 0 && judge_if_ipv6(s, until(t, dotted), at, allowed) && ends_piece(t, dotted))
		return dotted;
	return plain ? g.end : 0;
}

/* ---- The remaining parts ----------------------------------------------------------- */

/* Returns the end of the IPv4 address at `at`, or 0. Its separators are all dots or all hyphens. No
 * server reads mixed ones, but urivet_rules_spelled() checks those too. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result <= t.end; */
static uint32_t ipv4_end(struct text t, uint32_t at)
{
	uint8_t ipv4[4];
	uint32_t end = read_decimal_ipv4(t, at, DOT, ipv4);
	if (end == 0)
		end = read_decimal_ipv4(t, at, HYPHEN, ipv4);
	return end > 0 && ends_piece(t, end) ? end : read_hex_ipv4(t, at, ipv4);
}

/* Returns true if the part has a letter that is not a hexadecimal digit. */
/*@ requires readable(t);
    assigns \nothing; */
static bool has_other_letter(struct text t, uint32_t at)
{
	/*@ loop invariant at <= \max(\at(at, Pre), t.end);
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && (!is(t, at, LOWER | UPPER) || is(t, at, HEXALPHA)))
		at++;
	return at < t.end;
}

/* Returns true for a word: it begins with a letter, and has one that is not a hexadecimal digit or
 * is a whole label of letters. `whole`: the part is a label. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_plain_word(struct text t, uint32_t at, bool whole)
{
	return is(t, at, ALPHA) &&
	       (has_other_letter(t, at) || (whole && skip(t, at, ALPHA) == t.end));
}

/* Returns true for the keywords of 1u.ms. Other words may be the name of another host there. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_keyword(struct text t, uint32_t at)
{
	return is_word(t, at, "make") || is_word(t, at, "and") || is_word(t, at, "rebind") ||
	       is_word(t, at, "rr");
}

/* Returns true if the part from `at` to `end` is a word that is not part of an address. */
/*@ requires readable(t) && at <= end <= t.end;
    assigns \nothing; */
static bool is_word_piece(struct text t, uint32_t at, uint32_t end, bool begins_label,
			  enum words words)
{
	const struct text piece = until(t, end);
	if (words == WORDS_ANY)
		return is_plain_word(piece, at, begins_label && octet(t, end) != '-');
	return words == WORDS_KEYWORDS && is_keyword(piece, at);
}

/* `covered`: parts that begin before this offset belong to one address. `read`: the same for groups
 * already read. Eight or more groups that are not an IPv6 address count as unexplained: some server
 * may read an address from a part of them. */
bool urivet_rules_spelled_below(struct subject *s, struct text t, uint32_t at, enum words words,
				bool allowed)
{
	uint32_t covered = at, read = at;
	bool any = false, known = true, begins_label = true;
	t = until(t, urivet_judged_end(s));
	judge_hex_spellings(s, t, at, allowed);
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre);
	    loop invariant at <= s->t.end + 1;
	    loop assigns at, covered, read, any, known, begins_label,
	                 FOUND_IN(s, \at(s->report, Pre));
	    loop variant t.end + 1 - at; */
	while (at <= t.end) {
		const uint32_t end = find(t, at, SEPARATOR);
		uint32_t reach = ipv4_end(t, at);
		if (at >= read) {
			const struct groups g = read_groups(t, at);
			const uint32_t ipv6 = judge_groups(s, t, at, g, allowed);
			known = known && (ipv6 > 0 || g.count < 8);
			reach = ipv6 > reach ? ipv6 : reach;
			read = g.end + 1;
		}
		any = any || reach > 0;
		if (reach > 0 && at >= covered)
			covered = reach + 1;
		if (at >= covered && !is_word_piece(t, at, end, begins_label, words))
			known = false;
		begins_label = octet(t, end) != '-';
		at = end + 1;
	}
	return any && known;
}
