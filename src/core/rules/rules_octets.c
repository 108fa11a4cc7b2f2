/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about octets that a URI cannot contain, and about wrappers around a URI. */
#include "rules/rules.h"
#include "text/words.h"

/* The kinds checked in this file. Brackets and "#" count only where they are not delimiters. */
#define ODD (BLANK | HIGH | FORBIDDEN | LBRACKET | RBRACKET | HASH)

#define ODD_ROWS 6

static const struct {
	uint32_t kinds;
	enum urivet_id id;
} odd_ids[ODD_ROWS] = {
    {FORBIDDEN | LBRACKET | RBRACKET | HASH, URIVET_F_FORBIDDEN_CHAR},
    {HIGH, URIVET_F_NON_ASCII},
    {SPACE, URIVET_F_RAW_SPACE},
    {TAB, URIVET_F_RAW_TAB},
    {CRLF, URIVET_F_RAW_CRLF},
    {CONTROL, URIVET_F_CONTROL_CHAR},
};

/* Returns the row of odd_ids for an octet of the kinds ODD. */
/*@ assigns \nothing;
    ensures \result < ODD_ROWS; */
static unsigned odd_row(uint32_t k)
{
	unsigned row = 0;
	/*@ loop invariant 0 <= row < ODD_ROWS;
	    loop assigns row;
	    loop variant ODD_ROWS - row; */
	while (row + 1 < ODD_ROWS && (odd_ids[row].kinds & k) == 0)
		row++;
	return row;
}

/* Returns the offset from which octets of these kinds may occur: that of the path, unless scheme or
 * authority contain one. */
/*@ requires judging(s);
    assigns \nothing; */
static uint32_t first_place(const struct subject *s, uint32_t kinds)
{
	const uint32_t before = s->seen.in[URIVET_SCHEME] | s->seen.in[URIVET_AUTHORITY];
	return before & kinds ? 0 : s->report->uri.part[URIVET_PATH].offset;
}

/* Returns true if the host has the brackets of an IP literal. The host rules check those. */
/*@ requires judging(s);
    assigns \nothing; */
static bool host_has_literal(const struct subject *s)
{
	const struct text t = within(s->t, s->host);
	if ((s->seen.in[URIVET_HOST] & (LBRACKET | RBRACKET)) == 0)
		return false;
	return octet(t, s->host.offset) == '[' ||
	       find(t, find(t, s->host.offset, LBRACKET), RBRACKET) < t.end;
}

/* Returns the kinds of octets in the text, but for the brackets of an IP literal. */
/*@ requires judging(s);
    assigns \nothing; */
static uint32_t seen_outside_literal(const struct subject *s)
{
	const uint32_t *in = s->seen.in, brackets = LBRACKET | RBRACKET;
	const uint32_t others = in[URIVET_SCHEME] | in[URIVET_USERINFO] | in[URIVET_PORT] |
				in[URIVET_PATH] | in[URIVET_QUERY] | in[URIVET_FRAGMENT];
	if (s->report->uri.host_kind != URIVET_HOST_IPV6)
		return in[URIVET_WHOLE];
	return in[URIVET_WHOLE] & (~brackets | others);
}

/* Returns true if the text is a run of brackets. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_brackets(const struct subject *s, uint32_t at, uint32_t end)
{
	return skip(until(s->t, end), at, LBRACKET | RBRACKET) == end;
}

/* Returns the finding for a run of printable ASCII that a URI cannot contain. It depends on the
 * component. */
/*@ requires judging(s);
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
static enum urivet_id forbidden_id(const struct subject *s, bool literal, enum urivet_component c,
				   uint32_t at, uint32_t end)
{
	switch (c) {
	case URIVET_HOST:
		return literal && is_brackets(s, at, end) ? URIVET_F_NONE
							  : URIVET_F_HOST_FORBIDDEN_CHAR;
	case URIVET_SCHEME:
	case URIVET_PORT:
		return URIVET_F_NONE; /* reported as scheme-malformed and port-invalid */
	case URIVET_QUERY:
		if ((is_query_opaque(s->policy) ||
		     is_waived(s, URIVET_F_QUERY_NESTED_BRACKETS)) &&
		    is_brackets(s, at, end))
			return URIVET_F_NONE; /* legal there; reported as query-nested-brackets */
		return URIVET_F_FORBIDDEN_CHAR;
	default:
		return URIVET_F_FORBIDDEN_CHAR;
	}
}

