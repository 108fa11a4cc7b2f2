/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flow of a judgement: the input is split into components, matched with the grammar and
 * checked by the rules; then the verdict closes the report.
 *
 * One scan first recognises which components are plain (see plain/plain.h). Rules about a plain
 * component find nothing and are skipped, and octets of other components are looked at only if they
 * are of a kind that some rule checks. A URL in which everything is plain is accepted at once.
 */
#include "check/check.h"

#include "check/below.h"
#include "check/values.h"
#include "plain/components.h"
#include "plain/vector.h"
#include "policy/policy.h"
#include "policy/url_rules.h"
#include "rules/rules.h"
#include "uri/ip.h"

/* ---- Beginning ------------------------------------------------------------------ */

/* Adds a finding about an input that is not read and so has no components. */
/*@ requires id < URIVET_FINDING_LIMIT; REFUSES_UNREAD(s); */
static COLD void refuse_unread(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	urivet_clear_uri(&s->report->uri);
	//@ assert parts_in(&s->report->uri, URIVET_MAX_LENGTH);
	urivet_add_anywhere(s, id, URIVET_WHOLE, where);
}

/*@ requires \valid(s) && given(report, policy) && policy != \null;
    requires \separated(s, report, policy) && \separated(s, &urivet_strict);
    assigns *s, *report;
    ensures opened(s) && s->report == report && s->policy == policy;
    ensures s->host.offset == 0 && s->host.length == 0 && !s->refused; */
static void empty_report(struct subject *s, struct urivet_report *report,
			 const struct urivet_policy *policy)
{
	s->report = report;
	s->policy = policy;
	s->in = URIVET_IN_INPUT;
	s->refused = false;
	s->last = 0;
	s->host.offset = 0;
	s->host.length = 0;
	s->listener.scheme = URIVET_SCHEME_NONE;
	s->listener.port = 0;
	s->cover = 0;
	s->below = 0;
	report->size = sizeof *report;
	report->verdict = URIVET_REJECT;
	report->parsed = false;
	clear_findings(report);
}

/* Returns the maximum length of an input in octets. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result <= URIVET_MAX_LENGTH; */
static inline uint32_t limit_of(const struct urivet_policy *policy)
{
	return policy->max_length < URIVET_MAX_LENGTH ? policy->max_length : URIVET_MAX_LENGTH;
}

/* Adds the finding that the text is longer than the policy allows. */
/*@ REFUSES_UNREAD(s); */
static COLD void refuse_length(struct subject *s, size_t length)
{
	refuse_unread(
	    s, URIVET_F_URL_TOO_LONG,
	    span(limit_of(s->policy), length < UINT32_MAX ? (uint32_t)length : UINT32_MAX));
}

bool urivet_is_too_long(struct subject *s, size_t length, enum urivet_source in)
{
	if (length <= limit_of(s->policy))
		return false;
	s->in = (uint8_t)in;
	refuse_length(s, length);
	return true;
}

bool urivet_begin(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		  const struct urivet_policy *policy)
{
	empty_report(s, report, policy);
	if (urivet_is_too_long(s, length, URIVET_IN_INPUT))
		return false;
	s->t = text_of(data, (uint32_t)length);
	return true;
}

void urivet_begin_again(struct subject *s)
{
	const struct text t = s->t;
	empty_report(s, s->report, s->policy);
	s->t = t;
}

COLD enum urivet_verdict urivet_refuse_policy(struct urivet_report *report)
{
	struct subject s;
	empty_report(&s, report, &urivet_strict);
	refuse_unread(&s, URIVET_F_POLICY_INVALID, span(0, 0));
	return URIVET_REJECT;
}

bool urivet_open(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		 const struct urivet_policy *policy)
{
	if (policy == NULL)
		policy = &urivet_strict;
	if (can_be_judged_by(policy))
		return urivet_begin(s, report, data, length, policy);
	(void)urivet_refuse_policy(report);
	return false;
}

