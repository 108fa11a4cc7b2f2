/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about addresses as numbers: the policy's lists first, then the block that the
 * address lies in. An IPv4 address inside an IPv6 one is judged as well.
 */
#include "policy/addr.h"
#include "policy/lists.h"
#include "policy/policy.h"
#include "rules/rules.h"

/*@ requires id < URIVET_FINDING_LIMIT && inside(where, URIVET_MAX_LENGTH);
    ADDS_HOST_FINDINGS(s); */
static void add(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	urivet_add(s, id, URIVET_HOST, where.offset, span_end(where));
}

/* Keeps the rule that the report names: one that denies rather than one that allows. */
/*@ requires \valid(r) && \valid_read(rule);
    assigns r->address_rule;
    ensures r->address_rule == \old(r->address_rule) || r->address_rule == rule; */
static void keep_rule(struct urivet_report *r, const struct urivet_address_rule *rule)
{
	if (r->address_rule == NULL || rule->action != URIVET_ALLOW)
		r->address_rule = rule;
}

/* Judges the address by the lists: true if a rule allows it, whatever its block. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static bool listed_address(struct subject *s, const uint8_t *address, unsigned octets,
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

/* Judges the address by its block. A policy that waives the finding of a block also waives
 * addr-not-global for it. Findings that are not of class policy were added before. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static void judge_block(struct subject *s, const uint8_t *address, unsigned octets,
			struct urivet_span where)
{
	const struct urivet_address_row *row = urivet_address_info(address, octets);
	const enum urivet_id id = row->finding % URIVET_FINDING_LIMIT;
	const bool reachable = row->reachable;
	if (s->report->address_row == NULL || !reachable)
		s->report->address_row = row;
	if (is_on(s->policy, URIVET_F_ADDR_METADATA) && urivet_is_metadata(address, octets))
		add(s, URIVET_F_ADDR_METADATA, where);
	if (reachable)
		return;
	if (urivet_finding_class[id] == URIVET_POLICY && is_on(s->policy, id))
		add(s, id, where);
	if (is_on(s->policy, URIVET_F_ADDR_NOT_GLOBAL) && !in_set(&s->policy->waived, id))
		add(s, URIVET_F_ADDR_NOT_GLOBAL, where);
}

/* Does the policy have rules about addresses at all? Most have none. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool judges_addresses(const struct urivet_policy *policy)
{
	uint64_t on = policy->addresses.count;
	/*@ loop invariant URIVET_F_ADDR_NOT_GLOBAL <= id <= URIVET_F_NAT64_LOCAL_USE + 64;
	    loop assigns id, on;
	    loop variant URIVET_F_NAT64_LOCAL_USE - id; */
	for (unsigned id = URIVET_F_ADDR_NOT_GLOBAL; id <= URIVET_F_NAT64_LOCAL_USE; id += 64)
		on |= policy->raised.bits[id / 64] | policy->waived.bits[id / 64];
	return on != 0;
}

/*@ requires address_of(ipv4, 4) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where)
{
	if (!listed_address(s, ipv4, 4, where))
		judge_block(s, ipv4, 4, where);
}

/* Judges the IPv4 address that follows a translator's prefix: false if there is none to read. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static bool judge_translated(struct subject *s, const uint8_t address[16], unsigned prefix_length,
			     struct urivet_span where)
{
	uint8_t ipv4[4];
	if (urivet_translated_ipv4(address, prefix_length, ipv4)) {
		judge_ipv4(s, ipv4, where);
		return true;
	}
	if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED))
		add(s, URIVET_F_ADDR_UNCLASSIFIED, where);
	return false;
}

/* Judges what the translators that the policy names make of the address. True if there is such
 * a translator, and what it makes can be read: then the block of the address says nothing. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static bool judge_if_translated(struct subject *s, const uint8_t address[16],
				struct urivet_span where)
{
	bool found = false, known = true;
	/*@ loop invariant judging_host(s) && s->policy == \at(s->policy, Pre);
	    loop invariant s->report == \at(s->report, Pre);
	    loop assigns k, found, known, FOUND_IN(s, \at(s->report, Pre));
	    loop variant s->policy->nat64_count - k; */
	for (uint32_t k = 0; k < s->policy->nat64_count; k++) {
		const struct urivet_network *prefix = nat64_prefix(s->policy, k);
		if (!urivet_network_holds(prefix, address, 16))
			continue;
		found = true;
		known = judge_translated(s, address, prefix->length, where) && known;
	}
	if (found)
		add(s, URIVET_F_NAT64_EMBEDDED_IPV4, where);
	return found && known;
}

