/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP request targets: RFC 9112, 3.2. */
#include "check/below.h"
#include "check/check.h"
#include "check/request.h"
#include "check/target.h"
#include "check/values.h"
#include "plain/components.h"
#include "policy/policy.h"
#include "rules/rules.h"

/* Returns the form of a request target: request-target = origin-form / absolute-form /
 * authority-form / asterisk-form */
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

/*@ predicate authority_cut(struct urivet_uri uri) =
      inside(uri.part[URIVET_AUTHORITY], URIVET_MAX_LENGTH) &&
      inside(uri.part[URIVET_USERINFO], URIVET_MAX_LENGTH) &&
      inside(uri.part[URIVET_HOST], URIVET_MAX_LENGTH) &&
      inside(uri.part[URIVET_PORT], URIVET_MAX_LENGTH); */

/* Judges s->t as an authority without a scheme. Returns true if it is one by RFC 3986. */
/*@ READS(s); assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s) && opened(s); */
static bool judge_authority_alone(struct subject *s)
{
	static const struct leniency none;
	uint32_t end;
	bool matched;
	read_tail(s, read_front(s, SPLIT_AUTHORITY));
	matched = match_parts(s, &none);
	end = span_end(s->report->uri.part[URIVET_AUTHORITY]);
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	urivet_rules_octets(s);
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	urivet_judge_authority(s);
	urivet_rules_escapes(s);
	if (end < s->t.end)
		urivet_add(s, URIVET_F_TARGET_MALFORMED, URIVET_AUTHORITY, end, s->t.end);
	return matched && end == s->t.end;
}

/*@ requires URIVET_AUTHORITY <= c <= URIVET_PORT && inside(part, URIVET_MAX_LENGTH);
    KEEPS_JUDGING(s, s->report->uri.part[c].offset, s->report->uri.part[c].length); */
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

/*@ KEEPS_JUDGING(s, s->report->uri.address[0 .. 15]); */
static void set_address(struct subject *s, const struct urivet_uri from)
{
	struct urivet_uri *uri = &s->report->uri;
	/*@ loop invariant 0 <= k <= 16;
	    loop assigns k, uri->address[0 .. 15];
	    loop variant 16 - k; */
	for (unsigned k = 0; k < sizeof(uri->address); k++)
		uri->address[k] = from.address[k];
}

/* Combines the authority of a Host field with the path of the target. */
/*@ requires authority_cut(from); KEEPS_JUDGING(s, s->report->uri); */
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

/* Sets the port of a Host field without one, by the listener's scheme. */
/*@ KEEPS_JUDGING(s, s->report->uri.port); */
static void set_usual_port(struct subject *s)
{
	if (!urivet_has(&s->report->uri, URIVET_PORT))
		s->report->uri.port = urivet_default_port(s->listener.scheme);
}

/* Returns the end of the plain name that fills the text, apart from a port, and in which no rule
 * can find anything; 0 if there is none. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing;
    ensures \result <= t.end; */
static uint32_t quiet_name(const struct urivet_policy *policy, struct text t)
{
	const uint32_t name = urivet_plain_name(t, 0);
	if (name == 0 || policy->max_host < PLAIN_NAME || policy->max_label < PLAIN_LABEL)
		return 0;
	if (name < t.end && (octet(t, name) != ':' || name + 1 == t.end ||
			     skip(t, name + 1, DIGIT) < t.end))
		return 0;
	return urivet_is_quiet_name(policy, until(t, name), 0) ? name : 0;
}

/* Sets the components of an authority that is a name up to `name`, and a port after it if it is
 * longer. */
/*@ requires readable(t) && \valid(uri) && 0 < name <= t.end;
    assigns *uri;
    ensures parts_in(uri, URIVET_MAX_LENGTH); */
static COLD void set_quiet_authority(struct urivet_uri *uri, struct text t, uint32_t name)
{
	urivet_clear_uri(uri);
	uri->present = bit(URIVET_AUTHORITY) | bit(URIVET_HOST);
	uri->port = URIVET_NO_PORT;
	uri->host_kind = URIVET_HOST_NAME;
	set_span(&uri->part[URIVET_AUTHORITY], 0, t.end);
	set_span(&uri->part[URIVET_HOST], 0, name);
	//@ assert parts_in(uri, URIVET_MAX_LENGTH);
	if (name == t.end)
		return;
	uri->present |= bit(URIVET_PORT);
	set_span(&uri->part[URIVET_PORT], name + 1, t.end);
	//@ assert parts_in(uri, URIVET_MAX_LENGTH);
	uri->port = urivet_effective_port(t, uri);
}

