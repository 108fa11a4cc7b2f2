/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled policies. */
#include "policy/policy.h"

size_t urivet_compiled_write(void *out, size_t capacity, const struct urivet_policy *policy,
			     struct urivet_text extra)
{
	(void)out, (void)capacity, (void)policy, (void)extra;
	return 0;
}

enum urivet_compiled_fault urivet_compiled_open(struct urivet_policy *policy, size_t size,
						const void *data, size_t length,
						struct urivet_text *extra)
{
	(void)size, (void)data, (void)length, (void)extra, (void)policy;
	return URIVET_COMPILED_TOO_SHORT;
}

const char *urivet_compiled_fault_text(unsigned fault)
{
	return fault < URIVET_COMPILED_FAULTS ? "not yet" : NULL;
}
