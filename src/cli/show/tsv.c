/* SPDX-License-Identifier: Apache-2.0 */
/* Writes tab-separated columns: one line for each input. */
#include "cli/show/writers.h"
#include "cli/text/emit.h"

static const uint8_t columns[] = {URIVET_SCHEME, URIVET_USERINFO, URIVET_HOST,    URIVET_PORT,
				  URIVET_PATH,   URIVET_QUERY,    URIVET_FRAGMENT};

/* Makes a text from a string literal. Its length is known at compile time. */
#define LITERAL(string) (text_at((const uint8_t *)(string), sizeof(string) - 1))

static void write_verdict(struct output *out, const struct urivet_report *report)
{
	output_text(out,
		    report->verdict == URIVET_ACCEPT ? LITERAL("accept\t") : LITERAL("reject\t"));
}

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

/* Fast path: nearly all inputs are short and need no escapes, so all components are written
 * together. */
#define SHORT 8192u

static bool is_harmless(const struct item *item)
{
	return item->report->uri.authority_in == URIVET_IN_INPUT && item->written.data == NULL &&
	       item->text.length <= SHORT && output_is_plain(item->text);
}

static void write_harmless(struct output *out, const struct item *item)
{
	static const uint8_t absent[] = {'\t', '\\', 'N'};
	const struct urivet_uri *uri = &item->report->uri;
	/* Components do not overlap. Each takes a tab, and \N if it is absent. */
	uint8_t *start = output_room(out, item->text.length + sizeof columns * 3);
	uint8_t *to = start;

	for (size_t i = 0; i < sizeof columns; i++) {
		struct octets part = part_of(uri, columns[i], item->text);

		if (part.data != NULL) {
			*to++ = '\t';
			memcpy(to, part.data, part.length);
			to += part.length;
		} else {
			memcpy(to, absent, sizeof absent);
			to += sizeof absent;
		}
	}
	out->used += (size_t)(to - start);
}

static void write_escaped(struct output *out, const struct item *item)
{
	for (size_t i = 0; i < sizeof columns; i++) {
		struct octets part = item_part(item, columns[i]);

		if (part.data == NULL) {
			output_text(out, LITERAL("\t\\N"));
			continue;
		}
		output_octet(out, '\t');
		output_escaped(out, part);
	}
}

void tsv_columns(struct output *out, const struct item *item)
{
	const struct urivet_report *report = item->report;

	write_verdict(out, report);
	output_findings(out, report);
	if (!report->parsed) {
		output_text(out, LITERAL("\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N"));
		return;
	}
	if (is_harmless(item))
		write_harmless(out, item);
	else
		write_escaped(out, item);
	output_octet(out, '\t');
	if (report->uri.port == URIVET_NO_PORT)
		output_text(out, LITERAL("\\N"));
	else if (report->uri.port == 80)
		output_text(out, LITERAL("80"));
	else if (report->uri.port == 443)
		output_text(out, LITERAL("443"));
	else
		output_number(out, report->uri.port);
}

/* Writes a column that may be absent. */
static void write_optional(struct output *out, const char *string)
{
	emit(out, "\t", string != NULL ? text_of(string) : (struct octets){0},
	     string != NULL ? "" : "\\N");
}

/* Writes the three columns of a find in mail, after the five of every find. */
static void write_mail_place(struct output *out, const struct place *place)
{
	emit(out, "\t", place->message);
	write_optional(out, place->part);
	write_optional(out, place->field);
}

/* Writes the five columns of a find, after the ten of the input. */
static void write_place(struct output *out, const struct place *place)
{
	emit(out, "\t", text_of(place->file), "\t", place->line, "\t", place->column, "\t",
	     place->text, "\t", place->kind);
	if (place->message > 0)
		write_mail_place(out, place);
}

void tsv_write(struct output *out, const struct item *item)
{
	tsv_columns(out, item);
	if (item->place != NULL)
		write_place(out, item->place);
	output_octet(out, '\n');
}

/* Writes the last column of a result, and ends the line. */
static void end_result(struct output *out, const struct item *item)
{
	output_octet(out, '\t');
	if (item->suggestion.data != NULL)
		output_escaped(out, item->suggestion);
	else
		output_text(out, LITERAL("\\N"));
	output_octet(out, '\n');
}

/* Writes offered, ascii, disagree:U+00DF@8 or unmappable. */
static void write_outcome(struct output *out, const struct urivet_iri *iri)
{
	output_string(out, item_outcome(iri));
	if (iri->outcome != URIVET_IRI_DISAGREE)
		return;
	output_octet(out, ':');
	output_code_point(out, iri->code_point);
	output_octet(out, '@');
	output_number(out, iri->span.offset);
}

void tsv_write_iri(struct output *out, const struct item *item)
{
	output_text(out, item->suggestion.data != NULL ? LITERAL("accept\t") : LITERAL("reject\t"));
	write_outcome(out, &item->iri);
	end_result(out, item);
}

void tsv_write_result(struct output *out, const struct item *item)
{
	output_text(out,
		    item->suggestion.data != NULL ? LITERAL("accept\t-") : LITERAL("reject\t-"));
	end_result(out, item);
}
