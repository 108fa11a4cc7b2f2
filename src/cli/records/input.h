/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records from files or standard input, in blocks of whole records of one file. Memory is
 * bounded by the longest record allowed and a block: of a longer record only the
 * head is kept, and the rest is handed out in pieces. A record that its file has only a
 * part of, because the rest cannot be read, is not handed out.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/records/csv.h"
#include "cli/records/source.h"

/* Octets kept of a record that is longer than the limit. */
#define INPUT_HEAD 1024u

/* The memory of a block. */
struct buffer {
	uint8_t *data;
	size_t capacity;
};

/* A place in a file, unpacked. Lines are counted where rows may have several. */
struct input_place {
	uint64_t octet, line; /* from 0 */
};

struct input {
	struct source source;
	uint8_t terminator; /* ends a record */
	uint8_t
	    separator; /* of fields that quotes may hold: records are rows of RFC 4180; 0: none */
	bool header;   /* each file begins with a header, before which a BOM means nothing */
	bool crlf;     /* a CR before the terminator belongs to it */
	size_t limit;  /* a record with more octets is over-long */
	size_t block;  /* octets to read at once */
	/* Called before reading would wait until somebody writes; NULL: nothing is to be done. */
	void (*before_wait)(void *context);
	void *context;

	struct buffer buffer;
	size_t begin;                /* first octet not handed out */
	struct input_place at;       /* ... and where it lies in its file */
	struct input_place block_at; /* where the block lies that was handed out last */
	size_t end;                  /* after the last octet read */
	size_t scanned;              /* there is no terminator between `begin` and here */
	struct csv_place place;      /* of CSV, where it was scanned to */
	bool in_long;                /* an over-long record is being handed out */
	struct text ending; /* the line end of the over-long record that was handed out last */
	bool at_end;        /* there is nothing more to read of this file */
	bool begins;        /* nothing of this file was handed out */
	int error;          /* errno of the first failure of the command's own; 0: none */
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

/* Opens the first file: input_next() goes on to the others. False if there is none. */
bool input_open(struct input *input);

/* Is there nothing more to read, of any file? */
static inline bool input_is_done(const struct input *input)
{
	return input->at_end && !source_has_next(&input->source);
}

/* Leaves out the rest of this file. */
void input_skip_file(struct input *input);

/* Reads what comes next. The text is valid until the next call. */
enum input_event input_next(struct input *input, struct text *text);

/* The next piece of an over-long record, without its line end; false after the last one.
 * The head stays valid. */
bool input_rest(struct input *input, struct text *piece);

/* Exchanges the buffer with the last block for one that is not in use: so the block stays
 * valid while others read on. */
void input_exchange(struct input *input, struct buffer *buffer);

#endif