/* Judges s->t as the authority of a plain URL, in which only the port may be refused. Returns false
 * if it is none. */
/*@ requires opened(s) && readable(s->t);
    assigns s->host.offset, s->host.length, s->report->uri, FOUND(s), s->report->port_rule;
    ensures opened(s);
    ensures \result ==> judging(s); */
static bool is_quiet_authority(struct subject *s)
{
	const uint32_t name = quiet_name(s->policy, s->t);
	if (name == 0)
		return false;
	set_quiet_authority(&s->report->uri, s->t, name);
	s->host.offset = 0;
	s->host.length = name;
	//@ assert judging(s);
	if (name < s->t.end)
		urivet_rules_port(s);
	return true;
}

/* Judges s->t as a Host field. Returns true if it is one by RFC 3986. */
/*@ READS(s); assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s) && opened(s); */
static bool judge_host_field(struct subject *s)
{
	const bool parsed = is_quiet_authority(s) || judge_authority_alone(s);
	//@ assert s->report == \at(s->report, Pre) && judging(s) && opened(s);
	if (s->t.end == 0)
		urivet_add(s, URIVET_F_HOST_MISSING, URIVET_HOST, 0, 0);
	//@ assert s->report == \at(s->report, Pre) && judging(s) && opened(s);
	return parsed;
}

/* Judges the Host field, then restores the target. Returns the components of the field. A missing
 * field is judged as an empty one. */
/*@ JUDGES_TARGET(s, field); ensures opened(s) && authority_cut(\result);
    ensures s->t.data == \old(s->t.data) && s->t.end == \old(s->t.end); */
static struct urivet_uri judge_field(struct subject *s, struct text field)
{
	const struct text target = s->t;
	s->t.data = field.data;
	s->t.end = field.end;
	s->in = URIVET_IN_HOST_FIELD;
	s->report->parsed = judge_host_field(s);
	//@ assert s->report == \at(s->report, Pre) && s->policy == \at(s->policy, Pre);
	//@ assert judging(s) && opened(s);
	s->t.data = target.data;
	s->t.end = target.end;
	s->in = URIVET_IN_INPUT;
	//@ assert s->report == \at(s->report, Pre) && s->policy == \at(s->policy, Pre);
	//@ assert s->report->count <= URIVET_MAX_FINDINGS && s->cover <= s->policy->url_count;
	//@ assert opened(s) && readable(s->t);
	//@ assert inside(s->host, URIVET_MAX_LENGTH) && parts_in(&s->report->uri, URIVET_MAX_LENGTH);
	//@ assert judging(s);
	set_usual_port(s);
	//@ assert opened(s);
	return s->report->uri;
}

/* Splits and matches s->t as a path, query and fragment without an authority. Returns true if they
 * match the grammar. */
/*@ READS(s); ensures judging_host(s) && opened(s); */
static bool read_path(struct subject *s)
{
	struct leniency lenient;
	read_tail(s, read_front(s, SPLIT_PATH));
	if (octet(s->t, 0) == '/' && is_legal_tail(&s->seen))
		return true;
	lenient = urivet_leniency(s);
	return match_parts(s, &lenient);
}

/* Reads the target as a path without an authority, and judges its octets. It counts as parsed only
 * if `also` is set, which means that the Host field, if any, was parsed. */
/*@ READS(s); assigns s->report->parsed, FOUND(s); ensures judging_host(s); */
static void judge_path(struct subject *s, bool also)
{
	s->report->parsed = read_path(s) && also;
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	urivet_judge_octets(s, octet(s->t, 0) == '/');
}

/* Judges the Host field, then the target. */
/*@ JUDGES_TARGET(s, field); ensures judging(s); */
static void judge_path_and_field(struct subject *s, struct text field)
{
	const struct urivet_uri authority = judge_field(s, field);
	//@ assert s->report == \at(s->report, Pre);
	judge_path(s, s->report->parsed);
	//@ assert s->report == \at(s->report, Pre);
	join_authority(s, authority);
}

/* Judges origin-form = absolute-path [ "?" query ], and targets that are treated like one. `none`:
 * nothing is known of the field. */
