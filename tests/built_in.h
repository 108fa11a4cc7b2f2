/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in policies for programs of the tests: as a copy to change, and to judge by. */
#ifndef TESTS_BUILT_IN_H
#define TESTS_BUILT_IN_H

#include <stdlib.h>
#include <string.h>
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

/* Returns true if the policy is valid as it is. Copies no more than its size. */
static inline bool is_valid(const struct urivet_policy *policy)
{
	struct urivet_policy copy = {0};
	memcpy(&copy, policy, policy->size < sizeof copy ? policy->size : sizeof copy);
	copy.size = policy->size;
	return urivet_policy_finish(&copy, NULL, 0);
}

/* Judges a target as urivet_check_request() does, when nothing is known of the request except
 * perhaps the value of the Host field (`host`; data NULL: not known). */
static inline enum urivet_verdict check_target_sized(struct urivet_report *report, size_t size,
						     struct urivet_text target, struct urivet_text host,
						     const struct urivet_policy *policy,
						     enum urivet_target_form *form)
{
	struct urivet_request request;
	if (!urivet_request_init(&request, sizeof request))
		abort();
	request.host = host;
	request.host_unknown = host.data == NULL;
	return urivet_check_request_sized(report, size, target.data, target.length, &request, policy, form);
}

static inline enum urivet_verdict check_target(struct urivet_report *report,
					       struct urivet_text target, struct urivet_text host,
					       const struct urivet_policy *policy,
					       enum urivet_target_form *form)
{
	return check_target_sized(report, sizeof *report, target, host, policy, form);
}

#define BY_STRICT by_built_in(URIVET_STRICT)
#define BY_PUBLIC by_built_in(URIVET_PUBLIC)
#define BY_ANY    by_built_in(URIVET_ANY)
#define BY_GATEWAY by_built_in(URIVET_GATEWAY)

#endif
