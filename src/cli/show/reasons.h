/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which findings matter: the one order of human output, explain, reports and `reason`. */
#ifndef CLI_REASONS_H
#define CLI_REASONS_H

#include "cli/judge/item.h"

/* Returns a number that is lower the more a finding matters: findings that refuse come first, then
 * malformed, dangerous, ambiguous, policy and notes, then by rank in the catalogue. */
unsigned reason_weight(unsigned id, bool refuses);

/* Writes the indexes of the findings of a report, those that matter most first; findings of the same
 * weight keep their order. */
void reasons_sort(uint8_t order[URIVET_MAX_FINDINGS], const struct item *item);

/* Returns the finding that matters most of those that refuse, or NULL if none of them is kept. */
const struct urivet_finding *reason_of(const struct item *item);

#endif
