/* SPDX-License-Identifier: Apache-2.0 */
/* What every reader reads in one input, split into columns and compared. */
#ifndef CLI_READINGS_H
#define CLI_READINGS_H

#include "cli/records/octets.h"
#include <stdbool.h>

enum reading_column {
	COLUMN_SCHEME = 0,
	COLUMN_USERINFO,
	COLUMN_HOST,
	COLUMN_PORT,    /* the default port if none is written */
	COLUMN_ADDRESS, /* the one that the reader would connect to */
	COLUMN_PATH,
	COLUMN_QUERY,
	COLUMN_FRAGMENT,
	READING_COLUMNS
};

/* One reading in columns. No data: the reading lacks this component. */
struct row {
	struct text cell[READING_COLUMNS];
	char port[12];
	char address[64];
};

struct readings {
	struct urivet_reading reading[URIVET_READERS];
	struct text source[URIVET_READERS]; /* the text that the spans of a reading are in */
	/* Readings that mean the same have the same group, from 0 in the order of readers. */
	unsigned group[URIVET_READERS];
	unsigned groups;
	unsigned refused;              /* how many readers refuse the input */
	bool differs[READING_COLUMNS]; /* two readings differ in this column */
	bool disagree;                 /* rfc3986, browser and resolver, as the library judges */
	enum urivet_reader pair[2];    /* ... these two of them */
	uint8_t *room;                 /* memory for the texts that readers write */
};

/* How many octets the reader needs to write what it reads. */
size_t readings_room(enum urivet_reader reader, size_t length);

/* Reads `text` as every reader does, adds readers-disagree to its report if they do, and sets
 * the verdict anew. False if there is no memory; else the caller must call readings_free(). */
bool readings_take(struct readings *readings, struct text text, struct urivet_report *report,
		   const struct urivet_policy *policy);

/* Masks secrets in what is shown. In `masked` those of the text itself are masked already. */
void readings_mask(struct readings *readings, struct text masked);

void readings_free(struct readings *readings);

/* Splits one reading into columns. */
void readings_cut(struct row *row, const struct readings *readings, unsigned reader);

#endif
