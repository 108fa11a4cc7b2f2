/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about IP literals and what is meant as one. */
#include "ip.h"
#include "rules.h"

static void add_host(struct subject *s, enum urivet_id id)
{
	const struct urivet_span h = s->report->uri.part[URIVET_HOST];
	urivet_add(s, id, URIVET_HOST, h.offset, span_end(h));
}

static void ipv6(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span h = uri->part[URIVET_HOST];
	if (!urivet_ipv6_canonical(within(s->t, h), h.offset, uri->address))
		add_host(s, URIVET_F_IPV6_NONCANONICAL);
	if (s->seen.in[URIVET_HOST] & UPPER)
		add_host(s, URIVET_F_HOST_CASE);
}

/* IPv6 address, then "%" and whatever follows: RFC 6874, and the bare form. */
static bool is_zoned(struct text t, uint32_t at)
{
	const uint32_t percent = find(t, at, PERCENT);
	uint8_t address[16];
	bool dotted;
	return percent < t.end && urivet_ipv6_address(until(t, percent), at, address, &dotted);
}

/* What stands in brackets and is no address. */
static void not_a_literal(struct subject *s, uint32_t at, uint32_t end)
{
	const struct text t = until(s->t, end);
	if (is_zoned(t, at))
		urivet_add(s, URIVET_F_IPV6_ZONE, URIVET_HOST, find(t, at, PERCENT), end);
	else if (at < end && skip(t, at, NAMECHAR | PERCENT) == end)
		urivet_add(s, URIVET_F_BRACKET_NOT_IPV6, URIVET_HOST, at, end);
	else
		urivet_add(s, URIVET_F_IPV6_MALFORMED, URIVET_HOST, at, end);
}

/* A host with a bracket in it that is no IP-literal. */
static void broken_literal(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	const uint32_t open = find(t, s->host.offset, LBRACKET), close = find(t, open, RBRACKET);
	uint8_t address[16];
	bool dotted;
	if (octet(t, close + 1) == ':') /* a second port behind the first */
		urivet_add(s, URIVET_F_PORT_INVALID, URIVET_PORT, close + 2,
			   span_end(s->report->uri.part[URIVET_AUTHORITY]));
	if (open == t.end || (close == t.end && open > s->host.offset))
		return; /* a stray bracket: host-forbidden-char */
	if (open > s->host.offset || close + 1 < t.end)
		urivet_add(s, URIVET_F_BRACKET_GARBAGE, URIVET_HOST, s->host.offset, t.end);
	if (close == t.end || (!urivet_ipv6_address(until(t, close), open + 1, address, &dotted) &&
			       !urivet_is_ipvfuture(until(t, close), open + 1)))
		not_a_literal(s, open + 1, close);
}

void urivet_rules_literal(struct subject *s)
{
	switch (s->report->uri.host_kind) {
	case URIVET_HOST_IPV6:
		ipv6(s);
		break;
	case URIVET_HOST_IPVFUTURE:
		add_host(s, URIVET_F_IPVFUTURE);
		break;
	default:
		broken_literal(s);
	}
	urivet_rules_address_host(s);
}
