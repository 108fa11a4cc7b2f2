/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often keys occur, with the first examples of each. Counts are exact up to a bound of distinct
 * keys, so that memory is bounded whatever the input is; what comes later is counted together.
 */
#ifndef CLI_CENSUS_H
#define CLI_CENSUS_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* The most distinct keys, and the most octets of all keys and of all examples together. */
#define CENSUS_KEYS    (1u << 20)
#define CENSUS_OCTETS  (64u << 20)
#define CENSUS_EXAMPLE 1024u /* octets of an example; of a longer one the head is kept */

struct counted {
	uint64_t hash;
	uint64_t count;
	uint64_t refused; /* of these, where census_add_counts() said so */
	size_t key;       /* offset of its octets */
	uint32_t length;
	uint32_t examples;
	uint32_t first; /* number of an example from 1; 0: none */
	uint32_t last;
};

/* Where the entry of a key is found, by hash. */
struct census_slot {
	uint32_t mark;   /* of the hash, so that hardly any other entry is looked at */
	uint32_t number; /* of an entry from 1; 0: free */
};

struct count_example {
	size_t offset;
	uint32_t length;
	uint32_t next; /* of the same key; 0: none */
};

/* Fewer keys than that stay in the cache. Of more, keys wait and are counted together: so many, and the
 * most octets of these and their examples. */
#define CENSUS_FEW     4096u
#define CENSUS_WAITING 32u
#define CENSUS_HELD    4096u

/* A key that is to be counted: its octets, then those of its example, begin at `held`. */
struct census_waiting {
	uint64_t hash;
	uint64_t count;
	uint64_t refused;
	uint32_t held;
	uint32_t length;
	uint32_t example; /* length of the example */
};

/* Octets that keep their offsets. */
struct count_octets {
	uint8_t *data;
	size_t used;
	size_t room;
};

struct census {
	uint64_t seed[2]; /* of the hash, or who writes the input would choose keys that collide */
	uint32_t samples; /* examples of each key */
	size_t most;      /* distinct keys; CENSUS_KEYS where nobody sets another number */
	struct counted *entry;
	size_t entries;
	size_t room;
	struct census_slot *slot;
	size_t slots; /* a power of two, or 0 */
	struct count_example *example;
	size_t examples;
	size_t example_room;
	struct count_octets keys;
	struct count_octets texts;
	uint64_t others; /* of keys beyond the bound */
	uint64_t others_refused;
	bool examples_full; /* some were not kept */
	struct census_waiting waiting[CENSUS_WAITING];
	uint32_t waits;     /* how many wait */
	uint32_t held_used; /* octets that they hold */
	uint8_t held[CENSUS_HELD];
};

/* Begins to count, with `samples` examples of each key. */
void census_open(struct census *counts, uint32_t samples);

/* Begins to count what is to be merged into another one: with the same bounds, and the same hash. */
void census_open_for(struct census *counts, const struct census *other);
void census_free(struct census *counts);

/* Counts a key once more; false if there is no memory. It may wait for others: before anything but
 * census_merge() looks at the counts, they must be settled. */
bool census_add(struct census *counts, struct text key, struct text example);

/* Counts it `count` times more, without an example; `refused` of these are refused. */
bool census_add_counts(struct census *counts, struct text key, uint64_t count, uint64_t refused);

/* Counts the keys that wait; false if there is no memory. */
bool census_settle(struct census *counts);

/* Adds what another one counted, which was opened for this one, in the order in which that met it, and
 * empties that; false if there is no memory. */
bool census_merge(struct census *counts, struct census *other);

/* A key, and the example with that number from 1. */
static inline struct text census_key(const struct census *counts, const struct counted *counted)
{
	return (struct text){counts->keys.data + counted->key, counted->length};
}

static inline struct text census_example(const struct census *counts, uint32_t number)
{
	const struct count_example *example = &counts->example[number - 1];

	return (struct text){counts->texts.data + example->offset, example->length};
}

/* A key and what was counted of it. */
struct counted_key {
	struct text key;
	const struct counted *counted;
	uint64_t count; /* by which it is sorted */
};

/* All keys, the greatest counts (of all, or of what was refused) first, equal ones by their octets; to be
 * freed. NULL: no memory. */
struct counted_key *census_sorted(const struct census *counts, bool by_refused);

/* How many keys there are but the empty one. */
uint64_t census_distinct(const struct census *counts);

#endif
