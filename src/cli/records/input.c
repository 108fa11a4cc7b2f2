/* SPDX-License-Identifier: Apache-2.0 */
/* Reads records with big reads into one buffer that grows up to the limit. */
#include "cli/records/input.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_ready(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};

	return poll(&state, 1, 0) > 0;
}

/* Makes room for a block after `end`. */
static bool make_room(struct input *input)
{
	size_t held = input->end - input->begin;
	size_t wanted = held + input->block;
	uint8_t *grown;

	if (input->begin > 0 && held > 0)
		memmove(input->buffer.data, input->buffer.data + input->begin, held);
	input->scanned -= input->begin;
	input->begin = 0;
	input->end = held;
	if (wanted <= input->buffer.capacity)
		return true;
	/* At least twice as much, so that a long record is not copied for each block that is read; but
	 * not more than the limit asks for. */
	if (wanted < 2 * input->buffer.capacity)
		wanted = 2 * input->buffer.capacity;
	if (wanted > input->limit + 2 + input->block)
		wanted = input->limit + 2 + input->block;
	grown = realloc(input->buffer.data, wanted);
	if (grown == NULL) {
		input->error = ENOMEM;
		return false;
	}
	input->buffer.data = grown;
	input->buffer.capacity = wanted;
	return true;
}

/* Reads once: how many octets were read, 0 at the end or on an error. */
static size_t read_once(struct input *input, size_t room)
{
	for (;;) {
		ssize_t got = read(input->fd, input->buffer.data + input->end, room);

		if (got >= 0) {
			input->at_end = got == 0;
			return (size_t)got;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd state = {.fd = input->fd, .events = POLLIN};

			(void)poll(&state, 1, -1);
		} else if (errno != EINTR) {
			input->error = errno;
			return 0;
		}
	}
}

/* Waits for octets, then reads all that are there, up to a block. */
static void fill(struct input *input)
{
	size_t room = input->block;

	if (input->at_end || input->error != 0 || !make_room(input))
		return;
	if (input->before_wait != NULL && !is_ready(input->fd))
		input->before_wait(input->context);
	do {
		size_t got = read_once(input, room);

		if (got == 0)
			return;
		input->end += got;
		input->octets += got;
		room -= got;
	} while (room > 0 && is_ready(input->fd));
}

/* The offset after the last terminator that was read, or 0 if there is none. */
static size_t last_record_end(struct input *input)
{
	size_t at = input->end;

	while (at > input->scanned && input->buffer.data[at - 1] != input->terminator)
		at--;
	if (at > input->scanned)
		return at;
	input->scanned = input->end;
	return 0;
}

static void hand_out(struct input *input, struct text *text, size_t end)
{
	*text = (struct text){input->buffer.data + input->begin, end - input->begin};
	input->begin = end;
	if (input->scanned < end)
		input->scanned = end;
}

static enum input_event hand_out_head(struct input *input, struct text *text)
{
	size_t held = input_held(input->limit, SIZE_MAX);

	memcpy(input->head, input->buffer.data + input->begin, held);
	*text = (struct text){input->head, held};
	input->begin += held;
	input->in_long = true;
	return INPUT_LONG;
}

enum input_event input_next(struct input *input, struct text *text)
{
	for (;;) {
		size_t end = last_record_end(input);

		if (end > 0) {
			hand_out(input, text, end);
			return INPUT_RECORDS;
		}
		/* At two octets above the limit: one of them may be the CR of the line end. */
		if (input->end - input->begin >= input->limit + 2)
			return hand_out_head(input, text);
		if (input->error != 0)
			return INPUT_END;
		if (input->at_end) {
			hand_out(input, text, input->end);
			return text->length > 0 ? INPUT_RECORDS : INPUT_END;
		}
		fill(input);
	}
}

/* Is the octet before `end` a CR that belongs to the line end? */
static bool ends_in_cr(const struct input *input, const uint8_t *start, const uint8_t *end)
{
	return input->crlf && end > start && end[-1] == '\r';
}

static void hand_out_piece(struct input *input, size_t octets)
{
	input->begin += octets;
	input->scanned = input->begin;
}

/* The piece up to the record's end, if that has been read. */
static bool take_last(struct input *input, struct text *piece)
{
	const uint8_t *start = input->buffer.data + input->begin;
	const uint8_t *stop = start + (input->end - input->begin);
	const uint8_t *end = memchr(start, input->terminator, (size_t)(stop - start));

	if (end == NULL && !input->at_end && input->error == 0)
		return false;
	input->in_long = false;
	hand_out_piece(input, (size_t)((end != NULL ? end + 1 : stop) - start));
	input->ending = (struct text){stop, 0};
	if (end != NULL) {
		stop = ends_in_cr(input, start, end) ? end - 1 : end;
		input->ending = (struct text){stop, (size_t)(end + 1 - stop)};
	}
	*piece = (struct text){start, (size_t)(stop - start)};
	return true;
}

/* All that was read, except a CR that may belong to the line end. */
static bool take_some(struct input *input, struct text *piece)
{
	const uint8_t *start = input->buffer.data + input->begin;
	size_t length = input->end - input->begin;

	if (ends_in_cr(input, start, start + length))
		length--;
	*piece = (struct text){start, length};
	hand_out_piece(input, length);
	return length > 0;
}

bool input_rest(struct input *input, struct text *piece)
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
		/* After an error nothing more is read, so the text stays valid anyway. */
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
