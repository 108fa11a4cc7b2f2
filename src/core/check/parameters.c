/* SPDX-License-Identifier: Apache-2.0 */
/* Judges query parameters as references against the URL that contains them. */
#include <string.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>

#include "check/check.h"
#include "check/origin.h"
#include "check/query.h"
#include "check/request.h"
#include "check/target.h"
#include "plain/vector.h"
#include "policy/policy.h"
#include "policy/schemes.h"
#include "rules/rules.h"
#include "reference/resolve.h"
#include "text/out.h"
#include "text/sized.h"
#include "text/words.h"
#include "uri/parameter.h"

/* The size of the smallest struct, in octets: see text/sized.h. */
#define RULES_LEAST sizeof(struct urivet_parameter_rules)

bool urivet_parameter_rules_init(struct urivet_parameter_rules *rules, size_t size)
{
	if (!urivet_fit(rules, size, RULES_LEAST, 0) || size > sizeof *rules)
		return false;
	rules->size = size;
	rules->times = 1;
	return true;
}

bool urivet_parameter_rules_valid(const struct urivet_parameter_rules *rules)
{
	if (rules == NULL || rules->size < RULES_LEAST || rules->size > sizeof *rules)
		return false;
	return (rules->times == 1 || rules->times == 2) &&
	       (rules->count == 0 || rules->names != NULL) && is_strict_or_sound(rules->policy) &&
	       (rules->policy == NULL || !has_parameter_rules(rules->policy));
}

/* Returns space for a text and its NUL, from the end of the free space; NULL if there is too
 * little. */
static char *take_room(struct query *q, size_t length)
{
	if (q->left <= length)
		return NULL;
	q->left -= length + 1;
	return q->room + q->left;
}

/* ---- The base ------------------------------------------------------------------------ */

/* Returns `length` octets of the text after `offset`. */
static struct urivet_text from_offset(struct urivet_text text, size_t offset, size_t length)
{
	return urivet_text_of((const char *)text.data + offset, length);
}

static void put_octets_of(struct out *o, struct urivet_text text)
{
	const struct text t = text_of(text.data, (uint32_t)text.length);
	for (uint32_t k = 0; k < t.end; k++)
		put(o, octet(t, k));
}

/* Composes the base of a target in origin form: a URL whose authority is the Host field (RFC 9110,
 * 7.1). Returns false if the buffer is too small. */
static bool compose_base(struct query *q, const struct urivet_uri *uri,
			 const struct urivet_parameter_input *input)
{
	const struct urivet_request *r = input->request;
	const struct urivet_text path = from_offset(input->text, 0, uri->part[URIVET_PATH].length);
	struct urivet_text authority;
	struct out o = {NULL, 0, 0};
	if (r == NULL || r->scheme == URIVET_SCHEME_NONE || uri->part[URIVET_PATH].offset != 0)
		return true;
	authority = urivet_part(uri, URIVET_AUTHORITY, input->text, r->host);
	if (authority.data == NULL || authority.length == 0)
		return true;
	o.capacity = sizeof "https://" + authority.length + path.length;
	o.data = take_room(q, o.capacity - 1);
	if (o.data == NULL)
		return false;
	if (r->scheme == URIVET_SCHEME_HTTPS)
		put_string(&o, "https://");
	else
		put_string(&o, "http://");
	put_octets_of(&o, authority);
	put_octets_of(&o, path);
	q->base = urivet_text_of(o.data, put_end(&o));
	return true;
}

COLD bool urivet_find_base(struct query *q, const struct urivet_uri *uri,
			   const struct urivet_parameter_input *input)
{
	struct urivet_uri base;
	if (!urivet_has(uri, URIVET_SCHEME)) {
		if (!compose_base(q, uri, input))
			return false;
	} else if (urivet_has(uri, URIVET_AUTHORITY)) {
		q->base = from_offset(input->text, 0, span_end(uri->part[URIVET_PATH]));
	}
	if (q->base.data != NULL && !urivet_parse(&base, q->base.data, q->base.length, NULL))
		q->base = urivet_text_of(NULL, 0);
	return true;
}

