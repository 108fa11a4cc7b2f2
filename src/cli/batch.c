/* SPDX-License-Identifier: Apache-2.0 */
/* The flow of records: blocks are read in one thread, split among the lanes, and
 * joined before the next one. */
#include "batch.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sizes for one thread stay in the cache; several need room to write while they
 * wait for their turn. */
#define BLOCK         262144u
#define OUTPUT_SINGLE 65536u
#define OUTPUT_MANY   4194304u
/* A smaller part is not worth a thread. */
#define LEAST_PART 16384u

/* Whose turn it is to write. */
struct turn {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned rank;
};

struct batch {
	const struct options *options;
	const struct task *task;
	struct input input;
	struct lane *lane;
	unsigned lanes;
	struct turn turn;
	uint64_t next; /* number of the next record */
	struct tally tally;
	struct progress progress;
	int rejects; /* descriptor; standard error where there is no file */
};

/* ---- Lanes ---------------------------------------------------------------------- */

uint8_t *lane_scratch(struct lane *lane, size_t size)
{
	uint8_t *grown;

	if (size <= lane->scratch_size)
		return lane->scratch;
	if (size < SIZE_MAX / 2)
		size += size / 2;
	grown = realloc(lane->scratch, size);
	if (grown == NULL) {
		lane->out.error = ENOMEM;
		return NULL;
	}
	lane->scratch = grown;
	lane->scratch_size = size;
	return grown;
}

static void judge(struct lane *lane, const struct record *record)
{
	size_t length = record->text.length;

	lane->tally.records++;
	if (length > 0 && record->text.data[length - 1] == '\r')
		lane->tally.carriage_returns++;
	if (lane->task->record(lane, record))
		lane->tally.accepted++;
}

static void run_part(struct lane *lane)
{
	size_t at = 0;

	while (at < lane->part.length && lane->out.error == 0) {
		struct record record = {.number = lane->first++};
		size_t start = at;

		record.text = input_split(lane->input, lane->part, &at);
		record.length = record.text.length;
		record.whole = at - start;
		judge(lane, &record);
	}
}

/* ---- Taking turns --------------------------------------------------------------- */

static void wait_for_turn(void *context)
{
	const struct lane *lane = context;

	(void)pthread_mutex_lock(&lane->turn->mutex);
	while (lane->turn->rank != lane->rank)
		(void)pthread_cond_wait(&lane->turn->changed, &lane->turn->mutex);
	(void)pthread_mutex_unlock(&lane->turn->mutex);
}

static void give_turn(struct turn *turn, unsigned rank)
{
	(void)pthread_mutex_lock(&turn->mutex);
	turn->rank = rank;
	(void)pthread_cond_broadcast(&turn->changed);
	(void)pthread_mutex_unlock(&turn->mutex);
}

static void *run_lane(void *context)
{
	struct lane *lane = context;

	run_part(lane);
	wait_for_turn(lane);
	output_flush(&lane->out);
	output_flush(&lane->aside);
	give_turn(lane->turn, lane->rank + 1);
	return NULL;
}

/* Runs the first `count` lanes, in threads where there are any to be had. */
static void run_lanes(struct batch *batch, unsigned count)
{
	pthread_t thread[JOBS_MOST];
	unsigned started = 1;

	give_turn(&batch->turn, 0);
	while (started < count &&
	       pthread_create(&thread[started], NULL, run_lane, &batch->lane[started]) == 0)
		started++;
	(void)run_lane(&batch->lane[0]);
	for (unsigned i = 1; i < started; i++)
		(void)pthread_join(thread[i], NULL);
	for (unsigned i = started; i < count; i++)
		(void)run_lane(&batch->lane[i]);
	give_turn(&batch->turn, 0);
}

/* ---- Blocks ------------------------------------------------------------------------ */

static uint64_t count_records(const struct input *input, struct text block)
{
	uint64_t count = 0;

	for (size_t at = 0; at < block.length; count++)
		(void)input_split(input, block, &at);
	return count;
}

/* Cuts a block of whole records into parts of about the same length. */
static void cut_block(struct batch *batch, struct text block, unsigned parts)
{
	size_t start = 0;

	for (unsigned i = 0; i < parts; i++) {
		struct lane *lane = &batch->lane[i];
		size_t end = block.length / parts * (i + 1);

		if (end < start)
			end = start;
		if (i + 1 == parts)
			end = block.length;
		else
			(void)input_split(&batch->input, block, &end);
		lane->part = (struct text){block.data + start, end - start};
		lane->first = batch->next;
		batch->next += count_records(&batch->input, lane->part);
		start = end;
	}
}

