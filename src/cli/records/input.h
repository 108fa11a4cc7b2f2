/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads records from files or standard input, in blocks of whole records of one file. Memory is
 * bounded by the longest record allowed and a block. Of a longer record only the head is kept, and
 * the rest is returned in parts. A record that is incomplete because of a read error is dropped.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/records/csv.h"
#include "cli/records/source.h"

/* The octets that are kept of an over-long record. */
#define INPUT_HEAD 1024u

/* The memory of a block. */
struct buffer {
	uint8_t *data;
	size_t capacity;
};

/* A position in an uncompressed file. Lines are counted only if rows may span several. */
struct input_place {
	uint64_t octet, line; /* from 0 */
};

struct input {
	struct source source;
	uint8_t terminator; /* ends a record */
	uint8_t separator;  /* CSV: the field separator, and line ends may be quoted; 0: not CSV */
	bool header;        /* each file starts with a header; a BOM before it is ignored */
	bool crlf;          /* a CR before the terminator belongs to it */
	size_t limit;       /* maximum octets of a record; a longer one is over-long */
	size_t block;       /* octets to read at once */
	/* Called before a read that may block. NULL: no callback. */
	void (*before_wait)(void *context);
	void *context;

	struct buffer buffer;
	size_t begin;                /* first octet that was not returned yet */
	struct input_place at;       /* ... and its position in the file */
	struct input_place block_at; /* position of the block that was returned last */
	size_t end;                  /* after the last octet that was read */
	size_t scanned;              /* there is no terminator between `begin` and this offset */
	struct csv_place place;      /* CSV: the scanner's state at `scanned` */
	bool in_long;                /* an over-long record is being returned */
	struct octets ending;        /* line end of the over-long record that was returned last */
	bool at_end;                 /* the end of this file was reached */
	bool begins;                 /* no octet of this file was returned yet */
	int error;                   /* errno of the first error of the command itself; 0: none */
	uint8_t head[INPUT_HEAD];
};

enum input_event {
	INPUT_END = 0, /* or an error */
	INPUT_RECORDS, /* a block of whole records; the last of a file may lack its terminator */
	INPUT_LONG     /* the head of an over-long record; input_rest() returns the rest */
};

/* Returns how many octets are kept of a record of `length` octets: all, or the head if it is
 * over-long. The size of the head depends only on the limit. */
static inline size_t input_held(size_t limit, size_t length)
{
	if (length <= limit)
		return length;
	return limit < INPUT_HEAD ? limit : INPUT_HEAD;
}

/* Opens the next file, at first the first one. Returns false if there is none. */
bool input_open(struct input *input);

/* Returns true if all files are read to their end. */
static inline bool input_is_done(const struct input *input)
{
	return input->at_end && !source_has_next(&input->source);
}

/* Skips the rest of this file. */
void input_skip_file(struct input *input);

/* Returns the next block or head. The text is valid until the next call. */
enum input_event input_next(struct input *input, struct octets *text);

/* Returns the next part of an over-long record, without its line end; false after the last part.
 * The head stays valid. */
bool input_rest(struct input *input, struct octets *piece);

/* Swaps the buffer of the last block for an unused one. The block stays valid while other workers
 * continue to read. */
void input_exchange(struct input *input, struct buffer *buffer);

#endif
