/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one JSON object on each line, in ASCII: the library's JSON of a report, and members that
 * the command adds. */
#include "cli/show/catalogue.h"
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include "common/text/is_utf8.h"
#include <urivet/json.h>

/* ---- Objects ---------------------------------------------------------------------- */

static bool all_utf8(const struct readings *readings)
{
	bool all = true;

	for (unsigned i = 0; all && readings != NULL && i < URIVET_READERS; i++)
		all = is_utf8(readings->source[i]);
	return all;
}

/* Returns the Host field if it contains components. */
static struct octets shown_host(const struct item *item)
{
	return item->report->uri.authority_in == URIVET_IN_HOST_FIELD ? item->host
								      : (struct octets){0};
}

/* Returns true if strings in the output represent octets instead of text. */
static bool is_raw(const struct item *item)
{
	const struct place *place = item->place;

	if (place != NULL && !(is_utf8(place->text) && is_utf8(text_of(place->file)) &&
			       is_utf8(text_or_none(place->field)) && is_utf8(place->shown)))
		return true;
	return !item->too_long && !(is_utf8(item->text) && is_utf8(shown_host(item)) &&
				    is_utf8(item->written) && all_utf8(item->readings));
}

/* Writes all output of the library's JSON writer, in parts. */
static void write_json(struct output *out, struct urivet_json *json)
{
	size_t written;

	do {
		written =
		    urivet_json_next(json, (char *)output_room(out, OUTPUT_ROOM), OUTPUT_ROOM);
		out->used += written;
	} while (written > 0);
}

/* Writes the object up to its findings, without the closing brace. */
static void write_report(struct output *out, const struct item *item, bool raw)
{
	struct octets read = item->written.data != NULL ? item->written : item->text;
	/* each member is named: else GCC clears the whole first, by a slow string instruction */
	struct urivet_json json = {
	    .report = item->report,
	    .uri = item->report->parsed ? &item->report->uri : NULL,
	    .input = urivet_text_of(item->text.data, item->length),
	    .read = to_library(read),
	    .host = to_library(item->host),
	    .policy = item->policy != NULL ? item->policy->name : NULL,
	    .rules = item->policy,
	    .unread = item->too_long,
	    .raw = raw,
	    .position = 0,
	    .offset = 0,
	};

	write_json(out, &json);
}

static void write_reading(struct output *out, const struct readings *readings, unsigned reader,
			  bool raw)
{
	const struct urivet_reading *reading = &readings->reading[reader];
	struct urivet_json json = {.uri = reading->reads ? &reading->uri : NULL,
				   .read = to_library(readings->source[reader]),
				   .raw = raw};

	emit(out, "{\"reader\":\"", urivet_reader_name(reader),
	     reading->reads ? "\",\"reads\":true" : "\",\"reads\":false");
	write_json(out, &json); /* "components", "host" and "port" */
	output_octet(out, '}');
}

static void write_readings(struct output *out, const struct readings *readings, bool raw)
{
	output_string(out, ",\"readings\":");
	for (unsigned i = 0; readings != NULL && i < URIVET_READERS; i++) {
		output_octet(out, i == 0 ? '[' : ',');
		write_reading(out, readings, i, raw);
	}
	output_string(out, readings != NULL ? "]" : "null");
}

/* Writes the position of a find. */
static void write_place(struct output *out, const struct place *place, bool raw)
{
	emit(out, ",\"file\":", json_text(text_of(place->file), raw), ",\"line\":", place->line,
	     ",\"column\":", place->column, ",\"text\":", json_text(place->text, raw),
	     ",\"kind\":\"", place->kind, "\"");
	if (place->shown.data != NULL)
		emit(out, ",\"shown\":", json_text(place->shown, raw));
	if (place->hidden_line > 0)
		emit(out, ",\"hidden\":{\"line\":", place->hidden_line,
		     ",\"column\":", place->hidden_column, "}");
	if (place->hyphen_at_break)
		output_string(out, ",\"hyphen_at_break\":true");
	if (place->message > 0)
		emit(out, ",\"message\":", place->message,
		     ",\"part\":", json_text(text_or_none(place->part), raw),
		     ",\"field\":", json_text(text_or_none(place->field), raw));
}

/* Writes the report of a value, like that of an input. */
static void write_parameter_report(struct output *out, const struct parameters *of,
				   const struct judged_parameter *parameter, bool raw)
{
	struct urivet_json json = {.report = &parameter->report,
				   .uri = parameter->report.parsed ? &parameter->report.uri : NULL,
				   .input = to_library(parameter->judged),
				   .read = to_library(parameter->judged),
				   .policy = of->rules->policy->name,
				   .rules = of->rules->policy,
				   .unread =
				       parameter->judged.length > of->rules->policy->max_length,
				   .raw = raw};

	write_json(out, &json);
	output_octet(out, '}');
}

