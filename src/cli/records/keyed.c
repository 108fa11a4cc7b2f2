/* SPDX-License-Identifier: Apache-2.0 */
/* A hash with a secret key, and a table that finds numbers by it. */
#include "cli/records/keyed.h"
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- The hash: SipHash-1-3, keyed, since an attacker may choose keys that collide ---- */

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

uint64_t keyed_hash(const uint64_t seed[2], struct octets key)
{
	uint64_t v[4] = {seed[0] ^ 0x736f6d6570736575u, seed[1] ^ 0x646f72616e646f6du,
			 seed[0] ^ 0x6c7967656e657261u, seed[1] ^ 0x7465646279746573u};
	uint64_t word;
	size_t at = 0;

	for (; key.length - at >= sizeof word; at += sizeof word) {
		memcpy(&word, key.data + at, sizeof word);
		absorb(v, word);
	}
	word = (uint64_t)key.length << 56;
	for (unsigned by = 0; at < key.length; by += 8)
		word |= (uint64_t)key.data[at++] << by;
	absorb(v, word);
	v[2] ^= 0xff;
	for (unsigned i = 0; i < 3; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

void keyed_seed(uint64_t seed[2])
{
	const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, seed, 2 * sizeof *seed) != (ssize_t)(2 * sizeof *seed)) {
		seed[0] = (uint64_t)time(NULL);
		seed[1] = (uint64_t)(uintptr_t)seed;
	}
	if (fd >= 0)
		(void)close(fd);
}

/* ---- The table ------------------------------------------------------------------------- */

static struct keyed_slot *free_slot(struct keyed *keyed, uint64_t hash)
{
	size_t at = (size_t)hash & (keyed->slots - 1);

	while (keyed->slot[at].number != 0)
		at = (at + 1) & (keyed->slots - 1);
	return &keyed->slot[at];
}

/* Doubles the table if it is half full. */
static bool make_room(struct keyed *keyed)
{
	struct keyed old = *keyed;

	if (2 * keyed->used < keyed->slots)
		return true;
	if (old.slots == 0)
		keyed_seed(keyed->seed);
	keyed->slots = old.slots > 0 ? 2 * old.slots : 64;
	keyed->slot = calloc(keyed->slots, sizeof *keyed->slot);
	if (keyed->slot == NULL) {
		*keyed = old;
		return false;
	}
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i].number != 0)
			*free_slot(keyed, old.slot[i].hash) = old.slot[i];
	free(old.slot);
	return true;
}

size_t keyed_find(struct keyed *keyed, struct octets key, size_t number, keyed_is *is,
		  const void *context)
{
	uint64_t hash;

	if (!make_room(keyed))
		return KEYED_FAILED;
	hash = keyed_hash(keyed->seed, key);
	for (size_t at = (size_t)hash & (keyed->slots - 1);; at = (at + 1) & (keyed->slots - 1)) {
		struct keyed_slot *slot = &keyed->slot[at];

		if (slot->number == 0 && number == KEYED_FAILED)
			return KEYED_FAILED;
		if (slot->number == 0) {
			*slot = (struct keyed_slot){hash, number + 1};
			keyed->used++;
			return number;
		}
		if (slot->hash == hash && is(context, key, slot->number - 1))
			return slot->number - 1;
	}
}

void keyed_clear(struct keyed *keyed)
{
	if (keyed->used > 0)
		memset(keyed->slot, 0, keyed->slots * sizeof *keyed->slot);
	keyed->used = 0;
}

void keyed_free(struct keyed *keyed)
{
	free(keyed->slot);
	*keyed = (struct keyed){.slot = NULL};
}

char *copy_text(struct octets text)
{
	char *copy = malloc(text.length + 1);

	if (copy != NULL) {
		memcpy(copy, text.data, text.length);
		copy[text.length] = '\0';
	}
	return copy;
}
