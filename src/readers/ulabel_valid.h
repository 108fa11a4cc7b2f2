/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a label valid: UTS 46, section 4.1, and RFC 5893, section 2. */
#ifndef URIVET_ULABEL_VALID_H
#define URIVET_ULABEL_VALID_H

#include "readers/ulabel.h"

/* Criteria 6 to 8: no mark first, every code point valid, ZWNJ and ZWJ only where scripts need
 * them. That it is in Normalization Form C is for the caller to see. Linear. */
bool urivet_ulabel_is_valid(const struct ulabel *l);

/* How a label stands to the Bidi Rule. */
struct bidi {
	bool
	    right_to_left; /* it has a character of R, AL or AN: the domain is a Bidi domain name */
	bool obeys;        /* the six conditions of RFC 5893, section 2 */
};

/* Of a label that is not empty. Linear. */
struct bidi urivet_ulabel_bidi(const struct ulabel *l);

#endif
