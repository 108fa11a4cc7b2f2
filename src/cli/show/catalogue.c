/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a table of what findings.def has beside the library's rows, and orders findings by it. */
#include "cli/show/catalogue.h"

#define CLASSES 5u
#define RANKS   4u

struct example example_of(unsigned id)
{
#define TEXT(string) {(const uint8_t *)(string), sizeof(string) - 1}
#define FINDING_AS(policy, name, number, id, class_, component, reference, fires, misses, text,    \
		   rank, next)                                                                     \
	[number] = {#policy, TEXT(fires), TEXT(misses), rank, next},
#define FINDING(...) FINDING_AS(strict, __VA_ARGS__)
	static const struct example examples[URIVET_FINDING_LIMIT] = {
#include <urivet/findings.def>
	};

	return examples[id];
}

unsigned weight_of(unsigned id, bool refuses)
{
	static const uint8_t place[CLASSES] = {
	    [URIVET_DANGEROUS] = 1, [URIVET_AMBIGUOUS] = 2, [URIVET_POLICY] = 3, [URIVET_NOTE] = 4};

	return (place[urivet_finding_info(id)->class_] + (refuses ? 0 : CLASSES)) * RANKS +
	       example_of(id).rank;
}

const struct urivet_finding *sort_findings(uint8_t order[URIVET_MAX_FINDINGS],
					   const struct item *item)
{
	const struct urivet_report *report = item->report;
	unsigned weights[URIVET_MAX_FINDINGS] = {0};

	for (uint32_t i = 0; i < report->count; i++) {
		const struct urivet_finding *finding = &report->finding[i];
		const unsigned weight =
		    weight_of(finding->id, urivet_finding_refuses(report, finding, item->policy));
		uint32_t at = i;

		for (; at > 0 && weights[at - 1] > weight; at--) {
			weights[at] = weights[at - 1];
			order[at] = order[at - 1];
		}
		weights[at] = weight;
		order[at] = (uint8_t)i;
	}
	return report->count > 0 && weights[0] < CLASSES * RANKS ? &report->finding[order[0]]
								 : NULL;
}
