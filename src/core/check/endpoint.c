/* SPDX-License-Identifier: Apache-2.0 */
/* The endpoint of an accepted URL: where to connect and what to request. It is composed only of the
 * components that were judged. */
#include <string.h>

#include "check/check.h"
#include "text/out.h"
#include "uri/ip.h"

/* The size of the smallest endpoint, that of version 0.2: see text/sized.h. */
#define ENDPOINT_LEAST sizeof(struct urivet_endpoint)

/* ---- Which reports have an endpoint ------------------------------------------------ */

/* Returns true if the finding means that readers may differ about where the URL leads. They all
 * agree about a userinfo. */
/*@ requires \valid_read(f);
    assigns \nothing; */
static bool leaves_open(const struct urivet_finding *f)
{
	const bool differ = f->class_ == URIVET_MALFORMED || f->class_ == URIVET_AMBIGUOUS;
	return differ && f->component <= URIVET_PATH && f->id != URIVET_F_USERINFO_PRESENT;
}

/*@ requires \valid_read(report) && report->count <= URIVET_MAX_FINDINGS;
    assigns \nothing; */
static bool is_one_place(const struct urivet_report *report)
{
	/*@ loop invariant k <= report->count;
	    loop assigns k;
	    loop variant report->count - k; */
	for (uint32_t k = 0; k < report->count; k++)
		if (leaves_open(&report->finding[k]))
			return false;
	return report->dropped == 0;
}

/* Returns true if the host is a name, or an address in the form of the grammar. */
/*@ requires \valid_read(uri);
    assigns \nothing; */
static bool is_plain_host(const struct urivet_uri *uri)
{
	return uri->host_kind == URIVET_HOST_IPV4 || uri->host_kind == URIVET_HOST_IPV6 ||
	       (uri->host_kind == URIVET_HOST_NAME && !uri->has_ipv4);
}

/*@ requires report == \null || \valid_read(report);
    assigns \nothing;
    ensures \result ==> report != \null;
    ensures \result ==> URIVET_SCHEME_HTTP <= report->uri.scheme <= URIVET_SCHEME_FTP;
    ensures \result ==> 1 <= report->uri.port <= 65535; */
static bool has_endpoint(const struct urivet_report *report)
{
	const struct urivet_uri *uri;
	if (!urivet_is_filled(report) || report->verdict != URIVET_ACCEPT || !report->parsed)
		return false;
	uri = &report->uri;
	return uri->scheme >= URIVET_SCHEME_HTTP && uri->scheme <= URIVET_SCHEME_FTP &&
	       uri->port >= 1 && uri->port <= 65535 && urivet_has(uri, URIVET_AUTHORITY) &&
	       uri->authority_in == URIVET_IN_INPUT && is_plain_host(uri) && is_one_place(report);
}

/* ---- The components -------------------------------------------------------------- */

/* The components that the texts are made of. */
struct destination {
	const struct urivet_uri *uri;
	struct text host; /* as in the input, without its final dot */
	struct text path;
	struct text query;
	bool has_query;
	bool port_shown; /* the URL includes the port even if it is the default */
};

/*@ predicate placed(struct destination *p) =
      \valid_read(p) && \valid_read(p->uri) && readable(p->host) && readable(p->path) &&
      readable(p->query) && 1 <= p->uri->port <= 65535 &&
      URIVET_SCHEME_HTTP <= p->uri->scheme <= URIVET_SCHEME_FTP &&
      p->host.end + p->path.end + p->query.end <= URIVET_MAX_LENGTH; */

/* Declared with the contract that is proved in part.c. */
/*@ requires \valid_read(uri);
    assigns \nothing; */
struct urivet_text urivet_part(const struct urivet_uri *uri, enum urivet_component component,
			       struct urivet_text input, struct urivet_text host);

/* Sets *t to a component. Returns false if its span exceeds the input. */
/*@ requires \valid_read(uri) && \valid(t) && \separated(uri, t);
    assigns *t;
    ensures \result ==> readable(*t); */
