/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about percent-encoded triplets. */
#include "rules/rules.h"
#include "text/compatibility.h"
#include "text/utf8.h"

/* The component in which triplets are looked at. */
struct place {
	enum urivet_component c;
	struct text t;
	bool tail;  /* path, query or fragment, which readers decode */
	bool mixed; /* escape-mixed-iri applies: there are octets above 0x7F in the URL */
};

/*@ predicate placed(struct place *p, struct subject *s) =
      \valid_read(p) && \separated(p, s, s->report) && readable(p->t); */

/* ---- Triplets of ASCII --------------------------------------------------------- */

/* D2: escaped controls. */
/*@ requires \valid_read(p) && at <= URIVET_MAX_LENGTH && value <= 255; ADDS_FINDINGS(s); */
static void control_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	const uint32_t k = urivet_kinds[value];
	if (k & CRLF)
		urivet_add(s, URIVET_F_ESCAPED_CRLF, p->c, at, at + 3);
	else if (value == 0)
		urivet_add(s, URIVET_F_ESCAPED_NUL, p->c, at, at + 3);
	else if (k & (CONTROL | TAB))
		urivet_add(s, URIVET_F_ESCAPED_CONTROL, p->c, at, at + 3);
}

/* Escaped octets that some hop on the way to the server makes something else of in a path. */
static const struct {
	uint32_t kinds;
	enum urivet_id id;
	bool web; /* only where the rules for http hold */
} path_triplets[] = {
    {SLASH, URIVET_F_ESCAPED_SLASH, true}, /* G13 */
    {BACKSLASH, URIVET_F_PATH_BACKSLASH_ESCAPED, false},
    {PERCENT, URIVET_F_ESCAPED_PERCENT, false},
    {QUESTION | HASH, URIVET_F_PATH_DELIMITER_ESCAPED, false},
    {SEMICOLON, URIVET_F_PATH_SEMICOLON, false},
};

#define PATH_TRIPLETS (sizeof(path_triplets) / sizeof(path_triplets[0]))

/*@ requires at <= URIVET_MAX_LENGTH && value <= 255; ADDS_FINDINGS(s); */
static void path_triplet(struct subject *s, uint32_t at, unsigned value)
{
	/*@ loop invariant judging(s) && 0 <= k <= PATH_TRIPLETS;
	    loop assigns k, FOUND(s);
	    loop variant PATH_TRIPLETS - k; */
	for (unsigned k = 0; k < PATH_TRIPLETS; k++)
		if ((urivet_kinds[value] & path_triplets[k].kinds) &&
		    (s->web || !path_triplets[k].web))
			urivet_add(s, (enum urivet_id)(path_triplets[k].id % URIVET_FINDING_LIMIT),
				   URIVET_PATH, at, at + 3);
}

/* An escaped slash beside another, for those that decode it: where a waiver lets it through. */
/*@ requires \valid_read(p) && readable(p->t) && \separated(p, s, s->report);
    requires at + 3 <= p->t.end;
    ADDS_FINDINGS(s); */
static void double_slash(struct subject *s, const struct place *p, uint32_t at)
{
	const uint32_t start = s->report->uri.part[URIVET_PATH].offset;
	const bool raw = at > start && octet(p->t, at - 1) == '/';
	const bool escaped =
	    at >= start + 3 && is_triplet(p->t, at - 3) && triplet(p->t, at - 3) == '/';
	if (raw && at == start + 1 && s->web)
		urivet_add(s, URIVET_F_PATH_LEADING_DOUBLE_SLASH, URIVET_PATH, start, at + 3);
	else if (raw || escaped || octet(p->t, at + 3) == '/')
		urivet_add(s, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, at, at + 3);
}

/* Escaped octets that would be delimiters if they were raw. */
/*@ requires placed(p, s) && at + 3 <= p->t.end && value <= 255; ADDS_FINDINGS(s); */
static void delimiter_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	if (p->c == URIVET_PATH)
		path_triplet(s, at, value);
	if (p->c == URIVET_PATH && value == '/' &&
	    in_set(&s->policy->waived, URIVET_F_ESCAPED_SLASH))
		double_slash(s, p, at);
	if ((p->c == URIVET_PATH || p->c == URIVET_QUERY) &&
	    (urivet_kinds[value] & (QUESTION | HASH | SEMICOLON | AMPERSAND | EQUALS)))
		urivet_add(s, URIVET_F_ESCAPED_DELIMITER, p->c, at, at + 3);
}

