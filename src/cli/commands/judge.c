/* SPDX-License-Identifier: Apache-2.0 */
/* From a record to an item, and from an item to output. */
#include "cli/commands/judge.h"
#include <errno.h>

struct item judge_nothing(struct lane *lane, const struct record *record)
{
	size_t limit = lane->options->limit;
	struct item item = {.text = record->text,
			    .length = record->length,
			    .too_long = record->length > limit,
			    .number = record->number,
			    .source = lane->source,
			    .report = &lane->report};

	/* What is shown of an over-long record must not depend on where blocks end. */
	if (item.too_long)
		item.text.length = input_held(limit, record->length);
	return item;
}

/* Is it a public suffix, and no rule of the policy allows it? */
static bool is_suffix(const struct options *options, const struct urivet_report *report,
		      struct text text, struct text host)
{
	const struct urivet_uri *uri = &report->uri;

	if (!report->parsed || uri->host_kind != URIVET_HOST_NAME ||
	    (report->host_rule != NULL && report->host_rule->action == URIVET_ALLOW))
		return false;
	return suffixes_hold(options->suffixes,
			     from_library(urivet_part(uri, URIVET_HOST, to_library(text),
						      to_library(host))));
}

enum urivet_verdict judge_suffix(const struct options *options, struct urivet_report *report,
				 struct text text, struct text host)
{
	if (options->suffixes != NULL && is_suffix(options, report, text, host))
		(void)urivet_add_finding(report, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST,
					 report->uri.part[URIVET_HOST], &options->policy);
	return report->verdict;
}

enum urivet_verdict judge_octets(const struct options *options, struct urivet_report *report,
				 struct text text)
{
	(void)urivet_check(report, text.data, text.length, &options->policy);
	return judge_suffix(options, report, text, (struct text){0});
}

struct item judge_uri(struct lane *lane, const struct record *record)
{
	struct item item = judge_nothing(lane, record);

	item.policy = &lane->options->policy;
	item.file = options_file(lane->options);
	(void)judge_octets(lane->options, &lane->report,
			   (struct text){item.text.data, item.length});
	return item;
}

bool judge_is_plain(const struct lane *lane, const struct record *record)
{
	return lane->options->plain_strict && record->length <= lane->options->limit;
}

/* A spelling that the library suggests is accepted unless it is a public suffix. */
static bool is_accepted(const struct options *options, struct text spelling)
{
	struct urivet_report report;

	return options->suffixes == NULL ||
	       judge_octets(options, &report, spelling) == URIVET_ACCEPT;
}

struct text judge_suggestion(struct lane *lane, const struct item *item)
{
	struct text none = {0};
	struct text spelling;
	struct text text = item->text;
	uint8_t *scratch;
	size_t length;

	if (item->too_long)
		return none;
	/* Most spellings are no longer than what they stand for. */
	scratch = lane_scratch(lane, text.length + 16);
	if (scratch == NULL)
		return none;
	length = urivet_suggest((char *)scratch, lane->scratch_size, text.data, text.length,
				&lane->options->policy);
	if (length >= lane->scratch_size) {
		scratch = lane_scratch(lane, length + 1);
		if (scratch == NULL)
			return none;
		(void)urivet_suggest((char *)scratch, lane->scratch_size, text.data, text.length,
				     &lane->options->policy);
	}
	spelling = (struct text){scratch, length};
	return length > 0 && is_accepted(lane->options, spelling) ? spelling : none;
}

void judge_readings(struct lane *lane, struct item *item, struct readings *readings)
{
	if (item->too_long)
		return;
	if (readings_take(readings, item->text, &lane->report, item->policy))
		item->readings = readings;
	else
		lane->out.error = ENOMEM;
}

void judge_show(struct lane *lane, const struct item *item)
{
	static void (*const write[])(struct output *, const struct item *) = {
	    [FORMAT_HUMAN] = human_write, [FORMAT_TSV] = tsv_write, [FORMAT_JSON] = json_write};

	if (!lane->options->quiet)
		write[lane->options->format](&lane->out, item);
}

/* "urivet: urls.txt:3: no other spelling ...": in order with the other messages, so not
 * at once. */
static void write_none(struct lane *lane, const struct item *item, const char *why)
{
	struct output *out = &lane->aside;

	output_string(out, "urivet: ");
	if (item->source != NULL) {
		output_escaped(out, text_of(item->source));
		output_octet(out, ':');
		output_number(out, item->number);
		output_string(out, ": ");
	}
	output_string(out, why);
	output_escaped(out, item->text);
	output_string(out, item->too_long ? "...\n" : "\n");
}

static void human_write_result(struct output *out, const struct item *item)
{
	if (item->suggestion.data == NULL)
		return;
	output_escaped(out, item->suggestion);
	output_octet(out, '\n');
}

void judge_show_result(struct lane *lane, const struct item *item, const char *why)
{
	static void (*const write[])(struct output *,
				     const struct item *) = {[FORMAT_HUMAN] = human_write_result,
							     [FORMAT_TSV] = tsv_write_result,
							     [FORMAT_JSON] = json_write_result};
	const struct options *options = lane->options;

	if (!options->quiet)
		write[options->format](&lane->out, item);
	if (item->suggestion.data == NULL && options->format == FORMAT_HUMAN)
		write_none(lane, item, why);
}