static bool take(struct text *t, const struct urivet_uri *uri, enum urivet_component c,
		 struct urivet_text input)
{
	const struct urivet_text part = urivet_part(uri, c, input, input);
	if (part.data == NULL || part.length > URIVET_MAX_LENGTH)
		return false;
	*t = text_of(part.data, (uint32_t)part.length);
	return true;
}

/* Removes the final dot of a name. */
/*@ requires \valid(host) && readable(*host);
    assigns *host;
    ensures readable(*host) && host->end <= \old(host->end); */
static void drop_final_dot(struct text *host)
{
	if (host->end > 0 && octet(*host, host->end - 1) == '.')
		*host = until(*host, host->end - 1);
}

/* Returns true if each component contains only octets that are possible in a URL that all readers
 * read alike. The judged text always does, but the caller may have passed another one. The query
 * may contain octets that a waiver made legal, but no white space or controls. */
/*@ requires placed(p);
    assigns \nothing; */
static bool is_well_formed(const struct destination *p)
{
	const bool named = p->uri->host_kind == URIVET_HOST_NAME;
	const uint32_t name_end = skip(p->host, 0, ALNUM | HYPHEN | DOT);
	return (!named || (p->host.end > 0 && name_end == p->host.end)) &&
	       (p->path.end == 0 || octet(p->path, 0) == '/') &&
	       skip(p->path, 0, PCHAR | SLASH | PERCENT) == p->path.end &&
	       find(p->query, 0, BLANK | HASH) == p->query.end;
}

/* Returns true if some reader would take a part of path or query for a port if none is written: the
 * condition of `ipv6-path-digit` and `colon-port-in-tail`. */
/*@ requires placed(p);
    assigns \nothing; */
static bool looks_like_port(const struct destination *p)
{
	const bool in_path = find(p->path, 0, COLON) < p->path.end;
	struct urivet_span where;
	if (p->uri->host_kind == URIVET_HOST_IPV6)
		return is(p->path, 1, DIGIT | PLUS | HYPHEN);
	return urivet_has_port_in_tail(in_path ? p->path : p->query, 0, &where);
}

/*@ requires \valid(p) && \valid_read(uri) && \separated(p, uri);
    requires 1 <= uri->port <= 65535;
    requires URIVET_SCHEME_HTTP <= uri->scheme <= URIVET_SCHEME_FTP;
    assigns *p;
    ensures \result ==> placed(p) && p->uri == uri; */
static bool find_place(struct destination *p, const struct urivet_uri *uri,
		       struct urivet_text input)
{
	p->uri = uri;
	p->query = text_of("", 0);
	p->has_query = urivet_has(uri, URIVET_QUERY);
	if (!take(&p->host, uri, URIVET_HOST, input) || !take(&p->path, uri, URIVET_PATH, input) ||
	    (p->has_query && !take(&p->query, uri, URIVET_QUERY, input)))
		return false;
	if (p->host.end > URIVET_MAX_LENGTH - p->path.end ||
	    p->query.end > URIVET_MAX_LENGTH - p->path.end - p->host.end)
		return false;
	drop_final_dot(&p->host);
	p->port_shown = looks_like_port(p);
	return is_well_formed(p);
}

/* ---- The texts ------------------------------------------------------------------- */

/* The names of the schemes that have endpoints, from URIVET_SCHEME_HTTP on. */
static const char scheme_name[][6] = {"http", "https", "ws", "wss", "ftp"};

/*@ requires writable(o) && o->length + 2 + t.end <= MAX_PUT && readable(t);
    requires \separated(o, t.data + (0 .. t.end - 1), o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && o->length == \old(o->length) + t.end; */
static void put_part(struct out *o, struct text t, bool in_lower_case)
{
	/*@ loop invariant i <= t.end && writable(o);
	    loop invariant o->length == \at(o->length, Pre) + i;
	    loop assigns i, WRITTEN(o);
	    loop variant t.end - i; */
	for (uint32_t i = 0; i < t.end; i++)
		put(o, in_lower_case ? lower(octet(t, i)) : octet(t, i));
}

