/* SPDX-License-Identifier: Apache-2.0 */
/* urivet normalise: the normal form, which is the same for all equivalent spellings. */
#include "cli/commands/judge.h"

/* Octets to spare: most normal forms are not longer than the input. */
#define ROOM 16u

/* The normal form, in the lane's scratch; no data: the input cannot be read. */
static struct text normal_form(struct lane *lane, const struct item *item)
{
	const struct options *options = lane->options;
	struct text none = {0};
	size_t length = item->length + ROOM;
	uint8_t *scratch;
	bool readable = false;

	if (item->too_long)
		return none;
	do {
		scratch = lane_scratch(lane, length + 1);
		if (scratch == NULL)
			return none;
		length = urivet_normalise((char *)scratch, lane->scratch_size, item->text.data,
					  item->length, options->level, options->reader, &readable);
	} while (readable && length >= lane->scratch_size);
	return readable ? (struct text){scratch, length} : none;
}

static bool normalise_record(struct lane *lane, const struct record *record)
{
	struct item item = judge_nothing(lane, record);

	item.suggestion = normal_form(lane, &item);
	judge_show_result(lane, &item, "this cannot be read: ");
	return item.suggestion.data != NULL;
}

enum status run_normalise(const struct options *options)
{
	static const struct task task = {.record = normalise_record};

	return batch_run(options, &task);
}
