/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy diff --input: shows the records that only one of two policies accepts, to preview a
 * new policy. */
#include "cli/commands/policy_actions.h"
#include "cli/judge/batch.h"
#include "cli/judge/judge.h"
#include "cli/show/show.h"
#include "cli/text/emit.h"
#include "common/text/is_utf8.h"

/* A record on which the policies disagree, with the findings of both. */
struct change {
	const struct record *record;
	struct octets text; /* only the head of an over-long record */
	bool gained;        /* only the second policy accepts it */
	struct urivet_report report[2];
};

/* Writes "- http://10.0.0.1/ (addr-private; record 7)", with the findings of the policy that
 * refuses. */
static void write_human(struct output *out, const struct change *change)
{
	emit(out, in_style(change->gained ? STYLE_ACCEPT : STYLE_REJECT),
	     change->gained ? "+ " : "- ", change->text,
	     change->text.length < change->record->length ? "..." : "", in_style(STYLE_PLAIN),
	     " (");
	output_findings(out, &change->report[change->gained ? 0 : 1]);
	emit(out, "; record ", change->record->number, ")\n");
}

/* Writes sign, findings by A, findings by B, number, record. */
static void write_tsv(struct output *out, const struct change *change)
{
	output_string(out, change->gained ? "+\t" : "-\t");
	output_findings(out, &change->report[0]);
	output_octet(out, '\t');
	output_findings(out, &change->report[1]);
	emit(out, "\t", change->record->number, "\t", change->text, "\n");
}

static void write_json(struct output *out, const struct change *change)
{
	const bool raw = !is_utf8(change->text);

	output_string(out,
		      change->gained ? "{\"only\":\"b\",\"uri\":\"" : "{\"only\":\"a\",\"uri\":\"");
	output_json_escaped(out, change->text, raw);
	emit(out, raw ? "\",\"raw\":true,\"number\":" : "\",\"number\":", change->record->number,
	     ",\"length\":", change->record->length, ",\"a\":[");
	output_json_findings(out, &change->report[0]);
	output_string(out, "],\"b\":[");
	output_json_findings(out, &change->report[1]);
	output_string(out, "]}\n");
}

static void write_change(struct worker *worker, const struct change *change)
{
	static void (*const write[])(struct output *, const struct change *) = {
	    [FORMAT_HUMAN] = write_human, [FORMAT_TSV] = write_tsv, [FORMAT_JSON] = write_json};

	if (!worker->showing->quiet)
		write[worker->showing->format](&worker->out, change);
}

/* Returns true if both policies agree. Neither reads an over-long record. */
static bool compare_record(struct worker *worker, const struct record *record)
{
	const struct urivet_loaded *const *policies = worker->task->context;
	struct change change = {.record = record, .text = record->text};

	change.text.length = input_held(worker->reading->limit, record->length);
	for (size_t i = 0; i < 2; i++)
		judge_url_or_path(&change.report[i], text_at(record->text.data, record->length),
				  urivet_loaded_policy(policies[i]));
	if (change.report[0].verdict == change.report[1].verdict)
		return true;
	change.gained = change.report[1].verdict == URIVET_ACCEPT;
	write_change(worker, &change);
	return false;
}

enum status policy_diff_records(const struct options *options, const struct urivet_loaded *a,
				const struct urivet_loaded *b)
{
	const struct urivet_loaded *policies[] = {a, b};
	const struct task task = {.record = compare_record, .numbers = true, .context = policies};
	struct options records = *options;
	const uint32_t limit[] = {urivet_loaded_policy(a)->max_length,
				  urivet_loaded_policy(b)->max_length};

	records.reading.operands = 0; /* the operands are the policies */
	records.reading.limit = limit[0] > limit[1] ? limit[0] : limit[1];
	return batch_run(run_by(&records), &task);
}
