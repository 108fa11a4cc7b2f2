/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the task of a worker on the records of its block. */
#include "cli/judge/batch.h"
#include "cli/text/emit.h"
#include "common/grow.h"
#include <errno.h>

/* ---- Memory -------------------------------------------------------------------- */

uint8_t *worker_scratch(struct worker *worker, size_t size)
{
	if (grow(&worker->scratch, &worker->scratch_size, size, 1))
		return worker->scratch;
	worker->out.error = ENOMEM;
	return NULL;
}

void worker_room(struct worker *worker, size_t size)
{
	if (!grow(&worker->room.data, &worker->room.size, size, 1))
		worker->out.error = ENOMEM;
}

void worker_judge(struct worker *worker, const struct record *record)
{
	struct record exact = *record;

	exact.text = worker_exact(worker, record->text);
	worker->tally.records++;
	worker_count_cr(worker, record->text);
	if (worker->task->record(worker, &exact))
		worker->tally.accepted++;
}

/* ---- Rows of tables -------------------------------------------------------------------------- */

/* Writes " (line 18, octet 2311)": where the row starts in its file. Lines count from 1, octets
 * from 0. */
static void tell_place(struct worker *worker, const struct table_row *row, uint64_t number)
{
	const struct octets before = {worker->origin, (size_t)(row->text.data - worker->origin)};
	const bool has_lines = worker->reading->table.kind != TABLE_CSV;

	emit(worker->told, " (line ",
	     has_lines ? number : worker->origin_at.line + count_octets(before, '\n') + 1,
	     ", octet ", worker->origin_at.octet + before.length, ")");
}

/* Writes "urivet: urls.csv: row 17 (line 18, octet 2311), column 3: a quote is not closed". The
 * message is buffered, to keep it in order with the output of other rows. */
static void tell_fault(struct worker *worker, const struct table_row *row, uint64_t number)
{
	struct output *out = worker->told;

	number -= worker->before_file;
	emit(out, "urivet: ", text_of(worker->source), ": row ", number);
	tell_place(worker, row, number);
	if (row->place != NULL)
		emit(out, ", ", row->place, " ", row->fault_at);
	emit(out, ": ", row->fault);
	if (row->wants > 0)
		emit(out, ": ", row->has, ", not ", row->wants);
	output_octet(out, '\n');
}

bool worker_stops_at(struct worker *worker, const struct table_row *row, uint64_t number)
{
	if (row->fault == NULL)
		return false;
	tell_fault(worker, row, number);
	worker->tally.broken++;
	worker->stopped = worker->reading->table.on_error == ON_ERROR_STOP;
	return worker->stopped;
}

static void each_row(struct worker *worker)
{
	const struct table *table = &worker->reading->table;
	struct octets rest = worker->block;
	struct table_row row;

	for (; worker->out.error == 0 && !worker->stopped &&
	       table_next(&row, table, &worker->head, &rest, &worker->field);
	     worker->next++) {
		const struct record record = {.text = row.field,
					      .length = row.field.length,
					      .whole = text_at(row.text.data, row.whole),
					      .number = worker->next,
					      .row = &row};

		if (worker->field.failed)
			worker->out.error = ENOMEM;
		if (!worker_stops_at(worker, &row, worker->next))
			worker_judge(worker, &record);
	}
}

/* ---- Records --------------------------------------------------------------------------------- */

static void each_record(struct worker *worker)
{
	struct cursor cursor = worker_cursor(worker);
	struct record record = {.number = worker->next};

	for (; worker->out.error == 0 && cursor_next(&cursor, &record.text); record.number++) {
		record.length = record.text.length;
		record.whole = text_at(record.text.data, (size_t)(cursor.at - record.text.data));
		worker_judge(worker, &record);
	}
	worker->next = record.number;
}

void worker_each(struct worker *worker)
{
	if (reads_table(worker->reading))
		each_row(worker);
	else
		each_record(worker);
}
