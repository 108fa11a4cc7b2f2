/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a reference besides its target: whether editions agree, and whether it keeps the
 * origin. */
#ifndef URIVET_RESOLVE_H
#define URIVET_RESOLVE_H

#include "text/text.h"

/* Returns true if some edition resolves the reference to another target than RFC 3986. */
bool urivet_resolves_apart(struct urivet_text target, struct urivet_text base,
			   struct urivet_text reference);

/* Returns the component of the target, parsed as *uri, that differs from the origin of the base,
 * and sets *where. If the origin is the same, *where is URIVET_COMPONENTS. An unreadable base has
 * no origin. */
struct urivet_span urivet_leaves_origin(struct urivet_text base, struct urivet_text target,
					const struct urivet_uri *uri, enum urivet_component *where);

#endif
