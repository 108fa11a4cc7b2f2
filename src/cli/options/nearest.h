/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean" suggestions, found by the policy loader. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include "cli/show/output.h"
#include "policyfile/nearest.h"

static inline struct nearest nearest_to(const char *word)
{
	return urivet_loader_nearest(word);
}

static inline void nearest_try(struct nearest *nearest, const char *candidate)
{
	urivet_loader_nearest_try(nearest, candidate);
}

/* Reports "<what> '<word>'", with the nearest candidate if there is one. */
static inline void nearest_complain(const struct nearest *nearest, const char *what)
{
	if (nearest->best != NULL)
		complain("%s '%s'; did you mean '%s'?", what, nearest->word, nearest->best);
	else
		complain("%s '%s'", what, nearest->word);
}

#endif
