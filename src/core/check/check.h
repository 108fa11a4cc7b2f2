/* SPDX-License-Identifier: Apache-2.0 */
/* The common steps of judging URIs, request targets and peers. */
#ifndef URIVET_CHECK_H
#define URIVET_CHECK_H

#include "plain/vector.h"
#include "policy/policy.h"
#include "rules/rules.h"
#include "text/sized.h"

/* The state before judging: a report without findings, and a text, but no URI yet. */
/*@ predicate opened(struct subject *s) = recording(s) &&
      (s->report->address_rule == \null || \valid_read(s->report->address_rule));
    predicate given(struct urivet_report *report, struct urivet_policy *policy) =
      \valid(report) && (policy == \null || \valid_read(policy)) &&
      \separated(report, policy) && \separated(report, &urivet_strict);
    predicate given_both(struct urivet_report *report, struct urivet_policy *policy) =
      given(report, policy) && policy != \null; */

/* A host that is not empty. */
/*@ predicate has_host(struct subject *s) =
      s->host.length > 0 && inside(s->host, s->t.end); */

/* Contracts that several functions have: they read the input, judge what was read, judge a request
 * target, change a part of the subject, and fill a report. What else a function assigns or ensures
 * stands after the macro. */
/* clang-format off */
#define READS(s) requires opened(s) && readable((s)->t); \
	assigns (s)->seen, (s)->host.offset, (s)->host.length, (s)->web, (s)->report->uri
#define JUDGES_READ(s, plain) requires judging_host(s) && ((plain) ==> has_host(s)); \
	assigns FOUND_IN_HOST(s), (s)->report->port_rule; ensures judging_host(s)
#define JUDGES_TARGET(s, field) requires opened(s) && readable((s)->t) && readable(field); \
	assigns (s)->t.data, (s)->t.end, (s)->in, (s)->seen, (s)->host.offset, (s)->host.length; \
	assigns (s)->web; \
	assigns FOUND_IN_HOST(s), (s)->report->port_rule, (s)->report->parsed, (s)->report->uri
#define KEEPS_JUDGING(s, ...) requires judging(s); assigns __VA_ARGS__; ensures judging(s)
#define REFUSES_UNREAD(s) requires recording(s); assigns FOUND(s), (s)->report->uri; \
	ensures recording(s) && parts_in(&(s)->report->uri, URIVET_MAX_LENGTH)
#define FILLS(report, policy) requires given_both(report, policy); \
	assigns *(report); ensures parts_in(&(report)->uri, URIVET_MAX_LENGTH)
/* clang-format on */

/* Prepares a report as urivet_fit() does. Returns true if it can be filled. */
/*@ requires report == \null || \valid(report);
    assigns *report;
    ensures \result ==> report != \null; */
bool urivet_fit_report(struct urivet_report *report, size_t size);

/* Returns true if a text is longer than the policy allows. Then the report is complete, with that
 * as its only finding. */
/*@ requires recording(s);
    assigns FOUND(s), s->in, s->report->uri;
    ensures recording(s) && (!\result ==> length <= URIVET_MAX_LENGTH);
    ensures \result ==> parts_in(&s->report->uri, URIVET_MAX_LENGTH);
    ensures !\result ==> s->report->count == \old(s->report->count) && s->in == \old(s->in); */
bool urivet_is_too_long(struct subject *s, size_t length, enum urivet_source in);

/* Empties the report and sets the input, for a usable policy. Returns false if the input is too
 * long to be read; the report is then complete. */
/*@ requires \valid(s) && given(report, policy) && policy != \null;
    requires \separated(s, report, policy) && \separated(s, &urivet_strict);
    assigns *s, *report;
    ensures \result ==> opened(s) && s->report == report && length <= URIVET_MAX_LENGTH;
    ensures \result ==> readable(s->t) && s->t.end == length && s->policy == policy;
    ensures \result ==> s->host.offset == 0 && s->host.length == 0;
    ensures !\result ==> parts_in(&report->uri, URIVET_MAX_LENGTH); */
bool urivet_begin(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		  const struct urivet_policy *policy);

/* As urivet_begin(), for any policy (NULL: strict). Returns false also for an unusable policy. */
/*@ requires \valid(s) && given(report, policy);
    requires \separated(s, report, policy) && \separated(s, &urivet_strict);
    assigns *s, *report;
    ensures \result ==> opened(s) && s->report == report && length <= URIVET_MAX_LENGTH;
    ensures \result ==> readable(s->t) && s->t.end == length;
    ensures \result ==> s->policy == policy || s->policy == &urivet_strict;
    ensures \result ==> s->host.offset == 0 && s->host.length == 0; */
