/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of keys, whose entries stay in the order of insertion. */
#include "cli/records/census.h"
#include "cli/records/keyed.h"
#include "common/grow.h"
#include <stdlib.h>

/* ---- Memory ------------------------------------------------------------------------- */

static bool append(struct count_octets *octets, struct octets text, size_t *offset)
{
	size_t wanted = octets->used + text.length;

	if (!grow(&octets->data, &octets->room, wanted, 1))
		return false;
	if (text.length > 0)
		memcpy(octets->data + octets->used, text.data, text.length);
	*offset = octets->used;
	octets->used = wanted;
	return true;
}

void census_open(struct census *counts, uint32_t samples)
{
	*counts = (struct census){.samples = samples, .most = CENSUS_KEYS};
	keyed_seed(counts->seed);
}

void census_open_for(struct census *counts, const struct census *other)
{
	*counts = (struct census){.samples = other->samples, .most = other->most};
	memcpy(counts->seed, other->seed, sizeof counts->seed);
}

void census_free(struct census *counts)
{
	free(counts->entry);
	free(counts->slot);
	free(counts->example);
	free(counts->keys.data);
	free(counts->texts.data);
	*counts = (struct census){0};
}

/* Removes all keys, but keeps the memory. */
static void clear(struct census *counts)
{
	if (counts->entries > 0)
		memset(counts->slot, 0, counts->slots * sizeof *counts->slot);
	counts->entries = 0;
	counts->examples = 0;
	counts->keys.used = 0;
	counts->texts.used = 0;
	counts->others = 0;
	counts->others_refused = 0;
	counts->examples_full = false;
}

/* ---- Keys --------------------------------------------------------------------------- */

