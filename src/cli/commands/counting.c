/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check --count-by: judges records and counts them by a property of the result. */
#include "cli/commands/options.h"
#include "cli/judge/judge.h"
#include "cli/records/census.h"
#include "cli/text/emit.h"
#include "common/text/is_utf8.h"
#include <errno.h>
#include <stdlib.h>

static void add(struct worker *worker, const struct item *item, struct octets key)
{
	if (!census_add(worker->sums, key, item->text))
		worker->out.error = ENOMEM;
}

/* ---- Properties ------------------------------------------------------------------------ */

static void count_nothing(struct worker *worker, const struct item *item)
{
	add(worker, item, text_at((const uint8_t *)"", 0));
}

static void by_finding(struct worker *worker, const struct item *item)
{
	const struct urivet_report *report = item->report;

	for (uint32_t i = 0; i < report->count; i++)
		add(worker, item, text_of(urivet_finding_info(report->finding[i].id)->name));
	if (report->count == 0)
		count_nothing(worker, item);
}

/* Counts a record once for each class that refuses it. */
static void by_class(struct worker *worker, const struct item *item)
{
	const struct urivet_report *report = item->report;
	unsigned seen = 0;

	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *finding = &report->finding[i];
		const unsigned class_ = 1u << finding->class_;

		if ((seen & class_) == 0 && urivet_finding_refuses(report, finding, item->policy)) {
			add(worker, item, text_of(urivet_class_name(finding->class_)));
			seen |= class_;
		}
	}
	if (seen == 0)
		count_nothing(worker, item);
}

static void by_verdict(struct worker *worker, const struct item *item)
{
	add(worker, item, text_of(item->report->verdict == URIVET_ACCEPT ? "accept" : "reject"));
}

static void by_component(struct worker *worker, const struct item *item)
{
	const bool host = worker->options->count.by == COUNT_HOST;
	const struct octets part =
	    judge_lower_part(worker, item, host ? URIVET_HOST : URIVET_SCHEME);

	if (part.data != NULL)
		add(worker, item, part);
}

static void by_registrable(struct worker *worker, const struct item *item)
{
	const struct octets domain = item_registrable(item);

	if (domain.data != NULL)
		add(worker, item, domain);
	else
		count_nothing(worker, item);
}

static void (*const count[])(struct worker *worker, const struct item *) = {
    [COUNT_FINDING] = by_finding,         [COUNT_HOST] = by_component,
    [COUNT_REGISTRABLE] = by_registrable, [COUNT_CLASS] = by_class,
    [COUNT_VERDICT] = by_verdict,         [COUNT_SCHEME] = by_component};

/* Counts a record that urivet_ok() accepts, by its components. This fast path avoids a full report
 * and item, which would take longer than the check itself. */
static bool count_plain(struct worker *worker, const struct record *record)
{
	static _Thread_local struct item plain; /* clearing one for each record takes longer */
	struct urivet_report *report = &worker->report;

	/* only a full report has notes */
	if (worker->options->count.by == COUNT_FINDING ||
	    worker->options->count.by == COUNT_CLASS || !judge_is_plain(worker, record) ||
	    !urivet_ok(record->text.data, record->length))
		return false;
	report->verdict = URIVET_ACCEPT;
	report->parsed = urivet_parse(&report->uri, record->text.data, record->length, NULL);
	plain.text = record->text;
	plain.report = report;
	judge_registrable(worker, &plain);
	count[worker->options->count.by](worker, &plain);
	return true;
}

static bool count_record(struct worker *worker, const struct record *record)
{
	enum urivet_target_form form;
	struct item item = judge_record(worker, record, &form);

	judge_registrable(worker, &item);
	count[worker->options->count.by](worker, &item);
	return worker->report.verdict == URIVET_ACCEPT;
}

static bool count_any(struct worker *worker, const struct record *record)
{
	return count_plain(worker, record) || count_record(worker, record);
}

/* ---- The table: descending, equal counts sorted by key ----------------------------------- */

/* A row: a key with its count, or all keys that stand together. */
struct census_row {
	const struct census *counts;
	const char *what;  /* the property that is counted */
	struct octets key; /* length 0: the records have none */
	const struct counted *counted;
	bool others;
};

