/* SPDX-License-Identifier: Apache-2.0 */
/* urivet suggest: an equivalent spelling that the policy accepts. */
#include "cli/commands/judge.h"

static bool suggest_record(struct lane *lane, const struct record *record)
{
	struct item item = judge_nothing(lane, record);

	item.suggestion = judge_suggestion(lane, &item);
	judge_show_result(lane, &item, "no other spelling is accepted for ");
	return item.suggestion.data != NULL;
}

enum status run_suggest(const struct options *options)
{
	static const struct task task = {.record = suggest_record};

	return batch_run(options, &task);
}
