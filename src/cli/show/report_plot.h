/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings of a report: columns over time or over length, with the figures as a table beside. */
#ifndef CLI_REPORT_PLOT_H
#define CLI_REPORT_PLOT_H

#include "cli/records/figures.h"
#include "cli/show/output.h"

#define PLOT_COLUMNS 128u /* at most */

struct plot_column {
	char label[64]; /* in the table, and where somebody points at it */
	char tick[24];  /* below the drawing */
	struct split split;
};

struct plot {
	const char *id;     /* unique in the page; a name of the source */
	const char *what;   /* "Records over time" */
	const char *column; /* head of the first column of the table */
	bool every_tick;    /* else the first, the middle and the last */
	struct plot_column columns[PLOT_COLUMNS];
	unsigned count;
};

void plot_write(struct output *out, const struct plot *plot);

/* The lengths of records, from the shortest class that there is to the longest. */
void plot_lengths(struct plot *plot, const struct figures *figures);

/* What is drawn of the times of records, and what is not: a few far before or after all others. */
struct timeline {
	struct plot plot;
	struct split before;
	struct split after;
	int64_t first; /* seconds since 1970, of the minutes that are drawn */
	int64_t last;
	const char *width; /* of a column, in words */
};

/* False: no record has a time, or there is no memory. */
bool plot_timeline(struct timeline *timeline, const struct figures *figures);

/* A bar of a table: accepted and refused, as parts of the width that `most` has. */
void bar_split(struct output *out, struct split split, uint64_t most);

/* The same of one number, in the colour of a class of findings. */
void bar_class(struct output *out, uint64_t part, uint64_t most, unsigned class_);

#endif
