/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts how often keys occur, and keeps the first examples of each. Counts are exact up to a limit
 * of distinct keys, which bounds memory for any input. Keys beyond the limit are counted together.
 */
#ifndef CLI_CENSUS_H
#define CLI_CENSUS_H

#include "cli/records/keyed.h"
#include <stdbool.h>

/* The maximum number of distinct keys, and of octets in all keys and in all examples. */
#define CENSUS_KEYS    (1u << 20)
#define CENSUS_OCTETS  (64u << 20)
#define CENSUS_EXAMPLE 1024u /* octets of an example; a longer one is truncated */

struct counted {
	uint64_t count;
	uint64_t refused; /* refused ones among them, from census_add_counts() */
	size_t key;       /* offset of its octets */
	uint32_t length;
	uint32_t examples;
	uint32_t first; /* number of its first example from 1; 0: none */
	uint32_t last;
};

struct count_example {
	size_t offset;
	uint32_t length;
	uint32_t next; /* index of the same key's next example from 1; 0: none */
};

/* A growing buffer, referenced by offsets. */
struct count_octets {
	uint8_t *data;
	size_t used;
	size_t room;
};

struct census {
	struct keyed numbers; /* of entries, by their keys */
	uint32_t samples;     /* maximum examples of each key */
	size_t most;          /* maximum distinct keys; the default is CENSUS_KEYS */
	struct counted *entry;
	size_t entries;
	size_t room;
	struct count_example *example;
	size_t examples;
	size_t example_room;
	struct count_octets keys;
	struct count_octets texts;
	uint64_t others; /* count of keys beyond the limit */
	uint64_t others_refused;
	bool examples_full; /* some examples were dropped */
};

/* Initializes a census that keeps `samples` examples of each key. */
void census_open(struct census *counts, uint32_t samples);

/* The functions of struct sums, for which the pointers are to a census. */

/* Initializes a census that will be merged into `other`: with the same limits. */
bool census_open_for(void *made, const void *other);
void census_free(void *made);

/* Counts a key once. Returns false if there is no memory. */
bool census_add(struct census *counts, struct octets key, struct octets example);

/* Adds `count` to a key, without an example; `refused` of these are refused. */
bool census_add_counts(struct census *counts, struct octets key, uint64_t count, uint64_t refused);

/* Adds the counts of `made`, which was opened by census_open_for(), in the order of its keys, and
 * empties it. Returns false if there is no memory. */
bool census_merge(void *total, void *made);

/* Return a key, and an example by its number from 1. */
static inline struct octets census_key(const struct census *counts, const struct counted *counted)
{
	return text_at(counts->keys.data + counted->key, counted->length);
}

static inline struct octets census_example(const struct census *counts, uint32_t number)
{
	const struct count_example *example = &counts->example[number - 1];

	return text_at(counts->texts.data + example->offset, example->length);
}

/* A key and its counts. */
struct counted_key {
	struct octets key;
	const struct counted *counted;
	uint64_t count; /* the sort key */
};

/* Returns all keys by descending count (of all, or of refused records), equal counts in the order
 * of the keys' octets. The caller frees the array. Returns NULL if there is no memory. */
struct counted_key *census_sorted(const struct census *counts, bool by_refused);

/* Returns the number of distinct keys, without the empty key. */
uint64_t census_distinct(const struct census *counts);

#endif
