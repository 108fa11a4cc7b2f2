/* SPDX-License-Identifier: Apache-2.0 */
/* What all readers make of one record, and what strict finds in it. */
#ifndef DIFFERENTIAL_OUTCOME_H
#define DIFFERENTIAL_OUTCOME_H

#include "readers.h"
#include <urivet.h>

/* Where a reader leads to. A record is read apart if two readers differ in one of them. */
enum place { PLACE_SCHEME, PLACE_HOST, PLACE_PORT, PLACES };

#define GROUP_SILENT   0   /* refuses, or finds no scheme or host */
#define GROUP_GIVEN_UP 255 /* read beyond the record, or called abort() */

#define FINDING_WORDS (URIVET_FINDING_LIMIT / 64)

struct outcome {
	/* readers that agree on a place have the same number, from 1 in the order of the readers */
	uint8_t group[PLACES][READERS_MOST];
	uint64_t
	    finding[FINDING_WORDS]; /* that refuse and are no matter of policy, bit by number */
	uint64_t partition;         /* of the groups: equal for equal ones */
	bool apart;
	bool given_up;
	bool accepted; /* by strict */
	bool web;      /* http or https */
	bool named;    /* it has such a finding */
};

/* Of data[0..length), at most LONGEST_RECORD octets and no NUL among them. */
void outcome_of(struct outcome *outcome, const char *data, size_t length);

/* A number for the partition, and whether strict accepts it or names why not: never 0. The findings
 * themselves are no part of it, since there are as many sets of them as records. */
uint64_t outcome_key(const struct outcome *outcome);

/* As bad as before for the same readers, and no finding more. */
bool outcome_holds(const struct outcome *before, const struct outcome *after);

#endif
