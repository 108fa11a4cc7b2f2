/* SPDX-License-Identifier: Apache-2.0 */
/* Schemes that are dangerous under every policy. */
#ifndef URIVET_SCHEMES_H
#define URIVET_SCHEMES_H

#include "text/text.h"

/* The rows of the table, the last for what begins with "ms-"; one scheme may have several. */
enum { URIVET_FAMILIES = 65 };

/* The finding that the k-th row has for the scheme that is t, or URIVET_F_NONE. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result < URIVET_FINDING_LIMIT; */
enum urivet_id urivet_scheme_family(struct text t, unsigned k);

/* Does any row have one? */
/*@ requires readable(t);
    assigns \nothing; */
bool urivet_is_dangerous_scheme(struct text t);

#endif
