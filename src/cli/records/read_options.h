/* SPDX-License-Identifier: Apache-2.0 */
/* Which records are read, and how. */
#ifndef CLI_READ_OPTIONS_H
#define CLI_READ_OPTIONS_H

#include "cli/records/table.h"

/* The maximum number of threads. */
#define JOBS_MOST 64u

enum progress_mode { PROGRESS_DEFAULT = 0, PROGRESS_ON, PROGRESS_OFF };

struct read_options {
	const char *const *operand;
	size_t operands;
	const char **input_file; /* files of --input; "-": standard input */
	size_t inputs;           /* number of files; 0: standard input */
	size_t limit;            /* maximum octets of an input that is read */
	bool decompress;         /* standard input may be compressed */
	bool null;               /* records end in NUL instead of LF */
	bool crlf;
	const char *rejects; /* file for refused records; NULL: none, "-": standard error */
	const char *repaired; /* file for what was repaired, likewise */
	struct table table;  /* the table format, if records are rows */
	enum progress_mode progress;
	uint32_t jobs;
};

/* Returns true if records are rows of a table. */
static inline bool reads_table(const struct read_options *options)
{
	return options->table.kind != TABLE_NONE;
}

#endif