/* Returns the finding for a run of octets of this row. */
/*@ requires judging(s) && row < ODD_ROWS;
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
static enum urivet_id odd_id(const struct subject *s, bool literal, unsigned row,
			     enum urivet_component c, uint32_t at, uint32_t end)
{
	const enum urivet_id id = odd_ids[row].id;
	if (id == URIVET_F_FORBIDDEN_CHAR)
		return forbidden_id(s, literal, c, at, end);
	if (id == URIVET_F_NON_ASCII && c == URIVET_HOST)
		return URIVET_F_HOST_UNICODE;
	return (enum urivet_id)(id % URIVET_FINDING_LIMIT);
}

/* Returns true if the octet is the "#" before the fragment. Only a later one is not allowed. */
/*@ requires judging(s);
    assigns \nothing; */
static bool delimits(const struct subject *s, uint32_t at, enum urivet_component c)
{
	return octet(s->t, at) == '#' && c != URIVET_FRAGMENT;
}

/* Returns the end of the run from `at` on: at most one octet after component c, its delimiter. */
/*@ requires judging(s) && at < s->t.end && row < ODD_ROWS && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing;
    ensures at < \result <= s->t.end; */
static uint32_t odd_end(const struct subject *s, enum urivet_component c, unsigned row, uint32_t at)
{
	const uint32_t kinds = odd_ids[row].kinds;
	if (c == URIVET_FRAGMENT)
		return skip(s->t, at + 1, kinds);
	return skip(until(s->t, span_end(s->report->uri.part[c]) + 1), at + 1,
		    kinds & ~(uint32_t)HASH);
}

/* Returns the offset of the first octet after the component and its delimiter. */
/*@ requires judging(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static uint32_t after_component(const struct subject *s, enum urivet_component c)
{
	return c == URIVET_FRAGMENT ? UINT32_MAX : span_end(s->report->uri.part[c]) + 1;
}

/* Handles the runs from `at` up to the end of component c, and returns the start of the next one.
 * Per row, the first run is added and the others are counted, since there may be thousands. */
/*@ requires at < s->t.end && 0 <= c < URIVET_COMPONENTS;
    ADDS_FINDINGS(s);
    ensures at < \result; */
static uint32_t odd_runs_in(struct subject *s, bool literal, enum urivet_component c, uint32_t at)
{
	const uint32_t stop = until(s->t, after_component(s, c)).end;
	uint32_t times[ODD_ROWS] = {0};
	unsigned ids[ODD_ROWS] = {0};
	/*@ loop invariant judging(s) && \at(at, Pre) <= at < s->t.end;
	    loop invariant \forall integer k; 0 <= k < ODD_ROWS ==> times[k] <= at;
	    loop assigns at, times[0 .. ODD_ROWS - 1], ids[0 .. ODD_ROWS - 1], FOUND(s);
	    loop variant s->t.end - at; */
	do {
		const unsigned row = odd_row(kind(s->t, at));
		const uint32_t end = odd_end(s, c, row, at);
		const enum urivet_id id =
		    delimits(s, at, c) ? URIVET_F_NONE : odd_id(s, literal, row, c, at, end);
		if (id != URIVET_F_NONE && times[row]++ == 0)
			urivet_add(s, id, c, at, end);
		if (id == URIVET_F_RAW_SPACE && c == URIVET_HOST)
			urivet_add(s, URIVET_F_HOST_FORBIDDEN_CHAR, c, at, end);
		if (id != URIVET_F_NONE)
			ids[row] = id;
		at = find(s->t, end, ODD);
	} while (at < stop);
	/*@ loop invariant judging(s) && row <= ODD_ROWS;
	    loop assigns row, FOUND(s);
	    loop variant ODD_ROWS - row; */
	for (unsigned row = 0; row < ODD_ROWS; row++)
		if (times[row] > 1)
			urivet_add_again(s, (enum urivet_id)(ids[row] % URIVET_FINDING_LIMIT),
					 times[row] - 1);
	return at;
}

