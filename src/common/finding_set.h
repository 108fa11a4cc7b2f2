/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of findings, as used in policies. */
#ifndef COMMON_FINDING_SET_H
#define COMMON_FINDING_SET_H

#include <stdbool.h>
#include <urivet.h>

static inline bool in_set(const struct urivet_finding_set *set, unsigned id)
{
	return (set->bits[id / 64] >> id % 64 & 1u) != 0;
}

static inline void put_in_set(struct urivet_finding_set *set, unsigned id)
{
	set->bits[id / 64] |= UINT64_C(1) << id % 64;
}

#endif
