/* SPDX-License-Identifier: Apache-2.0 */
/* urivet filter: lets accepted records through, octet by octet. */
#include "cli/commands/judge.h"

/* The columns in front of a refused record. */
static void write_refusal(struct lane *lane, const struct record *record)
{
	struct item item = judge_uri(lane, record);

	tsv_columns(&lane->aside, &item);
	output_octet(&lane->aside, '\t');
	output_number(&lane->aside, record->number);
	output_octet(&lane->aside, '\t');
}

static void refuse(struct lane *lane, const struct record *record)
{
	if (lane->options->rejects == NULL)
		return;
	write_refusal(lane, record);
	output_escaped(&lane->aside, record->text);
	output_octet(&lane->aside, '\n');
}

/* Records with their own line ends, or without one if the last has none. */
static void pass(struct lane *lane, const uint8_t *from, const uint8_t *end)
{
	if (!lane->options->quiet && from < end)
		output_borrow(&lane->out, (struct text){from, (size_t)(end - from)});
}

static bool filter_record(struct lane *lane, const struct record *record)
{
	const uint8_t *start = record->text.data;

	if (judge_octets(lane->options, &lane->report, (struct text){start, record->length}) ==
	    URIVET_ACCEPT) {
		pass(lane, start, start + record->whole);
		return true;
	}
	refuse(lane, record);
	return false;
}

/* What is seldom called, so that what is often called keeps its registers. */
#if defined(__GNUC__)
#define COLD __attribute__((noinline, cold))
#else
#define COLD
#endif

COLD static void refuse_plain(struct lane *lane, struct text text, uint64_t number)
{
	const struct record record = {.text = text, .length = text.length, .number = number};

	lane_count_cr(lane, text);
	refuse(lane, &record);
}

/* Where urivet_ok says all there is to say, of the length too: nearly all records are
 * accepted, and those that follow each other are passed on together. */
static void filter_plain(struct lane *lane)
{
	const uint64_t first = lane->next;
	struct cursor cursor = lane_cursor(lane);
	const uint8_t *passed = cursor.at;
	struct text text;
	uint64_t number = first;
	uint64_t refused = 0;

	for (; cursor_next(&cursor, &text); number++) {
		if (urivet_ok(text.data, text.length))
			continue;
		pass(lane, passed, text.data);
		passed = cursor.at;
		refused++;
		refuse_plain(lane, text, number);
	}
	pass(lane, passed, cursor.at);
	lane->tally.records += number - first;
	lane->tally.accepted += number - first - refused;
	lane->next = number;
}

static void filter_block(struct lane *lane)
{
	if (lane->options->plain_strict)
		filter_plain(lane);
	else
		lane_each(lane);
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
	static const struct task task = {
	    .record = filter_record, .block = filter_block, .overlong = filter_overlong};

	return batch_run(options, &task);
}