/*@ predicate apart(struct out *o, struct destination *p) =
      \separated(o, p, p->uri, o->data + (0 .. o->capacity - 1)) &&
      \separated(p->host.data + (0 .. p->host.end - 1), o, o->data + (0 .. o->capacity - 1)) &&
      \separated(p->path.data + (0 .. p->path.end - 1), o, o->data + (0 .. o->capacity - 1)) &&
      \separated(p->query.data + (0 .. p->query.end - 1), o, o->data + (0 .. o->capacity - 1)); */

/*@ requires writable(o) && placed(p) && apart(o, p);
    requires o->length + 64 + p->host.end <= MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 48 + p->host.end; */
static void put_host(struct out *o, const struct destination *p)
{
	if (p->uri->host_kind == URIVET_HOST_IPV4)
		urivet_put_ipv4(o, p->uri->address);
	else if (p->uri->host_kind == URIVET_HOST_IPV6)
		urivet_put_ipv6(o, p->uri->address);
	else
		put_part(o, p->host, true);
}

/* Writes a number of one to five digits, without leading zeros. */
/*@ requires writable(o) && o->length + 5 <= MAX_PUT && 1 <= number <= 65535;
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 5; */
static void put_number_of_port(struct out *o, uint32_t number)
{
	uint32_t unit = 10000;
	/*@ loop invariant 0 <= k <= 5 && writable(o) && unit <= 10000 && (k < 5 ==> unit >= 1);
	    loop invariant k == 0 ==> unit == 10000;
	    loop invariant k == 1 ==> unit == 1000;
	    loop invariant k == 2 ==> unit == 100;
	    loop invariant k == 3 ==> unit == 10;
	    loop invariant k == 4 ==> unit == 1;
	    loop invariant \at(o->length, Pre) <= o->length <= \at(o->length, Pre) + k;
	    loop assigns k, unit, WRITTEN(o);
	    loop variant 5 - k; */
	for (unsigned k = 0; k < 5; k++) {
		if (number >= unit)
			put(o, '0' + number / unit % 10);
		unit /= 10;
	}
}

/* Writes the host and the port. The scheme's default port is omitted unless `shown` is set. */
/*@ requires writable(o) && placed(p) && apart(o, p);
    requires o->length + 128 + p->host.end <= MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 56 + p->host.end; */
static void put_host_field(struct out *o, const struct destination *p, bool shown)
{
	const bool literal = p->uri->host_kind == URIVET_HOST_IPV6;
	if (literal)
		put(o, '[');
	put_host(o, p);
	if (literal)
		put(o, ']');
	if (shown || p->uri->port != urivet_default_port(p->uri->scheme)) {
		put(o, ':');
		put_number_of_port(o, p->uri->port);
	}
}

/*@ requires writable(o) && placed(p) && apart(o, p);
    requires o->length + 128 + p->path.end + p->query.end <= MAX_PUT;
    assigns WRITTEN(o);
    ensures writable(o);
    ensures o->length <= \old(o->length) + 2 + p->path.end + p->query.end; */
static void put_target(struct out *o, const struct destination *p)
{
	if (p->path.end == 0)
		put(o, '/');
	put_part(o, p->path, false);
	if (p->has_query) {
		put(o, '?');
		put_part(o, p->query, false);
	}
}

/* The offsets of the texts; the target is the end of the URL. */
struct places {
	size_t host, host_end, host_field, url, target;
};

/* Writes all texts except for the final NUL. */
/*@ requires writable(o) && o->length == 0 && placed(p) && apart(o, p) && \valid(at);
    requires \separated(at, o, p, p->uri, o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o), *at;
    ensures writable(o);
    ensures o->length <= 190 + 3 * (p->host.end + p->path.end + p->query.end); */
