/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about numeric addresses: first the policy's lists, then the block that contains the
 * address. An IPv4 address embedded in an IPv6 address is checked as well.
 */
#include "policy/addr.h"
#include "policy/lists.h"
#include "policy/policy.h"
#include "rules/rules.h"
#include "uri/ip.h"

/*@ requires id < URIVET_FINDING_LIMIT && inside(where, URIVET_MAX_LENGTH);
    ADDS_HOST_FINDINGS(s); */
static void add(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	urivet_add(s, id, URIVET_HOST, where.offset, span_end(where));
}

/* Stores the rule to report. A rule that denies replaces a rule that allows. */
/*@ requires \valid(r) && \valid_read(rule);
    assigns r->address_rule;
    ensures r->address_rule == \old(r->address_rule) || r->address_rule == rule; */
static void keep_rule(struct urivet_report *r, const struct urivet_address_rule *rule)
{
	if (r->address_rule == NULL || rule->action != URIVET_ALLOW)
		r->address_rule = rule;
}

/* Returns true if this address is the host as written and a URL rule allows it. Returns false for
 * an embedded address and for other readings of the host. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_covered_address(const struct subject *s, unsigned octets)
{
	const uint8_t own = octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6;
	return is_covered(s) && s->report->uri.host_kind == own;
}

/* Checks the address against the lists. Returns true if a rule allows it, whatever its block. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static bool listed_address(struct subject *s, const uint8_t *address, unsigned octets,
			   struct urivet_span where)
{
	const struct urivet_address_rule *rule =
	    urivet_address_rule_for(s->policy, address, octets);
	if (rule == NULL)
		return is_covered_address(s, octets);
	keep_rule(s->report, rule);
	if (rule->action != URIVET_ALLOW)
		add(s, URIVET_F_ADDR_DENIED, where);
	return rule->action == URIVET_ALLOW;
}

/* Checks the block of the address. A policy that waives the finding of a block also waives
 * addr-not-global for it. Findings of other classes than policy were added before. */
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

/* Returns true if the policy has any rules about addresses. Most policies have none. */
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

/* Checks the address against lists and block. Returns true if a rule allows it. */
/*@ requires address_of(ipv4, 4) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static bool judge_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where)
{
	if (listed_address(s, ipv4, 4, where))
		return true;
	judge_block(s, ipv4, 4, where);
	return false;
}

/* ---- Addresses that are unknown --------------------------------------------------- */

/* Returns true if any rule of the list denies. */
/*@ requires \valid_read(list);
    assigns \nothing; */
