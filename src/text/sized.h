/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures that grow from version to version, at their end. The program says
 * how large its own is; `known` is how large this version's is. All sizes are in
 * octets.
 */
#ifndef URIVET_SIZED_H
#define URIVET_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* No structure is larger, whatever the version: a size above is none. */
#define MAX_STRUCTURE 65536

/* Is it the size of this version's structure, or of a later one's? */
/*@ assigns \nothing;
    ensures \result <==> known <= size <= MAX_STRUCTURE; */
static inline bool is_known_size(size_t size, size_t known)
{
	return size >= known && size <= MAX_STRUCTURE;
}

/* Makes a result ready that has another size than this version's: zeroes what is not known of
 * it. False for NULL, and for one that is too small, which is zeroed as far as it goes. */
bool urivet_fit(void *result, size_t size, size_t known);

/* Is all that a later version's structure has beyond this one's unset, which is zero? */
/*@ assigns \nothing; */
bool urivet_is_unset_beyond(const void *structure, size_t size, size_t known);

#endif
