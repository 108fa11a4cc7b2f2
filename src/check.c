/* SPDX-License-Identifier: Apache-2.0 */
/* The flow of a judgement, nothing else: door, cut, match, rules, close. */
#include "check.h"

#include "plain.h"
#include "policy.h"
#include "rules.h"

bool urivet_open(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		 const struct urivet_policy *policy)
{
	uint32_t limit;
	s->report = report;
	s->policy = policy != NULL ? policy : &urivet_policy_strict;
	s->refused = false;
	s->host = span(0, 0);
	report->verdict = URIVET_REJECT;
	report->parsed = false;
	report->count = 0;
	report->dropped = 0;
	report->host_rule = NULL;
	report->address_rule = NULL;
	report->port_rule = NULL;
	report->address_row = NULL;
	if (s->policy->size != sizeof *s->policy)
		return false;
	limit =
	    s->policy->max_length < URIVET_MAX_LENGTH ? s->policy->max_length : URIVET_MAX_LENGTH;
	if (length > limit) {
		urivet_add(s, URIVET_F_URL_TOO_LONG, URIVET_WHOLE, limit,
			   length < UINT32_MAX ? (uint32_t)length : UINT32_MAX);
		return false;
	}
	s->t.data = data;
	s->t.end = (uint32_t)length;
	return true;
}

void urivet_judge_authority(struct subject *s)
{
	urivet_rules_userinfo(s);
	urivet_rules_host(s);
	urivet_rules_port(s);
}

void urivet_judge(struct subject *s)
{
	struct urivet_report *r = s->report;
	const struct leniency lenient = urivet_policy_leniency(s->policy);
	uint32_t misfit;
	urivet_cut(s->t, CUT_REFERENCE, &r->uri, &s->seen);
	s->host = r->uri.part[URIVET_HOST];
	s->web = r->uri.scheme != URIVET_SCHEME_OTHER;
	r->parsed = urivet_match(s->t, &r->uri, &s->seen, &lenient, &misfit);
	urivet_rules_octets(s);
	urivet_rules_scheme(s);
	urivet_judge_authority(s);
	urivet_rules_escapes(s);
	urivet_rules_path(s);
	urivet_rules_query(s);
	urivet_rules_tail(s);
}

/* A policy has no word on a plain URL but about its name, unless it has these rules. */
static bool may_be_plain(const struct urivet_policy *policy)
{
	return !is_on(policy, URIVET_F_SCHEME_PLAINTEXT) &&
	       !is_on(policy, URIVET_F_QUERY_EXFILTRATION) &&
	       !is_on(policy, URIVET_F_FRAGMENT_PRESENT);
}

enum urivet_verdict urivet_check(struct urivet_report *report, const void *data, size_t length,
				 const struct urivet_policy *policy)
{
	struct subject s;
	if (urivet_open(&s, report, data, length, policy)) {
		if (may_be_plain(s.policy) && urivet_is_plain(&s))
			urivet_rules_name(&s, report->uri.part[URIVET_HOST], LOWER);
		else
			urivet_judge(&s);
		urivet_close(&s);
	}
	return report->verdict;
}

bool urivet_ok(const void *data, size_t length)
{
	struct urivet_report report;
	return urivet_check(&report, data, length, NULL) == URIVET_ACCEPT;
}
