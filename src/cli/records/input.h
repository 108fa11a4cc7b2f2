/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records from a file or standard input, in blocks of whole records. Memory is
 * bounded by the longest record allowed and a block: of a longer record only the
 * head is kept, and the rest is handed out in pieces.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Octets kept of a record that is longer than the limit. */
#define INPUT_HEAD 1024u

/* The memory of a block. */
struct buffer {
	uint8_t *data;
	size_t capacity;
};

struct input {
	int fd;
	const char *name;   /* in messages */
	uint8_t terminator; /* ends a record */
	bool crlf;          /* a CR before the terminator belongs to it */
	size_t limit;       /* a record with more octets is over-long */
	size_t block;       /* octets to read at once */
	/* Called before reading would wait until somebody writes; NULL: nothing is to be done. */
	void (*before_wait)(void *context);
	void *context;

	struct buffer buffer;
	size_t begin;    /* first octet not handed out */
	size_t end;      /* after the last octet read */
	size_t scanned;  /* there is no terminator between `begin` and here */
	bool in_long;    /* an over-long record is being handed out */
	struct text ending; /* the line end of the over-long record that was handed out last */
	bool at_end;     /* there is nothing more to read */
	int error;       /* errno of the first failure; 0: none */
	uint64_t octets; /* read so far */
	uint8_t head[INPUT_HEAD];
};

enum input_event {
	INPUT_END = 0, /* or an error */
	INPUT_RECORDS, /* a block of whole records; the last may lack its terminator at the end */
	INPUT_LONG     /* the head of an over-long record; input_rest has the rest */
};

/* How many octets are kept of a record of `length` octets: all, or the head of an over-long
 * one, whose size depends on the limit only. */
static inline size_t input_held(size_t limit, size_t length)
{
	if (length <= limit)
		return length;
	return limit < INPUT_HEAD ? limit : INPUT_HEAD;
}

/* Reads what comes next. The text is valid until the next call. */
enum input_event input_next(struct input *input, struct text *text);

/* The next piece of an over-long record, without its line end; false after the last one.
 * The head stays valid. */
bool input_rest(struct input *input, struct text *piece);

/* Exchanges the buffer with the last block for one that is not in use: so the block stays
 * valid while others read on. */
void input_exchange(struct input *input, struct buffer *buffer);

#endif
