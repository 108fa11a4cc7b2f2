/* SPDX-License-Identifier: Apache-2.0 */
/* Distributes blocks of the input to workers. Each worker takes the next block, judges its records,
 * and writes the results after those of all earlier blocks. */
#include "cli/judge/batch.h"
#include "cli/records/packing.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A block and its results fit into the cache. Several workers need larger output buffers, so that
 * they can continue while they wait for their turn to write. */
#define BLOCK         262144u
#define OUTPUT_SINGLE 65536u
#define OUTPUT_MANY   4194304u

/* Not an errno: --on-error=stop has ended the run. */
#define STOPPED (-1)

/* The outputs of a run, beside messages. */
enum { OUT = 0, REFUSED, REPAIRED, OUTPUTS };

/* Serializes an operation on blocks in the order of the input. */
struct turn {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	uint64_t rank; /* number of the block whose turn it is */
};

/* clang-format off */
#define TURN_FIRST {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}
/* clang-format on */

/*
 * A worker may wait for its turn while it has locked `reading`. It waits only for workers with
 * earlier blocks, and these do not read input before their turn is over.
 */
struct batch {
	const struct read_options *options;
	struct run_options run;
	const struct task *task;
	struct worker *worker;
	unsigned workers;
	int rejects;  /* descriptor; standard error if there is no file */
	int repaired; /* likewise */

	pthread_mutex_t reading; /* protects the following members */
	struct input input;
	uint64_t taken; /* number of blocks taken */
	size_t file;    /* number of the last block's file, from 1 */
	struct table_heads heads;
	bool cr_in_head;     /* a rejected header ends in CR LF */
	struct octets start; /* start of standard input, in `first`, for a hint */
	uint8_t first[PACKING_MOST];

	struct turn numbering; /* the turn that protects the next two members */
	uint64_t next;         /* number of the next record */
	uint64_t before_file;  /* number of records in earlier files */

	struct turn writing; /* the turn that protects the rest; its mutex protects the errors */
	struct tally tally;
	struct progress progress;
	int error[OUTPUTS]; /* the first one of each output */
};

/* Returns an output of the worker. */
static struct output *output_of(struct worker *worker, unsigned which)
{
	struct output *const outputs[] = {
	    [OUT] = &worker->out, [REFUSED] = &worker->refused, [REPAIRED] = &worker->repaired};

	return outputs[which];
}

/* ---- Taking turns --------------------------------------------------------------- */

static void wait_for_turn(struct turn *turn, const struct worker *worker)
{
	(void)pthread_mutex_lock(&turn->mutex);
	while (turn->rank != worker->rank)
		(void)pthread_cond_wait(&turn->changed, &turn->mutex);
	(void)pthread_mutex_unlock(&turn->mutex);
}

static void end_turn(struct turn *turn)
{
	(void)pthread_mutex_lock(&turn->mutex);
	turn->rank++;
	(void)pthread_cond_broadcast(&turn->changed);
	(void)pthread_mutex_unlock(&turn->mutex);
}

static void keep_first(int *error, int other)
{
	*error = *error != 0 ? *error : other;
}

static void wait_to_write(void *context)
{
	struct worker *worker = context;
	struct batch *batch = worker->batch;

	wait_for_turn(&batch->writing, worker);
	/* After an output error nothing more is written. */
	for (unsigned i = 0; i < OUTPUTS; i++)
		keep_first(&output_of(worker, i)->error, batch->error[i]);
	keep_first(&worker->apart.error, batch->error[OUT]);
	progress_make_way(&batch->progress);
}

static bool output_failed(struct batch *batch)
{
	bool failed = false;

	(void)pthread_mutex_lock(&batch->writing.mutex);
	for (unsigned i = 0; i < OUTPUTS; i++)
		failed = failed || batch->error[i] != 0;
	(void)pthread_mutex_unlock(&batch->writing.mutex);
	return failed;
}

static bool has_own_sums(const struct worker *worker)
{
	return worker->sums != NULL && worker->sums != worker->task->context;
}

