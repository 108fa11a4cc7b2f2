/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check: judges URIs, or HTTP request targets. */
#include "cli/commands/judge.h"

static enum urivet_target_form judge_target(struct worker *worker, struct item *item)
{
	const char *field = worker->options->host;
	enum urivet_target_form form = URIVET_TARGET_NONE;

	item->policy = &worker->options->policy;
	item->file = options_file(worker->options);
	if (field != NULL)
		item->host = text_of(field);
	(void)urivet_check_target(&worker->report, urivet_text_of(item->text.data, item->length),
				  to_library(item->host), item->policy, &form);
	(void)judge_suffix(worker->options, &worker->report, item->text, item->host);
	return form;
}

/* The spelling is worked out only where it is shown. */
static bool wants_suggestion(const struct options *options)
{
	return !options->quiet && options->format != FORMAT_TSV;
}

static bool check_target(struct worker *worker, const struct record *record)
{
	struct item item = judge_nothing(worker, record);
	enum urivet_target_form form = judge_target(worker, &item);

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
		item.suggestion = judge_suggestion(worker, &item);
	judge_show(worker, &item);
	if (item.readings != NULL)
		readings_free(&readings);
	return worker->report.verdict == URIVET_ACCEPT;
}

static bool check_shown(struct worker *worker, const struct record *record)
{
	struct item item = judge_uri(worker, record);

	if (wants_suggestion(worker->options))
		item.suggestion = judge_suggestion(worker, &item);
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

	if (options->readings)
		return batch_run(options, &readings);
	return batch_run(options, options->target ? &targets : &uris);
}
