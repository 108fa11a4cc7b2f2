/* SPDX-License-Identifier: Apache-2.0 */
/* Orders the code points that a Punycode label decodes to as they stand in the label. */
#ifndef TESTS_PLACES_H
#define TESTS_PLACES_H

#include <string.h>

#include "uri/punycode.h"

static inline void put_in_place(struct code_points *points, const uint8_t places[PUNYCODE_POINTS])
{
	for (uint32_t k = 0; k < points->count; k++) {
		const uint32_t value = points->point[k];
		if (value < 0x80)
			continue; /* ASCII code points come first, and are in order */
		memmove(points->point + places[k] + 1, points->point + places[k],
		        sizeof value * (k - places[k]));
		points->point[places[k]] = value;
	}
}

#endif
