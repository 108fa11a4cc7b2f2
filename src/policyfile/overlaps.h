/* SPDX-License-Identifier: Apache-2.0 */
/* Finds redundant rules. */
#ifndef LOADER_OVERLAPS_H
#define LOADER_OVERLAPS_H

#include "policyfile/problems.h"

/* Reports rules that others make redundant, or that can never match. Takes O(n log n) comparisons
 * of names and addresses for n rules. */
void urivet_loader_check_rules(const struct urivet_loaded *loaded, struct problems *problems);

#endif
