/* SPDX-License-Identifier: Apache-2.0 */
/* Compares how the readers in common use read an input. */
#include <urivet/readers.h>

#include "report/report.h"
#include "uri/uri.h"

/* A reading and the text that its spans refer to. */
struct seen_by {
	struct urivet_reading r;
	struct text t;
};

static struct text part_read(const struct seen_by *s, enum urivet_component c)
{
	return within(s->t, s->r.uri.part[c]);
}

static uint32_t part_start(const struct seen_by *s, enum urivet_component c)
{
	return s->r.uri.part[c].offset;
}

static bool has_address(const struct urivet_uri *uri)
{
	return uri->has_ipv4 || uri->host_kind == URIVET_HOST_IPV6;
}

/* Returns true if the reading names a host that can be looked up, or has no authority. Other
 * readings never count as disagreement. */
static bool leads_somewhere(const struct seen_by *s)
{
	const struct text h = part_read(s, URIVET_HOST);
	const uint32_t at = part_start(s, URIVET_HOST);
	if (!s->r.reads || s->r.uri.host_kind == URIVET_HOST_REGISTRY)
		return false;
	if (!urivet_has(&s->r.uri, URIVET_AUTHORITY) || has_address(&s->r.uri))
		return true;
	return at < h.end && skip(h, at, ALNUM | HYPHEN | DOT | UNDERSCORE) == h.end;
}

/* Returns true if the texts are equal, ignoring case and percent-encoding. */
static bool same_text(struct text a, uint32_t at_a, struct text b, uint32_t at_b)
{
	while (at_a < a.end && at_b < b.end) {
		const struct unit x = decode(a, at_a), y = decode(b, at_b);
		if (lower(x.value) != lower(y.value))
			return false;
		at_a = x.next;
		at_b = y.next;
	}
	return at_a >= a.end && at_b >= b.end;
}

/* Returns the userinfo without a final colon: an empty password equals none. */
static struct text without_colon(struct text t, uint32_t at)
{
	const uint32_t colon = find(t, at, COLON);
	return colon + 1 == t.end ? until(t, colon) : t;
}

static bool same_host(const struct seen_by *a, const struct seen_by *b)
{
	const struct urivet_uri *x = &a->r.uri, *y = &b->r.uri;
	const unsigned octets = x->host_kind == URIVET_HOST_IPV6 ? 16 : 4;
	if (has_address(x) != has_address(y))
		return false;
	if (!has_address(x))
		return urivet_has(x, URIVET_AUTHORITY) == urivet_has(y, URIVET_AUTHORITY) &&
		       same_text(part_read(a, URIVET_HOST), part_start(a, URIVET_HOST),
				 part_read(b, URIVET_HOST), part_start(b, URIVET_HOST));
	if ((x->host_kind == URIVET_HOST_IPV6) != (y->host_kind == URIVET_HOST_IPV6))
		return false;
	for (unsigned k = 0; k < octets; k++)
		if (x->address[k] != y->address[k])
			return false;
	return true;
}

static bool same_target(const struct seen_by *a, const struct seen_by *b)
{
	const struct text u = part_read(a, URIVET_USERINFO), v = part_read(b, URIVET_USERINFO);
	return same_text(part_read(a, URIVET_SCHEME), part_start(a, URIVET_SCHEME),
			 part_read(b, URIVET_SCHEME), part_start(b, URIVET_SCHEME)) &&
	       same_text(without_colon(u, part_start(a, URIVET_USERINFO)),
			 part_start(a, URIVET_USERINFO),
			 without_colon(v, part_start(b, URIVET_USERINFO)),
			 part_start(b, URIVET_USERINFO)) &&
	       same_host(a, b) && a->r.uri.port == b->r.uri.port;
}

static void see(struct seen_by *s, enum urivet_reader how, struct urivet_text input, char *buffer,
		size_t capacity)
{
	urivet_read_as(&s->r, how, input.data, input.length, buffer, capacity);
	s->t.data = s->r.written > 0 ? (const void *)buffer : input.data;
	s->t.end = s->r.written > 0 ? (uint32_t)s->r.written : (uint32_t)input.length;
}

/* Returns true if two of the readers that are most in use differ about where the input leads. */
static bool are_apart(struct urivet_text input, char *buffer, size_t capacity,
		      enum urivet_reader pair[2])
{
	static const enum urivet_reader readers[3] = {URIVET_READER_RFC3986, URIVET_READER_BROWSER,
						      URIVET_READER_RESOLVER};
	struct seen_by seen[3];
	see(&seen[0], readers[0], input, NULL, 0);
	see(&seen[1], readers[1], input, buffer, capacity / 2);
	see(&seen[2], readers[2], input, buffer + capacity / 2, capacity / 2);
	for (unsigned k = 0; k < 3; k++) {
		const unsigned a = k == 2 ? 1 : 0, b = k == 0 ? 1 : 2;
		if (leads_somewhere(&seen[a]) && leads_somewhere(&seen[b]) &&
		    !same_target(&seen[a], &seen[b])) {
			if (pair != NULL) {
				pair[0] = readers[a];
				pair[1] = readers[b];
			}
			return true;
		}
	}
	return false;
}

/* Returns true if the input was not parsed, because of its length or an invalid policy. */
static bool was_not_read(const struct urivet_report *report)
{
	for (uint32_t k = 0; k < report->count; k++)
		if (report->finding[k].id == URIVET_F_URL_TOO_LONG ||
		    report->finding[k].id == URIVET_F_POLICY_INVALID)
			return true;
	return false;
}

bool urivet_readers_disagree(struct urivet_text input, char *buffer, size_t capacity,
			     enum urivet_reader pair[2], struct urivet_report *report,
			     const struct urivet_policy *policy)
{
	struct urivet_span where;
	if (report == NULL)
		return are_apart(input, buffer, capacity, pair);
	if (!urivet_is_filled(report) || was_not_read(report) ||
	    !are_apart(input, buffer, capacity, pair))
		return false;
	where = report->uri.part[URIVET_AUTHORITY];
	if (!urivet_has(&report->uri, URIVET_AUTHORITY))
		where = span(0, (uint32_t)input.length);
	(void)urivet_add_finding(report, URIVET_F_READERS_DISAGREE, URIVET_AUTHORITY, where, policy);
	return true;
}