/* Returns true if the text has the length recorded in the report. */
static bool is_report_of(const struct urivet_report *report, struct urivet_text text)
{
	const size_t length = text.data != NULL ? text.length : 0;
	return report->uri.part[URIVET_WHOLE].length == length;
}

/* Returns the query of a parsed text; data NULL if there is none. */
static struct urivet_text query_of(const struct urivet_report *report, struct urivet_text text)
{
	static const struct urivet_text none;
	if (!report->parsed || !is_report_of(report, text))
		return none;
	return urivet_part(&report->uri, URIVET_QUERY, text, none);
}

/* ---- Selecting parameters ------------------------------------------------------------- */

static struct text narrowed(const struct query *q, struct urivet_span s)
{
	return within(text_of(q->text.data, (uint32_t)q->text.length), s);
}

/* Returns true if a value that begins with this word and a colon is a URL: the word is a web scheme
 * or a dangerous one. If a space follows the colon, only script schemes count. */
static bool is_scheme_word(struct text word, bool space)
{
	static const char web[][6] = {"http", "https", "ws", "wss", "ftp"};
	unsigned k;
	for (k = 0; !space && k < sizeof web / sizeof web[0]; k++)
		if (is_word(word, 0, web[k]))
			return true;
	k = urivet_next_family(word, 0, 0);
	return k < URIVET_FAMILIES &&
	       (!space || urivet_family_finding(k) == URIVET_F_SCHEME_SCRIPT);
}

/* Returns true if the value looks like a path or URL. A word and a colon alone do not count, as in
 * "site:example.com" and "Re: hello". */
static COLD bool looks_asked(const struct query *q, const struct urivet_parameter *p, bool guessed)
{
	uint8_t scheme[VALUE_SCHEME_MOST];
	uint32_t length;
	const enum value_start start =
	    urivet_value_start(narrowed(q, p->value), p->value.offset, q->rules->times == 2,
			       guessed, scheme, &length);
	if (start == VALUE_HAS_SCHEME || start == VALUE_HAS_SPACE)
		return is_scheme_word(text_of(scheme, length), start == VALUE_HAS_SPACE);
	return start != VALUE_IS_TEXT;
}

bool urivet_is_selected(const struct query *q, const struct urivet_parameter *p)
{
	const struct urivet_parameter_rules *rules = q->rules;
	if (rules->count == 0)
		return looks_asked(q, p, true);
	for (uint32_t k = 0; k < rules->count; k++) {
		const struct urivet_text name = rules->names[k];
		const size_t length = name.data != NULL ? name.length : 0;
		if (length <= URIVET_MAX_LENGTH &&
		    urivet_may_be_named(narrowed(q, p->name), p->name.offset,
					text_of(name.data, (uint32_t)length),
					rules->any_case))
			return true;
	}
	return false;
}

/* ---- Judging the value ---------------------------------------------------------------- */

COLD enum urivet_parameter_result urivet_decode_value(struct query *q,
						      const struct urivet_parameter *p,
						      struct urivet_text *value)
{
	struct urivet_text text = from_offset(q->text, p->value.offset, p->value.length);
	enum urivet_decoded how;
	if (q->rules->count > 0) {
		(void)urivet_decode(NULL, 0, from_offset(q->text, p->name.offset, p->name.length),
				    URIVET_CODING_FORM, &how, NULL);
		if (how != URIVET_DECODED)
			return URIVET_PARAMETER_UNDECODED;
	}
	for (uint32_t k = 0; k < q->rules->times; k++) {
		const size_t length =
		    urivet_decode(NULL, 0, text, URIVET_CODING_FORM, &how, NULL);
		char *out;
		if (how != URIVET_DECODED)
			return URIVET_PARAMETER_UNDECODED;
		out = length <= q->most ? take_room(q, length) : NULL;
		if (out == NULL)
			return URIVET_PARAMETER_NO_ROOM;
		(void)urivet_decode(out, length + 1, text, URIVET_CODING_FORM, NULL, NULL);
		text = urivet_text_of(out, length);
	}
	*value = text;
	return URIVET_PARAMETER_ACCEPTED;
}

