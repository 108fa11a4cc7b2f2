/* SPDX-License-Identifier: Apache-2.0 */
/* Reads records with large reads into one buffer that grows up to the limit. */
#include "cli/records/input.h"
#include <errno.h>
#include <stdlib.h>

/* Makes room for a block after `end`. */
static bool make_room(struct input *input)
{
	size_t held = input->end - input->begin;
	const size_t more = input->block + 1; /* to read, and for end_last_record() */
	size_t wanted = held + more;
	uint8_t *grown;

	if (input->begin > 0 && held > 0)
		memmove(input->buffer.data, input->buffer.data + input->begin, held);
	input->scanned -= input->begin;
	input->begin = 0;
	input->end = held;
	if (wanted <= input->buffer.capacity)
		return true;
	/* Doubles the buffer, so that a long record is not copied for each block, but does not
	 * exceed what the limit requires. */
	if (wanted < 2 * input->buffer.capacity)
		wanted = 2 * input->buffer.capacity;
	if (wanted > input->limit + 2 + more)
		wanted = input->limit + 2 + more;
	grown = realloc(input->buffer.data, wanted);
	if (grown == NULL) {
		input->error = ENOMEM;
		return false;
	}
	input->buffer.data = grown;
	input->buffer.capacity = wanted;
	return true;
}

/* Reads once. Returns the number of octets, 0 at the end of the file. */
static size_t read_once(struct input *input, size_t room)
{
	const size_t got = source_read(&input->source, input->buffer.data + input->end, room);

	input->at_end = got == 0;
	return got;
}

static void let_others_go_first(const struct input *input)
{
	if (input->before_wait != NULL && !source_is_ready(&input->source))
		input->before_wait(input->context);
}

/* Waits for input, then reads what is available, up to a block. */
static void fill(struct input *input)
{
	size_t room = input->block;

	if (input->at_end || input->error != 0 || !make_room(input))
		return;
	let_others_go_first(input);
	do {
		size_t got = read_once(input, room);

		if (got == 0)
			return;
		input->end += got;
		room -= got;
	} while (room > 0 && source_is_ready(&input->source));
}

/* Skips a BOM before a header. It is not part of the first field, which may be quoted. */
static void skip_bom(struct input *input)
{
	const struct octets text = {input->buffer.data + input->begin, input->end - input->begin};

	if (input->begins && input->header && input->scanned == input->begin)
		input->scanned += csv_bom(text);
}

/* Returns the offset after the last row that was read, or after the first one; 0 if there is
 * none. */
static size_t row_end(struct input *input, bool first)
{
	const uint8_t *data = input->buffer.data;
	const uint8_t *end;

	if (input->scanned == input->end)
		return 0;
	skip_bom(input);
	end = csv_row_end(&input->place,
			  text_at(data + input->scanned, input->end - input->scanned), first);
	input->scanned = first && end != NULL ? (size_t)(end - data) : input->end;
	return end != NULL ? (size_t)(end - data) : 0;
}

/* Returns the offset after the last terminator that was read, 0 if there is none. */
static size_t last_record_end(struct input *input)
{
	size_t at = input->end;

	if (input->separator != 0)
		return row_end(input, false);
	while (at > input->scanned && input->buffer.data[at - 1] != input->terminator)
		at--;
	if (at > input->scanned)
		return at;
	input->scanned = input->end;
	return 0;
}

/* Moves past octets that are returned to the caller. */
static void pass(struct input *input, size_t octets)
{
	const struct octets text = {input->buffer.data + input->begin, octets};

	input->at.octet += octets;
	if (input->separator != 0)
		input->at.line += count_octets(text, '\n');
	input->begin += octets;
	input->begins = false;
	if (input->scanned < input->begin)
		input->scanned = input->begin;
}

static void hand_out(struct input *input, struct octets *text, size_t end)
{
	*text = text_at(input->buffer.data + input->begin, end - input->begin);
	input->block_at = input->at;
	pass(input, text->length);
}

static enum input_event hand_out_head(struct input *input, struct octets *text)
{
	size_t held = input_held(input->limit, SIZE_MAX);

	memcpy(input->head, input->buffer.data + input->begin, held);
	*text = text_at(input->head, held);
	input->block_at = input->at;
	pass(input, held);
	input->in_long = true;
	return INPUT_LONG;
}

/* ---- Files -------------------------------------------------------------------------------- */