static void add_up(struct batch *batch, struct worker *worker)
{
	struct tally *sum = &batch->tally;

	if (has_own_sums(worker) && !batch->task->sums->add(batch->task->context, worker->sums))
		worker->out.error = ENOMEM;
	sum->records += worker->tally.records;
	sum->accepted += worker->tally.accepted;
	sum->broken += worker->tally.broken;
	sum->carriage_returns += worker->tally.carriage_returns;
}

/* After a row that stops the run nothing more is written, as after an error. */
static void stop_if_told(struct worker *worker)
{
	for (unsigned i = 0; i < OUTPUTS && worker->stopped; i++)
		keep_first(&output_of(worker, i)->error, STOPPED);
}

static void flush_worker(struct worker *worker)
{
	for (unsigned i = 0; i < OUTPUTS; i++)
		output_flush(output_of(worker, i));
	if (worker->told == &worker->apart)
		output_flush(&worker->apart);
}

/* Writes the results of the worker's block and adds its counts. A single worker may keep results in
 * its buffer, but not records that are borrowed from the block. */
static void finish_block(struct batch *batch, struct worker *worker)
{
	wait_to_write(worker);
	if (batch->error[OUT] != STOPPED)
		add_up(batch, worker);
	if (batch->workers > 1 || worker->stopped || worker->out.borrowed_count > 0)
		flush_worker(worker);
	worker->tally = (struct tally){0};
	stop_if_told(worker);
	progress_tick(&batch->progress, &batch->tally, worker->octets);
	(void)pthread_mutex_lock(&batch->writing.mutex);
	for (unsigned i = 0; i < OUTPUTS; i++)
		batch->error[i] = output_of(worker, i)->error;
	(void)pthread_mutex_unlock(&batch->writing.mutex);
	end_turn(&batch->writing);
}

/* ---- Blocks ------------------------------------------------------------------------ */

static uint64_t count_records(const struct worker *worker)
{
	struct cursor cursor = worker_cursor(worker);
	struct octets record;
	uint64_t count = 0;

	if (reads_table(worker->reading))
		return table_count(&worker->reading->table, worker->block);
	while (cursor_next(&cursor, &record))
		count++;
	return count;
}

/* Assigns numbers to the `count` records of the worker's block. */
static void number_records(struct batch *batch, struct worker *worker, uint64_t count)
{
	wait_for_turn(&batch->numbering, worker);
	if (worker->begins)
		batch->before_file = batch->next - 1;
	worker->before_file = batch->before_file;
	batch->next += worker->header.data != NULL;
	worker->next = batch->next;
	batch->next += count;
	end_turn(&batch->numbering);
}

/* Returns true if record numbers are needed for the output or for messages. */
static bool shows_numbers(const struct batch *batch)
{
	return batch->task->numbers || reads_table(batch->options) ||
	       batch->run.showing->format == FORMAT_HUMAN || batch->options->rejects != NULL ||
	       batch->options->repaired != NULL;
}

static void run_records(struct batch *batch, struct worker *worker)
{
	/* A single worker numbers records as it reads them. Several must count theirs first. */
	bool counts = batch->workers > 1 && shows_numbers(batch);

	number_records(batch, worker, counts ? count_records(worker) : 0);
	if (worker->header.data != NULL && batch->task->header != NULL)
		batch->task->header(worker, worker->header);
	if (worker->task->block != NULL)
		worker->task->block(worker);
	else
		worker_each(worker);
	if (batch->workers == 1)
		batch->next = worker->next;
}

/* Reads an over-long record to its end to get its length, and judges it by its head. */
static void run_counted(struct batch *batch, struct worker *worker, struct record *record)
{
	struct octets piece;

	while (input_rest(&batch->input, &piece)) {
		record->length += piece.length;
		progress_tick(&batch->progress, &batch->tally, batch->input.source.octets);
	}
	/* A record that could not be read completely is not judged. */
	if (batch->input.error == 0 && !batch->input.source.torn)
		worker_judge(worker, record);
}

