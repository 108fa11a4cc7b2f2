/* SPDX-License-Identifier: Apache-2.0 */
/* Orders findings by how much they matter. */
#include "cli/show/reasons.h"
#include "cli/show/examples.h"

#define CLASSES 5u
#define RANKS   4u

unsigned reason_weight(unsigned id, bool refuses)
{
	static const uint8_t place[CLASSES] = {[URIVET_MALFORMED] = 0,
					       [URIVET_DANGEROUS] = 1,
					       [URIVET_AMBIGUOUS] = 2,
					       [URIVET_POLICY] = 3,
					       [URIVET_NOTE] = 4};

	return (place[urivet_finding_info(id)->class_] + (refuses ? 0 : CLASSES)) * RANKS +
	       example_of(id).rank;
}

static unsigned weight_in(const struct item *item, unsigned i)
{
	const struct urivet_finding *finding = &item->report->finding[i];

	return reason_weight(finding->id,
			     urivet_finding_refuses(item->report, finding, item->policy));
}

void reasons_sort(uint8_t order[URIVET_MAX_FINDINGS], const struct item *item)
{
	for (uint8_t i = 0; i < item->report->count; i++) {
		uint8_t at = i;

		for (; at > 0 && weight_in(item, order[at - 1]) > weight_in(item, i); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

const struct urivet_finding *reason_of(const struct item *item)
{
	const struct urivet_report *report = item->report;
	uint8_t order[URIVET_MAX_FINDINGS] = {0};

	reasons_sort(order, item);
	return report->count > 0 && urivet_finding_refuses(report, &report->finding[order[0]],
							   item->policy)
		   ? &report->finding[order[0]]
		   : NULL;
}
