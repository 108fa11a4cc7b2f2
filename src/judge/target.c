/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP request targets: RFC 9112, 3.2. */
#include "judge/check.h"
#include "policy/policy.h"
#include "rules/rules.h"

/* request-target = origin-form / absolute-form / authority-form / asterisk-form */
/*@ requires readable(t);
    assigns \nothing; */
static enum urivet_target_form target_form(struct text t)
{
	if (octet(t, 0) == '/')
		return URIVET_TARGET_ORIGIN;
	if (octet(t, 0) == '*' && t.end == 1)
		return URIVET_TARGET_ASTERISK;
	if (has_word(t, skip(t, 0, SCHEMECHAR), "://"))
		return URIVET_TARGET_ABSOLUTE;
	if (find(t, 0, SLASH | QUESTION | HASH) == t.end && find(t, 0, COLON) < t.end)
		return URIVET_TARGET_AUTHORITY;
	return URIVET_TARGET_NONE;
}

/*@ requires opened(s) && readable(s->t) && inside(host, s->t.end);
    requires parts_in(&s->report->uri, s->t.end);
    assigns s->host.offset, s->host.length;
    ensures judging_host(s); */
static void set_host(struct subject *s, struct urivet_span host)
{
	s->host.offset = host.offset;
	s->host.length = host.length;
	//@ assert s->t.end == \at(s->t.end, Pre);
	//@ assert parts_in(&s->report->uri, s->t.end);
	//@ assert parts_in(&s->report->uri, URIVET_MAX_LENGTH);
	//@ assert judging(s);
}

/*@ predicate authority_cut(struct urivet_uri uri) =
      inside(uri.part[URIVET_AUTHORITY], URIVET_MAX_LENGTH) &&
      inside(uri.part[URIVET_USERINFO], URIVET_MAX_LENGTH) &&
      inside(uri.part[URIVET_HOST], URIVET_MAX_LENGTH) &&
      inside(uri.part[URIVET_PORT], URIVET_MAX_LENGTH); */

/* Cuts s->t, which begins with what `from` says, and matches it: true if the grammar takes it. */
/*@ requires opened(s) && readable(s->t) && \valid_read(lenient);
    requires \separated(s, s->report, lenient);
    assigns s->seen, s->host.offset, s->host.length, s->report->uri;
    ensures judging_host(s); */
static bool parse(struct subject *s, enum split_from from, const struct leniency *lenient)
{
	struct urivet_uri *uri = &s->report->uri;
	struct urivet_span host;
	uint32_t misfit;
	bool matched;
	urivet_split(s->t, from, uri, &s->seen);
	//@ assert s->t.end == \at(s->t.end, Pre) && s->report->count == \at(s->report->count, Pre);
	host = uri->part[URIVET_HOST]; /* the match takes brackets off */
	matched = urivet_match(s->t, uri, &s->seen, lenient, &misfit);
	//@ assert s->t.end == \at(s->t.end, Pre) && s->report->count == \at(s->report->count, Pre);
	set_host(s, host);
	return matched;
}

/* Judges s->t as an authority without a scheme: true if it is one by RFC 3986. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->report->uri;
    assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s) && opened(s); */
static bool judge_authority_alone(struct subject *s)
{
	const struct leniency none = {0, 0, false};
	const bool matched = parse(s, SPLIT_AUTHORITY, &none);
	const uint32_t end = span_end(s->report->uri.part[URIVET_AUTHORITY]);
	urivet_rules_octets(s);
	//@ assert inside(s->host, s->t.end);
	urivet_judge_authority(s);
	urivet_rules_escapes(s);
	if (end < s->t.end)
		urivet_add(s, URIVET_F_TARGET_MALFORMED, URIVET_AUTHORITY, end, s->t.end);
	return matched && end == s->t.end;
}

/*@ requires judging(s) && URIVET_AUTHORITY <= c <= URIVET_PORT;
    requires inside(part, URIVET_MAX_LENGTH);
    assigns s->report->uri.part[c].offset, s->report->uri.part[c].length;
    ensures judging(s); */
static void set_part(struct subject *s, unsigned c, struct urivet_span part)
{
	struct urivet_uri *uri = &s->report->uri;
	uri->part[c].offset = part.offset;
	uri->part[c].length = part.length;
	//@ assert inside(uri->part[c], URIVET_MAX_LENGTH);
	/*@ assert \forall integer k; 0 <= k < URIVET_COMPONENTS && k != c ==>
	      s->report->uri.part[k].offset == \at(s->report->uri.part[k].offset, Pre) &&
	      s->report->uri.part[k].length == \at(s->report->uri.part[k].length, Pre); */
}

