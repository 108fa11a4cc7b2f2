/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The short way: most URLs are a lower-case scheme, a name of letters and
 * hyphens, and a path in which no octet means anything to any rule.
 */
#include "plain.h"

/* Octets that no rule looks at, by component. Left out are those of which some
 * rule has a word to say, if only a note: ":" "'" ";" "%" everywhere, "=" "&"
 * "+" "?" where keys and values are looked at, "~" in the fragment. */
#define PLAIN_SEGMENT  (UNRESERVED | PLAINSUB | AMPERSAND | PLUS | EQUALS | AT)
#define PLAIN_QUERY    (UNRESERVED | PLAINSUB | AT | SLASH | QUESTION)
#define PLAIN_FRAGMENT (ALNUM | HYPHEN | DOT | UNDERSCORE | PLAINSUB | AT | SLASH)

/* Longer paths may have too many segments. */
#define PLAIN_PATH_LENGTH 256

/* "http://" or "https://": where the host begins, or 0. */
static uint32_t plain_scheme(struct text t, uint8_t *scheme)
{
	const bool secure = octet(t, 4) == 's';
	const uint32_t colon = secure ? 5 : 4;
	*scheme = secure ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	if (octet(t, 0) != 'h' || octet(t, 1) != 't' || octet(t, 2) != 't' || octet(t, 3) != 'p' ||
	    octet(t, colon) != ':' || octet(t, colon + 1) != '/' || octet(t, colon + 2) != '/')
		return 0;
	return colon + 3;
}

/* Labels of lower-case letters with single hyphens inside (two might begin an
 * A-label), parted by single dots: where the path begins, or 0. */
static uint32_t plain_host(struct text t, uint32_t at, const struct urivet_policy *policy)
{
	const uint32_t start = at;
	uint32_t label = at, end;
	while ((end = skip(t, at, LOWER)) > at) {
		const unsigned c = octet(t, end);
		if (c != '-' && end - label > policy->max_label)
			return 0;
		if (c == '/')
			return end - start <= policy->max_host ? end : 0;
		if (c != '-' && c != '.')
			return 0;
		at = end + 1;
		label = c == '.' ? at : label;
	}
	return 0;
}

/* Segments that neither begin nor end with a dot, none empty but the last:
 * where the path ends, or 0. */
static uint32_t plain_path(struct text t, uint32_t at)
{
	const uint32_t limit = at + PLAIN_PATH_LENGTH;
	while (octet(t, at) == '/') {
		const uint32_t segment = at + 1;
		if (is(t, segment, DOT | SLASH))
			return 0;
		at = skip(t, segment, PLAIN_SEGMENT);
		if (octet(t, at - 1) == '.' || at > limit)
			return 0;
	}
	return at;
}

/* The component of these octets behind the delimiter: its end. */
static uint32_t plain_rest(struct text t, uint32_t delimiter, uint32_t kinds,
			   enum urivet_component c, struct urivet_uri *uri)
{
	const uint32_t end = skip(t, delimiter + 1, kinds);
	uri->part[c] = span(delimiter + 1, end);
	uri->present |= 1u << c;
	return end;
}

bool urivet_is_plain(struct subject *s)
{
	static const struct urivet_uri empty;
	struct urivet_uri *uri = &s->report->uri;
	uint8_t scheme;
	const uint32_t host = plain_scheme(s->t, &scheme);
	const uint32_t path = host > 0 ? plain_host(s->t, host, s->policy) : 0;
	uint32_t at;
	if (path == 0 || (s->policy->schemes >> scheme & 1) == 0)
		return false;
	at = plain_path(s->t, path);
	if (at == 0)
		return false;
	*uri = empty;
	uri->scheme = scheme;
	uri->host_kind = URIVET_HOST_NAME;
	uri->port = scheme == URIVET_SCHEME_HTTPS ? 443 : 80;
	uri->present = 1u << URIVET_WHOLE | 1u << URIVET_SCHEME | 1u << URIVET_AUTHORITY |
		       1u << URIVET_HOST | 1u << URIVET_PATH;
	uri->part[URIVET_WHOLE] = span(0, s->t.end);
	uri->part[URIVET_SCHEME] = span(0, host - 3);
	uri->part[URIVET_AUTHORITY] = span(host, path);
	uri->part[URIVET_HOST] = span(host, path);
	uri->part[URIVET_PATH] = span(path, at);
	if (octet(s->t, at) == '?' && at + 1 < s->t.end && octet(s->t, at + 1) != '#')
		at = plain_rest(s->t, at, PLAIN_QUERY, URIVET_QUERY, uri);
	if (octet(s->t, at) == '#' && at + 1 < s->t.end)
		at = plain_rest(s->t, at, PLAIN_FRAGMENT, URIVET_FRAGMENT, uri);
	s->report->parsed = at == s->t.end;
	return at == s->t.end;
}
