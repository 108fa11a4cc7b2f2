/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records from a file or standard input, in blocks of whole ones. Memory is
 * bounded by the longest record allowed and a block: of a longer record there
 * is only a head, and the rest comes in pieces.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Octets kept of a record above the limit. */
#define INPUT_HEAD 1024u

/* Where a block lies. */
struct buffer {
	uint8_t *data;
	size_t capacity;
};

struct input {
	int fd;
	const char *name;   /* for people */
	uint8_t terminator; /* ends a record */
	bool crlf;          /* a CR before it belongs to it */
	size_t limit;       /* octets of a record, above: over-long */
	size_t block;       /* octets to read at once */

	struct buffer buffer;
	size_t begin;    /* first octet not handed out */
	size_t end;      /* behind the last octet read */
	size_t scanned;  /* no terminator lies between begin and here */
	bool in_long;    /* an over-long record is being handed out */
	bool at_end;     /* there is nothing more to read */
	int error;       /* errno of what went wrong; 0: nothing */
	uint64_t octets; /* read so far */
	uint8_t head[INPUT_HEAD];
};

enum input_event {
	INPUT_END = 0, /* or an error */
	INPUT_RECORDS, /* a block of whole records; the last may lack its terminator at the end */
	INPUT_LONG     /* the head of an over-long record; input_rest has the rest */
};

/* How many octets are kept of a record of `length` octets: all, or of an over-long
 * one a head that depends on nothing else. */
static inline size_t input_held(size_t limit, size_t length)
{
	if (length <= limit)
		return length;
	return limit < INPUT_HEAD ? limit : INPUT_HEAD;
}

/* True if reading on would wait for somebody to write. */
bool input_would_wait(const struct input *input);

/* What comes next. The text is valid up to the next call. */
enum input_event input_next(struct input *input, struct text *text);

/* The next piece of an over-long record, without its line end; false behind the
 * last. The head stays valid. */
bool input_rest(struct input *input, struct text *piece);

/* Gives away the buffer that the last block lies in, for one that nobody needs: the text
 * stays valid while others read on. */
void input_exchange(struct input *input, struct buffer *buffer);

#endif
