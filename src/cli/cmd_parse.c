/* SPDX-License-Identifier: Apache-2.0 */
/* urivet parse: takes URI references apart and judges nothing. */
#include "judge.h"

static bool parse_record(struct lane *lane, const struct record *record)
{
	static void (*const write[])(struct output *,
				     const struct item *) = {[FORMAT_HUMAN] = human_write_parsed,
							     [FORMAT_TSV] = tsv_write,
							     [FORMAT_JSON] = json_write};
	struct urivet_report *report = &lane->report;
	struct item item = judge_nothing(lane, record);

	report->parsed =
	    !item.too_long && urivet_parse(&report->uri, item.text.data, item.length, &item.misfit);
	report->verdict = report->parsed ? URIVET_ACCEPT : URIVET_REJECT;
	report->count = 0;
	report->dropped = 0;
	if (!lane->options->quiet)
		write[lane->options->format](&lane->out, &item);
	return report->parsed;
}

enum status run_parse(const struct options *options)
{
	static const struct task task = {.record = parse_record};

	return batch_run(options, &task);
}
