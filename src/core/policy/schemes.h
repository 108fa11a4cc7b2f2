/* SPDX-License-Identifier: Apache-2.0 */
/* Schemes that are dangerous under every policy. */
#ifndef URIVET_SCHEMES_H
#define URIVET_SCHEMES_H

#include "text/text.h"

/* The number of rows in the table. The last one matches the prefix "ms-". A scheme may have
 * several. */
enum { URIVET_FAMILIES = 67 };

/* Returns the first row from k on that matches the scheme which fills t from `at` on;
 * URIVET_FAMILIES if none does. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && k <= URIVET_FAMILIES;
    assigns \nothing;
    ensures k <= \result <= URIVET_FAMILIES; */
unsigned urivet_next_family(struct text t, uint32_t at, unsigned k);

/* Returns the finding of row k. */
/*@ requires k < URIVET_FAMILIES;
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
enum urivet_id urivet_family_finding(unsigned k);

#endif
