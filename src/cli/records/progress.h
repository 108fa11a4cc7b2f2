/* SPDX-License-Identifier: Apache-2.0 */
/* Shows counts on standard error while records are judged. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/records/read_options.h"
#include "cli/records/source.h"
#include <time.h>

/* The counts so far. */
struct tally {
	uint64_t records;
	uint64_t accepted;
	uint64_t broken;           /* broken rows of a table */
	uint64_t carriage_returns; /* records that end in CR */
};

struct progress {
	bool on;
	bool shares_terminal; /* with other output; then the line is removed before output */
	struct timespec start;
	struct timespec last;
	uint64_t size; /* of all files, in octets; 0: unknown */
	size_t shown;  /* width of the current line */
};

void progress_start(struct progress *progress, const struct read_options *options,
		    const struct source *source);

/* Shows the counts if half a second has passed. */
void progress_tick(struct progress *progress, const struct tally *tally, uint64_t octets);

/* Removes the line if other output goes to the same terminal. */
void progress_make_way(struct progress *progress);

/* Replaces the line by the totals, if counts are shown. */
void progress_end(struct progress *progress, const struct tally *tally);

/* Removes the line. */
void progress_clear(struct progress *progress);

#endif
