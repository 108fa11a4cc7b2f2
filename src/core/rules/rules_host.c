/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the host: names, and IPv4 addresses in unusual spellings. */
#include "uri/host.h"

#include "rules/rules.h"
#include "text/words.h"
#include "uri/ip.h"

/*@ ADDS_HOST_FINDINGS(s); */
static void add_bad_port(struct subject *s, uint32_t at, uint32_t end)
{
	urivet_add(s, URIVET_F_PORT_INVALID, URIVET_PORT, at, end);
}

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_HOST_FINDINGS(s); */
static void add_host(struct subject *s, enum urivet_id id)
{
	add_in_host(s, id, s->host.offset, span_end(s->host));
}

/*@ requires id < URIVET_FINDING_LIMIT && inside(where, URIVET_MAX_LENGTH);
    ADDS_HOST_FINDINGS(s); */
static void add_span(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	add_in_host(s, id, where.offset, span_end(where));
}

/* ---- Octets ---------------------------------------------------------------- */

/* Returns true for NUL and for octets that would be delimiters if they were raw. */
/*@ assigns \nothing; */
static bool is_host_delimiter(unsigned value)
{
	return value == '/' || value == '?' || value == '#' || value == '@' || value == ':' ||
	       value == '\\' || value == '%' || value == 0;
}

