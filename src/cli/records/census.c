/* SPDX-License-Identifier: Apache-2.0 */
/* How often keys occur: a table by hash, whose entries stay in the order in which keys came. */
#include "cli/records/census.h"
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- The hash: SipHash-1-3, keyed, since keys may be chosen by who wants collisions ---- */

static inline uint64_t rotate(uint64_t word, unsigned by)
{
	return word << by | word >> (64 - by);
}

static inline void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static inline void absorb(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v);
	v[0] ^= word;
}

static uint64_t hash_of(const uint64_t seed[2], struct text key)
{
	uint64_t v[4] = {seed[0] ^ 0x736f6d6570736575u, seed[1] ^ 0x646f72616e646f6du,
			 seed[0] ^ 0x6c7967656e657261u, seed[1] ^ 0x7465646279746573u};
	uint64_t word;
	size_t at = 0;

	for (; key.length - at >= sizeof word; at += sizeof word) {
		memcpy(&word, key.data + at, sizeof word);
		absorb(v, word);
	}
	word = 0;
	if (key.length > at)
		memcpy(&word, key.data + at, key.length - at);
	absorb(v, word);
	absorb(v, key.length);
	v[2] ^= 0xff;
	for (unsigned i = 0; i < 3; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- Memory ------------------------------------------------------------------------- */

/* Room for one more of `size` octets; false if there is no memory. */
static bool grow(void **data, size_t *room, size_t used, size_t size)
{
	size_t wanted = *room > 0 ? *room * 2 : 64;
	void *grown;

	if (used < *room)
		return true;
	grown = realloc(*data, wanted * size);
	if (grown == NULL)
		return false;
	*data = grown;
	*room = wanted;
	return true;
}

static bool append(struct count_octets *octets, struct text text, size_t *offset)
{
	size_t wanted = octets->used + text.length;
	uint8_t *grown;

	if (wanted > octets->room || octets->data == NULL) {
		grown = realloc(octets->data, wanted * 2 + 64);
		if (grown == NULL)
			return false;
		octets->data = grown;
		octets->room = wanted * 2 + 64;
	}
	if (text.length > 0)
		memcpy(octets->data + octets->used, text.data, text.length);
	*offset = octets->used;
	octets->used = wanted;
	return true;
}

/* A seed that who writes the input does not know. */
static void make_seed(uint64_t seed[2])
{
	const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, seed, 2 * sizeof *seed) != (ssize_t)(2 * sizeof *seed)) {
		seed[0] = (uint64_t)time(NULL);
		seed[1] = (uint64_t)(uintptr_t)seed;
	}
	if (fd >= 0)
		(void)close(fd);
}

void census_open(struct census *counts, uint32_t samples)
{
	*counts = (struct census){.samples = samples, .most = CENSUS_KEYS};
	make_seed(counts->seed);
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

void census_clear(struct census *counts)
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

/* The slot of a key, or the free one where it belongs. */
static uint32_t *find(const struct census *counts, struct text key, uint64_t hash)
{
	size_t at = (size_t)hash & (counts->slots - 1);

	for (; counts->slot[at] != 0; at = (at + 1) & (counts->slots - 1)) {
		const struct counted *counted = &counts->entry[counts->slot[at] - 1];

		if (counted->hash == hash && text_equals(census_key(counts, counted), key))
			break;
	}
	return &counts->slot[at];
}

/* Keeps half of the slots free. */
static bool make_slots(struct census *counts)
{
	size_t slots = counts->slots > 0 ? counts->slots * 2 : 128;
	uint32_t *slot;

	if (counts->entries * 2 < counts->slots)
		return true;
	slot = calloc(slots, sizeof *slot);
	if (slot == NULL)
		return false;
	for (size_t i = 0; i < counts->entries; i++) {
		size_t at = (size_t)counts->entry[i].hash & (slots - 1);

		while (slot[at] != 0)
			at = (at + 1) & (slots - 1);
		slot[at] = (uint32_t)i + 1;
	}
	free(counts->slot);
	counts->slot = slot;
	counts->slots = slots;
	return true;
}

/* The entry of a key, which may be new; NULL if there is no memory, or no room within the bound. */
static struct counted *entry_of(struct census *counts, struct text key, uint64_t hash, bool *full)
{
	uint32_t *slot;
	struct counted *counted;

	*full = false;
	if (!make_slots(counts))
		return NULL;
	slot = find(counts, key, hash);
	if (*slot != 0)
		return &counts->entry[*slot - 1];
	*full = counts->entries >= counts->most || key.length > CENSUS_OCTETS - counts->keys.used;
	if (*full ||
	    !grow((void **)&counts->entry, &counts->room, counts->entries, sizeof *counted))
		return NULL;
	counted = &counts->entry[counts->entries];
	*counted = (struct counted){.hash = hash, .length = (uint32_t)key.length};
	if (!append(&counts->keys, key, &counted->key))
		return NULL;
	*slot = (uint32_t)++counts->entries;
	return counted;
}

static bool add_example(struct census *counts, struct counted *counted, struct text text)
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
	if (!grow((void **)&counts->example, &counts->example_room, counts->examples,
		  sizeof example) ||
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

/* Counts a key `count` times more, `refused` of them refused. NULL: there is no room within the bound,
 * and it counts among the others; or, if not *full, there is no memory. */
static struct counted *count_key(struct census *counts, struct text key, uint64_t count,
				 uint64_t refused, bool *full)
{
	struct counted *counted = entry_of(counts, key, hash_of(counts->seed, key), full);

	if (counted != NULL) {
		counted->count += count;
		counted->refused += refused;
	} else if (*full) {
		counts->others += count;
		counts->others_refused += refused;
	}
	return counted;
}

bool census_add(struct census *counts, struct text key, struct text example)
{
	bool full;
	struct counted *counted = count_key(counts, key, 1, 0, &full);

	return counted != NULL ? add_example(counts, counted, example) : full;
}

bool census_add_counts(struct census *counts, struct text key, uint64_t count, uint64_t refused)
{
	bool full;

	return count_key(counts, key, count, refused, &full) != NULL || full;
}

/* Adds one key of another one. */
static bool merge_entry(struct census *counts, const struct census *other,
			const struct counted *from)
{
	bool full, good = true;
	struct counted *counted =
	    count_key(counts, census_key(other, from), from->count, from->refused, &full);

	if (counted == NULL)
		return full;
	for (uint32_t at = from->first; good && at != 0; at = other->example[at - 1].next)
		good = add_example(counts, counted, census_example(other, at));
	return good;
}

bool census_merge(struct census *counts, const struct census *other)
{
	bool good = true;

	for (size_t i = 0; good && i < other->entries; i++)
		good = merge_entry(counts, other, &other->entry[i]);
	counts->others += other->others;
	counts->others_refused += other->others_refused;
	counts->examples_full |= other->examples_full;
	return good;
}

static int by_count(const void *a, const void *b)
{
	const struct counted_key *one = a, *other = b;

	if (one->counted->count != other->counted->count)
		return one->counted->count > other->counted->count ? -1 : 1;
	return text_order(one->key, other->key);
}

struct counted_key *census_sorted(const struct census *counts)
{
	struct counted_key *keys = malloc((counts->entries + 1) * sizeof *keys);

	if (keys == NULL)
		return NULL;
	for (size_t i = 0; i < counts->entries; i++)
		keys[i] =
		    (struct counted_key){census_key(counts, &counts->entry[i]), &counts->entry[i]};
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