/* Runs a record that has only its head in memory. */
static void run_overlong(struct batch *batch, struct worker *worker)
{
	struct record record = {.text = worker->block, .length = worker->block.length};
	const struct table_row row = {.text = worker->block,
				      .field = {worker->block.data, 0},
				      .unreadable = true,
				      .fault = table_too_long};

	number_records(batch, worker, 1);
	record.number = worker->next;
	wait_to_write(worker);
	if (reads_table(batch->options)) {
		record.row = &row;
		if (worker_stops_at(worker, &row, record.number))
			return;
	}
	if (batch->task->overlong == NULL) {
		run_counted(batch, worker, &record);
		return;
	}
	worker->tally.records++;
	batch->task->overlong(worker, &record, &batch->input);
}

/* Writes the results of a single worker before it waits for input, even inside a record, since
 * interactive programs at the other end of a pipe wait for them. Several workers write after each
 * block. */
static void flush_single(void *context)
{
	struct batch *batch = context;

	flush_worker(&batch->worker[0]);
}

/* Keeps the first octets of standard input, which is not decompressed by default. A hint at the end
 * may show that it was compressed. */
static void keep_start(struct batch *batch, struct octets block)
{
	const size_t most = sizeof batch->first;

	if (batch->file > 0 || batch->options->decompress ||
	    !is_standard_input(batch->input.source.file[0]))
		return;
	batch->start = text_at(batch->first, block.length < most ? block.length : most);
	memcpy(batch->first, block.data, batch->start.length);
}

/* Returns true if a CR before an LF is part of the record. */
static bool has_bare_lines(const struct read_options *options)
{
	return !options->crlf && !options->null && options->operands == 0 &&
	       options->table.kind != TABLE_CSV && options->table.kind != TABLE_JSON;
}

static bool first_line_has_cr(struct octets block)
{
	const uint8_t *feed = block.length > 0 ? memchr(block.data, '\n', block.length) : NULL;

	return feed != NULL && feed > block.data && feed[-1] == '\r';
}

/* Reports a file whose columns cannot be determined, and skips it. Other files are still read,
 * unless the run stops at errors. */
static void refuse_file(struct batch *batch, struct octets block, const char *why)
{
	char columns[TABLE_MESSAGE_MOST];

	complain("%s: row 1: %s; the file was not read", batch->input.source.name, why);
	if (table_format_columns(columns, &batch->options->table, why, block))
		complain("%s: %s", batch->input.source.name, columns);
	batch->input.source.failed = true;
	input_skip_file(&batch->input);
}

/* Determines the columns of the block's table. Returns false if the file is skipped. */
static bool knows_columns(struct batch *batch, struct worker *worker, enum input_event event)
{
	const struct table *table = &batch->options->table;
	const char *why = NULL;

	worker->header = (struct octets){0};
	worker->origin = worker->block.data;
	worker->origin_at = batch->input.block_at;
	if (table->kind == TABLE_JSON && worker->begins)
		worker->block = without_bom(worker->block);
	if (table->kind != TABLE_CSV && table->kind != TABLE_TSV)
		return true;
	if (event == INPUT_RECORDS)
		why = table_heads_take(&batch->heads, table, &worker->block, &worker->header,
				       worker->begins);
	else if (table->has_header && worker->begins)
		why = table_too_long;
	if (why != NULL) {
		batch->cr_in_head = batch->cr_in_head || first_line_has_cr(worker->block);
		refuse_file(batch, worker->block, why);
	}
	worker->head = batch->heads.head;
	return why == NULL;
}

/* Returns the next block of a file that is not skipped. */
static enum input_event next_block(struct batch *batch, struct worker *worker)
{
	enum input_event event;

	do {
		event = input_next(&batch->input, &worker->block);
		if (event == INPUT_END)
			break;
		keep_start(batch, worker->block);
		worker->source = batch->input.source.name;
		worker->begins = batch->input.source.at != batch->file;
		batch->file = batch->input.source.at;
	} while (!knows_columns(batch, worker, event));
	return event;
}

