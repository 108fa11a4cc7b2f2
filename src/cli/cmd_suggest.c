/* SPDX-License-Identifier: Apache-2.0 */
/* urivet suggest: the spelling of the same URI that the policy accepts. */
#include "judge.h"

/* "urivet: urls.txt:3: no spelling ...": in order with the other messages, so not
 * at once. */
static void write_none(struct lane *lane, const struct item *item)
{
	struct output *out = &lane->aside;

	output_string(out, "urivet: ");
	if (item->source != NULL) {
		output_escaped(out, text_of(item->source));
		output_octet(out, ':');
		output_number(out, item->number);
		output_string(out, ": ");
	}
	output_string(out, "no other spelling is accepted for ");
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

static bool suggest_record(struct lane *lane, const struct record *record)
{
	static void (*const write[])(struct output *,
				     const struct item *) = {[FORMAT_HUMAN] = human_write_result,
							     [FORMAT_TSV] = tsv_write_result,
							     [FORMAT_JSON] = json_write_result};
	const struct options *options = lane->options;
	struct item item = judge_nothing(lane, record);

	item.suggestion = judge_suggestion(lane, &item);
	if (!options->quiet)
		write[options->format](&lane->out, &item);
	if (item.suggestion.data == NULL && options->format == FORMAT_HUMAN)
		write_none(lane, &item);
	return item.suggestion.data != NULL;
}

enum status run_suggest(const struct options *options)
{
	static const struct task task = {.record = suggest_record};

	return batch_run(options, &task);
}
