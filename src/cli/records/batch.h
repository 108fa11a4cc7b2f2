/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one task over every argument or every record of the input, in one thread
 * or in several, with the same output: each thread has a lane of its own, and
 * lanes write in order.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli/records/cursor.h"
#include "cli/records/input.h"
#include "cli/options/options.h"
#include "cli/records/progress.h"

/* One input to judge. */
struct record {
	struct text text; /* of an over-long one only the head */
	size_t length;    /* in octets, line end excluded */
	size_t whole;     /* with the line end, where text is all of it */
	uint64_t number;  /* from 1 */
};

/* Lanes that shared a cache line would slow each other down. */
#define LANE_ALIGNMENT 128

/* What one thread works with. */
struct lane {
	_Alignas(LANE_ALIGNMENT) const struct options *options;
	const struct task *task;
	const struct input *input;
	const char *source; /* the input's name for people; NULL: arguments */
	struct output out;
	struct output aside; /* refused records and messages */
	struct urivet_report report;
	uint8_t *scratch; /* for spellings; grows */
	size_t scratch_size;
	/* What the lane works on, and what came of it. */
	struct text block;
	struct buffer buffer; /* where it lies, if there are other lanes */
	uint64_t rank;        /* among the blocks, from 0 */
	uint64_t next;        /* number of the block's first record; of the next one */
	uint64_t octets;      /* read so far */
	struct tally tally;
	struct batch *batch;
};

struct task {
	/* Judges a record and writes what there is to write; true: accepted. */
	bool (*record)(struct lane *lane, const struct record *record);
	/* Judges and counts the records of the lane's block. NULL: `record` is called for each. */
	void (*block)(struct lane *lane);
	/* Writes an over-long record of which `head` is there and the rest comes from
	 * `input`. NULL: `record` is called with its length and head instead. */
	void (*overlong)(struct lane *lane, const struct record *head, struct input *input);
};

static inline struct cursor lane_cursor(const struct lane *lane)
{
	return cursor_over(lane->block, lane->input->terminator, lane->input->crlf);
}

static inline void lane_count_cr(struct lane *lane, struct text text)
{
	if (text.length > 0 && text.data[text.length - 1] == '\r')
		lane->tally.carriage_returns++;
}

/* Runs the task over what the options name, and returns the exit status. */
enum status batch_run(const struct options *options, const struct task *task);

/* Judges each record of the lane's block by the task's `record`. */
void lane_each(struct lane *lane);

/* True for two descriptors of one regular file. */
bool is_same_file(int a, int b);

/* Room for `size` octets, kept for the next record; NULL, and trouble at the end,
 * if there is no memory. */
uint8_t *lane_scratch(struct lane *lane, size_t size);

#endif