/*@ JUDGES_TARGET(s, field); ensures judging(s); */
static void judge_origin(struct subject *s, struct text field, bool none)
{
	const bool rooted = octet(s->t, 0) == '/';
	if (none)
		judge_path(s, true);
	else
		judge_path_and_field(s, field);
	//@ assert judging(s);
	if (!rooted || has_odd_path(s))
		urivet_rules_path(s);
	//@ assert judging(s);
	if (has_query(s))
		urivet_rules_query(s);
	//@ assert judging(s);
	/* the path may extend an IPv6 address */
	if (!rooted || s->report->uri.host_kind == URIVET_HOST_IPV6 || has_odd_tail(s))
		urivet_rules_tail(s);
}

/* ---- Targets with their own authority --------------------------------------------- */

/* Adds a mismatch in component c. RFC 9112, 3.2.2: the target's own authority takes precedence, but
 * field and listener should agree with it. */
/*@ requires URIVET_SCHEME <= c <= URIVET_PORT; ADDS_FINDINGS(s); */
static void add_mismatch(struct subject *s, enum urivet_component c)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span authority = uri->part[URIVET_AUTHORITY];
	const struct urivet_span end = {span_end(authority), 0};
	const struct urivet_span part = urivet_has(uri, c) ? uri->part[c] : end;
	urivet_add(s, URIVET_F_HOST_HEADER_MISMATCH, c, part.offset, span_end(part));
}

/* Returns true if the host of the field equals that of the target. `authority` has the components
 * of the field. */
/*@ requires judging(s) && readable(field) && authority_cut(authority);
    assigns \nothing; */
static bool is_same_host(const struct subject *s, struct text field,
			 const struct urivet_uri authority)
{
	const struct urivet_span h = s->report->uri.part[URIVET_HOST];
	const struct urivet_span f = authority.part[URIVET_HOST];
	uint32_t k = 0;
	/*@ loop invariant 0 <= k <= h.length;
	    loop assigns k;
	    loop variant h.length - k; */
	while (k < h.length &&
	       lower(octet(s->t, h.offset + k)) == lower(octet(within(field, f), f.offset + k)))
		k++;
	return k == h.length && h.length == f.length;
}

/* Compares host and port of the target with those of the field. A field without a port means the
 * default port of the target's scheme. In authority form, which has no scheme, such a field names
 * only the host. */
/*@ requires readable(field) && authority_cut(authority); ADDS_FINDINGS(s); */
static void compare_with_field(struct subject *s, struct text field,
			       const struct urivet_uri authority)
{
	const struct urivet_uri *uri = &s->report->uri;
	uint32_t port = urivet_default_port(uri->scheme);
	if (!is_same_host(s, field, authority))
		add_mismatch(s, URIVET_HOST);
	if (authority.part[URIVET_PORT].length > 0)
		port = authority.port;
	else if (uri->scheme == URIVET_SCHEME_NONE)
		return;
	if (port != uri->port)
		add_mismatch(s, URIVET_PORT);
}

/* Compares scheme and port of the target with those of the listener. */
/*@ ADDS_FINDINGS(s); */
static void compare_with_listener(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	if (s->listener.scheme != URIVET_SCHEME_NONE && s->listener.scheme != uri->scheme)
		add_mismatch(s, URIVET_SCHEME);
	if (s->listener.port != 0 && s->listener.port != uri->port)
		add_mismatch(s, URIVET_PORT);
}

/*@ JUDGES_TARGET(s, field); assigns s->cover; ensures judging(s); */
static void judge_absolute_and_field(struct subject *s, struct text field)
{
	const struct urivet_uri authority = judge_field(s, field);
	const bool parsed = s->report->parsed;
	//@ assert s->report == \at(s->report, Pre) && opened(s) && readable(s->t);
	urivet_judge(s, false);
	//@ assert s->report == \at(s->report, Pre) && judging(s);
	s->report->parsed = s->report->parsed && parsed;
	//@ assert judging(s);
	compare_with_field(s, field, authority);
}

/* Judges absolute-form = absolute-URI. */
/*@ JUDGES_TARGET(s, field); assigns s->cover; ensures judging(s); */
static void judge_absolute(struct subject *s, struct text field, bool none)
{
	if (none)
		urivet_judge(s, false);
	else
		judge_absolute_and_field(s, field);
	//@ assert s->report == \at(s->report, Pre) && judging(s);
	compare_with_listener(s);
}

/* Judges authority-form = uri-host ":" port. It counts as parsed only if `also` is set, which means
 * that the Host field was parsed. */
