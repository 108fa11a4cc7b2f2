/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one task over all arguments or all records of the input, in one or several threads. Each
 * thread has its own worker. The output is the same for any number of threads, since the workers
 * write in the order of the input.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli/judge/judge_options.h"
#include "cli/judge/parameters.h"
#include "cli/records/cursor.h"
#include "cli/records/input.h"
#include "cli/records/progress.h"
#include "cli/text/paint.h"
#include "common/exact.h"

/* One input to judge. */
struct record {
	struct octets text;            /* only the head of an over-long record */
	size_t length;               /* in octets, without the line end */
	struct octets whole;         /* in the block, with the line end, if `text` is complete */
	uint64_t number;             /* from 1 */
	const struct table_row *row; /* the row of the text; NULL: the input is not a table */
};

/* Workers are kept in separate cache lines, which avoids false sharing. */
#define WORKER_ALIGNMENT 128

/* The state of one thread. */
struct worker {
	_Alignas(WORKER_ALIGNMENT) const struct read_options *reading;
	const struct judge_options *judging;
	const struct show_options *showing;
	const struct options *options; /* of the command, for its task */
	const struct task *task;
	const struct input *input;
	const char *source; /* name of the block's file in messages; NULL: arguments */
	struct output out;
	struct output refused; /* refused records */
	struct output repaired; /* what was repaired */
	struct output apart;   /* messages, if they do not share the stream of `refused` */
	struct output *told;   /* the stream for messages: `refused` or `apart` */
	struct urivet_report report;
	uint8_t *scratch; /* reusable memory for suggested spellings */
	size_t scratch_size;
	struct host_cache *hosts; /* NULL: no registrable domain was shown yet */
	struct parameters parameters; /* of the current record */
	struct parameter_room room;   /* ... and memory for their values */
	/* The block that the worker has taken, and its results. */
	struct octets block;
	const uint8_t *origin;        /* start of the block, including a header that was removed */
	struct input_place origin_at; /* ... and its position in the file */
	struct buffer buffer;         /* memory of the block, if there are other workers */
	bool begins;                  /* the block is the first of its file */
	uint64_t rank;                /* number of the block, from 0 */
	uint64_t next;        /* number of the block's first record, then of the next record */
	uint64_t before_file; /* number of records in earlier files, if numbers are shown */
	uint64_t octets;      /* read so far */
	struct tally tally;
	struct table_head head;  /* tables: columns, from the first row of the file */
	struct octets header;      /* ... the header before the block; data may be NULL */
	struct field_room field; /* ... memory for a decoded field */
	void *exact;             /* the record in a block of its size, in builds that have one */
	bool stopped;            /* ... a broken row stopped the run */
	void *sums;              /* sums of the block; NULL: the task has none */
	struct batch *batch;
};

/* Sums of a task. Each worker has its own sums, which are added to the total block by block in
 * input order. So the result does not depend on the number of workers. A single worker adds to the
 * total directly. */
struct sums {
	size_t size;
	/* Initializes the sums of a worker. Returns false if there is no memory; then close() is
	 * not called. */
	bool (*open)(void *sums, const void *all);
	/* Adds the sums of a block to the total and clears them. Returns false if there is no
	 * memory. */
	bool (*add)(void *all, void *block);
	void (*close)(void *sums);
};

struct task {
	/* Judges a record and writes the result. Returns true if the record is accepted. */
	bool (*record)(struct worker *worker, const struct record *record);
	/* Judges and counts the records of the worker's block. NULL: `record` is called for each
	 * record. */
	void (*block)(struct worker *worker);
	/* Writes an over-long record: its `head`, then the rest, which is read from `input`. NULL:
	 * `record` is called with the head and the full length instead. */
	void (*overlong)(struct worker *worker, const struct record *head, struct input *input);
	/* Writes the header of a table, including its line end. NULL: the header is dropped. */
	void (*header)(struct worker *worker, struct octets header);
	const struct sums *sums; /* NULL: the task has no sums */
	bool numbers;            /* the task needs record numbers in any format */
	void *context;           /* data of this run for all workers; with `sums`, the total */
};

static inline struct cursor worker_cursor(const struct worker *worker)
{
	return cursor_over(worker->block, worker->input->terminator, worker->input->crlf);
}

/* Returns true if the record has no field that can be judged. */
static inline bool record_is_unreadable(const struct record *record)
{
	return record->row != NULL && record->row->unreadable;
}

static inline void worker_count_cr(struct worker *worker, struct octets text)
{
	if (text.length > 0 && text.data[text.length - 1] == '\r')
		worker->tally.carriage_returns++;
}

/* What a task is run by. */
struct run_options {
	const struct read_options *reading;
	const struct judge_options *judging;
	const struct show_options *showing;
	const struct options *options; /* of the command, for its task */
};

/* Runs the task over the arguments or the input, and returns the exit status. */
enum status batch_run(struct run_options run, const struct task *task);

/* Calls the task's `record` for each record of the worker's block. */
void worker_each(struct worker *worker);

/* Returns the text in a block of its size, in builds that have one. */
static inline struct octets worker_exact(struct worker *worker, struct octets text)
{
	return text_at(exact_copy(&worker->exact, text.data, text.length, "record"), text.length);
}

/* Judges a record and counts it. */
void worker_judge(struct worker *worker, const struct record *record);

/* Reports the fault of a row, if it has one. Returns true if the run stops there. */
bool worker_stops_at(struct worker *worker, const struct table_row *row, uint64_t number);

/* Returns true if both descriptors refer to the same regular file. */
bool is_same_file(int a, int b);

/* Returns memory for `size` octets, which the next call may reuse. Returns NULL if there is no
 * memory, and records the error for the exit status. */
uint8_t *worker_scratch(struct worker *worker, size_t size);

/* Grows the memory for parameters to `size` octets. If there is no memory, its size stays as it is,
 * so that the parameters are refused; the error is recorded for the exit status. */
void worker_room(struct worker *worker, size_t size);

#endif
