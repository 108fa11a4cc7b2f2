/* SPDX-License-Identifier: Apache-2.0 */
/* The rules for parameters of a policy. */
#include "policyfile/parameters.h"
#include "common/finding_set.h"

#include <string.h>
#include <urivet/parameters.h>

const char *const urivet_loader_parameter_flags[PARAMETER_FLAGS] = {
    "same_origin", "rooted", "absolute", "any_case", "semicolons", "required"};

bool *urivet_loader_parameter_flag(struct urivet_parameter_rule *rule, unsigned flag)
{
	bool *const flags[PARAMETER_FLAGS] = {&rule->same_origin, &rule->rooted, &rule->absolute,
					      &rule->any_case, &rule->semicolons, &rule->required};

	return flags[flag];
}

bool urivet_loader_parameter_may_allow(unsigned id)
{
	return id != URIVET_F_HOST_MISSING && can_waive_by_path_rule(id);
}

bool urivet_loader_parameter_is_plain(const char *name)
{
	static const char octets[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_.~!$'()*,:@/-[]";

	return strcmp(name, "*") != 0 && name[strspn(name, octets)] == '\0';
}

void urivet_loader_settle_parameters(struct urivet_loaded *loaded)
{
	for (uint32_t i = 0; i < loaded->parameters; i++)
		if (loaded->value[i].by != NULL)
			loaded->parameter[i].policy = &loaded->value[i].by->policy;
	loaded->policy.parameters = loaded->parameter;
	loaded->policy.parameter_count = loaded->parameters;
}

const char *urivet_loaded_parameter(const struct urivet_loaded *loaded, size_t index)
{
	return index < loaded->policy.parameter_count
		   ? parameter_name(&loaded->policy.parameters[index])
		   : NULL;
}

bool urivet_loader_parameter_is_about(const struct urivet_parameter_rule *rule,
				      const struct urivet_report *report, struct urivet_text text)
{
	const struct urivet_parameter_input input = {.text = text}; /* without room for a value */
	const struct urivet_text name = urivet_parameter_rule_name(rule);
	struct urivet_parameter_rules rules;
	struct urivet_text query = {NULL, 0};
	struct urivet_parameter_scan scan = {.semicolons = rule->semicolons};
	struct urivet_parameter parameter;
	struct urivet_report inner;

	(void)urivet_parameter_rules_init(&rules, sizeof rules);
	rules.names = &name;
	rules.count = name.length != 1 || *(const char *)name.data != '*';
	rules.times = rule->times;
	rules.any_case = rule->any_case;
	rules.semicolons = rule->semicolons;
	if (report->parsed)
		query = urivet_part(&report->uri, URIVET_QUERY, text, query);
	scan.data = query.data;
	scan.length = query.length;
	while (urivet_parameter_next(&scan, &parameter))
		if (urivet_check_parameter(&inner, NULL, &parameter, report, &input, &rules) !=
		    URIVET_PARAMETER_NOT_ASKED)
			return true;
	return false;
}