/* Does the unit decode to a hexadecimal digit? */
/*@ assigns \nothing;
    ensures \result ==> u.value < AT_END; */
static bool decodes_to_hex(struct unit u)
{
	return u.value < AT_END && (urivet_kinds[u.value] & HEXDIG) != 0;
}

/* The octet that remains when the triplet that one decoding leaves, with these two digits,
 * is decoded until nothing changes: %25250a ends as LF. */
/*@ requires readable(t);
    assigns \nothing; */
static unsigned decoded_again(struct text t, struct unit first, struct unit second)
{
	unsigned value = hex_value(first.value) * 16 + hex_value(second.value);
	/*@ loop assigns value, first, second;
	    loop variant t.end - second.next; */
	while (value == '%') {
		first = decode(t, second.next);
		second = decode(t, first.next);
		if (!decodes_to_hex(first) || !decodes_to_hex(second))
			break;
		value = hex_value(first.value) * 16 + hex_value(second.value);
	}
	return value;
}

/* D3: a "%" that one decoding leaves in front of two hexadecimal digits. */
/*@ requires placed(p, s); ADDS_FINDINGS(s); */
static void percent_sign(struct subject *s, const struct place *p, uint32_t at)
{
	const struct unit sign = decode(p->t, at);
	const struct unit first = decode(p->t, sign.next), second = decode(p->t, first.next);
	unsigned value;
	if (!p->tail || !decodes_to_hex(first) || !decodes_to_hex(second))
		return;
	urivet_add(s, URIVET_F_DOUBLE_ESCAPE, p->c, at, second.next);
	value = decoded_again(p->t, first, second);
	if (value == '\r' || value == '\n')
		urivet_add(s, URIVET_F_DOUBLE_ESCAPE_CRLF, p->c, at, second.next);
}

/*@ requires placed(p, s) && at + 3 <= p->t.end && value <= 255; ADDS_FINDINGS(s); */
static void ascii_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	if (urivet_kinds[value] & UNRESERVED)
		urivet_add(s, URIVET_F_ESCAPED_UNRESERVED, p->c, at, at + 3);
	control_triplet(s, p, at, value);
	delimiter_triplet(s, p, at, value);
	if (value == '%')
		percent_sign(s, p, at);
	if (p->mixed && (value == '!' || value == '\'' || value == '(' || value == ')' ||
			 value == '*' || value == ':'))
		urivet_add(s, URIVET_F_ESCAPE_MIXED_IRI, p->c, at, at + 3);
}

/* A "%" that begins no triplet, with up to two octets where its digits should be. */
/*@ requires placed(p, s) && at <= URIVET_MAX_LENGTH; ADDS_FINDINGS(s); */
static void bad_escape(struct subject *s, const struct place *p, uint32_t at)
{
	uint32_t end = at + 1;
	/*@ loop invariant at < end <= at + 3;
	    loop assigns end;
	    loop variant at + 3 - end; */
	while (end < p->t.end && end < at + 3 && octet(p->t, end) != '%')
		end++;
	urivet_add(s, URIVET_F_BAD_ESCAPE, p->c, at, end);
	percent_sign(s, p, at);
}

/* ---- Runs of triplets above 0x7F ------------------------------------------------- */

