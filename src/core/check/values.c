/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges the values of parameters by the rules of a policy, after the rest of the input.
 *
 * Decoded values, their reports and the policies that judge them lie in the room of the report.
 * Without it, or where it does not suffice, values are rejected and nothing is allowed in them.
 */
#include "check/values.h"

#include <string.h>

#include "check/check.h"
#include "check/query.h"
#include "check/target.h"
#include "policy/parameter_rules.h"

/* What the room of a report is used for. */
struct work {
	struct urivet_policy by; /* judges values, or the input with what is allowed waived */
	struct short_report inner;
	char text[URIVET_ROOM - sizeof(struct urivet_policy) - sizeof(struct short_report)];
};
_Static_assert(sizeof(struct work) <= URIVET_ROOM, "the work fits the room");

/* An input with its report, while values are judged. */
struct values {
	struct urivet_report *report;
	struct urivet_text text;
	const struct urivet_request *request;
	const struct urivet_policy *policy;
	struct work *work; /* NULL: the report has no room */
};

/* Returns the octets after the first "?" of a text, up to a "#". Data is NULL if there is no "?".
 * */
static struct urivet_text query_in(struct text t)
{
	const struct text before = until(t, find(t, 0, HASH));
	const uint32_t mark = find(before, 0, QUESTION);
	if (mark == before.end)
		return urivet_text_of(NULL, 0);
	return urivet_text_of((const char *)t.data + mark + 1, before.end - mark - 1);
}

/* ---- Findings that values may have ------------------------------------------------------ */

/* Returns the length of a bracket, raw or percent-encoded, at the offset; 0 if there is none. */
static uint32_t bracket_length(struct text t, uint32_t at, unsigned bracket)
{
	if (octet(t, at) == bracket)
		return 1;
	return octet(t, at) == '%' && octet(t, at + 1) == '5' &&
		       lower(octet(t, at + 2)) == (bracket == '[' ? 'b' : 'd')
		   ? 3
		   : 0;
}

/* Returns true if the octets of a name in a query are those of the rule, before any decoding.
 * Brackets may be percent-encoded, as browsers do. "name[*]" is every name that begins with "name["
 * and ends with a bracket. */
static bool is_written(struct text name, struct text t, uint32_t at)
{
	const bool members = name.end > 3 && is_word(name, name.end - 3, "[*]");
	const uint32_t end = members ? name.end - 2 : name.end;
	for (uint32_t k = 0; k < end; k++) {
		const unsigned c = octet(name, k);
		const uint32_t taken =
		    c == '[' || c == ']' ? bracket_length(t, at, c) : octet(t, at) == c;
		if (taken == 0)
			return false;
		at += taken;
	}
	if (!members)
		return at == t.end;
	return at < t.end && (octet(t, t.end - 1) == ']' ||
			      (t.end - at >= 3 && bracket_length(t, t.end - 3, ']') == 3));
}

/* Returns true if the rule allows findings in the value of this parameter. A value with a ";" has
 * two readings: where it separates parameters, the rest is another one. */
static bool allows_in(const struct urivet_parameter_rule *r, struct text query,
		      const struct urivet_parameter *p)
{
	const struct text value = within(query, p->value);
	return p->value.length > 0 && p->name.length > 0 && urivet_allows_in_values(r) &&
	       is_written(parameter_name(r), within(query, p->name), p->name.offset) &&
	       find(value, p->value.offset, SEMICOLON) == value.end;
}

static bool allows_the_same(const struct urivet_parameter_rule *a,
			    const struct urivet_parameter_rule *b)
{
	return memcmp(&a->allowed, &b->allowed, sizeof a->allowed) == 0;
}

/* Returns true if a rule allows findings in the value of this parameter. *shows is set if one that
 * allows the same as the rule `shown` does. */
static bool is_allowed_in(const struct values *v, const struct urivet_parameter_rule *shown,
			  struct text query, const struct urivet_parameter *p, bool *shows)
{
	bool allowed = false;
	*shows = false;
	for (uint32_t k = 0; k < v->policy->parameter_count && !*shows; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(v->policy, k);
		if (!allows_in(r, query, p))
			continue;
		allowed = true;
		*shows = shown != NULL && allows_the_same(r, shown);
	}
	return allowed;
}

