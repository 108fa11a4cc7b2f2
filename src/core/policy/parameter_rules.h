/* SPDX-License-Identifier: Apache-2.0 */
/* The rules for parameters of a policy. */
#ifndef URIVET_PARAMETER_RULES_H
#define URIVET_PARAMETER_RULES_H

#include "policy/lists.h"
#include "policy/policy.h"

/*@ requires \valid_read(policy) && k < policy->parameter_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_parameter_rule *
parameter_rule_at(const struct urivet_policy *policy, uint32_t k)
{
	return &policy->parameters[k];
}

/*@ requires \valid_read(r);
    assigns \nothing; */
static inline bool is_parameter_rule_relative(const struct urivet_parameter_rule *r)
{
	return (r->scope & URIVET_SCOPE_RELATIVE) != 0;
}

/* Returns the name of a rule as stored, cut to URIVET_PARAMETER_NAME_MOST octets. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures readable(\result) && \result.end <= URIVET_PARAMETER_NAME_MOST; */
static inline struct text parameter_name(const struct urivet_parameter_rule *r)
{
	const uint32_t most =
	    r->length < URIVET_PARAMETER_NAME_MOST ? r->length : URIVET_PARAMETER_NAME_MOST;
	if (!is_parameter_rule_relative(r))
		return text_of(r->name, r->name != NULL ? most : 0);
	if (!is_relative(r->at))
		return text_of(NULL, 0);
	return text_of((const char *)r + (uint32_t)r->at, most);
}

/* Returns true if the rule lists the values that the parameter may have. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static inline bool has_values(const struct urivet_parameter_rule *r)
{
	return r->values_length > 0;
}

/* Returns these values as stored, cut to URIVET_PARAMETER_VALUES_MOST octets. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures readable(\result) && \result.end <= URIVET_PARAMETER_VALUES_MOST; */
static inline struct text parameter_values(const struct urivet_parameter_rule *r)
{
	const uint32_t most = r->values_length < URIVET_PARAMETER_VALUES_MOST
				  ? r->values_length
				  : URIVET_PARAMETER_VALUES_MOST;
	if (!is_parameter_rule_relative(r))
		return text_of(r->values, r->values != NULL ? most : 0);
	if (!is_relative(r->values_at))
		return text_of(NULL, 0);
	return text_of((const char *)r + (uint32_t)r->values_at, most);
}

/* Returns true if the rule looks at values: as URLs, or for those that it lists. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static inline bool reads_values(const struct urivet_parameter_rule *r)
{
	return r->judges || has_values(r);
}

/* Returns true if the rule is for every value that looks like a URL or a path. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static inline bool is_for_all_parameters(const struct urivet_parameter_rule *r)
{
	const struct text name = parameter_name(r);
	return name.end == 1 && octet(name, 0) == '*';
}

/* Returns the address of the policy that judges values, or of its compiled form; NULL: strict. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static inline const void *policy_address(const struct urivet_parameter_rule *r)
{
	if (!is_parameter_rule_relative(r))
		return r->policy;
	return is_relative(r->policy_at) ? (const char *)r + (uint32_t)r->policy_at : NULL;
}

/* Waives the findings that the rule allows. */
/*@ requires \valid(by) && \valid_read(r);
    assigns by->waived, by->raised; */
static inline void waive_allowed(struct urivet_policy *by, const struct urivet_parameter_rule *r)
{
	/*@ loop invariant k <= URIVET_FINDING_LIMIT / 64;
	    loop assigns k, by->waived, by->raised;
	    loop variant URIVET_FINDING_LIMIT / 64 - k; */
	for (unsigned k = 0; k < URIVET_FINDING_LIMIT / 64; k++) {
		by->waived.bits[k] |= r->allowed.bits[k];
		by->raised.bits[k] &= ~r->allowed.bits[k];
	}
}

/* Returns true if the rule allows a finding in values. */
/*@ requires \valid_read(r);
    assigns \nothing; */
bool urivet_allows_in_values(const struct urivet_parameter_rule *r);

/* Returns true if a rule for parameters can allow the finding. */
/*@ assigns \nothing; */
bool urivet_may_be_in_value(unsigned id);

/* Returns true if every rule has an effect, as urivet_policy_finish() defines it. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_parameters_mean(const struct urivet_policy *policy, bool compiled);

/* Copies the policy that judges the values of a rule to *by, with the findings waived that the rule
 * allows. Returns false if there is none. O(1). */
/*@ requires \valid_read(r) && \valid(by);
    assigns *by; */
bool urivet_policy_of_values(struct urivet_policy *by, const struct urivet_parameter_rule *r);

#endif
