/* SPDX-License-Identifier: Apache-2.0 */
/* Stores and merges the statistics of a report. */
#include "cli/records/figures.h"
#include <stdlib.h>

bool figures_open_for(void *made, const void *total)
{
	const struct figures *all = total;
	struct figures *block = made;

	*block = (struct figures){.samples = all->samples};
	block->finding = calloc(URIVET_FINDING_LIMIT, sizeof *block->finding);
	for (size_t i = 0; i < FIGURES_CENSUSES; i++)
		(void)census_open_for(&block->census[i], &all->census[i]);
	return block->finding != NULL;
}

bool figures_open(struct figures *figures, uint32_t samples)
{
	struct figures total = {.samples = samples};

	for (size_t i = 0; i < FIGURES_CENSUSES; i++)
		census_open(&total.census[i], 0);
	total.schemes.most = FIGURES_SCHEMES;
	return figures_open_for(figures, &total);
}

static void forget_examples(struct figures_finding *finding)
{
	while (finding->first != NULL) {
		struct figures_example *example = finding->first;

		finding->first = example->next;
		free(example);
	}
}

void figures_close(void *made)
{
	struct figures *figures = made;

	for (unsigned id = 0; figures->finding != NULL && id < URIVET_FINDING_LIMIT; id++)
		forget_examples(&figures->finding[id]);
	free(figures->finding);
	for (size_t i = 0; i < FIGURES_CENSUSES; i++)
		census_free(&figures->census[i]);
	figures->finding = NULL;
}

bool figures_wants(const struct figures_finding *finding, uint32_t samples, uint64_t hash)
{
	if (finding->examples >= samples)
		return false;
	for (const struct figures_example *at = finding->first; at != NULL; at = at->next) {
		if (at->hash == hash)
			return false;
	}
	return true;
}

void figures_keep(struct figures_finding *finding, struct figures_example *example)
{
	example->next = NULL;
	if (finding->last != NULL)
		finding->last->next = example;
	else
		finding->first = example;
	finding->last = example;
	finding->examples++;
}

/* Moves the examples of a block to the total, as far as there is room. */
static void merge_finding(struct figures_finding *all, struct figures_finding *block,
			  uint32_t samples)
{
	all->records += block->records;
	all->refusing += block->refusing;
	all->occurrences += block->occurrences;
	all->hash += block->hash;
	while (block->first != NULL) {
		struct figures_example *example = block->first;

		block->first = example->next;
		if (figures_wants(all, samples, example->hash))
			figures_keep(all, example);
		else
			free(example);
	}
	*block = (struct figures_finding){0};
}

/* Clears all members except lists and censuses. */
static void clear_sums(struct figures *block)
{
	const struct figures kept = *block;

	*block = (struct figures){.samples = kept.samples, .finding = kept.finding};
	memcpy(block->census, kept.census, sizeof block->census);
}

bool figures_merge(void *total, void *made)
{
	struct figures *all = total, *block = made;
	bool good = true;

	for (size_t i = 0; i < FIGURES_CENSUSES; i++)
		good = census_merge(&all->census[i], &block->census[i]) && good;
	split_sum(&all->records, block->records);
	all->noted += block->noted;
	all->octets += block->octets;
	all->longest = block->longest > all->longest ? block->longest : all->longest;
	all->dropped += block->dropped;
	all->timeless += block->timeless;
	for (unsigned i = 0; i < FIGURES_CLASSES; i++)
		all->refused_by[i] += block->refused_by[i];
	for (unsigned i = 0; i < FIGURES_LENGTHS; i++)
		split_sum(&all->lengths[i], block->lengths[i]);
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		merge_finding(&all->finding[id], &block->finding[id], all->samples);
	clear_sums(block);
	return good;
}
