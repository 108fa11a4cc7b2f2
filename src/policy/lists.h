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

/* The rule that decides about the name that fills t from `at` on, without a final
 * dot: one that denies, else one that allows, else NULL. */
/*@ requires \valid_read(list) && readable(t);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_host_rule *urivet_host_rule_for(const struct urivet_host_list *list,
						    struct text t, uint32_t at);

/* The same for an address of 4 or 16 octets. */
/*@ requires \valid_read(list) && address_of(address, octets);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_address_rule *urivet_address_rule_for(const struct urivet_address_list *list,
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

/* Does each rule mean something, as urivet_policy_valid() has it? Linear as well. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_rules_mean(const struct urivet_policy *policy);

#endif
