/* SPDX-License-Identifier: Apache-2.0 */
/* The flow of a judgement, for urivet_check() and its kin. */
#ifndef URIVET_CHECK_H
#define URIVET_CHECK_H

#include "report.h"

/* Empties the report and takes the input in. False: it is refused at the door
 * (an unknown policy, or too long), and the report is complete. */
bool urivet_open(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		 const struct urivet_policy *policy);

/* Cuts and matches the input as a URI reference, and applies every rule. */
void urivet_judge(struct subject *s);

/* The rules of userinfo, host and port, on the authority that was cut. */
void urivet_judge_authority(struct subject *s);

#endif
