/* SPDX-License-Identifier: Apache-2.0 */
/* The public suffixes of a policy: https://publicsuffix.org/list/. */
#ifndef URIVET_SUFFIXES_H
#define URIVET_SUFFIXES_H

#include "policy/lists.h"
#include "policy/policy.h"

/* Returns true if the policy lacks the public suffixes that it needs. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool lacks_suffixes(const struct urivet_policy *policy)
{
	return policy->suffix_count == 0 && in_set(&policy->raised, URIVET_F_HOST_PUBLIC_SUFFIX);
}

/* Returns true if the policy checks names for public suffixes. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool judges_suffixes(const struct urivet_policy *policy)
{
	return policy->suffix_count > 0 && is_on(policy, URIVET_F_HOST_PUBLIC_SUFFIX);
}

/*@ requires \valid_read(policy) && k < policy->suffix_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_host_rule *suffix_at(const struct urivet_policy *policy,
						       uint32_t k)
{
	return &policy->suffixes[k];
}

/* Returns true if the suffixes are in order. Linear. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_suffixes_in_order(const struct urivet_policy *policy);

/* Returns true if each suffix is a name, with a scope that is defined for suffixes. Linear. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_suffixes_mean(const struct urivet_policy *policy, bool compiled);

/* Returns true if the name that fills t from `at` on is a public suffix, as it is written or
 * decoded without empty labels. A name that cannot be decoded counts as one, since some readers
 * truncate or map it. O(octets * log count). */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_is_suffix(const struct urivet_policy *policy, struct text t, uint32_t at);

#endif