static void write_human(struct output *out, const struct census_row *row)
{
	const struct census *counts = row->counts;

	emit(out, in_columns(row->counted->count, 12), "  ", row->key,
	     row->others            ? "(others)"
	     : row->key.length == 0 ? "(none)"
				    : "",
	     "\n");
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next)
		emit(out, spaces(18), census_example(counts, at), "\n");
}

/* Writes key, count, and a column for each requested example. */
static void write_tsv(struct output *out, const struct census_row *row)
{
	const struct census *counts = row->counts;

	emit(out, row->key,
	     row->others            ? "\\*"
	     : row->key.length == 0 ? "\\N"
				    : "",
	     "\t", row->counted->count);
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next)
		emit(out, "\t", census_example(counts, at));
	for (uint32_t i = row->counted->examples; i < counts->samples; i++)
		output_string(out, "\t\\N");
	output_octet(out, '\n');
}

static void write_json(struct output *out, const struct census_row *row)
{
	const struct census *counts = row->counts;
	const bool examples = counts->samples > 0 && !row->others;

	emit(out, "{\"", row->what, "\":",
	     json_text(row->key.length > 0 ? row->key : (struct octets){0}, !is_utf8(row->key)),
	     ",\"count\":", row->counted->count, examples ? ",\"examples\":[" : "");
	for (uint32_t at = row->counted->first; at != 0; at = counts->example[at - 1].next) {
		const struct octets example = census_example(counts, at);

		emit(out, at != row->counted->first ? "," : "",
		     json_text(example, !is_utf8(example)));
	}
	emit(out, examples ? "]" : "", row->others ? ",\"others\":true}\n" : "}\n");
}

const char *const count_names[] = {[COUNT_FINDING] = "finding",
				   [COUNT_HOST] = "host",
				   [COUNT_REGISTRABLE] = "registrable",
				   [COUNT_CLASS] = "class",
				   [COUNT_VERDICT] = "verdict",
				   [COUNT_SCHEME] = "scheme",
				   NULL};

static void write_rows(struct output *out, const struct census *counts,
		       const struct counted_key *rows, const struct count_options *options,
		       enum format format)
{
	static void (*const write[])(struct output *, const struct census_row *) = {
	    [FORMAT_HUMAN] = write_human, [FORMAT_TSV] = write_tsv, [FORMAT_JSON] = write_json};
	const size_t shown =
	    options->top > 0 && options->top < counts->entries ? options->top : counts->entries;
	const struct counted others = {.count = counts->others};
	struct census_row row = {.counts = counts, .what = count_names[options->by]};

	for (size_t i = 0; i < shown; i++) {
		row.key = rows[i].key;
		row.counted = rows[i].counted;
		write[format](out, &row);
	}
	row.key = (struct octets){0};
	row.counted = &others;
	row.others = true;
	if (counts->others > 0)
		write[format](out, &row);
}

static void say_bounds(const struct census *counts)
{
	if (counts->others > 0)
		complain("check: more than %zu keys: %llu counts of those that came later stand "
			 "together",
			 counts->entries, (unsigned long long)counts->others);
	if (counts->examples_full)
		complain("check: not all examples were kept");
}

static bool write_counts(const struct census *counts, const struct count_options *options,
			 enum format format)
{
	struct counted_key *rows = census_sorted(counts, false);
	struct output out;
	bool good = rows != NULL && paint_open(&out, COLOUR_NEVER);

	if (rows == NULL)
		complain("%s", strerror(ENOMEM));
	if (good) {
		write_rows(&out, counts, rows, options, format);
		good = output_finish(&out);
	}
	say_bounds(counts);
	free(rows);
	return good;
}

/* ---- The command ------------------------------------------------------------------- */

enum status count_records(const struct options *options)
{
	static const struct sums sums = {sizeof(struct census), census_open_for, census_merge,
					 census_free};
	struct census total;
	const struct task task = {.record = count_any, .sums = &sums, .context = &total};
	enum status status;

	census_open(&total, options->count.samples);
	status = batch_run(run_by(options), &task);
	if (!options->showing.quiet &&
	    !write_counts(&total, &options->count, options->showing.format))
		status = STATUS_TROUBLE;
	census_free(&total);
	return status;
}
