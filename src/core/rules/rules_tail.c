/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about the tail (path, query and fragment): some reader may take a part of it for the host
 * or port.
 */
#include "rules/rules.h"

#define LDHU (ALNUM | HYPHEN | UNDERSCORE)

/* Returns the kinds of octets in the tail. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static uint32_t tail_seen(const struct subject *s)
{
	return s->seen.in[URIVET_PATH] | s->seen.in[URIVET_QUERY] | s->seen.in[URIVET_FRAGMENT];
}

/* Returns the start of the tail, which is that of the path. */
/*@ requires judging(s);
    assigns \nothing;
    ensures \result <= URIVET_MAX_LENGTH; */
static uint32_t tail_start(const struct subject *s)
{
	return s->report->uri.part[URIVET_PATH].offset;
}

/* G11: reports a query or fragment directly after the authority. */
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

/* G9: reports a number in the path after an IPv6 host without a port. neon reads it as the port. */
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

/* Returns the component of the tail that contains an octet. The authority may come from a Host
 * field, so its offsets do not compare. */
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

/* Returns the start of the run of LDHU and dots that ends at `end`, if it has a dot; else `end`. */
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

/* G12: without a port, OpenSSL treats the first colon of the tail as the port separator, and all
 * text before it as the host. If the text right before that colon has a dot, the host ends like a
 * domain. */
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
		return; /* the rest are notes */
	if (seen & COLON)
		colon_digits(s);
	if (seen & APOSTROPHE)
		/*@ loop invariant judging(s) && URIVET_PATH <= c <= URIVET_FRAGMENT + 1;
		    loop assigns c, FOUND(s);
		    loop variant URIVET_FRAGMENT - c; */
		for (unsigned c = URIVET_PATH; c <= URIVET_FRAGMENT; c++)
			urivet_add_runs(s, URIVET_F_TAIL_APOSTROPHE, c, APOSTROPHE);
}
