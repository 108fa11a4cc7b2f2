/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's lists of hosts, addresses and ports: finds the rule that decides. */
#ifndef URIVET_LISTS_H
#define URIVET_LISTS_H

#include <urivet/rules.h>

#include "policy/addr.h"
#include "text/text.h"

/*
 * Accessors, one for each list. The caller of the library must ensure that lists and names are as
 * long as the policy says. The proofs assume this here, and in text_of() for the names.
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

/* Returns true if a rule of that scope applies to a name with so many labels before its own. */
/*@ assigns \nothing; */
static inline bool scope_holds(unsigned scope, unsigned labels)
{
	switch (scope & ~(unsigned)URIVET_SCOPE_RELATIVE) {
	case URIVET_SCOPE_TREE:
		return true;
	case URIVET_SCOPE_HOST:
		return labels == 0;
	case URIVET_SCOPE_BELOW:
		return labels > 0;
	default:
		return labels == 1;
	}
}

/* Outside compiled policies, a rule with the relative bit in its scope counts as having no text. */
/*@ assigns \nothing; */
static inline bool is_relative(uint64_t at)
{
	return at >> 32 == URIVET_RELATIVE_MARK >> 32;
}

/* Returns true if the scope is valid. Only rules of compiled policies may have relative texts. */
/*@ assigns \nothing; */
static inline bool is_text_known(uint8_t scope, bool compiled)
{
	return (scope & ~URIVET_SCOPE_RELATIVE) <= URIVET_SCOPE_LABEL &&
	       ((scope & URIVET_SCOPE_RELATIVE) == 0 || compiled);
}

/* Returns the name of a rule as stored, cut to URIVET_MAX_LENGTH octets. */
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

/* Returns the name of a rule without the final dot that it may have. */
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

/* Compares names, ignoring letter case: returns a value below, equal to or above 0. */
/*@ requires readable(a) && readable(b);
    assigns \nothing; */
int urivet_order_names(struct text a, struct text b);

/* The order of sorted lists, for urivet_order(). */
int urivet_order_hosts(const void *a, const void *b);
int urivet_order_addresses(const void *a, const void *b);

/* Returns the rule that decides about the name that fills t from `at` on, without a final dot: a
 * rule that denies, else one that allows, else NULL. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_host_rule *urivet_host_rule_for(const struct urivet_policy *policy,
						    struct text t, uint32_t at);

/* Returns the rule that decides about an address of 4 or 16 octets, or NULL. */
/*@ requires \valid_read(policy) && address_of(address, octets);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_address_rule *urivet_address_rule_for(const struct urivet_policy *policy,
							  const uint8_t *address, unsigned octets);

/* Returns the rule that decides about a port and a set of schemes, or NULL. A rule for that port
 * alone takes precedence. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_port_rule *urivet_port_rule_for(const struct urivet_policy *policy,
						    uint32_t schemes, uint32_t port);

/* Returns true if the lists marked `sorted` are in order. Linear in the names and networks. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_lists_in_order(const struct urivet_policy *policy);

/* Returns true if each rule is valid, as defined at urivet_policy_finish(). Linear as well.
 * `compiled`: the lists belong to a compiled policy. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_rules_mean(const struct urivet_policy *policy, bool compiled);

/* Returns the scope that the octets before a name from `at` on stand for: ".", "*.", "+." or
 * none. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result <= URIVET_SCOPE_LABEL; */
uint8_t urivet_scope_at(struct text t, uint32_t at);

/* Returns the number of these octets. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result <= t.end - at; */
uint32_t urivet_scope_length(struct text t, uint32_t at);

/*@ requires \valid(rule);
    assigns *rule; */
bool urivet_host_rule_from(struct urivet_host_rule *rule, const char *text, size_t length,
			   enum urivet_action action);

/* Returns true if this can be the name of a rule: labels of 1-63 letters, digits, hyphens and
 * underscores, and the last label is not a number. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_is_domain(struct text t, uint32_t at);

#endif
