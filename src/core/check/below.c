/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for paths are looked at only for inputs that the policy rejects without them. */
#include "check/below.h"

COLD uint64_t urivet_find_below(const struct urivet_path_rule **rule,
				const struct urivet_report *report, struct text t,
				struct text method, const struct urivet_policy *policy)
{
	const struct urivet_span path = report->uri.part[URIVET_PATH];
	const struct path_asked asked = {.t = within(t, path),
					 .start = path.offset,
					 .ends = span_end(path) == t.end,
					 .method = method};
	uint64_t waived = 0;
	if (urivet_has(&report->uri, URIVET_PATH))
		*rule = urivet_path_rule_for(policy, asked, &waived);
	return waived;
}

uint64_t urivet_waived_below(const struct urivet_report *report)
{
	return report->path_rule != NULL ? report->path_waived : 0;
}
