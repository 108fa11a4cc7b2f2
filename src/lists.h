/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's lists of hosts and addresses: which rule speaks of one. */
#ifndef URIVET_LISTS_H
#define URIVET_LISTS_H

#include "text.h"

/*
 * What a policy points to is its maker's word: that its lists are as long as they say,
 * and so are the names in them. lists.c reaches a rule in one place for each list,
 * which the proofs take on trust.
 */

/* The rule that decides about the name that fills t from `at` on, without a final
 * dot: one that denies, else one that allows, else NULL. */
/*@ requires \valid_read(list) && readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_host_rule *urivet_host_rule_for(const struct urivet_host_list *list,
						    struct text t, uint32_t at);

/* The same for an address of 4 or 16 octets. */
/*@ requires \valid_read(list) && (octets == 4 || octets == 16);
    requires \valid_read(address + (0 .. octets - 1));
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

#endif
