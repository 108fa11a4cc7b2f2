/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of a report: columns over time or by length, and the same figures as a table. */
#ifndef CLI_REPORT_PLOT_H
#define CLI_REPORT_PLOT_H

#include "cli/records/figures.h"
#include "common/text/output.h"

#define PLOT_COLUMNS 128u /* maximum */

struct plot_column {
	char label[64]; /* in the table, and as a tooltip */
	char tick[24];  /* below the chart */
	struct split split;
};

struct plot {
	const char *id;     /* unique in the page; from the source, not from input */
	const char *what;   /* title, as "Records over time" */
	const char *column; /* heading of the first column of the table */
	bool every_tick;    /* otherwise only the first, middle and last ticks are shown */
	struct plot_column columns[PLOT_COLUMNS];
	unsigned count;
};

void plot_write(struct output *out, const struct plot *plot);

/* Makes a plot of the lengths of records, from the shortest to the longest class that occurs. */
void plot_lengths(struct plot *plot, const struct figures *figures);

/* A plot over time. A few records far before or after the others are not drawn. */
struct timeline {
	struct plot plot;
	struct split before;
	struct split after;
	int64_t first; /* time of the first column, in seconds since 1970 */
	int64_t last;
	const char *width; /* duration of a column, in words */
};

/* Makes a plot over time. Returns false if no record has a time, or there is no memory. */
bool plot_timeline(struct timeline *timeline, const struct figures *figures);

/* Writes a bar of a table: accepted and refused records, relative to `most`. */
void bar_split(struct output *out, struct split split, uint64_t most);

/* Writes a bar for one number, in the colour of a class of findings. */
void bar_class(struct output *out, uint64_t part, uint64_t most, unsigned class_);

#endif