/* Reports triplets in the host. Some get an additional finding. */
/*@ ADDS_HOST_FINDINGS(s); */
static void host_triplets(struct subject *s)
{
	const struct text t = until(s->t, urivet_judged_end(s));
	uint32_t at = find_octet(t, s->host.offset, '%'), triplets = 0, delimiters = 0;
	/*@ loop invariant judging_host(s) && triplets <= at && delimiters <= triplets;
	    loop assigns at, triplets, delimiters, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct unit u = decode(t, at);
		if (u.escaped && triplets++ == 0)
			add_in_host(s, URIVET_F_HOST_PERCENT_ENCODED, at, u.next);
		//@ assert judging_host(s);
		if (u.escaped && is_host_delimiter(u.value) && delimiters++ == 0)
			add_in_host(s, URIVET_F_HOST_ENCODED_DELIMITER, at, u.next);
		//@ assert judging_host(s);
		at = octet(t, u.next) == '%' ? u.next : find_octet(t, u.next, '%');
	}
	if (triplets > 1)
		urivet_add_again(s, URIVET_F_HOST_PERCENT_ENCODED, triplets - 1);
	//@ assert judging_host(s);
	if (delimiters > 1)
		urivet_add_again(s, URIVET_F_HOST_ENCODED_DELIMITER, delimiters - 1);
}

/* Reports octets that the grammar of reg-name allows but the DNS does not. */
/*@ ADDS_HOST_FINDINGS(s); */
static void host_octets(struct subject *s)
{
	static const struct {
		uint32_t kinds;
		enum urivet_id id;
	} ids[] = {
	    {SUBDELIMS, URIVET_F_HOST_SUBDELIM},
	    {UNDERSCORE, URIVET_F_HOST_UNDERSCORE},
	    {TILDE, URIVET_F_HOST_NONLDH},
	};
	const uint32_t seen = s->seen.in[URIVET_HOST];
	/*@ loop invariant judging_host(s) && k <= 3;
	    loop assigns k, FOUND(s);
	    loop variant 3 - k; */
	for (unsigned k = 0; k < sizeof ids / sizeof ids[0]; k++)
		if (seen & ids[k].kinds)
			urivet_add_runs(s, (enum urivet_id)(ids[k].id % URIVET_FINDING_LIMIT),
					URIVET_HOST, ids[k].kinds);
	if (seen & PERCENT)
		host_triplets(s);
}

/*@ requires readable(t);
    assigns \nothing; */
static bool has_double_colon(struct text t, uint32_t at)
{
	at = find(t, at, COLON);
	/*@ loop invariant at <= \max(\at(at, Pre), t.end);
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at + 1) != ':')
		at = find(t, at + 1, COLON);
	return at < t.end;
}

/* Reports more than one colon without brackets: an IPv6 address without them, or two ports. */
/*@ ADDS_HOST_FINDINGS(s); */
static void host_colon(struct subject *s)
{
	const struct urivet_span a = s->report->uri.part[URIVET_AUTHORITY];
	const struct text t = within(s->t, a);
	const bool hex = skip(t, s->host.offset, HEXDIG | COLON | DOT) == t.end;
	if (hex)
		add_in_host(s, URIVET_F_IPV6_UNBRACKETED, s->host.offset, t.end);
	if (!hex || !has_double_colon(t, s->host.offset))
		add_bad_port(s, find(t, s->host.offset, COLON) + 1, t.end);
}

/* Reports a name followed by a semicolon, where some reader may end the authority. */
/*@ ADDS_HOST_FINDINGS(s); */
static void rootless_after_name(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	const uint32_t at = skip(t, s->host.offset, ALNUM | HYPHEN | DOT);
	if (at > s->host.offset && octet(t, at) == ';')
		add_in_host(s, URIVET_F_PATH_ROOTLESS, at, t.end);
}

/* ---- IPv4 in unusual spellings ------------------------------------------------- */

/* Checks a host whose labels are all numbers. Returns true if it is one, and so is not a name. */
/*@ ADDS_HOST_FINDINGS(s); */
static COLD bool odd_ipv4(struct subject *s)
{
	const struct dotted_number d = urivet_dotted_number(within(s->t, s->host), s->host.offset);
	const struct {
		bool holds;
		enum urivet_id id;
	} findings[] = {
	    {d.octal, URIVET_F_IPV4_OCTAL},
	    {d.hex, URIVET_F_IPV4_HEX},
	    {d.parts == 1 && !d.octal && !d.hex, URIVET_F_IPV4_DECIMAL},
	    {d.parts == 2 || d.parts == 3, URIVET_F_IPV4_SHORT},
	    {d.mixed, URIVET_F_IPV4_MIXED},
	    {d.overflow, URIVET_F_IPV4_OVERFLOW},
	    {d.parts >= 5, URIVET_F_IPV4_TOO_MANY_PARTS},
	    {d.empty_part, URIVET_F_IPV4_EMPTY_PART},
	    {d.trailing_dot, URIVET_F_IPV4_TRAILING_DOT},
	    {!d.has_value, URIVET_F_HOST_NUMERIC_TLD},
	};
	if (!d.numeric)
		return false;
	/*@ loop invariant judging_host(s) && k <= 10;
	    loop assigns k, FOUND(s);
	    loop variant 10 - k; */
	for (unsigned k = 0; k < sizeof findings / sizeof findings[0]; k++)
		if (findings[k].holds && !d.canonical)
			add_host(s, (enum urivet_id)(findings[k].id % URIVET_FINDING_LIMIT));
	return true;
}

/* Returns how many labels at the end of the name are numbers. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static uint32_t numeric_labels_at_end(struct text t, uint32_t at)
{
	uint32_t run = 0;
	/*@ loop invariant \at(at, Pre) <= at && run <= at - \at(at, Pre);
	    loop assigns at, run;
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct number n = urivet_number(t, at);
		run = n.base != BASE_NONE ? run + 1 : 0;
		at = label_end(t, at) + 1;
	}
	return run;
}

/*@ predicate facts_of(struct subject *s, struct name_facts f) =
      f.length <= s->host.length &&
      s->host.offset <= f.last.offset <= URIVET_MAX_LENGTH &&
      f.last.offset + f.last.length <= s->host.offset + f.length; */

/* Checks the last label of a name that is not an address: it must begin with a letter. */
/*@ requires facts_of(s, f); ADDS_HOST_FINDINGS(s); */
static void top_label(struct subject *s, struct name_facts f)
{
	const struct text name = until(s->t, s->host.offset + f.length);
	const struct number n = urivet_number(name, f.last.offset);
	if (!is(name, f.last.offset, DIGIT))
		return;
	if (n.base == BASE_NONE) {
		add_span(s, URIVET_F_HOST_TLD_DIGIT, f.last);
		return;
	}
	add_span(s, URIVET_F_HOST_NUMERIC_TLD, f.last);
	if (numeric_labels_at_end(name, s->host.offset) >= 4)
		add_host(s, URIVET_F_IPV4_TOO_MANY_PARTS);
}

/* Checks the addresses found by readers that stop early. ipv4[0 .. 2] are already parsed. For the
 * last part, tries one, two and three digits. */
/*@ requires judging_host(s) && readable(t) && t.end <= s->t.end && at <= t.end;
    requires \valid(ipv4 + (0 .. 3));
    assigns FOUND_IN_HOST(s), ipv4[3];
    ensures judging_host(s); */
static COLD void prefix_readings(struct subject *s, struct text t, uint32_t at, uint8_t ipv4[4])
{
	const uint32_t end = skip(t, at, DIGIT);
	unsigned value = 0;
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre);
	    loop invariant at <= t.end && value <= 255;
	    loop assigns at, value, ipv4[3], FOUND_IN(s, \at(s->report, Pre));
	    loop variant t.end - at; */
	while (at < end) {
		value = value * 10 + digit_value(octet(t, at));
		at++;
		if (value > 255)
			return;
		ipv4[3] = (uint8_t)value;
		urivet_rules_ipv4_host(s, ipv4, span(s->host.offset, at));
	}
}

/* G1: reports a name that begins with text that matches IPv4address. */
/*@ JUDGES_HOST(s); */
static void ipv4_prefix(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	uint32_t at = s->host.offset;
	uint8_t ipv4[4];
	/*@ loop invariant k <= 3 && at <= t.end;
	    loop assigns k, at, ipv4[0 .. 3];
	    loop variant 3 - k; */
	for (unsigned k = 0; k < 3; k++) {
		const uint32_t next = urivet_dec_octet(t, at, &ipv4[k]);
		if (next == at || octet(t, next) != '.')
			return;
		at = next + 1;
	}
	if (!is(t, at, DIGIT))
		return;
	add_in_host(s, URIVET_F_HOST_IPV4_PREFIX, s->host.offset, at + 1);
	if (in_set(&s->policy->waived, URIVET_F_HOST_IPV4_PREFIX))
		prefix_readings(s, t, at, ipv4);
}

/* Returns true if the label is a number in some other language: "0o" 1*DIGIT, "o" / "q" 1*DIGIT,
 * "0b" 1*DIGIT, or digits with "_" or one "e" between them. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool other_number(struct text t, uint32_t at, uint32_t end)
{
	uint32_t i = at;
	if (octet(t, i) == '0' && (lower(octet(t, i + 1)) == 'o' || lower(octet(t, i + 1)) == 'b'))
		i += 2;
	else if (lower(octet(t, i)) == 'o' || lower(octet(t, i)) == 'q')
		i += 1;
	else if (is(t, i, DIGIT)) {
		i = skip(t, i, DIGIT | UNDERSCORE);
		if (i == end)
			return find(until(t, end), at, UNDERSCORE) < end;
		return lower(octet(t, i)) == 'e' && i + 1 < end && skip(t, i + 1, DIGIT) == end;
	}
	return i > at && i < end && skip(t, i, DIGIT) == end;
}

/* Reports number formats that some C library or language accepts. The host is rejected anyway,
 * since its last label does not begin with a letter. */
/*@ requires facts_of(s, f); ADDS_HOST_FINDINGS(s); */
static void ipv4_other_forms(struct subject *s, struct name_facts f)
{
	const struct text t = until(until(s->t, s->host.offset + f.length), urivet_judged_end(s));
	bool sign = false, other = false;
	uint32_t at = s->host.offset;
	if (is(t, f.last.offset, ALPHA))
		return;
	/*@ loop invariant s->host.offset <= at;
	    loop assigns at, sign, other;
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t end = label_end(t, at);
		const uint32_t digits = skip(t, at, PLUS | HYPHEN | SPACE);
		if (digits < end && urivet_number(t, digits).base != BASE_NONE)
			sign = sign || digits > at;
		else if (other_number(t, digits, end))
			other = true;
		else if (end > at) /* skip empty labels, as in "+1..2" */
			return;
		at = end + 1;
	}
	if (sign)
		add_host(s, URIVET_F_IPV4_SIGNED);
	if (other)
		add_host(s, URIVET_F_IPV4_OTHER_PREFIX);
}

