/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled policies as this library writes them. */
#ifndef LOADER_COMPILED_H
#define LOADER_COMPILED_H

#include "loader/problems.h"

/* Do the octets begin as those of a compiled policy do? */
bool urivet_loader_is_compiled(const void *data, size_t length);

/* Loads a compiled policy, of which it keeps a copy; `name` stands for the file. NULL after adding
 * what is wrong to the problems. */
struct urivet_loaded *urivet_loader_compiled(const void *data, size_t length, const char *name,
					     struct problems *problems);

#endif
