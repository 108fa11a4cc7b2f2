/* SPDX-License-Identifier: Apache-2.0 */
/* Writes tab-separated columns: one line for each input. */
#include "cli/show/writers.h"
#include "cli/text/emit.h"

void output_findings(struct output *out, const struct urivet_report *report)
{
	if (report->count == 0)
		output_octet(out, '-');
	for (uint32_t i = 0; i < report->count; i++) {
		if (i > 0)
			output_octet(out, ',');
		output_string(out, urivet_finding_info(report->finding[i].id)->name);
	}
}

static void write_components(struct output *out, const struct item *item)
{
	for (size_t i = 0; i < SHOWN_COMPONENTS; i++) {
		struct octets part = item_part(item, shown_component(i));

		emit(out, "\t", part, part.data == NULL ? "\\N" : "");
	}
}

void tsv_columns(struct output *out, const struct item *item)
{
	const struct urivet_report *report = item->report;

	output_string(out, report->verdict == URIVET_ACCEPT ? "accept\t" : "reject\t");
	output_findings(out, report);
	if (!report->parsed) {
		output_string(out, "\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N");
		return;
	}
	write_components(out, item);
	output_octet(out, '\t');
	if (report->uri.port == URIVET_NO_PORT)
		output_string(out, "\\N");
	else
		output_number(out, report->uri.port);
}

/* Writes a column that may be absent. */
static void write_optional(struct output *out, const char *string)
{
	emit(out, "\t", text_or_none(string), string != NULL ? "" : "\\N");
}

/* Writes the five columns of a find, after the ten of the input, and three more of one in mail. */
static void write_place(struct output *out, const struct place *place)
{
	emit(out, "\t", text_of(place->file), "\t", place->line, "\t", place->column, "\t",
	     place->text, "\t", place->kind);
	if (place->message == 0)
		return;
	emit(out, "\t", place->message);
	write_optional(out, place->part);
	write_optional(out, place->field);
}

void tsv_write(struct output *out, const struct item *item)
{
	tsv_columns(out, item);
	if (item->place != NULL)
		write_place(out, item->place);
	output_octet(out, '\n');
}

void tsv_write_result(struct output *out, const struct item *item)
{
	const struct urivet_iri *iri = &item->iri;
	const bool good = item->suggestion.data != NULL;

	emit(out, good ? "accept\t" : "reject\t", item->shows_outcome ? item_outcome(iri) : "-");
	if (item->shows_outcome && iri->outcome == URIVET_IRI_DISAGREE) {
		output_octet(out, ':');
		output_code_point(out, iri->code_point);
		emit(out, "@", iri->span.offset);
	}
	emit(out, "\t", item->suggestion, good ? "\n" : "\\N\n");
}
