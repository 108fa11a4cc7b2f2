/* SPDX-License-Identifier: Apache-2.0 */
/* A path, query and fragment that are judged without the origin that they stay on. */
#ifndef URIVET_TARGET_H
#define URIVET_TARGET_H

#include "judge/check.h"

/* Fills the report, which has `size` octets, of a text that is a path, whatever it begins with,
 * query and fragment. */
/*@ requires given(report, policy);
    assigns *report; */
void urivet_judge_path(struct urivet_report *report, size_t size, struct urivet_text text,
		       const struct urivet_policy *policy);

#endif
