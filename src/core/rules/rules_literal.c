/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about IP literals, and hosts with brackets that are not valid ones. */
#include "rules/rules.h"
#include "uri/ip.h"

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_HOST_FINDINGS(s); */
static void add_literal(struct subject *s, enum urivet_id id)
{
	const struct urivet_span h = s->report->uri.part[URIVET_HOST];
	add_in_host(s, id, h.offset, span_end(h));
}

/*@ ADDS_HOST_FINDINGS(s); */
static void ipv6_literal(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span h = uri->part[URIVET_HOST];
	if (!urivet_ipv6_canonical(within(s->t, h), h.offset, uri->address))
		add_literal(s, URIVET_F_IPV6_NONCANONICAL);
	if (s->seen.in[URIVET_HOST] & UPPER)
		add_literal(s, URIVET_F_HOST_CASE);
}

/* Returns true if the text is an IPv6 address and a zone: "%" and any text, valid by RFC 6874 or
 * not. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_zoned(struct text t, uint32_t at)
{
	const uint32_t percent = find(t, at, PERCENT);
	uint8_t address[16];
	bool dotted;
	return percent < t.end && urivet_ipv6_address(until(t, percent), at, address, &dotted);
}

/* Reports text in brackets that is not an address. */
/*@ requires at <= URIVET_MAX_LENGTH; ADDS_HOST_FINDINGS(s); */
static void not_a_literal(struct subject *s, uint32_t at, uint32_t end)
{
	const struct text t = until(s->t, end);
	if (is_zoned(t, at))
		add_in_host(s, URIVET_F_IPV6_ZONE, find(t, at, PERCENT), end);
	else if (at < end && skip(t, at, NAMECHAR | PERCENT) == end)
		add_in_host(s, URIVET_F_BRACKET_NOT_IPV6, at, end);
	else
		add_in_host(s, URIVET_F_IPV6_MALFORMED, at, end);
}

/* Returns true if the text from `at` on is an IP-literal without its brackets. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_literal(struct text t, uint32_t at)
{
	uint8_t address[16];
	bool dotted;
	return urivet_ipv6_address(t, at, address, &dotted) || urivet_is_ipvfuture(t, at);
}

/* Reports a host that has a bracket but is not an IP-literal. */
/*@ ADDS_HOST_FINDINGS(s); */
static void broken_literal(struct subject *s)
{
	const struct text t = within(s->t, s->host);
	const uint32_t open = find(t, s->host.offset, LBRACKET), close = find(t, open, RBRACKET);
	if (octet(t, close + 1) == ':') /* a second port after the first */
		urivet_add(s, URIVET_F_PORT_INVALID, URIVET_PORT, close + 2,
			   span_end(s->report->uri.part[URIVET_AUTHORITY]));
	if (open == t.end || (close == t.end && open > s->host.offset))
		return; /* a single bracket: host-forbidden-char */
	if (open > s->host.offset || close + 1 < t.end)
		add_in_host(s, URIVET_F_BRACKET_GARBAGE, s->host.offset, t.end);
	if (close == t.end || !is_literal(until(t, close), open + 1))
		not_a_literal(s, open + 1, close);
}

void urivet_rules_literal(struct subject *s)
{
	switch (s->report->uri.host_kind) {
	case URIVET_HOST_IPV6:
		ipv6_literal(s);
		break;
	case URIVET_HOST_IPVFUTURE:
		add_literal(s, URIVET_F_IPVFUTURE);
		break;
	default:
		broken_literal(s);
	}
	urivet_rules_address_host(s);
}
