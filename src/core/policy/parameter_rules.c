/* SPDX-License-Identifier: Apache-2.0 */
/* The rules for parameters of a policy: validity, and the policies that they name. */
#include "policy/parameter_rules.h"

#include <string.h>

#include "policy/compiled.h"

bool urivet_allows_in_values(const struct urivet_parameter_rule *r)
{
	const uint64_t *const w = r->allowed.bits;
	return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0;
}

bool urivet_may_be_in_value(unsigned id)
{
	const uint64_t host = urivet_below_bit(URIVET_F_HOST_MISSING) |
			      urivet_below_bit(URIVET_F_HOST_EMPTY) |
			      urivet_below_bit(URIVET_F_HOST_NOT_ALLOWED);
	return (urivet_below_bit(id) & ~host) != 0;
}

/* ---- Validity of the rules ---------------------------------------------------------------- */

/* The octets of a name that can be compared as it is written in a query. */
#define AS_WRITTEN                                                                                 \
	(UNRESERVED | PLAINSUB | APOSTROPHE | COLON | AT | SLASH | LBRACKET | RBRACKET)

/* Returns true if the rule allows only what it can allow, and has a name for that. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static bool allows_soundly(const struct urivet_parameter_rule *r)
{
	const struct text name = parameter_name(r);
	if (!urivet_allows_in_values(r))
		return reads_values(r) || r->required;
	/*@ loop invariant id <= URIVET_FINDING_LIMIT;
	    loop assigns id;
	    loop variant URIVET_FINDING_LIMIT - id; */
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (in_set(&r->allowed, id) && !urivet_may_be_in_value(id))
			return false;
	return !is_for_all_parameters(r) && skip(name, 0, AS_WRITTEN) == name.end;
}

/* Returns true if the values that the rule lists each end with a line feed, and are those of one
 * parameter. */
/*@ requires \valid_read(r);
    assigns \nothing; */
static bool lists_soundly(const struct urivet_parameter_rule *r)
{
	const struct text values = parameter_values(r);
	if (has_values(r) && (values.end != r->values_length || octet(values, values.end - 1) != '\n'))
		return false;
	return (!has_values(r) && !r->required) || !is_for_all_parameters(r);
}

bool urivet_parameters_mean(const struct urivet_policy *policy, bool compiled)
{
	/*@ loop invariant k <= policy->parameter_count;
	    loop assigns k;
	    loop variant policy->parameter_count - k; */
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(policy, k);
		if ((r->scope & ~URIVET_SCOPE_RELATIVE) != 0 ||
		    (is_parameter_rule_relative(r) && !compiled) || parameter_name(r).end == 0 ||
		    r->length > URIVET_PARAMETER_NAME_MOST || (r->rooted && r->absolute) ||
		    !allows_soundly(r) || !lists_soundly(r) ||
		    (r->reserved[0] | r->reserved[1] | r->reserved[2]) != 0)
			return false;
	}
	return true;
}

/* ---- Policies of values --------------------------------------------------------------------- */

bool urivet_policy_of_values(struct urivet_policy *by, const struct urivet_parameter_rule *r)
{
	const void *from = policy_address(r);
	if (is_parameter_rule_relative(r) && r->policy_at != 0) {
		if (from == NULL || !urivet_compiled_view(by, from))
			return false;
	} else {
		memcpy(by, from != NULL ? from : &urivet_strict, sizeof *by);
	}
	waive_allowed(by, r);
	return by->parameter_count == 0;
}