/* Returns the offset of the path in a resolved target. */
static COLD size_t path_of(struct urivet_text target)
{
	struct urivet_uri uri = {.present = 0};
	(void)urivet_parse(&uri, target.data, target.length, NULL); /* cannot fail: the target was
								     * composed */
	return uri.part[URIVET_PATH].offset;
}

/* Returns true if browsers resolve the value to the same page, with another query or fragment. Only
 * old editions of the standard disagree. */
static COLD bool is_same_page(struct urivet_text value)
{
	const char *const first = value.data;
	return value.length == 0 || *first == '?' || *first == '#';
}

/* Returns true if a rule of the policy's own refuses: a finding that it raises, or one of class
 * policy. The built-in policies say nothing of these in a path. */
static bool is_refused_by_rule(const struct urivet_report *inner,
			       const struct urivet_policy *policy)
{
	for (uint32_t k = 0; k < inner->count; k++) {
		const struct urivet_finding *const found = &inner->finding[k];
		if (urivet_finding_refuses(inner, found, policy) &&
		    (found->class_ == URIVET_POLICY || in_set(&policy->raised, found->id)))
			return true;
	}
	return inner->dropped > 0;
}

/* Returns true if the policy accepts the fragment of a text, or there is none. The text begins with
 * a slash and is in the buffer; the octet before "#", which is at `at`, is a path meanwhile. */
static COLD bool accepts_fragment(struct urivet_report *inner, size_t size, char *text,
				  size_t length, size_t at, const struct urivet_policy *policy)
{
	char before;
	if (at >= length)
		return true;
	before = text[at - 1];
	text[at - 1] = '/';
	urivet_judge_path(inner, size, urivet_text_of(text + at - 1, length - at + 1), policy);
	text[at - 1] = before;
	return inner->verdict == URIVET_ACCEPT;
}

/* Judges a return path that the policy of the values refuses, or about which editions disagree:
 * `gateway` may accept path and query, and the policy the fragment. Returns true if they do. */
static COLD bool is_return_path(struct urivet_report *inner, size_t size, const struct query *q,
				struct urivet_text value)
{
	const struct urivet_policy *const policy =
	    q->rules->policy != NULL ? q->rules->policy : &urivet_strict;
	const size_t at = find_octet(text_of(value.data, (uint32_t)value.length), 0, '#');
	if (!q->rules->same_origin || !urivet_is_rooted(value))
		return false;
	urivet_judge_path(inner, size, value, policy);
	/* the value lies in the buffer, which is writable */
	if (is_refused_by_rule(inner, policy) ||
	    !accepts_fragment(inner, size, q->room + ((const char *)value.data - q->room),
			      value.length, at, policy))
		return false;
	urivet_judge_path(inner, size, urivet_text_of(value.data, at), &urivet_gateway);
	if (inner->verdict == URIVET_REJECT)
		return false;
	if (at >= value.length)
		return true;
	/* what is left refuses the fragment, which the policy accepts */
	urivet_judge_path(inner, size, value, &urivet_gateway);
	urivet_drop_refusing(inner, &urivet_gateway);
	return inner->verdict == URIVET_ACCEPT;
}

/* Judges a value that stays on the origin, by path, query and fragment of its target, about which
 * editions disagree if `apart` is set. Returns the judged text. */
