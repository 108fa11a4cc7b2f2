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
#include "text/words.h"

#define WORK_ROOM 9600

/* The rules that select the parameters of one rule of the policy. */
struct selection {
	struct urivet_parameter_rules rules;
	struct urivet_text name;
};

/* What the room of a report is used for: all that is needed while values are judged, so that little
 * of the stack is. */
struct work {
	struct urivet_report *report;
	struct urivet_text text; /* the input that the report is about */
	const struct urivet_request *request;
	const struct urivet_policy *policy;

	struct query query;
	struct urivet_parameter_scan scan;
	struct urivet_parameter parameter;
	struct urivet_parameter_texts texts;
	struct selection selection;
	uint16_t judged[URIVET_PARAMETER_RULES_MOST]; /* values, by each rule */
	struct urivet_policy by; /* judges values, or the input with what is allowed waived */
	struct short_report inner;
	char room[WORK_ROOM]; /* for decoded values, and copies of the input */
};
_Static_assert(sizeof(struct work) <= URIVET_ROOM, "the work fits the room");

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
static bool is_allowed_in(const struct work *w, const struct urivet_parameter_rule *shown,
			  struct text query, const struct urivet_parameter *p, bool *shows)
{
	bool allowed = false;
	*shows = false;
	for (uint32_t k = 0; k < w->policy->parameter_count && !*shows; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(w->policy, k);
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
static bool mask_values(struct work *w, const struct urivet_parameter_rule *shown)
{
	const struct text t = text_of(w->text.data, (uint32_t)w->text.length);
	const struct urivet_text whole = query_in(t);
	const struct text query = text_of(whole.data, (uint32_t)whole.length);
	struct urivet_parameter_scan scan = {whole.data, whole.length, 0, false};
	struct urivet_parameter p;
	char *copy = w->room;
	bool any = false, shows;
	if (whole.data == NULL)
		return false;
	memcpy(copy, w->text.data, w->text.length);
	copy += (const char *)whole.data - (const char *)w->text.data;
	while (urivet_parameter_next(&scan, &p)) {
		const bool allowed = is_allowed_in(w, shown, query, &p, &shows);
		any = any || (shown != NULL ? shows : allowed);
		if (allowed && !shows)
			memset(copy + p.value.offset, 'a', p.value.length);
	}
	return any;
}

/* Returns true if the copy of the input is accepted, with the findings waived that the rule allows
 * (NULL: none). */
static bool accepts_copy(struct work *w, const struct urivet_parameter_rule *r)
{
	struct urivet_report *const inner = urivet_report_in(&w->inner);
	const struct urivet_text text = urivet_text_of(w->room, w->text.length);
	struct urivet_policy *const by = &w->by;
	*by = *w->policy;
	if (r != NULL)
		waive_allowed(by, r);
	if (w->request != NULL)
		(void)urivet_check_target(inner, URIVET_REPORT_OCTETS, text, w->request, by);
	else
		(void)urivet_check_url(inner, URIVET_REPORT_OCTETS, text.data, text.length, by);
	return inner->verdict == URIVET_ACCEPT;
}

/* Returns true if rules could allow every finding that rejects. */
static bool refuses_what_can_be_allowed(struct work *w)
{
	const struct urivet_report *report = w->report;
	for (uint32_t k = 0; k < report->count; k++)
		if (urivet_finding_refuses(report, &report->finding[k], w->policy) &&
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
static void allow_in_values(struct work *w)
{
	if (w->text.length > sizeof w->room || !refuses_what_can_be_allowed(w))
		return;
	for (uint32_t k = 0; k < w->policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(w->policy, k);
		if (allows_first(w->policy, k) && mask_values(w, r) && !accepts_copy(w, r))
			return;
	}
	if (!mask_values(w, NULL) || !accepts_copy(w, NULL))
		return;
	memcpy(w->report, &w->inner, URIVET_REPORT_OCTETS);
	w->report->size = sizeof *w->report;
	w->report->parameter_allowed = true;
}

/* ---- Values that are listed, or URLs or paths ------------------------------------------- */

static COLD void select_by(struct selection *by, const struct urivet_parameter_rule *r)
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

/* Returns true if the text is one of the values, each of which ends with a line feed. */
static bool is_listed_value(struct text values, struct urivet_text value)
{
	const struct text t = text_of(value.data, (uint32_t)value.length);
	for (uint32_t at = 0; at < values.end;) {
		const uint32_t end = find_octet(values, at, '\n');
		uint32_t k = 0;
		while (at + k < end && k < t.end && octet(values, at + k) == octet(t, k))
			k++;
		if (k == t.end && at + k == end)
			return true;
		at = end + 1;
	}
	return false;
}

/* Returns true if the rule lists the value of the parameter, or lists none. */
static COLD bool lists_value(struct work *w, const struct urivet_parameter_rule *r)
{
	const size_t left = w->query.left;
	struct urivet_text value;
	bool listed;
	if (!has_values(r))
		return true;
	listed = urivet_decode_value(&w->query, &w->parameter, &value) == URIVET_PARAMETER_ACCEPTED &&
		 is_listed_value(parameter_values(r), value);
	w->query.left = left;
	return listed;
}

/* Returns true if the rule accepts the parameter, which it selects. */
static bool accepts(struct work *w, const struct urivet_parameter_rule *r)
{
	enum urivet_parameter_result result;
	if (!lists_value(w, r))
		return false;
	if (!r->judges)
		return true;
	if (!urivet_policy_of_values(&w->by, r))
		return false;
	w->selection.rules.policy = &w->by;
	result = urivet_judge_parameter(urivet_report_in(&w->inner), URIVET_REPORT_OCTETS,
					&w->query, &w->parameter, &w->texts);
	return result == URIVET_PARAMETER_NOT_ASKED ||
	       (result == URIVET_PARAMETER_ACCEPTED &&
		(!r->rooted || urivet_is_rooted(w->texts.value)));
}

/* Counts a value for rule k. Returns false if the rule has judged as many as it may. */
static bool count_value(struct work *w, uint32_t k)
{
	if (w->judged[k] == URIVET_MAX_PARAMETERS)
		return false;
	w->judged[k]++;
	return true;
}

/* Returns the first rule that rejects the parameter, or NULL. Counts the values of each rule. */
static const struct urivet_parameter_rule *rejecting_rule(struct work *w)
{
	for (uint32_t k = 0; k < w->policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(w->policy, k);
		if ((!reads_values(r) && !r->required) || r->semicolons != w->scan.semicolons)
			continue;
		select_by(&w->selection, r);
		if (urivet_is_selected(&w->query, &w->parameter) &&
		    ((!count_value(w, k) && reads_values(r)) || !accepts(w, r)))
			return r;
	}
	return NULL;
}

/* Adds that a rule rejects what is at `where`. */
static COLD void add_by_rule(struct urivet_report *report, struct urivet_span where,
			     const struct urivet_parameter_rule *r,
			     const struct urivet_policy *policy)
{
	(void)urivet_add_finding(report, URIVET_F_PARAM_REFUSED, URIVET_QUERY, where, policy);
	if (report->parameter_rule == NULL)
		report->parameter_rule = r;
}

/* Adds that a rule rejects the value of a parameter. */
static COLD void add_rejected(struct urivet_report *report, struct urivet_span value,
			       const struct urivet_parameter_rule *r,
			       const struct urivet_policy *policy)
{
	value.offset += report->uri.part[URIVET_QUERY].offset;
	add_by_rule(report, value, r, policy);
}

/* Adds that the input lacks a parameter that a rule requires, at the end of its query or path. */
static COLD void add_missing(struct urivet_report *report, const struct urivet_parameter_rule *r,
			     const struct urivet_policy *policy)
{
	const bool has_query = urivet_has(&report->uri, URIVET_QUERY);
	const uint32_t end = span_end(report->uri.part[has_query ? URIVET_QUERY : URIVET_PATH]);
	add_by_rule(report, span(end, end), r, policy);
}

/* Judges the values that rules select. Parameters are separated by ";" as well for some rules. */
static void judge_query(struct work *w, bool semicolons)
{
	w->scan = (struct urivet_parameter_scan){w->query.text.data, w->query.text.length, 0,
						 semicolons};
	while (urivet_parameter_next(&w->scan, &w->parameter)) {
		const struct urivet_parameter_rule *const r = rejecting_rule(w);
		if (r != NULL)
			add_rejected(w->report, w->parameter.value, r, w->policy);
	}
}

/* Sets the query and the base of references. Returns false if there is no query. */
static COLD bool open_query(struct work *w)
{
	const struct urivet_parameter_input input = {w->text, w->request, w->room, sizeof w->room};
	w->query = urivet_begin_query(w->report, &input);
	w->query.most = URIVET_PARAMETER_VALUE_MOST;
	w->query.rules = &w->selection.rules;
	if (w->query.text.data == NULL)
		return false;
	if (!urivet_find_base(&w->query, &w->report->uri, &input))
		w->query.left = 0; /* no room for any value either: all are rejected */
	return true;
}

/* Judges the values of an input, in the room of its report. */
static void judge_in_room(struct work *w)
{
	if (w->report->verdict == URIVET_REJECT)
		allow_in_values(w);
	if (!w->report->parsed)
		return;
	memset(w->judged, 0, sizeof w->judged);
	if (open_query(w)) {
		judge_query(w, false);
		judge_query(w, true);
	}
	for (uint32_t k = 0; k < w->policy->parameter_count; k++)
		if (parameter_rule_at(w->policy, k)->required && w->judged[k] == 0)
			add_missing(w->report, parameter_rule_at(w->policy, k), w->policy);
}

/* Rejects each value that a rule would read, and checks that the required ones are there. */
static COLD void reject_values(struct urivet_report *report, struct urivet_text text,
			       const struct urivet_policy *policy)
{
	const struct urivet_parameter_input input = {.text = text};
	struct query q = urivet_begin_query(report, &input);
	struct selection by;
	q.rules = &by.rules;
	for (uint32_t k = 0; report->parsed && k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *const r = parameter_rule_at(policy, k);
		struct urivet_parameter_scan scan = {q.text.data, q.text.length, 0, r->semicolons};
		struct urivet_parameter p;
		bool missing = r->required;
		select_by(&by, r);
		while ((reads_values(r) || r->required) && urivet_parameter_next(&scan, &p)) {
			if (!urivet_is_selected(&q, &p))
				continue;
			missing = false;
			if (reads_values(r))
				add_rejected(report, p.value, r, policy);
		}
		if (missing)
			add_missing(report, r, policy);
	}
}

enum urivet_verdict urivet_judge_values(struct urivet_report *report, struct urivet_text text,
					const struct urivet_request *request,
					const struct urivet_policy *policy)
{
	struct work *const w = (struct work *)report->room;
	if (policy == NULL || !has_parameter_rules(policy) || !can_be_judged_by(policy))
		return report->verdict;
	if (report->size < REPORT_WITH_ROOM) {
		reject_values(report, text, policy);
		return report->verdict;
	}
	w->report = report;
	w->text = text;
	w->request = request;
	w->policy = policy;
	judge_in_room(w);
	return report->verdict;
}

bool urivet_judges_a_value(const struct subject *s)
{
	return has_parameter_rules(s->policy) && urivet_judges_a_value_in(s->policy, s->t);
}

bool urivet_judges_a_value_in(const struct urivet_policy *policy, struct text t)
{
	struct selection by;
	struct query q = {.text = query_in(t), .rules = &by.rules};
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *const r = parameter_rule_at(policy, k);
		struct urivet_parameter_scan scan = {q.text.data, q.text.length, 0, r->semicolons};
		struct urivet_parameter p;
		if (r->required)
			return true;
		select_by(&by, r);
		while (reads_values(r) && urivet_parameter_next(&scan, &p))
			if (urivet_is_selected(&q, &p))
				return true;
	}
	return false;
}
