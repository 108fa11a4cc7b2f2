/* SPDX-License-Identifier: Apache-2.0 */
/* The example inputs, the rank and the next step of each finding in the catalogue. */
#ifndef CLI_EXAMPLES_H
#define CLI_EXAMPLES_H

#include "common/text/octets.h"

struct example {
	const char *policy;   /* how they are judged: see findings.def */
	struct octets fires;  /* an input that has the finding */
	struct octets misses; /* a similar input without it; "{text*n}" repeats text n times */
	unsigned rank;        /* how little it explains: see findings.def */
	const char *next;     /* the next step, one sentence */
};

/* Returns the example of an existing finding. */
struct example example_of(unsigned id);

#endif
