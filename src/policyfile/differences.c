/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between two policies: each is written as a sorted list of lines, and the lists are
 * merged. Differences that follow from the bases are reported only as a difference of the bases. */
#include "common/grow.h"
#include "policyfile/lines.h"

#include <stdlib.h>
#include <string.h>

/* The keys of lines, in the order of output. */
static const struct {
	const char *name;
	bool single; /* it has one value; the old one is reported before the new one */
} keys[] = {
    {"base", true},     {"name", true},    {"mode", true},          {"schemes", false},
    {"ports", false},   {"hosts", false},  {"urls", false},         {"addresses", false},
    {"allow", false},   {"refuse", false}, {"limits", true},        {"opaque_query", true},
    {"protect", false}, {"paths", false},  {"strip_prefix", false}, {"parameters", false},
};

struct entry {
	unsigned key; /* index in keys */
	char *text;   /* "hosts.deny: .example.com", after room for its sign and a space */
	struct place at;
};

/* The lines of one policy. */
struct entries {
	const struct urivet_loaded *loaded;
	struct entry *entry;
	size_t count;
	size_t capacity;
	struct strings *strings;
	bool no_memory;
};

static void add(void *context, struct place at, const char *text, size_t length)
{
	const size_t key = strcspn(text, ".:");
	struct entries *all = context;
	char *kept = urivet_loader_keep(&all->strings, NULL, length + 2);
	struct entry made = {.at = at};

	while (strlen(keys[made.key].name) != key || memcmp(keys[made.key].name, text, key) != 0)
		made.key++;
	if (kept != NULL && grow(&all->entry, &all->capacity, all->count + 1, sizeof made)) {
		made.text = memcpy(kept + 2, text, length);
		all->entry[all->count++] = made;
	} else {
		all->no_memory = true;
	}
}

/* ---- Comparing ------------------------------------------------------------------ */

static int order(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;

	return x->key != y->key ? (int)x->key - (int)y->key : strcmp(x->text, y->text);
}

static bool collect(struct entries *all, const struct urivet_loaded *loaded,
		    const struct urivet_loaded *other)
{
	*all = (struct entries){.loaded = loaded};
	all->no_memory |= !urivet_loader_lines(loaded, other, add, all);
	if (!all->no_memory)
		qsort(all->entry, all->count, sizeof all->entry[0], order);
	return !all->no_memory;
}

static void let_go(struct entries *all)
{
	free(all->entry);
	urivet_loader_free_strings(all->strings);
}

/* Reports one line with its sign. */
static void report_entry(const struct entries *all, const struct entry *entry, char sign,
			 urivet_on_message *on_message, void *context)
{
	const struct urivet_loaded *loaded = all->loaded;
	const struct urivet_message message = {
	    entry->at.file < loaded->files ? loaded->file[entry->at.file] : loaded->policy.name,
	    entry->at.line, entry->at.column, entry->text - 2};

	entry->text[-2] = sign;
	entry->text[-1] = ' ';
	on_message(context, &message);
}

/* Returns true if both lines are values of one setting. The old value is reported first. */
static bool is_same_setting(const struct entry *x, const struct entry *y)
{
	const size_t key = strcspn(x->text, ":");

	return x->key == y->key && keys[x->key].single && strncmp(x->text, y->text, key + 1) == 0;
}

/* Merges the sorted lists, and reports lines that only one has. Returns their number. */
static size_t merge(const struct entries *a, const struct entries *b, urivet_on_message *on_message,
		    void *context)
{
	size_t i = 0, k = 0, count = 0;

	while (i < a->count || k < b->count) {
		int by = i == a->count ? 1 : k == b->count ? -1 : order(&a->entry[i], &b->entry[k]);

		if (by > 0 && i < a->count && is_same_setting(&a->entry[i], &b->entry[k]))
			by = -1;
		if (by != 0 && on_message != NULL)
			report_entry(by < 0 ? a : b, by < 0 ? &a->entry[i] : &b->entry[k],
				     by < 0 ? '-' : '+', on_message, context);
		count += by != 0;
		i += by <= 0;
		k += by >= 0;
	}
	return count;
}

size_t urivet_loaded_differences(const struct urivet_loaded *a, const struct urivet_loaded *b,
				 urivet_on_message *on_message, void *context)
{
	struct entries in_a, in_b;
	size_t count = SIZE_MAX;
	const bool good_a = collect(&in_a, a, b), good_b = collect(&in_b, b, a);

	if (good_a && good_b)
		count = merge(&in_a, &in_b, on_message, context);
	let_go(&in_a);
	let_go(&in_b);
	return count;
}
