/* SPDX-License-Identifier: Apache-2.0 */
/* The results of all readers for one input, split into columns and compared. */
#ifndef CLI_READINGS_H
#define CLI_READINGS_H

#include "common/text/octets.h"
#include <stdbool.h>
#include <urivet/readers.h>

enum reading_column {
	COLUMN_SCHEME = 0,
	COLUMN_USERINFO,
	COLUMN_HOST,
	COLUMN_PORT,    /* the default port if none is written */
	COLUMN_ADDRESS, /* the address to which the reader would connect */
	COLUMN_PATH,
	COLUMN_QUERY,
	COLUMN_FRAGMENT,
	READING_COLUMNS
};

/* One reading in columns. Data is NULL if the reading lacks a component. */
struct row {
	struct octets cell[READING_COLUMNS];
	char port[12];
	char address[64];
};

struct readings {
	struct urivet_reading reading[URIVET_READERS];
	struct octets source[URIVET_READERS]; /* the text that contains the spans of a reading */
	/* Equivalent readings are in the same group, numbered from 0 in the order of readers. */
	unsigned group[URIVET_READERS];
	unsigned groups;
	unsigned refused;              /* number of readers that refuse the input */
	bool differs[READING_COLUMNS]; /* two readings differ in this column */
	bool disagree;                 /* rfc3986, browser and resolver disagree */
	enum urivet_reader pair[2];    /* ... and these two are an example */
	uint8_t *room;                 /* memory for texts that readers write */
};

/* Returns how many octets the reader needs for its output. */
size_t readings_room(enum urivet_reader reader, size_t length);

/* Runs all readers on `text`. If they disagree, adds readers-disagree to the report and updates its
 * verdict. Returns false if there is no memory; otherwise the caller must call readings_free(). */
bool readings_take(struct readings *readings, struct octets text, struct urivet_report *report,
		   const struct urivet_policy *policy);

/* Masks secrets for output. `masked` is the text with its own secrets already masked. */
void readings_mask(struct readings *readings, struct octets masked);

void readings_free(struct readings *readings);

/* Removes an octet or a percent-escape from a text that is not empty. Returns the octet. */
uint8_t next_octet(struct octets *text);

/* Splits one reading into columns. */
void readings_cut(struct row *row, const struct readings *readings, unsigned reader);

#endif