/* Returns the part of the hash that a slot stores: bits that are not used for the index. */
static uint32_t mark_of(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* Returns the slot of a key, or the free slot for it. */
static struct census_slot *find(const struct census *counts, struct octets key, uint64_t hash)
{
	const size_t mask = counts->slots - 1;
	size_t at = (size_t)hash & mask;

	for (; counts->slot[at].number != 0; at = (at + 1) & mask) {
		if (counts->slot[at].mark == mark_of(hash) &&
		    text_equals(census_key(counts, &counts->entry[counts->slot[at].number - 1]),
				key))
			break;
	}
	return &counts->slot[at];
}

/* Grows the table if fewer than half of its slots are free. Returns false if there is no memory. */
static bool make_slots(struct census *counts)
{
	size_t slots = counts->slots > 0 ? counts->slots * 2 : 128;
	struct census_slot *slot;

	if (counts->entries * 2 < counts->slots)
		return true;
	slot = calloc(slots, sizeof *slot);
	if (slot == NULL)
		return false;
	for (size_t i = 0; i < counts->entries; i++) {
		const uint64_t hash = counts->entry[i].hash;
		size_t at = (size_t)hash & (slots - 1);

		while (slot[at].number != 0)
			at = (at + 1) & (slots - 1);
		slot[at] = (struct census_slot){mark_of(hash), (uint32_t)i + 1};
	}
	free(counts->slot);
	counts->slot = slot;
	counts->slots = slots;
	return true;
}

/* Returns the entry of a key, which may be new. Returns NULL if there is no memory, or the limit is
 * reached (*full). */
static struct counted *entry_of(struct census *counts, struct octets key, uint64_t hash, bool *full)
{
	struct census_slot *slot;
	struct counted *counted;

	*full = false;
	if (!make_slots(counts))
		return NULL;
	slot = find(counts, key, hash);
	if (slot->number != 0)
		return &counts->entry[slot->number - 1];
	*full = counts->entries >= counts->most || key.length > CENSUS_OCTETS - counts->keys.used;
	if (*full || !grow(&counts->entry, &counts->room, counts->entries + 1, sizeof *counted))
		return NULL;
	counted = &counts->entry[counts->entries];
	*counted = (struct counted){.hash = hash, .length = (uint32_t)key.length};
	if (!append(&counts->keys, key, &counted->key))
		return NULL;
	*slot = (struct census_slot){mark_of(hash), (uint32_t)++counts->entries};
	return counted;
}

static bool add_example(struct census *counts, struct counted *counted, struct octets text)
{
	struct count_example example = {0};

	if (counted->examples == counts->samples)
		return true;
	if (text.length > CENSUS_EXAMPLE)
		text.length = CENSUS_EXAMPLE;
	if (text.length > CENSUS_OCTETS - counts->texts.used) {
		counts->examples_full = true;
		return true;
	}
	example.length = (uint32_t)text.length;
	if (!grow(&counts->example, &counts->example_room, counts->examples + 1, sizeof example) ||
	    !append(&counts->texts, text, &example.offset))
		return false;
	counts->example[counts->examples++] = example;
	if (counted->last > 0)
		counts->example[counted->last - 1].next = (uint32_t)counts->examples;
	else
		counted->first = (uint32_t)counts->examples;
	counted->last = (uint32_t)counts->examples;
	counted->examples++;
	return true;
}

/* A key and what is added to its counts. */
struct addend {
	struct octets key;
	uint64_t hash;
	uint64_t count;
	uint64_t refused;
};

/* Adds to the counts of a key. Returns NULL if the limit is reached (*full; the counts go to
 * `others`) or there is no memory. */
static struct counted *count_key(struct census *counts, const struct addend *addend, bool *full)
{
	struct counted *counted = entry_of(counts, addend->key, addend->hash, full);

	if (counted != NULL) {
		counted->count += addend->count;
		counted->refused += addend->refused;
	} else if (*full) {
		counts->others += addend->count;
		counts->others_refused += addend->refused;
	}
	return counted;
}

bool census_add(struct census *counts, struct octets key, struct octets example)
{
	const struct addend addend = {key, keyed_hash(counts->seed, key), 1, 0};
	bool full;
	struct counted *counted = count_key(counts, &addend, &full);

	return counted != NULL ? add_example(counts, counted, example) : full;
}

bool census_add_counts(struct census *counts, struct octets key, uint64_t count, uint64_t refused)
{
	const struct addend addend = {key, keyed_hash(counts->seed, key), count, refused};
	bool full;

	return count_key(counts, &addend, &full) != NULL || full;
}

/* ---- One census into another ------------------------------------------------------------ */

static bool merge_entry(struct census *counts, const struct census *other,
			const struct counted *from)
{
	const struct addend addend = {census_key(other, from), from->hash, from->count,
				      from->refused};
	bool full, good = true;
	struct counted *counted = count_key(counts, &addend, &full);

	if (counted == NULL)
		return full;
	for (uint32_t at = from->first; good && at != 0; at = other->example[at - 1].next)
		good = add_example(counts, counted, census_example(other, at));
	return good;
}

bool census_merge(struct census *counts, struct census *other)
{
	bool good = true;

	for (size_t i = 0; good && i < other->entries; i++)
		good = merge_entry(counts, other, &other->entry[i]);
	counts->others += other->others;
	counts->others_refused += other->others_refused;
	counts->examples_full |= other->examples_full;
	clear(other);
	return good;
}

static int by_count(const void *a, const void *b)
{
	const struct counted_key *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return text_order(one->key, other->key);
}

struct counted_key *census_sorted(const struct census *counts, bool by_refused)
{
	struct counted_key *keys = malloc((counts->entries + 1) * sizeof *keys);

	if (keys == NULL)
		return NULL;
	for (size_t i = 0; i < counts->entries; i++) {
		const struct counted *counted = &counts->entry[i];

		keys[i] = (struct counted_key){census_key(counts, counted), counted,
					       by_refused ? counted->refused : counted->count};
	}
	qsort(keys, counts->entries, sizeof *keys, by_count);
	return keys;
}

uint64_t census_distinct(const struct census *counts)
{
	uint64_t keys = counts->entries;

	for (size_t i = 0; i < counts->entries; i++)
		keys -= counts->entry[i].length == 0;
	return keys;
}
