/* SPDX-License-Identifier: Apache-2.0 */
/* Top-level domains: the names that the root zone of the DNS delegates. */
#ifndef URIVET_TLDS_H
#define URIVET_TLDS_H

#include "text/text.h"

/* Returns the offset of the last label in the name that fills t from `at` on. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
uint32_t urivet_last_label(struct text t, uint32_t at);

/* Returns true if that label is a top-level domain, ignoring letter case. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_has_tld(struct text t, uint32_t at);

#endif
