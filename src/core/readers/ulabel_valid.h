/* SPDX-License-Identifier: Apache-2.0 */
/* Validity of labels: UTS 46, section 4.1, and RFC 5893, section 2. */
#ifndef URIVET_ULABEL_VALID_H
#define URIVET_ULABEL_VALID_H

#include "readers/ulabel.h"

/* Returns true if the label meets criteria 6 to 8: no mark first, every code point valid, and ZWNJ
 * and ZWJ only where scripts need them. The caller checks Normalization Form C. Time is linear. */
bool urivet_ulabel_is_valid(const struct ulabel *l);

/* Properties of a label for the Bidi Rule. */
struct bidi {
	bool right_to_left; /* it has R, AL or AN, so the domain is a Bidi domain name */
	bool obeys;         /* it meets the six conditions of RFC 5893, section 2 */
};

/* Returns the properties of a non-empty label in linear time. */
struct bidi urivet_ulabel_bidi(const struct ulabel *l);

#endif