/* Copies the input, with letters for the values in which rules allow findings, except where one
 * allows the same as the rule `shown`. Returns true if there are values that are shown, or any to
 * mask if `shown` is NULL. */
static bool mask_values(const struct values *v, const struct urivet_parameter_rule *shown)
{
	const struct text t = text_of(v->text.data, (uint32_t)v->text.length);
	const struct urivet_text whole = query_in(t);
	const struct text query = text_of(whole.data, (uint32_t)whole.length);
	struct urivet_parameter_scan scan = {whole.data, whole.length, 0, false};
	struct urivet_parameter p;
	char *copy = v->work->text;
	bool any = false, shows;
	if (whole.data == NULL)
		return false;
	memcpy(copy, v->text.data, v->text.length);
	copy += (const char *)whole.data - (const char *)v->text.data;
	while (urivet_parameter_next(&scan, &p)) {
		const bool allowed = is_allowed_in(v, shown, query, &p, &shows);
		any = any || (shown != NULL ? shows : allowed);
		if (allowed && !shows)
			memset(copy + p.value.offset, 'a', p.value.length);
	}
	return any;
}

/* Returns true if the copy of the input is accepted, with the findings waived that the rule allows
 * (NULL: none). */
static bool accepts_copy(const struct values *v, const struct urivet_parameter_rule *r)
{
	struct urivet_report *const inner = urivet_report_in(&v->work->inner);
	const struct urivet_text text = urivet_text_of(v->work->text, v->text.length);
	struct urivet_policy *const by = &v->work->by;
	*by = *v->policy;
	if (r != NULL)
		waive_allowed(by, r);
	if (v->request != NULL)
		(void)urivet_check_target(inner, URIVET_REPORT_OCTETS, text, v->request, by);
	else
		(void)urivet_check_url(inner, URIVET_REPORT_OCTETS, text.data, text.length, by);
	return inner->verdict == URIVET_ACCEPT;
}

/* Returns true if rules could allow every finding that rejects. */
static bool refuses_what_can_be_allowed(const struct values *v)
{
	const struct urivet_report *report = v->report;
	for (uint32_t k = 0; k < report->count; k++)
		if (urivet_finding_refuses(report, &report->finding[k], v->policy) &&
		    !urivet_may_be_in_value(report->finding[k].id))
			return false;
	return report->dropped == 0;
}

/* Returns true if the rule allows anything, and no earlier one allows the same. */
static bool allows_first(const struct urivet_policy *policy, uint32_t at)
{
	const struct urivet_parameter_rule *r = parameter_rule_at(policy, at);
	uint32_t k = 0;
	while (!allows_the_same(parameter_rule_at(policy, k), r))
		k++;
	return k == at && urivet_allows_in_values(r);
}

/* Accepts an input that is rejected only for what rules allow in values. It has to be accepted, for
 * each set of findings that rules allow, with their values shown and these findings waived, and
 * with all these values masked. The report is then that of the masked input. */
static void allow_in_values(const struct values *v)
{
	if (v->work == NULL || v->text.length > sizeof v->work->text ||
	    !refuses_what_can_be_allowed(v))
		return;
	for (uint32_t k = 0; k < v->policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(v->policy, k);
		if (allows_first(v->policy, k) && mask_values(v, r) && !accepts_copy(v, r))
			return;
	}
	if (!mask_values(v, NULL) || !accepts_copy(v, NULL))
		return;
	memcpy(v->report, &v->work->inner, URIVET_REPORT_OCTETS);
	v->report->size = sizeof *v->report;
	v->report->parameter_allowed = true;
}

/* ---- Values that are URLs or paths ------------------------------------------------------ */

/* The rules that select the parameters of one rule of the policy. */
struct selection {
	struct urivet_parameter_rules rules;
	struct urivet_text name;
};

static void select_by(struct selection *by, const struct urivet_parameter_rule *r)
{
	by->name = urivet_parameter_rule_name(r);
	by->rules = (struct urivet_parameter_rules){.size = sizeof by->rules,
						    .names = &by->name,
						    .count = !is_for_all_parameters(r),
						    .times = r->times,
						    .same_origin = r->same_origin,
						    .absolute = r->absolute,
						    .any_case = r->any_case,
						    .semicolons = r->semicolons};
}