static bool denies_addresses(const struct urivet_address_list *list)
{
	/*@ loop invariant k <= list->count;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 0; k < list->count; k++)
		if (address_rule(list, k)->action != URIVET_ALLOW)
			return true;
	return false;
}

/* Bit masks of the findings about where a host leads, within their 64-bit words. */
#define PLACES_OF_NAMES     (UINT64_C(31) << URIVET_F_HOST_LOCALHOST_NAME % 64)
#define PLACES_OF_ADDRESSES ((UINT64_C(2) << URIVET_F_NAT64_LOCAL_USE % 64) - 1)

/* Returns true if the policy needs to know the address of a host. One raised rule suffices. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool asks_where(const struct urivet_policy *policy)
{
	const uint64_t *const raised = policy->raised.bits;
	return is_on(policy, URIVET_F_ADDR_UNCLASSIFIED) ||
	       (raised[URIVET_F_HOST_LOCALHOST_NAME / 64] & PLACES_OF_NAMES) != 0 ||
	       (raised[URIVET_F_ADDR_NOT_GLOBAL / 64] & PLACES_OF_ADDRESSES) != 0;
}

void urivet_rules_denied_unread(struct subject *s, struct urivet_span where)
{
	if (denies_addresses(&s->policy->addresses) && !is_found(s->report, URIVET_F_ADDR_DENIED))
		add(s, URIVET_F_ADDR_DENIED, where);
}

void urivet_rules_unread_address(struct subject *s, struct urivet_span where)
{
	if (asks_where(s->policy) && !is_found(s->report, URIVET_F_ADDR_UNCLASSIFIED))
		add(s, URIVET_F_ADDR_UNCLASSIFIED, where);
	urivet_rules_denied_unread(s, where);
}

/* Adds the finding of a rule that denies the address, if there is one. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static void denied_address(struct subject *s, const uint8_t *address, unsigned octets,
			   struct urivet_span where)
{
	const struct urivet_address_rule *rule =
	    urivet_address_rule_for(s->policy, address, octets);
	if (rule == NULL || rule->action == URIVET_ALLOW)
		return;
	keep_rule(s->report, rule);
	add(s, URIVET_F_ADDR_DENIED, where);
}

/* ---- IPv4 inside IPv6 ------------------------------------------------------------- */

/* Checks the IPv4 address after a NAT64 prefix. Returns false if it is not sure: there is none
 * after a prefix of that length, or bits 64 to 71, which shorter prefixes leave out, are not zero.
 * Some translators refuse that, others take the bits out as they are (RFC 6052, 2.2 and 2.3), so
 * rules that deny the address count. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static bool judge_translated(struct subject *s, const uint8_t address[16], unsigned prefix_length,
			     struct urivet_span where)
{
	uint8_t ipv4[4];
	const bool is = urivet_translated_ipv4(address, prefix_length, ipv4);
	if (is && (prefix_length == 96 || address[8] == 0)) {
		(void)judge_ipv4(s, ipv4, where);
		return true;
	}
	if (is)
		denied_address(s, ipv4, 4, where);
	if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED))
		add(s, URIVET_F_ADDR_UNCLASSIFIED, where);
	return false;
}

/* Checks the addresses that the policy's NAT64 prefixes extract. Returns true if a prefix matches
 * and every extracted address is readable. Then the IPv6 block itself does not matter. */
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

/* Returns true if the address lies in one of the policy's NAT64 prefixes. */
/*@ requires address_of(address, 16) && \valid_read(policy);
    assigns \nothing; */
static bool is_translated(const struct urivet_policy *policy, const uint8_t address[16])
{
	/*@ loop invariant k <= policy->nat64_count;
	    loop assigns k;
	    loop variant policy->nat64_count - k; */
	for (uint32_t k = 0; k < policy->nat64_count; k++)
		if (urivet_network_holds(nat64_prefix(policy, k), address, 16))
			return true;
	return false;
}

/* Checks an address in 64:ff9b:1::/48 in every layout that a local translator may use. Does nothing
 * if the policy names the translator, since its layout is known. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_local_use(struct subject *s, const uint8_t address[16], struct urivet_span where)
{
	if (is_translated(s->policy, address))
		return;
	/*@ loop invariant judging_host(s) && s->policy == \at(s->policy, Pre);
	    loop invariant s->report == \at(s->report, Pre) && k <= URIVET_LOCAL_LAYOUTS;
	    loop assigns k, FOUND_IN(s, \at(s->report, Pre));
	    loop variant URIVET_LOCAL_LAYOUTS - k; */
	for (unsigned k = 0; k < URIVET_LOCAL_LAYOUTS; k++) {
		uint8_t ipv4[4];
		if (urivet_local_nat64_ipv4(address, k, ipv4))
			(void)judge_ipv4(s, ipv4, where);
	}
}

/* Checks the IPv4 address that embedding number k finds in the address, if any. */
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
		(void)judge_ipv4(s, ipv4, where);
	else if (has_rules)
		judge_local_use(s, address, where);
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
		(void)judge_ipv4(s, ipv4, where);
}

/* Returns true if the embedded IPv4 address is only a guess. Then no rule for it allows the
 * host. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool is_guessed(const struct subject *s)
{
	const uint8_t *const address = s->report->uri.address;
	return s->report->uri.host_kind == URIVET_HOST_IPV6 &&
	       urivet_address_info(address, 16)->finding == URIVET_F_NAT64_LOCAL_USE &&
	       !is_translated(s->policy, address);
}

void urivet_rules_spelled_ipv6(struct subject *s, const uint8_t address[16],
			       struct urivet_span where)
{
	judge_ipv6(s, address, where);
}

/* Adds the findings of rules that deny the addresses extracted by the policy's NAT64 prefixes. */
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

