/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in policies for programs of the tests: as a copy to change, and to judge by. */
#ifndef TESTS_BUILT_IN_H
#define TESTS_BUILT_IN_H

#include <stdlib.h>
#include <urivet.h>

static inline struct urivet_policy built_in(int base)
{
	struct urivet_policy policy;
	if (!urivet_policy_init(&policy, sizeof policy, base))
		abort();
	return policy;
}

static inline const struct urivet_policy *by_built_in(int base)
{
	static struct urivet_policy policies[URIVET_BASES];
	if (policies[base].size == 0)
		policies[base] = built_in(base);
	return &policies[base];
}

#define BY_STRICT by_built_in(URIVET_STRICT)
#define BY_PUBLIC by_built_in(URIVET_PUBLIC)
#define BY_ANY    by_built_in(URIVET_ANY)
#define BY_GATEWAY by_built_in(URIVET_GATEWAY)

#endif
