/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flow of a judgement: the input is split into components, matched with the grammar and
 * checked by the rules; then the verdict closes the report. Most URLs take a fast path: they
 * are plain (see plain/plain.h), and few or no rules apply to them.
 */
#include "check/check.h"

#include "plain/components.h"
#include "plain/vector.h"
#include "policy/policy.h"
#include "policy/url_rules.h"
#include "rules/rules.h"

/* ---- Beginning ------------------------------------------------------------------ */

/* Adds a finding about an input that is not read and so has no components. */
/*@ requires recording(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s), s->report->uri;
    ensures recording(s); */
static COLD void refuse_unread(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	static const struct urivet_uri none;
	s->report->uri = none;
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

bool urivet_is_too_long(struct subject *s, size_t length, enum urivet_source in)
{
	const uint32_t limit = limit_of(s->policy);
	if (length <= limit)
		return false;
	s->in = (uint8_t)in;
	refuse_unread(s, URIVET_F_URL_TOO_LONG,
		      span(limit, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX));
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

/* ---- Judging in full --------------------------------------------------------------- */

void urivet_judge_authority(struct subject *s)
{
	urivet_rules_userinfo(s);
	urivet_rules_host(s);
	urivet_rules_port(s);
}

/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->web, s->report->uri;
    ensures judging_host(s) && parts_in(&s->report->uri, s->t.end); */
static void split_reference(struct subject *s)
{
	struct urivet_uri *uri = &s->report->uri;
	urivet_split(s->t, SPLIT_REFERENCE, uri, &s->seen);
	s->host.offset = uri->part[URIVET_HOST].offset;
	s->host.length = uri->part[URIVET_HOST].length;
	s->web = uri->scheme != URIVET_SCHEME_OTHER;
}

/*@ requires judging_host(s) && parts_in(&s->report->uri, s->t.end);
    assigns s->report->parsed, s->report->uri.part[URIVET_HOST], s->report->uri.host_kind,
            s->report->uri.has_ipv4, s->report->uri.address[0 .. 15];
    ensures judging_host(s); */
static void match_reference(struct subject *s)
{
	const struct leniency lenient = urivet_policy_leniency(s->policy);
	uint32_t misfit;
	s->report->parsed = urivet_match(s->t, &s->report->uri, &s->seen, &lenient, &misfit);
}

/* Splits the input as a URI reference and matches it with the grammar. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->web, s->report->uri, s->report->parsed;
    ensures judging_host(s); */
static COLD void read_reference(struct subject *s)
{
	split_reference(s);
	match_reference(s);
}

/* Applies the URL rules, if there are any and they can cover the input. */
/*@ requires judging_host(s);
    assigns s->cover, FOUND(s);
    ensures judging_host(s); */
static void cover_by_url(struct subject *s, bool by_url_rules)
{
	if (by_url_rules && has_url_rules(s->policy))
		urivet_rules_url(s);
}

/* Applies the rules about schemes. They do not change what the host rules rely on. */
/*@ requires judging_host(s);
    assigns FOUND(s);
    ensures judging_host(s); */
static inline void judge_scheme(struct subject *s)
{
	urivet_rules_scheme(s);
}

/* The order matters. URL rules need the ambiguities found before. The rules after them need to know
 * whether a URL rule covers the input. Host rules need the findings about schemes, because some of
 * these mean that a reader finds the host elsewhere. */
void urivet_judge(struct subject *s, bool by_url_rules)
{
	read_reference(s);
	urivet_rules_octets(s);
	urivet_rules_userinfo(s);
	/*@ assert judging_host(s); */
	urivet_rules_escapes(s);
	urivet_rules_path(s);
	/*@ assert judging_host(s); */
	cover_by_url(s, by_url_rules);
	judge_scheme(s);
	urivet_rules_host(s);
	urivet_rules_port(s);
	urivet_rules_query(s);
	urivet_rules_tail(s);
}

/* ---- Plain URLs -------------------------------------------------------------------- */

/* Returns the kinds of octets in the fragment. Rules check them first. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static uint32_t kinds_from(struct text t, uint32_t at)
{
	uint32_t kinds = 0;
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop assigns at, kinds;
	    loop variant t.end - at; */
	for (; at < t.end; at++)
		kinds |= kind(t, at);
	return kinds;
}

/* Fills the report of a plain URL without findings. */
/*@ requires \valid(report) && plain_in(p, end) && p.host > 0 && end <= URIVET_MAX_LENGTH;
    assigns *report;
    ensures parts_in(&report->uri, URIVET_MAX_LENGTH);
    ensures report->count == 0 && report->address_rule == \null; */
static inline enum urivet_verdict report_plainly(struct urivet_report *report, struct plain p,
						 uint32_t end)
{
	(void)urivet_report_plain(report, p.host, p.path, p.tail);
	add_plain_tail(&report->uri, p, end);
	return URIVET_ACCEPT;
}

/* Starts the report of a plain URL that is judged further. */
/*@ requires \valid(s) && \valid(s->report) && \valid_read(s->policy) && readable(s->t);
    requires \separated(s, s->report, s->policy) && inside(s->host, s->t.end);
    requires plain_in(p, s->t.end) && p.host > 0;
    assigns *s->report;
    ensures judging_host(s); */
static inline void begin_plain(struct subject *s, struct plain p)
{
	(void)report_plainly(s->report, p, s->t.end);
}

/* Stores the kinds of octets in its tail. Rules check them first. */
/*@ requires judging_host(s) && plain_in(p, s->t.end) && p.host > 0;
    assigns s->seen.in[URIVET_QUERY .. URIVET_FRAGMENT];
    ensures judging_host(s); */
static inline void note_tail(struct subject *s, struct plain p)
{
	s->seen.in[URIVET_QUERY] = p.query;
	if (p.fragment < s->t.end)
		s->seen.in[URIVET_FRAGMENT] = kinds_from(s->t, p.fragment + 1);
}

/* Returns true only if no rule can find anything after the name of a plain URL. */
/*@ requires plain_in(p, end) && p.host > 0 && end <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static inline bool is_quiet_after_name(struct plain p, uint32_t end)
{
	return p.path < p.tail && p.fragment == end && p.query == 0 && p.tail + 1 != end;
}

/* Returns true only if no rule can find anything in a plain URL. */
/*@ requires \valid_read(policy) && readable(t) && plain_in(p, t.end) && p.host > 0;
    assigns \nothing; */
static inline bool is_quiet(struct plain p, struct text t, const struct urivet_policy *policy)
{
	return is_quiet_after_name(p, t.end) &&
	       urivet_is_quiet_name(policy, until(t, p.path), p.host);
}

/* Applies the rules that may find something in the name or path of a plain URL. */
/*@ requires judging_host(s) && plain_in(p, s->t.end) && p.host > 0;
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
static inline void judge_front(struct subject *s, struct plain p)
{
	if (!urivet_is_quiet_name(s->policy, until(s->t, p.path), p.host))
		urivet_rules_name(s, span(p.host, p.path), LOWER);
	if (p.path == p.tail)
		urivet_rules_path(s);
}

/* Judges a plain URL in which a rule may find something. */
/*@ requires \valid(s) && \valid(s->report) && \valid_read(s->policy) && readable(s->t);
    requires \separated(s, s->report, s->policy) && inside(s->host, s->t.end);
    requires plain_in(p, s->t.end) && p.host > 0;
    assigns *s->report, s->seen.in[URIVET_QUERY .. URIVET_FRAGMENT], FOUND_IN_HOST(s);
    ensures judging_host(s); */
static inline void judge_plain(struct subject *s, struct plain p)
{
	begin_plain(s, p);
	note_tail(s, p);
	judge_front(s, p);
	if (p.tail < s->t.end) /* only the rules about queries apply to its tail */
		urivet_rules_query(s);
}

/* As judge_plain(), and fills a report. */
/*@ requires \valid(report) && \valid_read(policy) && \separated(report, policy);
    requires readable(t) && plain_in(p, t.end) && p.host > 0;
    assigns *report; */
static COLD enum urivet_verdict check_plain(struct urivet_report *report, struct text t,
					    const struct urivet_policy *policy, struct plain p)
{
	struct subject s = {.t = t, .policy = policy, .report = report, .web = true};
	judge_plain(&s, p);
	urivet_close(&s);
	return report->verdict;
}

/* ---- urivet_check() ---------------------------------------------------------------- */

/* Judges an input of any length. */
/*@ requires given(report, policy) && policy != \null;
    assigns *report; */
static COLD enum urivet_verdict check_at_length(struct urivet_report *report, const void *data,
						size_t length, const struct urivet_policy *policy)
{
	struct subject s;
	struct plain p = {0, 0, 0, 0, 0};
	const struct text t = text_of(data, length <= limit_of(policy) ? (uint32_t)length : 0);
	if (t.end > 0 && may_be_plain(policy))
		p = urivet_plain(t);
	if (p.host > 0)
		return is_quiet(p, t, policy) ? report_plainly(report, p, t.end)
					      : check_plain(report, t, policy, p);
	if (!urivet_begin(&s, report, data, length, policy))
		return report->verdict;
	urivet_judge(&s, false);
	urivet_close(&s);
	return report->verdict;
}

/* Judges an input of brief length. In a brief plain URL, `strict` finds at most an empty path;
 * other policies may find something in the name as well. */
/*@ requires given(report, policy) && policy != \null && readable(t);
    requires VECTOR_LEAST <= t.end < VECTOR_BRIEF;
    assigns *report; */
static inline enum urivet_verdict check_brief(struct urivet_report *report, struct text t,
					      const struct urivet_policy *policy, bool strict)
{
	const uint32_t path = urivet_brief(t), host = octet(t, 4) == 's' ? 8 : 7;
	if (path == 0)
		return check_at_length(report, t.data, t.end, policy);
	if (path < t.end && (strict || urivet_is_quiet_name(policy, until(t, path), host)))
		return urivet_report_plain(report, host, path, t.end);
	return check_plain(report, t, policy, brief_parts(t, path));
}

/* Judges by a policy with URL rules. `whole`: the caller's struct has the member url_rule. */
/*@ requires given(report, policy) && policy != \null;
    assigns *report; */
static COLD enum urivet_verdict check_by_urls(struct urivet_report *report, const void *data,
					      size_t length, const struct urivet_policy *policy,
					      bool whole)
{
	struct subject s;
	if (!urivet_begin(&s, report, data, length, policy))
		return report->verdict;
	urivet_judge(&s, true);
	urivet_close(&s);
	if (whole)
		report->url_rule = s.cover;
	return report->verdict;
}

/* Judges by a policy of the caller. */
/*@ requires given(report, policy) && policy != \null;
    assigns *report; */
static COLD enum urivet_verdict check_by(struct urivet_report *report, const void *data,
					 size_t length, const struct urivet_policy *policy,
					 bool whole)
{
	if (!can_be_judged_by(policy))
		return urivet_refuse_policy(report);
	if (has_url_rules(policy))
		return check_by_urls(report, data, length, policy, whole);
	if (is_brief_length(length) && length <= policy->max_length && may_be_plain(policy))
		return check_brief(report, text_of(data, (uint32_t)length), policy, false);
	return check_at_length(report, data, length, policy);
}

/* Judges without checking the size of the report. `whole`: the caller's struct has the member
 * url_rule. */
/*@ requires given(report, policy);
    assigns *report; */
static inline enum urivet_verdict check(struct urivet_report *report, const void *data,
					size_t length, const struct urivet_policy *policy,
					bool whole)
{
	if (policy != NULL)
		return check_by(report, data, length, policy, whole);
	if (is_brief_length(length))
		return check_brief(report, text_of(data, (uint32_t)length), &urivet_strict, true);
	return check_at_length(report, data, length, &urivet_strict);
}

/* Handles the other cases: a report of another version's size, a NULL report, and NULL data, which
 * is an empty text whatever the length. */
/*@ requires given(report, policy) || report == \null;
    assigns *report; */
static COLD enum urivet_verdict check_fitted(struct urivet_report *report, size_t size,
					     const void *data, size_t length,
					     const struct urivet_policy *policy)
{
	enum urivet_verdict verdict;
	if (report == NULL || !urivet_fit_report(report, size))
		return URIVET_REJECT;
	verdict = check(report, data, data != NULL ? length : 0, policy, size >= sizeof *report);
	report->size = (uint32_t)size;
	return verdict;
}

/*@ requires given(report, policy) || report == \null;
    assigns *report; */
enum urivet_verdict urivet_check_sized(struct urivet_report *report, size_t size, const void *data,
				       size_t length, const struct urivet_policy *policy)
{
	if (size != sizeof *report || report == NULL || data == NULL)
		return check_fitted(report, size, data, length, policy);
	report->url_rule = NULL;
	return check(report, data, length, policy, true);
}

/* Recognises a plain URL that the policy judges as one; the text is empty if it is too long. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing;
    ensures plain_in(\result, t.end); */
static inline struct plain plain_by(struct text t, const struct urivet_policy *policy)
{
	const struct plain none = {0, 0, 0, 0, 0};
	if (!may_be_plain(policy) || has_url_rules(policy))
		return none;
	return urivet_plain_or_brief(t);
}

bool urivet_passes_plainly(const void *data, size_t length, const struct urivet_policy *policy)
{
	const struct text t = text_of(data, length <= limit_of(policy) ? (uint32_t)length : 0);
	const struct plain p = plain_by(t, policy);
	return p.host > 0 && is_quiet(p, t, policy);
}

/* ---- urivet_ok() ------------------------------------------------------------------ */

/* Apply the rules one after the other until one rejects, starting with those that reject most. */
/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s); */
static bool passes_host(struct subject *s)
{
	urivet_rules_host(s);
	if (!s->refused)
		urivet_rules_port(s);
	return !s->refused;
}

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
static bool passes_tail(struct subject *s)
{
	urivet_rules_path(s);
	if (!s->refused)
		urivet_rules_escapes(s);
	if (!s->refused)
		urivet_rules_query(s);
	if (!s->refused)
		urivet_rules_tail(s);
	return !s->refused;
}

