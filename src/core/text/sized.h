/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structs that may grow at their end in later versions. Three sizes matter, in octets:
 *   size    the struct as the program was compiled, which the program passes;
 *   known   the struct as this version of the library was compiled;
 *   least   the struct in the oldest version that has the library's name (SONAME).
 * When a struct grows, `least` stays, and a new member is accessed only if `size` includes it.
 */
#ifndef URIVET_SIZED_H
#define URIVET_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* An upper bound for the size of structs of all versions, also later ones. */
#define MAX_STRUCTURE 65536

/* Returns true if this can be the size of the struct in some version, older or newer. */
/*@ assigns \nothing;
    ensures \result <==> least <= size <= MAX_STRUCTURE; */
static inline bool is_known_size(size_t size, size_t least)
{
	return size >= least && size <= MAX_STRUCTURE;
}

/* Prepares a result of `size` octets: zeroes everything after `known`. Returns false for NULL and
 * for a size above MAX_STRUCTURE. Returns false also for fewer than `least` octets, and zeroes
 * them. */
bool urivet_fit(void *result, size_t size, size_t least, size_t known);

#endif
