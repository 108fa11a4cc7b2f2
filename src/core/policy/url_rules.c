/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of URL rules: scheme, host, port, beginning of the path, and query. */
#include "policy/url_rules.h"

#include "policy/policy.h"
#include "policy/schemes.h"
#include "text/words.h"
#include "uri/ip.h"
#include "uri/uri.h"

/* ---- Host and port ------------------------------------------------------------------ */

/* Parses a port that fills t from `at` on: digits without a leading zero, at most 65535. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(port);
    assigns *port; */
static bool read_one_port(struct text t, uint32_t at, uint32_t *port)
{
	uint32_t value = 0;
	if (at >= t.end || octet(t, at) == '0' || skip(t, at, DIGIT) < t.end)
		return false;
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop invariant value <= 655365;
	    loop assigns at, value;
	    loop variant t.end - at; */
	while (at < t.end && value <= 65535) {
		value = value * 10 + digit_value(octet(t, at));
		at++;
	}
	*port = value;
	return value <= 65535;
}

/* Parses the text after the host, up to the end of t: empty, ":" and a port or a range, or ":*".
 * Names below another one have no range. */
/*@ requires readable(t) && at <= t.end && \valid(r);
    assigns r->port, r->last_port; */
static bool read_rule_port(struct text t, uint32_t at, struct urivet_url_rule *r)
{
	const uint32_t dash = find(t, at, HYPHEN);
	if (at == t.end)
		return true;
	if (octet(t, at) != ':')
		return false;
	if (octet(t, at + 1) == '*') {
		r->port = 1;
		r->last_port = 65535;
		return at + 2 == t.end && r->scope == URIVET_SCOPE_HOST;
	}
	if (!read_one_port(until(t, dash), at + 1, &r->port))
		return false;
	r->last_port = r->port;
	return dash == t.end || (read_one_port(t, dash + 1, &r->last_port) &&
				 r->port < r->last_port && r->scope == URIVET_SCOPE_HOST);
}

/* Stores the range of the host in the text. */
/*@ requires \valid(r) && at <= end;
    assigns r->host, r->host_length, r->kind, r->scope;
    ensures r->host == at && r->host_length == end - at; */
static void set_rule_host(struct urivet_url_rule *r, unsigned kind, uint32_t at, uint32_t end)
{
	r->kind = (uint8_t)kind;
	r->scope = URIVET_SCOPE_HOST;
	r->host = at;
	r->host_length = end - at;
}

/* Parses an IPv6 address in brackets and the port after it. */
/*@ requires readable(t) && at < t.end && \valid(r);
    assigns *r; */
static bool read_literal(struct text t, uint32_t at, struct urivet_url_rule *r)
{
	const uint32_t close = find(t, at + 1, RBRACKET);
	bool dotted;
	if (close == t.end || !urivet_ipv6_address(until(t, close), at + 1, r->address, &dotted))
		return false;
	set_rule_host(r, URIVET_URL_IPV6, at + 1, close);
	return read_rule_port(t, close + 1, r);
}

/* Parses the authority, which fills t from `at` on. */
/*@ requires readable(t) && at <= t.end && \valid(r);
    assigns *r; */
static bool read_rule_authority(struct text t, uint32_t at, struct urivet_url_rule *r)
{
	const uint32_t end = find(t, at, COLON);
	const struct text host = until(t, end);
	const uint32_t name = at + urivet_scope_length(host, at);
	if (octet(t, at) == '[')
		return read_literal(t, at, r);
	if (urivet_ipv4_address(host, at, r->address)) {
		set_rule_host(r, URIVET_URL_IPV4, at, end);
		return read_rule_port(t, end, r);
	}
	if (!urivet_is_domain(host, name))
		return false;
	set_rule_host(r, URIVET_URL_NAME, name, end);
	r->scope = urivet_scope_at(host, at);
	return read_rule_port(t, end, r);
}

/* ---- The path -------------------------------------------------------------------------- */

/* Returns true if the segment from `at` to the end of t is a dot segment, with raw or escaped
 * dots. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool is_rule_dot_segment(struct text t, uint32_t at)
{
	unsigned dots = 0;
	struct unit u = decode(t, at);
	/*@ loop invariant \at(at, Pre) <= at <= t.end && decoded(t, at, u);
	    loop invariant dots <= at - \at(at, Pre);
	    loop assigns at, dots, u;
	    loop variant t.end - at; */
	while (u.value == '.') {
		dots++;
		at = u.next;
		u = decode(t, at);
	}
	return at == t.end && (dots == 1 || dots == 2);
}

/* Returns true if the path, which fills t from `at` on, has a dot segment or an empty one before
 * the last. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool has_odd_rule_segment(struct text t, uint32_t at)
{
	/*@ loop invariant at <= t.end;
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end) {
		const uint32_t end = find(t, at + 1, SLASH);
		if (is_rule_dot_segment(until(t, end), at + 1) || (end == at + 1 && end < t.end))
			return true;
		at = end;
	}
	return false;
}

/* Returns true if there is no star in t from `at` on. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static bool has_no_star(struct text t, uint32_t at)
{
	return find_octet(t, at, '*') == t.end;
}

/* Parses the query after the path, which fills t from `at` on with its "?". It may be missing. */
/*@ requires readable(t) && at <= t.end && \valid(r);
    assigns r->query, r->query_length; */