/* Applies the rules that rarely reject an input that passed refused_at_once(). */
/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
static void rest_of_rules(struct subject *s)
{
	urivet_rules_scheme(s);
	urivet_rules_userinfo(s);
	urivet_rules_octets(s);
}

/* The length of the shortest URL that strict accepts, "http://h", in octets. */
#define WEB_LEAST 8

/* Returns true if no rule refuses the input. Begins with an empty report, for a policy that
 * stops_at_refusal(). */
/*@ requires opened(s) && readable(s->t);
    assigns s->last, s->seen, s->host.offset, s->host.length, s->web, s->report->uri;
    assigns s->report->parsed, FOUND_IN_HOST(s), s->report->port_rule; */
static bool passes_rules(struct subject *s)
{
	s->last = VERDICT_ONLY;
	read_reference(s);
	if (!s->report->parsed || !passes_host(s) || !passes_tail(s))
		return false;
	rest_of_rules(s);
	return !s->refused;
}

/* Returns the verdict of strict by applying its rules. */
/*@ assigns \nothing; */
static COLD bool judged_ok(const void *data, size_t length)
{
	struct urivet_report report;
	struct subject s;
	if (!urivet_begin(&s, &report, data, length, &urivet_strict))
		return false;
	return passes_rules(&s);
}

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

