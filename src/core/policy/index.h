/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index of a policy's lists of hosts and addresses. It answers most lookups alone, by stating
 * that no rule can match. It consists of 64-bit words:
 *
 *   label counts of names   one word, a bit for each count; the last bit for 64 and more
 *   prefix lengths          four words, a bit for each length: IPv4 one, IPv6 three
 *   map                     a blocked Bloom filter: a few bits in one word for each name and
 *                           prefix; a hash selects the word and the bits
 */
#ifndef URIVET_INDEX_H
#define URIVET_INDEX_H

#include "policy/lists.h"
#include "text/words.h"

#define INDEX_LABELS  0
#define INDEX_LENGTHS 1
#define INDEX_MAP     5 /* the first word of the map */

/* Returns true if the policy has an index. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_index(const struct urivet_policy *policy)
{
	return policy->index != NULL;
}

/* Returns false only if no rule matches the name that fills t from `at` on, without a final dot, or
 * a parent domain of it. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing; */
bool urivet_index_has_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Returns false only if no rule matches an address of 4 or 16 octets or a network that contains
 * it. */
/*@ requires \valid_read(policy) && address_of(address, octets);
    assigns \nothing; */
bool urivet_index_has_address(const struct urivet_policy *policy, const uint8_t *address,
			      unsigned octets);

/* Returns true if there is no index, or if it has the right size and contains all rules. Linear in
 * the number of names and networks. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_index_holds(const struct urivet_policy *policy);

/* Returns the size of an index of the policy's rules in words, 0 without rules. The map has 21 bits
 * a rule, for about one false positive in 300 lookups. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result == 0 || \result > INDEX_MAP; */
uint32_t urivet_index_words(const struct urivet_policy *policy);

/* Writes an index of the policy's rules, which must be valid. */
/*@ requires \valid_read(policy) && count > INDEX_MAP && \valid(words + (0 .. count - 1));
    assigns words[0 .. count - 1]; */
void urivet_index_write(uint64_t *words, uint32_t count, const struct urivet_policy *policy);

#endif
