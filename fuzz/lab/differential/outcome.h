/* SPDX-License-Identifier: Apache-2.0 */
/* The readings of one record by all readers, and the findings of strict. */
#ifndef DIFFERENTIAL_OUTCOME_H
#define DIFFERENTIAL_OUTCOME_H

#include "readers.h"
#include <urivet.h>

/* The place that a reader connects to. A record is read differently if two readers differ in any
 * of these. */
enum place { PLACE_SCHEME, PLACE_HOST, PLACE_PORT, PLACES };

#define GROUP_SILENT   0   /* refuses, or finds no scheme or host */
#define GROUP_GIVEN_UP 255 /* read beyond the record, or called abort() */

#define FINDING_WORDS (URIVET_FINDING_LIMIT / 64)

struct outcome {
	/* readers that agree on a place have the same number, from 1 in the order of the readers */
	uint8_t group[PLACES][READERS_MOST];
	uint64_t finding[FINDING_WORDS]; /* bits of refusing findings, except policy ones */
	uint64_t partition;              /* hash of the groups */
	bool apart;
	bool given_up;
	bool accepted; /* by strict */
	bool web;      /* http or https */
	bool named;    /* it has such a finding */
};

/* Computes the outcome of data[0..length): at most LONGEST_RECORD octets, without NUL. */
void outcome_of(struct outcome *outcome, const char *data, size_t length);

/* Returns a nonzero number for the partition, and for whether strict accepts the record or has a
 * finding for it. The findings themselves are left out, because there are as many sets of them
 * as records. */
uint64_t outcome_key(const struct outcome *outcome);

/* Returns true if the same readers differ as badly as before, without a new finding. */
bool outcome_holds(const struct outcome *before, const struct outcome *after);

#endif