/* Returns the verdict on a plain URL in which a rule may find something. */
/*@ requires \valid_read(policy) && readable(t) && plain_in(p, t.end) && p.host > 0;
    assigns \nothing; */
static COLD enum urivet_verdict verdict_on_plain(struct text t, const struct urivet_policy *policy,
						 struct plain p)
{
	struct urivet_report report;
	struct subject s = {.t = t, .policy = policy, .report = &report, .web = true};
	judge_plain(&s, p);
	return s.refused ? URIVET_REJECT : URIVET_ACCEPT;
}

COLD enum urivet_verdict urivet_verdict_by_rules(const void *data, size_t length,
						 const struct urivet_policy *policy)
{
	struct urivet_report report;
	struct subject s;
	if (!urivet_begin(&s, &report, data, length, policy))
		return URIVET_REJECT;
	if (stops_at_refusal(policy)) /* octets that no URI contains do not match the grammar */
		return urivet_uri_end(s.t) == s.t.end && passes_rules(&s) ? URIVET_ACCEPT
								    : URIVET_REJECT;
	urivet_judge(&s, true);
	urivet_close(&s);
	return report.verdict;
}

COLD int urivet_plain_verdict(const void *data, size_t length, const struct urivet_policy *policy)
{
	const struct text t = text_of(data, length <= limit_of(policy) ? (uint32_t)length : 0);
	const struct plain p = plain_by(t, policy);
	if (p.host == 0)
		return NOT_PLAIN;
	if (is_quiet(p, t, policy))
		return URIVET_ACCEPT;
	return verdict_on_plain(t, policy, p) == URIVET_ACCEPT ? URIVET_ACCEPT : URIVET_REJECT;
}

