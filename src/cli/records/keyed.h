/* SPDX-License-Identifier: Apache-2.0 */
/* A hash with a secret key, since an author of the input may choose texts that collide, and a table
 * that finds numbers by it. */
#ifndef CLI_KEYED_H
#define CLI_KEYED_H

#include "common/text/octets.h"

/* Makes a random seed, which an author of the input cannot know. */
void keyed_seed(uint64_t seed[2]);

/* SipHash-1-3. */
uint64_t keyed_hash(const uint64_t seed[2], struct octets key);

/* Finds the numbers of texts that the caller keeps in an array. A zeroed table is empty. */
struct keyed {
	uint64_t seed[2];
	struct keyed_slot {
		uint64_t hash;
		size_t number; /* plus 1; 0: the slot is free */
	} * slot;
	size_t slots;
	size_t used;
};

#define KEYED_FAILED SIZE_MAX

/* Returns true if the text with this number is the key. */
typedef bool keyed_is(const void *context, struct octets key, size_t number);

/* Returns the number of the key, which is added as `number` if it is new, unless
 * that is KEYED_FAILED. Returns KEYED_FAILED if it was not found or memory is short. */
size_t keyed_find(struct keyed *keyed, struct octets key, size_t number, keyed_is *is,
		  const void *context);

/* Removes all numbers, but keeps the memory. */
void keyed_clear(struct keyed *keyed);
void keyed_free(struct keyed *keyed);

/* Returns a copy with a NUL after it, which the caller must free; NULL if memory is short. */
char *copy_text(struct octets text);

#endif
