/* SPDX-License-Identifier: Apache-2.0 */
/* urivet filter: copies accepted records unchanged, and with --repair others in the spelling that is
 * accepted. */
#include "cli/commands/options.h"
#include "cli/show/appended.h"
#include "cli/show/show.h"
#include "cli/text/emit.h"

static struct item judge(struct worker *worker, const struct record *record)
{
	enum urivet_target_form form;

	return judge_record(worker, record, &form);
}

/* Returns true if the verdict depends on more than the octets of the record. */
static bool is_judged_whole(const struct worker *worker, const struct record *record)
{
	return judges_targets(worker->judging) || parameters_asked(&worker->judging->parameters) ||
	       record_is_unreadable(record);
}

/* Writes the columns before a refused record. */
static void write_refusal(struct worker *worker, const struct record *record,
			  const struct item *item)
{
	tsv_columns(&worker->refused, item);
	emit(&worker->refused, "\t", record->number, "\t");
}

/* Returns the octets of the record in the input; for a table, those of the row. */
static struct octets octets_of(const struct record *record)
{
	return record->row != NULL ? record->row->text : record->text;
}

static void refuse(struct worker *worker, const struct record *record, const struct item *item)
{
	write_refusal(worker, record, item);
	emit(&worker->refused, octets_of(record), "\n");
}

/* Writes records with their own line ends; the last one may have none. */
static void pass(struct worker *worker, const uint8_t *from, const uint8_t *end)
{
	if (!worker->showing->quiet && from < end)
		output_borrow(&worker->out, text_at(from, (size_t)(end - from)));
}

/* Writes the record with another text for its field, or for its whole text. Adds quotes to a field
 * of CSV that has none and needs them. */
static void pass_changed(struct worker *worker, const struct record *record, struct octets text,
			 bool quoted)
{
	const struct table_row *row = record->row;
	const size_t at = row != NULL ? row->field_at : 0;
	const size_t end = at + (row != NULL ? row->field_length : record->text.length);

	if (worker->showing->quiet)
		return;
	output_text(&worker->out, text_at(record->whole.data, at));
	emit(&worker->out, quoted ? "\"" : "", text, quoted ? "\"" : "");
	output_text(&worker->out, text_after(record->whole, end));
}

/* Writes the record in the spelling that the policy accepts. Returns false if there is none, or if
 * it cannot stand in the table. */
static bool repair(struct worker *worker, const struct record *record, const struct item *item)
{
	const struct table *table = &worker->reading->table;
	const struct octets text =
	    record_is_unreadable(record) ? (struct octets){0} : judge_suggestion(worker, item);
	const size_t at = record->row != NULL ? record->row->field_at : 0;
	const bool quotes = table->kind == TABLE_CSV && needs_quotes(text, table->separator) &&
			    (at == 0 || record->row->text.data[at - 1] != '"');

	if (text.data == NULL || (table->kind == TABLE_TSV && needs_quotes(text, table->separator)))
		return false;
	pass_changed(worker, record, text, quotes);
	if (worker->reading->repaired != NULL) {
		emit(&worker->repaired, record->number, "\t");
		output_escaped(&worker->repaired, item->text);
		emit(&worker->repaired, "\t", text, "\n");
	}
	return true;
}

/* Judges and copies a record. An item is made only if it is needed: for the verdict, for --rejects
 * or for --repair. */
static bool filter_record(struct worker *worker, const struct record *record)
{
	const bool whole = is_judged_whole(worker, record);
	const bool rejects = worker->reading->rejects != NULL, repairs = worker->options->repair;
	struct item item;
	bool accepted;

	if (whole)
		item = judge(worker, record);
	else
		(void)urivet_check(&worker->report, record->text.data, record->text.length,
				   &worker->judging->policy);
	accepted = worker->report.verdict == URIVET_ACCEPT;
	if (!accepted && !whole && (rejects || repairs))
		item = judge(worker, record);
	if (!accepted && repairs && repair(worker, record, &item))
		return true;
	if (accepted || options_observe(worker->judging))
		pass(worker, record->whole.data, record->whole.data + record->whole.length);
	if (!accepted && rejects)
		refuse(worker, record, &item);
	return accepted;
}

static void refuse_plain(struct worker *worker, struct octets text, uint64_t number)
{
	const struct record record = {.text = text, .length = text.length, .number = number};
	struct item item;

	worker_count_cr(worker, text);
	if (worker->reading->rejects != NULL) {
		item = judge(worker, &record);
		refuse(worker, &record, &item);
	}
}

/* Fast path: urivet_ok() alone decides, including the length, and the verdict is enforced. Nearly
 * all records are accepted, and adjacent ones are written together. */
static void filter_plain(struct worker *worker)
{
	const uint64_t first = worker->next;
	struct cursor cursor = worker_cursor(worker);
	const uint8_t *passed = cursor.at;
	struct octets text;
	uint64_t number = first;
	uint64_t refused = 0;

	for (; cursor_next(&cursor, &text); number++) {
		if (urivet_ok(worker_exact(worker, text).data, text.length))
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
	if (worker->judging->plain_strict && !reads_table(worker->reading) &&
	    !options_observe(worker->judging) && !worker->options->repair)
		filter_plain(worker);
	else
		worker_each(worker);
}

/* Refuses an over-long record, whose end was not read yet, and copies it in parts: to --rejects,
 * and in observe mode to the output. */
static void filter_overlong(struct worker *worker, const struct record *head, struct input *input)
{
	struct record record = *head;
	struct item item;
	const bool wanted = worker->reading->rejects != NULL;
	const bool passed = options_observe(worker->judging) && !worker->showing->quiet;
	struct octets piece;

	if (head->row == NULL)
		record.length = worker->reading->limit + 1;
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

static void filter_header(struct worker *worker, struct octets header)
{
	pass(worker, header.data, header.data + header.length);
}

enum status run_filter(const struct options *options)
{
	static const struct task task = {.record = filter_record,
					 .block = filter_block,
					 .overlong = filter_overlong,
					 .header = filter_header};

	return batch_run(run_by(options), &task);
}
