/* SPDX-License-Identifier: Apache-2.0 */
/* What shorter ways are held to: the library's inside, by every rule there is. */
#ifndef TESTS_ALL_RULES_H
#define TESTS_ALL_RULES_H

#include <string.h>

#include "check/check.h"

/* The reports of urivet_check() and of all rules. What neither writes is the same in both. */
static inline void report_both_ways(struct urivet_report *quick, struct urivet_report *full,
				    const void *data, size_t length,
				    const struct urivet_policy *policy)
{
	struct subject s;
	memset(quick, 0x5a, sizeof *quick);
	memset(full, 0x5a, sizeof *full);
	urivet_check(quick, data, length, policy);
	if (urivet_open(&s, full, data, length, policy)) {
		urivet_judge(&s, true);
		urivet_close(&s);
	}
}

#endif
