/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up code points in the tables of UTS 46. */
#ifndef URIVET_UTS46_CLASS_H
#define URIVET_UTS46_CLASS_H

#include <stdbool.h>

#include "readers/uts46_tables.h"

/* Returns the row of a code point up to U+10FFFF. */
const struct uts46_class *urivet_uts46_class(uint32_t c);

/* The mapping or decomposition of a code point, or the code point itself. */
struct expansion {
	const uint16_t *unit; /* next UTF-16 unit */
	unsigned left;        /* remaining units */
	uint32_t itself;      /* code point to return if there are no units; NO_POINT after that */
};
#define NO_POINT UINT32_MAX

struct expansion urivet_uts46_expand(uint32_t c);

/* Stores the next code point of the expansion. Returns false at the end. */
bool urivet_next_expanded(struct expansion *e, uint32_t *c);

#endif