/* ---- Reading ------------------------------------------------------------------------ */

/* Matches the components with the grammar, and with what the policy makes legal. */
/*@ requires judging_host(s) && parts_in(&s->report->uri, s->t.end);
    assigns s->report->parsed, s->report->uri.part[URIVET_HOST], s->report->uri.host_kind,
            s->report->uri.has_ipv4, s->report->uri.address[0 .. 15];
    ensures judging_host(s) && parts_in(&s->report->uri, s->t.end); */
static COLD void match_reference(struct subject *s)
{
	const struct leniency lenient = urivet_leniency(s);
	s->report->parsed = match_parts(s, &lenient);
}

/* Returns true if the policy allows no other schemes than http and https. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_web_only(const struct urivet_policy *policy)
{
	const uint32_t web = bit(URIVET_SCHEME_HTTP) | bit(URIVET_SCHEME_HTTPS);
	return (policy->schemes & ~web) == 0 && !has_scheme_names(policy);
}

/* Reads nothing: there are no components. */
/*@ requires opened(s) && readable(s->t);
    assigns s->host.offset, s->host.length, s->report->uri;
    ensures judging_host(s) && parts_in(&s->report->uri, s->t.end); */
static inline void no_components(struct subject *s)
{
	s->host.offset = 0;
	s->host.length = 0;
	urivet_clear_uri(&s->report->uri);
	//@ assert s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	//@ assert \valid(s) && \valid(s->report) && \valid_read(s->policy);
	//@ assert \separated(s, s->report, s->policy) && s->cover <= s->policy->url_count;
	//@ assert s->report->count <= URIVET_MAX_FINDINGS && inside(s->host, s->t.end);
	//@ assert parts_in(&s->report->uri, s->t.end) && readable(s->t);
	//@ assert inside(s->host, URIVET_MAX_LENGTH) && parts_in(&s->report->uri, URIVET_MAX_LENGTH);
	//@ assert judging(s);
}

/* Splits the input as a URI reference and matches it with the grammar. In verdict-only mode, stops
 * at a scheme that is not allowed or not plain, userinfo, or octets that no URI contains. */
/*@ READS(s); assigns s->report->parsed, FOUND(s);
    ensures judging_host(s) && parts_in(&s->report->uri, s->t.end); */
static COLD void read_reference(struct subject *s)
{
	uint32_t path;
	if (is_verdict_only(s) && is_web_only(s->policy) && urivet_plain_scheme(s->t) == 0) {
		no_components(s);
		s->refused = true;
		//@ assert judging_host(s);
		return;
	}
	path = read_front(s, SPLIT_REFERENCE);
	if (is_verdict_only(s) &&
	    (urivet_has(&s->report->uri, URIVET_USERINFO) || !urivet_allows_scheme(s))) {
		s->refused = true;
		//@ assert judging_host(s) && parts_in(&s->report->uri, s->t.end);
		return;
	}
	//@ assert judging_host(s) && parts_in(&s->report->uri, s->t.end);
	read_tail(s, path);
	//@ assert judging_host(s) && parts_in(&s->report->uri, s->t.end);
	if (!is_verdict_only(s) || !has_illegal_octets(s))
		match_reference(s);
}

/* Matches path, query and fragment after a plain name with the grammar. */
/*@ requires judging_host(s) && parts_in(&s->report->uri, s->t.end);
    assigns s->report->parsed, s->report->uri;
    ensures judging_host(s) && parts_in(&s->report->uri, s->t.end); */
static COLD void match_tail_only(struct subject *s)
{
	s->report->parsed = false;
	if (!has_illegal_octets(s) || s->below != 0 || !makes_nothing_legal(s->policy))
		match_reference(s);
}

/* Reads a URL with a plain scheme and name. */
/*@ requires plain_in(p, s->t) && p->host > 0 && \separated(p, s, s->report);
    READS(s); assigns s->report->parsed;
    ensures judging_host(s) && parts_in(&s->report->uri, s->t.end) && has_host(s); */
