/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the scheme and the slashes after it. */
#include "policy/policy.h"
#include "policy/schemes.h"
#include "policy/tlds.h"
#include "rules/rules.h"
#include "text/words.h"

/*@ requires judging(s);
    assigns \nothing;
    ensures inside(\result, URIVET_MAX_LENGTH); */
static struct urivet_span scheme_of(const struct subject *s)
{
	return s->report->uri.part[URIVET_SCHEME];
}

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_FINDINGS(s); */
static void add_scheme(struct subject *s, enum urivet_id id)
{
	urivet_add(s, id, URIVET_SCHEME, scheme_of(s).offset, span_end(scheme_of(s)));
}

/*@ ADDS_FINDINGS(s); */
static void scheme_families(struct subject *s)
{
	const struct text t = within(s->t, scheme_of(s));
	/*@ loop invariant judging(s) && 0 <= k <= URIVET_FAMILIES;
	    loop assigns k, FOUND(s);
	    loop variant URIVET_FAMILIES - k; */
	for (unsigned k = urivet_next_family(t, 0, 0); k < URIVET_FAMILIES;
	     k = urivet_next_family(t, 0, k + 1))
		add_scheme(s, urivet_family_finding(k));
}

/* Returns true for the schemes of names, which only name what they hold. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_naming_scheme(struct text t, uint32_t at)
{
	return is_word(t, at, "urn") || is_word(t, at, "did") || is_word(t, at, "arn") ||
	       is_word(t, at, "tag");
}

/* Returns true if programs strip the scheme, or run it as a transport: another colon follows its
 * colon, or a URL, or a scheme that is dangerous; other schemes may stand between. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_wrapper(const struct subject *s)
{
	uint32_t at = 0, end = scheme_of(s).length;
	/*@ loop invariant at <= end <= URIVET_MAX_LENGTH;
	    loop assigns at, end;
	    loop variant s->t.end - at; */
	while (is(s->t, at, ALPHA) && octet(s->t, end) == ':') {
		const struct text scheme = until(s->t, end);
		if (octet(s->t, end + 1) == ':')
			return true;
		if (at > 0 && (has_word(s->t, end + 1, "//") ||
			       urivet_next_family(scheme, at, 0) < URIVET_FAMILIES))
			return true;
		if (is_naming_scheme(scheme, at))
			return false;
		at = end + 1;
		end = skip(s->t, at, SCHEMECHAR);
	}
	return false;
}

/* Returns true if a number may follow the scheme: a URI such as tel:911 has no host and port. */
/*@ requires readable(scheme);
    assigns \nothing; */
static bool takes_number(struct text scheme)
{
	static const char words[][8] = {"tel", "sms",   "fax",  "modem", "callto", "skype",
					"mid", "cid",   "news", "isbn",  "pmid",   "oid",
					"sip", "sips",  "doi",  "hdl"};
	/*@ loop invariant k <= 16;
	    loop assigns k;
	    loop variant 16 - k; */
	for (unsigned k = 0; k < sizeof words / sizeof words[0]; k++)
		if (is_word(scheme, 0, words[k]))
			return true;
	return false;
}

/* Returns true if readers that add a scheme take the name for a host: it ends in a top-level
 * domain, or consists of four numbers. */
/*@ requires readable(name);
    assigns \nothing; */
static bool is_bare_host(struct text name)
{
	uint32_t dots = 0, after_dot = 0;
	struct text t = name;
	/*@ loop invariant dots <= at && after_dot <= at && (dots > 0 ==> after_dot > 0);
	    loop assigns at, dots, after_dot;
	    loop variant name.end - at; */
	for (uint32_t at = 0; at < name.end; at++)
		if (octet(name, at) == '.') {
			dots++;
			after_dot = at + 1;
		}
	if (dots > 0 && after_dot == name.end) { /* a final dot */
		t = until(name, after_dot - 1);
		dots--;
	}
	if (skip(t, 0, DIGIT | DOT) == t.end)
		return dots == 3;
	return dots > 0 && urivet_has_tld(t, 0);
}

