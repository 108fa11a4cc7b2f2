/* SPDX-License-Identifier: Apache-2.0 */
/* Judges request targets, and paths without their origin. */
#ifndef URIVET_TARGET_H
#define URIVET_TARGET_H

#include "check/check.h"

/* Judges a target as urivet_check_request_sized() does, but not the values of its parameters, into
 * a report of any size that suffices. Returns its form. */
/*@ requires given(report, policy) && (request == \null || \valid_read(request));
    requires \separated(report, policy, request, &urivet_strict);
    assigns *report; */
enum urivet_target_form urivet_check_target(struct urivet_report *report, size_t size,
					    struct urivet_text target,
					    const struct urivet_request *request,
					    const struct urivet_policy *policy);

/* Fills the report, which has `size` octets, for a text that consists of a path, a query and a
 * fragment. The path may begin with any octet. */
/*@ requires given(report, policy);
    assigns *report; */
void urivet_judge_path(struct urivet_report *report, size_t size, struct urivet_text text,
		       const struct urivet_policy *policy);

#endif