/* ---- Names -------------------------------------------------------------------- */

/* Reports labels that the DNS does not allow. */
/*@ requires facts_of(s, f); ADDS_HOST_FINDINGS(s); */
static void bad_labels(struct subject *s, struct name_facts f)
{
	const struct text t = until(until(s->t, s->host.offset + f.length), urivet_judged_end(s));
	uint32_t at = s->host.offset;
	/*@ loop invariant judging_host(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end + 1 - at; */
	while (at <= t.end) {
		const uint32_t end = label_end(t, at);
		if (end == at)
			add_span(s, URIVET_F_HOST_EMPTY_LABEL, span(at, end));
		if (end - at > s->policy->max_label)
			add_span(s, URIVET_F_HOST_LABEL_TOO_LONG, span(at, end));
		if (label_has_bad_hyphen(t, at, end))
			add_span(s, URIVET_F_HOST_BAD_HYPHEN, span(at, end));
		at = end + 1;
	}
}

/* True if the host has octets of an internationalised name that is not written as A-labels. */
#define BEYOND_ASCII(seen) ((seen) & (HIGH | PERCENT))

COLD uint32_t urivet_judged_end(const struct subject *s)
{
	const uint32_t length = s->host.length, most = s->policy->max_host;
	const bool cut = length > most && !is_waived(s, URIVET_F_HOST_TOO_LONG);
	return s->host.offset + (cut ? most : length); /* or without its final dot */
}

