/* SPDX-License-Identifier: Apache-2.0 */
/* Judges references against a base. */
#include <urivet/reference.h>

#include "check/check.h"
#include "check/origin.h"
#include "check/values.h"
#include "policy/policy.h"
#include "reference/resolve.h"

/* ---- Origins ------------------------------------------------------------------------ */

bool urivet_asks_for_origin(const struct urivet_policy *policy, uint32_t options)
{
	return (options & URIVET_REFERENCE_SAME_ORIGIN) != 0 ||
	       (policy != NULL && can_be_judged_by(policy) && is_on(policy, URIVET_F_CROSS_ORIGIN));
}

enum urivet_verdict urivet_keep_origin(struct urivet_report *report, struct urivet_text base,
				       struct urivet_text target,
				       const struct urivet_policy *policy)
{
	enum urivet_component where;
	struct urivet_span found;
	if (!report->parsed) /* unreadable targets get no more findings */
		return report->verdict;
	found = urivet_leaves_origin(base, target, &report->uri, &where);
	if (where == URIVET_COMPONENTS)
		return report->verdict;
	return urivet_add_finding(report, URIVET_F_CROSS_ORIGIN, where, found, policy);
}

/* ---- Judging the target ---------------------------------------------------------------- */

COLD struct urivet_text urivet_target_of(char *out, size_t capacity, const struct urivet_text *base,
					 const struct urivet_text *reference)
{
	enum urivet_resolved how;
	const size_t length = urivet_resolve(out, capacity, URIVET_READER_RFC3986, *base,
					     *reference, false, &how);
	if (how == URIVET_UNRESOLVED)
		return urivet_text_of(NULL, 0);
	return urivet_text_of(out, length < capacity ? length : (size_t)URIVET_MAX_LENGTH + 1);
}

COLD bool urivet_is_apart(const struct urivet_text *target, const struct urivet_text *base,
			  const struct urivet_text *reference)
{
	return target->data != NULL && target->length <= URIVET_MAX_LENGTH &&
	       urivet_resolves_apart(*target, *base, *reference);
}

COLD enum urivet_verdict urivet_end_reference(struct urivet_report *report,
					      struct urivet_text target, struct urivet_text base,
					      bool apart, uint32_t options,
					      const struct urivet_policy *policy)
{
	if (target.length > URIVET_MAX_LENGTH)
		return report->verdict;
	if (apart)
		(void)urivet_add_finding(report, URIVET_F_RESOLUTION_AMBIGUOUS, URIVET_WHOLE,
					 span(0, (uint32_t)target.length), policy);
	if (urivet_asks_for_origin(policy, options))
		return urivet_keep_origin(report, base, target, policy);
	return report->verdict;
}

/* Refuses unknown options as an invalid policy. */
static COLD enum urivet_verdict refuse_options(struct urivet_report *report, size_t size)
{
	(void)urivet_refuse_policy(report);
	report->size = (uint32_t)size;
	return report->verdict;
}

enum urivet_verdict urivet_check_reference_sized(struct urivet_report *report, size_t size,
						 char *out, size_t capacity,
						 struct urivet_text base,
						 struct urivet_text reference, uint32_t options,
						 const struct urivet_policy *policy)
{
	struct urivet_text target;
	if (!urivet_fit_report(report, size))
		return URIVET_REJECT;
	if ((options & ~(uint32_t)URIVET_REFERENCE_SAME_ORIGIN) != 0)
		return refuse_options(report, size);
	target = urivet_target_of(out, capacity, &base, &reference);
	(void)urivet_check_url(report, size, target.data, target.length, policy);
	(void)urivet_judge_values(report, target, NULL, policy);
	return urivet_end_reference(report, target, base,
				    urivet_is_apart(&target, &base, &reference), options, policy);
}