/* Returns the offset after "http://" or "https://", in any letter case, or 0. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= 24; */
static uint32_t web_authority(struct text t)
{
	const uint32_t http = after_word(t, 0, "http");
	const uint32_t colon = http != NO_WORD && lower(octet(t, http)) == 's' ? http + 1 : http;
	return http != NO_WORD && has_word(t, colon, "://") ? colon + 3 : 0;
}

/* A name of 253 octets, a final dot, a colon and five digits. A longer authority has a component
 * that is too long, userinfo, or leading zeros. */
#define MAX_AUTHORITY 260

/* Returns true if strict rejects the input because of one of these: it is not a web URL, has
 * userinfo or an authority that is too long, or contains an octet that is illegal in URIs. False
 * does not mean acceptance. */
/*@ requires readable(t);
    assigns \nothing; */
static bool refused_at_once(struct text t)
{
	const uint32_t at = web_authority(t);
	const struct text front = until(t, at + MAX_AUTHORITY + 1);
	const uint32_t end = find(front, at, AT | SLASH | QUESTION | HASH);
	return at == 0 || octet(t, end) == '@' || end > at + MAX_AUTHORITY ||
	       urivet_uri_end(t) < t.end;
}

COLD bool urivet_ok_at_length(const void *data, size_t length)
{
	struct text t;
	if (length < WEB_LEAST || length > STRICT_LENGTH)
		return false;
	t = text_of(data, (uint32_t)length);
	return urivet_plain(t).host > 0 || (!refused_at_once(t) && judged_ok(data, length));
}

/* Everything that strict finds in a plain URL is a note, which does not reject. */
/*@ assigns \nothing; */
bool urivet_ok(const void *data, size_t length)
{
	return data != NULL &&
	       ((is_brief_length(length) && urivet_brief(text_of(data, (uint32_t)length)) > 0) ||
		urivet_ok_at_length(data, length));
}
