/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs that each row of the catalogue carries as its proof. */
#ifndef CLI_EXAMPLES_H
#define CLI_EXAMPLES_H

#include "cli/records/octets.h"

struct example {
	const char *policy; /* what they are judged by: see findings.def */
	struct text fires;  /* an input with the finding ... */
	struct text misses; /* ... and one just beside it, without; "{text*n}" is n times text */
};

/* Those of a finding that there is. */
struct example example_of(unsigned id);

#endif
