/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a path, query and fragment without their origin. */
#ifndef URIVET_TARGET_H
#define URIVET_TARGET_H

#include "check/check.h"

/* Fills the report, which has `size` octets, for a text that consists of a path, a query and a
 * fragment. The path may begin with any octet. */
/*@ requires given(report, policy);
    assigns *report; */
void urivet_judge_path(struct urivet_report *report, size_t size, struct urivet_text text,
		       const struct urivet_policy *policy);

#endif
