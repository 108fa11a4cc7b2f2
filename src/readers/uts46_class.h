/* SPDX-License-Identifier: Apache-2.0 */
/* A code point in the tables of UTS 46. */
#ifndef URIVET_UTS46_CLASS_H
#define URIVET_UTS46_CLASS_H

#include <stdbool.h>

#include "readers/uts46_tables.h"

/* The row of a code point, up to U+10FFFF. */
const struct uts46_class *urivet_uts46_class(uint32_t c);

/* What a code point is mapped or decomposed to, or the code point itself. */
struct expansion {
	const uint16_t *unit; /* of UTF-16 */
	unsigned left;        /* units */
	uint32_t itself;      /* if there are no units, and it was not told yet; else NO_POINT */
};
#define NO_POINT UINT32_MAX

struct expansion urivet_uts46_expand(uint32_t c);

/* The next code point of it; false at the end. */
bool urivet_next_expanded(struct expansion *e, uint32_t *c);

#endif