static COLD struct urivet_text judge_staying(struct urivet_report *inner, size_t size,
					     const struct query *q, struct urivet_text value,
					     const struct urivet_text *target, bool apart)
{
	struct urivet_text judged = value;
	if (target->data != NULL) {
		const size_t path = path_of(*target);
		judged = from_offset(*target, path, target->length - path);
	}
	urivet_judge_path(inner, size, judged, q->rules->policy);
	if (inner->verdict == URIVET_REJECT || apart) {
		if (is_return_path(inner, size, q, value))
			return value;
		urivet_judge_path(inner, size, judged, q->rules->policy);
	}
	if (apart && !is_same_page(value))
		(void)urivet_add_finding(inner, URIVET_F_RESOLUTION_AMBIGUOUS, URIVET_WHOLE,
					 span(0, (uint32_t)judged.length), q->rules->policy);
	return judged;
}

/* Judges a value as a URL of its own: base or value are unreadable, or the value must be
 * absolute. */
static COLD struct urivet_text judge_alone(struct urivet_report *inner, size_t size,
					   const struct query *q, struct urivet_text value)
{
	const struct urivet_parameter_rules *rules = q->rules;
	const uint32_t options = rules->same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0;
	(void)urivet_check_url(inner, size, value.data, value.length, rules->policy);
	if (urivet_asks_for_origin(rules->policy, options))
		(void)urivet_keep_origin(inner, q->base, value, rules->policy);
	return value;
}

/* Judges a value by its target, as a URL. Returns the judged text. */
static COLD struct urivet_text judge_whole(struct urivet_report *inner, size_t size,
					   const struct query *q, const struct urivet_text *target,
					   bool apart)
{
	const uint32_t options = q->rules->same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0;
	const struct urivet_policy *const policy = q->rules->policy;
	(void)urivet_check_url(inner, size, target->data, target->length, policy);
	(void)urivet_end_reference(inner, *target, q->base, apart, options, policy);
	return urivet_text_of(q->room, inner->parsed ? inner->uri.part[URIVET_WHOLE].length : 0);
}

bool urivet_is_rooted(struct urivet_text value)
{
	const struct text t = text_of(value.data, (uint32_t)value.length);
	return octet(t, 0) == '/' && !is(t, 1, SLASH | BACKSLASH | BLANK | HIGH);
}

/* How a value is judged: by its path on the same origin, as a reference, or as a URL of its own. */
enum value_kind { VALUE_STAYING, VALUE_WHOLE, VALUE_ALONE };

static COLD enum value_kind value_kind_of(const struct query *q, struct urivet_text value)
{
	struct urivet_uri uri;
	if (q->rules->absolute)
		return VALUE_ALONE;
	if (urivet_is_rooted(value))
		return VALUE_STAYING;
	if (!urivet_parse(&uri, value.data, value.length, NULL))
		return VALUE_ALONE;
	if (!urivet_has(&uri, URIVET_SCHEME) && !urivet_has(&uri, URIVET_AUTHORITY))
		return VALUE_STAYING;
	return q->base.data != NULL ? VALUE_WHOLE : VALUE_ALONE;
}

/* Returns the room that judging a decoded value may need, beside that of the value. */
static size_t room_for(const struct query *q, size_t length)
{
	return q->base.length + length + 9;
}

static enum urivet_parameter_result judge_value(struct urivet_report *inner, size_t size,
						const struct query *q, struct urivet_text value,
						struct urivet_text *judged)
{
	const enum value_kind is = value_kind_of(q, value);
	if (q->left < room_for(q, value.length))
		return URIVET_PARAMETER_NO_ROOM;
	if (is == VALUE_ALONE) {
		*judged = judge_alone(inner, size, q, value);
	} else {
		const struct urivet_text target =
		    urivet_target_of(q->room, q->left, &q->base, &value);
		const bool apart = urivet_is_apart(&target, &q->base, &value);
		*judged = is == VALUE_STAYING
			      ? judge_staying(inner, size, q, value, &target, apart)
			      : judge_whole(inner, size, q, &target, apart);
	}
	return inner->verdict == URIVET_ACCEPT ? URIVET_PARAMETER_ACCEPTED
					       : URIVET_PARAMETER_REFUSED;
}