/* Returns true if the policy allows only listed hosts and no rule allows this address. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool not_among_hosts(const struct subject *s)
{
	const struct urivet_address_rule *rule = s->report->address_rule;
	if (s->policy->hosts.only && is_guessed(s))
		rule = urivet_address_rule_for(s->policy, s->report->uri.address, 16);
	return s->policy->hosts.only &&
	       (rule != NULL ? rule->action != URIVET_ALLOW : !is_covered(s));
}

void urivet_rules_ipv4_host(struct subject *s, const uint8_t ipv4[4], struct urivet_span where)
{
	if (!judge_ipv4(s, ipv4, where) && s->policy->hosts.only &&
	    !is_found(s->report, URIVET_F_HOST_NOT_ALLOWED))
		add(s, URIVET_F_HOST_NOT_ALLOWED, where);
}

/* ---- IPv4 with leading zeros ------------------------------------------------------ */

/* Parses a part of a dotted number as decimal, ignoring leading zeros as some readers do. A decimal
 * number from 2^32 on wraps around. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures fills(t, at, \result.next);
    ensures \result.base != BASE_NONE ==> at < \result.next; */
static struct number decimal_part(struct text t, uint32_t at)
{
	struct number n;
	uint64_t wrapped = 0;
	/*@ loop invariant fills(t, \at(at, Pre), at);
	    loop assigns at;
	    loop variant t.end - at; */
	while (octet(t, at) == '0' && is(t, at + 1, DIGIT))
		at++;
	n = urivet_number(t, at);
	/*@ loop invariant fills(t, at, i) && wrapped <= UINT32_MAX;
	    loop assigns i, wrapped;
	    loop variant t.end - i; */
	for (uint32_t i = at; is(t, i, DIGIT); i++)
		wrapped = (wrapped * 10 + hex_value(octet(t, i))) % ((uint64_t)1 << 32);
	n.value = n.base == BASE_DECIMAL ? wrapped : n.value;
	return n;
}

/* Computes the address as those readers do: numbers that are too big wrap around. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3]; */
static void decimal_ipv4(struct text t, uint32_t at, uint8_t ipv4[4])
{
	uint64_t last = 0;
	unsigned filled = 0;
	/*@ loop invariant at <= URIVET_MAX_LENGTH + 1 && filled <= 4;
	    loop invariant at > URIVET_MAX_LENGTH ==> at > t.end;
	    loop assigns at, filled, last, ipv4[0 .. 3];
	    loop variant 4 - filled; */
	while (at < t.end && filled < 4) {
		const struct number n = decimal_part(t, at);
		last = n.value;
		ipv4[filled] = (uint8_t)(last % 256);
		filled++;
		at = n.next + 1;
	}
	/* the last part fills the remaining octets */
	/*@ loop invariant k <= 4;
	    loop assigns k, last, ipv4[0 .. 3];
	    loop variant k; */
	for (unsigned k = 4; k >= filled && k > 0; k--) {
		ipv4[k - 1] = (uint8_t)(last % 256);
		last /= 256;
	}
}

/*@ requires \valid_read(a + (0 .. 3)) && \valid_read(b + (0 .. 3));
    assigns \nothing; */
static bool same_ipv4(const uint8_t a[4], const uint8_t b[4])
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/* Checks the decimal reading of a dotted number, if it differs from the octal one. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_second_reading(struct subject *s, struct urivet_span where)
{
	uint8_t ipv4[4];
	if (!judges_addresses(s->policy) && !s->policy->hosts.only)
		return;
	decimal_ipv4(within(s->t, s->host), s->host.offset, ipv4);
	if (!same_ipv4(ipv4, s->report->uri.address))
		urivet_rules_ipv4_host(s, ipv4, where);
}

/* ---- Hosts that are addresses ------------------------------------------------------ */

/* Returns true if the host counts as an address. A host with brackets does if it contains a
 * possible literal, as in "[::1]x" or "[example.com]": some reader connects to that. "a]b" does
 * not. */
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
	if (s->report->uri.host_kind == URIVET_HOST_NAME && s->report->uri.has_ipv4)
		judge_second_reading(s, where);
}

void urivet_rules_address(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span where = uri->part[URIVET_HOST];
	if (uri->host_kind == URIVET_HOST_IPV6)
		judge_ipv6(s, uri->address, where);
	else if (uri->has_ipv4)
		urivet_rules_spelled_ipv4(s, uri->address, where);
	else if (has_waivers(s->policy) && uri->host_kind != URIVET_HOST_NONE)
		urivet_rules_unread_address(s, where);
	else if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED))
		add(s, URIVET_F_ADDR_UNCLASSIFIED, where);
}
