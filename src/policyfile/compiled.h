/* SPDX-License-Identifier: Apache-2.0 */
/* Reads compiled policies written by this library. */
#ifndef LOADER_COMPILED_H
#define LOADER_COMPILED_H

#include "policyfile/problems.h"

/* Returns true if the octets begin like a compiled policy. */
bool urivet_loader_is_compiled(const void *data, size_t length);

/* Loads a copy of a compiled policy; messages use `name` as the file name. Returns NULL after
 * adding to the problems. */
struct urivet_loaded *urivet_loader_compiled(const void *data, size_t length, const char *name,
					     struct problems *problems);

#endif