static void put_places(struct out *o, const struct destination *p, struct places *at)
{
	const char *scheme = scheme_name[p->uri->scheme - URIVET_SCHEME_HTTP];
	put_octets(o, scheme, sizeof scheme_name[0]);
	put(o, '\0');
	at->host = o->length;
	put_host(o, p);
	at->host_end = o->length;
	put(o, '\0');
	at->host_field = o->length;
	put_host_field(o, p, false);
	put(o, '\0');
	at->url = o->length;
	put_octets(o, scheme, sizeof scheme_name[0]);
	put_string(o, "://");
	put_host_field(o, p, p->port_shown);
	at->target = o->length;
	put_target(o, p);
}

/* ---- The endpoint ---------------------------------------------------------------- */

/*@ requires \valid(endpoint) && \valid_read(uri) && \separated(endpoint, uri);
    assigns endpoint->scheme, endpoint->port, endpoint->tls, endpoint->octets,
            endpoint->address[0 .. 15]; */
static void set_facts(struct urivet_endpoint *endpoint, const struct urivet_uri *uri)
{
	endpoint->scheme = uri->scheme;
	endpoint->port = uri->port;
	endpoint->tls = uri->scheme == URIVET_SCHEME_HTTPS || uri->scheme == URIVET_SCHEME_WSS;
	endpoint->octets = uri->host_kind == URIVET_HOST_IPV4   ? 4
			   : uri->host_kind == URIVET_HOST_IPV6 ? 16
								: 0;
	/*@ loop invariant k <= endpoint->octets <= 16;
	    loop assigns k, endpoint->address[0 .. 15];
	    loop variant endpoint->octets - k; */
	for (unsigned k = 0; k < endpoint->octets; k++) /* the other octets are zero */
		endpoint->address[k] = uri->address[k];
}

/* Fills the endpoint, which must be zeroed, if the texts fit into `out`. Returns the number of
 * octets that they need. */
/*@ requires \valid(endpoint) && placed(p) && \separated(endpoint, p, p->uri);
    requires \valid(out + (0 .. capacity - 1));
    requires \separated(out + (0 .. capacity - 1), endpoint, p, p->uri);
    requires \separated(p->host.data + (0 .. p->host.end - 1), out + (0 .. capacity - 1));
    requires \separated(p->path.data + (0 .. p->path.end - 1), out + (0 .. capacity - 1));
    requires \separated(p->query.data + (0 .. p->query.end - 1), out + (0 .. capacity - 1));
    assigns *endpoint, out[0 .. capacity - 1];
    ensures 1 <= \result <= 192 + 3 * (p->host.end + p->path.end + p->query.end); */
static size_t write_endpoint(struct urivet_endpoint *endpoint, const struct destination *p,
			     char *out, size_t capacity)
{
	struct places at;
	struct out counted = {out, 0, 0}, o = {out, capacity, 0};
	put_places(&counted, p, &at);
	if (counted.length >= capacity)
		return counted.length + 1;
	put_places(&o, p, &at);
	(void)put_end(&o);
	set_facts(endpoint, p->uri);
	endpoint->scheme_name = out;
	endpoint->host = out + at.host;
	endpoint->host_field = out + at.host_field;
	endpoint->tls_name = out + (endpoint->octets == 0 ? at.host : at.host_end);
	endpoint->target = out + at.target;
	endpoint->url = out + at.url;
	return counted.length + 1;
}

size_t urivet_endpoint_sized(struct urivet_endpoint *endpoint, size_t size, char *out,
			     size_t capacity, const struct urivet_report *report, const void *data,
			     size_t length)
{
	const struct urivet_text input = {data, length};
	struct destination p;
	if (!urivet_fit(endpoint, size, ENDPOINT_LEAST, sizeof *endpoint))
		return 0;
	memset(endpoint, 0, size);
	endpoint->size = (uint32_t)size;
	if (!has_endpoint(report) || !find_place(&p, &report->uri, input))
		return 0;
	return write_endpoint(endpoint, &p, out, capacity);
}
