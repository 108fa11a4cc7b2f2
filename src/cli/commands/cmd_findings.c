/* SPDX-License-Identifier: Apache-2.0 */
/* urivet findings: writes the catalogue of findings, or details of one finding. */
#include "cli/commands/hints.h"
#include "cli/commands/options.h"
#include "cli/show/catalogue.h"
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include "common/finding_set.h"

#define NAME_COLUMNS 30u

static const char *const class_text[] = {
    [URIVET_MALFORMED] = "no URI by RFC 3986",
    [URIVET_AMBIGUOUS] = "a URI that readers in use read differently",
    [URIVET_DANGEROUS] = "read alike by all, but an attack or its tool",
    [URIVET_POLICY] = "against a rule of the policy; silent where it has no such rule",
    [URIVET_NOTE] = "worth knowing; refuses only with --refuse",
};

#define CLASSES (sizeof class_text / sizeof class_text[0])

/* ---- TSV ----------------------------------------------------------------------------- */

static void tsv_write_finding(struct output *out, const struct urivet_finding_row *info)
{
	emit(out, info->name, "\t", info->id, "\t", urivet_class_name(info->class_), "\t",
	     urivet_component_name(info->component), "\t", prose(info->reference), "\t",
	     prose(info->text), "\t", prose(example_of(info->id).next), "\n");
}

/* ---- Human: the list ------------------------------------------------------------------ */

static void human_write_row(struct output *out, const struct urivet_finding_row *info)
{
	size_t columns = strlen(info->name);

	emit(out, "  ", painted(STYLE_HEAD, info->name),
	     spaces(columns < NAME_COLUMNS ? NAME_COLUMNS - columns : 1), in_style(STYLE_NOTE),
	     info->id, "  ", urivet_component_name(info->component), "  [", info->reference, "]",
	     in_style(STYLE_PLAIN), "\n");
	human_write_wrapped(out, info->text, 6, STYLE_PLAIN);
	human_write_next(out, info->id, 6);
}

static void human_write_class(struct output *out, unsigned class_)
{
	emit(out, painted(STYLE_HEAD, urivet_class_name(class_)), ": ", class_text[class_], "\n\n");
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (info != NULL && info->class_ == class_)
			human_write_row(out, info);
	}
	output_octet(out, '\n');
}

/* ---- Human: one row ---------------------------------------------------------------------- */

static void write_field(struct output *out, const char *label, const char *value)
{
	emit(out, "  ", label, spaces(12 - strlen(label)), prose(value), "\n");
}

/* Writes the option or setting that changes whether a finding refuses. */
static void write_choice(struct output *out, const struct urivet_finding_row *info,
			 const char *judged_by)
{
	struct urivet_policy strict, public;

	(void)urivet_policy_init(&strict, sizeof strict, URIVET_STRICT);
	(void)urivet_policy_init(&public, sizeof public, URIVET_PUBLIC);
	if (strcmp(judged_by, "link") == 0)
		write_field(out, "refuses",
			    "in scan --html, where --refuse names it, and by the policy public");
	else if (strcmp(judged_by, "text") == 0)
		write_field(out, "refuses", "in scan, where --refuse names it");
	else if (in_set(&public.raised, info->id))
		write_field(out, "refuses", "where --refuse names it, and by the policy public");
	else if (info->class_ == URIVET_NOTE || strcmp(judged_by, "raised") == 0 ||
		 strcmp(judged_by, "suffix") == 0)
		write_field(out, "refuses", "only where --refuse names it");
	else if (strcmp(judged_by, "listed") == 0 || strcmp(judged_by, "urls") == 0)
		write_field(out, "refuses", "where the policy has such a list");
	else if (strcmp(judged_by, "origin") == 0)
		write_field(out, "refuses", "where references must keep the origin of their base");
	else if (strcmp(judged_by, "parameter") == 0)
		write_field(out, "refuses", "where parameters are judged");
	else if (urivet_policy_waive(&strict, info->id))
		write_field(out, "refuses", "unless --allow names it");
	else
		write_field(out, "refuses", "always");
}

static void human_write_info(struct output *out, const struct urivet_finding_row *info)
{
	struct example example = example_of(info->id);

	emit(out, painted(STYLE_HEAD, info->name), " (number ", info->id, ")\n\n");
	human_write_wrapped(out, info->text, 2, STYLE_PLAIN);
	output_octet(out, '\n');
	write_field(out, "class", urivet_class_name(info->class_));
	write_field(out, "", class_text[info->class_]);
	write_field(out, "component", urivet_component_name(info->component));
	write_field(out, "reference", info->reference);
	write_choice(out, info, example.policy);
	write_field(out, "judged by", example.policy);
	write_field(out, "next step", example.next);
	emit(out, "  fires on    ", example.fires, "\n  not on      ", example.misses, "\n");
}

/* ---- The command --------------------------------------------------------------------------- */

static void write_one(struct output *out, enum format format, const struct urivet_finding_row *info)
{
	static void (*const write[])(struct output *, const struct urivet_finding_row *) = {
	    [FORMAT_HUMAN] = human_write_info,
	    [FORMAT_TSV] = tsv_write_finding,
	    [FORMAT_JSON] = json_write_finding};

	write[format](out, info);
}

static void write_every(struct output *out, enum format format)
{
	if (format == FORMAT_HUMAN) {
		for (unsigned class_ = 0; class_ < CLASSES; class_++)
			human_write_class(out, class_);
		return;
	}
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		if (urivet_finding_info(id) != NULL)
			write_one(out, format, urivet_finding_info(id));
	}
}

enum status run_findings(const struct options *options)
{
	const struct urivet_finding_row *info = NULL;
	struct output out;

	if (options->reading.operands > 0) {
		info = finding_by_word(options->reading.operand[0]);
		if (info == NULL) {
			hint_at_findings(options->reading.operand[0]);
			return STATUS_TROUBLE;
		}
	}
	if (options->showing.quiet)
		return STATUS_ACCEPTED;
	if (!paint_open(&out, options->showing.colour))
		return STATUS_TROUBLE;
	if (info != NULL)
		write_one(&out, options->showing.format, info);
	else
		write_every(&out, options->showing.format);
	return output_finish(&out) ? STATUS_ACCEPTED : STATUS_TROUBLE;
}
