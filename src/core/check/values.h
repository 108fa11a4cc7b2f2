/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the values of parameters by the rules of a policy. */
#ifndef URIVET_VALUES_H
#define URIVET_VALUES_H

#include "report/report.h"

/* Completes the report of a text, which was made without the policy's rules for parameters.
 * `request` is the one of a target, NULL for a URL. Returns the verdict. */
/*@ requires \valid(report) && (policy == \null || \valid_read(policy));
    requires request == \null || \valid_read(request);
    assigns *report; */
enum urivet_verdict urivet_judge_values(struct urivet_report *report, struct urivet_text text,
					const struct urivet_request *request,
					const struct urivet_policy *policy);

/* Returns true if a rule of the policy reads the value of a parameter of the URL or requires it. */
/*@ requires judging(s) && readable(s->t);
    assigns \nothing; */
bool urivet_judges_a_value(const struct subject *s);

/* As above, for a text. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing; */
bool urivet_judges_a_value_in(const struct urivet_policy *policy, struct text t);

#endif
