/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about the tail, which is path, query and fragment: where some reader would
 * take a part of it for the host or port.
 */
#include "rules/rules.h"

#define LDHU (ALNUM | HYPHEN | UNDERSCORE)

/* The kinds of octets in the tail. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static uint32_t tail_seen(const struct subject *s)
{
	return s->seen.in[URIVET_PATH] | s->seen.in[URIVET_QUERY] | s->seen.in[URIVET_FRAGMENT];
}

/* Where the tail begins: at the path. */
/*@ requires judging(s);
    assigns \nothing;
    ensures \result <= URIVET_MAX_LENGTH; */
static uint32_t tail_start(const struct subject *s)
{
	return s->report->uri.part[URIVET_PATH].offset;
}

/* G11: a query or fragment directly after the authority. */
/*@ ADDS_FINDINGS(s); */
static void tail_after_authority(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const bool query = urivet_has(uri, URIVET_QUERY);
	const enum urivet_component c = query ? URIVET_QUERY : URIVET_FRAGMENT;
	if (urivet_has(uri, c))
		urivet_add(
		    s, query ? URIVET_F_QUERY_AFTER_EMPTY_PATH : URIVET_F_FRAGMENT_AFTER_EMPTY_PATH,
		    c, uri->part[c].offset, span_end(uri->part[c]));
}

/* G9: after an IPv6 host without a port, neon takes a number in the path for the port. */
/*@ ADDS_FINDINGS(s); */
static void ipv6_path_digit(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const uint32_t at = tail_start(s);
	if (uri->host_kind == URIVET_HOST_IPV6 && !urivet_has(uri, URIVET_PORT) &&
	    octet(s->t, at) == '/' && is(s->t, at + 1, DIGIT | PLUS | HYPHEN))
		urivet_add(s, URIVET_F_IPV6_PATH_DIGIT, URIVET_PATH, at + 1,
			   skip(s->t, at + 1, DIGIT | PLUS | HYPHEN));
}

/* The component of the tail that an octet lies in. (The authority may be that of a Host field,
 * whose offsets do not compare.) */
/*@ requires judging(s);
    assigns \nothing;
    ensures URIVET_PATH <= \result <= URIVET_FRAGMENT; */
static enum urivet_component tail_component(const struct subject *s, uint32_t at)
{
	const struct urivet_uri *uri = &s->report->uri;
	if (urivet_has(uri, URIVET_FRAGMENT) && at >= uri->part[URIVET_FRAGMENT].offset)
		return URIVET_FRAGMENT;
	return urivet_has(uri, URIVET_QUERY) && at >= uri->part[URIVET_QUERY].offset ? URIVET_QUERY
										     : URIVET_PATH;
}

/* Where the run of LDHU and dots that ends at `end` begins, if there is a dot in it; else `end`. */
/*@ requires readable(t) && at <= end <= t.end;
    assigns \nothing;
    ensures at <= \result <= end; */
static uint32_t dotted_text(struct text t, uint32_t at, uint32_t end)
{
	uint32_t start = end;
	bool dotted = false;
	/*@ loop invariant at <= start <= end;
	    loop assigns start, dotted;
	    loop variant start; */
	while (start > at && is(t, start - 1, LDHU | DOT)) {
		start--;
		dotted = dotted || octet(t, start) == '.';
	}
	return dotted ? start : end;
}

bool urivet_has_port_in_tail(struct text t, uint32_t at, struct urivet_span *where)
{
	const uint32_t colon = find(t, at, COLON);
	const uint32_t end = skip(t, colon + 1, DIGIT);
	uint32_t text;
	if (colon >= t.end || end == colon + 1 ||
	    (end != t.end && !is(t, end, SLASH | QUESTION | HASH)))
		return false;
	text = dotted_text(t, at, colon);
	*where = span(text, end);
	return text < colon;
}

/* G12: if there is no port, OpenSSL takes the first colon of the tail for the one before the
 * port, and all that comes before it for the host. If there is a dot in the text right in front of
 * that colon, the host ends like a domain. */
/*@ ADDS_FINDINGS(s); */
static void colon_port(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	struct urivet_span where;
	if (urivet_has(uri, URIVET_PORT) || uri->host_kind == URIVET_HOST_IPV6 ||
	    !urivet_has_port_in_tail(s->t, tail_start(s), &where))
		return;
	urivet_add(s, URIVET_F_COLON_PORT_IN_TAIL,
		   tail_component(s, find(s->t, where.offset, COLON)), where.offset,
		   span_end(where));
}

/*@ ADDS_FINDINGS(s); */
static void colon_digits(struct subject *s)
{
	uint32_t at = find(s->t, tail_start(s), COLON);
	/*@ loop invariant judging(s);
	    loop invariant at < s->t.end ==> stands(s->t, at, COLON);
	    loop assigns at, FOUND(s);
	    loop variant s->t.end - at; */
	while (at < s->t.end) {
		const uint32_t end = skip(s->t, at, COLON); /* digits follow the last of a run */
		if (is(s->t, end, DIGIT))
			urivet_add(s, URIVET_F_TAIL_COLON_DIGITS, tail_component(s, end - 1),
				   end - 1, skip(s->t, end, DIGIT));
		at = find(s->t, end, COLON);
	}
}

void urivet_rules_tail(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const uint32_t seen = tail_seen(s);
	const bool authority = urivet_has(uri, URIVET_AUTHORITY);
	if (s->web && authority && uri->part[URIVET_PATH].length == 0)
		tail_after_authority(s);
	if (s->web && authority)
		ipv6_path_digit(s);
	if ((seen & COLON) && s->web)
		colon_port(s);
	if (is_verdict_only(s))
		return; /* the rest is notes */
	if (seen & COLON)
		colon_digits(s);
	if (seen & APOSTROPHE)
		/*@ loop invariant judging(s) && URIVET_PATH <= c <= URIVET_FRAGMENT + 1;
		    loop assigns c, FOUND(s);
		    loop variant URIVET_FRAGMENT - c; */
		for (unsigned c = URIVET_PATH; c <= URIVET_FRAGMENT; c++)
			urivet_add_runs(s, URIVET_F_TAIL_APOSTROPHE, c, APOSTROPHE);
}
