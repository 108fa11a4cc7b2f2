/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an item in one of three formats. */
#ifndef CLI_WRITERS_H
#define CLI_WRITERS_H

#include "cli/judge/item.h"
#include "cli/text/paint.h"

#define SHOWN_COMPONENTS 7u

/* Returns a component by its place among the columns. */
static inline enum urivet_component shown_component(size_t column)
{
	static const enum urivet_component shown[SHOWN_COMPONENTS] = {
	    URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,    URIVET_PORT,
	    URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT};

	return shown[column];
}

/* Writes the names of the findings, separated by commas, or "-" if there are none. */
void output_findings(struct output *out, const struct urivet_report *report);

/* Writes them as the elements of a JSON array. */
void output_json_findings(struct output *out, const struct urivet_report *report);

/* Write the ten columns, or a whole line with the position of a find. */
void tsv_columns(struct output *out, const struct item *item);
void tsv_write(struct output *out, const struct item *item);

/* Writes accept or reject, the outcome if it is shown or "-", and the suggestion. */
void tsv_write_result(struct output *out, const struct item *item);

/* Write one JSON object. */
void json_write(struct output *out, const struct item *item);
void json_write_result(struct output *out, const struct item *item);
void json_write_finding(struct output *out, const struct urivet_finding_row *info);

/* Writes diagnostics in the style of a compiler, or the components of an input that was only parsed. */
void human_write(struct output *out, const struct item *item);

/* Writes the components, one on each line. */
void human_write_components(struct output *out, const struct item *item);

/* Writes the readable form in UTF-8 from urivet_display(), if it differs. */
void human_write_display(struct output *out, const struct item *item);

/* Write the verdict and the URI; the policy, why the input is refused and what to write instead. */
void human_write_verdict(struct output *out, const struct item *item);
void human_write_reason(struct output *out, const struct item *item);

/* Writes the next step after a finding, unless its text says it. */
void human_write_next(struct output *out, unsigned id, size_t indent);

/* Writes all findings, those that matter most first, each with its position in the input; of those
 * that refuse, except the first, also the next step. */
void human_write_findings(struct output *out, const struct item *item);

/* Writes the rule or the address block that caused a finding, if there is one. */
void human_write_decision(struct output *out, const struct item *item, unsigned finding);

/* Writes the rules that allow what would otherwise be refused. */
void human_write_allowances(struct output *out, const struct item *item);

/* Writes the refused parameters, or all that were judged, each with its findings. */
void human_write_parameters(struct output *out, const struct item *item, bool all);

/* Writes the suggested spelling if it differs from the input. */
void human_write_spelling(struct output *out, const struct item *item);

/* Writes the input with its components in colour. */
void human_write_uri(struct output *out, const struct item *item);

/* Writes a component in its colour. */
void human_write_part(struct output *out, const struct item *item, enum urivet_component component);

/* Writes the host with its registrable domain highlighted. */
void human_write_host(struct output *out, const struct item *item);

/* Writes the input with marks under misleading userinfo and the real host. Writes nothing if the
 * userinfo is not misleading. */
void human_write_lure(struct output *out, const struct item *item);

/* Writes a table of the result of each reader, and which readers disagree. */
void human_write_readings(struct output *out, const struct readings *readings);

/* Writes words in lines of the output's width, each indented and in this style. */
void human_write_wrapped(struct output *out, const char *text, size_t indent, enum style style);

#endif