/*@ requires judging(s);
    assigns s->report->uri.address[0 .. 15];
    ensures judging(s); */
static void set_address(struct subject *s, const struct urivet_uri from)
{
	struct urivet_uri *uri = &s->report->uri;
	/*@ loop invariant 0 <= k <= 16;
	    loop assigns k, uri->address[0 .. 15];
	    loop variant 16 - k; */
	for (unsigned k = 0; k < sizeof(uri->address); k++)
		uri->address[k] = from.address[k];
}

/* Puts the authority of a Host field beside the path of the target. */
/*@ requires judging(s) && authority_cut(from);
    assigns s->report->uri;
    ensures judging(s); */
static void join_authority(struct subject *s, const struct urivet_uri from)
{
	struct urivet_uri *uri = &s->report->uri;
	uri->present |= from.present & (bit(URIVET_AUTHORITY) | bit(URIVET_USERINFO) |
					bit(URIVET_HOST) | bit(URIVET_PORT));
	uri->port = from.port;
	uri->host_kind = from.host_kind;
	uri->has_ipv4 = from.has_ipv4;
	uri->authority_in = URIVET_IN_HOST_FIELD;
	//@ assert parts_in(uri, URIVET_MAX_LENGTH);
	set_address(s, from);
	set_part(s, URIVET_AUTHORITY, from.part[URIVET_AUTHORITY]);
	set_part(s, URIVET_USERINFO, from.part[URIVET_USERINFO]);
	set_part(s, URIVET_HOST, from.part[URIVET_HOST]);
	set_part(s, URIVET_PORT, from.part[URIVET_PORT]);
}

/* Judges the Host field, and goes back to the target. Returns what the field was cut into. */
/*@ requires opened(s) && readable(s->t) && readable(field);
    assigns s->t.data, s->t.end, s->in, s->seen, s->host.offset, s->host.length, s->report->uri;
    assigns FOUND_IN_HOST(s), s->report->port_rule, s->report->parsed;
    ensures opened(s);
    ensures authority_cut(\result);
    ensures s->t.data == \old(s->t.data) && s->t.end == \old(s->t.end); */
static struct urivet_uri judge_field(struct subject *s, struct text field)
{
	const struct text target = s->t;
	struct urivet_uri uri;
	s->t.data = field.data;
	s->t.end = field.end;
	s->in = URIVET_IN_HOST_FIELD;
	s->report->parsed = judge_authority_alone(s);
	uri = s->report->uri;
	//@ assert authority_cut(uri);
	s->t.data = target.data;
	s->t.end = target.end;
	s->in = URIVET_IN_INPUT;
	return uri;
}

/* Judges the target as a path without an authority. It counts as parsed if the Host field, where
 * there is one, was parsed `also`. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->report->uri, s->report->parsed;
    assigns FOUND(s);
    ensures judging(s); */
static void judge_path(struct subject *s, bool also)
{
	const struct leniency lenient = urivet_policy_leniency(s->policy);
	s->report->parsed = parse(s, SPLIT_PATH, &lenient) && also;
	urivet_rules_octets(s);
	urivet_rules_escapes(s);
}

/* Judges the Host field, then the target. */
/*@ requires opened(s) && readable(s->t) && readable(field);
    assigns s->t.data, s->t.end, s->in, s->seen, s->host.offset, s->host.length, s->report->uri;
    assigns FOUND_IN_HOST(s), s->report->port_rule, s->report->parsed;
    ensures judging(s); */
static void judge_path_and_field(struct subject *s, struct text field)
{
	const struct urivet_uri authority = judge_field(s, field);
	//@ assert s->report == \at(s->report, Pre);
	judge_path(s, s->report->parsed);
	//@ assert s->report == \at(s->report, Pre);
	join_authority(s, authority);
}

/* origin-form = absolute-path [ "?" query ], and what is read like one */
/*@ requires opened(s) && readable(s->t) && readable(host);
    assigns s->t.data, s->t.end, s->in, s->seen, s->host.offset, s->host.length, s->report->uri;
    assigns FOUND_IN_HOST(s), s->report->port_rule, s->report->parsed;
    ensures judging(s); */
static void judge_origin(struct subject *s, struct text host)
{
	if (host.data != NULL)
		judge_path_and_field(s, host);
	else
		judge_path(s, true);
	urivet_rules_path(s);
	urivet_rules_query(s);
	urivet_rules_tail(s);
}

/* authority-form = uri-host ":" port */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->report->uri, s->report->parsed;
    assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s); */
static void judge_authority_form(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	s->report->parsed = judge_authority_alone(s);
	if (uri->part[URIVET_HOST].length == 0 || uri->part[URIVET_PORT].length == 0)
		urivet_add(s, URIVET_F_TARGET_MALFORMED, URIVET_WHOLE, 0, s->t.end);
}

