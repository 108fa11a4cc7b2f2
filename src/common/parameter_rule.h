/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of `parameters` in a policy file. They are data of the policy; the file also names the
 * policies of values. */
#ifndef COMMON_PARAMETER_RULE_H
#define COMMON_PARAMETER_RULE_H

#include <urivet/policy.h>
#include <urivet/rules.h>

/* Returns the name of a rule of a loaded policy; "*": every value that looks like a URL or a path. */
static inline const char *parameter_name(const struct urivet_parameter_rule *rule)
{
	return urivet_parameter_rule_name(rule).data; /* followed by a NUL */
}

/* Returns true if the rule is about a parameter of the text. The report must be about that text. */
bool urivet_loader_parameter_is_about(const struct urivet_parameter_rule *rule,
				      const struct urivet_report *report, struct urivet_text text);

/* The names of the options that are true or false, and where a rule has their value. */
#define PARAMETER_FLAGS 6u

extern const char *const urivet_loader_parameter_flags[PARAMETER_FLAGS];
bool *urivet_loader_parameter_flag(struct urivet_parameter_rule *rule, unsigned flag);

#endif
