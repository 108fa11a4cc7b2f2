/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffered output by write(2). After the first error all output is discarded, so callers need to
 * check for errors only once, at the end.
 */
#ifndef COMMON_OUTPUT_H
#define COMMON_OUTPUT_H

#include "common/text/octets.h"
#include <stdbool.h>

/* Octets that were not copied to the buffer. They belong after its first `at` octets. */
struct borrowed {
	size_t at;
	struct octets text;
};

#define OUTPUT_BORROWED_MOST 32u

struct output {
	int fd;
	int error; /* errno of the first error; 0: none */
	size_t used;
	size_t capacity;
	uint8_t *buffer;
	struct borrowed borrowed[OUTPUT_BORROWED_MOST];
	unsigned borrowed_count;
	/* Called before each write, if not NULL. Threads wait for their turn in it. */
	void (*before_write)(void *context);
	void *context;
	bool colour, painted;
	unsigned width; /* maximum columns of human output */
};

/* The maximum size for output_room(), and the minimum capacity of a buffer. */
#define OUTPUT_ROOM 32768u

/* Initializes an output with a buffer of `capacity` octets. Returns false if there is no memory. */
bool output_open(struct output *out, int fd, size_t capacity);
void output_flush(struct output *out);

/* Returns space for `size` octets (at most OUTPUT_ROOM). The caller adds the number of octets that
 * it wrote there to out->used. */
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

/* Writes octets unchanged. */
void output_long_text(struct output *out, struct octets text);

static inline void output_text(struct output *out, struct octets text)
{
	if (text.length > OUTPUT_ROOM || text.length == 0) {
		output_long_text(out, text);
		return;
	}
	memcpy(output_room(out, text.length), text.data, text.length);
	out->used += text.length;
}

/* Writes octets like output_text(), but does not copy a long text. The caller must keep the octets
 * until output_flush(). */
void output_borrow(struct output *out, struct octets text);

static inline void output_string(struct output *out, const char *string)
{
	output_text(out, text_of(string));
}

void output_number(struct output *out, uint64_t number);
void output_spaces(struct output *out, size_t count);

/* Writes a code point as U+00DF. */
void output_code_point(struct output *out, uint32_t code_point);

/* Writes text for TSV and human output: octets outside 0x21-0x7E and the backslash become \xHH. So
 * no octet can end a column or a line, or control a terminal. */
void output_escaped(struct output *out, struct octets text);

/* Returns true if output_escaped() would not escape anything. May return false for a text with a
 * quote. */
bool output_is_plain(struct octets text);

/* Writes an octet as two hexadecimal digits after a prefix of at most two octets. */
void output_hex(struct output *out, const char *prefix, uint8_t octet);

/* Writes text like output_escaped(), but keeps spaces: for sentences of the catalogue. */
void output_prose(struct output *out, const char *prose);

/* Return the columns that an octet, or a text, takes in output_escaped(). */
unsigned escaped_width(uint8_t octet);
size_t escaped_columns(struct octets text);

/* Writes the content of a JSON string in ASCII. Characters outside 0x20-0x7E become \uXXXX. If
 * `raw`, each octet is a character; otherwise the text is UTF-8, in which invalid octets become
 * \u00HH. */
void output_json_escaped(struct output *out, struct octets text, bool raw);

/* Writes a JSON string with its quotes, or null if data is NULL. */
void output_json_string(struct output *out, struct octets text, bool raw);

/* Writes without a buffer. Returns 0 or errno. */
int output_now(int fd, const void *data, size_t length);

/* Flushes and frees the buffer. Returns 0 or the errno of the first error. */
int output_close(struct output *out);

/* Closes standard output. Returns false after reporting an error. */
bool output_finish(struct output *out);

/* Writes a message to standard error as printf(3) does, with "urivet: " before and a line end after
 * it. Octets other than printable ASCII are escaped. Returns false, so that a function that fails
 * can return the call. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