bool urivet_open(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		 const struct urivet_policy *policy);

/* Empties the report to judge the same input again by the same policy. */
/*@ requires recording(s) && readable(s->t);
    assigns *s, *s->report;
    ensures opened(s);
    ensures readable(s->t) && s->t.end == \old(s->t.end);
    ensures s->report == \old(s->report) && s->policy == \old(s->policy); */
void urivet_begin_again(struct subject *s);

/* Fills the report for an unusable policy or request, which is rejected before the input is read:
 * `policy-invalid` is the only finding. The policy is replaced by strict, so that nothing is
 * waived. */
/*@ requires given(report, \null);
    assigns *report;
    ensures \result == URIVET_REJECT && parts_in(&report->uri, URIVET_MAX_LENGTH); */
enum urivet_verdict urivet_refuse_policy(struct urivet_report *report);

/* Splits off scheme and authority of an input that begins with this component. Returns the offset
 * of the path. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->web, s->report->uri;
    ensures judging_host(s);
    ensures parts_in(&s->report->uri, s->t.end);
    ensures \result <= s->t.end; */
static inline uint32_t read_front(struct subject *s, enum split_from from)
{
	struct urivet_uri *uri = &s->report->uri;
	const uint32_t path = urivet_split_front(s->t, from, uri, &s->seen);
	//@ assert s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	s->host.offset = uri->part[URIVET_HOST].offset;
	s->host.length = uri->part[URIVET_HOST].length;
	s->web = uri->scheme != URIVET_SCHEME_OTHER;
	//@ assert s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	//@ assert \valid(s) && \valid(s->report) && \valid_read(s->policy);
	//@ assert \separated(s, s->report, s->policy) && s->cover <= s->policy->url_count;
	//@ assert s->report->count <= URIVET_MAX_FINDINGS && inside(s->host, s->t.end);
	//@ assert parts_in(&s->report->uri, s->t.end) && readable(s->t);
	//@ assert inside(s->host, URIVET_MAX_LENGTH) && parts_in(&s->report->uri, URIVET_MAX_LENGTH);
	//@ assert judging(s);
	return path;
}

/* Splits path, query and fragment, which begin at `path`. */
/*@ requires judging_host(s) && parts_in(&s->report->uri, s->t.end) && path <= s->t.end;
    assigns s->seen, s->report->uri;
    ensures judging_host(s);
    ensures parts_in(&s->report->uri, s->t.end); */
static inline void read_tail(struct subject *s, uint32_t path)
{
	const struct tail tail = urivet_tail(s->t, path);
	urivet_set_tail(s->t, path, &tail, &s->report->uri, &s->seen);
	//@ assert s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	//@ assert \valid(s) && \valid(s->report) && \valid_read(s->policy);
	//@ assert \separated(s, s->report, s->policy) && s->cover <= s->policy->url_count;
	//@ assert s->report->count <= URIVET_MAX_FINDINGS && inside(s->host, s->t.end);
	//@ assert parts_in(&s->report->uri, s->t.end) && readable(s->t);
	//@ assert inside(s->host, URIVET_MAX_LENGTH) && parts_in(&s->report->uri, URIVET_MAX_LENGTH);
	//@ assert judging(s);
}

/* Returns true if the components match the grammar, or what else is legal. */
/*@ requires judging_host(s) && parts_in(&s->report->uri, s->t.end);
    requires \valid_read(lenient) && \separated(lenient, s, s->report);
    assigns s->report->uri.part[URIVET_HOST], s->report->uri.host_kind,
            s->report->uri.has_ipv4, s->report->uri.address[0 .. 15];
    ensures judging_host(s);
    ensures parts_in(&s->report->uri, s->t.end); */
static inline bool match_parts(struct subject *s, const struct leniency *lenient)
{
	uint32_t misfit;
	const bool matched = urivet_match(s->t, &s->report->uri, &s->seen, lenient, &misfit);
	//@ assert s->cover == \at(s->cover, Pre);
	//@ assert s->policy->url_count == \at(s->policy->url_count, Pre);
	//@ assert s->report->count <= URIVET_MAX_FINDINGS && inside(s->host, s->t.end);
	//@ assert parts_in(&s->report->uri, s->t.end) && readable(s->t);
	//@ assert judging(s);
	return matched;
}

