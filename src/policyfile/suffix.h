/* SPDX-License-Identifier: Apache-2.0 */
/* The list of public suffixes, as Debian's package publicsuffix installs it. */
#ifndef LOADER_SUFFIX_H
#define LOADER_SUFFIX_H

#include <urivet/policy.h>

/* Returns true if the name is a public suffix, in any case, with or without a final dot. Only names
 * in the list count: not `localhost`, nor other unlisted last labels. */
bool urivet_loader_is_suffix(const struct urivet_suffixes *suffixes, struct urivet_text name);

#endif
