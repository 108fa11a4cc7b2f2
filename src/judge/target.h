/* SPDX-License-Identifier: Apache-2.0 */
/* A path, query and fragment that are judged without the origin that they stay on. */
#ifndef URIVET_TARGET_H
#define URIVET_TARGET_H

#include "judge/check.h"

/* Fills the report of a text that is a path, whatever it begins with, query and fragment. False if
 * the text was not read, for its length or the policy. */
/*@ requires given(report, policy);
    assigns *report; */
bool urivet_judge_path(struct urivet_report *report, struct urivet_text text,
		       const struct urivet_policy *policy);

#endif
