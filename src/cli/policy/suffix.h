/* SPDX-License-Identifier: Apache-2.0 */
/* The list of public suffixes, where the build has libpsl. */
#ifndef CLI_SUFFIX_H
#define CLI_SUFFIX_H

#include "cli/records/octets.h"
#include <stdbool.h>

struct suffixes;

/* True if the build can tell public suffixes. */
bool suffixes_are_built(void);

/* The newer of the list inside libpsl and the one that the system keeps, for any number of
 * threads; NULL after saying why not. */
struct suffixes *suffixes_open(void);
void suffixes_close(struct suffixes *suffixes);

/* Is the name, of any letter case, with or without a final dot, a public suffix? Only
 * what the list names is one: not `localhost`, nor any last label that it does not know. */
bool suffixes_hold(const struct suffixes *suffixes, struct text name);

#endif
