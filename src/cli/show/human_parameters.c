/* SPDX-License-Identifier: Apache-2.0 */
/* Writes parameters for people: name, decoded value and findings. */
#include "cli/show/writers.h"
#include "cli/text/emit.h"
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
	const bool shortened = parameter->name.length > NAME_SHOWN;
	char place[sizeof "..." + NAME_SHOWN];
	struct item inner =
	    item_of(parameter->judged, &parameter->report, of->rules->policy, of->loaded);

	(void)snprintf(place, sizeof place, "%.*s%s",
		       shortened ? NAME_SHOWN : (int)parameter->name.length,
		       (const char *)parameter->name.data, shortened ? "..." : "");
	inner.source = place;
	if (!parameter->accepted)
		human_write_reason(out, &inner);
	human_write_findings(out, &inner);
}

static void write_parameter(struct output *out, const struct parameter_walk *walk,
			    const struct judged_parameter *parameter)
{
	write_head(out, parameter);
	if (parameter->secret) {
		output_string(out, parameter->report.count > 0 ? "(masked) " : "(masked)");
		if (parameter->report.count > 0)
			output_findings(out, &parameter->report);
		output_octet(out, '\n');
	} else if (!parameter->was_judged) {
		emit(out, parameters_fault(walk, parameter), "\n");
	} else {
		emit(out, parameter->value, "\n");
		write_findings(out, walk->of, parameter);
	}
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
