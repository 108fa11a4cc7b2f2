/* SPDX-License-Identifier: Apache-2.0 */
/* urivet report: judges all records of the inputs and writes one page about them. */
#include "cli/commands/options.h"
#include "cli/judge/judge.h"
#include "cli/records/moment.h"
#include "cli/records/replacement.h"
#include "cli/show/report_sections.h"
#include "cli/show/show.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The octets shown of a record, those before the fault, and of the longest spelling that is
 * shown. */
#define SHOWN      320u
#define SHOWN_LEFT 96u
#define SPELLING   2048u

static void count_key(struct worker *worker, struct census *counts, struct octets key)
{
	if (!census_add_counts(counts, key, 1, worker->report.verdict != URIVET_ACCEPT))
		worker->out.error = ENOMEM;
}

/* ---- Examples ------------------------------------------------------------------------- */

/* The parts of an example that all findings of a record share. */
struct shown {
	const struct item *item;
	uint32_t samples; /* maximum examples of each finding */
	uint8_t *text;    /* the record, masked */
	uint8_t *host;    /* ... and its Host field */
	uint8_t *spelling;
	size_t spelling_length; /* 0: it is absent, the same as the text, or too long */
	uint64_t hash;
	bool is_ready;
	enum urivet_target_form form;
};

static void make_spelling(struct worker *worker, struct shown *shown)
{
	const struct item *item = shown->item;
	struct octets spelling = judge_record_suggestion(worker, item, shown->form);

	if (spelling.data == NULL || spelling.length > SPELLING ||
	    text_equals(spelling, item->text))
		return;
	shown->spelling = masked_copy(spelling, false, false);
	shown->spelling_length = shown->spelling != NULL ? spelling.length : 0;
	if (shown->spelling == NULL)
		worker->out.error = ENOMEM;
}

/* Makes the masked copies. Returns false if there is no memory. */
static bool get_ready(struct worker *worker, struct shown *shown)
{
	const struct item *item = shown->item;
	const bool target = judges_targets(worker->judging);

	if (!shown->is_ready) {
		shown->is_ready = true;
		shown->text = masked_copy(item->text, item->length > item->text.length, target);
		shown->host = masked_copy(item->host, false, true);
		if (shown->text != NULL)
			make_spelling(worker, shown);
	}
	return shown->text != NULL && shown->host != NULL;
}

/* Returns the part of a text that is shown: all of it, or the part around the fault. */
static struct urivet_span window_of(size_t length, size_t fault)
{
	size_t begin = fault > SHOWN_LEFT ? fault - SHOWN_LEFT : 0;

	if (length <= SHOWN)
		return (struct urivet_span){0, (uint32_t)length};
	if (begin > length - SHOWN)
		begin = length - SHOWN;
	return (struct urivet_span){(uint32_t)begin, SHOWN};
}

static struct figures_example *make_example(const struct worker *worker, const struct shown *shown,
					    const struct urivet_finding *finding)
{
	const struct item *item = shown->item;
	const bool in_host = finding->in == URIVET_IN_HOST_FIELD;
	const struct octets text = in_host ? item->host : item->text;
	const size_t length = in_host ? item->host.length : item->length;
	const size_t fault =
	    finding->span.offset < text.length ? finding->span.offset : text.length;
	const struct urivet_span window = window_of(text.length, fault);
	const size_t left = window.offset + window.length - fault;
	struct figures_example *example =
	    malloc(sizeof *example + window.length + shown->spelling_length);

	if (example == NULL)
		return NULL;
	*example = (struct figures_example){
	    .hash = shown->hash,
	    .source = worker->source,
	    .number = item->number,
	    .in_host = in_host,
	    .refused = item->report->verdict != URIVET_ACCEPT,
	    .cut_before = window.offset > 0,
	    .cut_after = window.offset + window.length < length,
	    .length = window.length,
	    .fault = (uint32_t)(fault - window.offset),
	    .fault_length = finding->span.length < left ? finding->span.length : (uint32_t)left,
	    .suggestion = (uint32_t)shown->spelling_length};
	memcpy(example->octets, (in_host ? shown->host : shown->text) + window.offset,
	       window.length);
	if (shown->spelling_length > 0)
		memcpy(example->octets + window.length, shown->spelling, shown->spelling_length);
	return example;
}

