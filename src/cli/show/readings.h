/* SPDX-License-Identifier: Apache-2.0 */
/* What every reader reads of one input, cut into columns and compared. */
#ifndef CLI_READINGS_H
#define CLI_READINGS_H

#include "cli/records/octets.h"
#include <stdbool.h>

enum reading_column {
	COLUMN_SCHEME = 0,
	COLUMN_USERINFO,
	COLUMN_HOST,
	COLUMN_PORT,    /* the one in effect, where none is written */
	COLUMN_ADDRESS, /* that it would connect to */
	COLUMN_PATH,
	COLUMN_QUERY,
	COLUMN_FRAGMENT,
	READING_COLUMNS
};

/* One reading in columns. No data: there is no such thing in it. */
struct row {
	struct text cell[READING_COLUMNS];
	char port[12];
	char address[64];
};

struct readings {
	struct urivet_reading reading[URIVET_READERS];
	struct text source[URIVET_READERS]; /* where the components lie */
	/* Readings that mean the same have the same group, from 0 in the order of readers. */
	unsigned group[URIVET_READERS];
	unsigned groups;
	unsigned refused;              /* readers that do not take it */
	bool differs[READING_COLUMNS]; /* two readings have something else there */
	bool disagree;                 /* rfc3986, browser and resolver, as the library judges */
	enum urivet_reader pair[2];    /* ... by these two */
	uint8_t *room;                 /* for the texts that readers write */
};

/* Octets that reader needs to write what it reads. */
size_t readings_room(enum urivet_reader reader, size_t length);

/* Reads `text` as every reader does, adds to the report of it what comes of that, and
 * sets its verdict anew. False if there is no memory; else readings_free() is due. */
bool readings_take(struct readings *readings, struct text text, struct urivet_report *report,
		   const struct urivet_policy *policy);

/* Shows no more secrets: those that lie in the text are masked in `masked`. */
void readings_mask(struct readings *readings, struct text masked);

void readings_free(struct readings *readings);

/* Cuts one reading into columns. */
void readings_cut(struct row *row, const struct readings *readings, unsigned reader);

#endif
