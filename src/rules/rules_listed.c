/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosts that readers may have in another way than they are written. A policy that waives what tells
 * of that opens no more than it names: its lists, and its rules about names and addresses, hold for
 * the other way too. What cannot be told is denied by whatever denies anything.
 */
#include "policy/lists.h"
#include "policy/policy.h"
#include "rules/rules.h"
#include "uri/decoded.h"
#include "uri/ip.h"

/* The kinds of octets in a decoded name, as far as anything asks. */
#define DECODED_KINDS (ALNUM | HYPHEN | UNDERSCORE | DOT)

/* A name as written and as decoded. */
struct other_name {
	struct text t; /* the name fills it from `at` on */
	uint32_t at;
	bool same;  /* decoding changes nothing but letter case */
	bool known; /* every reader that takes it for a host has one of the two */
};

/* ---- Lists of hosts ------------------------------------------------------------- */

/* Where no rule of the list speaks of the name, a rule about URLs may. */
/*@ requires \valid_read(s);
    requires rule == \null || \valid_read(rule);
    assigns \nothing; */
static bool allows(const struct subject *s, const struct urivet_host_rule *rule)
{
	return rule != NULL ? rule->action == URIVET_ALLOW : is_covered(s);
}

/* Does a rule of the list deny? */
/*@ requires \valid_read(list);
    assigns \nothing; */
