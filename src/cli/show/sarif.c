/* SPDX-License-Identifier: Apache-2.0 */
/* Writes finds of scan as a log in SARIF 2.1.0. The rules come after the results, since only those
 * with results are written. */
#include "cli/show/sarif.h"
#include "cli/text/emit.h"
#include "common/finding_set.h"
#include "common/text/is_utf8.h"

/* Writes a file name as a URI reference. */
static void sarif_file(struct output *out, const char *name)
{
	const bool is_absolute = name[0] == '/';

	output_string(out, is_absolute ? "{\"uri\":\"file://" : "{\"uri\":\"");
	if (strcmp(name, "-") == 0)
		name = "stdin";
	for (const char *at = name; *at != '\0'; at++) {
		const uint8_t octet = (uint8_t)*at;
		const uint8_t letter = lower_case(octet);

		if ((letter >= 'a' && letter <= 'z') || (octet >= '0' && octet <= '9') ||
		    strchr("-._~/", octet) != NULL)
			output_octet(out, (char)octet);
		else
			output_hex(out, "%", octet);
	}
	output_string(out, "\"}");
}

size_t sarif_further(const uint8_t *data, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += (data[i] & 0xC0) == 0x80;
	return count;
}

/* Returns the length of the URL in the file, or 0 if the text there differs. */
static size_t length_in_file(const struct place *place)
{
	const bool has_line_break =
	    place->text.length > 0 && memchr(place->text.data, '\n', place->text.length) != NULL;

	return place->is_verbatim && !has_line_break ? place->text.length : 0;
}

static void sarif_region(struct output *out, const struct place *place)
{
	const size_t length = length_in_file(place);
	const uint64_t column = place->column - place->further;

	emit(out, "{\"startLine\":", place->line, ",\"startColumn\":", column);
	if (length > 0)
		emit(out,
		     ",\"endColumn\":", column + length - sarif_further(place->text.data, length));
	output_octet(out, '}');
}

/* Writes the suggested spelling as a fix, if it can replace the octets in the file. */
static void sarif_fix(struct output *out, const struct item *item)
{
	const struct place *place = item->place;

	if (item->suggestion.data == NULL || length_in_file(place) == 0 ||
	    !text_equals(item->text, place->text) || text_equals(item->suggestion, item->text))
		return;
	output_string(out, ",\"fixes\":[{\"description\":{\"text\":\"Write it so.\"},"
			   "\"artifactChanges\":[{\"artifactLocation\":");
	sarif_file(out, place->file);
	output_string(out, ",\"replacements\":[{\"deletedRegion\":");
	sarif_region(out, place);
	emit(out, ",\"insertedContent\":{\"text\":", json_text(item->suggestion, false), "}}]}]}]");
}

static void sarif_result(struct output *out, const struct item *item,
			 const struct urivet_finding_row *info, bool refuses)
{
	const struct place *place = item->place;

	emit(out, "{\"ruleId\":\"", info->name, "\",\"level\":\"", refuses ? "error" : "note",
	     "\",\"message\":{\"text\":\"");
	output_json_escaped(out, item->text, !is_utf8(item->text));
	output_string(out, ": ");
	output_json_escaped(out, text_of(info->text), false);
	output_string(out, "\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":");
	sarif_file(out, place->file);
	output_string(out, ",\"region\":");
	sarif_region(out, place);
	output_string(out, "}}]");
	if (refuses)
		sarif_fix(out, item);
	output_octet(out, '}');
}

void sarif_begin(struct output *out)
{
	output_string(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
			   "\"version\":\"2.1.0\",\"runs\":["
			   "{\"columnKind\":\"unicodeCodePoints\",\"results\":[");
}

void sarif_write(struct output *out, struct sarif *sarif, const struct item *item)
{
	const struct urivet_report *report = item->report;

	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *finding = &report->finding[i];
		const bool refuses = urivet_finding_refuses(report, finding, item->policy);

		if (!refuses && finding->id != URIVET_F_TEXT_HIDDEN)
			continue;
		output_string(out, sarif->has_results ? ",\n" : "\n");
		sarif_result(out, item, urivet_finding_info(finding->id), refuses);
		sarif->has_results = true;
		put_in_set(&sarif->rules, finding->id);
	}
}

static void sarif_rule(struct output *out, const struct urivet_finding_row *info)
{
	emit(out, "{\"id\":\"", info->name,
	     "\",\"fullDescription\":{\"text\":", json_text(text_of(info->text), false),
	     "},\"help\":{\"text\":", json_text(text_of(info->reference), false),
	     "},\"properties\":{\"tags\":[\"", urivet_class_name(info->class_), "\"]}}");
}

void sarif_end(struct output *out, const struct sarif *sarif)
{
	bool is_first = true;

	emit(out, "],\n\"tool\":{\"driver\":{\"name\":\"urivet\",\"version\":\"", urivet_version(),
	     "\",\"rules\":[");
	for (EACH_IN_SET(id, &sarif->rules)) {
		output_string(out, is_first ? "\n" : ",\n");
		sarif_rule(out, urivet_finding_info(id));
		is_first = false;
	}
	output_string(out, "]}}}]}\n");
}
