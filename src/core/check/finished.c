/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on a finished report: adding findings of a layer above the library, and choosing what
 * to disclose. */
#include "check/below.h"
#include "check/check.h"
#include "policy/policy.h"

bool urivet_fit_report(struct urivet_report *report, size_t size)
{
	return urivet_fit(report, size, REPORT_LEAST, sizeof *report);
}

/* Reopens a closed report, to add findings by a usable policy. */
/*@ requires \valid(s) && \valid(report) && \valid_read(policy);
    assigns s->report, s->policy, s->below, s->in, s->refused;
    ensures s->report == report && s->policy == policy; */
static void reopen(struct subject *s, struct urivet_report *report,
		   const struct urivet_policy *policy)
{
	s->report = report;
	s->policy = policy;
	s->in = URIVET_IN_INPUT;
	s->below = urivet_waived_below(report);
	s->refused = report->verdict == URIVET_REJECT;
}

/*@ predicate closed(struct urivet_report *report) =
      \valid(report) && parts_in(&report->uri, URIVET_MAX_LENGTH); */

/* An unusable policy adds a finding itself, and is replaced by strict. */
/*@ requires report == \null || closed(report);
    requires policy == \null || \valid_read(policy);
    requires \separated(report, policy) && \separated(report, &urivet_strict);
    assigns report->verdict, report->count, report->dropped,
            report->finding[0 .. URIVET_MAX_FINDINGS - 1]; */
enum urivet_verdict urivet_add_finding(struct urivet_report *report, unsigned id,
				       enum urivet_component component, struct urivet_span where,
				       const struct urivet_policy *policy)
{
	struct subject s = {.report = NULL};
	const bool judged = is_strict_or_sound(policy);
	if (!urivet_is_filled(report))
		return URIVET_REJECT;
	if (urivet_finding_info(id) == NULL)
		return report->verdict;
	reopen(&s, report, judged && policy != NULL ? policy : &urivet_strict);
	if (!judged)
		urivet_add_anywhere(&s, URIVET_F_POLICY_INVALID, URIVET_WHOLE, span(0, 0));
	if ((unsigned)component >= URIVET_COMPONENTS)
		component = URIVET_WHOLE;
	s.in = urivet_source_of(&report->uri, component);
	urivet_add_anywhere(&s, id, component, where);
	//@ assert s.report == report && parts_in(&report->uri, URIVET_MAX_LENGTH);
	//@ assert readable(s.t) && inside(s.host, URIVET_MAX_LENGTH);
	//@ assert judging(&s);
	urivet_close(&s);
	return report->verdict;
}

/* Returns true if the finding is about an octet that is illegal there and prevents parsing. Waivers
 * make octets legal only after the authority, and an opaque query allows only some of the forbidden
 * ones. */
/*@ requires \valid_read(report) && \valid_read(finding) && \valid_read(policy);
    assigns \nothing; */
static bool is_illegal_there(const struct urivet_report *report,
			     const struct urivet_finding *finding,
			     const struct urivet_policy *policy)
{
	if (report->parsed || finding->class_ != URIVET_MALFORMED)
		return false;
	return finding->component < URIVET_PATH ||
	       (finding->id == URIVET_F_FORBIDDEN_CHAR &&
		!in_set(&policy->waived, URIVET_F_FORBIDDEN_CHAR));
}

bool urivet_finding_refuses(const struct urivet_report *report,
			    const struct urivet_finding *finding,
			    const struct urivet_policy *policy)
{
	if (!urivet_is_filled(report) || finding == NULL || finding->id >= URIVET_FINDING_LIMIT)
		return false;
	if (!is_strict_or_sound(policy))
		return finding->id == URIVET_F_POLICY_INVALID;
	if (policy == NULL)
		policy = &urivet_strict;
	if ((urivet_waived_below(report) & urivet_below_bit(finding->id)) != 0)
		return false;
	return urivet_refuses(policy, finding->id, finding->component) ||
	       is_illegal_there(report, finding, policy);
}

/* Returns true for findings of class malformed that are not about the spelling of the URI. */
/*@ assigns \nothing; */
static bool is_no_spelling(unsigned id)
{
	return id == URIVET_F_PEER_UNKNOWN || id == URIVET_F_POLICY_INVALID;
}

/* A rejected spelling may be disclosed, because the client that submitted the URI knows it. */
/*@ requires report == \null || closed(report);
    requires policy == \null || \valid_read(policy);
    requires report != \null ==> \forall integer k; 0 <= k < report->count ==>
      report->finding[k].id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
enum urivet_reason urivet_reason(const struct urivet_report *report,
				 const struct urivet_policy *policy)
{
	if (!urivet_is_filled(report) || !is_strict_or_sound(policy))
		return URIVET_REASON_NOT_ALLOWED;
	if (report->verdict == URIVET_ACCEPT)
		return URIVET_REASON_ACCEPTED;
	if (report->parsed && report->uri.present == 0) /* a peer has no spelling */
		return URIVET_REASON_NOT_ALLOWED;
	/*@ loop invariant k <= report->count;
	    loop assigns k;
	    loop variant report->count - k; */
	for (uint32_t k = 0; k < report->count; k++) {
		const struct urivet_finding *f = &report->finding[k];
		const bool spelling =
		    f->class_ == URIVET_MALFORMED || f->class_ == URIVET_AMBIGUOUS;
		if ((spelling && urivet_finding_refuses(report, f, policy) &&
		     !is_no_spelling(f->id)) ||
		    f->id == URIVET_F_URL_TOO_LONG)
			return URIVET_REASON_UNCLEAR;
	}
	return URIVET_REASON_NOT_ALLOWED;
}

/*@ assigns \nothing; */
const char *urivet_reason_name(unsigned reason)
{
	static const char *const reason_names[] = {"not-allowed", "accepted", "unclear"};
	return reason < sizeof reason_names / sizeof reason_names[0] ? reason_names[reason] : NULL;
}
