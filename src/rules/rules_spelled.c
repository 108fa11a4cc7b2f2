/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that a name spells. An IPv4 address in decimal digits is judged in any name; in
 * hexadecimal digits, and IPv6, below the domains that known_names.def says spell addresses. What
 * stands before such a domain is cut into pieces by dots and hyphens, and each piece must be part
 * of an address or a word: what nobody here can read, the domain's server may.
 */
#include "rules/rules.h"
#include "uri/ip.h"

#define SEPARATOR (DOT | HYPHEN)

/* ---- Reading ------------------------------------------------------------------------ */

/* Does a piece end at `at`? */
/*@ requires readable(t);
    assigns \nothing; */
static bool ends_piece(struct text t, uint32_t at)
{
	return at >= t.end || is(t, at, SEPARATOR);
}

/* Reads four numbers below 256, each separated from the next by one of `separators`: where they
 * end, or 0. */
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

/* Reads eight hexadecimal digits up to the end of a piece: where they end, or 0. */
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

/* Pieces of a label, one after another, that may be groups of an IPv6 address with hyphens for
 * colons: at most four hexadecimal digits each, or nothing. */
struct groups {
	uint32_t last; /* where the last piece begins */
	uint32_t end;
	uint32_t count;
};

/* The most of them from `at` on. */
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

/* ---- Judging ------------------------------------------------------------------------ */

/* Notes an address of 4 or 16 octets that is spelled at `where`, and judges it. */
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

/* Numbers below 256 in a row, each parted from the next by one separator. */
struct number_row {
	uint32_t count;
	uint32_t next;   /* where another would begin */
	uint32_t values; /* of the last four, an octet each */
	uint32_t sizes;  /* how many digits these have, likewise */
};

/* The last four with one more. */
/*@ requires octet <= 255;
    assigns \nothing; */
static inline uint32_t append_octet(uint32_t four, uint32_t octet)
{
	return four % 0x1000000 * 256 + octet;
}

/* The row with the run of digits up to `end`, or one that begins there. */
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

/* Judges the last four numbers, which end at `end`. */
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

/* Every address in the name that begins a run of digits, also those that overlap. */
void urivet_rules_spelled(struct subject *s, struct text t, uint32_t at, bool allowed)
{
	struct number_row row = {0};
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

/* The same for eight hexadecimal digits. */
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

/* Is all of t from `at` on an IPv6 address with hyphens for colons? Then it is judged. */
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

/* Judges the IPv6 address that the groups from `at` on are, and the one that ends in an IPv4
 * address with dots, whose first number is the last group: where the longer one ends, or 0. */
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

/* ---- What is left ------------------------------------------------------------------- */

/* Where the IPv4 address ends that begins at `at`, or 0. It is parted by dots or by hyphens; no
 * server reads one that has both, though it is judged as well. */
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

/* Has the piece a letter that is no hexadecimal digit? */
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

/* A word begins with a letter and has one that is no hexadecimal digit, or is a label of letters.
 * `whole`: the piece is a label. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_plain_word(struct text t, uint32_t at, bool whole)
{
	return is(t, at, ALPHA) &&
	       (has_other_letter(t, at) || (whole && skip(t, at, ALPHA) == t.end));
}

/* Those that 1u.ms reads: anything else between them may be the name of another host. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_keyword(struct text t, uint32_t at)
{
	return is_word(t, at, "make") || is_word(t, at, "and") || is_word(t, at, "rebind") ||
	       is_word(t, at, "rr");
}

/* Is the piece from `at` to `end` one that says nothing of an address? */
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

/* `covered`: pieces that begin before this offset are part of an address, each of one alone, and
 * `read` the same for groups that were read. Groups enough for an IPv6 address that are none are
 * accounted for by nothing: some server may read an address from a part of them. */
bool urivet_rules_spelled_below(struct subject *s, struct text t, uint32_t at, enum words words,
				bool allowed)
{
	uint32_t covered = at, read = at;
	bool any = false, known = true, begins_label = true;
	judge_hex_spellings(s, t, at, allowed);
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre);
	    loop invariant at <= t.end + 1;
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
