/* SPDX-License-Identifier: Apache-2.0 */
/* Writes parameters for people: name, decoded value and findings. */
#include "cli/show/item.h"
#include "cli/show/paint.h"
#include <stdio.h>

#define INDENT 4u

/* Writes "    parameter next (2): refused: ". */
static void write_head(struct output *out, const struct judged_parameter *parameter)
{
	output_spaces(out, INDENT);
	output_string(out, "parameter ");
	paint(out, STYLE_HEAD);
	output_escaped(out, parameter->name);
	paint(out, STYLE_PLAIN);
	if (parameter->occurrence > 1) {
		output_string(out, " (");
		output_number(out, parameter->occurrence);
		output_string(out, ")");
	}
	output_string(out, ": ");
	paint(out, parameter->accepted ? STYLE_ACCEPT : STYLE_REJECT);
	output_string(out, parameter->accepted ? "accepted" : "refused");
	paint(out, STYLE_PLAIN);
	output_string(out, ": ");
}

#define NAME_SHOWN 40

/* Writes the findings in a value, each after the name of its parameter: "next:8: ". */
static void write_findings(struct output *out, const struct parameters *of,
			   const struct judged_parameter *parameter)
{
	const struct urivet_policy *policy = of->rules->policy;
	const bool shortened = parameter->name.length > NAME_SHOWN;
	char place[sizeof "..." + NAME_SHOWN];
	struct item inner = {.source = place,
			     .text = parameter->judged,
			     .length = parameter->judged.length,
			     .too_long = parameter->judged.length > policy->max_length,
			     .policy = policy,
			     .loaded = of->loaded,
			     .report = &parameter->report};

	(void)snprintf(place, sizeof place, "%.*s%s",
		       shortened ? NAME_SHOWN : (int)parameter->name.length,
		       (const char *)parameter->name.data, shortened ? "..." : "");
	/* only the head of an over-long value is shown */
	if (inner.too_long)
		inner.text.length = policy->max_length < 64 ? policy->max_length : 64;
	human_write_findings(out, &inner);
}

static void write_masked(struct output *out, const struct judged_parameter *parameter)
{
	output_string(out, "(masked)");
	if (parameter->report.count > 0) {
		output_string(out, " ");
		output_findings(out, &parameter->report);
	}
	output_octet(out, '\n');
}

static void write_parameter(struct output *out, const struct parameter_walk *walk,
			    const struct judged_parameter *parameter)
{
	write_head(out, parameter);
	if (parameter->secret) {
		write_masked(out, parameter);
		return;
	}
	if (!parameter->was_judged) {
		output_string(out, parameters_fault(walk, parameter));
		output_octet(out, '\n');
		return;
	}
	output_escaped(out, parameter->value);
	output_octet(out, '\n');
	write_findings(out, walk->of, parameter);
}

void human_write_parameters(struct output *out, const struct item *item, bool all)
{
	struct parameter_walk walk;
	struct judged_parameter parameter;

	if (item->parameters == NULL)
		return;
	walk = parameters_walk(item->parameters);
	while (parameters_next(&walk, &parameter)) {
		if (all || !parameter.accepted)
			write_parameter(out, &walk, &parameter);
	}
	if (parameters_too_many(&walk)) {
		output_spaces(out, INDENT);
		output_string(out, "parameters after the 256th are refused unread\n");
	}
}