static inline void read_plain(struct subject *s, const struct plain *p)
{
	s->host.offset = p->host;
	s->host.length = (uint32_t)p->path - p->host;
	s->web = true;
	s->report->parsed = true;
	//@ assert s->cover <= s->policy->url_count;
	//@ assert plain_in(p, s->t) && \separated(p, &s->report->uri, &s->seen);
	//@ assert splitting(s->t, &s->report->uri, &s->seen);
	//@ assert \separated(&s->report->uri, &s->policy->url_count, &s->cover);
	//@ assert \separated(&s->seen, &s->policy->url_count, &s->cover);
	set_plain_parts(s->t, p, &s->report->uri, &s->seen);
	//@ assert \valid(s) && \valid(s->report) && \valid_read(s->policy);
	//@ assert \separated(s, s->report, s->policy) && s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	//@ assert s->cover <= s->policy->url_count && s->report->count <= URIVET_MAX_FINDINGS;
	//@ assert inside(s->host, s->t.end) && parts_in(&s->report->uri, s->t.end);
	//@ assert judging(s);
	if (!is_legal_tail(&s->seen))
		match_tail_only(s);
}

/* ---- Judging ------------------------------------------------------------------------ */

void urivet_judge_authority(struct subject *s)
{
	urivet_rules_userinfo(s);
	urivet_rules_host(s);
	urivet_rules_port(s);
}

/* Applies the rules about the host. In a plain name or address, only rules of the policy can find
 * something, and no reader finds another host. */
