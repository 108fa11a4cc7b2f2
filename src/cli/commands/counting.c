/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check --count-by: each worker counts the records of its block, and adds that to the counts of
 * all in the order of blocks, so that the result is the same for any number of workers. */
#include "cli/commands/counting.h"
#include "cli/commands/judge.h"
#include "cli/records/census.h"
#include "cli/show/census_table.h"
#include <errno.h>
#include <stdlib.h>

/* The counts of all records, which only who has the turn may change. */
static struct census *total_of(const struct worker *worker)
{
	return worker->task->context;
}

/* What this worker counts into: where it is the only one, the counts of all. */
static struct census *counts_of(struct worker *worker)
{
	struct census *counts = worker->state;

	if (worker->options->jobs <= 1)
		return total_of(worker);
	if (counts == NULL) {
		counts = malloc(sizeof *counts);
		if (counts != NULL)
			census_open(counts, worker->options->samples);
		worker->state = counts;
	}
	return counts;
}

static void add(struct worker *worker, const struct item *item, struct text key)
{
	struct census *counts = counts_of(worker);

	if (counts == NULL || !census_add(counts, key, item->text))
		worker->out.error = ENOMEM;
}

/* ---- By what ------------------------------------------------------------------------ */

static void count_nothing(struct worker *worker, const struct item *item)
{
	add(worker, item, (struct text){(const uint8_t *)"", 0});
}

static void by_finding(struct worker *worker, const struct item *item)
{
	const struct urivet_report *report = item->report;

	for (uint32_t i = 0; i < report->count; i++)
		add(worker, item, text_of(urivet_finding_info(report->finding[i].id)->name));
	if (report->count == 0)
		count_nothing(worker, item);
}

/* A record counts once for each class that it has findings of. */
static void by_class(struct worker *worker, const struct item *item)
{
	const struct urivet_report *report = item->report;
	unsigned seen = 0;

	for (uint32_t i = 0; i < report->count; i++) {
		const unsigned class_ = report->finding[i].class_;

		if ((seen >> class_ & 1u) == 0)
			add(worker, item, text_of(urivet_class_name(class_)));
		seen |= 1u << class_;
	}
	if (report->count == 0)
		count_nothing(worker, item);
}

static void by_verdict(struct worker *worker, const struct item *item)
{
	add(worker, item, text_of(item->report->verdict == URIVET_ACCEPT ? "accept" : "reject"));
}

static void by_component(struct worker *worker, const struct item *item,
			 enum urivet_component component)
{
	const struct text part = judge_lower_part(worker, item, component);

	if (part.data != NULL)
		add(worker, item, part);
}

static void by_host(struct worker *worker, const struct item *item)
{
	by_component(worker, item, URIVET_HOST);
}

static void by_scheme(struct worker *worker, const struct item *item)
{
	by_component(worker, item, URIVET_SCHEME);
}

static void by_registrable(struct worker *worker, const struct item *item)
{
	char domain[URIVET_REGISTRABLE_CAPACITY];

	(void)item_registrable(domain, item);
	add(worker, item, text_of(domain));
}

static bool count_record(struct worker *worker, const struct record *record)
{
	static void (*const count[])(struct worker *, const struct item *) = {
	    [COUNT_FINDING] = by_finding,         [COUNT_HOST] = by_host,
	    [COUNT_REGISTRABLE] = by_registrable, [COUNT_CLASS] = by_class,
	    [COUNT_VERDICT] = by_verdict,         [COUNT_SCHEME] = by_scheme};
	enum urivet_target_form form;
	struct item item = judge_record(worker, record, &form);

	item.suffixes = worker->options->suffixes;
	count[worker->options->count_by](worker, &item);
	return worker->report.verdict == URIVET_ACCEPT;
}

/* ---- Putting it together ------------------------------------------------------------- */

static void merge(struct worker *worker)
{
	if (worker->state == NULL)
		return;
	if (!census_merge(total_of(worker), worker->state))
		worker->out.error = ENOMEM;
	census_clear(worker->state);
}

static void close_counts(struct worker *worker)
{
	if (worker->state != NULL)
		census_free(worker->state);
	free(worker->state);
}

enum status count_records(const struct options *options)
{
	struct census total;
	const struct task task = {
	    .record = count_record, .merge = merge, .close = close_counts, .context = &total};
	enum status status;

	census_open(&total, options->samples);
	status = batch_run(options, &task);
	if (!options->quiet && !census_write(&total, options))
		status = STATUS_TROUBLE;
	census_free(&total);
	return status;
}
