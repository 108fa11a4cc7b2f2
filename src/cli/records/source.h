/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one file after another, or standard input, and decompresses gzip and zstd. The format of a
 * file is detected by its first octets. Standard input is not decompressed unless that is
 * requested.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "cli/records/unpack.h"
#include <sys/stat.h>

/* Size of the buffer for compressed input. */
#define SOURCE_RAW 65536u

struct source {
	const char *const *file; /* names; "-": standard input */
	size_t files;
	bool looks;       /* detect compression of standard input, too */
	bool stops;       /* stop at the first file that cannot be read */
	bool nul_ends;    /* records end in NUL, so that NUL does not indicate UTF-16 */
	size_t at;        /* index of the next file */
	int fd;           /* of the current file; -1: none */
	const char *name; /* in messages; NULL: no file was opened */
	bool ended;       /* the end of this file was reached */
	bool torn;        /* ... early, because of a read error */
	bool failed;      /* an error in some file was reported */
	uint64_t octets;  /* read so far, before decompression */
	bool packed;
	struct unpacker unpacker;
	struct octets left; /* octets in `raw` that were not returned yet */
	uint8_t raw[SOURCE_RAW];
};

/* Returns true if the name stands for standard input ("-"). */
bool is_standard_input(const char *name);

/* Returns true if the name refers to this regular file. */
bool is_name_of(const char *name, const struct stat *file);

/* Checks that all files exist and are not directories. Returns false after reporting those that
 * fail. */
bool source_check(const struct source *source);

/* Reads an open file from its start. If fd is negative, reports errno as the reason why it could
 * not be opened. `name` is used in messages. */
void source_take(struct source *source, int fd, const char *name);

/* Opens the next file. Returns false if none is left. A file that cannot be read is reported and
 * counts as empty. */
bool source_next(struct source *source);

/* Returns true if there is another file to read. */
static inline bool source_has_next(const struct source *source)
{
	return source->at < source->files && !(source->failed && source->stops);
}

/* Returns true if source_read() would not block. */
bool source_is_ready(const struct source *source);

/* Reads at most `room` octets of this file. Returns 0 at its end, or after reporting an error. */
size_t source_read(struct source *source, uint8_t *to, size_t room);

void source_close(struct source *source);

#endif
