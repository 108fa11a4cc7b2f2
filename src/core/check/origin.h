/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of judging references. */
#ifndef URIVET_ORIGIN_H
#define URIVET_ORIGIN_H

#include "check/check.h"

/* Resolves a reference against its base into the room, and judges the target, but not the values of
 * its parameters. Returns the target, which is empty if there is none, and longer than
 * URIVET_MAX_LENGTH if the room is too small. */
struct urivet_text urivet_begin_reference(struct urivet_report *report, size_t size,
					  struct urivet_text room, struct urivet_text base,
					  struct urivet_text reference,
					  const struct urivet_policy *policy);

/* Adds to the report whether editions agree about the target, and whether it keeps the origin, if
 * the options or the policy require that. Returns the verdict. */
enum urivet_verdict urivet_end_reference(struct urivet_report *report, struct urivet_text target,
					 struct urivet_text base, struct urivet_text reference,
					 uint32_t options, const struct urivet_policy *policy);

/* Returns true if an option or the policy requires the target to keep its origin. */
bool urivet_asks_for_origin(const struct urivet_policy *policy, uint32_t options);

/* Adds `cross-origin` to the report if the target leaves the origin of the base. */
enum urivet_verdict urivet_keep_origin(struct urivet_report *report, struct urivet_text base,
				       struct urivet_text target,
				       const struct urivet_policy *policy);

#endif
