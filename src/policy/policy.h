/* SPDX-License-Identifier: Apache-2.0 */
/* Can a policy be judged by, and what does it make legal? */
#ifndef URIVET_POLICY_H
#define URIVET_POLICY_H

#include "report/report.h"

/* What an opaque query may hold beside the octets of the grammar. */
#define OPAQUE (LBRACKET | RBRACKET | BRACE | OTHERASCII | BACKSLASH)

/* The most octets of a URL by strict. */
#define STRICT_LENGTH 8192

/* The size of the smallest policy, which had no opaque_query yet: see text/sized.h. */
#define POLICY_LEAST offsetof(struct urivet_policy, opaque_query)

/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
bool urivet_policy_valid(const struct urivet_policy *policy);

/* urivet_policy_seal() for the policy that a compiled one is, whose texts and order were
 * verified. */
/*@ requires \valid(policy);
    assigns policy->seal; */
bool urivet_seal_compiled(struct urivet_policy *policy);

/* Can inputs be judged by a policy? urivet.h says at urivet_policy_valid() which it must not be. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_is_sound(const struct urivet_policy *policy);

/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool waives_nothing(const struct urivet_policy *policy)
{
	const uint64_t *const w = policy->waived.bits;
	return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) == 0;
}

/* The common case, seen at once: a policy of this version's size without lists and waivers has
 * nothing that could be unsound. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_simple(const struct urivet_policy *policy)
{
	return policy->size == sizeof *policy &&
	       (policy->hosts.count | policy->addresses.count | policy->port_count |
	        policy->nat64_count | policy->url_count | policy->protect_count) == 0 &&
	       waives_nothing(policy);
}

/* Are there rules about URLs? A program of before there were any has none. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_url_rules(const struct urivet_policy *policy)
{
	return policy->size > offsetof(struct urivet_policy, urls) && policy->url_count > 0;
}

/* Returns true if schemes are allowed by name. A program of before there were any names none. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_scheme_names(const struct urivet_policy *policy)
{
	return policy->size > offsetof(struct urivet_policy, scheme_names) &&
	       policy->scheme_names[0] != '\0';
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool can_be_judged_by(const struct urivet_policy *policy)
{
	return is_simple(policy) || urivet_is_sound(policy);
}

/* The same where NULL stands for strict. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static inline bool is_strict_or_sound(const struct urivet_policy *policy)
{
	return policy == NULL || can_be_judged_by(policy);
}

/* The octets that its waivers make legal beside those of the grammar. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
struct leniency urivet_policy_leniency(const struct urivet_policy *policy);

#endif