static void run_block(struct batch *batch, struct text block)
{
	unsigned parts = batch->lanes;

	if (block.length / LEAST_PART < parts)
		parts = (unsigned)(block.length / LEAST_PART);
	if (parts > 1) {
		cut_block(batch, block, parts);
		run_lanes(batch, parts);
		return;
	}
	batch->lane[0].part = block;
	batch->lane[0].first = batch->next;
	run_part(&batch->lane[0]);
	batch->next = batch->lane[0].first;
}

/* Counts the octets of an over-long record, and judges it by its head. */
static void run_counted(struct batch *batch, struct record *record)
{
	struct text piece;

	while (input_rest(&batch->input, &piece)) {
		record->length += piece.length;
		progress_tick(&batch->progress, &batch->tally, batch->input.octets);
	}
	/* Of a record that broke off nothing is known. */
	if (batch->input.error == 0)
		judge(&batch->lane[0], record);
}

static void run_overlong(struct batch *batch, struct text head)
{
	struct lane *lane = &batch->lane[0];
	struct record record = {.text = head, .length = head.length, .number = batch->next++};

	if (batch->task->overlong == NULL) {
		run_counted(batch, &record);
		return;
	}
	lane->tally.records++;
	batch->task->overlong(lane, &record, &batch->input);
}

static struct tally add_up(const struct batch *batch)
{
	struct tally sum = {0};

	for (unsigned i = 0; i < batch->lanes; i++) {
		sum.records += batch->lane[i].tally.records;
		sum.accepted += batch->lane[i].tally.accepted;
		sum.carriage_returns += batch->lane[i].tally.carriage_returns;
	}
	return sum;
}

static bool output_failed(const struct batch *batch)
{
	bool failed = false;

	for (unsigned i = 0; i < batch->lanes; i++)
		failed = failed || batch->lane[i].out.error != 0 || batch->lane[i].aside.error != 0;
	return failed;
}

/* Who talks to the command over pipes gets each answer before the next question. */
static void flush_if_idle(struct batch *batch)
{
	if (!input_would_wait(&batch->input))
		return;
	output_flush(&batch->lane[0].out);
	output_flush(&batch->lane[0].aside);
}

static void run_input(struct batch *batch)
{
	struct text text;
	enum input_event event;

	while (!output_failed(batch)) {
		flush_if_idle(batch);
		event = input_next(&batch->input, &text);
		if (event == INPUT_END)
			return;
		progress_make_way(&batch->progress);
		if (event == INPUT_LONG)
			run_overlong(batch, text);
		else
			run_block(batch, text);
		batch->tally = add_up(batch);
		progress_tick(&batch->progress, &batch->tally, batch->input.octets);
	}
}

static void run_arguments(struct batch *batch)
{
	const struct options *options = batch->options;

	for (size_t i = 0; i < options->operands; i++) {
		struct record record = {.text = text_of(options->operand[i]), .number = i + 1};

		record.length = record.text.length;
		judge(&batch->lane[0], &record);
	}
	batch->tally = add_up(batch);
}

/* ---- Opening and closing ------------------------------------------------------------- */