/*@ ADDS_FINDINGS(s); */
static void odd_runs(struct subject *s)
{
	const bool literal = host_has_literal(s);
	enum urivet_component c = URIVET_SCHEME;
	uint32_t at = find(s->t, first_place(s, ODD), ODD);
	/*@ loop invariant judging(s) && URIVET_SCHEME <= c <= URIVET_FRAGMENT;
	    loop assigns at, c, FOUND(s);
	    loop variant s->t.end - at; */
	while (at < s->t.end) {
		c = urivet_component_from(&s->report->uri, c, at);
		at = odd_runs_in(s, literal, c, at);
	}
}

/*@ ADDS_FINDINGS(s); */
static void leading_trailing_space(struct subject *s)
{
	const uint32_t front = skip(s->t, 0, BLANK), end = s->t.end;
	uint32_t back = end;
	/*@ loop invariant 0 <= back <= end;
	    loop assigns back;
	    loop variant back; */
	while (back > front && is(s->t, back - 1, BLANK))
		back--;
	/* DEL counts as blank here, but no reader strips it */
	if (front > 0 && octet(s->t, 0) != 0x7f)
		urivet_add(s, URIVET_F_LEADING_TRAILING_SPACE, URIVET_WHOLE, 0, front);
	if (back < end && octet(s->t, end - 1) != 0x7f)
		urivet_add(s, URIVET_F_LEADING_TRAILING_SPACE, URIVET_WHOLE, back, end);
}

/*@ ADDS_FINDINGS(s); */
static void bom_or_invisible_prefix(struct subject *s)
{
	static const char prefixes[][4] = {
	    "\xef\xbb\xbf", /* U+FEFF byte order mark */
	    "\xe2\x80\x8b", /* U+200B zero width space */
	    "\xe2\x81\xa0", /* U+2060 word joiner */
	    "\xc2\xa0",     /* U+00A0 no-break space */
	};
	/*@ loop invariant judging(s) && 0 <= k <= 4;
	    loop assigns k, FOUND(s);
	    loop variant 4 - k; */
	for (unsigned k = 0; k < sizeof(prefixes) / sizeof(prefixes[0]); k++) {
		const uint32_t end = after_word(s->t, 0, prefixes[k]);
		if (end != NO_WORD)
			urivet_add(s, URIVET_F_BOM_OR_INVISIBLE_PREFIX, URIVET_WHOLE, 0, end);
	}
}

/* Returns the offset of the first "://" from `at` on, or the end. */
/*@ requires readable(t);
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end); */
static uint32_t find_slashes(struct text t, uint32_t at)
{
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop assigns at;
	    loop variant t.end - at; */
	for (at = find_octet(t, at, ':'); at < t.end; at = find_octet(t, at + 1, ':'))
		if (has_word(t, at, "://"))
			return at;
	return at;
}

/* Reports a second "://" after a raw space or line end. */
/*@ ADDS_FINDINGS(s); */
static void multiple_urls(struct subject *s)
{
	const uint32_t gap = find(s->t, find_slashes(s->t, 0), SPACE | CRLF);
	const uint32_t second = find_slashes(s->t, gap + 1);
	uint32_t start = second;
	if (second >= s->t.end)
		return;
	/*@ loop invariant gap < start <= second;
	    loop assigns start;
	    loop variant start; */
	while (!is(s->t, start - 1, SPACE | CRLF)) /* at the latest, the gap is one */
		start--;
	urivet_add(s, URIVET_F_MULTIPLE_URLS, URIVET_WHOLE, start, s->t.end);
}

