/* SPDX-License-Identifier: Apache-2.0 */
/* Writes counts as a table in descending order. */
#ifndef CLI_CENSUS_TABLE_H
#define CLI_CENSUS_TABLE_H

#include "cli/records/census.h"
#include "cli/text/show_options.h"

/* The property by which records are counted. */
enum count_by {
	COUNT_FINDING = 0,
	COUNT_HOST,
	COUNT_REGISTRABLE,
	COUNT_CLASS,
	COUNT_VERDICT,
	COUNT_SCHEME
};

struct count_options {
	int by;           /* enum count_by: write counts instead of records; -1: no */
	uint32_t top;     /* show only the greatest counts; 0: all */
	uint32_t samples; /* examples of each count */
};

/* The names of enum count_by, in order; ends with NULL. */
extern const char *const count_names[];

/* Writes the counts in the output format. Returns false after reporting an error. */
bool census_write(const struct census *counts, const struct count_options *options,
		  enum format format);

#endif