/* Checks the length of the name, its labels and its final dot. */
/*@ requires facts_of(s, f);
    requires f.final_dot ==> s->host.length > 0;
    ADDS_HOST_FINDINGS(s); */
static void name_shape(struct subject *s, struct name_facts f)
{
	const uint32_t end = span_end(s->host);
	const bool final_dot = f.final_dot, too_long = f.length > s->policy->max_host;
	if (f.empty_label || f.long_label || f.bad_hyphen)
		bad_labels(s, f);
	if (too_long)
		add_host(s, URIVET_F_HOST_TOO_LONG);
	if (final_dot)
		add_in_host(s, URIVET_F_HOST_TRAILING_DOT, end - 1, end);
}

/* Reports the first run of upper-case letters outside triplets. In triplets, upper case is right
 * (RFC 3986, 6.2.2.1). */
/*@ ADDS_HOST_FINDINGS(s); */
static void host_case(struct subject *s)
{
	const struct text t = until(s->t, urivet_judged_end(s));
	uint32_t at = find(t, s->host.offset, UPPER | PERCENT);
	/*@ loop invariant at <= t.end;
	    loop assigns at;
	    loop variant t.end - at; */
	while (octet(t, at) == '%')
		at = find(t, at + (is_triplet(t, at) ? 3 : 1), UPPER | PERCENT);
	if (at < t.end)
		add_in_host(s, URIVET_F_HOST_CASE, at, skip(t, at, UPPER));
}

/* Checks the octets of the name, by the kinds seen. */
/*@ ADDS_HOST_FINDINGS(s); */
static void name_octets(struct subject *s, uint32_t seen)
{
	if (seen & ~(uint32_t)(ALNUM | HYPHEN | DOT))
		host_octets(s);
	if (seen & UPPER)
		host_case(s);
	if (seen & SEMICOLON)
		rootless_after_name(s);
}