static bool denies_hosts(const struct urivet_host_list *list)
{
	/*@ loop invariant k <= list->count;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 0; k < list->count; k++)
		if (host_rule(list, k)->action != URIVET_ALLOW)
			return true;
	return false;
}

/*@ requires id < URIVET_FINDING_LIMIT && inside(where, URIVET_MAX_LENGTH);
    ADDS_HOST_FINDINGS(s); */
static void add_once(struct subject *s, enum urivet_id id, struct urivet_span where)
{
	if (!is_found(s->report, id))
		add_in_host(s, id, where.offset, span_end(where));
}

/* Judges the name by what the list says of its two forms: a rule for either denies it, rules for
 * both allow it. True if it is allowed. */
/*@ requires rule == \null || \valid_read(rule);
    requires second == \null || \valid_read(second);
    requires inside(where, URIVET_MAX_LENGTH);
    JUDGES_HOST(s); */
static bool by_rules(struct subject *s, const struct urivet_host_rule *rule,
		     const struct urivet_host_rule *second, bool known, struct urivet_span where)
{
	const bool allowed = known && allows(s, rule) && allows(s, second);
	const bool only = s->policy->hosts.only;
	const struct urivet_host_rule *decides = allowed ? rule : NULL;
	if (second != NULL && !allows(s, second))
		decides = second;
	if (rule != NULL && !allows(s, rule))
		decides = rule;
	s->report->host_rule = decides;
	if (decides != NULL && !allowed)
		add_once(s, URIVET_F_HOST_DENIED, where);
	if (only && !allowed)
		add_once(s, URIVET_F_HOST_NOT_ALLOWED, where);
	return allowed;
}

/* It cannot be told which host this is, name or address: what denies any denies it. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_unread(struct subject *s, struct urivet_span where)
{
	if (denies_hosts(&s->policy->hosts))
		add_once(s, URIVET_F_HOST_DENIED, where);
	if (s->policy->hosts.only)
		add_once(s, URIVET_F_HOST_NOT_ALLOWED, where);
	urivet_rules_unread_address(s, where);
}

/* ---- The other form by all other rules --------------------------------------------- */

/* May the decoded name be, or spell, what a rule about names and addresses finds? Which one is not
 * asked: a report has no room for what lies in another text. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool may_be_found(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	return at == t.end || find(t, at, DIGIT) < t.end || urivet_is_known_name(policy, t, at);
}

/* Judges a decoded name. */
/*@ requires inside(where, URIVET_MAX_LENGTH) && readable(t) && at <= t.end; JUDGES_HOST(s); */
static COLD void judge_decoded(struct subject *s, struct text t, uint32_t at,
			       struct urivet_span where, bool allowed)
{
	if (!may_be_found(s->policy, t, at))
		return;
	if (allowed)
		urivet_rules_denied_unread(s, where);
	else
		urivet_rules_unread_address(s, where);
}

/* ---- Names ---------------------------------------------------------------------- */

/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool has_empty_label(struct text t, uint32_t at)
{
	/*@ loop invariant at <= \max(\at(at, Pre), t.end) + 1;
	    loop assigns at;
	    loop variant t.end + 1 - at; */
	while (at <= t.end) {
		const uint32_t end = label_end(t, at);
		if (end == at)
			return true;
		at = end + 1;
	}
	return false;
}

/* Does the policy take the name for none that readers cut or rewrite? A-labels were looked at in
 * the name as it is written; in a decoded one nobody does. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_kept_whole(const struct urivet_policy *policy, struct text t, uint32_t at, bool same)
{
	struct name_facts f;
	urivet_name_facts(t, at, policy->max_label, &f);
	return t.end - at <= policy->max_host && !f.long_label && (same || !f.alabel);
}

/* Did the rules about hosts find an A-label that readers refuse or rewrite? */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool has_bad_alabel(const struct subject *s)
{
	return s->report->dropped > 0 || is_found(s->report, URIVET_F_IDN_INVALID_ALABEL);
}

/* Did the rules about hosts find numbers where a name ends, or in all its labels? */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool seems_number(const struct subject *s)
{
	return s->report->dropped > 0 || is_found(s->report, URIVET_F_HOST_NUMERIC_TLD) ||
	       is_found(s->report, URIVET_F_IPV4_SIGNED) ||
	       is_found(s->report, URIVET_F_IPV4_OTHER_PREFIX);
}

/* The two forms of the name that fills t from `at` on; the decoded one is written to `name`. */
/*@ requires readable(t) && at <= t.end && \valid_read(policy);
    requires \valid(name + (0 .. DECODED_MOST - 1));
    assigns name[0 .. DECODED_MOST - 1];
    ensures readable(\result.t) && \result.at <= \result.t.end; */
static struct other_name other_form(const struct urivet_policy *policy, struct text t, uint32_t at,
				    uint32_t seen, uint8_t name[DECODED_MOST])
{
	struct other_name other = {t, at, true, (seen & ~(uint32_t)DECODED_KINDS) == 0};
	if ((seen & PERCENT) || has_empty_label(t, at)) {
		other.t = text_of(name, urivet_decode_name(t, at, name));
		other.at = 0;
		other.same = false;
		other.known = other.t.end > 0;
	}
	other.known = other.known && is_kept_whole(policy, other.t, other.at, other.same);
	return other;
}

/* Judges the name by the list of hosts: true if it is allowed. */
/*@ requires readable(t) && at <= t.end && t.end <= s->t.end;
    requires readable(other.t) && other.at <= other.t.end;
    JUDGES_HOST(s); */
static bool by_lists(struct subject *s, struct text t, uint32_t at, struct other_name other)
{
	const struct urivet_host_rule *const rule = urivet_host_rule_for(s->policy, t, at);
	const struct urivet_host_rule *second = rule;
	if (other.known && !other.same)
		second = urivet_host_rule_for(s->policy, other.t, other.at);
	return by_rules(s, rule, second, other.known, span(at, t.end));
}

bool urivet_rules_forms(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	const struct urivet_span where = span(at, t.end);
	uint8_t name[DECODED_MOST];
	struct other_name other = other_form(s->policy, t, at, seen, name);
	bool allowed;
	other.known = other.known && !has_bad_alabel(s);
	allowed = by_lists(s, t, at, other);
	if (other.known && !other.same)
		judge_decoded(s, other.t, other.at, where, allowed);
	if (!other.known && s->web)
		judge_unread(s, where);
	else if (seems_number(s))
		urivet_rules_unread_address(s, where);
	return allowed;
}

/* ---- Hosts beside the host -------------------------------------------------------- */

/* Was the finding added, and does the policy waive it? One that had no room may have been any. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool is_let_through(const struct subject *s, unsigned id)
{
	return in_set(&s->policy->waived, id) &&
	       (s->report->dropped > 0 || is_found(s->report, id));
}

/* Does some reader find a host that stands nowhere by RFC 3986, or end the host elsewhere? */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool is_host_elsewhere(const struct subject *s)
{
	static const enum urivet_id ids[] = {
	    URIVET_F_SCHEME_GUESS,
	    URIVET_F_SCHEME_MALFORMED,
	    URIVET_F_SCHEME_SLASH_MISSING,
	    URIVET_F_SCHEME_DOT,
	    URIVET_F_SCHEME_PREFIX_WRAPPER,
	    URIVET_F_SCHEME_ARCHIVE_WRAPPER,
	    URIVET_F_FRAGMENT_AUTHORITY_CONFUSION,
	};
	/*@ loop invariant k <= 7;
	    loop assigns k;
	    loop variant 7 - k; */
	for (unsigned k = 0; k < sizeof ids / sizeof ids[0]; k++)
		if (is_let_through(s, ids[k]))
			return true;
	return false;
}

/* Is there a query or fragment directly after the authority that, taken for part of the host, may
 * end in another name, or has one after a comma? The finding comes later. */
/*@ requires judging_host(s) && URIVET_QUERY <= c <= URIVET_FRAGMENT;
    assigns \nothing; */
static bool ends_in_tail(const struct subject *s, enum urivet_component c, unsigned id)
{
	const struct urivet_uri *uri = &s->report->uri;
	return in_set(&s->policy->waived, id) && s->web && urivet_has(uri, c) &&
	       uri->part[URIVET_PATH].length == 0 &&
	       (s->seen.in[c] & (DOT | PERCENT | PLAINSUB)) != 0;
}

/* Does some reader take what stands before an "@" for the host? */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool is_userinfo_host(const struct subject *s)
{
	return urivet_has(&s->report->uri, URIVET_USERINFO) &&
	       (is_let_through(s, URIVET_F_USERINFO_MISLEADING) ||
		is_let_through(s, URIVET_F_USERINFO_DELIMITER) ||
		is_let_through(s, URIVET_F_USERINFO_ENCODED_DELIMITER) ||
		is_let_through(s, URIVET_F_AUTHORITY_EMPTY_PORT_AT));
}

/* Judges a decoded name in the userinfo as a host, or the userinfo if there is none. What the
 * report says of rules is about the host as long as it can be. */
/*@ requires readable(name) && inside(userinfo, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_userinfo_name(struct subject *s, struct text name, struct urivet_span userinfo)
{
	const struct urivet_host_rule *const before = s->report->host_rule, *rule;
	bool allowed;
	if (name.end == 0) {
		judge_unread(s, userinfo);
		return;
	}
	rule = urivet_host_rule_for(s->policy, name, 0);
	allowed = by_rules(s, rule, rule, true, userinfo);
	if (allowed || rule == NULL)
		s->report->host_rule = before;
	judge_decoded(s, name, 0, userinfo, allowed);
}

/* Judges the name in the userinfo as a host. */
/*@ JUDGES_HOST(s); */
static COLD void judge_userinfo_host(struct subject *s)
{
	const struct urivet_span userinfo = s->report->uri.part[URIVET_USERINFO];
	const struct urivet_span run = urivet_name_run(within(s->t, userinfo), userinfo.offset);
	uint8_t name[DECODED_MOST];
	const uint32_t length = urivet_decode_name(within(s->t, run), run.offset, name);
	judge_userinfo_name(s, text_of(name, length), userinfo);
}

void urivet_rules_other_hosts(struct subject *s)
{
	if (is_host_elsewhere(s) ||
	    ends_in_tail(s, URIVET_QUERY, URIVET_F_QUERY_AFTER_EMPTY_PATH) ||
	    ends_in_tail(s, URIVET_FRAGMENT, URIVET_F_FRAGMENT_AFTER_EMPTY_PATH))
		judge_unread(s, s->host);
	if (is_userinfo_host(s))
		judge_userinfo_host(s);
}
