/* SPDX-License-Identifier: Apache-2.0 */
/* urivet resolve: resolves a reference against a base, and judges the target. */
#include "cli/commands/options.h"
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Spare octets: a target is hardly longer than base and reference together. */
#define ROOM 16u

/* A reference to resolve, and the result. */
struct resolution {
	const struct options *options;
	struct octets base;
	struct octets reference;
	struct octets followed; /* the reference; with --compatible its scheme may be removed */
	struct octets target;   /* freed by the caller; data is NULL if there is no memory */
	enum urivet_resolved how;
};

static struct octets operand(const struct options *options, size_t index)
{
	return text_of(options->reading.operand[index]);
}

/* Returns the scheme that the reader finds, with its colon; length 0 if none. */
static struct octets scheme_of(const struct options *options, struct octets text)
{
	struct urivet_reading reading;

	text.length = urivet_read_as(&reading, options->reader, text.data, text.length, NULL, 0) &&
			      urivet_has(&reading.uri, URIVET_SCHEME)
			  ? reading.uri.part[URIVET_SCHEME].length + 1
			  : 0;
	return text;
}

/* Removes the scheme of a reference if it equals that of the base, as readers that are not strict
 * do (RFC 3986, 5.2.2). If the rest starts with another scheme, the reference is kept. */
static struct octets follow(const struct resolution *task)
{
	struct octets base = scheme_of(task->options, task->base);
	struct octets scheme = scheme_of(task->options, task->reference);
	struct octets rest = task->reference;

	if (!task->options->compatible || scheme.length == 0 ||
	    !text_equals_in_any_case(scheme, base))
		return task->reference;
	rest = text_after(rest, scheme.length);
	return scheme_of(task->options, rest).length > 0 ? task->reference : rest;
}

static void resolve(struct resolution *task)
{
	const struct options *options = task->options;
	size_t length = task->base.length + task->reference.length + ROOM;
	size_t capacity;
	char *out = NULL;

	do {
		capacity = length + 1;
		free(out);
		out = malloc(capacity);
		if (out == NULL)
			return;
		length =
		    urivet_resolve(out, capacity, options->reader, to_library(task->base),
				   to_library(task->followed), options->new_request, &task->how);
	} while (length >= capacity);
	task->target = text_at(out, length);
}

static enum status no_memory(void)
{
	return trouble("%s", strerror(ENOMEM));
}

/* ---- Errors --------------------------------------------------------------------------- */

static bool is_read(const struct options *options, struct octets text)
{
	struct urivet_reading reading;

	return urivet_read_as(&reading, options->reader, text.data, text.length, NULL, 0);
}

static enum status refuse(const struct resolution *task)
{
	const struct options *options = task->options;
	const char *reader = urivet_reader_name(options->reader);

	if (!is_read(options, task->base))
		complain("%s does not read the base '%s'", reader, options->reading.operand[0]);
	else if (!is_read(options, task->reference))
		complain("%s does not read the reference '%s'", reader,
			 options->reading.operand[1]);
	else
		complain("'%s' is no base: it has no scheme, or one without relative references",
			 options->reading.operand[0]);
	return STATUS_REFUSED;
}

/* ---- Judging the target ------------------------------------------------------------- */

static void write_refusal(struct output *out, const struct resolution *task, struct octets target,
			  const struct urivet_report *report)
{
	const struct options *options = task->options;
	const struct item item =
	    item_of(target, report, &options->judging.policy, options->judging.loaded);

	human_write_reason(out, &item);
	human_write_findings(out, &item);
}

/* A buffer for a target, with its length. */
struct room {
	char *data;
	size_t capacity;
	size_t length;
	enum urivet_resolved how;
};

/* Resolves by one edition of the standard, as the reference is judged: whatever the context is. Returns
 * false if there is no target, or the buffer is too small. */
static bool resolve_by(struct room *room, const struct resolution *task, unsigned edition)
{
	room->length = urivet_resolve(room->data, room->capacity, (enum urivet_reader)edition,
				      to_library(task->base), to_library(task->reference),
				      false, &room->how);
	return room->how != URIVET_UNRESOLVED && room->length < room->capacity;
}

static void write_result(struct output *out, enum urivet_resolved how, struct octets target)
{
	if (how == URIVET_SAME_DOCUMENT)
		output_string(out, "(current document)");
	emit(out, target, "\n");
}

