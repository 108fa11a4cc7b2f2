/* SPDX-License-Identifier: Apache-2.0 */
/* What findings.def has beside the library's rows: examples, next steps and the order of findings. */
#ifndef CLI_CATALOGUE_H
#define CLI_CATALOGUE_H

#include "cli/judge/item.h"

struct example {
	const char *policy;   /* how they are judged: see findings.def */
	struct octets fires;  /* an input that has the finding */
	struct octets misses; /* a similar input without it; "{text*n}" repeats text n times */
	unsigned rank;        /* how little it explains: see findings.def */
	const char *next;     /* the next step, one sentence */
};

/* Returns the example of an existing finding. */
struct example example_of(unsigned id);

/* Returns a number that is lower the more a finding matters: findings that refuse come first, then
 * malformed, dangerous, ambiguous, policy and notes, then by rank. */
unsigned weight_of(unsigned id, bool refuses);

/* Writes the indexes of the findings of a report by weight. Returns the first if it refuses: the
 * reason for the verdict. Otherwise NULL. */
const struct urivet_finding *sort_findings(uint8_t order[URIVET_MAX_FINDINGS],
					   const struct item *item);

#endif