/* Reads the input as a URI reference. Returns true if scheme and host are plain. In verdict-only
 * mode, stops at the first refusal. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->web, s->report->uri, s->report->parsed;
    assigns FOUND(s);
    ensures judging_host(s) && (\result ==> has_host(s)); */
bool urivet_read(struct subject *s);

/* Applies the rules to what urivet_read() read, and which returned `plain`. URL rules apply only if
 * `by_url_rules` is set, because they cannot cover a request target. In verdict-only mode, stops at
 * the first refusal. */
/*@ requires judging_host(s) && (plain ==> has_host(s));
    assigns s->cover, FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s) && opened(s); */
void urivet_judge_read(struct subject *s, bool plain, bool by_url_rules);

/* Reads the input as a URI reference and applies the rules. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->web, s->report->uri, s->report->parsed;
    assigns FOUND_IN_HOST(s), s->report->port_rule, s->cover;
    ensures judging(s) && opened(s); */
static inline void urivet_judge(struct subject *s, bool by_url_rules)
{
	urivet_judge_read(s, urivet_read(s), by_url_rules);
}

/* Returns true if every plain name fits the policy's limits. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool allows_plain_names(const struct urivet_policy *policy)
{
	return policy->max_host >= PLAIN_NAME && policy->max_label >= PLAIN_LABEL;
}

/* Returns true if the policy has no finding about the schemes and paths of plain URLs. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool allows_web(const struct urivet_policy *policy)
{
	const uint32_t web = bit(URIVET_SCHEME_HTTP) | bit(URIVET_SCHEME_HTTPS);
	return (policy->schemes & web) == web && !is_on(policy, URIVET_F_SCHEME_PLAINTEXT) &&
	       !is_on(policy, URIVET_F_PATH_TRAILING_DOT_SPACE);
}

/* Returns true if the policy judges plain URLs as strict does, except for names, empty
 * paths and tails. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool may_be_plain(const struct urivet_policy *policy)
{
	return allows_plain_names(policy) && allows_web(policy) && !has_url_rules(policy);
}

/* Applies the rules of octets and escapes. `plain`: those of octets only if the
 * scan saw an odd one. */
/*@ requires judging_host(s);
    assigns FOUND(s);
    ensures judging_host(s); */
void urivet_judge_octets(struct subject *s, bool plain);

/* Applies the rules of userinfo, host and port to the authority. */
/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging_host(s); */
void urivet_judge_authority(struct subject *s);

/* Returns true only if the fast path for plain URLs finds nothing in the data, so that the policy
 * accepts it. The policy must be usable. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_passes_plainly(const void *data, size_t length, const struct urivet_policy *policy);

/* Judges the address and port of a peer, into a report of this library's size. Addresses must have
 * 4 or 16 octets and ports be at most 65535; others count as unknown. `zone`: the address is valid
 * only on this machine. */
/*@ requires given(report, policy);
    requires address != \null && (octets == 4 || octets == 16) ==>
      address_of(address, octets) && \separated(report, address + (0 .. octets - 1));
    assigns *report; */
enum urivet_verdict urivet_judge_peer(struct urivet_report *report, const uint8_t *address,
				      size_t octets, uint32_t port, bool zone,
				      const struct urivet_policy *policy);

/* Judges a URI as urivet_check_sized() does, but not the values of its parameters, into a report of
 * any size that suffices. If data is NULL, the length is 0. */
/*@ requires given(report, policy);
    assigns *report;
    ensures parts_in(&report->uri, URIVET_MAX_LENGTH); */
enum urivet_verdict urivet_check_url(struct urivet_report *report, size_t size, const void *data,
				     size_t length, const struct urivet_policy *policy);

/* As urivet_check_sized(), for reports of any size, a NULL report, and NULL data, which is an empty
 * text whatever the length. */
/*@ requires given(report, policy) || report == \null;
    assigns *report; */
enum urivet_verdict urivet_check_fitted(struct urivet_report *report, size_t size, const void *data,
					size_t length, const struct urivet_policy *policy);

/* Returns the verdict of a policy that is not NULL, without room: rejects an input with a parameter
 * that a rule of the policy judges. The data is not NULL unless the length is 0. Stops at the first
 * refusal if that decides. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
enum urivet_verdict urivet_verdict_by(const void *data, size_t length,
				      const struct urivet_policy *policy);

#endif
