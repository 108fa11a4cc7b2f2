/* SPDX-License-Identifier: Apache-2.0 */
/* urivet_check() by the compiled policy of policies.py, which RULES names. */
#include <stdio.h>
#include <stdlib.h>
#include <urivet/policy.h>

#include "bench.h"

static bool judge(const char *url, size_t length)
{
	static struct urivet_report report;
	static const struct urivet_policy *policy;
	if (policy == NULL) {
		const struct urivet_loaded *loaded = urivet_load(RULES, NULL, NULL);
		if (loaded == NULL) {
			fprintf(stderr, "bench: " RULES ": cannot be loaded\n");
			exit(2);
		}
		policy = urivet_loaded_policy(loaded);
	}
	return urivet_check(&report, url, length, policy) == URIVET_ACCEPT;
}

const struct contestant contestants[] = {{"urivet check, 200,000 rules", judge}, {NULL, NULL}};
