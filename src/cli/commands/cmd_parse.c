/* SPDX-License-Identifier: Apache-2.0 */
/* urivet parse: splits URI references into components as a reader does, and judges nothing. */
#include "cli/commands/judge.h"

static void show(struct lane *lane, const struct item *item)
{
	static void (*const write[])(struct output *,
				     const struct item *) = {[FORMAT_HUMAN] = human_write_parsed,
							     [FORMAT_TSV] = tsv_write,
							     [FORMAT_JSON] = json_write};

	if (!lane->options->quiet)
		write[lane->options->format](&lane->out, item);
}

/* Reads by RFC 3986, which also tells where an input does not match. */
static bool parse(struct lane *lane, struct item *item)
{
	return urivet_parse(&lane->report.uri, item->text.data, item->length, &item->misfit);
}

static bool read_otherwise(struct lane *lane, struct item *item)
{
	enum urivet_reader reader = lane->options->reader;
	size_t capacity = readings_room(reader, item->length);
	char *room = (char *)lane_scratch(lane, capacity + 1);
	struct urivet_reading reading;

	item->reader = urivet_reader_name(reader);
	if (room == NULL ||
	    !urivet_read_as(&reading, reader, item->text.data, item->length, room, capacity))
		return false;
	lane->report.uri = reading.uri;
	item->needs_idna = reading.needs_idna;
	if (reading.written > 0)
		item->written = (struct text){(const uint8_t *)room, reading.written};
	return true;
}

static bool parse_record(struct lane *lane, const struct record *record)
{
	struct urivet_report *report = &lane->report;
	struct item item = judge_nothing(lane, record);
	bool plain = lane->options->reader == URIVET_READER_RFC3986;

	report->parsed =
	    !item.too_long && (plain ? parse(lane, &item) : read_otherwise(lane, &item));
	report->verdict = report->parsed ? URIVET_ACCEPT : URIVET_REJECT;
	report->count = 0;
	report->dropped = 0;
	show(lane, &item);
	return report->parsed;
}

enum status run_parse(const struct options *options)
{
	static const struct task task = {.record = parse_record};

	return batch_run(options, &task);
}