/* Reports a host name in place of the scheme. With a dot, it must begin with "www." or "ftp.", be
 * followed by a slash or port, or be a bare host. Without one, a port must follow, and the name
 * must be localhost or a scheme that is not allowed. */
/*@ ADDS_FINDINGS(s); */
static void scheme_guess(struct subject *s, bool allowed)
{
	const uint32_t end = skip(s->t, 0, ALNUM | HYPHEN | DOT);
	const struct text name = until(s->t, end);
	const uint32_t digits = skip(s->t, end + 1, DIGIT);
	const bool dot = find(name, 1, DOT) + 2 < end;
	const bool prefixed = has_word(name, 0, "www.") || has_word(name, 0, "ftp.");
	const bool port = octet(s->t, end) == ':' && digits > end + 1 &&
			  (digits == s->t.end || is(s->t, digits, SLASH | QUESTION | HASH));
	const bool slash = octet(s->t, end) == '/';
	const bool ends = end == s->t.end || is(s->t, end, QUESTION | HASH);
	if (urivet_has(&s->report->uri, URIVET_AUTHORITY) || !is(s->t, 0, ALNUM))
		return;
	if ((dot && (prefixed || port || slash)) ||
	    (port && (is_word(name, 0, "localhost") ||
		      (!allowed && digits <= end + 6 && !takes_number(name)))) ||
	    (ends && is_bare_host(name)))
		urivet_add(s, URIVET_F_SCHEME_GUESS, URIVET_SCHEME, 0, end);
}

/* Checks a reference that does not begin with a scheme by RFC 3986, 3.1. */
/*@ ADDS_FINDINGS(s); */
static void no_scheme(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span path = uri->part[URIVET_PATH];
	const struct text t = within(s->t, path);
	const uint32_t colon = find(t, path.offset, SLASH | COLON);
	const bool malformed = urivet_has(uri, URIVET_SCHEME);
	urivet_add(s, URIVET_F_NOT_ABSOLUTE, URIVET_SCHEME, 0, 0);
	if (malformed)
		add_scheme(s, URIVET_F_SCHEME_MALFORMED);
	else if (octet(s->t, 0) == ':')
		urivet_add(s, URIVET_F_SCHEME_MALFORMED, URIVET_SCHEME, 0, 0);
	if (!urivet_has(uri, URIVET_AUTHORITY) && (malformed || octet(t, colon) == ':'))
		urivet_add(s, URIVET_F_PATH_COLON_FIRST, URIVET_PATH, 0,
			   malformed ? scheme_of(s).length : colon);
	scheme_guess(s, false);
}

/* Checks the run of slashes and backslashes after the scheme of a web URL, or at the beginning of a
 * reference without a scheme. */
/*@ ADDS_FINDINGS(s); */
static void slashes(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const bool known = uri->scheme >= URIVET_SCHEME_HTTP;
	const uint32_t at = urivet_has(uri, URIVET_SCHEME) ? scheme_of(s).length + 1 : 0;
	const uint32_t end = skip(s->t, at, SLASH | BACKSLASH);
	const uint32_t back = find(until(s->t, end), at, BACKSLASH);
	/* a backslash inside the authority is left to the rules about userinfo and host */
	if (back < end && (known || end - at >= 2) &&
	    (!urivet_has(uri, URIVET_AUTHORITY) || back >= span_end(uri->part[URIVET_AUTHORITY])))
		urivet_add(s, URIVET_F_BACKSLASH_AUTHORITY, URIVET_AUTHORITY, back,
			   skip(s->t, back, BACKSLASH));
	if (known && !urivet_has(uri, URIVET_AUTHORITY))
		urivet_add(s, URIVET_F_SCHEME_SLASH_MISSING, URIVET_SCHEME, skip(s->t, at, SLASH),
			   skip(s->t, at, SLASH));
	if (known && end - at > 2)
		urivet_add(s, URIVET_F_SCHEME_SLASH_EXCESS, URIVET_SCHEME, at + 2, end);
	if (known && end == at && uri->part[URIVET_PATH].length > 0)
		urivet_add(s, URIVET_F_PATH_ROOTLESS, URIVET_PATH, uri->part[URIVET_PATH].offset,
			   span_end(uri->part[URIVET_PATH]));
}

