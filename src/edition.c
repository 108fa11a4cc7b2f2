/* SPDX-License-Identifier: Apache-2.0 */
/* The editions, and references as they cut them. */
#include "edition.h"

#include "host.h"

/* 1997, 2.3: unreserved = alphanum | mark */
#define UNRESERVED_1997 (ALNUM | HYPHEN | DOT | UNDERSCORE | TILDE | PLAINSUB | APOSTROPHE)
/* 1996, 4: unreserved = alpha | digit | safe | extra. The tilde is "national". */
#define UNRESERVED_1996 (ALNUM | HYPHEN | DOT | UNDERSCORE | PLAINSUB | APOSTROPHE)

static const struct edition editions[] = {
    [URIVET_READER_RFC3986] =
	{
	    .ipv6 = true,
	    .ipvfuture = true,
	    .empty_path_is_base = true,
	    .empty_is_root = true,
	    .reference_dots = DOTS_REMOVED,
	    .merged_dots = DOTS_REMOVED,
	    .undone = UNRESERVED,
	    .undone_http = UNRESERVED,
	    .rooted_dots = DOTS_REMOVED,
	    .escaped_dots = true,
	    .final_slash = true,
	    .guard = GUARD_DOUBLE_SLASH,
	},
    [URIVET_READER_URI_2003] =
	{
	    .ipv6 = true,
	    .registry = true,
	    .same_document = true,
	    .empty_path_is_base = true,
	    .empty_is_root = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 2.3: "URI normalization processes may unescape sequences in the
	     * ranges of ALPHA, DIGIT, underscore or tilde without fear of
	     * creating a conflict, but unescaping the other mark characters is
	     * usually counterproductive." */
	    .undone = ALNUM | UNDERSCORE | TILDE,
	    .undone_http = ALNUM | UNDERSCORE | TILDE,
	    /* 6.2.2.3: "by merging the two in accordance with the relative URI
	     * processing algorithm" */
	    .rooted_dots = DOTS_KEPT_ABOVE,
	},
    [URIVET_READER_URI_1997] =
	{
	    .digit_scheme = true,
	    .registry = true,
	    .same_document = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 2.4.2: "If the given URI scheme defines a canonicalization algorithm,
	     * then unreserved characters may be unescaped according to that
	     * algorithm. For example, "%7e" is sometimes used instead of "~" in an
	     * http URL path, but the two are equivalent for an http URL." */
	    .undone = ALNUM,
	    .undone_http = UNRESERVED_1997,
	    /* 5: "these path components are only considered special when
	     * resolving a relative-path reference" */
	    .rooted_dots = DOTS_STAY,
	},
    [URIVET_READER_URL_1997] =
	{
	    .digit_scheme = true,
	    .registry = true,
	    .same_document = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 2.4.2: "some of the unreserved "mark" characters are automatically
	     * escaped by some systems. It is safe to unescape these within the
	     * body of a URL." */
	    .undone = UNRESERVED_1997,
	    .undone_http = UNRESERVED_1997,
	    .rooted_dots = DOTS_STAY,
	},
    [URIVET_READER_URL_1996] =
	{
	    .digit_scheme = true,
	    .registry = true,
	    .params = true,
	    .empty_path_is_base = true,
	    .empty_is_root = true,
	    .empty_is_undefined = true,
	    .merged_dots = DOTS_KEPT_ABOVE,
	    /* 3.2.3: "Usually a URL has the same interpretation when an octet is
	     * represented by a character and when it is encoded. However, this is
	     * not true for reserved characters". */
	    .undone = UNRESERVED_1996,
	    .undone_http = UNRESERVED_1996,
	    .rooted_dots = DOTS_STAY,
	},
};

const struct edition *urivet_edition(unsigned reader)
{
	return reader < sizeof editions / sizeof editions[0] ? &editions[reader] : NULL;
}

/* ---- Authority ---------------------------------------------------------------- */

/* hostname: labels of letters, digits and, inside, hyphens */
static bool is_hostname(struct text t, struct urivet_span host)
{
	struct name_facts facts;
	t = within(t, host);
	urivet_name_facts(t, host.offset, UINT32_MAX, &facts);
	return skip(t, host.offset, ALNUM | HYPHEN | DOT) == t.end && !facts.empty_label &&
	       !facts.bad_hyphen;
}

