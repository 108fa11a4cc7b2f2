/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and flags: the only values that are more than text. */
#ifndef LOADER_VALUES_H
#define LOADER_VALUES_H

#include "loader/rules.h"
#include "loader/yaml.h"

enum value {
	VALUE_GOOD = 0,
	VALUE_BAD, /* a number, but not as policy files write it */
	VALUE_NONE /* no number */
};

/* Reads decimal digits without quotes, with a minus in front or not; what is too large for a
 * long long is the largest. */
enum value urivet_loader_number(const struct node *node, long long *number, struct why *why);

/* Reads true or false; else what is wrong is said, to go on after the key. */
bool urivet_loader_flag(const struct node *node, bool *flag, struct why *why);

#endif
