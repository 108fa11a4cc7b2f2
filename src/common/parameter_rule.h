/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of `parameters` in a policy file. */
#ifndef COMMON_PARAMETER_RULE_H
#define COMMON_PARAMETER_RULE_H

#include <urivet/parameters.h>
#include <urivet/policy.h>

struct parameter_rule {
	const char *name;   /* decoded; "*": every value that looks like a URL or a path */
	const char *policy; /* as in the file: a built-in name or a path; NULL: not judged */
	uint32_t tag;
	bool judges; /* the value is judged as a URL or a path, beside what is allowed in it */
	bool rooted; /* ... and is a path that begins with one slash */
	bool allows; /* `allowed` is not empty */
	struct urivet_finding_set allowed;   /* do not refuse in the value */
	struct urivet_parameter_rules rules; /* how the value is judged */

	struct urivet_text text;     /* the name; `rules` points to it */
	struct urivet_loaded *by;    /* judges the value; NULL: not judged */
	struct urivet_policy policy_with_waivers; /* that of `by`, with `allowed` waived */
};

/* Returns the rule at the index, in file order; NULL after the last. It is part of
 * liburivet-policy. */
const struct parameter_rule *urivet_loader_parameter(const struct urivet_loaded *loaded,
						     size_t index);

/* Returns true if the rule is about a parameter of the text, of which the report is. */
bool urivet_loader_parameter_is_about(const struct parameter_rule *rule,
				      const struct urivet_report *report, struct urivet_text text);

/* The names of the options that are true or false, and where a rule has their value. */
#define PARAMETER_FLAGS 5u

extern const char *const urivet_loader_parameter_flags[PARAMETER_FLAGS];
bool *urivet_loader_parameter_flag(struct parameter_rule *rule, unsigned flag);

#endif
