/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a reference beside its target: do editions agree, does it keep its origin? */
#ifndef URIVET_RESOLVE_H
#define URIVET_RESOLVE_H

#include "text/text.h"

/* Does some edition resolve the reference to another target than RFC 3986 does? */
bool urivet_resolves_apart(struct urivet_text target, struct urivet_text base,
			   struct urivet_text reference);

/* What in the target, whose components are *uri, is not of the base's origin, and in *where the
 * component: URIVET_COMPONENTS if all is. A base that cannot be read has no origin. */
struct urivet_span urivet_leaves_origin(struct urivet_text base, struct urivet_text target,
					const struct urivet_uri *uri, enum urivet_component *where);

/* Is it asked that the target keeps its origin, by option or policy? */
bool urivet_asks_for_origin(const struct urivet_policy *policy, uint32_t options);

/* Adds `cross-origin` to the report of a target that leaves the base's origin. */
enum urivet_verdict urivet_keep_origin(struct urivet_report *report, struct urivet_text base,
				       struct urivet_text target,
				       const struct urivet_policy *policy);

#endif
