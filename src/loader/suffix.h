/* SPDX-License-Identifier: Apache-2.0 */
/* The list of public suffixes, if the build has libpsl. */
#ifndef LOADER_SUFFIX_H
#define LOADER_SUFFIX_H

#include <urivet/policy.h>

/* Does the build know public suffixes? */
bool urivet_loader_has_suffixes(void);

/* Is the name, in any letter case, with or without a final dot, a public suffix? Only what is in
 * the list is one: not `localhost`, nor any other last label that is not in it. */
bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name);

/* The registrable domain of a name, and a NUL: urivet_suffixes_registrable() of <urivet/policy.h>
 * with a list. Returns its length; 0: there is none, and nothing is written. */
size_t urivet_loader_registrable(char domain[URIVET_REGISTRABLE_CAPACITY],
				 const struct urivet_suffixes *suffixes, struct urivet_text name);

#endif
