/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For urivet/gate, in place of what is known of international names, which is half of what would be
 * sent to a browser: a host with a character beyond ASCII, raw, escaped or as an A-label, is one that
 * readers disagree on. wasm.c refuses it whatever the policy waives, and policies that protect names
 * cannot be judged by.
 */
#include "check/values.h"
#include "policy/protected.h"
#include "rules/rules.h"

void urivet_rules_idn(struct subject *s, bool alabels)
{
	if (alabels || (s->seen.in[URIVET_HOST] & (HIGH | PERCENT)) != 0)
		add_in_host(s, URIVET_F_IDN_READERS_DISAGREE, s->host.offset, span_end(s->host));
}

void urivet_rules_looks(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
}

bool urivet_may_imitate(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	return true;
}

bool urivet_protected_in_order(const struct urivet_policy *policy)
{
	return policy->protect_count == 0;
}

bool urivet_protected_mean(const struct urivet_policy *policy, bool compiled)
{
	return policy->protect_count == 0;
}

/* Policies with rules for parameters are not opened; without them nothing is left to judge. */
enum urivet_verdict urivet_judge_values(struct urivet_report *report, struct urivet_text text,
					const struct urivet_request *request,
					const struct urivet_policy *policy)
{
	return report->verdict;
}

bool urivet_judges_a_value(const struct subject *s)
{
	return s->policy->parameter_count > 0;
}

bool urivet_judges_a_value_in(const struct urivet_policy *policy, struct text t)
{
	return policy->parameter_count > 0;
}