/* Takes the next block of the input. An over-long record is run here, while the lock keeps other
 * workers from reading. */
static enum input_event take_block(struct batch *batch, struct worker *worker)
{
	enum input_event event;

	worker->rank = batch->taken;
	event = next_block(batch, worker);
	if (event == INPUT_END)
		return event;
	batch->taken++;
	if (event == INPUT_LONG)
		run_overlong(batch, worker);
	else if (batch->workers > 1)
		input_exchange(&batch->input, &worker->buffer);
	worker->octets = batch->input.source.octets;
	return event;
}

/* Takes and runs a block. Returns false if none is left. */
static bool run_next(struct batch *batch, struct worker *worker)
{
	enum input_event event = INPUT_END;

	(void)pthread_mutex_lock(&batch->reading);
	if (!output_failed(batch))
		event = take_block(batch, worker);
	(void)pthread_mutex_unlock(&batch->reading);
	if (event == INPUT_END)
		return false;
	if (event == INPUT_RECORDS)
		run_records(batch, worker);
	finish_block(batch, worker);
	return true;
}

static void *run_worker(void *context)
{
	struct worker *worker = context;

	while (run_next(worker->batch, worker))
		;
	return NULL;
}

/* Runs the workers, as many as threads can be created. The first block is run before any thread is
 * created, since there may be only one block. */
static void run_input(struct batch *batch)
{
	pthread_t thread[JOBS_MOST];
	unsigned started = 1;
	unsigned wanted;

	(void)input_open(&batch->input);
	if (!run_next(batch, &batch->worker[0]))
		return;
	wanted = input_is_done(&batch->input) ? 1 : batch->workers;
	while (started < wanted &&
	       pthread_create(&thread[started], NULL, run_worker, &batch->worker[started]) == 0)
		started++;
	(void)run_worker(&batch->worker[0]);
	for (unsigned i = 1; i < started; i++)
		(void)pthread_join(thread[i], NULL);
}

static void run_arguments(struct batch *batch)
{
	const struct read_options *options = batch->options;

	for (size_t i = 0; i < options->operands; i++) {
		struct record record = {.text = text_of(options->operand[i]), .number = i + 1};

		record.length = record.text.length;
		worker_judge(&batch->worker[0], &record);
	}
	batch->tally = batch->worker[0].tally;
}

/* ---- Opening and closing ------------------------------------------------------------- */

/* Returns true if both descriptors write to the same file, pipe or terminal. */
static bool is_one_stream(int a, int b)
{
	struct stat one, other;

	return a == b || (fstat(a, &one) == 0 && fstat(b, &other) == 0 &&
			  one.st_dev == other.st_dev && one.st_ino == other.st_ino);
}

bool is_same_file(int a, int b)
{
	struct stat file;

	return fstat(a, &file) == 0 && S_ISREG(file.st_mode) && is_one_stream(a, b);
}

/* Returns the name of the input that is the same file as `fd`, or of one to judge by; NULL: none. */
static const char *input_that_is(const struct batch *batch, int fd)
{
	const struct source *source = &batch->input.source;
	struct stat file;

	if (fstat(fd, &file) != 0)
		return NULL;
	for (size_t i = 0; i < source->files; i++) {
		if (is_name_of(source->file[i], &file))
			return is_standard_input(source->file[i]) ? "<stdin>" : source->file[i];
	}
	return judged_by_file(batch->run.judging, &file);
}