COLD enum urivet_parameter_result urivet_judge_parameter(struct urivet_report *inner, size_t size,
							 struct query *q,
							 const struct urivet_parameter *p,
							 struct urivet_parameter_texts *texts)
{
	const size_t left = q->left;
	enum urivet_parameter_result result = urivet_decode_value(q, p, &texts->value);
	if (result == URIVET_PARAMETER_ACCEPTED && q->rules->count == 0 &&
	    !looks_asked(q, p, false))
		result = URIVET_PARAMETER_NOT_ASKED;
	if (result == URIVET_PARAMETER_ACCEPTED)
		result = judge_value(inner, size, q, texts->value, &texts->judged);
	q->left = left;
	return result;
}

/* ---- Plain values ------------------------------------------------------------------------ */

/* Returns true if a text is the same once decoded, and has no octet that a rule about octets
 * checks. */
static bool is_verbatim(struct text t, uint32_t at)
{
	return find(t, at, PERCENT | PLUS | BLANK | HIGH | FORBIDDEN) == t.end;
}

/* Returns true if the text is a path in which no rule can find anything. */
static bool is_plain_path(struct text t)
{
	const struct tail tail = urivet_tail(t, 0);
	return tail.path_end == t.end && (tail.path & ODD_IN_PATH) == 0 &&
	       tail.beside_slash == 0 && t.end < MANY_SEGMENTS;
}

/* Returns true if the policy accepts the value as a URL or a path from the root, without findings
 * and without decoding or resolving it. */
static bool is_quiet_value(const struct query *q, struct urivet_text value)
{
	const struct urivet_policy *policy =
	    q->rules->policy != NULL ? q->rules->policy : &urivet_strict;
	const uint32_t options = q->rules->same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0;
	const struct text t = text_of(value.data, (uint32_t)value.length);
	if (octet(t, 0) != '/')
		return !urivet_asks_for_origin(policy, options) &&
		       urivet_passes_plainly(value.data, value.length, policy);
	return !q->rules->absolute && value.length <= policy->max_length && is_plain_path(t) &&
	       !is_on(policy, URIVET_F_PATH_TRAILING_DOT_SPACE);
}

/* Returns true if urivet_judge_parameter() accepts a listed parameter, because its name and value
 * need no decoding and nothing is found in the value. */
static COLD bool is_plain_parameter(const struct query *q, const struct urivet_parameter *p)
{
	const struct urivet_text value = from_offset(q->text, p->value.offset, p->value.length);
	const size_t room = q->rules->times * (value.length + 1) + room_for(q, value.length);
	return q->rules->count > 0 && q->left >= room &&
	       is_verbatim(narrowed(q, p->name), p->name.offset) &&
	       is_verbatim(narrowed(q, p->value), p->value.offset) && is_quiet_value(q, value);
}

/* ---- Entry points ----------------------------------------------------------------------- */

/* Returns true if rules and request from the caller are valid. */
static bool are_sound_rules(const struct urivet_parameter_input *input,
			    const struct urivet_parameter_rules *rules)
{
	return input != NULL && urivet_parameter_rules_valid(rules) &&
	       (input->request == NULL || urivet_request_valid(input->request));
}

struct query urivet_begin_query(const struct urivet_report *report,
				const struct urivet_parameter_input *input)
{
	const struct query q = {
	    .text = query_of(report, input->text),
	    .room = input->buffer,
	    .left = input->buffer != NULL ? input->capacity : 0,
	    .most = SIZE_MAX,
	};
	return q;
}

static bool lies_in_query(struct urivet_span s, struct urivet_text text)
{
	return s.offset <= text.length && s.length <= text.length - s.offset;
}

