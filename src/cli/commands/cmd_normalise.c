/* SPDX-License-Identifier: Apache-2.0 */
/* urivet normalise: writes the normal form, which is the same for all equivalent spellings. */
#include "cli/commands/options.h"
#include "cli/show/show.h"

/* Spare octets: most normal forms are not longer than the input. */
#define ROOM 16u

/* Returns the normal form in the worker's scratch memory. Data is NULL if the input cannot be
 * read. */
static struct octets normal_form(struct worker *worker, const struct item *item)
{
	const struct options *options = worker->options;
	size_t length = item->length + ROOM;
	uint8_t *scratch;
	bool readable = false;

	if (item->too_long)
		return (struct octets){0};
	do {
		scratch = worker_scratch(worker, length + 1);
		if (scratch == NULL)
			return (struct octets){0};
		length = urivet_normalise((char *)scratch, worker->scratch_size, item->text.data,
					  item->length, options->level, options->reader, &readable);
	} while (readable && length >= worker->scratch_size);
	return readable ? text_at(scratch, length) : (struct octets){0};
}

static bool normalise_record(struct worker *worker, const struct record *record)
{
	struct item item = item_from_record(worker, record);

	item.suggestion = normal_form(worker, &item);
	show_result(worker, &item, "this cannot be read: ");
	return item.suggestion.data != NULL;
}

enum status run_normalise(const struct options *options)
{
	static const struct task task = {.record = normalise_record};

	return batch_run(run_by(options), &task);
}
