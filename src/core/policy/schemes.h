/* SPDX-License-Identifier: Apache-2.0 */
/* Schemes that are dangerous under every policy. */
#ifndef URIVET_SCHEMES_H
#define URIVET_SCHEMES_H

#include "text/text.h"

/* The number of rows in the table. The last one matches the prefix "ms-". A scheme may have
 * several. */
enum { URIVET_FAMILIES = 65 };

/* Returns the finding of row k for the scheme t, or URIVET_F_NONE. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
enum urivet_id urivet_scheme_family(struct text t, unsigned k);

/* Returns true if any row matches the scheme. */
/*@ requires readable(t);
    assigns \nothing; */
bool urivet_is_dangerous_scheme(struct text t);

#endif
