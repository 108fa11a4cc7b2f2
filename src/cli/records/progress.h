/* SPDX-License-Identifier: Apache-2.0 */
/* Counts on standard error while records are judged. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/options/options.h"
#include "cli/records/source.h"
#include <time.h>

/* What has been counted so far. */
struct tally {
	uint64_t records;
	uint64_t accepted;
	uint64_t broken;           /* rows of a table that are none */
	uint64_t carriage_returns; /* records that end in CR */
};

struct progress {
	bool on;
	bool shares_terminal; /* with other output, for which the line is removed */
	struct timespec start;
	struct timespec last;
	uint64_t size; /* of all files; 0: not known */
	size_t shown;  /* columns of the line that is shown */
};

void progress_start(struct progress *progress, const struct options *options,
		    const struct source *source);

/* Shows the counts if half a second has passed. */
void progress_tick(struct progress *progress, const struct tally *tally, uint64_t octets);

/* Removes the line if there will be output on the same terminal. */
void progress_make_way(struct progress *progress);

/* Writes the totals in place of the line, where counts are shown. */
void progress_end(struct progress *progress, const struct tally *tally);

/* Removes the line. */
void progress_clear(struct progress *progress);

#endif