/*@ READS(s); assigns s->report->parsed, FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging(s); */
static void judge_host_and_port(struct subject *s, bool also)
{
	const struct urivet_uri *uri = &s->report->uri;
	s->report->parsed = judge_authority_alone(s) && also;
	if (uri->part[URIVET_HOST].length == 0 || uri->part[URIVET_PORT].length == 0)
		urivet_add(s, URIVET_F_TARGET_MALFORMED, URIVET_WHOLE, 0, s->t.end);
}

/* Judges the authority form. It names another server than the listener, so the listener's scheme
 * and port do not matter. */
/*@ JUDGES_TARGET(s, field); assigns s->listener; ensures judging(s); */
static void judge_authority_form(struct subject *s, struct text field, bool none)
{
	struct urivet_uri authority;
	s->listener.scheme = URIVET_SCHEME_NONE;
	s->listener.port = 0;
	//@ assert s->report == \at(s->report, Pre) && opened(s) && readable(s->t);
	if (none) {
		judge_host_and_port(s, true);
		return;
	}
	authority = judge_field(s, field);
	//@ assert s->report == \at(s->report, Pre) && opened(s) && readable(s->t);
	judge_host_and_port(s, s->report->parsed);
	//@ assert s->report == \at(s->report, Pre) && judging(s);
	compare_with_field(s, field, authority);
}

/* ---- All forms ---------------------------------------------------------------------- */

/*@ ADDS_FINDINGS(s); */
static void add_fragment(struct subject *s)
{
	const struct urivet_span f = s->report->uri.part[URIVET_FRAGMENT];
	urivet_add(s, URIVET_F_FRAGMENT_IN_TARGET, URIVET_FRAGMENT, f.offset, span_end(f));
}

/*@ JUDGES_TARGET(s, field); assigns s->cover, s->listener; ensures judging(s); */
static void judge_form(struct subject *s, enum urivet_target_form form, struct text field,
		       bool none)
{
	switch (form) {
	case URIVET_TARGET_ABSOLUTE:
		judge_absolute(s, field, none);
		break;
	case URIVET_TARGET_AUTHORITY:
		judge_authority_form(s, field, none);
		break;
	default:
		judge_origin(s, field, none);
	}
	if (form == URIVET_TARGET_NONE)
		urivet_add(s, URIVET_F_TARGET_MALFORMED, URIVET_WHOLE, 0, s->t.end);
	if (urivet_has(&s->report->uri, URIVET_FRAGMENT))
		add_fragment(s);
}

/*@ predicate known(struct urivet_request *request) =
      \valid_read(request) && is_possible(request->method); */

/* Judges the target that s->t is, of a request with a Host field that is not too long. Returns its
 * form. */
/*@ requires opened(s) && readable(s->t) && readable(field);
    requires known(request) && \separated(s, request);
    assigns *s, *s->report;
    ensures judging(s) && readable(s->t);
    ensures s->report == \old(s->report) && s->policy == \old(s->policy); */
static enum urivet_target_form judge_opened(struct subject *s, const struct urivet_request *request,
					    struct text field)
{
	const struct urivet_text method = request->method;
	const enum urivet_target_form form = target_form(s->t);
	s->web = true;
	s->listener.scheme = (uint16_t)request->scheme;
	s->listener.port = (uint16_t)(request->port != URIVET_NO_PORT ? request->port : 0);
	//@ assert readable(s->t) && opened(s);
	judge_form(s, form, field, request->host_unknown);
	//@ assert s->report == \at(s->report, Pre) && readable(s->t);
	urivet_rules_uncovered(s); /* URL rules cannot cover a target */
	//@ assert s->report == \at(s->report, Pre) && readable(s->t) && judging(s);
	if (form != URIVET_TARGET_NONE && !urivet_method_allows(method, form))
		urivet_add(s, URIVET_F_TARGET_FORM, URIVET_WHOLE, 0, s->t.end);
	urivet_close(s);
	return form;
}

/* Returns what rules for paths waive for a rejected target. A missing Host field is waived only for
 * a path alone; whatever hosts are allowed, it names none. */
/*@ requires \valid(rule) && judging(s) && known(request);
    requires \separated(rule, s, s->report, request) && \separated(rule, s->policy);
    assigns *rule; */
