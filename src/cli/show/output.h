/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place that writes: block-buffered output over write(2). The first
 * error sticks and what comes after it is thrown away, so callers write without
 * asking and the error is looked for once, at the end.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Octets that stay where they are until they are written, behind the first `at` of the
 * buffer. */
struct lent {
	size_t at;
	struct text text;
};

#define OUTPUT_LENT_MOST 32u

struct output {
	int fd;
	int error; /* errno of the first failure; 0: none */
	size_t used;
	size_t capacity;
	uint8_t *buffer;
	struct lent lent[OUTPUT_LENT_MOST];
	unsigned lents;
	/* Called before each write, if not NULL: threads wait for their turn in it. */
	void (*before_write)(void *context);
	void *context;
	bool colour;
	unsigned width; /* columns that human output fills */
};

/* The most that output_room gives at once, and the least capacity. */
#define OUTPUT_ROOM 32768u

/* Prepares an output of `capacity` octets; false if there is no memory. */
bool output_open(struct output *out, int fd, size_t capacity);
void output_flush(struct output *out);

/* Where the next `size` octets (at most OUTPUT_ROOM) go; the caller adds what it
 * used of them to out->used. */
static inline uint8_t *output_room(struct output *out, size_t size)
{
	if (out->capacity - out->used < size)
		output_flush(out);
	return out->buffer + out->used;
}

static inline void output_octet(struct output *out, char octet)
{
	*output_room(out, 1) = (uint8_t)octet;
	out->used++;
}

/* The octets as they are. */
void output_long_text(struct output *out, struct text text);

static inline void output_text(struct output *out, struct text text)
{
	if (text.length > OUTPUT_ROOM || text.length == 0) {
		output_long_text(out, text);
		return;
	}
	memcpy(output_room(out, text.length), text.data, text.length);
	out->used += text.length;
}

/* The same, but the caller leaves the octets where they are until output_flush, so that long
 * texts need no copy. */
void output_lend(struct output *out, struct text text);

static inline void output_string(struct output *out, const char *string)
{
	output_text(out, text_of(string));
}

void output_number(struct output *out, uint64_t number);
void output_spaces(struct output *out, size_t count);

/* For TSV and for people: whatever is not in 0x21-0x7E, and the backslash, as
 * \xHH. Nothing written so can end a column or a line, or reach a terminal. */
void output_escaped(struct output *out, struct text text);

/* True if nothing in the text is escaped then; false may be wrong of a quote. */
bool output_is_plain(struct text text);

/* output_escaped, except that spaces stay: for sentences of the catalogue. */
void output_prose(struct output *out, const char *prose);

/* Columns that an octet, or a text, takes in output_escaped. */
unsigned escaped_width(uint8_t octet);
size_t escaped_columns(struct text text);

/* The inside of a JSON string. raw: octets above 0x7F become \u00HH, else they
 * must be UTF-8 and stay. */
void output_json_escaped(struct output *out, struct text text, bool raw);

/* Writes at once, past all buffers; 0 or errno. */
int output_now(int fd, const void *data, size_t length);

/* Flushes and releases; 0 or the errno of the first failure. */
int output_close(struct output *out);

/* The same, for standard output: false after saying what failed. */
bool output_finish(struct output *out);

/* A message on standard error in the manner of printf, behind "urivet: " and
 * with a line end; hostile octets in it are escaped. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
