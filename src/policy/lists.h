/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's lists of hosts, addresses and ports: which rule decides about one. */
#ifndef URIVET_LISTS_H
#define URIVET_LISTS_H

#include "policy/addr.h"
#include "text/text.h"

/*
 * That the lists of a policy and the names in them are as long as it says, is up to
 * whoever made the policy. The proofs take it on trust in these functions, one for each
 * list, and in text_of() for the names.
 */

/*@ requires \valid_read(list) && k < list->count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_host_rule *host_rule(const struct urivet_host_list *list,
						       uint32_t k)
{
	return &list->rule[k];
}

/*@ requires \valid_read(list) && k < list->count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_address_rule *address_rule(const struct urivet_address_list *list,
							     uint32_t k)
{
	return &list->rule[k];
}

/* Is a rule of that scope for a name that ends in the rule's name, or is that name if `whole`? */
/*@ assigns \nothing; */
static inline bool scope_holds(unsigned scope, bool whole)
{
	scope &= ~(unsigned)URIVET_SCOPE_RELATIVE;
	return scope == URIVET_SCOPE_TREE ||
	       scope == (whole ? URIVET_SCOPE_HOST : URIVET_SCOPE_BELOW);
}

/* What a rule of a compiled policy has in place of a pointer: so many octets after the rule its
 * text begins. The upper half says that it is this, and no pointer has it: a rule with that
 * bit in its scope that no compiled policy holds is one without a text. */
#define RELATIVE_MARK UINT64_C(0x7552564500000000)

/*@ assigns \nothing; */
static inline bool is_relative(uint64_t at)
{
	return at >> 32 == RELATIVE_MARK >> 32;
}

/* Is that the scope of a rule, and its text where such rules have it? */
/*@ assigns \nothing; */
static inline bool is_text_known(uint8_t scope, bool compiled)
{
	return (scope & ~URIVET_SCOPE_RELATIVE) <= URIVET_SCOPE_BELOW &&
	       ((scope & URIVET_SCOPE_RELATIVE) == 0 || compiled);
}

/* The octets that a rule has for a name, as many as it says, and at most URIVET_MAX_LENGTH. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures readable(\result) && \result.end <= r->length; */
static inline struct text host_rule_text(const struct urivet_host_rule *r)
{
	const uint32_t most = r->length < URIVET_MAX_LENGTH ? r->length : URIVET_MAX_LENGTH;
	if ((r->scope & URIVET_SCOPE_RELATIVE) == 0)
		return text_of(r->name, r->name != NULL ? most : 0);
	if (!is_relative(r->at))
		return text_of(NULL, 0);
	return text_of((const char *)r + (uint32_t)r->at, most);
}

/* The name that a rule speaks of: without a final dot, which somebody may have written. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures readable(\result) && \result.end <= URIVET_MAX_LENGTH; */
static inline struct text rule_name(const struct urivet_host_rule *r)
{
	const struct text t = host_rule_text(r);
	return t.end > 0 && octet(t, t.end - 1) == '.' ? until(t, t.end - 1) : t;
}

/*@ requires \valid_read(policy) && k < policy->port_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_port_rule *port_rule(const struct urivet_policy *policy,
						       uint32_t k)
{
	return &policy->ports[k];
}

/*@ requires \valid_read(policy) && k < policy->nat64_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_network *nat64_prefix(const struct urivet_policy *policy,
							uint32_t k)
{
	return &policy->nat64[k];
}

/* The order of names, letter case aside: below, equal to or above 0. */
/*@ requires readable(a) && readable(b);
    assigns \nothing; */
int urivet_order_names(struct text a, struct text b);

/* The rule that decides about the name that fills t from `at` on, without a final
 * dot: one that denies, else one that allows, else NULL. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_host_rule *urivet_host_rule_for(const struct urivet_policy *policy,
						    struct text t, uint32_t at);

/* The same for an address of 4 or 16 octets. */
/*@ requires \valid_read(policy) && address_of(address, octets);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_address_rule *urivet_address_rule_for(const struct urivet_policy *policy,
							  const uint8_t *address, unsigned octets);

/* The same for a port and a set of schemes; the one that names it alone comes first. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_port_rule *urivet_port_rule_for(const struct urivet_policy *policy,
						    uint32_t schemes, uint32_t port);

/* Are the lists that say `sorted` in their order? Linear in the names and networks. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_lists_in_order(const struct urivet_policy *policy);

/* Does each rule mean something, as urivet_policy_valid() has it? Linear as well. `compiled`: the
 * lists lie in a compiled policy. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_rules_mean(const struct urivet_policy *policy, bool compiled);

/*@ requires \valid(rule);
    assigns *rule; */
bool urivet_host_rule_from(struct urivet_host_rule *rule, const char *text, size_t length,
			   enum urivet_action action);

/* Can this be the name of a rule? Labels of 1-63 letters, digits, hyphens and underscores, the
 * last of which is no number. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_is_domain(struct text t, uint32_t at);

#endif
