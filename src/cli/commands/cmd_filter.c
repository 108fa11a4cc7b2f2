/* SPDX-License-Identifier: Apache-2.0 */
/* urivet filter: lets accepted records through, octet by octet. */
#include "cli/commands/judge.h"

static struct item judge(struct worker *worker, const struct record *record)
{
	enum urivet_target_form form;

	return judge_record(worker, record, &form);
}

/* Is more looked at than octets? */
static bool is_judged_whole(const struct worker *worker, const struct record *record)
{
	return judges_targets(worker->options) || parameters_asked(&worker->options->parameters) ||
	       record_is_unreadable(record);
}

/* The columns in front of a refused record. */
static void write_refusal(struct worker *worker, const struct record *record,
			  const struct item *item)
{
	tsv_columns(&worker->refused, item);
	output_octet(&worker->refused, '\t');
	output_number(&worker->refused, record->number);
	output_octet(&worker->refused, '\t');
}

/* The record as it stands in the input: of a table, the row. */
static struct text octets_of(const struct record *record)
{
	return record->row != NULL ? record->row->text : record->text;
}

static void refuse(struct worker *worker, const struct record *record, const struct item *item)
{
	write_refusal(worker, record, item);
	output_escaped(&worker->refused, octets_of(record));
	output_octet(&worker->refused, '\n');
}

/* Records with their own line ends, or without one if the last has none. */
static void pass(struct worker *worker, const uint8_t *from, const uint8_t *end)
{
	if (!worker->options->quiet && from < end)
		output_borrow(&worker->out, (struct text){from, (size_t)(end - from)});
}

/* Where octets say it all, an item is made of those records alone that are told. */
static bool filter_record(struct worker *worker, const struct record *record)
{
	const uint8_t *start = octets_of(record).data;
	const bool whole = is_judged_whole(worker, record);
	struct item item;
	bool accepted;

	if (whole)
		item = judge(worker, record);
	else
		(void)judge_octets(worker->options, &worker->report, record->text);
	accepted = worker->report.verdict == URIVET_ACCEPT;
	if (accepted || options_observe(worker->options))
		pass(worker, start, start + record->whole);
	if (accepted || worker->options->rejects == NULL)
		return accepted;
	if (!whole)
		item = judge(worker, record);
	refuse(worker, record, &item);
	return false;
}

/* What is seldom called, so that what is often called keeps its registers. */
#if defined(__GNUC__)
#define COLD __attribute__((noinline, cold))
#else
#define COLD
#endif

COLD static void refuse_plain(struct worker *worker, struct text text, uint64_t number)
{
	const struct record record = {.text = text, .length = text.length, .number = number};
	struct item item;

	worker_count_cr(worker, text);
	if (worker->options->rejects != NULL) {
		item = judge(worker, &record);
		refuse(worker, &record, &item);
	}
}

/* Where urivet_ok says all there is to say, of the length too, and its verdict is enforced: nearly all records are
 * accepted, and those that follow each other are passed on together. */
static void filter_plain(struct worker *worker)
{
	const uint64_t first = worker->next;
	struct cursor cursor = worker_cursor(worker);
	const uint8_t *passed = cursor.at;
	struct text text;
	uint64_t number = first;
	uint64_t refused = 0;

	for (; cursor_next(&cursor, &text); number++) {
		if (urivet_ok(text.data, text.length))
			continue;
		pass(worker, passed, text.data);
		passed = cursor.at;
		refused++;
		refuse_plain(worker, text, number);
	}
	pass(worker, passed, cursor.at);
	worker->tally.records += number - first;
	worker->tally.accepted += number - first - refused;
	worker->next = number;
}

static void filter_block(struct worker *worker)
{
	if (worker->options->plain_strict && !reads_table(worker->options) &&
	    !options_observe(worker->options))
		filter_plain(worker);
	else
		worker_each(worker);
}

/* An over-long record is refused before its end is known, and passed on in pieces: to the
 * output too, where refusals are not enforced. */
static void filter_overlong(struct worker *worker, const struct record *head, struct input *input)
{
	struct record record = *head;
	struct item item;
	const bool wanted = worker->options->rejects != NULL;
	const bool passed = options_observe(worker->options) && !worker->options->quiet;
	struct text piece;

	if (head->row == NULL)
		record.length = worker->options->limit + 1;
	if (wanted) {
		item = judge(worker, &record);
		write_refusal(worker, &record, &item);
		output_escaped(&worker->refused, head->text);
	}
	if (passed)
		output_text(&worker->out, head->text);
	while (input_rest(input, &piece)) {
		if (wanted)
			output_escaped(&worker->refused, piece);
		if (passed)
			output_text(&worker->out, piece);
	}
	if (wanted)
		output_octet(&worker->refused, '\n');
	if (passed)
		output_text(&worker->out, input->ending);
}

static void filter_header(struct worker *worker, struct text header)
{
	pass(worker, header.data, header.data + header.length);
}

enum status run_filter(const struct options *options)
{
	static const struct task task = {.record = filter_record,
					 .block = filter_block,
					 .overlong = filter_overlong,
					 .header = filter_header};

	return batch_run(options, &task);
}