static uint64_t waived_for(const struct urivet_path_rule **rule, const struct subject *s,
			   const struct urivet_request *request, enum urivet_target_form form)
{
	const struct urivet_text method = request->method;
	const bool missing = request->host.data == NULL || request->host.length == 0;
	const uint64_t field = urivet_below_bit(URIVET_F_HOST_MISSING);
	const struct text name =
	    text_of(method.data, method.data != NULL ? (uint32_t)method.length : 0);
	const uint64_t waived = urivet_find_below(rule, s->report, s->t, name, s->policy);
	if ((waived & field) == 0)
		return waived;
	if (missing && form == URIVET_TARGET_ORIGIN)
		return waived | urivet_below_bit(URIVET_F_HOST_EMPTY) |
		       urivet_below_bit(URIVET_F_HOST_NOT_ALLOWED);
	return waived & ~field;
}

/* Judges a target by any policy. Returns its form. */
/*@ requires given(report, policy) && known(request);
    requires \separated(report, request);
    assigns *report; */
static enum urivet_target_form judge_target(struct urivet_report *report, struct urivet_text target,
					    const struct urivet_request *request,
					    const struct urivet_policy *policy)
{
	const struct urivet_text host = request->host;
	const size_t length = target.data != NULL ? target.length : 0;
	const struct urivet_path_rule *rule;
	enum urivet_target_form form;
	struct text field;
	struct subject s;
	uint64_t waived;
	if (!urivet_open(&s, report, target.data, length, policy))
		return URIVET_TARGET_NONE;
	/* a Host field above the limit is treated like a target above it */
	if (host.data != NULL && urivet_is_too_long(&s, host.length, URIVET_IN_HOST_FIELD))
		return URIVET_TARGET_NONE;
	field = text_of(host.data, host.data != NULL ? (uint32_t)host.length : 0);
	//@ assert s.report == report && (s.policy == policy || s.policy == &urivet_strict);
	//@ assert recording(&s);
	//@ assert opened(&s) && readable(s.t) && readable(field) && known(request);
	form = judge_opened(&s, request, field);
	//@ assert judging(&s) && known(request) && s.report == report;
	if (report->verdict == URIVET_ACCEPT || !has_path_rules(s.policy))
		return form;
	waived = waived_for(&rule, &s, request, form);
	//@ assert recording(&s) && readable(s.t) && known(request) && s.report == report;
	if (waived == 0)
		return form;
	urivet_begin_again(&s);
	s.below = waived;
	//@ assert opened(&s) && readable(s.t) && readable(field) && known(request);
	form = judge_opened(&s, request, field);
	report->path_rule = rule;
	report->path_waived = waived;
	return form;
}

enum urivet_target_form urivet_check_target(struct urivet_report *report, size_t size,
					    struct urivet_text target,
					    const struct urivet_request *request,
					    const struct urivet_policy *policy)
{
	enum urivet_target_form form = URIVET_TARGET_NONE;
	if (urivet_request_valid(request))
		form = judge_target(report, target, request, policy);
	else
		(void)urivet_refuse_policy(report);
	report->size = (uint32_t)size;
	return form;
}

/*@ requires given(report, policy) && (form == \null || \valid(form));
    requires request == \null || \valid_read(request);
    requires \separated(form, report, policy, request, &urivet_strict);
    assigns *report, *form; */
enum urivet_verdict urivet_check_request_sized(struct urivet_report *report, size_t size,
					       const void *data, size_t length,
					       const struct urivet_request *request,
					       const struct urivet_policy *policy,
					       enum urivet_target_form *form)
{
	const struct urivet_text target = {data, data != NULL ? length : 0};
	const bool fits = urivet_fit_report(report, size);
	enum urivet_target_form found = URIVET_TARGET_NONE;
	if (fits)
		found = urivet_check_target(report, size, target, request, policy);
	if (form != NULL)
		*form = found;
	return fits ? urivet_judge_values(report, target, request, policy) : URIVET_REJECT;
}

/* ---- Paths without an authority ---------------------------------------------------- */

void urivet_judge_path(struct urivet_report *report, size_t size, struct urivet_text text,
		       const struct urivet_policy *policy)
{
	struct subject s;
	if (!urivet_open(&s, report, text.data, text.length, policy)) {
		report->size = (uint32_t)size;
		return;
	}
	s.web = true;
	//@ assert s.report == report && readable(s.t) && opened(&s);
	judge_origin(&s, text_of(NULL, 0), true);
	urivet_close(&s);
	report->size = (uint32_t)size;
}