static void keep_example(struct worker *worker, struct shown *shown,
			 struct figures_finding *counted, const struct urivet_finding *finding)
{
	struct figures_example *example;

	if (!figures_wants(counted, shown->samples, shown->hash))
		return;
	example = get_ready(worker, shown) ? make_example(worker, shown, finding) : NULL;
	if (example != NULL)
		figures_keep(counted, example);
	else
		worker->out.error = ENOMEM;
}

/* ---- A record ------------------------------------------------------------------------- */

static void count_findings(struct worker *worker, struct figures *figures, struct shown *shown)
{
	const struct urivet_report *report = shown->item->report;
	const bool refused = report->verdict != URIVET_ACCEPT;
	unsigned gravest = FIGURES_CLASSES - 1;

	shown->hash = report->count > 0 ? text_hash(shown->item->text) : 0;
	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *finding = &report->finding[i];
		struct figures_finding *counted = &figures->finding[finding->id];

		counted->records++;
		counted->occurrences += finding->count;
		counted->hash += shown->hash;
		keep_example(worker, shown, counted, finding);
		if (!refused || !urivet_finding_refuses(report, finding, &worker->judging->policy))
			continue;
		counted->refusing++;
		gravest = finding->class_ < gravest ? finding->class_ : gravest;
	}
	figures->refused_by[gravest] += refused;
	figures->noted += !refused && report->count > 0;
	figures->dropped += report->dropped;
}

static void count_component(struct worker *worker, struct census *counts, const struct item *item,
			    enum urivet_component component)
{
	const struct octets part = judge_lower_part(worker, item, component);

	if (part.data != NULL)
		count_key(worker, counts, part);
}

static void count_port(struct worker *worker, struct census *counts,
		       const struct urivet_report *report)
{
	char digits[12] = "";

	if (report->parsed && report->uri.port != URIVET_NO_PORT)
		(void)snprintf(digits, sizeof digits, "%lu", (unsigned long)report->uri.port);
	count_key(worker, counts, text_of(digits));
}

static void count_lengths(struct figures *figures, const struct item *item)
{
	const bool refused = item->report->verdict != URIVET_ACCEPT;

	split_add(&figures->lengths[figures_length_class(item->length)], refused);
	figures->octets += item->length;
	if (item->length > figures->longest)
		figures->longest = item->length;
}

static void count_record(struct worker *worker, struct figures *figures, const struct item *item,
			 enum urivet_target_form form)
{
	struct shown shown = {.item = item, .samples = figures->samples, .form = form};

	split_add(&figures->records, item->report->verdict != URIVET_ACCEPT);
	count_lengths(figures, item);
	count_component(worker, &figures->hosts, item, URIVET_HOST);
	count_component(worker, &figures->schemes, item, URIVET_SCHEME);
	count_port(worker, &figures->ports, item->report);
	count_findings(worker, figures, &shown);
	free(shown.text);
	free(shown.host);
	free(shown.spelling);
}

/* Takes the time stamp and the following blanks off a record. Returns false, without changes, if it
 * has none; then the whole record is judged. */
static bool take_moment(struct record *record, int64_t *seconds)
{
	const struct octets text = record->text;
	size_t at = moment_read(seconds, text);

	if (at == 0)
		return false;
	while (at < text.length && at < MOMENT_MOST &&
	       (text.data[at] == ' ' || text.data[at] == '\t'))
		at++;
	record->text = text_after(text, at);
	record->length -= at;
	return true;
}

/* Finds the time of a record, if any. With --time-prefix it is removed from the text that is
 * judged. */
static bool find_moment(struct worker *worker, struct record *record, int64_t *seconds)
{
	const struct options *options = worker->options;

	if (options->time_prefix)
		return take_moment(record, seconds);
	return record->row != NULL && options->reading.table.time != NULL &&
	       moment_read(seconds,
			   table_time(&options->reading.table, &worker->head, record->row)) > 0;
}

