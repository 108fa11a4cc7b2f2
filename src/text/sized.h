/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures that grow from version to version, at their end. The program says
 * how large its own is: `size`. `known` is how large this version's is, `least`
 * how large that of the oldest version was with which the library shares its name
 * (SONAME). Where a structure grows, `least` stays, and a member that is new is
 * touched only where `size` reaches beyond it. All sizes are in octets.
 */
#ifndef URIVET_SIZED_H
#define URIVET_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* No structure is larger, whatever the version: a size above is none. */
#define MAX_STRUCTURE 65536

/* Is it the size of a structure of some version? */
/*@ assigns \nothing;
    ensures \result <==> least <= size <= MAX_STRUCTURE; */
static inline bool is_known_size(size_t size, size_t least)
{
	return size >= least && size <= MAX_STRUCTURE;
}

/* Makes a result ready that may have another size than this version's: zeroes what is not known
 * of it. False for NULL, and for one that is too small, which is zeroed as far as it goes. */
bool urivet_fit(void *result, size_t size, size_t least, size_t known);

#endif
