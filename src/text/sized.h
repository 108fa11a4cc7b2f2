/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures that grow from version to version, at their end. Three sizes matter, in
 * octets:
 *   size    the structure as the program was built with it, which the program says;
 *   known   the structure as this version of the library was built with it;
 *   least   the structure in the oldest version that has the library's name (SONAME).
 * Where a structure grows, `least` stays, and a new member is touched only if `size`
 * reaches beyond it.
 */
#ifndef URIVET_SIZED_H
#define URIVET_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* No structure of any version is larger. */
#define MAX_STRUCTURE 65536

/* May this be the size of the structure in some version, older or newer? */
/*@ assigns \nothing;
    ensures \result <==> least <= size <= MAX_STRUCTURE; */
static inline bool is_known_size(size_t size, size_t least)
{
	return size >= least && size <= MAX_STRUCTURE;
}

/* Prepares a result of `size` octets: zeroes what lies beyond `known`. False for NULL and for a
 * size that no structure has, and for less than `least` octets, which are zeroed. */
bool urivet_fit(void *result, size_t size, size_t least, size_t known);

#endif
