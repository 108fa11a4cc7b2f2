/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises plain URLs octet by octet. */
#include "plain/plain.h"

#define SEGMENT        (UNRESERVED | PLAINSUB | AMPERSAND | PLUS | EQUALS | AT)
#define PLAIN_QUERY    (SEGMENT | SLASH | QUESTION | SEMICOLON)
#define PLAIN_FRAGMENT (SEGMENT | SEMICOLON)

static const struct plain not_plain = {0, 0, 0, 0, 0};

/* Returns the offset of the host after "http://" or "https://", or 0. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result == 0 || \result == 7 || \result == 8;
    ensures \result <= t.end; */
static uint32_t plain_scheme(struct text t)
{
	const uint32_t colon = octet(t, 4) == 's' ? 5 : 4;
	if (octet(t, 0) != 'h' || octet(t, 1) != 't' || octet(t, 2) != 't' || octet(t, 3) != 'p' ||
	    octet(t, colon) != ':' || octet(t, colon + 1) != '/' || octet(t, colon + 2) != '/')
		return 0;
	return colon + 3;
}

/* Returns true if this dot or hyphen is between two digits, as in an address. */
/*@ requires readable(t) && 0 < separator <= t.end;
    assigns \nothing; */
static bool joins_digits(struct text t, uint32_t separator)
{
	return is(t, separator - 1, DIGIT) && is(t, separator + 1, DIGIT);
}

uint32_t urivet_plain_name(struct text t, uint32_t at)
{
	const uint32_t start = at;
	uint32_t label = at, end;
	/*@ loop invariant start <= label <= at && (at <= t.end || at == t.end + 1);
	    loop assigns at, label, end;
	    loop variant t.end + 1 - at; */
	while ((end = skip(t, at, LOWER | DIGIT)) > at) {
		const unsigned c = octet(t, end);
		if (end - start > PLAIN_NAME || end - label > PLAIN_LABEL)
			return 0;
		if (c != '-' && c != '.')
			return is(t, label, LOWER) ? end : 0;
		if (joins_digits(t, end))
			return 0;
		at = end + 1;
		label = c == '.' ? at : label;
	}
	return 0;
}

/* Parses a path: segments that neither begin nor end with a dot; only the last may be empty.
 * Returns its end, or 0 if it is not plain. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result == 0 || at <= \result <= t.end; */
static uint32_t plain_path(struct text t, uint32_t at)
{
	uint32_t segments = 0;
	/*@ loop invariant \at(at, Pre) <= at <= t.end && segments <= PLAIN_SEGMENTS;
	    loop assigns at, segments;
	    loop variant t.end - at; */
	while (octet(t, at) == '/') {
		const uint32_t segment = at + 1;
		if (is(t, segment, DOT | SLASH))
			return 0;
		at = skip(t, segment, SEGMENT);
		if (octet(t, at - 1) == '.' || ++segments > PLAIN_SEGMENTS)
			return 0;
	}
	return at;
}

/* Returns the end of the fragment that begins with the "#" at `at`, or `at` if there is none. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t plain_fragment(struct text t, uint32_t at)
{
	const unsigned first = octet(t, at + 1);
	if (octet(t, at) != '#' || first == '.' || first == '!')
		return at;
	return skip(t, at + 1, PLAIN_FRAGMENT);
}

/* Returns the kinds of TELLING_IN_QUERY that occur from `at` up to `end`. */
/*@ requires readable(t);
    assigns \nothing; */
static uint32_t kinds_telling(struct text t, uint32_t at, uint32_t end)
{
	uint32_t kinds = 0;
	/*@ loop invariant \at(at, Pre) <= at;
	    loop assigns at, kinds;
	    loop variant end - at; */
	for (; at < end; at++)
		kinds |= kind(t, at);
	return kinds & TELLING_IN_QUERY;
}

/* Parses path and query from `path` on, with octets of these kinds in the query. The fragment
 * begins where they end; the tail is 0 if the path is not plain. */
/*@ requires readable(t) && path <= t.end && path <= UINT16_MAX && host <= UINT16_MAX;
    assigns \nothing;
    ensures \result.host == host && \result.path == path;
    ensures \result.tail == 0 || path <= \result.tail <= \result.fragment <= t.end; */
static inline struct plain path_and_query(struct text t, uint32_t host, uint32_t path,
					  uint32_t in_query)
{
	struct plain p = {(uint16_t)host, (uint16_t)path, plain_path(t, path), 0, 0};
	p.fragment = p.tail;
	if (octet(t, p.tail) == '?') {
		p.fragment = skip(t, p.tail + 1, in_query);
		p.query = kinds_telling(t, p.tail + 1, p.fragment);
	}
	return p;
}

/* Parses the rest of a URL whose name lies between these offsets. */
/*@ requires readable(t) && (host == 7 || host == 8) && host < path <= t.end;
    requires path <= UINT16_MAX;
    assigns \nothing;
    ensures plain_in(\result, t.end); */
static struct plain with_name(struct text t, uint32_t host, uint32_t path)
{
	const struct plain p = path_and_query(t, host, path, PLAIN_QUERY);
	if (p.tail == 0 || (p.tail == path && p.tail < t.end))
		return not_plain;
	return plain_fragment(t, p.fragment) < t.end ? not_plain : p;
}

struct plain urivet_plain_by_octet(struct text t)
{
	const uint32_t host = plain_scheme(t), path = host > 0 ? urivet_plain_name(t, host) : 0;
	return path > 0 ? with_name(t, host, path) : not_plain;
}

bool urivet_plain_target(struct text t, struct plain *p)
{
	*p = path_and_query(t, 0, 0, PLAIN_QUERY | COLON);
	return p->tail > 0 && p->fragment == t.end;
}

uint32_t urivet_uri_end_by_octet(struct text t)
{
	return find(t, 0, BLANK | HIGH | FORBIDDEN);
}