static bool read_rule_query(struct text t, uint32_t at, struct urivet_url_rule *r)
{
	if (at == t.end)
		return true;
	r->query = URIVET_URL_ANY_QUERY;
	if (octet(t, at + 1) == '*' && at + 2 == t.end)
		return true;
	r->query = URIVET_URL_THIS_QUERY;
	r->query_length = t.end - at - 1;
	return r->query_length > 0 && has_no_star(t, at) &&
	       urivet_match_kinds(t, span(at, t.end), PCHAR | SLASH | QUESTION, false) == t.end;
}

/* Parses path and query, which fill t from `at` on: nothing, or a path from the root. */
/*@ requires readable(t) && at <= t.end && \valid(r);
    assigns r->path, r->path_length, r->query, r->query_length; */
static bool read_rule_path(struct text t, uint32_t at, struct urivet_url_rule *r)
{
	const uint32_t end = find(t, at, QUESTION);
	const struct text path = until(t, end);
	r->path = at;
	r->path_length = end - at;
	return has_no_star(path, at) &&
	       urivet_match_kinds(path, span(at, end), PCHAR | SLASH, false) == end &&
	       !has_odd_rule_segment(path, at) && read_rule_query(t, end, r);
}

/* ---- The whole rule ---------------------------------------------------------------------- */

/* Returns true if the scheme, which fills t, may occur in a rule as it is written. */
/*@ requires readable(t);
    assigns \nothing; */
static bool is_rule_scheme(struct text t)
{
	return is(t, 0, LOWER) && skip(t, 0, SCHEMECHAR) == t.end && find(t, 0, UPPER) == t.end &&
	       urivet_next_family(t, 0, 0) == URIVET_FAMILIES;
}

bool urivet_read_url_rule(struct text whole, struct urivet_url_rule *rule)
{
	static const struct urivet_url_rule none;
	const bool exact = whole.end > 0 && octet(whole, whole.end - 1) == '$';
	const struct text t = until(whole, whole.end - exact);
	const uint32_t colon = find(t, 0, COLON);
	const uint32_t after = after_word(t, colon, "://");
	const bool has_authority = after != NO_WORD;
	const uint32_t at = has_authority ? after : colon + 1;
	uint32_t path;
	*rule = none;
	if (colon == t.end || !is_rule_scheme(until(t, colon)))
		return false;
	path = find(t, at, SLASH);
	rule->exact = exact;
	rule->length = whole.end;
	rule->scheme_length = colon;
	rule->scheme = urivet_scheme_number(t, colon);
	rule->port = urivet_default_port(rule->scheme);
	rule->last_port = rule->port;
	if (has_authority)
		return read_rule_authority(until(t, path), at, rule) &&
		       read_rule_path(t, path, rule);
	return rule->scheme == URIVET_SCHEME_OTHER && path == at && at < t.end &&
	       read_rule_path(t, at, rule);
}

/*@ requires \valid(rule);
    assigns *rule; */
bool urivet_url_rule_from(struct urivet_url_rule *rule, const char *text, size_t length)
{
	struct urivet_url_rule r;
	if (text == NULL || length > URIVET_URL_RULE_MOST ||
	    !urivet_read_url_rule(text_of(text, (uint32_t)length), &r))
		return false;
	r.text = text;
	*rule = r;
	return true;
}

/* ---- Validity of the rules ---------------------------------------------------------------- */

/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static bool same_rule_address(const struct urivet_url_rule *a, const struct urivet_url_rule *b)
{
	/*@ loop invariant k <= 16;
	    loop assigns k;
	    loop variant 16 - k; */
	for (unsigned k = 0; k < sizeof a->address; k++)
		if (a->address[k] != b->address[k])
			return false;
	return true;
}

/*@ requires \valid_read(r);
    assigns \nothing; */
static bool has_nothing_reserved(const struct urivet_url_rule *r)
{
	return (r->reserved[0] | r->reserved[1] | r->reserved[2]) == 0;
}

/* Returns true if both rules say the same about the same text. */
/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static bool is_same_rule(const struct urivet_url_rule *a, const struct urivet_url_rule *b)
{
	return a->length == b->length && a->scheme_length == b->scheme_length &&
	       a->host == b->host && a->host_length == b->host_length && a->path == b->path &&
	       a->path_length == b->path_length && a->query_length == b->query_length &&
	       a->port == b->port && a->last_port == b->last_port && a->scheme == b->scheme &&
	       a->kind == b->kind && a->exact == b->exact && a->query == b->query &&
	       (a->scope & ~URIVET_SCOPE_RELATIVE) == b->scope && same_rule_address(a, b) &&
	       has_nothing_reserved(a);
}

bool urivet_urls_mean(const struct urivet_policy *policy, bool compiled)
{
	if (!has_url_rules(policy))
		return true;
	/*@ loop invariant k <= policy->url_count;
	    loop assigns k;
	    loop variant policy->url_count - k; */
	for (uint32_t k = 0; k < policy->url_count; k++) {
		const struct urivet_url_rule *r = url_rule_at(policy, k);
		struct urivet_url_rule read;
		if (!is_text_known(r->scope, compiled) ||
		    !urivet_read_url_rule(url_rule_text(r), &read) || !is_same_rule(r, &read))
			return false;
	}
	return true;
}
