/* SPDX-License-Identifier: Apache-2.0 */
/* What rules for paths waive for an input that the policy rejects without them. */
#ifndef URIVET_BELOW_H
#define URIVET_BELOW_H

#include "policy/path_rules.h"
#include "report/report.h"

/* Returns what the policy's rules for paths waive for an input that was rejected, by its report:
 * see urivet_below_bit(). Sets *rule to the one with the longest prefix. Returns 0 if there is
 * none. */
/*@ requires \valid(rule) && \valid_read(report) && \valid_read(policy);
    requires readable(t) && readable(method) && parts_in(&report->uri, URIVET_MAX_LENGTH);
    requires \separated(rule, report, policy);
    assigns *rule; */
uint64_t urivet_find_below(const struct urivet_path_rule **rule, const struct urivet_report *report,
			   struct text t, struct text method, const struct urivet_policy *policy);

/* Returns what rules for paths waived for the report's input. */
/*@ requires \valid_read(report);
    assigns \nothing; */
uint64_t urivet_waived_below(const struct urivet_report *report);

#endif