/* Returns true if the rule accepts the selected parameter. */
static bool accepts(const struct values *v, const struct urivet_parameter_rule *r, struct query *q,
		    struct selection *by, const struct urivet_parameter *p)
{
	struct urivet_parameter_texts texts = {{NULL, 0}, {NULL, 0}};
	enum urivet_parameter_result result;
	if (v->work == NULL || !urivet_policy_of_values(&v->work->by, r))
		return false;
	by->rules.policy = &v->work->by;
	result = urivet_judge_parameter(urivet_report_in(&v->work->inner), URIVET_REPORT_OCTETS, q,
					p, &texts);
	return result == URIVET_PARAMETER_NOT_ASKED ||
	       (result == URIVET_PARAMETER_ACCEPTED &&
		(!r->rooted || urivet_is_rooted(texts.value)));
}

/* Returns the first rule that rejects the parameter, or NULL. Counts what each rule judges. */
static const struct urivet_parameter_rule *
rejecting_rule(const struct values *v, struct query *q, const struct urivet_parameter *p,
	       bool semicolons, uint16_t judged[URIVET_PARAMETER_RULES_MOST])
{
	for (uint32_t k = 0; k < v->policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(v->policy, k);
		struct selection by;
		if (!r->judges || r->semicolons != semicolons)
			continue;
		select_by(&by, r);
		q->rules = &by.rules;
		if (urivet_is_selected(q, p) &&
		    (judged[k]++ >= URIVET_MAX_PARAMETERS || !accepts(v, r, q, &by, p)))
			return r;
	}
	return NULL;
}

/* Judges the values that rules select. Parameters are separated by ";" as well for some rules. */
static void judge_query(const struct values *v, struct query *q, bool semicolons)
{
	const struct urivet_span whole = v->report->uri.part[URIVET_QUERY];
	struct urivet_parameter_scan scan = {q->text.data, q->text.length, 0, semicolons};
	uint16_t judged[URIVET_PARAMETER_RULES_MOST] = {0};
	struct urivet_parameter p;
	while (urivet_parameter_next(&scan, &p)) {
		const struct urivet_parameter_rule *const r =
		    rejecting_rule(v, q, &p, semicolons, judged);
		if (r == NULL)
			continue;
		p.value.offset += whole.offset;
		(void)urivet_add_finding(v->report, URIVET_F_PARAM_REFUSED, URIVET_QUERY, p.value,
					 v->policy);
		if (v->report->parameter_rule == NULL)
			v->report->parameter_rule = r;
	}
}

/* Judges the values of a report that was parsed. */
static void judge_parsed(const struct values *v)
{
	const struct urivet_parameter_input input = {
	    .text = v->text,
	    .request = v->request,
	    .buffer = v->work != NULL ? v->work->text : NULL,
	    .capacity = v->work != NULL ? sizeof v->work->text : 0};
	struct query q = urivet_begin_query(v->report, &input);
	q.most = URIVET_PARAMETER_VALUE_MOST;
	if (q.text.data == NULL)
		return;
	if (!urivet_find_base(&q, &v->report->uri, &input))
		q.left = 0; /* no room for any value either: all are rejected */
	judge_query(v, &q, false);
	judge_query(v, &q, true);
}

/* Judges the values of an input, by a policy that is usable. */
static COLD void judge(const struct values *v)
{
	if (v->report->verdict == URIVET_REJECT)
		allow_in_values(v);
	if (v->report->parsed)
		judge_parsed(v);
}

enum urivet_verdict urivet_judge_values(struct urivet_report *report, struct urivet_text text,
					const struct urivet_request *request,
					const struct urivet_policy *policy)
{
	struct values v = {report, text, request, policy, NULL};
	if (policy == NULL || !has_parameter_rules(policy) || !can_be_judged_by(policy))
		return report->verdict;
	if (report->size >= sizeof *report)
		v.work = (struct work *)(void *)report->room;
	judge(&v);
	return report->verdict;
}

bool urivet_judges_a_value(const struct urivet_policy *policy, struct text t)
{
	struct query q = {.text = query_in(t)};
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *const r = parameter_rule_at(policy, k);
		struct urivet_parameter_scan scan = {q.text.data, q.text.length, 0, r->semicolons};
		struct urivet_parameter p;
		struct selection by;
		select_by(&by, r);
		q.rules = &by.rules;
		while (r->judges && urivet_parameter_next(&scan, &p))
			if (urivet_is_selected(&q, &p))
				return true;
	}
	return false;
}
