/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of columns with tabs between: one line an input, whatever is in it. */
#include "item.h"

static const uint8_t columns[] = {URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,    URIVET_PORT,
				  URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT};

/* Text of which the length is known when this is compiled. */
#define LITERAL(string) ((struct text){(const uint8_t *)(string), sizeof(string) - 1})

static void write_verdict(struct output *out, const struct urivet_report *report)
{
	output_text(out,
		    report->verdict == URIVET_ACCEPT ? LITERAL("accept\t") : LITERAL("reject\t"));
}

static void write_ids(struct output *out, const struct urivet_report *report)
{
	if (report->count == 0)
		output_octet(out, '-');
	for (uint32_t i = 0; i < report->count; i++) {
		if (i > 0)
			output_octet(out, ',');
		output_string(out, urivet_finding_info(report->finding[i].id)->name);
	}
}

void tsv_columns(struct output *out, const struct item *item)
{
	const struct urivet_report *report = item->report;

	write_verdict(out, report);
	write_ids(out, report);
	if (!report->parsed) {
		output_text(out, LITERAL("\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N"));
		return;
	}
	for (size_t i = 0; i < sizeof columns; i++) {
		if (!urivet_has(&report->uri, columns[i])) {
			output_text(out, LITERAL("\t\\N"));
			continue;
		}
		output_octet(out, '\t');
		output_escaped(out, item_part(item, columns[i]));
	}
	output_octet(out, '\t');
	if (report->uri.port == URIVET_NO_PORT)
		output_text(out, LITERAL("\\N"));
	else
		output_number(out, report->uri.port);
}

/* The five columns of a find, behind the ten. */
static void write_place(struct output *out, const struct place *place)
{
	output_octet(out, '\t');
	output_escaped(out, text_of(place->file));
	output_octet(out, '\t');
	output_number(out, place->line);
	output_octet(out, '\t');
	output_number(out, place->column);
	output_octet(out, '\t');
	output_escaped(out, place->text);
	output_octet(out, '\t');
	output_string(out, place->kind);
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
	bool found = item->suggestion.data != NULL;

	output_text(out, found ? LITERAL("accept\t-\t") : LITERAL("reject\t-\t"));
	if (found)
		output_escaped(out, item->suggestion);
	else
		output_text(out, LITERAL("\\N"));
	output_octet(out, '\n');
}