/* 1997, 4.3.1: "site = server | authority"; server = [ [ userinfo "@" ] hostport ].
 * Of a registry's name no part has a meaning that all schemes share. */
static void set_registry(struct text t, struct urivet_uri *uri)
{
	const struct urivet_span none = {0, 0};
	if (uri->part[URIVET_AUTHORITY].length == 0 || uri->host_kind == URIVET_HOST_IPV6 ||
	    is_hostname(t, uri->part[URIVET_HOST]))
		return;
	uri->present &= ~(1u << URIVET_USERINFO | 1u << URIVET_PORT);
	uri->part[URIVET_USERINFO] = uri->part[URIVET_PORT] = none;
	uri->part[URIVET_HOST] = uri->part[URIVET_AUTHORITY];
	uri->host_kind = URIVET_HOST_REGISTRY;
	uri->port = URIVET_NO_PORT;
	uri->has_ipv4 = 0;
}

static bool has_literal(const struct edition *e, const struct urivet_uri *uri)
{
	return (uri->host_kind != URIVET_HOST_IPV6 || e->ipv6) &&
	       (uri->host_kind != URIVET_HOST_IPVFUTURE || e->ipvfuture);
}

/* ---- Cutting as in 1996 ------------------------------------------------------------ */

static uint32_t found(struct urivet_uri *uri, enum urivet_component c, uint32_t from, uint32_t to)
{
	uri->part[c] = span(from, to);
	uri->present |= 1u << c;
	return to;
}

/* Cuts off what begins with the first of `kinds` behind `at`: where, or the end. */
static uint32_t cut_off(struct text *t, uint32_t at, uint32_t kinds)
{
	const uint32_t end = find(*t, at, kinds);
	*t = until(*t, end);
	return end;
}

/* 1996, 7: fragment, scheme, network location "up to, but not including, the
 * next slash", query, parameters, path, each cut off before the next is looked
 * for. Scheme and fragment are where appendix B has them. */
static void cut_1996(struct reference *r)
{
	struct urivet_uri *uri = &r->uri;
	struct text t = r->text;
	uint32_t at = urivet_has(uri, URIVET_SCHEME) ? span_end(uri->part[URIVET_SCHEME]) + 1 : 0;
	uint32_t end = cut_off(&t, at, HASH), whole = end;
	if (urivet_has(uri, URIVET_AUTHORITY)) {
		const uint32_t slash = find(t, at + 2, SLASH);
		if (slash > span_end(uri->part[URIVET_AUTHORITY]))
			found(uri, URIVET_HOST, at + 2, slash); /* with its "?", no host */
		at = found(uri, URIVET_AUTHORITY, at + 2, slash);
	}
	uri->present &= ~(1u << URIVET_QUERY);
	end = cut_off(&t, at, QUESTION);
	uri->part[URIVET_QUERY] = span(end, end);
	if (end < whole)
		found(uri, URIVET_QUERY, end + 1, whole);
	whole = end;
	end = cut_off(&t, at, SEMICOLON);
	r->params = span(end, whole);
	found(uri, URIVET_PATH, at, end);
}

bool urivet_read_reference(struct reference *r, const struct edition *e, const void *data,
			   size_t length)
{
	static const struct leniency none;
	struct kinds_seen seen;
	struct urivet_uri *uri = &r->uri;
	uint32_t misfit;
	if (length > URIVET_MAX_LENGTH)
		return false;
	r->text.data = data;
	r->text.end = (uint32_t)length;
	urivet_cut(r->text, CUT_REFERENCE, uri, &seen);
	if (e->digit_scheme && uri->scheme == URIVET_SCHEME_NONE &&
	    (seen.in[URIVET_SCHEME] & ~(uint32_t)SCHEMECHAR) == 0)
		uri->scheme = urivet_has(uri, URIVET_SCHEME) ? URIVET_SCHEME_OTHER : 0;
	if (!urivet_match(r->text, uri, &seen, &none, &misfit) || !has_literal(e, uri))
		return false;
	r->params = span(r->text.end, r->text.end);
	if (e->params)
		cut_1996(r);
	if (e->registry && urivet_has(uri, URIVET_AUTHORITY))
		set_registry(r->text, uri);
	return true;
}
