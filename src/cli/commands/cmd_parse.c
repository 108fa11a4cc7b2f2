/* SPDX-License-Identifier: Apache-2.0 */
/* urivet parse: splits URI references into components as a reader does, without a verdict. */
#include "cli/commands/options.h"
#include "cli/show/show.h"

/* Parses by RFC 3986, which also gives the position of a syntax error. */
static bool parse(struct worker *worker, struct item *item)
{
	return urivet_parse(&worker->report.uri, item->text.data, item->length, &item->misfit);
}

static bool read_otherwise(struct worker *worker, struct item *item)
{
	enum urivet_reader reader = worker->options->reader;
	size_t capacity = readings_room(reader, item->length);
	char *room = (char *)worker_scratch(worker, capacity + 1);
	struct urivet_reading reading;

	item->reader = urivet_reader_name(reader);
	if (room == NULL ||
	    !urivet_read_as(&reading, reader, item->text.data, item->length, room, capacity))
		return false;
	worker->report.uri = reading.uri;
	if (reading.written > 0)
		item->written = text_at(room, reading.written);
	return true;
}

static bool parse_record(struct worker *worker, const struct record *record)
{
	struct urivet_report *report = &worker->report;
	struct item item = item_from_record(worker, record);
	bool plain = worker->options->reader == URIVET_READER_RFC3986;

	report->parsed =
	    !item.too_long && (plain ? parse(worker, &item) : read_otherwise(worker, &item));
	report->verdict = report->parsed ? URIVET_ACCEPT : URIVET_REJECT;
	report->count = 0;
	report->dropped = 0;
	show_item(worker, &item);
	return report->parsed;
}

enum status run_parse(const struct options *options)
{
	static const struct task task = {.record = parse_record};

	return batch_run(run_by(options), &task);
}
