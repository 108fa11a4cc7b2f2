/* SPDX-License-Identifier: Apache-2.0 */
/* urivet suggest: writes another spelling that the policy accepts. */
#include "cli/commands/options.h"
#include "cli/show/show.h"

static bool suggest_record(struct worker *worker, const struct record *record)
{
	struct item item = item_from_record(worker, record);

	if (worker->options->iri) {
		item.suggestion = judge_iri(worker, &item, &item.iri);
		item.shows_outcome = true;
		show_result(worker, &item, NULL);
	} else {
		item.suggestion = judge_suggestion(worker, &item);
		if (item.suggestion.data == NULL) /* gives the reason for non-ASCII input */
			(void)judge_iri(worker, &item, &item.iri);
		if (item.iri.outcome == URIVET_IRI_ASCII)
			item.iri.id = 0;
		show_result(worker, &item, "no other spelling is accepted for ");
	}
	return item.suggestion.data != NULL;
}

enum status run_suggest(const struct options *options)
{
	static const struct task task = {.record = suggest_record};

	return batch_run(run_by(options), &task);
}
