/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that others make superfluous. */
#ifndef LOADER_OVERLAPS_H
#define LOADER_OVERLAPS_H

#include "loader/problems.h"

/* Finds rules that others make superfluous, or that can never be reached, by O(n log n)
 * comparisons of names and addresses for n rules. */
void urivet_loader_check_rules(const struct urivet_loaded *loaded, struct problems *problems);

#endif