/* Bidirectional controls, which some readers delete and which mislead people. */
/*@ assigns \nothing; */
static bool is_bidi(uint32_t c)
{
	return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/*@ requires readable(t);
    assigns \nothing;
    ensures \result ==> at + 3 <= t.end; */
static bool is_high_triplet(struct text t, uint32_t at)
{
	return is_triplet(t, at) && triplet(t, at) >= 0x80;
}

/*@ requires \valid_read(p); ADDS_FINDINGS(s); */
static void code_point(struct subject *s, const struct place *p, uint32_t at, struct utf8 u)
{
	const uint32_t low = u.code_point & 0xff;
	if (u.code_point > 0xff && (low == 0 || low == '\r' || low == '\n'))
		urivet_add(s, URIVET_F_ESCAPED_UNICODE_TRUNCATION, p->c, at, u.next);
	if (s->web && p->c == URIVET_PATH && urivet_becomes_ascii(u.code_point)) /* G17 */
		urivet_add(s, URIVET_F_ESCAPED_COMPATIBILITY, URIVET_PATH, at, u.next);
}

/*@ requires \valid_read(p); ADDS_FINDINGS(s); */
static void escaped_code_point(struct subject *s, const struct place *p, uint32_t at, struct utf8 u)
{
	if (is_bidi(u.code_point))
		urivet_add(s, URIVET_F_ESCAPED_BIDI, p->c, at, u.next);
	code_point(s, p, at, u);
}

/*@ requires \valid_read(p); ADDS_FINDINGS(s); */
static void not_utf8(struct subject *s, const struct place *p, uint32_t at, struct utf8 u,
		     bool alone)
{
	urivet_add(s, URIVET_F_INVALID_UTF8_ESCAPE, p->c, at, u.next);
	if (u.form == UTF8_OVERLONG)
		urivet_add(s, URIVET_F_OVERLONG_UTF8, p->c, at, u.next);
	if (alone)
		urivet_add(s, URIVET_F_LATIN1_ESCAPE, p->c, at, u.next);
}

/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool has_lower_digit(struct text t, uint32_t at)
{
	return is(t, at + 1, LOWER) || is(t, at + 2, LOWER);
}

/* The triplets from `at` up to `end`. */
/*@ requires placed(p, s) && at <= end <= p->t.end; ADDS_FINDINGS(s); */
static void digit_case(struct subject *s, const struct place *p, uint32_t at, uint32_t end)
{
	/*@ loop invariant judging(s) && at <= end + 2;
	    loop assigns at, FOUND(s);
	    loop variant end - at; */
	for (; at < end; at += 3)
		if (has_lower_digit(p->t, at))
			urivet_add(s, URIVET_F_ESCAPE_CASE, p->c, at, at + 3);
}

/* G5, G6, G7 and G17, in the run of triplets above 0x7F that begins at `at`: where it ends. Others
 * are the rule, and do not pay for it. */
/*@ requires placed(p, s) && at + 3 <= p->t.end;
    ADDS_FINDINGS(s);
    ensures at < \result <= p->t.end; */
static COLD uint32_t high_run(struct subject *s, const struct place *p, uint32_t at)
{
	const bool alone = !is_high_triplet(p->t, at + 3);
	bool astral = false;
	/*@ loop invariant judging(s) && \at(at, Pre) <= at < p->t.end;
	    loop assigns at, astral, FOUND(s);
	    loop variant p->t.end - at; */
	do {
		const struct utf8 u = urivet_utf8(p->t, at, true);
		if (u.form == UTF8_VALID)
			escaped_code_point(s, p, at, u);
		else
			not_utf8(s, p, at, u, alone);
		digit_case(s, p, at, u.next);
		astral = astral || u.octets == 4;
		at = u.next;
	} while (is_high_triplet(p->t, at));
	if (astral && s->web && is_triplet(p->t, at))
		urivet_add(s, URIVET_F_ESCAPE_AFTER_ASTRAL, p->c, at, at + 3);
	return at;
}

/* Raw octets above 0x7F where a waiver makes them legal: it waives that their charset is a guess,
 * and not what they are to those who read UTF-8 or escape them first. */
/*@ requires placed(p, s); ADDS_FINDINGS(s); */
static COLD void raw_octets(struct subject *s, const struct place *p, uint32_t at)
{
	const struct text t = p->t;
	/*@ loop invariant judging(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	for (at = find(t, at, HIGH); at < t.end; at = find(t, at, HIGH)) {
		const struct utf8 u = urivet_utf8(t, at, false);
		if (u.form == UTF8_VALID)
			code_point(s, p, at, u);
		else if (u.form == UTF8_OVERLONG)
			urivet_add(s, URIVET_F_OVERLONG_UTF8, p->c, at, u.next);
		if (u.octets == 4 && s->web && is_triplet(t, u.next) && triplet(t, u.next) < 0x80)
			urivet_add(s, URIVET_F_ESCAPE_AFTER_ASTRAL, p->c, u.next, u.next + 3);
		at = u.next;
	}
}

/* ---- Components --------------------------------------------------------------- */

/* Looks at the triplet, or run of triplets, at `at`: where it ends. */
/*@ requires placed(p, s) && at + 3 <= p->t.end;
    ADDS_FINDINGS(s);
    ensures at < \result <= p->t.end; */
static uint32_t one_triplet(struct subject *s, const struct place *p, uint32_t at)
{
	const unsigned value = triplet(p->t, at);
	if (value >= 0x80 && p->tail)
		return high_run(s, p, at);
	digit_case(s, p, at, at + 3);
	if (value < 0x80)
		ascii_triplet(s, p, at, value);
	return at + 3;
}

/*@ requires placed(p, s); ADDS_FINDINGS(s); */
static void triplets(struct subject *s, const struct place *p, uint32_t at)
{
	const struct text t = p->t;
	/*@ loop invariant judging(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	for (at = find(t, at, PERCENT); at < t.end; at = find(t, at, PERCENT)) {
		if (is_triplet(t, at)) {
			at = one_triplet(s, p, at);
		} else {
			bad_escape(s, p, at);
			at++;
		}
	}
}

/* Raw bidirectional controls: not allowed in a URI anyway, but this tells more. */
/*@ ADDS_FINDINGS(s); */
static void raw_bidi(struct subject *s)
{
	uint32_t at = find(s->t, 0, HIGH);
	/*@ loop invariant judging(s);
	    loop assigns at, FOUND(s);
	    loop variant s->t.end - at; */
	while (at < s->t.end) {
		const struct utf8 u = urivet_utf8(s->t, at, false);
		if (u.form == UTF8_VALID && is_bidi(u.code_point))
			urivet_add(s, URIVET_F_ESCAPED_BIDI,
				   urivet_component_at(&s->report->uri, at), at, u.next);
		at = find(s->t, u.next, HIGH);
	}
}

/* Is there a triplet for an octet above 0x7F in the URL? */
/*@ requires readable(t);
    assigns \nothing; */
static bool has_high_triplet(struct text t)
{
	uint32_t at = find(t, 0, PERCENT);
	/*@ loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && !is_high_triplet(t, at))
		at = find(t, at + 1, PERCENT);
	return at < t.end;
}

/*@ requires 0 <= c < URIVET_COMPONENTS; ADDS_FINDINGS(s); */
static void component_triplets(struct subject *s, enum urivet_component c, bool mixed)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct place p = {c, within(s->t, where), c >= URIVET_PATH, mixed};
	if (s->seen.in[c] & PERCENT)
		triplets(s, &p, where.offset);
	if (p.tail && (s->seen.in[c] & HIGH) && in_set(&s->policy->waived, URIVET_F_NON_ASCII))
		raw_octets(s, &p, where.offset);
}

/* May readers that escape raw octets above 0x7F meet some? */
/*@ requires judging(s);
    assigns \nothing; */
static bool has_high_octets(const struct subject *s)
{
	return (s->seen.in[URIVET_WHOLE] & HIGH) != 0 &&
	       in_set(&s->policy->waived, URIVET_F_NON_ASCII);
}

void urivet_rules_escapes(struct subject *s)
{
	bool mixed;
	if (s->seen.in[URIVET_WHOLE] & HIGH)
		raw_bidi(s);
	if ((s->seen.in[URIVET_WHOLE] & PERCENT) == 0 && !has_high_octets(s))
		return;
	mixed = s->web && (has_high_octets(s) || has_high_triplet(s->t));
	/*@ loop invariant judging(s) && URIVET_SCHEME <= c <= URIVET_COMPONENTS;
	    loop assigns c, FOUND(s);
	    loop variant URIVET_COMPONENTS - c; */
	for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++)
		if (c != URIVET_AUTHORITY && (s->seen.in[c] & (PERCENT | HIGH)))
			component_triplets(s, c, mixed);
}
