/* SPDX-License-Identifier: Apache-2.0 */
/* Splits into components: a plain URL by the offsets of its parts, others at their delimiters. */
#ifndef URIVET_COMPONENTS_H
#define URIVET_COMPONENTS_H

#include "plain/plain.h"
#include "uri/uri.h"

/*@ requires \valid(part) && offset <= end;
    assigns part->offset, part->length;
    ensures part->offset == offset && part->length == end - offset; */
static inline void set_span(struct urivet_span *part, uint32_t offset, uint32_t end)
{
	part->offset = offset;
	part->length = end - offset;
}

/*@ requires \valid(uri) && 7 <= host < path <= end <= URIVET_MAX_LENGTH;
    assigns uri->part[0 .. URIVET_COMPONENTS - 1];
    ensures parts_in(uri, end);
    ensures uri->part[URIVET_WHOLE].offset == 0;
    ensures uri->part[URIVET_HOST].offset == host;
    ensures uri->part[URIVET_HOST].length == path - host;
    ensures uri->part[URIVET_PATH].offset == path;
    ensures uri->part[URIVET_PATH].length == end - path; */
static inline void plain_spans(struct urivet_uri *uri, uint32_t host, uint32_t path, uint32_t end)
{
	set_span(&uri->part[URIVET_WHOLE], 0, end);
	set_span(&uri->part[URIVET_SCHEME], 0, host - 3);
	set_span(&uri->part[URIVET_AUTHORITY], host, path);
	set_span(&uri->part[URIVET_USERINFO], 0, 0);
	set_span(&uri->part[URIVET_HOST], host, path);
	set_span(&uri->part[URIVET_PORT], 0, 0);
	set_span(&uri->part[URIVET_PATH], path, end);
	set_span(&uri->part[URIVET_QUERY], 0, 0);
	set_span(&uri->part[URIVET_FRAGMENT], 0, 0);
}

/*@ requires \valid(uri);
    assigns uri->present, uri->port, uri->scheme, uri->host_kind, uri->has_ipv4,
            uri->authority_in, uri->address[0 .. 15]; */
static inline void plain_facts(struct urivet_uri *uri, bool secure)
{
	uri->present = bit(URIVET_WHOLE) | bit(URIVET_SCHEME) | bit(URIVET_AUTHORITY) |
		       bit(URIVET_HOST) | bit(URIVET_PATH);
	uri->port = secure ? 443 : 80;
	uri->scheme = secure ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	uri->host_kind = URIVET_HOST_NAME;
	uri->has_ipv4 = 0;
	uri->authority_in = URIVET_IN_INPUT;
	/*@ loop invariant k <= 16;
	    loop assigns k, uri->address[0 .. 15];
	    loop variant 16 - k; */
	for (unsigned k = 0; k < sizeof uri->address; k++)
		uri->address[k] = 0;
}

/* Sets every field of *uri for a plain URL that ends with its path. The arguments are the offsets
 * of host, path and end. */
/*@ requires \valid(uri) && (host == 7 || host == 8) && host < path <= end <= URIVET_MAX_LENGTH;
    assigns *uri;
    ensures parts_in(uri, end);
    ensures uri->part[URIVET_WHOLE].offset == 0;
    ensures uri->part[URIVET_HOST].offset == host;
    ensures uri->part[URIVET_HOST].length == path - host;
    ensures uri->part[URIVET_PATH].offset == path;
    ensures uri->part[URIVET_PATH].length == end - path; */
static inline void plain_components(struct urivet_uri *uri, uint32_t host, uint32_t path,
				    uint32_t end)
{
	plain_facts(uri, host == sizeof "https://" - 1);
	plain_spans(uri, host, path, end);
}

/* Adds the query and fragment of a plain URL. */
/*@ requires \valid(uri) && plain_in(p, t) && p->host > 0 && parts_in(uri, t.end);
    requires uri->part[URIVET_WHOLE].offset == 0 && \separated(p, uri);
    assigns uri->present, uri->part[URIVET_WHOLE].length,
            uri->part[URIVET_QUERY .. URIVET_FRAGMENT];
    ensures parts_in(uri, t.end); */
static inline void add_plain_tail(struct urivet_uri *uri, const struct plain *p, struct text t)
{
	uri->part[URIVET_WHOLE].length = t.end;
	set_query_and_fragment(uri, p->tail, t.end);
}

/* Sets the components of a URL with a plain scheme and name, and the kinds of octets in them. */
/*@ requires splitting(t, uri, seen) && plain_in(p, t) && p->host > 0;
    requires \separated(p, uri, seen);
    assigns *uri, *seen;
    ensures parts_in(uri, t.end); */
static inline void set_plain_parts(struct text t, const struct plain *p, struct urivet_uri *uri,
				   struct kinds_seen *seen)
{
	static const struct kinds_seen none;
	*seen = none;
	plain_components(uri, p->host, p->path, t.end);
	if (p->path < t.end)
		urivet_set_tail(t, p->path, &p->tail, uri, seen);
}

/* Does the same as urivet_parse(), without its fast path for common URLs. */
/*@ requires \valid(uri) && (misfit == \null || \valid(misfit)) && \separated(uri, misfit);
    assigns *uri, *misfit; */
bool urivet_split_and_match(struct urivet_uri *uri, const void *data, size_t length,
			    size_t *misfit);

#endif
