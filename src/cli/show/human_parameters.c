/* SPDX-License-Identifier: Apache-2.0 */
/* Writes parameters for people: name, decoded value and findings. */
#include "cli/show/emit.h"
#include "cli/show/item.h"
#include <stdio.h>

#define INDENT 4u

/* Writes "    parameter next (2): refused: ". */
static void write_head(struct output *out, const struct judged_parameter *parameter)
{
	emit(out, spaces(INDENT), "parameter ", painted_text(STYLE_HEAD, parameter->name));
	if (parameter->occurrence > 1)
		emit(out, " (", parameter->occurrence, ")");
	emit(out, ": ",
	     painted(parameter->accepted ? STYLE_ACCEPT : STYLE_REJECT,
		     parameter->accepted ? "accepted" : "refused"),
	     ": ");
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
		emit(out, parameters_fault(walk, parameter), "\n");
		return;
	}
	emit(out, parameter->value, "\n");
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
	if (parameters_too_many(&walk))
		emit(out, spaces(INDENT), "parameters after the 256th are refused unread\n");
}