static bool open_input(struct batch *batch)
{
	static const char *const standard[] = {"-"};
	const struct read_options *options = batch->options;
	struct input *input = &batch->input;

	input->source.fd = -1;
	input->terminator = options->null ? '\0' : '\n';
	input->crlf = options->crlf || options->table.kind == TABLE_CSV ||
		      options->table.kind == TABLE_JSON;
	input->limit = reads_table(options) ? options->table.record_most : options->limit;
	input->separator = options->table.kind == TABLE_CSV ? options->table.separator : 0;
	input->header = options->table.has_header;
	input->source.stops = options->table.on_error == ON_ERROR_STOP;
	input->block = BLOCK;
	if (options->operands > 0)
		return true;
	input->source.file = options->inputs > 0 ? options->input_file : standard;
	input->source.files = options->inputs > 0 ? options->inputs : 1;
	input->source.looks = options->decompress;
	input->source.nul_ends = options->null;
	if (!source_check(&input->source))
		return false;
	const char *const name =
	    batch->run.showing->quiet ? NULL : input_that_is(batch, STDOUT_FILENO);
	if (name != NULL)
		return complain("'%s' is both input and output", name);
	progress_start(&batch->progress, options, &input->source);
	return true;
}

/* Opens a file beside the output; standard error if `name` is NULL or "-". `other` is the descriptor
 * of another such file. */
static bool open_side(const struct batch *batch, int *side, const char *name, int other)
{
	*side = STDERR_FILENO;
	if (name == NULL || strcmp(name, "-") == 0)
		return true;
	*side = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (*side < 0)
		return complain("cannot open '%s': %s", name, strerror(errno)) && false;
	if (input_that_is(batch, *side) != NULL || is_same_file(*side, STDOUT_FILENO) ||
	    is_same_file(*side, other))
		return complain("'%s' is given for two of input, output, rejects and repaired",
				name);
	return true;
}

/* Called when no option is in error any more. EINVAL: a pipe or terminal, which is not truncated. */
static bool empty_side(int side, const char *name)
{
	return side == STDERR_FILENO || ftruncate(side, 0) == 0 || errno == EINVAL ||
	       complain("cannot empty '%s': %s", name, strerror(errno));
}

static bool open_sums(const struct batch *batch, struct worker *worker)
{
	const struct sums *sums = batch->task->sums;
	void *own;

	worker->sums = sums != NULL ? batch->task->context : NULL;
	if (sums == NULL || batch->workers == 1)
		return true;
	own = malloc(sums->size);
	if (own == NULL || !sums->open(own, batch->task->context)) {
		free(own);
		return false;
	}
	worker->sums = own;
	return true;
}

static bool open_output(struct output *out, struct worker *worker, int fd)
{
	const size_t capacity = worker->batch->workers > 1 ? OUTPUT_MANY : OUTPUT_SINGLE;

	if (!output_open(out, fd, capacity))
		return false;
	out->before_write = wait_to_write;
	out->context = worker;
	return true;
}

/* Messages share the stream of refused records if both go to standard error, which keeps them in
 * order. A file of refused records contains nothing else. */
static bool open_told(struct batch *batch, struct worker *worker)
{
	const bool one = is_one_stream(batch->rejects, STDERR_FILENO);

	worker->told = one ? &worker->refused : &worker->apart;
	return one || open_output(&worker->apart, worker, STDERR_FILENO);
}

static bool open_worker(struct batch *batch, unsigned rank)
{
	struct worker *worker = &batch->worker[rank];

	worker->reading = batch->options;
	worker->judging = batch->run.judging;
	worker->showing = batch->run.showing;
	worker->options = batch->run.options;
	worker->task = batch->task;
	worker->input = &batch->input;
	worker->batch = batch;
	if (!open_sums(batch, worker) || !open_output(&worker->out, worker, STDOUT_FILENO) ||
	    !open_output(&worker->refused, worker, batch->rejects) ||
	    !open_output(&worker->repaired, worker, batch->repaired) || !open_told(batch, worker))
		return false;
	paint_setup(&worker->out, batch->run.showing->colour);
	return true;
}

