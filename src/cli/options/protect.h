/* SPDX-License-Identifier: Apache-2.0 */
/* --protect: a file of names that others imitate. */
#ifndef CLI_PROTECT_H
#define CLI_PROTECT_H

#include <urivet.h>

/* The most octets of such a file. */
#define PROTECT_MOST (64u << 20)

/* The names of a file, and those that a policy had. */
struct protect {
	struct urivet_protected *name; /* in order */
	size_t count;
	char *text; /* of the file, which they point into */
};

/* Adds the names of a file to those of the policy, which uses them from then on: one on each line;
 * blanks around it, empty lines, and what follows a # mean nothing, and a name may stand twice. False
 * after telling each line at fault. */
bool protect_load(struct protect *protect, struct urivet_policy *policy, const char *path);
void protect_free(struct protect *protect);

#endif