/* Opening a pipe, or detecting its format, may block as a read does. */
bool input_open(struct input *input)
{
	if (input->before_wait != NULL)
		input->before_wait(input->context);
	if (!source_next(&input->source))
		return false;
	input->at_end = false;
	input->begins = true;
	input->begin = input->end = input->scanned = 0;
	input->place = (struct csv_place){.separator = input->separator};
	input->at = (struct input_place){0};
	return true;
}

void input_skip_file(struct input *input)
{
	input->at_end = true;
	input->in_long = false;
	input->begin = input->end = input->scanned = 0;
}

/* Adds the missing terminator of a file's last record if another file follows; otherwise that
 * file's first record would be appended to it. There is room for two octets: the last read had some
 * for one at least, and make_room() has one more. */
static void end_last_record(struct input *input)
{
	if (!source_has_next(&input->source))
		return;
	/* A CR that no LF follows is data. */
	if (input->crlf && input->buffer.data[input->end - 1] == '\r')
		input->buffer.data[input->end++] = '\r';
	input->buffer.data[input->end++] = input->terminator;
}

/* Returns what is left of a file; false if nothing is left. */
static bool hand_out_last(struct input *input, struct octets *text)
{
	if (input->source.torn)
		input->begin = input->end;
	if (input->begin == input->end)
		return false;
	end_last_record(input);
	hand_out(input, text, input->end);
	return true;
}

enum input_event input_next(struct input *input, struct octets *text)
{
	for (;;) {
		size_t end = last_record_end(input);

		if (end > 0) {
			hand_out(input, text, end);
			return INPUT_RECORDS;
		}
		/* Two octets beyond the limit: one may be the CR of the line end. */
		if (input->end - input->begin >= input->limit + 2)
			return hand_out_head(input, text);
		if (input->error != 0)
			return INPUT_END;
		if (!input->at_end)
			fill(input);
		else if (hand_out_last(input, text))
			return INPUT_RECORDS;
		else if (!input_open(input))
			return INPUT_END;
	}
}

/* ---- Over-long records --------------------------------------------------------------------- */

/* Returns true if the octet before `end` is a CR that belongs to the line end. */
static bool ends_in_cr(const struct input *input, const uint8_t *start, const uint8_t *end)
{
	return input->crlf && end > start && end[-1] == '\r';
}

/* Returns the terminator of the current over-long record, or NULL if it was not read yet. */
static const uint8_t *find_terminator(struct input *input, const uint8_t *start,
				      const uint8_t *stop)
{
	size_t end;

	if (input->separator == 0)
		return memchr(start, input->terminator, (size_t)(stop - start));
	end = row_end(input, true);
	return end > 0 ? input->buffer.data + end - 1 : NULL;
}

/* Returns the last part of the record, if its end has been read. */
static bool take_last(struct input *input, struct octets *piece)
{
	const uint8_t *start = input->buffer.data + input->begin;
	const uint8_t *stop = start + (input->end - input->begin);
	const uint8_t *end = find_terminator(input, start, stop);

	if (end == NULL && !input->at_end && input->error == 0)
		return false;
	input->in_long = false;
	pass(input, (size_t)((end != NULL ? end + 1 : stop) - start));
	input->ending = text_at(&input->terminator, source_has_next(&input->source));
	if (end != NULL) {
		stop = ends_in_cr(input, start, end) ? end - 1 : end;
		input->ending = text_at(stop, (size_t)(end + 1 - stop));
	}
	*piece = text_at(start, (size_t)(stop - start));
	return true;
}

/* Returns all that was read, except for a CR that may belong to the line end. */
static bool take_some(struct input *input, struct octets *piece)
{
	const uint8_t *start = input->buffer.data + input->begin;
	size_t length = input->end - input->begin;

	if (ends_in_cr(input, start, start + length))
		length--;
	*piece = text_at(start, length);
	pass(input, length);
	return length > 0;
}

bool input_rest(struct input *input, struct octets *piece)
{
	while (input->in_long) {
		if (take_last(input, piece) || take_some(input, piece))
			return true;
		fill(input);
	}
	return false;
}

void input_exchange(struct input *input, struct buffer *buffer)
{
	size_t held = input->end - input->begin;
	struct buffer given = input->buffer;

	if (buffer->capacity < given.capacity) {
		free(buffer->data);
		*buffer = (struct buffer){malloc(given.capacity), given.capacity};
	}
	if (buffer->data == NULL) {
		/* After an error nothing more is read, so the text stays valid. */
		buffer->capacity = 0;
		input->error = ENOMEM;
		return;
	}
	if (held > 0)
		memcpy(buffer->data, given.data + input->begin, held);
	input->buffer = *buffer;
	*buffer = given;
	input->scanned -= input->begin;
	input->begin = 0;
	input->end = held;
}
