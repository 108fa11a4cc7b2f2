/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean" suggestions. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "common/text/output.h"
#include "common/nearest.h"

/* Reports "<what> '<word>'", with the nearest candidate if there is one. */
static inline void nearest_complain(const struct nearest *nearest, const char *what)
{
	if (nearest->best != NULL)
		complain("%s '%s'; did you mean '%s'?", what, nearest->word, nearest->best);
	else
		complain("%s '%s'", what, nearest->word);
}

#endif
