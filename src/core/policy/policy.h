/* SPDX-License-Identifier: Apache-2.0 */
/* Validation of policies, and the octets that their waivers allow. */
#ifndef URIVET_POLICY_H
#define URIVET_POLICY_H

#include "report/report.h"

/* The octets that an opaque query may contain in addition to those of the grammar. */
#define OPAQUE (LBRACKET | RBRACKET | BRACE | OTHERASCII | BACKSLASH)

/* The maximum length of a URL under `strict`, in octets. */
#define STRICT_LENGTH 8192

/* The size of the smallest policy, in octets: see text/sized.h. */
#define POLICY_LEAST sizeof(struct urivet_policy)

/* Returns true if the policy is valid: see urivet_policy_finish(). Its index counts only if
 * `indexed` is set. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_is_valid(const struct urivet_policy *policy, bool indexed);

/* Seals a policy from a compiled one, whose texts and order are already verified. `is_view`: so are
 * its rules. Returns false if the policy is not valid. */
/*@ requires \valid(policy);
    assigns policy->seal; */
bool urivet_seal_compiled(struct urivet_policy *policy, bool is_view);

/* Returns true if the policy can be used for checks. See urivet_policy_finish() in urivet.h for the
 * reasons to reject one. */
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

/* Returns true if the policy makes no octets legal beyond the grammar. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool makes_nothing_legal(const struct urivet_policy *policy)
{
	return waives_nothing(policy) && !is_query_opaque(policy);
}

/* Fast path for the common case: a policy without lists and waivers is always sound, unless it
 * needs a list. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_simple(const struct urivet_policy *policy)
{
	return policy->size == sizeof *policy &&
	       (policy->hosts.count | policy->addresses.count | policy->port_count |
	        policy->nat64_count | policy->url_count | policy->protect_count |
	        policy->path_count | policy->parameter_count | policy->suffix_count) == 0 &&
	       waives_nothing(policy) && !in_set(&policy->raised, URIVET_F_HOST_PUBLIC_SUFFIX);
}

/* Returns true if there are URL rules. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_url_rules(const struct urivet_policy *policy)
{
	return policy->url_count > 0;
}

/* Returns true if URL rules only add to what is allowed. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool adds_urls(const struct urivet_policy *policy)
{
	return policy->urls_also;
}

/* Returns true if the policy forbids parameters by name. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_forbidden_parameters(const struct urivet_policy *policy)
{
	return has_url_rules(policy) && policy->forbidden_parameters[0] != '\0';
}

/* Returns true if there are rules for values of parameters. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_parameter_rules(const struct urivet_policy *policy)
{
	return policy->parameter_count > 0;
}

/* Returns true if schemes are allowed by name. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_scheme_names(const struct urivet_policy *policy)
{
	return policy->scheme_names[0] != '\0';
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool can_be_judged_by(const struct urivet_policy *policy)
{
	return is_simple(policy) || urivet_is_sound(policy);
}

/* Returns true if the policy can be used for checks. NULL stands for strict. */
/*@ requires policy == \null || \valid_read(policy);
    assigns \nothing; */
static inline bool is_strict_or_sound(const struct urivet_policy *policy)
{
	return policy == NULL || can_be_judged_by(policy);
}

/* Returns the octets that the policy's waivers for an input allow in addition to those of the
 * grammar. */
/*@ requires \valid_read(s) && \valid_read(s->policy);
    assigns \nothing; */
struct leniency urivet_leniency(const struct subject *s);

#endif