bool is_same_file(int a, int b)
{
	struct stat one;
	struct stat other;

	return fstat(a, &one) == 0 && fstat(b, &other) == 0 && S_ISREG(one.st_mode) &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool open_input(struct batch *batch)
{
	const struct options *options = batch->options;
	struct input *input = &batch->input;

	*input = (struct input){.fd = STDIN_FILENO,
				.name = "<stdin>",
				.terminator = options->null ? '\0' : '\n',
				.crlf = options->crlf,
				.limit = options->limit,
				.block = (size_t)BLOCK * options->jobs};
	if (options->operands > 0)
		return true;
	if (options->input != NULL && strcmp(options->input, "-") != 0) {
		input->name = options->input;
		input->fd = open(options->input, O_RDONLY | O_CLOEXEC);
	}
	if (input->fd < 0) {
		complain("cannot open '%s': %s", options->input, strerror(errno));
		return false;
	}
	if (!options->quiet && is_same_file(input->fd, STDOUT_FILENO)) {
		complain("'%s' is both input and output", input->name);
		return false;
	}
	progress_start(&batch->progress, options, input->fd);
	return true;
}

static bool open_rejects(struct batch *batch)
{
	const char *name = batch->options->rejects;

	batch->rejects = STDERR_FILENO;
	if (name == NULL || strcmp(name, "-") == 0)
		return true;
	/* Emptied only when it is known to be no file that is still needed. */
	batch->rejects = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (batch->rejects < 0) {
		complain("cannot open '%s': %s", name, strerror(errno));
		return false;
	}
	if (is_same_file(batch->rejects, batch->input.fd) ||
	    is_same_file(batch->rejects, STDOUT_FILENO)) {
		complain("'%s' is rejects and input or output at once", name);
		return false;
	}
	/* What cannot be emptied, a pipe or a terminal, says EINVAL. */
	if (ftruncate(batch->rejects, 0) != 0 && errno != EINVAL) {
		complain("cannot empty '%s': %s", name, strerror(errno));
		return false;
	}
	return true;
}

static bool open_lane(struct batch *batch, unsigned rank)
{
	struct lane *lane = &batch->lane[rank];
	size_t capacity = batch->lanes > 1 ? OUTPUT_MANY : OUTPUT_SINGLE;

	lane->options = batch->options;
	lane->task = batch->task;
	lane->input = &batch->input;
	lane->source = batch->options->operands > 0 ? NULL : batch->input.name;
	lane->rank = rank;
	lane->turn = &batch->turn;
	if (!output_open(&lane->out, STDOUT_FILENO, capacity) ||
	    !output_open(&lane->aside, batch->rejects, capacity))
		return false;
	paint_setup(&lane->out, batch->options->colour);
	lane->out.before_write = wait_for_turn;
	lane->out.context = lane;
	lane->aside.before_write = wait_for_turn;
	lane->aside.context = lane;
	return true;
}

static bool open_lanes(struct batch *batch)
{
	size_t size;

	batch->lanes = batch->options->operands > 0 ? 1 : batch->options->jobs;
	size = batch->lanes * sizeof batch->lane[0];
	batch->lane = aligned_alloc(LANE_ALIGNMENT, size);
	if (batch->lane != NULL)
		memset(batch->lane, 0, size);
	for (unsigned i = 0; i < batch->lanes; i++) {
		if (batch->lane == NULL || !open_lane(batch, i)) {
			complain("%s", strerror(ENOMEM));
			return false;
		}
	}
	return true;
}

static bool close_rejects(const struct batch *batch, int error)
{
	const char *name = batch->options->rejects;

	if (batch->rejects != STDERR_FILENO && close(batch->rejects) != 0 && error == 0)
		error = errno;
	if (error != 0)
		complain("cannot write '%s': %s",
			 batch->rejects == STDERR_FILENO ? "<stderr>" : name, strerror(error));
	return error == 0;
}

static bool close_lanes(struct batch *batch)
{
	int out_error = 0;
	int aside_error = 0;

	for (unsigned i = 0; i < batch->lanes; i++) {
		int out = output_close(&batch->lane[i].out);
		int aside = output_close(&batch->lane[i].aside);

		out_error = out_error != 0 ? out_error : out;
		aside_error = aside_error != 0 ? aside_error : aside;
		free(batch->lane[i].scratch);
	}
	free(batch->lane);
	if (out_error != 0)
		complain("cannot write standard output: %s", strerror(out_error));
	return close_rejects(batch, aside_error) && out_error == 0;
}

static void hint_at_crlf(const struct batch *batch)
{
	if (!batch->options->crlf && !batch->options->null && batch->options->operands == 0 &&
	    batch->tally.carriage_returns > batch->tally.records / 2)
		complain("hint: most lines end in CR LF; --crlf takes the CR for a part of the "
			 "line end");
}

static enum status finish(struct batch *batch)
{
	bool good;

	progress_clear(&batch->progress);
	good = close_lanes(batch);
	hint_at_crlf(batch);
	if (batch->input.error != 0) {
		complain("cannot read '%s': %s", batch->input.name, strerror(batch->input.error));
		good = false;
	}
	free(batch->input.buffer);
	if (!good)
		return STATUS_TROUBLE;
	return batch->tally.accepted == batch->tally.records ? STATUS_ACCEPTED : STATUS_REFUSED;
}

enum status batch_run(const struct options *options, const struct task *task)
{
	struct batch batch = {.options = options,
			      .task = task,
			      .next = 1,
			      .turn = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}};

	if (!open_input(&batch) || !open_rejects(&batch) || !open_lanes(&batch))
		return STATUS_TROUBLE;
	if (options->operands > 0)
		run_arguments(&batch);
	else
		run_input(&batch);
	return finish(&batch);
}