static void write_parameter(struct output *out, const struct parameters *of,
			    const struct judged_parameter *parameter, bool raw)
{
	emit(out, "{\"name\":", json_text(parameter->name, raw),
	     ",\"occurrence\":", parameter->occurrence,
	     ",\"value\":", json_text(parameter->value, raw), ",\"verdict\":\"",
	     parameter->accepted ? "accept" : "reject", "\",\"report\":");
	if (parameter->was_judged)
		write_parameter_report(out, of, parameter, raw);
	else
		output_string(out, "null");
	output_octet(out, '}');
}

static void write_parameters(struct output *out, const struct parameters *parameters, bool raw)
{
	struct parameter_walk walk = parameters_walk(parameters);
	struct judged_parameter parameter;
	char before = '[';

	output_string(out, ",\"parameters\":");
	if (!parameters->report->parsed) { /* it has no known query */
		output_string(out, "null");
		return;
	}
	for (; parameters_next(&walk, &parameter); before = ',') {
		output_octet(out, before);
		write_parameter(out, parameters, &parameter, raw);
	}
	if (before == '[')
		output_octet(out, before);
	output_octet(out, ']');
}

void output_json_findings(struct output *out, const struct urivet_report *report)
{
	for (uint32_t i = 0; i < report->count; i++)
		emit(out, i > 0 ? ",\"" : "\"", urivet_finding_info(report->finding[i].id)->name,
		     "\"");
}

void json_write(struct output *out, const struct item *item)
{
	uint8_t order[URIVET_MAX_FINDINGS];
	const struct urivet_finding *reason = sort_findings(order, item);
	bool raw = is_raw(item);

	write_report(out, item, raw);
	write_readings(out, item->readings, raw);
	emit(out, ",\"suggestion\":", json_text(item->suggestion, raw));
	if (item->parameters != NULL)
		write_parameters(out, item->parameters, raw);
	emit(out, ",\"registrable\":", json_text(item_registrable(item), false),
	     reason != NULL ? ",\"reason\":\"" : ",\"reason\":null",
	     reason != NULL ? urivet_finding_info(reason->id)->name : "",
	     reason != NULL ? "\"" : "");
	if (item->place != NULL)
		write_place(out, item->place, raw);
	if (item->observed)
		output_string(out, ",\"enforced\":false");
	output_string(out, "}\n");
}

/* Writes why there is no spelling: the finding, and the character. */
static void write_reason(struct output *out, const struct urivet_iri *iri)
{
	const struct urivet_finding_row *info = urivet_finding_info(iri->id);

	if (info == NULL) {
		output_string(out, ",\"reason\":null");
		return;
	}
	emit(out, ",\"reason\":{\"id\":\"", info->name, "\",\"offset\":", iri->span.offset,
	     ",\"length\":", iri->span.length, ",\"code_point\":");
	if (iri->span.length > 0) {
		output_octet(out, '"');
		output_code_point(out, iri->code_point);
		output_string(out, "\"}");
	} else {
		output_string(out, "null}");
	}
}

/* The input has "length" or "raw" if they apply. */
void json_write_result(struct output *out, const struct item *item)
{
	const bool raw = is_raw(item);

	emit(out, "{\"uri\":", json_text(item->too_long ? (struct octets){0} : item->text, raw));
	if (item->too_long)
		emit(out, ",\"length\":", item->length);
	emit(out, raw ? ",\"raw\":true" : "", ",\"verdict\":\"",
	     item->suggestion.data != NULL ? "accept" : "reject", "\"");
	if (item->shows_outcome) {
		emit(out, ",\"outcome\":\"", item_outcome(&item->iri), "\"");
		write_reason(out, &item->iri);
	}
	emit(out, ",\"result\":", json_text(item->suggestion, raw), "}\n");
}

void json_write_finding(struct output *out, const struct urivet_finding_row *info)
{
	emit(out, "{\"id\":\"", info->name, "\",\"number\":", info->id, ",\"class\":\"",
	     urivet_class_name(info->class_), "\",\"component\":\"",
	     urivet_component_name(info->component));
	emit(out, "\",\"reference\":", json_text(text_of(info->reference), false),
	     ",\"text\":", json_text(text_of(info->text), false),
	     ",\"next\":", json_text(text_of(example_of(info->id).next), false), "}\n");
}
