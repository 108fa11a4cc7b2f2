/* SPDX-License-Identifier: Apache-2.0 */
/* Reads by an edition of the standard: one parser for all rows of edition.c. */
#include "readers/reader.h"

#include "uri/host.h"
#include "uri/ip.h"

/* ---- Splitting ---------------------------------------------------------------- */

static void found(struct urivet_uri *uri, const struct edition *e, enum urivet_component c,
		  uint32_t offset, uint32_t end)
{
	if (offset == end && e->empty_is_undefined && c != URIVET_PATH && c != URIVET_AUTHORITY)
		return;
	uri->part[c] = span(offset, end);
	uri->present |= 1u << c;
}

/* Splits off scheme ":". Returns the offset after the colon, or 0 if there is no scheme. */
static uint32_t split_edition_scheme(struct text t, const struct edition *e, struct urivet_uri *uri)
{
	const uint32_t end = skip(t, 0, SCHEMECHAR);
	if (end == 0 || octet(t, end) != ':' || (!e->any_first && !is(t, 0, ALPHA)))
		return 0;
	found(uri, e, URIVET_SCHEME, 0, end);
	uri->scheme = urivet_scheme_number(t, end);
	return end + 1;
}

/* Splits fragment, scheme, authority, query and path in the order of 1996, 7.4. Later editions give
 * the same result, except that an authority of 1996 ends only at "/". */
static void split_by_edition(struct text t, const struct edition *e, struct urivet_uri *uri)
{
	const uint32_t hash = find(t, 0, HASH);
	uint32_t at, end, mark;
	if (hash < t.end)
		found(uri, e, URIVET_FRAGMENT, hash + 1, t.end);
	t = until(t, hash);
	at = split_edition_scheme(t, e, uri);
	if (has_word(t, at, "//")) {
		end = find(t, at + 2, SLASH | (e->slash_ends_location ? 0 : QUESTION));
		found(uri, e, URIVET_AUTHORITY, at + 2, end);
		at = end;
	}
	mark = find(t, at, QUESTION);
	if (e->opaque && urivet_has(uri, URIVET_SCHEME) &&
	    at == uri->part[URIVET_SCHEME].length + 1 && octet(t, at) != '/')
		mark = t.end;
	if (mark < t.end)
		found(uri, e, URIVET_QUERY, mark + 1, t.end);
	found(uri, e, URIVET_PATH, at, mark);
}

/* ---- Hosts -------------------------------------------------------------------- */

/* IPv4address = 1*digit "." 1*digit "." 1*digit "." 1*digit. Sets the address if each number is
 * below 256 in decimal. */
static bool digits_ipv4(struct text t, uint32_t at, struct urivet_uri *uri)
{
	bool fits = true;
	for (unsigned k = 0; k < 4; k++) {
		uint32_t value = 0, i = at;
		for (; is(t, i, DIGIT); i++)
			value = value > 255 ? 256 : value * 10 + (octet(t, i) - '0');
		if (i == at || octet(t, i) != (k < 3 ? '.' : AT_END))
			return false;
		fits = fits && value <= 255;
		uri->address[k] = (uint8_t)(value & 255);
		at = i + 1;
	}
	uri->has_ipv4 = fits;
	return true;
}

/* hostname = *( domainlabel "." ) toplabel [ "." ], as the edition restricts it */
static bool hostname(struct text t, uint32_t at, const struct edition *e)
{
	struct name_facts f;
	if (at >= t.end || skip(t, at, ALNUM | HYPHEN | DOT) < t.end)
		return false;
	urivet_name_facts(t, at, e->max_label > 0 ? e->max_label : UINT32_MAX, &f);
	if (f.final_dot && (e->final_dot == 0 || f.labels < e->final_dot))
		return false;
	/* an edition that allows a numeric last label does not allow it before a final dot */
	return !f.empty_label && !f.bad_hyphen && !f.long_label &&
	       (is(t, f.last.offset, ALPHA) || (e->numeric_top && !f.final_dot));
}

/* host = hostname / IPv4address / IPv6reference */
static bool host(struct text t, struct urivet_span h, const struct edition *e,
		 struct urivet_uri *uri)
{
	bool dotted;
	t = within(t, h);
	if (e->ipv6 && octet(t, h.offset) == '[' && h.length > 2 && octet(t, t.end - 1) == ']' &&
	    urivet_ipv6_address(until(t, t.end - 1), h.offset + 1, uri->address, &dotted)) {
		uri->host_kind = URIVET_HOST_IPV6;
		uri->part[URIVET_HOST] = span(h.offset + 1, t.end - 1);
		return true;
	}
	if (e->digits_ipv4 ? digits_ipv4(t, h.offset, uri)
			   : urivet_ipv4_address(t, h.offset, uri->address)) {
		uri->host_kind = URIVET_HOST_IPV4;
		uri->has_ipv4 = e->digits_ipv4 ? uri->has_ipv4 : 1;
		return true;
	}
	uri->host_kind = URIVET_HOST_NAME;
	return hostname(t, h.offset, e);
}

/* ---- Authorities ---------------------------------------------------------------- */

static bool userinfo(struct text t, struct urivet_span u, const struct edition *e)
{
	const uint32_t colon = find(within(t, u), u.offset, COLON);
	if (e->one_colon && find(within(t, u), colon + 1, COLON) < span_end(u))
		return false;
	return urivet_match_kinds(t, u, e->userinfo, false) == span_end(u);
}