enum urivet_parameter_result
urivet_check_parameter_sized(struct urivet_report *inner, size_t size,
			     struct urivet_parameter_texts *texts,
			     const struct urivet_parameter *parameter,
			     const struct urivet_report *report,
			     const struct urivet_parameter_input *input,
			     const struct urivet_parameter_rules *rules)
{
	struct urivet_parameter_texts got = {{NULL, 0}, {NULL, 0}};
	enum urivet_parameter_result result = URIVET_PARAMETER_REFUSED;
	const bool fits = urivet_fit_report(inner, size);
	struct query q;
	if (texts != NULL)
		*texts = got;
	if (!fits)
		return result;
	memset(inner, 0, URIVET_REPORT_OCTETS);
	if (parameter == NULL || !urivet_is_filled(report) || !are_sound_rules(input, rules))
		return result;
	q = urivet_begin_query(report, input);
	q.rules = rules;
	if (q.text.data == NULL || !lies_in_query(parameter->name, q.text) ||
	    !lies_in_query(parameter->value, q.text))
		return result;
	if (!urivet_is_selected(&q, parameter))
		return URIVET_PARAMETER_NOT_ASKED;
	if (!urivet_find_base(&q, &report->uri, input))
		return URIVET_PARAMETER_NO_ROOM;
	result = urivet_judge_parameter(inner, size, &q, parameter, &got);
	if (texts != NULL)
		*texts = got;
	return result;
}

static COLD enum urivet_verdict refuse_rules(struct urivet_report *report,
					     const struct urivet_policy *policy)
{
	return urivet_add_finding(report, URIVET_F_POLICY_INVALID, URIVET_WHOLE, span(0, 0),
				  policy);
}

/* Adds `param-refused` for a value of the query. */
static COLD void refuse_value(struct urivet_report *report, struct urivet_span value,
			      const struct urivet_policy *policy)
{
	value.offset += report->uri.part[URIVET_QUERY].offset;
	(void)urivet_add_finding(report, URIVET_F_PARAM_REFUSED, URIVET_QUERY, value, policy);
}

/* Judges all selected parameters. If `room` is false, the base did not fit and all are refused. */
static void judge_parameters(struct urivet_report *report, struct urivet_report *inner, size_t size,
			     struct query *q, const struct urivet_policy *policy)
{
	struct urivet_parameter_scan scan = {q->text.data, q->text.length, 0,
						  q->rules->semicolons};
	struct urivet_parameter p;
	struct urivet_parameter_texts texts;
	uint32_t judged = 0;
	while (urivet_parameter_next(&scan, &p)) {
		enum urivet_parameter_result result = URIVET_PARAMETER_REFUSED;
		if (!urivet_is_selected(q, &p))
			continue;
		if (judged < URIVET_MAX_PARAMETERS)
			result = is_plain_parameter(q, &p)
				     ? URIVET_PARAMETER_ACCEPTED
				     : urivet_judge_parameter(inner, size, q, &p, &texts);
		if (result == URIVET_PARAMETER_NOT_ASKED)
			continue;
		judged++;
		if (result != URIVET_PARAMETER_ACCEPTED)
			refuse_value(report, p.value, policy);
	}
}

enum urivet_verdict urivet_check_parameters_sized(struct urivet_report *report,
						  struct urivet_report *inner, size_t size,
						  const struct urivet_parameter_input *input,
						  const struct urivet_parameter_rules *rules,
						  const struct urivet_policy *policy)
{
	const bool fits = urivet_fit_report(inner, size);
	struct query q;
	if (fits)
		memset(inner, 0, URIVET_REPORT_OCTETS);
	if (!urivet_is_filled(report))
		return URIVET_REJECT;
	if (!fits || !are_sound_rules(input, rules))
		return refuse_rules(report, policy);
	q = urivet_begin_query(report, input);
	q.rules = rules;
	if (q.text.data == NULL)
		return report->parsed && !is_report_of(report, input->text)
			   ? refuse_rules(report, policy)
			   : report->verdict;
	if (!urivet_find_base(&q, &report->uri, input))
		q.left = 0; /* no room for any value either: all are refused */
	judge_parameters(report, inner, size, &q, policy);
	return report->verdict;
}
