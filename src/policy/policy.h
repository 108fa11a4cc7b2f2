/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules ask of a policy. */
#ifndef URIVET_POLICY_H
#define URIVET_POLICY_H

#include "report/report.h"

/* The octets that a URL has at most by strict. */
#define STRICT_LENGTH 8192

/* What its waivers make legal beside the grammar. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
struct leniency urivet_policy_leniency(const struct urivet_policy *policy);

#endif
