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

/* Returns the lowest finding in the set that is at least `from`, or URIVET_FINDING_LIMIT. */
static inline unsigned next_in_set(const struct urivet_finding_set *set, unsigned from)
{
	while (from < URIVET_FINDING_LIMIT && !in_set(set, from))
		from = set->bits[from / 64] >> from % 64 == 0 ? (from / 64 + 1) * 64 : from + 1;
	return from;
}

static inline bool is_empty_set(const struct urivet_finding_set *set)
{
	return next_in_set(set, 0) >= URIVET_FINDING_LIMIT;
}

/* Iterates over the findings in a set. */
#define EACH_IN_SET(id, set)                                                                       \
	unsigned id = next_in_set(set, 0);                                                         \
	(id) < URIVET_FINDING_LIMIT;                                                               \
	(id) = next_in_set(set, (id) + 1)

/* Returns true if the policy raises or waives the finding, which switches on a rule that is off
 * otherwise. */
static inline bool has_rule(const struct urivet_policy *policy, unsigned id)
{
	return in_set(&policy->raised, id) || in_set(&policy->waived, id);
}

/* Returns true if a rule for paths can waive the finding. */
static inline bool can_waive_by_path_rule(unsigned id)
{
	const struct urivet_finding_row *row = urivet_finding_info(id);

	return row != NULL && row->by_path_rule;
}

static inline void put_in_set(struct urivet_finding_set *set, unsigned id)
{
	set->bits[id / 64] |= UINT64_C(1) << id % 64;
}

#endif