/*@ JUDGES_READ(s, plain); */
static inline void judge_host(struct subject *s, bool plain)
{
	if (!plain) {
		urivet_rules_host(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
		urivet_rules_port(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	} else if (s->report->uri.host_kind == URIVET_HOST_IPV4) {
		urivet_rules_address_host(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	} else if (!urivet_is_quiet_name(s->policy, within(s->t, s->host), s->host.offset)) {
		urivet_rules_name(s, s->host, LOWER);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
}

void urivet_judge_octets(struct subject *s, bool plain)
{
	if (!plain || has_odd_octets(s)) {
		urivet_rules_octets(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	if (has_escapes(s)) {
		urivet_rules_escapes(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
}

/* Applies the rules about how the URL is written, which URL rules need. */
/*@ JUDGES_HOST(s); */
static inline void apply_early_rules(struct subject *s, bool plain)
{
	if (!plain) {
		urivet_rules_userinfo(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	urivet_judge_octets(s, plain);
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	if (!plain || has_odd_path(s)) {
		urivet_rules_path(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
}

/* Applies the rules about query and end. */
/*@ JUDGES_HOST(s); */
static inline void apply_last_rules(struct subject *s, bool plain)
{
	if (!plain || has_query(s)) {
		urivet_rules_query(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	if (!plain || has_odd_tail(s)) {
		urivet_rules_tail(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
}

/* Applies the rules that need to know whether a URL rule covers the input. Host rules need the
 * findings about schemes, because some of these mean that a reader finds the host elsewhere. */
/*@ JUDGES_READ(s, plain); */
static inline void apply_late_rules(struct subject *s, bool plain)
{
	if (!plain || !allows_web(s->policy)) {
		urivet_rules_scheme(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	if (!is_verdict_only(s)) {
		judge_host(s, plain);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	apply_last_rules(s, plain);
}

/* Applies the rules that look at what is read. In verdict-only mode, stops at the first refusal.
 * `plain`: scheme and authority are plain. */
/*@ JUDGES_READ(s, plain); assigns s->cover; */
static inline void apply_rules(struct subject *s, bool plain, bool by_url_rules)
{
	if (is_verdict_only(s)) { /* in any order; the host is refused most often */
		judge_host(s, plain);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	if (is_settled(s))
		return;
	apply_early_rules(s, plain);
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	if (by_url_rules && has_url_rules(s->policy)) {
		urivet_rules_url(s);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	if (!is_settled(s)) {
		apply_late_rules(s, plain);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
}

/* Sets the parts of a URL with a plain scheme, and with an IPv4 address before the path. Returns
 * false for another URL. */
/*@ requires readable(t) && \valid(p) && \valid(ipv4 + (0 .. 3)) && \separated(p, ipv4 + (0 .. 3));
    assigns *p, ipv4[0 .. 3];
    ensures \result ==> plain_in(p, t) && p->host > 0; */
static COLD bool address_front(struct text t, struct plain *p, uint8_t ipv4[4])
{
	const uint32_t host = urivet_plain_scheme(t);
	uint32_t path;
	if (host == 0 || !is(t, host, DIGIT))
		return false;
	path = skip(t, host + 1, DIGIT | DOT);
	if (path - host >= sizeof "255.255.255.255" || octet(t, path) != '/' ||
	    !urivet_ipv4_address(until(t, path), host, ipv4))
		return false;
	p->tail = urivet_tail(t, path);
	(void)set_plain(p, host, path);
	return true;
}

/* Reads a URL that may have an IPv4 address before its path. Returns true if it has. */
/*@ READS(s); assigns s->report->parsed;
    ensures opened(s);
    ensures \result ==> judging_host(s) && has_host(s); */
static COLD bool read_address(struct subject *s)
{
	uint8_t ipv4[4];
	struct plain p;
	const bool found = address_front(s->t, &p, ipv4);
	//@ assert opened(s);
	if (!found)
		return false;
	read_plain(s, &p);
	s->report->uri.host_kind = URIVET_HOST_IPV4;
	urivet_set_ipv4(&s->report->uri, urivet_ipv4_value(ipv4));
	//@ assert inside(s->host, s->t.end) && parts_in(&s->report->uri, s->t.end);
	//@ assert judging_host(s) && has_host(s);
	return true;
}

/* Reads an input whose plain parts are known. Returns true if scheme and host are plain. */
/*@ requires plain_in(p, s->t) && \separated(p, s, s->report);
    READS(s); assigns s->report->parsed, FOUND(s);
    ensures judging_host(s) && (\result ==> has_host(s)); */
static COLD bool read_parts(struct subject *s, const struct plain *p)
{
	if (p->host > 0) {
		read_plain(s, p);
		return true;
	}
	if (read_address(s))
		return true;
	read_reference(s);
	return false;
}

/* Recognises the plain parts of an input, if names of any length that DNS allows fit the policy.
 * Returns true if the whole input is plain. */
/*@ requires \valid_read(policy) && readable(t) && \valid(p);
    assigns *p;
    ensures plain_in(p, t) && (\result ==> p->host > 0); */
static inline bool plain_by(struct text t, const struct urivet_policy *policy, struct plain *p)
{
	p->host = 0;
	return allows_plain_names(policy) && urivet_plain(t, p);
}

bool urivet_read(struct subject *s)
{
	struct plain p;
	(void)plain_by(s->t, s->policy, &p);
	//@ assert s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	//@ assert opened(s);
	return read_parts(s, &p);
}

void urivet_judge_read(struct subject *s, bool plain, bool by_url_rules)
{
	if (s->report->parsed || !is_verdict_only(s))
		apply_rules(s, plain, by_url_rules);
}

/* ---- Plain URLs -------------------------------------------------------------------- */

/* Returns true only if no rule can find anything after the name of a plain URL. */
/*@ requires readable(t) && plain_in(p, t) && p->host > 0;
    assigns \nothing; */
static inline bool is_quiet_after_name(const struct plain *p, struct text t)
{
	return p->path < p->tail.path_end && p->tail.query_end == t.end &&
	       (p->tail.query & WAKES_QUERY) == 0 && p->tail.path_end + 1 != t.end;
}

/* Returns true only if no rule can find anything in a plain URL. */
/*@ requires \valid_read(policy) && readable(t) && plain_in(p, t) && p->host > 0;
    assigns \nothing; */
static inline bool is_quiet(const struct plain *p, struct text t,
			    const struct urivet_policy *policy)
{
	return is_quiet_after_name(p, t) && allows_web(policy) && !has_url_rules(policy) &&
	       urivet_is_quiet_name(policy, until(t, p->path), p->host);
}

/* Fills the report of a plain URL without findings. */
/*@ requires \valid(report) && readable(t) && plain_in(p, t) && p->host > 0;
    requires \separated(p, report);
    assigns *report;
    ensures parts_in(&report->uri, URIVET_MAX_LENGTH);
    ensures report->count == 0 && report->address_rule == \null; */
static inline enum urivet_verdict report_plainly(struct urivet_report *report,
						 const struct plain *p, struct text t)
{
	const enum urivet_verdict verdict =
	    urivet_report_plain(report, p->host, p->path, p->tail.path_end);
	if (p->tail.path_end < t.end)
		add_plain_tail(&report->uri, p, t);
	return verdict;
}

/* ---- urivet_check() ---------------------------------------------------------------- */

/* Returns the URL rule that covers the input, or NULL. */
/*@ requires judging(s);
    assigns \nothing; */
static inline const struct urivet_url_rule *url_rule_of(const struct subject *s)
{
	return s->cover > 0 ? url_rule_at(s->policy, s->cover - 1) : NULL;
}

/* Judges an input whose plain components are known. */
/*@ requires readable(t) && plain_in(p, t) && \separated(p, report); FILLS(report, policy); */
static COLD enum urivet_verdict check_as(struct urivet_report *report, struct text t,
					 const struct urivet_policy *policy, const struct plain *p)
{
	struct subject s;
	bool plain;
	empty_report(&s, report, policy);
	//@ assert plain_in(p, t) && readable(t);
	s.t = t;
	//@ assert s.report == report && s.policy == policy && plain_in(p, s.t);
	plain = read_parts(&s, p);
	//@ assert s.report == report && s.policy == policy;
	urivet_judge_read(&s, plain, true);
	//@ assert s.report == report && s.policy == policy;
	urivet_close(&s);
	//@ assert s.report == report && s.policy == policy;
	report->url_rule = url_rule_of(&s);
	return report->verdict;
}

/* Judges a brief plain URL whose path is at this offset. */
/*@ requires readable(t) && 8 < path <= t.end < VECTOR_BRIEF; FILLS(report, policy); */
static COLD enum urivet_verdict check_brief_by_rules(struct urivet_report *report, struct text t,
						     const struct urivet_policy *policy,
						     uint32_t path)
{
	struct plain p;
	set_plain_path(&p, t, path);
	return check_as(report, t, policy, &p);
}

/* Refuses an input that is longer than the policy allows. */
/*@ FILLS(report, policy); */
static COLD enum urivet_verdict check_too_long(struct urivet_report *report, size_t length,
					       const struct urivet_policy *policy)
{
	struct subject s;
	empty_report(&s, report, policy);
	refuse_length(&s, length);
	return URIVET_REJECT;
}

/* Judges an input of any length by a usable policy. */
/*@ FILLS(report, policy); */
static COLD enum urivet_verdict check_at_length(struct urivet_report *report, const void *data,
						size_t length, const struct urivet_policy *policy)
{
	struct text t;
	struct plain p;
	if (length > limit_of(policy))
		return check_too_long(report, length, policy);
	t = text_of(data, (uint32_t)length);
	if (plain_by(t, policy, &p) && is_quiet(&p, t, policy))
		return report_plainly(report, &p, t);
	return check_as(report, t, policy, &p);
}

/* Judges an input of brief length. In a brief plain URL, `strict` finds at most an empty path;
 * other policies may find something in the name as well. */
/*@ requires readable(t) && VECTOR_LEAST <= t.end < VECTOR_BRIEF; FILLS(report, policy); */
static inline enum urivet_verdict check_brief(struct urivet_report *report, struct text t,
					      const struct urivet_policy *policy, bool strict)
{
	const uint32_t path = urivet_brief(t), host = octet(t, 4) == 's' ? 8 : 7;
	if (path == 0)
		return check_at_length(report, t.data, t.end, policy);
	if (path < t.end && (strict || urivet_is_quiet_name(policy, until(t, path), host)))
		return urivet_report_plain(report, host, path, t.end);
	return check_brief_by_rules(report, t, policy, path);
}

/* Judges by a policy of the caller. */
/*@ FILLS(report, policy); */
static COLD enum urivet_verdict check_by(struct urivet_report *report, const void *data,
					 size_t length, const struct urivet_policy *policy)
{
	if (!can_be_judged_by(policy))
		return urivet_refuse_policy(report);
	if (is_brief_length(length) && length <= policy->max_length && may_be_plain(policy))
		return check_brief(report, text_of(data, (uint32_t)length), policy, false);
	return check_at_length(report, data, length, policy);
}

/* Judges without checking the size of the report. */
/*@ requires given(report, policy);
    assigns *report;
    ensures parts_in(&report->uri, URIVET_MAX_LENGTH); */
static inline enum urivet_verdict check(struct urivet_report *report, const void *data,
					size_t length, const struct urivet_policy *policy)
{
	if (policy != NULL)
		return check_by(report, data, length, policy);
	if (is_brief_length(length))
		return check_brief(report, text_of(data, (uint32_t)length), &urivet_strict, true);
	return check_at_length(report, data, length, &urivet_strict);
}

/* Judges again what a policy with rules for paths rejected, with what they waive. Returns the
 * verdict. */
/*@ requires parts_in(&report->uri, URIVET_MAX_LENGTH); FILLS(report, policy); */
static COLD enum urivet_verdict judge_again(struct urivet_report *report, const void *data,
					    size_t length, const struct urivet_policy *policy)
{
	const struct text none = text_of(NULL, 0);
	const struct text t = text_of(data, length <= URIVET_MAX_LENGTH ? (uint32_t)length : 0);
	const struct urivet_path_rule *rule;
	const uint64_t waived = urivet_find_below(&rule, report, t, none, policy);
	struct subject s;
	if (waived == 0)
		return report->verdict;
	empty_report(&s, report, policy);
	s.t = t;
	s.below = waived;
	urivet_judge(&s, true);
	urivet_close(&s);
	report->url_rule = url_rule_of(&s);
	report->path_rule = rule;
	report->path_waived = waived;
	return report->verdict;
}

/* Returns the verdict on a rejected input after rules for paths were looked at. */
/*@ requires given(report, policy) && parts_in(&report->uri, URIVET_MAX_LENGTH);
    assigns *report;
    ensures parts_in(&report->uri, URIVET_MAX_LENGTH); */
static inline enum urivet_verdict judge_below(struct urivet_report *report, const void *data,
					      size_t length, const struct urivet_policy *policy)
{
	if (policy == NULL || !has_path_rules(policy))
		return URIVET_REJECT;
	return judge_again(report, data, length, policy);
}

enum urivet_verdict urivet_check_url(struct urivet_report *report, size_t size, const void *data,
				     size_t length, const struct urivet_policy *policy)
{
	enum urivet_verdict verdict = check(report, data, length, policy);
	if (verdict == URIVET_REJECT)
		verdict = judge_below(report, data, length, policy);
	report->size = (uint32_t)size;
	return verdict;
}

COLD enum urivet_verdict urivet_check_fitted(struct urivet_report *report, size_t size,
					     const void *data, size_t length,
					     const struct urivet_policy *policy)
{
	if (report == NULL || !urivet_fit_report(report, size))
		return URIVET_REJECT;
	if (data == NULL)
		length = 0;
	(void)urivet_check_url(report, size, data, length, policy);
	return urivet_judge_values(report, urivet_text_of(data, length), NULL, policy);
}

/*@ requires given(report, policy) || report == \null;
    assigns *report; */
enum urivet_verdict urivet_check_sized(struct urivet_report *report, size_t size, const void *data,
				       size_t length, const struct urivet_policy *policy)
{
	enum urivet_verdict verdict;
	if (size != sizeof *report || report == NULL || data == NULL ||
	    (policy != NULL && has_parameter_rules(policy)))
		return urivet_check_fitted(report, size, data, length, policy);
	verdict = check(report, data, length, policy);
	return verdict == URIVET_REJECT ? judge_below(report, data, length, policy) : verdict;
}

bool urivet_passes_plainly(const void *data, size_t length, const struct urivet_policy *policy)
{
	const struct text t = text_of(data, length <= limit_of(policy) ? (uint32_t)length : 0);
	struct plain p;
	return plain_by(t, policy, &p) && is_quiet(&p, t, policy);
}

/* ---- Verdicts without reports -------------------------------------------------------- */

/* Returns true if a refusal by one rule is the verdict of the policy, and no rule needs what
 * another one found: it waives nothing, has no rules about URLs, and raises no more than
 * `public`. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool stops_at_refusal(const struct urivet_policy *policy)
{
	uint64_t more = 0;
	/*@ loop invariant k <= URIVET_FINDING_LIMIT / 64;
	    loop assigns k, more;
	    loop variant URIVET_FINDING_LIMIT / 64 - k; */
	for (unsigned k = 0; k < URIVET_FINDING_LIMIT / 64; k++)
		more |= policy->waived.bits[k] |
			(policy->raised.bits[k] & ~urivet_public.raised.bits[k]);
	return more == 0 && !has_url_rules(policy) && !is_query_opaque(policy);
}

/* Begins again to judge an input that the policy rejected without its rules for paths. Returns true
 * if they waive anything. It does not judge itself, which would need more stack. */
/*@ requires judging(s) && opened(s);
    assigns *s, *s->report;
    ensures judging(s) && opened(s);
    ensures s->report == \old(s->report) && s->policy == \old(s->policy); */
static COLD bool begin_below(struct subject *s)
{
	const struct urivet_path_rule *rule;
	if (!has_path_rules(s->policy))
		return false;
	urivet_begin_again(s);
	read_reference(s);
	s->below = urivet_find_below(&rule, s->report, s->t, text_of(NULL, 0), s->policy);
	s->refused = s->below == 0; /* as it was */
	return !s->refused;
}

/* Judges a rejected input again, with what rules for paths waive. */
/*@ requires judging(s) && opened(s);
    assigns *s, *s->report;
    ensures judging(s) && s->report == \old(s->report); */
static inline void judge_what_is_waived(struct subject *s)
{
	if ((!s->report->parsed || s->refused) && begin_below(s))
		urivet_judge(s, true);
}

/* Returns the verdict by applying the rules. */
/*@ requires \valid_read(policy) && readable(t) && plain_in(p, t);
    assigns \nothing; */
static COLD enum urivet_verdict verdict_by_rules(struct text t, const struct urivet_policy *policy,
						 const struct plain *p)
{
	struct short_report memory;
	struct urivet_report *const report = urivet_report_in(&memory);
	struct subject s;
	bool plain;
	empty_report(&s, report, policy);
	//@ assert plain_in(p, t) && readable(t);
	s.t = t;
	//@ assert plain_in(p, s.t);
	if (policy == &urivet_strict || stops_at_refusal(policy))
		s.last = VERDICT_ONLY;
	//@ assert s.report == report && s.policy == policy && plain_in(p, s.t);
	plain = read_parts(&s, p);
	//@ assert s.report == report && s.policy == policy;
	urivet_judge_read(&s, plain, true);
	//@ assert s.report == report && s.policy == policy;
	judge_what_is_waived(&s);
	//@ assert s.report == report;
	return report->parsed && !s.refused && !urivet_judges_a_value(&s) ? URIVET_ACCEPT
									  : URIVET_REJECT;
}

/* Returns true only if the text is a brief plain URL in which the policy finds nothing. */
/*@ requires \valid_read(policy) && readable(t) && VECTOR_LEAST <= t.end < VECTOR_BRIEF;
    assigns \nothing; */
static inline bool is_quiet_brief(struct text t, const struct urivet_policy *policy)
{
	const uint32_t path = urivet_brief(t), host = octet(t, 4) == 's' ? 8 : 7;
	return path > 0 && path < t.end && urivet_is_quiet_name(policy, until(t, path), host);
}

COLD enum urivet_verdict urivet_verdict_by(const void *data, size_t length,
					   const struct urivet_policy *policy)
{
	struct text t;
	struct plain p;
	if (!can_be_judged_by(policy) || length > limit_of(policy))
		return URIVET_REJECT;
	t = text_of(data, (uint32_t)length);
	if (!has_parameter_rules(policy) && is_brief_length(length) && may_be_plain(policy) &&
	    is_quiet_brief(t, policy))
		return URIVET_ACCEPT;
	if (plain_by(t, policy, &p) && is_quiet(&p, t, policy) && !has_parameter_rules(policy))
		return URIVET_ACCEPT;
	return verdict_by_rules(t, policy, &p);
}

/* Returns true only if strict refuses what is not plain: it has another scheme, or octets that no
 * URI contains. If its host may be an address, the parser looks for those: most have none. */
/*@ requires readable(t) && plain_in(p, t);
    assigns \nothing; */
static inline bool is_refused_at_once(struct text t, const struct plain *p)
{
	uint32_t kinds = 0;
	if (p->host > 0)
		kinds = p->tail.path | p->tail.query;
	else if (urivet_plain_scheme(t) == 0)
		return true;
	else if (!is(t, 7, DIGIT | LBRACKET) && !is(t, 8, DIGIT | LBRACKET))
		kinds = urivet_kinds_from(t, 0);
	return (kinds & (BLANK | HIGH | FORBIDDEN)) != 0;
}

/* Returns the verdict of strict for an input of any length. Everything that strict finds in a plain
 * URL is a note, which does not reject. */
/*@ assigns \nothing; */
static COLD enum urivet_verdict strict_at_length(const void *data, size_t length)
{
	struct text t;
	struct plain p;
	if (length > STRICT_LENGTH)
		return URIVET_REJECT;
	t = text_of(data, (uint32_t)length);
	if (urivet_plain(t, &p))
		return URIVET_ACCEPT;
	return is_refused_at_once(t, &p) ? URIVET_REJECT : verdict_by_rules(t, &urivet_strict, &p);
}

/*@ assigns \nothing; */
static inline enum urivet_verdict verdict_by_strict(const void *data, size_t length)
{
	if (is_brief_length(length) && urivet_brief(text_of(data, (uint32_t)length)) > 0)
		return URIVET_ACCEPT;
	return strict_at_length(data, length);
}

/*@ requires policy == \null || \valid_read(policy);
    requires work == \null || given(work, policy);
    assigns *work; */
enum urivet_verdict urivet_verdict_of_sized(const void *data, size_t length,
					    const struct urivet_policy *policy,
					    struct urivet_report *work, size_t size)
{
	if (data == NULL)
		length = 0;
	if (policy == NULL)
		return verdict_by_strict(data, length);
	if (has_parameter_rules(policy) && work != NULL)
		return urivet_check_fitted(work, size, data, length, policy);
	return urivet_verdict_by(data, length, policy);
}
