/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosts that some readers parse differently from how they are written. A waiver for the finding
 * that reports this only allows the spelling. The policy's lists and its rules about names and
 * addresses apply to the other reading too. A host that cannot be determined matches every deny
 * rule.
 */
#include "policy/lists.h"
#include "policy/policy.h"
#include "rules/rules.h"
#include "uri/decoded.h"
#include "uri/ip.h"

/* The kinds of octets that a decoded name may have, as far as the rules check. */
#define DECODED_KINDS (ALNUM | HYPHEN | UNDERSCORE | DOT)

/* A name as written and as decoded. `t` and `at` give the decoded one. */
struct other_name {
	struct text t; /* the name fills it from `at` on */
	uint32_t at;
	bool same;  /* decoding changes at most letter case */
	bool known; /* every reader that accepts the host uses one of the two forms */
};

/* ---- Lists of hosts ------------------------------------------------------------- */

/* Returns true if the rule allows the name. Without a rule, a URL rule may allow it. */
/*@ requires \valid_read(s);
    requires rule == \null || \valid_read(rule);
    assigns \nothing; */
static bool allows(const struct subject *s, const struct urivet_host_rule *rule)
{
	return rule != NULL ? rule->action == URIVET_ALLOW : is_covered(s);
}

/* Returns true if any rule of the list denies. */
/*@ requires \valid_read(list);
    assigns \nothing; */
static bool denies_hosts(const struct urivet_host_list *list)
{
	/*@ loop invariant k <= list->count;
	    loop assigns k;
	    loop variant list->count - k; */
	for (uint32_t k = 0; k < list->count; k++)
		if (host_rule(list, k)->action == URIVET_DENY)
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

/* Checks the name by the host rules for its two forms. One deny rule denies it; both forms must be
 * allowed to allow it. Returns true if it is allowed. */
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

/* Handles a host that cannot be determined, name or address: every deny rule matches. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
static void judge_unread(struct subject *s, struct urivet_span where)
{
	if (denies_hosts(&s->policy->hosts))
		add_once(s, URIVET_F_HOST_DENIED, where);
	if (s->policy->hosts.only)
		add_once(s, URIVET_F_HOST_NOT_ALLOWED, where);
	urivet_rules_unread_address(s, where);
}

/* ---- The decoded form by all other rules ---------------------------------------------- */

/* Returns true if a rule about names or addresses may match the decoded name. The rule is not
 * determined: findings cannot refer to text outside the URL. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool may_be_found(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	return at == t.end || find(t, at, DIGIT) < t.end || urivet_is_known_name(policy, t, at);
}

/* Checks a decoded name. `allowed`: the host list allows it, so only address denials apply. */
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

/* Returns true if the policy's limits do not make readers cut or rewrite the name. A-labels were
 * checked in the name as written; decoded ones are not checked, so they return false. */
/*@ requires \valid_read(policy) && readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_kept_whole(const struct urivet_policy *policy, struct text t, uint32_t at, bool same)
{
	struct name_facts f;
	urivet_name_facts(t, at, policy->max_label, &f);
	return t.end - at <= policy->max_host && !f.long_label && (same || !f.alabel);
}

/* Returns true if the host rules may have found an A-label that readers refuse or rewrite. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool has_bad_alabel(const struct subject *s)
{
	return s->report->dropped > 0 || is_found(s->report, URIVET_F_IDN_INVALID_ALABEL);
}

/* Returns true if the host rules may have found a number in the last label or in all labels. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool seems_number(const struct subject *s)
{
	return s->report->dropped > 0 || is_found(s->report, URIVET_F_HOST_NUMERIC_TLD) ||
	       is_found(s->report, URIVET_F_IPV4_SIGNED) ||
	       is_found(s->report, URIVET_F_IPV4_OTHER_PREFIX);
}

/* Returns the two forms of the name that fills t from `at` on. The decoded one is stored in
 * `name`. */
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

/* Checks both forms against the host list. Returns true if the name is allowed. */
/*@ requires readable(t) && at <= t.end && t.end <= s->t.end;
    requires readable(other.t) && other.at <= other.t.end;
    JUDGES_HOST(s); */
static bool by_lists(struct subject *s, struct text t, uint32_t at, struct other_name other)
{
	const struct urivet_host_rule *const rule = urivet_host_rule_for(s->policy, t, at);
	const struct urivet_host_rule *second = rule;
	if (!other.same) /* what is not known may still be denied */
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

/* ---- Other hosts that readers find ------------------------------------------------- */

/* Returns true if the finding was added and the policy waives it. A dropped finding may have been
 * this one. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool is_let_through(const struct subject *s, unsigned id)
{
	return in_set(&s->policy->waived, id) &&
	       (s->report->dropped > 0 || is_found(s->report, id));
}

/* Returns true if some reader finds a host where RFC 3986 has none, or ends the host elsewhere. */
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

/* Returns true if the query or fragment directly follows the authority and may change the host: as
 * part of it, it may end in another name, or have one after a comma. The finding is added later. */
/*@ requires judging_host(s) && URIVET_QUERY <= c <= URIVET_FRAGMENT;
    assigns \nothing; */
static bool ends_in_tail(const struct subject *s, enum urivet_component c, unsigned id)
{
	const struct urivet_uri *uri = &s->report->uri;
	return in_set(&s->policy->waived, id) && s->web && urivet_has(uri, c) &&
	       uri->part[URIVET_PATH].length == 0 &&
	       (s->seen.in[c] & (DOT | PERCENT | PLAINSUB)) != 0;
}

/* Returns true if some reader takes the text before an "@" for the host. */
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

/* Checks a decoded name in the userinfo as a host. An empty name means the host is unknown. The
 * rule in the report stays that of the real host unless this name is denied. */
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

/* Checks the name in the userinfo as a host. */
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