/* Does the Host field name the target's host and port, and no user? */
/*@ requires judging(s) && readable(host);
    assigns \nothing; */
static bool is_same_host(const struct subject *s, struct text host)
{
	const struct leniency none = {0, 0, false};
	const struct urivet_span h = s->report->uri.part[URIVET_HOST];
	const uint32_t port = s->report->uri.port;
	const uint8_t scheme = s->report->uri.scheme;
	struct urivet_uri field;
	struct kinds_seen seen;
	struct urivet_span f;
	uint32_t misfit, k = 0;
	urivet_split(host, SPLIT_AUTHORITY, &field, &seen);
	urivet_match(host, &field, &seen, &none, &misfit);
	f = field.part[URIVET_HOST];
	/*@ loop invariant 0 <= k <= h.length;
	    loop assigns k;
	    loop variant h.length - k; */
	while (k < h.length &&
	       lower(octet(s->t, h.offset + k)) == lower(octet(within(host, f), f.offset + k)))
		k++;
	if (field.port == URIVET_NO_PORT)
		field.port = urivet_default_port(scheme);
	return k == h.length && h.length == f.length && !urivet_has(&field, URIVET_USERINFO) &&
	       field.port == port;
}

/* RFC 9112, 3.2.2: the target's host counts, and the Host field should say so. */
/*@ requires judging(s) && readable(host);
    assigns FOUND(s);
    ensures judging(s); */
static void compare_host(struct subject *s, struct text host)
{
	const struct urivet_span h = s->report->uri.part[URIVET_HOST];
	if (!is_same_host(s, host))
		urivet_add(s, URIVET_F_HOST_HEADER_MISMATCH, URIVET_HOST, h.offset, span_end(h));
}

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
static void add_fragment(struct subject *s)
{
	const struct urivet_span f = s->report->uri.part[URIVET_FRAGMENT];
	urivet_add(s, URIVET_F_FRAGMENT_IN_TARGET, URIVET_FRAGMENT, f.offset, span_end(f));
}

/*@ requires opened(s) && readable(s->t) && readable(host);
    assigns s->t.data, s->t.end, s->in, s->seen, s->host.offset, s->host.length, s->web;
    assigns s->report->uri, s->report->parsed, FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s); */
static void judge_form(struct subject *s, enum urivet_target_form form, struct text host)
{
	switch (form) {
	case URIVET_TARGET_ABSOLUTE:
		urivet_judge(s);
		if (host.data != NULL)
			compare_host(s, host);
		break;
	case URIVET_TARGET_AUTHORITY:
		judge_authority_form(s);
		break;
	default:
		judge_origin(s, host);
	}
	if (form == URIVET_TARGET_NONE)
		urivet_add(s, URIVET_F_TARGET_MALFORMED, URIVET_WHOLE, 0, s->t.end);
	if (urivet_has(&s->report->uri, URIVET_FRAGMENT))
		add_fragment(s);
}

/* The whole judgement, by any policy. Returns the form of the target. */
/*@ requires given(report, policy);
    assigns *report; */
static enum urivet_target_form judge_target(struct urivet_report *report, struct urivet_text target,
					    struct urivet_text host,
					    const struct urivet_policy *policy)
{
	enum urivet_target_form form;
	struct subject s;
	if (!urivet_open(&s, report, target.data, target.data != NULL ? target.length : 0, policy))
		return URIVET_TARGET_NONE;
	/* a Host field above the limit is as bad as a target above it */
	if (host.data != NULL && urivet_is_too_long(&s, host.length, URIVET_IN_HOST_FIELD))
		return URIVET_TARGET_NONE;
	s.web = true;
	form = target_form(s.t);
	judge_form(&s, form, text_of(host.data, host.data != NULL ? (uint32_t)host.length : 0));
	urivet_close(&s);
	return form;
}

/*@ requires given(report, policy) && (form == \null || \valid(form));
    requires \separated(form, report, policy, &urivet_strict);
    assigns *report, *form; */
enum urivet_verdict urivet_check_target_sized(struct urivet_report *report, size_t size,
					      struct urivet_text target, struct urivet_text host,
					      const struct urivet_policy *policy,
					      enum urivet_target_form *form)
{
	const bool fits = urivet_fit_report(report, size);
	const enum urivet_target_form found =
	    fits ? judge_target(report, target, host, policy) : URIVET_TARGET_NONE;
	if (form != NULL)
		*form = found;
	if (!fits)
		return URIVET_REJECT;
	report->size = (uint32_t)size;
	return report->verdict;
}
