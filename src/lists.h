/* SPDX-License-Identifier: Apache-2.0 */
/* A policy's lists of hosts and addresses: which rule speaks of one. */
#ifndef URIVET_LISTS_H
#define URIVET_LISTS_H

#include "text.h"

/* The rule that decides about the name that fills t from `at` on, without a final
 * dot: one that denies, else one that allows, else NULL. */
const struct urivet_host_rule *urivet_host_rule_for(const struct urivet_host_list *list,
						    struct text t, uint32_t at);

/* The same for an address of 4 or 16 octets. */
const struct urivet_address_rule *urivet_address_rule_for(const struct urivet_address_list *list,
							  const uint8_t *address, unsigned octets);

/* The same for a port and a set of schemes; the one that names it alone comes first. */
const struct urivet_port_rule *urivet_port_rule_for(const struct urivet_policy *policy,
						    uint32_t schemes, uint32_t port);

#endif
