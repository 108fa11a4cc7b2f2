/* SPDX-License-Identifier: Apache-2.0 */
/* The example inputs of each finding in the catalogue. */
#ifndef CLI_EXAMPLES_H
#define CLI_EXAMPLES_H

#include "common/text/octets.h"

struct example {
	const char *policy;   /* how they are judged: see findings.def */
	struct octets fires;  /* an input that has the finding */
	struct octets misses; /* a similar input without it; "{text*n}" repeats text n times */
};

/* Returns the examples of an existing finding. */
struct example example_of(unsigned id);

#endif