/* Reports "http:::" and "http://http://". */
/*@ ADDS_FINDINGS(s); */
static void scheme_twice(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span authority = uri->part[URIVET_AUTHORITY];
	const struct urivet_span path = uri->part[URIVET_PATH];
	const uint32_t at = scheme_of(s).length + 1;
	if (octet(s->t, at) == ':')
		urivet_add(s, URIVET_F_SCHEME_MALFORMED, URIVET_SCHEME, at, skip(s->t, at, COLON));
	if (authority.length > 0 && octet(s->t, span_end(authority) - 1) == ':' &&
	    has_word(within(s->t, path), path.offset, "//"))
		urivet_add(s, URIVET_F_SCHEME_MALFORMED, URIVET_SCHEME, authority.offset,
			   span_end(authority));
}

/*@ ADDS_FINDINGS(s); */
static void other_scheme(struct subject *s, bool allowed)
{
	const bool dot = (s->seen.in[URIVET_SCHEME] & DOT) != 0;
	scheme_families(s);
	if (is_wrapper(s) && !is_found(s->report, URIVET_F_SCHEME_PREFIX_WRAPPER))
		add_scheme(s, URIVET_F_SCHEME_PREFIX_WRAPPER);
	if (dot && urivet_has(&s->report->uri, URIVET_AUTHORITY) && !is_covered(s))
		add_scheme(s, URIVET_F_SCHEME_DOT);
	scheme_guess(s, allowed);
}

/* Returns true if the policy allows the scheme by its name. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_named_scheme(const struct subject *s)
{
	const struct urivet_policy *const policy = s->policy;
	const struct urivet_span scheme = scheme_of(s);
	struct text names;
	uint32_t at = 0;
	if (!has_scheme_names(policy))
		return false;
	names = text_of(policy->scheme_names, URIVET_SCHEME_NAMES);
	/*@ loop invariant at <= names.end + 1;
	    loop assigns at;
	    loop variant names.end + 1 - at; */
	while (at < names.end && octet(names, at) != '\0') {
		const uint32_t end = find_octet(names, at, ' ');
		uint32_t k = 0;
		/*@ loop invariant k <= scheme.length;
		    loop assigns k;
		    loop variant scheme.length - k; */
		while (k < scheme.length && at + k < end &&
		       lower(octet(s->t, scheme.offset + k)) == octet(names, at + k))
			k++;
		if (k == scheme.length && at + k == end)
			return true;
		at = end + 1;
	}
	return false;
}

bool urivet_allows_scheme(const struct subject *s)
{
	const uint8_t scheme = s->report->uri.scheme;
	return scheme != URIVET_SCHEME_NONE &&
	       ((s->policy->schemes & bit(scheme)) != 0 || is_covered(s) ||
		(scheme == URIVET_SCHEME_OTHER && is_named_scheme(s)));
}

void urivet_rules_scheme(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const bool allowed = urivet_allows_scheme(s);
	if (s->web)
		slashes(s);
	if (uri->scheme == URIVET_SCHEME_NONE) {
		no_scheme(s);
		return;
	}
	if (!allowed)
		add_scheme(s, URIVET_F_SCHEME_NOT_ALLOWED);
	/* G16 covers web schemes; for other allowed schemes, letter case does not matter */
	if ((s->web || !allowed) && (s->seen.in[URIVET_SCHEME] & UPPER))
		add_scheme(s, URIVET_F_SCHEME_CASE);
	if (is_on(s->policy, URIVET_F_SCHEME_PLAINTEXT) &&
	    (uri->scheme == URIVET_SCHEME_HTTP || uri->scheme == URIVET_SCHEME_WS ||
	     uri->scheme == URIVET_SCHEME_FTP))
		add_scheme(s, URIVET_F_SCHEME_PLAINTEXT);
	if (uri->scheme == URIVET_SCHEME_OTHER)
		other_scheme(s, allowed);
	else
		scheme_twice(s);
}
