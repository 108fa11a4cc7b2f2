/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about addresses, by number: the policy's lists first, then the block that
 * the address lies in; an IPv4 address inside an IPv6 one is judged as well.
 */
#include "addr.h"
#include "lists.h"
#include "policy.h"
#include "rules.h"

static void add(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	urivet_add(s, id, URIVET_HOST, where.offset, span_end(where));
}

/* The rule that the report names: a denial rather than an allowance. */
static void keep_rule(struct urivet_report *r, const struct urivet_address_rule *rule)
{
	if (r->address_rule == NULL || rule->action != URIVET_ALLOW)
		r->address_rule = rule;
}

/* By the lists. True if a rule allows the address, whatever its block. */
static bool listed(struct subject *s, const uint8_t *address, unsigned octets,
		   struct urivet_span where)
{
	const struct urivet_address_rule *rule =
	    urivet_address_rule_for(&s->policy->addresses, address, octets);
	if (rule == NULL)
		return false;
	keep_rule(s->report, rule);
	if (rule->action != URIVET_ALLOW)
		add(s, URIVET_F_ADDR_DENIED, where);
	return rule->action == URIVET_ALLOW;
}

/* By its block. A policy that waives what is said of the block means all of it; what
 * the catalogue says of every policy was said before. */
static void judge_block(struct subject *s, const uint8_t *address, unsigned octets,
			struct urivet_span where)
{
	const struct urivet_address_row *row = urivet_address_info(address, octets);
	if (s->report->address_row == NULL || !row->reachable)
		s->report->address_row = row;
	if (is_on(s->policy, URIVET_F_ADDR_METADATA) && urivet_is_metadata(address, octets))
		add(s, URIVET_F_ADDR_METADATA, where);
	if (row->reachable)
		return;
	if (urivet_finding_class[row->finding] == URIVET_POLICY && is_on(s->policy, row->finding))
		add(s, (enum urivet_id)row->finding, where);
	if (is_on(s->policy, URIVET_F_ADDR_NOT_GLOBAL) && !in_set(&s->policy->waived, row->finding))
		add(s, URIVET_F_ADDR_NOT_GLOBAL, where);
}

/* Most policies have no word on addresses. */
static bool has_word_on_addresses(const struct urivet_policy *policy)
{
	uint64_t on = policy->addresses.count;
	for (unsigned id = URIVET_F_ADDR_NOT_GLOBAL; id <= URIVET_F_NAT64_LOCAL_USE; id += 64)
		on |= policy->raised.bits[id / 64] | policy->waived.bits[id / 64];
	return on != 0;
}

static void judge_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where)
{
	if (!listed(s, ipv4, 4, where))
		judge_block(s, ipv4, 4, where);
}

/* A translator of this network: what it translates to is judged instead. True if
 * the address is behind one. */
static bool translated(struct subject *s, const uint8_t address[16], struct urivet_span where)
{
	bool behind = false, known = true;
	for (uint32_t k = 0; k < s->policy->nat64_count; k++) {
		const struct urivet_network *prefix = &s->policy->nat64[k];
		uint8_t ipv4[4];
		if (!urivet_network_holds(prefix, address, 16))
			continue;
		if (!behind)
			add(s, URIVET_F_NAT64_EMBEDDED_IPV4, where);
		behind = true;
		if (urivet_translated_ipv4(address, prefix->length, ipv4)) {
			judge_ipv4(s, ipv4, where);
			continue;
		}
		known = false;
		if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED))
			add(s, URIVET_F_ADDR_UNCLASSIFIED, where);
	}
	return behind && known;
}

static void judge_ipv6(struct subject *s, const uint8_t address[16], struct urivet_span where)
{
	const bool asked = has_word_on_addresses(s->policy);
	const bool allowed = asked && listed(s, address, 16, where);
	for (unsigned k = 0; k < URIVET_EMBEDDINGS; k++) {
		uint8_t ipv4[4];
		bool known;
		const enum urivet_id id = urivet_embedded_ipv4(address, k, &known, ipv4);
		if (id == URIVET_F_NONE)
			continue;
		add(s, id, where);
		if (asked && known)
			judge_ipv4(s, ipv4, where);
	}
	if (asked && !translated(s, address, where) && !allowed)
		judge_block(s, address, 16, where);
}

void urivet_rules_spelled_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where)
{
	if (has_word_on_addresses(s->policy))
		judge_ipv4(s, ipv4, where);
}

/* The policy lists the hosts that it allows, and no rule allows this address. */
static bool not_among_hosts(const struct subject *s)
{
	const struct urivet_address_rule *rule = s->report->address_rule;
	return s->policy->hosts.only && (rule == NULL || rule->action != URIVET_ALLOW);
}

void urivet_rules_address_host(struct subject *s)
{
	const struct urivet_span where = s->report->uri.part[URIVET_HOST];
	urivet_rules_address(s);
	if (is_on(s->policy, URIVET_F_HOST_IS_ADDRESS))
		add(s, URIVET_F_HOST_IS_ADDRESS, where);
	if (not_among_hosts(s))
		add(s, URIVET_F_HOST_NOT_ALLOWED, where);
}

void urivet_rules_address(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span where = uri->part[URIVET_HOST];
	if (uri->host_kind == URIVET_HOST_IPV6)
		judge_ipv6(s, uri->address, where);
	else if (uri->has_ipv4)
		urivet_rules_spelled_ipv4(s, uri->address, where);
	else if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED))
		add(s, URIVET_F_ADDR_UNCLASSIFIED, where);
}
