/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check: judges URIs or HTTP request targets. */
#include "cli/commands/options.h"
#include "cli/show/appended.h"
#include "cli/show/show.h"

/* Shows a judged item, with another spelling where the output has one. */
static bool show_judged(struct worker *worker, struct item *item, enum urivet_target_form form)
{
	if (shows_spelling(worker->showing))
		item->suggestion = judge_record_suggestion(worker, item, form);
	show_item(worker, item);
	return worker->report.verdict == URIVET_ACCEPT;
}

static bool check_readings(struct worker *worker, const struct record *record)
{
	struct item item = judge_uri(worker, record);
	struct readings readings;
	bool accepted;

	judge_readings(worker, &item, &readings);
	accepted = show_judged(worker, &item, URIVET_TARGET_ABSOLUTE);
	if (item.readings != NULL)
		readings_free(&readings);
	return accepted;
}

static bool check_record(struct worker *worker, const struct record *record)
{
	enum urivet_target_form form;
	struct item item;

	if (worker->showing->quiet && judge_is_plain(worker, record))
		return urivet_ok(record->text.data, record->length);
	item = judge_record(worker, record, &form);
	return show_judged(worker, &item, form);
}

/* ---- Rows of tables ----------------------------------------------------------------------- */

static struct item judge_row(struct worker *worker, const struct record *record)
{
	const struct table *table = &worker->reading->table;
	const bool spelled =
	    table_has_with(table, WITH_SUGGESTION) || table_has_with(table, WITH_REPAIRED);
	enum urivet_target_form form;
	struct item item = judge_record(worker, record, &form);

	if (spelled && !record_is_unreadable(record))
		item.suggestion = judge_record_suggestion(worker, &item, form);
	return item;
}

/* Judges a row. A broken row has no defined place for appended columns, so it is reported but not
 * written. */
static bool check_row(struct worker *worker, const struct record *record)
{
	struct item item;

	if (worker->showing->quiet && judge_is_plain(worker, record))
		return urivet_ok(record->text.data, record->length);
	item = judge_row(worker, record);
	if (!worker->showing->quiet && record->row->fault == NULL)
		appended_write(&worker->out, &worker->reading->table, record->row, &item);
	return worker->report.verdict == URIVET_ACCEPT;
}

static void check_header(struct worker *worker, struct octets header)
{
	if (!worker->showing->quiet && header.length > 0)
		appended_write_names(&worker->out, &worker->reading->table, header);
}

enum status run_check(const struct options *options)
{
	static const struct task records = {.record = check_record};
	static const struct task readings = {.record = check_readings};
	static const struct task rows = {.record = check_row, .header = check_header};

	if (options->count.by >= 0)
		return count_records(options);
	if (reads_table(&options->reading))
		return batch_run(run_by(options), &rows);
	return batch_run(run_by(options), options->readings ? &readings : &records);
}
