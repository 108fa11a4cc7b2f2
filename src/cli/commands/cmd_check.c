/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check: judges URIs, or HTTP request targets. */
#include "cli/commands/counting.h"
#include "cli/commands/judge.h"

/* The spelling is worked out only where it is shown. */
static bool wants_suggestion(const struct options *options)
{
	return !options->quiet && options->format != FORMAT_TSV;
}

static bool check_target(struct worker *worker, const struct record *record)
{
	enum urivet_target_form form;
	struct item item = judge_target(worker, record, &form);

	/* Only an absolute target is a URI that can be spelled otherwise. */
	if (wants_suggestion(worker->options) && form == URIVET_TARGET_ABSOLUTE)
		item.suggestion = judge_suggestion(worker, &item);
	judge_show(worker, &item);
	return worker->report.verdict == URIVET_ACCEPT;
}

static bool check_readings(struct worker *worker, const struct record *record)
{
	struct item item = judge_uri(worker, record);
	struct readings readings;

	judge_readings(worker, &item, &readings);
	if (wants_suggestion(worker->options))
		item.suggestion = judge_uri_suggestion(worker, &item);
	judge_show(worker, &item);
	if (item.readings != NULL)
		readings_free(&readings);
	return worker->report.verdict == URIVET_ACCEPT;
}

static bool check_shown(struct worker *worker, const struct record *record)
{
	struct item item = judge_uri(worker, record);

	if (wants_suggestion(worker->options))
		item.suggestion = judge_uri_suggestion(worker, &item);
	judge_show(worker, &item);
	return worker->report.verdict == URIVET_ACCEPT;
}

static bool check_uri(struct worker *worker, const struct record *record)
{
	if (worker->options->quiet && judge_is_plain(worker, record))
		return urivet_ok(record->text.data, record->length);
	return check_shown(worker, record);
}

enum status run_check(const struct options *options)
{
	static const struct task uris = {.record = check_uri};
	static const struct task targets = {.record = check_target};
	static const struct task readings = {.record = check_readings};

	if (options->count_by >= 0)
		return count_records(options);
	if (options->readings)
		return batch_run(options, &readings);
	return batch_run(options, judges_targets(options) ? &targets : &uris);
}