/*@ ADDS_FINDINGS(s); */
static void quoting_wrapper(struct subject *s)
{
	const unsigned c = octet(s->t, 0);
	const struct urivet_span scheme = s->report->uri.part[URIVET_SCHEME];
	const struct text t = within(s->t, scheme);
	if (urivet_has(&s->report->uri, URIVET_AUTHORITY) && scheme.length == 0)
		return; /* without a scheme, the bracket may belong to an IP literal */
	if (c == '<' || c == '"' || c == '\'' || c == '[' || c == '(')
		urivet_add(s, URIVET_F_QUOTING_WRAPPER, URIVET_WHOLE, 0, 1);
	else if (is_word(t, 0, "hxxp") || is_word(t, 0, "hxxps"))
		urivet_add(s, URIVET_F_QUOTING_WRAPPER, URIVET_WHOLE, 0, scheme.length);
}

/* Matches "[" 1*DIGIT "-" 1*DIGIT "]". Returns its end, or `at` if there is no match. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static uint32_t number_glob(struct text t, uint32_t at)
{
	const uint32_t first = skip(t, at + 1, DIGIT), last = skip(t, first + 1, DIGIT);
	if (first > at + 1 && octet(t, first) == '-' && last > first + 1 && octet(t, last) == ']')
		return last + 1;
	return at;
}

/* Returns the end of a brace, or of a glob after the authority, at `at`. Returns `at` if there is
 * none. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing; */
static uint32_t template_end(struct text t, uint32_t at, enum urivet_component c)
{
	if (is(t, at, BRACE))
		return at + 1;
	return c >= URIVET_PATH ? number_glob(t, at) : at;
}

/* Handles the templates from `at` up to the end of component c, as odd_runs_in() does. */
/*@ requires at < s->t.end && 0 <= c < URIVET_COMPONENTS;
    ADDS_FINDINGS(s);
    ensures at < \result; */
static uint32_t templates_in(struct subject *s, enum urivet_component c, uint32_t at)
{
	const uint32_t stop = until(s->t, after_component(s, c)).end;
	uint32_t times = 0;
	/*@ loop invariant judging(s) && \at(at, Pre) <= at < s->t.end && times <= at;
	    loop assigns at, times, FOUND(s);
	    loop variant s->t.end - at; */
	do {
		const uint32_t end = template_end(s->t, at, c);
		if (end > at && times++ == 0)
			urivet_add(s, URIVET_F_TEMPLATE_OR_GLOB, c, at, end);
		at = find(s->t, at + 1, BRACE | LBRACKET);
	} while (at < stop);
	if (times > 1)
		urivet_add_again(s, URIVET_F_TEMPLATE_OR_GLOB, times - 1);
	return at;
}

/*@ ADDS_FINDINGS(s); */
static void template_or_glob(struct subject *s)
{
	enum urivet_component c = URIVET_SCHEME;
	uint32_t at = find(s->t, first_place(s, BRACE | LBRACKET), BRACE | LBRACKET);
	/*@ loop invariant judging(s) && URIVET_SCHEME <= c <= URIVET_FRAGMENT;
	    loop assigns at, c, FOUND(s);
	    loop variant s->t.end - at; */
	while (at < s->t.end) {
		c = urivet_component_from(&s->report->uri, c, at);
		at = templates_in(s, c, at);
	}
}

void urivet_rules_octets(struct subject *s)
{
	const uint32_t seen = seen_outside_literal(s);
	quoting_wrapper(s);
	if ((seen & (ODD & ~HASH)) == 0 && (s->seen.in[URIVET_FRAGMENT] & HASH) == 0)
		return;
	odd_runs(s);
	if (seen & BLANK)
		leading_trailing_space(s);
	if (seen & HIGH)
		bom_or_invisible_prefix(s);
	if (seen & (SPACE | CRLF))
		multiple_urls(s);
	if (seen & (BRACE | LBRACKET))
		template_or_glob(s);
	if (s->seen.in[URIVET_QUERY] & (LBRACKET | RBRACKET))
		urivet_add_runs(s, URIVET_F_QUERY_NESTED_BRACKETS, URIVET_QUERY,
				LBRACKET | RBRACKET);
}
