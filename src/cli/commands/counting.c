/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check --count-by: judges records and counts them by a property of the result. */
#include "cli/commands/options.h"
#include "cli/judge/judge.h"
#include "cli/records/census.h"
#include "cli/show/census_table.h"
#include <errno.h>
#include <stdlib.h>

/* The counts, and a reusable item for records without findings. */
struct counting {
	struct census counts;
	struct item plain;
};

static void add(struct worker *worker, const struct item *item, struct octets key)
{
	struct counting *counting = worker->sums;

	if (!census_add(&counting->counts, key, item->text))
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
	struct counting *counting = worker->sums;
	struct urivet_report *report = &worker->report;

	/* only a full report has notes */
	if (worker->options->count.by == COUNT_FINDING ||
	    worker->options->count.by == COUNT_CLASS || !judge_is_plain(worker, record) ||
	    !urivet_ok(record->text.data, record->length))
		return false;
	report->verdict = URIVET_ACCEPT;
	report->parsed = urivet_parse(&report->uri, record->text.data, record->length, NULL);
	counting->plain.text = record->text;
	counting->plain.report = report;
	judge_registrable(worker, &counting->plain);
	count[worker->options->count.by](worker, &counting->plain);
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

/* ---- Setup and output ------------------------------------------------------------------- */

static bool open_counting(void *own, const void *all)
{
	struct counting *counting = own;
	const struct counting *total = all;

	counting->plain = (struct item){0};
	census_open_for(&counting->counts, &total->counts);
	return true;
}

static bool add_counting(void *all, void *block)
{
	struct counting *total = all, *counting = block;

	return census_merge(&total->counts, &counting->counts);
}

static void close_counting(void *own)
{
	struct counting *counting = own;

	census_free(&counting->counts);
}

enum status count_records(const struct options *options)
{
	static const struct sums sums = {sizeof(struct counting), open_counting, add_counting,
					 close_counting};
	struct counting total;
	const struct task task = {.record = count_any, .sums = &sums, .context = &total};
	enum status status;

	total.plain = (struct item){0};
	census_open(&total.counts, options->count.samples);
	status = batch_run(run_by(options), &task);
	if (!options->showing.quiet &&
	    !census_write(&total.counts, &options->count, options->showing.format))
		status = STATUS_TROUBLE;
	census_free(&total.counts);
	return status;
}
