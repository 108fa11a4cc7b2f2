/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and flags: the only values that are not text. */
#ifndef LOADER_VALUES_H
#define LOADER_VALUES_H

#include "common/rules.h"
#include "policyfile/yaml.h"

enum value {
	VALUE_NONE = 0, /* not a number */
	VALUE_BAD,      /* a number in a spelling that policy files do not allow */
	VALUE_GOOD
};

/* Parses decimal digits without quotes, with an optional minus. Numbers too large for a long long
 * become the largest one. */
enum value urivet_loader_number(const struct node *node, long long *number, struct why *why);

/* Parses true or false. Otherwise returns false, with a message that continues after the key. */
bool urivet_loader_flag(const struct node *node, bool *flag, struct why *why);

#endif
