/* SPDX-License-Identifier: Apache-2.0 */
/* References that must keep the origin of their base. */
#ifndef URIVET_ORIGIN_H
#define URIVET_ORIGIN_H

#include "check/check.h"

/* Returns true if an option or the policy requires the target to keep its origin. */
bool urivet_asks_for_origin(const struct urivet_policy *policy, uint32_t options);

/* Adds `cross-origin` to the report if the target leaves the origin of the base. */
enum urivet_verdict urivet_keep_origin(struct urivet_report *report, struct urivet_text base,
				       struct urivet_text target,
				       const struct urivet_policy *policy);

#endif
