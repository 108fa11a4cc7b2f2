/* SPDX-License-Identifier: Apache-2.0 */
/* Finds redundant rules for paths and parameters. */
#include "common/finding_set.h"
#include "common/order.h"
#include "policyfile/overlaps.h"
#include <stdlib.h>
#include <string.h>

/* Compares by what a rule covers, then by place. */
static int order_paths(const void *a, const void *b)
{
	const struct urivet_path_rule *x = *(const struct urivet_path_rule *const *)a;
	const struct urivet_path_rule *y = *(const struct urivet_path_rule *const *)b;
	const int order = x->strips != y->strips ? (int)x->strips - (int)y->strips
						 : strcmp(x->text, y->text);

	return order != 0 ? order : order_numbers(x->tag, y->tag);
}

/* Reports a rule that stands in another place already. Its findings belong into one list. */
static void check_twice(const struct urivet_loaded *loaded, struct problems *problems,
			const struct urivet_path_rule *rule, const struct urivet_path_rule *before)
{
	char line[PLACE_TEXT];
	const struct place at = loaded->place[rule->tag];

	if (rule->strips != before->strips || strcmp(rule->text, before->text) != 0)
		return;
	urivet_loader_write_line(line, loaded, at, loaded->place[before->tag]);
	urivet_loader_problem(problems, at, "\"%.300s\" stands in %s already%s", rule->text, line,
			      rule->strips ? "" : ": write all its findings there");
}

/* Reports findings that the policy allows everywhere: then the prefix limits nothing. */
static void check_allowed(const struct urivet_loaded *loaded, struct problems *problems,
			  const struct urivet_path_rule *rule)
{
	for (EACH_IN_SET(id, &rule->waived))
		if (in_set(&loaded->policy.waived, id))
			urivet_loader_problem(
			    problems, loaded->place[rule->tag],
			    "finding \"%s\" is allowed everywhere, not only below \"%.300s\": remove "
			    "it from one of both",
			    urivet_finding_info(id)->name, rule->text + rule->path);
}

void urivet_loader_check_paths(const struct urivet_loaded *loaded, struct problems *problems)
{
	const size_t count = loaded->policy.path_count;
	const struct urivet_path_rule **sorted =
	    urivet_loader_sorted(problems, loaded->path, count, sizeof *loaded->path, order_paths);

	for (size_t i = 0; sorted != NULL && i < count; i++) {
		check_allowed(loaded, problems, sorted[i]);
		if (i > 0)
			check_twice(loaded, problems, sorted[i], sorted[i - 1]);
	}
	free(sorted);
}

void urivet_loader_check_parameters(const struct urivet_loaded *loaded, struct problems *problems)
{
	for (uint32_t i = 0; i < loaded->parameters; i++) {
		const struct urivet_parameter_rule *rule = &loaded->parameter[i];

		for (EACH_IN_SET(id, &rule->allowed))
			if (!rule->judges && in_set(&loaded->policy.waived, id))
				urivet_loader_problem(
				    problems, loaded->place[rule->tag],
				    "finding \"%s\" is allowed everywhere, not only in parameter "
				    "\"%.100s\": remove it from one of both",
				    urivet_finding_info(id)->name, rule->name);
	}
}
