/* SPDX-License-Identifier: Apache-2.0 */
/* --protect: a file of host names to protect against imitation. */
#ifndef CLI_PROTECT_H
#define CLI_PROTECT_H

#include "common/text/octets.h"

/* The maximum size of such a file, in octets. */
#define PROTECT_MOST (64u << 20)

/* The names of the file and those of the policy. */
struct protect {
	struct urivet_protected *name; /* sorted */
	size_t count;
	struct octets content; /* of the file, into which the names point */
};

/* Adds the names of a file to those of the policy, which refers to `protect` from then on. The file
 * has one name on each line. Blanks around it, empty lines, comments after # and duplicates are
 * ignored. Returns false after reporting each invalid line. */
bool protect_load(struct protect *protect, struct urivet_policy *policy, const char *path);
void protect_free(struct protect *protect);

#endif
