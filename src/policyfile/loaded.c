/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded policies: creation, reference counts and queries. */
#include "policyfile/loaded.h"
#include "common/order.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <urivet/rules.h>

/* Minimum size of a memory block for strings. */
#define PIECE 4096u

char *urivet_loader_keep(struct strings **strings, const char *octets, size_t length)
{
	struct strings *last = *strings;
	char *copy;

	if (last == NULL || last->capacity - last->used <= length) {
		/* each block is at least twice as large as the one before, so there are few */
		size_t capacity = last != NULL ? 2 * last->capacity : PIECE;

		capacity = capacity > length ? capacity : length + 1;
		last = malloc(sizeof *last + capacity);
		if (last == NULL)
			return NULL;
		last->before = *strings;
		last->used = 0;
		last->capacity = capacity;
		*strings = last;
	}
	copy = last->data + last->used;
	if (octets != NULL)
		memcpy(copy, octets, length);
	copy[length] = '\0';
	last->used += length + 1;
	return copy;
}

struct urivet_loaded *urivet_load_built_in(int base)
{
	struct urivet_loaded *loaded = calloc(1, sizeof *loaded);

	if (loaded == NULL)
		return NULL;
	atomic_init(&loaded->references, 1);
	loaded->base = base;
	if (urivet_policy_init(&loaded->policy, sizeof loaded->policy, base) &&
	    urivet_policy_finish(&loaded->policy, NULL, 0))
		return loaded;
	free(loaded);
	return NULL;
}

struct urivet_loaded *urivet_loaded_keep(struct urivet_loaded *loaded)
{
	if (loaded != NULL)
		atomic_fetch_add_explicit(&loaded->references, 1, memory_order_relaxed);
	return loaded;
}

void urivet_loader_free_strings(struct strings *strings)
{
	while (strings != NULL) {
		struct strings *before = strings->before;

		free(strings);
		strings = before;
	}
}

void urivet_loaded_release(struct urivet_loaded *loaded)
{
	/* acquire-release: all use by other threads happens before the memory is freed */
	if (loaded == NULL ||
	    atomic_fetch_sub_explicit(&loaded->references, 1, memory_order_acq_rel) != 1)
		return;
	for (uint32_t i = 0; i < loaded->parameters; i++)
		urivet_loaded_release(loaded->value[i].by);
	free(loaded->parameter);
	free(loaded->value);
	urivet_suffixes_close(loaded->suffixes);
	free(loaded->host);
	free(loaded->address);
	free(loaded->port);
	free(loaded->url);
	free(loaded->path);
	free(loaded->nat64);
	free(loaded->nat64_place);
	free(loaded->place);
	free(loaded->protect);
	free(loaded->shown);
	free(loaded->file);
	free(loaded->compiled);
	free(loaded->index);
	urivet_loader_free_strings(loaded->strings);
	free(loaded);
}

bool urivet_loader_finish(struct urivet_loaded *loaded, bool *valid)
{
	struct urivet_policy *policy = &loaded->policy;
	const size_t rules = (size_t)policy->hosts.count + policy->addresses.count;

	*valid = true;
	if (rules > 0) {
		loaded->index = calloc(URIVET_INDEX_WORDS(rules), sizeof *loaded->index);
		if (loaded->index == NULL)
			return false;
	}
	*valid = urivet_policy_finish(policy, loaded->index, URIVET_INDEX_WORDS(rules));
	return *valid;
}

void *urivet_loader_sorted(const void *rules, size_t count, size_t size,
			   int (*order)(const void *a, const void *b))
{
	const void **sorted = malloc((count + 1) * sizeof *sorted);

	if (sorted == NULL)
		return NULL;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (const char *)rules + i * size;
	qsort(sorted, count, sizeof *sorted, order);
	return sorted;
}

static int order_tags(const void *a, const void *b)
{
	return order_numbers(**(const uint32_t *const *)a, **(const uint32_t *const *)b);
}

void *urivet_loader_by_tag(const void *rules, size_t count, size_t size, size_t tag)
{
	const char **sorted = urivet_loader_sorted(count > 0 ? (const char *)rules + tag : NULL,
						   count, size, order_tags);

	for (size_t i = 0; sorted != NULL && i < count; i++)
		sorted[i] -= tag;
	return sorted;
}

bool urivet_loader_show_protected(struct urivet_loaded *loaded)
{
	const struct urivet_policy *policy = &loaded->policy;

	loaded->shown =
	    urivet_loader_by_tag(policy->protect, policy->protect_count, sizeof *policy->protect,
				 offsetof(struct urivet_protected, name.tag));
	return loaded->shown != NULL;
}

const struct urivet_policy *urivet_loaded_policy(const struct urivet_loaded *loaded)
{
	static const struct urivet_policy nothing; /* rejects every input */

	return loaded != NULL ? &loaded->policy : &nothing;
}

int urivet_loaded_base(const struct urivet_loaded *loaded)
{
	return loaded->base;
}

bool urivet_loaded_observes(const struct urivet_loaded *loaded)
{
	return loaded->observes;
}

const char *urivet_loaded_protected(const struct urivet_loaded *loaded, size_t index)
{
	/* names are followed by a NUL in all cases */
	return index < loaded->policy.protect_count
		   ? urivet_host_rule_name(&loaded->shown[index]->name).data
		   : NULL;
}

bool urivet_loaded_place(const struct urivet_loaded *loaded, uint32_t tag,
			 struct urivet_message *place)
{
	struct place at = {0};

	if (tag == URIVET_TAG_HOSTS_ALLOW)
		at = loaded->only;
	else if (tag == URIVET_TAG_URLS_ALLOW)
		at = loaded->only_urls;
	else if (tag < loaded->places)
		at = loaded->place[tag];
	if (at.line == 0 || at.file >= loaded->files)
		return false;
	*place = (struct urivet_message){loaded->file[at.file], at.line, at.column, NULL};
	return true;
}
