/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check: judges URIs, or HTTP request targets. */
#include "cli/commands/judge.h"

static enum urivet_target_form judge_target(struct lane *lane, struct item *item)
{
	const char *field = lane->options->host;
	enum urivet_target_form form = URIVET_TARGET_NONE;

	item->policy = &lane->options->policy;
	item->file = options_file(lane->options);
	if (field != NULL)
		item->host = text_of(field);
	(void)urivet_check_target(&lane->report, urivet_text_of(item->text.data, item->length),
				  to_library(item->host), item->policy, &form);
	(void)judge_suffix(lane->options, &lane->report, item->text, item->host);
	return form;
}

/* The spelling is worked out only where it is shown. */
static bool wants_suggestion(const struct options *options)
{
	return !options->quiet && options->format != FORMAT_TSV;
}

static bool check_target(struct lane *lane, const struct record *record)
{
	struct item item = judge_nothing(lane, record);
	enum urivet_target_form form = judge_target(lane, &item);

	/* Only an absolute target is a URI that can be spelled otherwise. */
	if (wants_suggestion(lane->options) && form == URIVET_TARGET_ABSOLUTE)
		item.suggestion = judge_suggestion(lane, &item);
	judge_show(lane, &item);
	return lane->report.verdict == URIVET_ACCEPT;
}

static bool check_readings(struct lane *lane, const struct record *record)
{
	struct item item = judge_uri(lane, record);
	struct readings readings;

	judge_readings(lane, &item, &readings);
	if (wants_suggestion(lane->options))
		item.suggestion = judge_suggestion(lane, &item);
	judge_show(lane, &item);
	if (item.readings != NULL)
		readings_free(&readings);
	return lane->report.verdict == URIVET_ACCEPT;
}

static bool check_shown(struct lane *lane, const struct record *record)
{
	struct item item = judge_uri(lane, record);

	if (wants_suggestion(lane->options))
		item.suggestion = judge_suggestion(lane, &item);
	judge_show(lane, &item);
	return lane->report.verdict == URIVET_ACCEPT;
}

static bool check_uri(struct lane *lane, const struct record *record)
{
	if (lane->options->quiet && judge_is_plain(lane, record))
		return urivet_ok(record->text.data, record->length);
	return check_shown(lane, record);
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