/* Returns the last octet of these kinds outside brackets, or the end. */
static uint32_t find_last(struct text t, uint32_t at, uint32_t kinds)
{
	uint32_t last = t.end;
	bool bracket = false;
	for (; at < t.end; at++) {
		if (is(t, at, LBRACKET | RBRACKET))
			bracket = is(t, at, LBRACKET);
		else if (!bracket && is(t, at, kinds))
			last = at;
	}
	return last;
}

/* server = [ [ userinfo "@" ] host [ ":" port ] ]; 1996 calls it login */
static bool server(struct text t, const struct edition *e, struct urivet_uri *uri)
{
	const struct urivet_span a = uri->part[URIVET_AUTHORITY];
	const struct text at_sign = within(t, a);
	const uint32_t at = find_last(at_sign, a.offset, AT);
	const uint32_t start = at < at_sign.end ? at + 1 : a.offset;
	const uint32_t colon = find_last(at_sign, start, COLON);
	found(uri, e, URIVET_HOST, start, colon);
	if (a.length == 0)
		return true;
	if (at < at_sign.end)
		uri->present |= 1u << URIVET_USERINFO;
	uri->part[URIVET_USERINFO] = span(a.offset, at < at_sign.end ? at : a.offset);
	if (colon < at_sign.end)
		found(uri, e, URIVET_PORT, colon + 1, at_sign.end);
	return userinfo(t, uri->part[URIVET_USERINFO], e) && host(t, span(start, colon), e, uri) &&
	       (colon >= at_sign.end || skip(at_sign, colon + 1, DIGIT) == at_sign.end) &&
	       (!e->port_digits || colon + 1 != at_sign.end);
}

/* An authority that is not a server: all of it is a registry name. */
static bool registry(struct text t, const struct edition *e, struct urivet_uri *uri)
{
	const struct urivet_span a = uri->part[URIVET_AUTHORITY], none = {0, 0};
	uri->present &= ~(1u << URIVET_USERINFO | 1u << URIVET_PORT);
	uri->part[URIVET_USERINFO] = uri->part[URIVET_PORT] = none;
	uri->has_ipv4 = 0;
	uri->host_kind = URIVET_HOST_REGISTRY;
	found(uri, e, URIVET_HOST, a.offset, span_end(a));
	return urivet_match_kinds(t, a, e->registry, false) == span_end(a);
}

/* ---- Whole references ------------------------------------------------------------- */

static bool path(struct text t, const struct edition *e, const struct urivet_uri *uri)
{
	const struct urivet_span p = uri->part[URIVET_PATH];
	const bool scheme = urivet_has(uri, URIVET_SCHEME);
	const bool location = urivet_has(uri, URIVET_AUTHORITY);
	const bool opaque = e->opaque && scheme && !location && octet(t, p.offset) != '/';
	const uint32_t colon = find(within(t, p), p.offset, SLASH | COLON);
	if (!scheme && !location && !e->colon_in_first_segment && octet(within(t, p), colon) == ':')
		return false;
	if (!scheme && e->full_first_segment && has_word(within(t, p), p.offset, "//"))
		return false;
	return urivet_match_kinds(t, p, opaque ? e->opaque_path : e->path, false) == span_end(p);
}

static bool uric(struct text t, const struct edition *e, struct urivet_span s)
{
	return urivet_match_kinds(t, s, e->query, false) == span_end(s);
}

static bool read_edition(struct text t, const struct edition *e, struct urivet_uri *uri)
{
	static const struct urivet_uri empty;
	*uri = empty;
	uri->present = 1u << URIVET_WHOLE;
	uri->part[URIVET_WHOLE] = span(0, t.end);
	split_by_edition(t, e, uri);
	if (urivet_has(uri, URIVET_AUTHORITY) && !server(t, e, uri) && !registry(t, e, uri))
		return false;
	uri->port =
	    uri->host_kind == URIVET_HOST_REGISTRY ? URIVET_NO_PORT : urivet_effective_port(t, uri);
	return path(t, e, uri) && uric(t, e, uri->part[URIVET_QUERY]) &&
	       uric(t, e, uri->part[URIVET_FRAGMENT]);
}

bool urivet_read_standard(struct text t, const struct edition *e, struct urivet_uri *uri)
{
	static const struct leniency none;
	struct kinds_seen seen;
	uint32_t misfit;
	if (!e->appendix_a)
		return read_edition(t, e, uri);
	urivet_split(t, SPLIT_REFERENCE, uri, &seen);
	return urivet_match(t, uri, &seen, &none, &misfit);
}

bool urivet_read_reference(struct reference *r, const struct edition *e, const void *data,
			   size_t length)
{
	struct urivet_span path;
	uint32_t params;
	if (data == NULL)
		length = 0;
	if (length > URIVET_MAX_LENGTH)
		return false;
	r->text.data = data;
	r->text.end = (uint32_t)length;
	if (!urivet_read_standard(r->text, e, &r->uri))
		return false;
	path = r->uri.part[URIVET_PATH];
	params = span_end(path);
	if (e->params)
		params = find(within(r->text, path), path.offset, SEMICOLON);
	r->params = span(params, span_end(path));
	r->uri.part[URIVET_PATH] = span(path.offset, params);
	return true;
}
