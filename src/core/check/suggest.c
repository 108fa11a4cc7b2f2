/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests an equivalent spelling that the policy accepts. */
#include <urivet/spelling.h>

#include "check/check.h"
#include "reference/normal.h"
#include "check/suggest.h"
#include "check/values.h"
#include "uri/ip.h"

/* Returns true for findings that an equivalent spelling avoids. The host is an exception: an
 * escaped unreserved character there also has the finding host-percent-encoded, which has no
 * fix. */
static bool has_fix(unsigned id)
{
	switch (id) {
	case URIVET_F_SCHEME_CASE:
	case URIVET_F_ESCAPED_UNRESERVED:
	case URIVET_F_DOT_SEGMENT:
	case URIVET_F_DOT_SEGMENT_ABOVE_ROOT:
	case URIVET_F_ESCAPED_DOT_SEGMENT:
	case URIVET_F_PORT_EMPTY:
	case URIVET_F_PORT_LEADING_ZERO:
	case URIVET_F_IPV6_NONCANONICAL:
	case URIVET_F_QUERY_AFTER_EMPTY_PATH:
	case URIVET_F_FRAGMENT_AFTER_EMPTY_PATH:
	case URIVET_F_RAW_SPACE:
	case URIVET_F_FORBIDDEN_CHAR:
	case URIVET_F_TEMPLATE_OR_GLOB:
	case URIVET_F_QUERY_NESTED_BRACKETS:
	case URIVET_F_BAD_ESCAPE:
		return true;
	default:
		return false;
	}
}

/* Returns true if the finding is a note in its component, raised or not. */
static bool is_note(const struct urivet_finding *f, const struct urivet_policy *policy)
{
	return urivet_is_note_in(policy, f->id, f->component);
}

/* Returns true if another spelling may match a URL that the policy allows. */
static bool may_be_covered(const struct urivet_finding *f, const struct urivet_policy *policy)
{
	return f->class_ == URIVET_POLICY && has_url_rules(policy);
}

/* Returns true if another spelling may avoid all findings that refuse. False if findings were
 * dropped, as they are unknown. */
static COLD bool fixable(const struct urivet_report *report, const struct urivet_policy *policy)
{
	if (report->dropped > 0)
		return false;
	for (uint32_t k = 0; k < report->count; k++) {
		const struct urivet_finding *f = &report->finding[k];
		if (is_note(f, policy) ? in_set(&policy->raised, f->id)
				       : !has_fix(f->id) && !may_be_covered(f, policy))
			return false;
	}
	return true;
}

enum urivet_verdict urivet_check_by_rules(struct urivet_report *report, const void *data,
					  size_t length, const struct urivet_policy *policy)
{
	struct subject s;
	if (urivet_open(&s, report, data, length, policy)) {
		urivet_judge(&s, true);
		urivet_close(&s);
	}
	return report->verdict;
}

/* Returns true if the input is accepted without findings other than notes. */
static COLD bool has_notes_alone(const struct urivet_report *report,
				 const struct urivet_policy *policy)
{
	if (report->verdict != URIVET_ACCEPT || report->dropped > 0)
		return false;
	for (uint32_t k = 0; k < report->count; k++)
		if (!is_note(&report->finding[k], policy))
			return false;
	return true;
}

/* Returns true if a "%" begins no triplet. Decoding a triplet after it could complete one. */
static bool has_lone_percent(const struct urivet_report *report)
{
	for (uint32_t k = 0; k < report->count; k++)
		if (report->finding[k].id == URIVET_F_BAD_ESCAPE)
			return true;
	return false;
}

/* Suggests the input itself. */
static COLD size_t put_input(char *out, size_t capacity, const void *data, size_t length)
{
	struct out o = {out, capacity, 0};
	put_copy(&o, data, (uint32_t)length);
	return put_end(&o);
}

/* Suggests the normal form. If `escapes_raw` is true, octets not allowed in a URI are
 * percent-encoded. */
static COLD size_t put_normal(char *out, size_t capacity, struct text t,
			      const struct urivet_uri *uri, bool escapes_raw)
{
	struct out o = {out, capacity, 0};
	urivet_put_normal(&o, t, uri, escapes_raw);
	return put_end(&o);
}

/* Returns true if certainly no rule finds anything. */
static inline bool is_quiet_text(const void *data, size_t length,
				 const struct urivet_policy *policy)
{
	return length > 0 && can_be_judged_by(policy) &&
	       urivet_passes_plainly(data, length, policy);
}

static size_t suggest(char *out, size_t capacity, const void *data, size_t length,
		      const struct urivet_policy *policy)
{
	struct short_report memory;
	struct urivet_report *const report = urivet_report_in(&memory);
	size_t written;
	bool authority;
	if (data == NULL)
		length = 0;
	if (policy == NULL)
		policy = &urivet_strict;
	if (is_quiet_text(data, length, policy))
		return put_input(out, capacity, data, length);
	if (capacity > 0)
		out[0] = '\0';
	(void)urivet_check_by_rules(report, data, length, policy);
	if (!fixable(report, policy))
		return 0;
	/* if the policy allows a lone "%" */
	if (report->parsed && has_lone_percent(report))
		return report->verdict == URIVET_ACCEPT ? put_input(out, capacity, data, length) : 0;
	/* no notes either; other schemes are excluded, as upper case in them is not noted */
	if (report->count == 0 && report->uri.scheme != URIVET_SCHEME_OTHER)
		return put_input(out, capacity, data, length);
	authority = urivet_has(&report->uri, URIVET_AUTHORITY);
	written = put_normal(out, capacity, text_of(data, (uint32_t)length), &report->uri,
			     !report->parsed);
	if (report->verdict != URIVET_ACCEPT)
		data = NULL; /* there is no fallback */
	if (written >= capacity)
		return written; /* it was truncated, so it cannot be checked */
	if (authority && is_quiet_text(out, written, policy))
		return written;
	/* x:/.//h must not become x://h, which has an authority */
	(void)urivet_check_by_rules(report, out, written, policy);
	if (has_notes_alone(report, policy) &&
	    urivet_has(&report->uri, URIVET_AUTHORITY) == authority)
		return written;
	/* without the default port it may be ambiguous, as in ftp://1.2.3.4:21/?h:21/ */
	if (data != NULL)
		return put_input(out, capacity, data, length);
	out[0] = '\0';
	return 0;
}

size_t urivet_suggest(char *out, size_t capacity, const void *data, size_t length,
		      const struct urivet_policy *policy)
{
	const size_t written = suggest(out, capacity, data, length, policy);
	if (written == 0 || written >= capacity || policy == NULL || !has_parameter_rules(policy) ||
	    !urivet_judges_a_value_in(policy, text_of(out, (uint32_t)written)))
		return written;
	out[0] = '\0'; /* there is no room to judge the value */
	return 0;
}

size_t urivet_format_address(char *out, size_t capacity, const struct urivet_uri *uri)
{
	struct out o = {out, capacity, 0};
	if (uri->host_kind == URIVET_HOST_IPV6)
		urivet_put_ipv6(&o, uri->address);
	else if (uri->has_ipv4)
		urivet_put_ipv4(&o, uri->address);
	return put_end(&o);
}
