/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of judging references. */
#ifndef URIVET_ORIGIN_H
#define URIVET_ORIGIN_H

#include "check/check.h"

/* Resolves a reference against its base by RFC 3986 into out. Returns the target, with data NULL if
 * there is none, and longer than URIVET_MAX_LENGTH if the capacity is too small. */
struct urivet_text urivet_target_of(char *out, size_t capacity, const struct urivet_text *base,
				    const struct urivet_text *reference);

/* Returns true if there is a target, and some edition resolves the reference to another one. */
bool urivet_is_apart(const struct urivet_text *target, const struct urivet_text *base,
		     const struct urivet_text *reference);

/* Adds to the report of a target that editions disagree about it, if `apart` is set, and whether it
 * keeps the origin of the base, if options or policy require that. Returns the verdict. */
enum urivet_verdict urivet_end_reference(struct urivet_report *report, struct urivet_text target,
					 struct urivet_text base, bool apart, uint32_t options,
					 const struct urivet_policy *policy);

/* Returns true if an option or the policy requires the target to keep its origin. */
bool urivet_asks_for_origin(const struct urivet_policy *policy, uint32_t options);

/* Adds `cross-origin` to the report if the target leaves the origin of the base. */
enum urivet_verdict urivet_keep_origin(struct urivet_report *report, struct urivet_text base,
				       struct urivet_text target,
				       const struct urivet_policy *policy);

#endif
