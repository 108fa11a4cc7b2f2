/* SPDX-License-Identifier: Apache-2.0 */
/* From a record to an item, and from an item to output. */
#include "judge.h"
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

struct item judge_uri(struct lane *lane, const struct record *record)
{
	struct item item = judge_nothing(lane, record);

	item.policy = &lane->options->policy;
	(void)urivet_check(&lane->report, item.text.data, item.length, item.policy);
	return item;
}

bool judge_is_plain(const struct lane *lane, const struct record *record)
{
	return lane->options->plain_strict && record->length <= lane->options->limit;
}

struct text judge_suggestion(struct lane *lane, const struct item *item)
{
	struct text none = {0};
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
	return length > 0 ? (struct text){scratch, length} : none;
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