/* Judges the IPv4 address that the k-th way of embedding finds in the address, if any. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_embedded(struct subject *s, const uint8_t address[16], unsigned k, bool has_rules,
			   struct urivet_span where)
{
	uint8_t ipv4[4];
	bool known;
	const enum urivet_id id = urivet_embedded_ipv4(address, k, &known, ipv4);
	if (id == URIVET_F_NONE)
		return;
	add(s, id, where);
	if (has_rules && known)
		judge_ipv4(s, ipv4, where);
}

/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_ipv6(struct subject *s, const uint8_t address[16], struct urivet_span where)
{
	const bool has_rules = judges_addresses(s->policy);
	const bool allowed = has_rules && listed_address(s, address, 16, where);
	/*@ loop invariant judging_host(s) && s->policy == \at(s->policy, Pre);
	    loop invariant s->report == \at(s->report, Pre) && k <= URIVET_EMBEDDINGS;
	    loop assigns k, FOUND_IN(s, \at(s->report, Pre));
	    loop variant URIVET_EMBEDDINGS - k; */
	for (unsigned k = 0; k < URIVET_EMBEDDINGS; k++)
		judge_embedded(s, address, k, has_rules, where);
	if (has_rules && !judge_if_translated(s, address, where) && !allowed)
		judge_block(s, address, 16, where);
}

void urivet_rules_spelled_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where)
{
	if (judges_addresses(s->policy))
		judge_ipv4(s, ipv4, where);
}

void urivet_rules_spelled_ipv6(struct subject *s, const uint8_t address[16],
			       struct urivet_span where)
{
	judge_ipv6(s, address, where);
}

/* Adds the finding of a rule that denies the address, if there is one. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static void denied_address(struct subject *s, const uint8_t *address, unsigned octets,
			   struct urivet_span where)
{
	const struct urivet_address_rule *rule =
	    urivet_address_rule_for(&s->policy->addresses, address, octets);
	if (rule == NULL || rule->action == URIVET_ALLOW)
		return;
	keep_rule(s->report, rule);
	add(s, URIVET_F_ADDR_DENIED, where);
}

/* The same for what the translators that the policy names make of the address. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void denied_if_translated(struct subject *s, const uint8_t address[16],
				 struct urivet_span where)
{
	uint8_t ipv4[4];
	/*@ loop invariant judging_host(s) && s->policy == \at(s->policy, Pre);
	    loop invariant s->report == \at(s->report, Pre);
	    loop assigns k, ipv4[0 .. 3], FOUND_IN(s, \at(s->report, Pre));
	    loop variant s->policy->nat64_count - k; */
	for (uint32_t k = 0; k < s->policy->nat64_count; k++) {
		const struct urivet_network *prefix = nat64_prefix(s->policy, k);
		if (urivet_network_holds(prefix, address, 16) &&
		    urivet_translated_ipv4(address, prefix->length, ipv4))
			denied_address(s, ipv4, 4, where);
	}
}

void urivet_rules_denied_spelling(struct subject *s, const uint8_t *address, unsigned octets,
				  struct urivet_span where)
{
	uint8_t ipv4[4];
	bool known;
	denied_address(s, address, octets, where);
	if (octets != 16)
		return;
	/*@ loop invariant judging_host(s) && s->policy == \at(s->policy, Pre);
	    loop invariant s->report == \at(s->report, Pre) && k <= URIVET_EMBEDDINGS;
	    loop assigns k, known, ipv4[0 .. 3], FOUND_IN(s, \at(s->report, Pre));
	    loop variant URIVET_EMBEDDINGS - k; */
	for (unsigned k = 0; k < URIVET_EMBEDDINGS; k++)
		if (urivet_embedded_ipv4(address, k, &known, ipv4) != URIVET_F_NONE && known)
			denied_address(s, ipv4, 4, where);
	denied_if_translated(s, address, where);
}

/* Does the policy allow only listed hosts, and no rule this address? */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool not_among_hosts(const struct subject *s)
{
	const struct urivet_address_rule *rule = s->report->address_rule;
	return s->policy->hosts.only && (rule == NULL || rule->action != URIVET_ALLOW);
}

/* A host with a bracket counts as an address if it holds what may be a literal, as in "[::1]x" or
 * "[example.com]": some reader connects to that. No reader does so for "a]b". */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool is_meant_as_address(const struct subject *s)
{
	const struct text t = within(s->t, s->host);
	if ((s->seen.in[URIVET_HOST] & (LBRACKET | RBRACKET)) == 0)
		return true;
	return find(t, find(t, s->host.offset, LBRACKET), RBRACKET) < t.end;
}

void urivet_rules_address_host(struct subject *s)
{
	const struct urivet_span where = s->report->uri.part[URIVET_HOST];
	urivet_rules_address(s);
	if (is_on(s->policy, URIVET_F_HOST_IS_ADDRESS) && is_meant_as_address(s))
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
