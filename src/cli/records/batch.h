/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one task over every argument or every record of the input, in one thread or
 * in several, with the same output: each thread has a worker of its own, and the
 * workers write in the order of the input.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli/options/options.h"
#include "cli/records/cursor.h"
#include "cli/records/input.h"
#include "cli/records/progress.h"
#include "cli/records/table.h"
#include "cli/show/parameters.h"

/* One input to judge. */
struct record {
	struct text text;            /* only the head if the record is over-long */
	size_t length;               /* in octets, without the line end */
	size_t whole;                /* with the line end, if `text` is all of the record */
	uint64_t number;             /* from 1 */
	const struct table_row *row; /* whose field the text is; NULL: it is no table */
};

/* Two workers in one cache line would slow each other down. */
#define WORKER_ALIGNMENT 128

/* What one thread works with. */
struct worker {
	_Alignas(WORKER_ALIGNMENT) const struct options *options;
	const struct task *task;
	const struct input *input;
	const char *source; /* the name of the block's file in messages; NULL: arguments */
	struct output out;
	struct output refused; /* refused records */
	struct output apart;   /* messages, where those go to a file of their own */
	struct output *told;   /* whichever of the two messages go to */
	struct urivet_report report;
	uint8_t *scratch; /* memory for spellings, which grows */
	size_t scratch_size;
	struct parameters parameters; /* of the record */
	struct parameter_room room;   /* ... and where they are judged */
	/* The block that the worker has taken, and its results. */
	struct text block;
	const uint8_t *origin;        /* where the block began, before a header was taken off */
	struct input_place origin_at; /* ... in its file */
	struct buffer buffer;         /* the memory of the block, if there are other workers */
	bool begins;                  /* it is the first of its file */
	uint64_t rank;                /* number of the block, from 0 */
	uint64_t next;        /* number of the block's first record, later of the next one */
	uint64_t before_file; /* how many records earlier files had, where numbers are shown */
	uint64_t octets;      /* read so far */
	struct tally tally;
	struct table_head head;  /* of tables: what the first row says of those in the block */
	struct text header;      /* ... the header that stood before the block; no data: none */
	struct field_room field; /* ... memory for the field of a row */
	bool stopped;            /* ... by a broken row: nothing after it counts */
	void *sums;              /* of the block, where the task has any */
	struct batch *batch;
};

/* What a task adds up. Each worker has sums of its own, which are added to those of all block by block in
 * the order of the input, so that the result is the same for any number of workers. A single worker
 * adds to those of all at once. */
struct sums {
	size_t size;
	/* Makes some that will be added to those of all; false: no memory, and nothing to close. */
	bool (*open)(void *sums, const void *all);
	/* Adds those of a block, and empties them; false: no memory. */
	bool (*add)(void *all, void *block);
	void (*close)(void *sums);
};

struct task {
	/* Judges a record and writes the result; true: accepted. */
	bool (*record)(struct worker *worker, const struct record *record);
	/* Judges and counts the records of the worker's block. NULL: `record` is called for each. */
	void (*block)(struct worker *worker);
	/* Writes an over-long record: its `head`, and the rest, which is read from `input`.
	 * NULL: `record` is called with its length and head instead. */
	void (*overlong)(struct worker *worker, const struct record *head, struct input *input);
	/* Writes the header of a table, with its line end. NULL: nothing is to be done. */
	void (*header)(struct worker *worker, struct text header);
	const struct sums *sums; /* NULL: nothing is added up, but records */
	bool numbers;            /* it needs the number of each record, whatever is written */
	void *context;           /* of this run, shared by its workers; with sums those of all */
};

static inline struct cursor worker_cursor(const struct worker *worker)
{
	return cursor_over(worker->block, worker->input->terminator, worker->input->crlf);
}

/* Are records the rows of a table? */
static inline bool reads_table(const struct options *options)
{
	return options->table.kind != TABLE_NONE;
}

/* Is there no text in the record that could be judged? */
static inline bool record_is_unreadable(const struct record *record)
{
	return record->row != NULL && record->row->unreadable;
}

static inline void worker_count_cr(struct worker *worker, struct text text)
{
	if (text.length > 0 && text.data[text.length - 1] == '\r')
		worker->tally.carriage_returns++;
}

/* Runs the task over the arguments or the input, and returns the exit status. */
enum status batch_run(const struct options *options, const struct task *task);

/* Calls the task's `record` for each record of the worker's block. */
void worker_each(struct worker *worker);

/* Judges a record and counts it. */
void worker_judge(struct worker *worker, const struct record *record);

/* True after telling what is wrong with a row, where that ends all. */
bool worker_stops_at(struct worker *worker, const struct table_row *row, uint64_t number);

/* True for two descriptors of one regular file. */
bool is_same_file(int a, int b);

/* Memory for `size` octets, which is used again for the next record. NULL if there is none;
 * the exit status will say so. */
uint8_t *worker_scratch(struct worker *worker, size_t size);

/* Grows the room for parameters to `size` octets. If there is no memory it is left as it is, so that
 * they are refused, and the exit status will say so. */
void worker_room(struct worker *worker, size_t size);

#endif
