/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The octets of one file after another, or of standard input, made text where gzip or zstd has
 * compressed them. What a file is, its first octets say; standard input is taken as it is, unless
 * that is asked for.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "cli/records/unpack.h"
#include <sys/stat.h>

/* Compressed octets that are read at once. */
#define SOURCE_RAW 65536u

struct source {
	const char *const *file; /* names; "-": standard input */
	size_t files;
	bool looks;       /* standard input may be compressed, too */
	bool stops;       /* after a file that cannot be read no other one is */
	bool nul_ends;    /* records end in NUL, so that NUL is no sign of UTF-16 */
	size_t at;        /* number of the next file, from 0 */
	int fd;           /* of the file that is read; -1: none */
	const char *name; /* in messages; NULL: none was opened */
	bool ended;       /* there is nothing more in this file */
	bool torn;        /* ... because the rest of it cannot be read */
	bool failed;      /* something was wrong with some file, and that was said */
	uint64_t octets;  /* read so far, as they stand in files */
	bool packed;
	struct unpacker unpacker;
	struct text left; /* octets in `raw` that were not handed out */
	uint8_t raw[SOURCE_RAW];
};

/* The file that stands for standard input. */
bool is_standard_input(const char *name);

/* Does a name stand for this file, a regular one? */
bool is_name_of(const char *name, const struct stat *file);

/* Can all files be opened, as far as can be known? False after saying which cannot. */
bool source_check(const struct source *source);

/* Reads a file that was opened, from its beginning, or tells, by errno, that it was not. `name` is what
 * messages call it. */
void source_take(struct source *source, int fd, const char *name);

/* Opens the next file; false if there is none left. One that cannot be read is told, and counts as
 * empty. */
bool source_next(struct source *source);

/* Is there another file? */
static inline bool source_has_next(const struct source *source)
{
	return source->at < source->files && !(source->failed && source->stops);
}

/* Would source_read() return without waiting? */
bool source_is_ready(const struct source *source);

/* Reads at most `room` octets of this file; 0 at its end, or after saying what is wrong. */
size_t source_read(struct source *source, uint8_t *to, size_t room);

void source_close(struct source *source);

#endif
