/* SPDX-License-Identifier: Apache-2.0 */
/* urivet filter: lets accepted records through, octet by octet. */
#include "judge.h"

/* The columns in front of a refused record. */
static void write_refusal(struct lane *lane, const struct record *record)
{
	struct item item = judge_uri(lane, record);

	tsv_columns(&lane->aside, &item);
	output_octet(&lane->aside, '\t');
	output_number(&lane->aside, record->number);
	output_octet(&lane->aside, '\t');
}

static bool is_accepted(struct lane *lane, const struct record *record)
{
	const struct options *options = lane->options;

	if (judge_is_plain(lane, record))
		return urivet_ok(record->text.data, record->length);
	return judge_octets(options, &lane->report,
			    (struct text){record->text.data, record->length}) == URIVET_ACCEPT;
}

static bool filter_record(struct lane *lane, const struct record *record)
{
	if (is_accepted(lane, record)) {
		/* With its own line end, or without one if it has none. */
		if (!lane->options->quiet)
			output_text(&lane->out, (struct text){record->text.data, record->whole});
		return true;
	}
	if (lane->options->rejects != NULL) {
		write_refusal(lane, record);
		output_escaped(&lane->aside, record->text);
		output_octet(&lane->aside, '\n');
	}
	return false;
}

/* An over-long record is refused before its end is known, and passed on in pieces. */
static void filter_overlong(struct lane *lane, const struct record *head, struct input *input)
{
	struct record record = *head;
	bool wanted = lane->options->rejects != NULL;
	struct text piece;

	record.length = lane->options->limit + 1;
	if (wanted) {
		write_refusal(lane, &record);
		output_escaped(&lane->aside, head->text);
	}
	while (input_rest(input, &piece)) {
		if (wanted)
			output_escaped(&lane->aside, piece);
	}
	if (wanted)
		output_octet(&lane->aside, '\n');
}

enum status run_filter(const struct options *options)
{
	static const struct task task = {.record = filter_record, .overlong = filter_overlong};

	return batch_run(options, &task);
}
