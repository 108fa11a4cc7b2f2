/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place that writes: buffered output by write(2). After the first error all
 * output is discarded, so that callers need not look for errors but once, at the end.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Octets that were not copied to the buffer. They are written after its first `at` octets. */
struct borrowed {
	size_t at;
	struct text text;
};

#define OUTPUT_BORROWED_MOST 32u

struct output {
	int fd;
	int error; /* errno of the first failure; 0: none */
	size_t used;
	size_t capacity;
	uint8_t *buffer;
	struct borrowed borrowed[OUTPUT_BORROWED_MOST];
	unsigned borrowed_count;
	/* Called before each write, if not NULL: threads wait for their turn in it. */
	void (*before_write)(void *context);
	void *context;
	bool colour;
	unsigned width; /* the most columns of human output */
};

/* The most octets that output_room() gives at once, and the least capacity of a buffer. */
#define OUTPUT_ROOM 32768u

/* Prepares an output of `capacity` octets; false if there is no memory. */
bool output_open(struct output *out, int fd, size_t capacity);
void output_flush(struct output *out);

/* Room for the next `size` octets (at most OUTPUT_ROOM); the caller adds the number of octets
 * that it has written there to out->used. */
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

/* The same without copying a long text: the caller must keep the octets until
 * output_flush(). */
void output_borrow(struct output *out, struct text text);

static inline void output_string(struct output *out, const char *string)
{
	output_text(out, text_of(string));
}

void output_number(struct output *out, uint64_t number);
void output_spaces(struct output *out, size_t count);

/* U+00DF. */
void output_code_point(struct output *out, uint32_t code_point);

/* For TSV and for people: octets outside 0x21-0x7E, and the backslash, become \xHH. So no octet
 * of the text ends a column or a line, or controls a terminal. */
void output_escaped(struct output *out, struct text text);

/* True if output_escaped() escapes nothing in the text. It may return false for a text with a
 * quote although nothing is escaped. */
bool output_is_plain(struct text text);

/* As output_escaped(), but spaces are kept: for sentences of the catalogue. */
void output_prose(struct output *out, const char *prose);

/* How many columns an octet, or a text, takes when written by output_escaped(). */
unsigned escaped_width(uint8_t octet);
size_t escaped_columns(struct text text);

/* The inside of a JSON string, in ASCII: what is outside 0x20-0x7E becomes \uXXXX, octets of
 * which each is a character if `raw`, else the characters of UTF-8. What is none then becomes
 * \u00HH an octet. */
void output_json_escaped(struct output *out, struct text text, bool raw);

/* Writes at once, without a buffer: 0 or errno. */
int output_now(int fd, const void *data, size_t length);

/* Flushes the buffer and releases it: 0 or the errno of the first failure. */
int output_close(struct output *out);

/* The same for standard output: false after saying what failed. */
bool output_finish(struct output *out);

/* Writes a message to standard error, as printf(3) does, after "urivet: " and with a line end.
 * What is not printable ASCII is escaped. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