static bool open_workers(struct batch *batch)
{
	size_t size;

	batch->workers =
	    batch->options->operands > 0 || batch->options->jobs == 0 ? 1 : batch->options->jobs;
	size = batch->workers * sizeof batch->worker[0];
	batch->worker = aligned_alloc(WORKER_ALIGNMENT, size);
	if (batch->worker != NULL)
		memset(batch->worker, 0, size);
	for (unsigned i = 0; i < batch->workers; i++) {
		if (batch->worker == NULL || !open_worker(batch, i))
			return complain("%s", strerror(ENOMEM));
	}
	if (batch->workers == 1) {
		batch->input.before_wait = flush_single;
		batch->input.context = batch;
	}
	return true;
}

static bool close_side(int side, const char *name, int error)
{
	if (side != STDERR_FILENO && close(side) != 0 && error == 0)
		error = errno;
	return error == 0 ||
	       complain("cannot write '%s': %s", side == STDERR_FILENO ? "<stderr>" : name,
			strerror(error));
}

/* Returns the first error of workers; STOPPED counts as none. */
static int first_error(int before, int error)
{
	return before > 0 || error == STOPPED ? before : error;
}

static bool close_workers(struct batch *batch)
{
	const struct read_options *options = batch->options;
	int error[OUTPUTS] = {0};
	bool good;

	for (unsigned i = 0; i < batch->workers; i++) {
		struct worker *worker = &batch->worker[i];

		/* All threads have ended, so there is no turn to wait for. */
		worker->apart.before_write = NULL;
		if (worker->told == &worker->apart)
			(void)output_close(&worker->apart);
		for (unsigned k = 0; k < OUTPUTS; k++) {
			output_of(worker, k)->before_write = NULL;
			error[k] = first_error(error[k], output_close(output_of(worker, k)));
		}
		if (has_own_sums(worker)) {
			worker->task->sums->close(worker->sums);
			free(worker->sums);
		}
		free(worker->scratch);
		free(worker->hosts);
		free(worker->room.data);
		free(worker->buffer.data);
		field_room_free(&worker->field);
		free(worker->exact);
	}
	free(batch->worker);
	if (error[OUT] != 0)
		complain("cannot write standard output: %s", strerror(error[OUT]));
	good = close_side(batch->rejects, options->rejects, error[REFUSED]);
	return close_side(batch->repaired, options->repaired, error[REPAIRED]) && good &&
	       error[OUT] == 0;
}

static enum status finish(struct batch *batch)
{
	progress_end(&batch->progress, &batch->tally);
	bool good = close_workers(batch);
	if (has_bare_lines(batch->options) &&
	    (batch->cr_in_head || batch->tally.carriage_returns > batch->tally.records / 2))
		complain("hint: most lines end in CR LF; --crlf takes the CR for a part of the "
			 "line end");
	hint_at_packing("<stdin>", batch->start);
	if (batch->input.error != 0) {
		complain("cannot read '%s': %s", batch->input.source.name,
			 strerror(batch->input.error));
		good = false;
	}
	good = good && !batch->input.source.failed && batch->tally.broken == 0;
	table_heads_free(&batch->heads);
	source_close(&batch->input.source);
	free(batch->input.buffer.data);
	if (!good)
		return STATUS_TROUBLE;
	return batch->tally.accepted == batch->tally.records ? STATUS_ACCEPTED
							     : refused_status(batch->run.judging);
}

enum status batch_run(struct run_options run, const struct task *task)
{
	struct batch batch = {.options = run.reading,
			      .run = run,
			      .task = task,
			      .reading = PTHREAD_MUTEX_INITIALIZER,
			      .numbering = TURN_FIRST,
			      .next = 1,
			      .writing = TURN_FIRST};

	if (!open_input(&batch) ||
	    !open_side(&batch, &batch.rejects, run.reading->rejects, STDOUT_FILENO) ||
	    !open_side(&batch, &batch.repaired, run.reading->repaired, batch.rejects) ||
	    !empty_side(batch.rejects, run.reading->rejects) ||
	    !empty_side(batch.repaired, run.reading->repaired) || !open_workers(&batch))
		return STATUS_TROUBLE;
	if (run.reading->operands > 0)
		run_arguments(&batch);
	else
		run_input(&batch);
	return finish(&batch);
}
