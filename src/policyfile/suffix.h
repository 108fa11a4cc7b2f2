/* SPDX-License-Identifier: Apache-2.0 */
/* The list of public suffixes, if the build has libpsl. */
#ifndef LOADER_SUFFIX_H
#define LOADER_SUFFIX_H

#include <urivet/policy.h>

/* Returns true if the build has libpsl. */
bool urivet_loader_has_suffixes(void);

/* Returns true if the name is a public suffix, in any case, with or without a final dot. Only names
 * in the list count: not `localhost`, nor other unlisted last labels. */
bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name);

/* Writes the registrable domain of a name with a NUL: urivet_suffixes_registrable() of
 * <urivet/policy.h>, with a list. Returns its length, or 0 if there is none; nothing is written
 * then. */
size_t urivet_loader_registrable(char domain[URIVET_REGISTRABLE_CAPACITY],
				 const struct urivet_suffixes *suffixes, struct urivet_text name);

#endif
