/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises plain URLs octet by octet. */
#include "plain/plain.h"

static const struct plain not_plain = {0, 0, 0, 0, 0};

uint32_t urivet_plain_scheme(struct text t)
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

/* Parses the rest of a URL whose name lies between these offsets. */
/*@ requires readable(t) && (host == 7 || host == 8) && host < path <= t.end;
    requires path <= UINT16_MAX;
    assigns \nothing;
    ensures plain_in(\result, t.end); */
static struct plain with_name(struct text t, uint32_t host, uint32_t path)
{
	struct plain p = {(uint16_t)host, (uint16_t)path, 0, 0, 0};
	struct tail tail;
	if (path < t.end && octet(t, path) != '/')
		return not_plain;
	tail = urivet_tail_by_octet(t, path);
	if ((tail.path & ODD_IN_PATH) != 0 || tail.beside_slash != 0 ||
	    tail.path_end - path > PLAIN_PATH || (tail.query & ~(uint32_t)PLAIN_QUERY) != 0 ||
	    plain_fragment(t, tail.query_end) < t.end)
		return p;
	p.tail = tail.path_end;
	p.fragment = tail.query_end;
	p.query = tail.query & TELLING_IN_QUERY;
	return p;
}

struct plain urivet_plain_by_octet(struct text t)
{
	const uint32_t host = urivet_plain_scheme(t),
		       path = host > 0 ? urivet_plain_name(t, host) : 0;
	return path > 0 ? with_name(t, host, path) : not_plain;
}
