/* SPDX-License-Identifier: Apache-2.0 */
/* urivet explain: writes all details of one URI or of several. */
#include "cli/commands/options.h"
#include "cli/show/show.h"
#include "cli/text/emit.h"
#include <errno.h>
#include <stdlib.h>

static void write_pieces(struct output *out, const struct item *item)
{
	if (item->report->parsed) {
		human_write_components(out, item);
		human_write_display(out, item);
	} else if (item->too_long)
		output_string(out, "  It is too long to be read.\n");
	else
		output_string(out, "  By RFC 3986 it is no URI and has no components.\n");
	human_write_allowances(out, item);
	output_octet(out, '\n');
}

static void write_suggestion(struct output *out, const struct item *item, bool same)
{
	if (same)
		output_string(out, "This is its canonical spelling.\n");
	else if (item->suggestion.data != NULL)
		human_write_spelling(out, item);
	else if (!item->too_long)
		output_string(out, "No other spelling of it is accepted.\n");
}

static void write_all(struct output *out, const struct item *item, bool same)
{
	human_write_verdict(out, item);
	human_write_reason(out, item);
	output_octet(out, '\n');
	human_write_lure(out, item);
	write_pieces(out, item);
	if (item->readings != NULL) {
		human_write_readings(out, item->readings);
		output_octet(out, '\n');
	}
	human_write_findings(out, item);
	human_write_parameters(out, item, true);
	if (item->report->count > 0)
		output_octet(out, '\n');
	write_suggestion(out, item, same);
}

static void write_masked(struct worker *worker, struct item *item, struct readings *readings,
			 struct octets whole, bool same)
{
	/* All of an over-long input is masked, not only its head: the "@" that marks a secret in
	 * the head may come after it. */
	uint8_t *text = masked_copy(whole, false, false);
	uint8_t *suggestion = masked_copy(item->suggestion, false, false);

	if (text != NULL && suggestion != NULL) {
		item->text.data = text;
		worker->parameters.masked = item->text;
		if (item->readings != NULL)
			readings_mask(readings, item->text);
		if (item->suggestion.data != NULL)
			item->suggestion.data = suggestion;
		write_all(&worker->out, item, same);
	} else {
		worker->out.error = ENOMEM;
	}
	free(text);
	free(suggestion);
}

static bool explain_record(struct worker *worker, const struct record *record)
{
	struct item item = judge_uri(worker, record);
	struct readings readings;
	bool same;

	item.number = 0;
	if (record->number > 1 && !worker->showing->quiet)
		output_octet(&worker->out, '\n');
	judge_readings(worker, &item, &readings);
	item.suggestion = judge_suggestion(worker, &item);
	same = item.suggestion.data != NULL && text_equals(item.suggestion, item.text);
	if (worker->options->show_secrets && !worker->showing->quiet)
		write_all(&worker->out, &item, same);
	else if (!worker->showing->quiet)
		write_masked(worker, &item, &readings, record->text, same);
	if (item.readings != NULL)
		readings_free(&readings);
	return worker->report.verdict == URIVET_ACCEPT;
}

enum status run_explain(const struct options *options)
{
	static const struct task task = {.record = explain_record};

	return batch_run(run_by(options), &task);
}
