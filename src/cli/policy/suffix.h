/* SPDX-License-Identifier: Apache-2.0 */
/* The list of public suffixes, if the build has libpsl. */
#ifndef CLI_SUFFIX_H
#define CLI_SUFFIX_H

#include "cli/records/octets.h"
#include <stdbool.h>

struct suffixes;

/* Does the build know public suffixes? */
bool suffixes_are_built(void);

/* Opens the list inside libpsl or that of the system, whichever is newer. Any number of threads
 * may use it. NULL after saying why not. */
struct suffixes *suffixes_open(void);
void suffixes_close(struct suffixes *suffixes);

/* Is the name, in any letter case, with or without a final dot, a public suffix? Only what is in
 * the list is one: not `localhost`, nor any other last label that is not in it. */
bool suffixes_hold(const struct suffixes *suffixes, struct text name);

#endif