/* Writes "    uri-1997  http://example.com/a/?y" for each edition. */
static void write_editions(struct output *out, const struct resolution *task, struct room *room)
{
	for (unsigned i = 0; i < URIVET_READERS; i++) {
		const char *name = urivet_reader_name(i);

		if (!is_edition((int)i))
			continue;
		emit(out, spaces(4), name, spaces(10 - strlen(name)));
		if (resolve_by(room, task, i))
			write_result(out, room->how,
				     text_at((const uint8_t *)room->data, room->length));
		else
			output_string(out, "refuses\n");
	}
}

/* Judges the target by RFC 3986, and checks that all editions agree on it. */
static bool accept_reference(struct output *out, const struct resolution *task, struct room *room)
{
	struct urivet_report report;
	struct octets target;

	(void)resolve_by(room, task, URIVET_READER_RFC3986);
	target = text_at((const uint8_t *)room->data, room->length);
	if (urivet_check_reference(
		&report, room->data, room->capacity, to_library(task->base),
		to_library(task->reference),
		task->options->judging.parameters.same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0,
		&task->options->judging.policy) == URIVET_ACCEPT)
		return true;
	write_refusal(out, task, target, &report);
	if (item_has_finding(&(struct item){.report = &report}, URIVET_F_RESOLUTION_AMBIGUOUS))
		write_editions(out, task, room);
	return false;
}

/* Returns true if the printed target may differ from the one by RFC 3986. */
static bool prints_another(const struct resolution *task)
{
	return (task->options->reader != URIVET_READER_RFC3986 || task->options->compatible) &&
	       task->how != URIVET_SAME_DOCUMENT;
}

/* Returns true if the printed target has the origin of the base, where that is required. */
static bool accept_origin(struct output *out, const struct resolution *task, struct room *room)
{
	struct urivet_report report;
	struct octets target;

	if (!task->options->judging.parameters.same_origin ||
	    urivet_check_reference(&report, room->data, room->capacity, to_library(task->base),
				   to_library(task->target), URIVET_REFERENCE_SAME_ORIGIN,
				   &task->options->judging.policy) == URIVET_ACCEPT)
		return true;
	target = text_at((const uint8_t *)room->data, report.uri.part[URIVET_WHOLE].length);
	write_refusal(out, task, target, &report);
	return false;
}

/* Judges the printed target, if it may differ. */
static bool accept_target(struct output *out, const struct resolution *task, struct room *room)
{
	struct urivet_report report;

	if (!prints_another(task))
		return true;
	if (urivet_check(&report, task->target.data, task->target.length,
			 &task->options->judging.policy) == URIVET_ACCEPT)
		return accept_origin(out, task, room);
	write_refusal(out, task, task->target, &report);
	return false;
}

static enum status judge(const struct resolution *task)
{
	struct room room = {.capacity = task->base.length + task->reference.length +
					task->target.length + ROOM};
	struct output out;
	bool accepted;

	room.data = malloc(room.capacity);
	if (room.data == NULL || !output_open(&out, STDERR_FILENO, 2 * OUTPUT_ROOM)) {
		free(room.data);
		return no_memory();
	}
	paint_setup(&out, task->options->showing.colour);
	accepted = accept_reference(&out, task, &room) && accept_target(&out, task, &room);
	free(room.data);
	if (output_close(&out) != 0)
		return STATUS_TROUBLE;
	return accepted ? STATUS_ACCEPTED : refused_status(&task->options->judging);
}

/* ---- The command ---------------------------------------------------------------------- */

static bool write_target(const struct resolution *task)
{
	struct output out;

	if (task->options->showing.quiet)
		return true;
	if (!paint_open(&out, task->options->showing.colour))
		return false;
	write_result(&out, task->how, task->target);
	return output_finish(&out);
}

static enum status show(const struct resolution *task)
{
	if (task->how == URIVET_UNRESOLVED)
		return refuse(task);
	if (!write_target(task))
		return STATUS_TROUBLE;
	return task->options->judging.judges ? judge(task) : STATUS_ACCEPTED;
}

enum status run_resolve(const struct options *options)
{
	struct resolution task = {
	    .options = options, .base = operand(options, 0), .reference = operand(options, 1)};
	enum status status;

	task.followed = follow(&task);
	resolve(&task);
	status = task.target.data != NULL ? show(&task) : no_memory();
	free((void *)(uintptr_t)task.target.data);
	return status;
}
