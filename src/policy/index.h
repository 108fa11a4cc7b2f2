/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index of a policy's lists of hosts and addresses, which most look-ups never get past: it says
 * that there surely is no rule. Words of 64 bits:
 *
 *   how many labels names have   one word, a bit for each number; the last for 64 and more
 *   how long prefixes are        four words, a bit for each length: IPv4 one, IPv6 three
 *   a map                        of each name and prefix a few bits of one word (a Bloom filter by
 *                                blocks), the word and the bits chosen by a sum of it
 */
#ifndef URIVET_INDEX_H
#define URIVET_INDEX_H

#include "policy/lists.h"
#include "text/words.h"

#define INDEX_LABELS  0
#define INDEX_LENGTHS 1
#define INDEX_MAP     5 /* the first word of the map */

/* A program of before there were any has none. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_index(const struct urivet_policy *policy)
{
	return policy->size > offsetof(struct urivet_policy, index) && policy->index != NULL;
}

/* May there be a rule for the name that fills t from `at` on, without a final dot, or for one that
 * it ends in? False only if there surely is none. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing; */
bool urivet_index_has_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* The same for an address of 4 or 16 octets and the networks that it lies in. */
/*@ requires \valid_read(policy) && address_of(address, octets);
    assigns \nothing; */
bool urivet_index_has_address(const struct urivet_policy *policy, const uint8_t *address,
			      unsigned octets);

/* Is the index, if there is one, as large as the lists want it, and does it have all their rules?
 * Linear in the names and networks. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_index_holds(const struct urivet_policy *policy);

/* The words of an index of the policy's rules, with 21 bits of the map for each: about one look in
 * three hundred finds what is not there. 0 if there are no rules. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result == 0 || \result > INDEX_MAP; */
uint32_t urivet_index_words(const struct urivet_policy *policy);

/* Writes an index of the rules, which mean something. */
/*@ requires \valid_read(policy) && count > INDEX_MAP && \valid(words + (0 .. count - 1));
    assigns words[0 .. count - 1]; */
void urivet_index_write(uint64_t *words, uint32_t count, const struct urivet_policy *policy);

#endif