static bool report_record(struct worker *worker, const struct record *record)
{
	const struct options *options = worker->options;
	struct figures *figures = worker->sums;
	enum urivet_target_form form;
	struct record judged = *record;
	int64_t seconds = 0, minute;
	bool accepted;
	const bool timed = find_moment(worker, &judged, &seconds);
	struct item item = judge_record(worker, &judged, &form);

	minute = seconds / FIGURES_MINUTE - (seconds % FIGURES_MINUTE < 0 ? 1 : 0);
	if (timed)
		count_key(worker, &figures->minutes, text_at(&minute, sizeof minute));
	else if (options->time_prefix || options->reading.table.time != NULL)
		figures->timeless++;
	accepted = worker->report.verdict == URIVET_ACCEPT;
	count_record(worker, figures, &item, form);
	return accepted;
}

/* ---- Inputs, and the page --------------------------------------------------------------- */

/* Returns true if the output file is one of the inputs, which must not be replaced. */
static bool is_input(const struct options *options)
{
	struct stat file;
	bool found;

	if (strcmp(options->output, "-") == 0 || stat(options->output, &file) != 0)
		return false;
	found = judged_by_file(&options->judging, &file) != NULL;
	for (size_t i = 0; i < options->reading.operands; i++)
		found = found || is_name_of(options->reading.operand[i], &file);
	return found || (options->reading.operands == 0 && is_name_of("-", &file));
}

static bool output_is_sound(const struct options *options)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH"); /* read by report_page.c */
	int64_t seconds;

	if (options->output == NULL)
		complain("report: say where to write: -o FILE, or -o - for standard output");
	else if (is_input(options))
		complain("'%s' is both input and output", options->output);
	else if (epoch != NULL && moment_read(&seconds, text_of(epoch)) != strlen(epoch))
		complain("SOURCE_DATE_EPOCH is no time in seconds: '%s'", epoch);
	else
		return true;
	return false;
}

/* Runs the task over all inputs. */
static enum status run_inputs(const struct options *options, struct figures *figures)
{
	static const struct sums sums = {sizeof *figures, figures_open_for, figures_merge,
					 figures_close};
	const struct task task = {
	    .record = report_record, .sums = &sums, .numbers = true, .context = figures};
	struct options files = *options;

	files.reading.input_file =
	    (const char **)(uintptr_t)options->reading.operand; /* names are not changed */
	files.reading.inputs = options->reading.operands;
	files.reading.operands = 0;
	return batch_run(run_by(&files), &task);
}

/* Runs the task. After a broken row or an unreadable file it reports that no page was written. */
static enum status run_whole(const struct options *options, struct figures *figures)
{
	const bool standard = strcmp(options->output, "-") == 0;
	const enum status status = run_inputs(options, figures);

	if (status == STATUS_TROUBLE)
		complain(
		    "%s was not written: a page of some of the records would pass for one of all",
		    standard ? "standard output" : options->output);
	return status;
}

static bool write_page(const struct options *options, const struct figures *figures)
{
	const bool standard = strcmp(options->output, "-") == 0;
	struct replacement file;
	struct output out;

	if (standard && options->showing.quiet)
		return true;
	if (standard ? !paint_open(&out, COLOUR_NEVER) : !replacement_open(&file, options->output))
		return false;
	if (!standard && !output_open(&out, file.fd, 2 * OUTPUT_ROOM))
		return replacement_close(&file, ENOMEM);
	report_page_write(&out, figures, &options->reading, &options->judging, options->count.top);
	return standard ? output_finish(&out) : replacement_close(&file, output_close(&out));
}

enum status run_report(const struct options *options)
{
	struct figures figures;
	enum status status = STATUS_TROUBLE;

	if (!output_is_sound(options))
		return STATUS_TROUBLE;
	if (figures_open(&figures, options->count.samples > 0 ? options->count.samples : 3))
		status = run_whole(options, &figures);
	else
		complain("%s", strerror(ENOMEM));
	if (status != STATUS_TROUBLE && !write_page(options, &figures))
		status = STATUS_TROUBLE;
	figures_close(&figures);
	return status;
}
