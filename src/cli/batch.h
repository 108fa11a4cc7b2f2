/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one task over every argument or every record of the input, in one thread
 * or in several, with the same output: each thread has a lane of its own, and
 * lanes write in order.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "input.h"
#include "options.h"
#include "progress.h"

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
	struct tally tally;
	struct text part; /* of the block, with the number of its first record */
	uint64_t first;
	unsigned rank; /* among the lanes */
	struct turn *turn;
};

struct task {
	/* Judges a record and writes what there is to write; true: accepted. */
	bool (*record)(struct lane *lane, const struct record *record);
	/* Writes an over-long record of which `head` is there and the rest comes from
	 * `input`. NULL: `record` is called with its length and head instead. */
	void (*overlong)(struct lane *lane, const struct record *head, struct input *input);
};

/* Runs the task over what the options name, and returns the exit status. */
enum status batch_run(const struct options *options, const struct task *task);

/* True for two descriptors of one regular file. */
bool is_same_file(int a, int b);

/* Room for `size` octets, kept for the next record; NULL, and trouble at the end,
 * if there is no memory. */
uint8_t *lane_scratch(struct lane *lane, size_t size);

#endif
