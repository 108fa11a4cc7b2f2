/* SPDX-License-Identifier: Apache-2.0 */
/* Writes finds of scan as a log in SARIF 2.1.0. The rules come after the results, since only those
 * with results are written. */
#include "cli/show/sarif.h"
#include "common/text/is_utf8.h"

/* Writes `"key":"text"`, after what comes before it. */
static void sarif_member(struct output *out, const char *before, struct octets text)
{
	output_string(out, before);
	output_json_string(out, text, !is_utf8(text));
}

static void sarif_number(struct output *out, const char *before, uint64_t number)
{
	output_string(out, before);
	output_number(out, number);
}

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

	sarif_number(out, "{\"startLine\":", place->line);
	sarif_number(out, ",\"startColumn\":", place->column);
	if (length > 0)
		sarif_number(out, ",\"endColumn\":", place->column + length);
	output_octet(out, '}');
}

/* Writes the suggested spelling as a fix, if it can replace the octets in the file. */
static void sarif_fix(struct output *out, const struct item *item)
{
	const struct place *place = item->place;

	if (item->suggestion.data == NULL || length_in_file(place) == 0 ||
	    !text_equals(item->text, place->text) || text_equals(item->suggestion, item->text))
		return;
	sarif_member(out, ",\"fixes\":[{\"description\":{\"text\":", text_of("Write it so."));
	output_string(out, "},\"artifactChanges\":[{\"artifactLocation\":");
	sarif_file(out, place->file);
	output_string(out, ",\"replacements\":[{\"deletedRegion\":");
	sarif_region(out, place);
	sarif_member(out, ",\"insertedContent\":{\"text\":", item->suggestion);
	output_string(out, "}}]}]}]");
}

static void sarif_result(struct output *out, const struct item *item,
			 const struct urivet_finding_row *info, bool refuses)
{
	const struct place *place = item->place;

	sarif_member(out, "{\"ruleId\":", text_of(info->name));
	sarif_member(out, ",\"level\":", text_of(refuses ? "error" : "note"));
	output_string(out, ",\"message\":{\"text\":\"");
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
			   "\"version\":\"2.1.0\",\"runs\":[{\"results\":[");
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
		sarif->rules.bits[finding->id / 64] |= (uint64_t)1 << finding->id % 64;
	}
}

static void sarif_rule(struct output *out, const struct urivet_finding_row *info)
{
	sarif_member(out, "{\"id\":", text_of(info->name));
	sarif_member(out, ",\"fullDescription\":{\"text\":", text_of(info->text));
	sarif_member(out, "},\"help\":{\"text\":", text_of(info->reference));
	sarif_member(out, "},\"properties\":{\"tags\":[", text_of(urivet_class_name(info->class_)));
	output_string(out, "]}}");
}

void sarif_end(struct output *out, const struct sarif *sarif)
{
	bool is_first = true;

	sarif_member(out, "],\n\"tool\":{\"driver\":{\"name\":\"urivet\",\"version\":",
		     text_of(urivet_version()));
	output_string(out, ",\"rules\":[");
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		if ((sarif->rules.bits[id / 64] >> id % 64 & 1) == 0)
			continue;
		output_string(out, is_first ? "\n" : ",\n");
		sarif_rule(out, urivet_finding_info(id));
		is_first = false;
	}
	output_string(out, "]}}}]}\n");
}
