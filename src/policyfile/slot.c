/* SPDX-License-Identifier: Apache-2.0 */
/* A slot from which threads take the current policy while another thread replaces it. */
#include <urivet/policy.h>

#include <pthread.h>
#include <stdlib.h>

/* Taking a policy has two steps: read the pointer, increment the reference count. Between them
 * another thread may replace the policy and release the last reference; the count would then be
 * in freed memory. An atomic pointer does not prevent this, so a lock covers both steps. It is
 * held for a few instructions only: checks run without it, and the old policy is freed after
 * unlocking. */
struct urivet_slot {
	pthread_mutex_t lock;
	struct urivet_loaded *loaded;
};

struct urivet_slot *urivet_slot_new(struct urivet_loaded *loaded)
{
	struct urivet_slot *slot = malloc(sizeof *slot);

	if (slot == NULL)
		return NULL;
	if (pthread_mutex_init(&slot->lock, NULL) != 0) {
		free(slot);
		return NULL;
	}
	slot->loaded = urivet_loaded_keep(loaded);
	return slot;
}

struct urivet_loaded *urivet_slot_take(struct urivet_slot *slot)
{
	struct urivet_loaded *loaded;

	pthread_mutex_lock(&slot->lock);
	loaded = urivet_loaded_keep(slot->loaded);
	pthread_mutex_unlock(&slot->lock);
	return loaded;
}

void urivet_slot_put(struct urivet_slot *slot, struct urivet_loaded *loaded)
{
	struct urivet_loaded *old;

	urivet_loaded_keep(loaded);
	pthread_mutex_lock(&slot->lock);
	old = slot->loaded;
	slot->loaded = loaded;
	pthread_mutex_unlock(&slot->lock);
	urivet_loaded_release(old);
}

void urivet_slot_free(struct urivet_slot *slot)
{
	if (slot == NULL)
		return;
	urivet_loaded_release(slot->loaded);
	pthread_mutex_destroy(&slot->lock);
	free(slot);
}
