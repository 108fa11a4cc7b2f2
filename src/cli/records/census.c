/* SPDX-License-Identifier: Apache-2.0 */
/* Keys by number, whose entries stay in the order of insertion. */
#include "cli/records/census.h"
#include "common/grow.h"
#include "common/order.h"
#include <stdlib.h>

/* ---- Memory ------------------------------------------------------------------------- */

static bool make_room(struct count_octets *octets, size_t length)
{
	return grow(&octets->data, &octets->room, octets->used + length, 1);
}

/* Appends a text, for which there is room. Returns its offset. */
static size_t append(struct count_octets *octets, struct octets text)
{
	const size_t offset = octets->used;

	if (text.length > 0)
		memcpy(octets->data + offset, text.data, text.length);
	octets->used += text.length;
	return offset;
}

void census_open(struct census *counts, uint32_t samples)
{
	*counts = (struct census){.samples = samples, .most = CENSUS_KEYS};
}

bool census_open_for(void *made, const void *other)
{
	const struct census *all = other;

	*(struct census *)made = (struct census){.samples = all->samples, .most = all->most};
	return true;
}

void census_free(void *made)
{
	struct census *counts = made;

	keyed_free(&counts->numbers);
	free(counts->entry);
	free(counts->example);
	free(counts->keys.data);
	free(counts->texts.data);
	*counts = (struct census){0};
}

/* Removes all keys, but keeps the memory. */
static void clear(struct census *counts)
{
	keyed_clear(&counts->numbers);
	counts->entries = 0;
	counts->examples = 0;
	counts->keys.used = 0;
	counts->texts.used = 0;
	counts->others = 0;
	counts->others_refused = 0;
	counts->examples_full = false;
}

/* ---- Keys --------------------------------------------------------------------------- */

static bool is_key(const void *context, struct octets key, size_t number)
{
	const struct census *counts = context;

	return text_equals(census_key(counts, &counts->entry[number]), key);
}

/* Returns the entry of a key, which may be new. Returns NULL if there is no memory, or the limit is
 * reached (*full). */
static struct counted *entry_of(struct census *counts, struct octets key, bool *full)
{
	struct counted counted = {.length = (uint32_t)key.length};
	size_t number;

	*full = counts->entries >= counts->most || key.length > CENSUS_OCTETS - counts->keys.used;
	if (!*full && (!grow(&counts->entry, &counts->room, counts->entries + 1, sizeof counted) ||
		       !make_room(&counts->keys, key.length)))
		return NULL;
	number = keyed_find(&counts->numbers, key, *full ? KEYED_FAILED : counts->entries, is_key,
			    counts);
	if (number == KEYED_FAILED)
		return NULL;
	*full = false;
	if (number == counts->entries) {
		counted.key = append(&counts->keys, key);
		counts->entry[counts->entries++] = counted;
	}
	return &counts->entry[number];
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
	    !make_room(&counts->texts, text.length))
		return false;
	example.offset = append(&counts->texts, text);
	counts->example[counts->examples++] = example;
	if (counted->last > 0)
		counts->example[counted->last - 1].next = (uint32_t)counts->examples;
	else
		counted->first = (uint32_t)counts->examples;
	counted->last = (uint32_t)counts->examples;
	counted->examples++;
	return true;
}

/* Adds to the counts of a key. Returns NULL if the limit is reached (*full; the counts go to
 * `others`) or there is no memory. */
static struct counted *count_key(struct census *counts, struct octets key, uint64_t count,
				 uint64_t refused, bool *full)
{
	struct counted *counted = entry_of(counts, key, full);

	if (counted != NULL) {
		counted->count += count;
		counted->refused += refused;
	} else if (*full) {
		counts->others += count;
		counts->others_refused += refused;
	}
	return counted;
}

bool census_add(struct census *counts, struct octets key, struct octets example)
{
	bool full;
	struct counted *counted = count_key(counts, key, 1, 0, &full);

	return counted != NULL ? add_example(counts, counted, example) : full;
}

bool census_add_counts(struct census *counts, struct octets key, uint64_t count, uint64_t refused)
{
	bool full;

	return count_key(counts, key, count, refused, &full) != NULL || full;
}

/* ---- One census into another ------------------------------------------------------------ */

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

bool census_merge(void *total, void *made)
{
	struct census *counts = total, *other = made;
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

	const int counts = order_numbers(other->count, one->count);

	return counts != 0 ? counts : text_order(one->key, other->key);
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
