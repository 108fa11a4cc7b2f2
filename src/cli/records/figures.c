/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a report: kept, and added up. */
#include "cli/records/figures.h"
#include <stdlib.h>

bool figures_open(struct figures *figures, uint32_t samples)
{
	*figures = (struct figures){.samples = samples};
	figures->finding = calloc(URIVET_FINDING_LIMIT, sizeof *figures->finding);
	census_open(&figures->hosts, 0);
	census_open(&figures->schemes, 0);
	census_open(&figures->ports, 0);
	census_open(&figures->minutes, 0);
	figures->schemes.most = FIGURES_SCHEMES;
	return figures->finding != NULL;
}

static void forget_examples(struct figures_finding *finding)
{
	while (finding->first != NULL) {
		struct figures_example *example = finding->first;

		finding->first = example->next;
		free(example);
	}
}

void figures_close(struct figures *figures)
{
	for (unsigned id = 0; figures->finding != NULL && id < URIVET_FINDING_LIMIT; id++)
		forget_examples(&figures->finding[id]);
	free(figures->finding);
	census_free(&figures->hosts);
	census_free(&figures->schemes);
	census_free(&figures->ports);
	census_free(&figures->minutes);
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

/* The examples of a block move over, as far as there is room for them. */
static void merge_finding(struct figures_finding *all, struct figures_finding *block,
			  uint32_t samples)
{
	all->records += block->records;
	all->refusing += block->refusing;
	all->occurrences += block->occurrences;
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

static bool merge_census(struct census *all, struct census *block)
{
	const bool good = census_merge(all, block);

	census_clear(block);
	return good;
}

static bool merge_keys(struct figures *all, struct figures *block)
{
	const bool hosts = merge_census(&all->hosts, &block->hosts);
	const bool schemes = merge_census(&all->schemes, &block->schemes);
	const bool ports = merge_census(&all->ports, &block->ports);
	const bool minutes = merge_census(&all->minutes, &block->minutes);

	return hosts && schemes && ports && minutes;
}

/* Empties what is no list or census. */
static void clear_sums(struct figures *block)
{
	const struct figures kept = *block;

	*block = (struct figures){.samples = kept.samples,
				  .finding = kept.finding,
				  .hosts = kept.hosts,
				  .schemes = kept.schemes,
				  .ports = kept.ports,
				  .minutes = kept.minutes};
}

bool figures_merge(struct figures *all, struct figures *block)
{
	const bool good = merge_keys(all, block);

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
