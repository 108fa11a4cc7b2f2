/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up code points in the tables of UTS 46. */
#include "readers/uts46_class.h"

/* Returns a row of classes, or UTS46_CLASSES plus an index into the pool. */
static unsigned uts46_value(uint32_t c)
{
	const uint32_t block = 1u << UTS46_BITS;
	if (c < UTS46_END)
		return urivet_uts46_second[urivet_uts46_first[c / block] * block + c % block];
	return c >= UTS46_SELECTORS && c <= UTS46_SELECTORS_LAST ? UTS46_IGNORED : UTS46_DISALLOWED;
}

const struct uts46_class *urivet_uts46_class(uint32_t c)
{
	const unsigned value = uts46_value(c);
	return &urivet_uts46_classes[value < UTS46_CLASSES
					 ? value
					 : urivet_uts46_pool[value - UTS46_CLASSES] >> 5];
}

struct expansion urivet_uts46_expand(uint32_t c)
{
	const unsigned value = uts46_value(c);
	struct expansion e = {urivet_uts46_pool, 0, c};
	if (value >= UTS46_CLASSES) {
		e.unit += value - UTS46_CLASSES;
		e.left = *e.unit++ % 32u;
		e.itself = NO_POINT;
	}
	return e;
}

bool urivet_next_expanded(struct expansion *e, uint32_t *c)
{
	if (e->left == 0) {
		*c = e->itself;
		e->itself = NO_POINT;
		return *c != NO_POINT;
	}
	*c = *e->unit++;
	e->left--;
	if (*c >> 10 == 0xd800 >> 10) { /* a surrogate pair */
		*c = 0x10000 + (*c % 0x400 << 10) + *e->unit++ % 0x400u;
		e->left--;
	}
	return true;
}