/* Checks a name that contains digits but is not an address. */
/*@ requires facts_of(s, f); JUDGES_HOST(s); */
static COLD void name_with_digits(struct subject *s, struct name_facts f)
{
	top_label(s, f);
	ipv4_other_forms(s, f);
	ipv4_prefix(s);
}

/* Returns true if the host is an address in an unusual spelling: digits, letters and dots only. */
/*@ ADDS_HOST_FINDINGS(s); */
static bool is_odd_ipv4(struct subject *s, uint32_t seen)
{
	return (seen & ~(uint32_t)(ALNUM | DOT)) == 0 && odd_ipv4(s);
}

/* Checks the octets and labels of the name. Returns true if it is an address in an unusual
 * spelling, which is then checked as an address. */
/*@ requires facts_of(s, f);
    requires f.final_dot ==> s->host.length > 0;
    JUDGES_HOST(s); */
static bool judge_labels(struct subject *s, struct name_facts f)
{
	const uint32_t seen = s->seen.in[URIVET_HOST];
	name_shape(s, f);
	name_octets(s, seen);
	if ((seen & DIGIT) == 0)
		return false;
	if (is_odd_ipv4(s, seen)) {
		urivet_rules_address_host(s);
		return true;
	}
	name_with_digits(s, f);
	return false;
}

/* Result of labels(): what remains to be checked. */
struct rest {
	uint32_t length;    /* without a final dot */
	bool is_name;       /* false if the host is an address */
	bool international; /* the IDN rules apply */
	bool alabels;       /* some label starts with the A-label prefix */
};

/*@ JUDGES_HOST(s);
    ensures \result.length <= s->host.length; */
static COLD struct rest labels(struct subject *s)
{
	struct name_facts f;
	struct rest rest;
	urivet_name_facts(within(s->t, s->host), s->host.offset, s->policy->max_label, &f);
	rest.length = f.length;
	rest.is_name = !judge_labels(s, f);
	rest.alabels = f.alabel;
	rest.international = f.alabel || BEYOND_ASCII(s->seen.in[URIVET_HOST]);
	return rest;
}

/* Checks the host as a name. Returns its length without a final dot, or NO_NAME if it is an
 * address, or if its form already decides the verdict. */
/*@ JUDGES_HOST(s);
    ensures \result <= s->host.length || \result == NO_NAME; */
static uint32_t name(struct subject *s)
{
	const struct rest rest = labels(s);
	if (rest.international && !is_settled(s))
		urivet_rules_idn(s, rest.alabels);
	return rest.is_name && !is_settled(s) ? rest.length : NO_NAME;
}

/* Checks the host in the authority. Returns what urivet_rules_host_form() returns. */
/*@ JUDGES_HOST(s);
    ensures \result <= s->host.length || \result == NO_NAME; */
static uint32_t authority_host(struct subject *s)
{
	const uint32_t seen = s->seen.in[URIVET_HOST];
	if ((s->seen.in[URIVET_PORT] & LBRACKET) && (s->seen.in[URIVET_PORT] & RBRACKET))
		add_in_host(s, URIVET_F_BRACKET_GARBAGE, s->host.offset,
			    span_end(s->report->uri.part[URIVET_AUTHORITY]));
	if (s->host.length == 0) {
		if (s->web)
			add_in_host(s, URIVET_F_HOST_EMPTY, s->host.offset, s->host.offset);
		return 0;
	}
	if (seen & COLON && !(seen & LBRACKET))
		host_colon(s);
	if (seen & (LBRACKET | RBRACKET)) {
		urivet_rules_literal(s);
		return NO_NAME;
	}
	if (s->report->uri.host_kind == URIVET_HOST_IPV4) {
		urivet_rules_address_host(s);
		return NO_NAME;
	}
	return name(s);
}

uint32_t urivet_rules_host_form(struct subject *s)
{
	return urivet_has(&s->report->uri, URIVET_AUTHORITY) ? authority_host(s) : NO_NAME;
}
