/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy's URL rules: checks whether one covers this URL. A rule is compared octet by octet. It
 * covers the URL only if all readers agree on scheme, host, port and the beginning of the path. The
 * rules about octets, escapes, userinfo and path ran before and report where readers may differ.
 */
#include "policy/policy.h"
#include "policy/url_rules.h"
#include "rules/rules.h"
#include "uri/ip.h"

/* ---- URLs that no rule covers ------------------------------------------------------- */

/* Returns true if the finding means that readers may disagree, or be led elsewhere, before the
 * query. */
/*@ requires \valid_read(f);
    assigns \nothing; */
static bool may_lead_elsewhere(const struct urivet_finding *f)
{
	return f->class_ <= URIVET_DANGEROUS && f->component != URIVET_QUERY &&
	       f->component != URIVET_FRAGMENT;
}

/* Returns true if no finding so far means that a reader may be led elsewhere. Waived findings count
 * too. Returns false if findings were dropped, since those may be such findings. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_read_alike(const struct subject *s)
{
	const struct urivet_report *r = s->report;
	if (!r->parsed || r->dropped > 0)
		return false;
	/*@ loop invariant k <= r->count;
	    loop assigns k;
	    loop variant r->count - k; */
	for (uint32_t k = 0; k < r->count; k++)
		if (may_lead_elsewhere(&r->finding[k]))
			return false;
	return true;
}

/* Returns the text of the host, without brackets. */
/*@ requires judging(s);
    assigns \nothing;
    ensures readable(\result); */
static struct text host_text(const struct subject *s)
{
	return within(s->t, s->report->uri.part[URIVET_HOST]);
}

/* Returns true if the name has only letters, digits, hyphens, underscores and dots, no empty label
 * and no final dot. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_clean_name(struct text t, uint32_t at)
{
	struct name_facts f;
	urivet_name_facts(t, at, UINT32_MAX, &f);
	return skip(t, at, ALNUM | HYPHEN | UNDERSCORE | DOT) >= t.end && !f.empty_label &&
	       !f.final_dot;
}

/* Returns true if all readers agree on the spelling of the host, apart from letter case. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_clean_host(const struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const uint32_t at = uri->part[URIVET_HOST].offset;
	switch (uri->host_kind) {
	case URIVET_HOST_NAME:
		return !uri->has_ipv4 && is_clean_name(host_text(s), at);
	case URIVET_HOST_IPV4:
		return true; /* the grammar allows dotted decimal only */
	case URIVET_HOST_IPV6:
		return urivet_ipv6_canonical(host_text(s), at, uri->address);
	default:
		return false;
	}
}

/* Returns true if there is no authority, or if its host is clean and a path separates it from query
 * and fragment. Userinfo already has a finding. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_clean_authority(const struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const bool tail = urivet_has(uri, URIVET_QUERY) || urivet_has(uri, URIVET_FRAGMENT);
	if (!urivet_has(uri, URIVET_AUTHORITY))
		return true;
	return (uri->part[URIVET_PATH].length > 0 || !tail) && is_clean_host(s);
}

#define NO_SUCH_PORT (URIVET_NO_PORT - 1) /* not the port of any rule */

/* Returns the port that every reader connects to. Returns URIVET_NO_PORT if none is written and the
 * scheme has no default, or NO_SUCH_PORT if the written port is not in its usual form. */
/*@ requires judging(s);
    assigns \nothing; */
static uint32_t clean_port(const struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span p = uri->part[URIVET_PORT];
	if (!urivet_has(uri, URIVET_PORT))
		return urivet_default_port(uri->scheme);
	if (p.length == 0 || octet(s->t, p.offset) == '0' || uri->port > 65535)
		return NO_SUCH_PORT;
	return uri->port;
}

/* ---- Comparing a URL with a rule --------------------------------------------------- */

/* Returns true if `length` octets of the two texts are equal, from these offsets on. `caseless`:
 * letter case is ignored. */
/*@ requires readable(a) && readable(b) && length <= URIVET_MAX_LENGTH;
    requires at <= URIVET_MAX_LENGTH && bt <= URIVET_MAX_LENGTH + 1;
    assigns \nothing; */
static bool same_piece(struct text a, uint32_t at, struct text b, uint32_t bt, uint32_t length,
		       bool caseless)
{
	/*@ loop invariant k <= length;
	    loop assigns k;
	    loop variant length - k; */
	for (uint32_t k = 0; k < length; k++) {
		const unsigned x = octet(a, at + k), y = octet(b, bt + k);
		if (caseless ? lower(x) != lower(y) : x != y)
			return false;
	}
	return true;
}

/*@ requires judging(s) && \valid_read(r) && readable(rule);
    assigns \nothing; */
static bool covers_scheme(const struct subject *s, const struct urivet_url_rule *r,
			  struct text rule)
{
	const struct urivet_span scheme = s->report->uri.part[URIVET_SCHEME];
	return r->scheme_length > 0 && scheme.length == r->scheme_length &&
	       same_piece(s->t, scheme.offset, rule, 0, scheme.length, false);
}

/* Returns the number of labels in the text up to the dot at `end`, at most 2. */
/*@ requires readable(t) && at <= end < t.end;
    assigns \nothing; */
static unsigned labels_before(struct text t, uint32_t at, uint32_t end)
{
	return find(until(t, end), at, DOT) < end ? 2 : 1;
}

/* Returns true if the host is the name of the rule or below it, as the rule's scope requires. */
/*@ requires judging(s) && \valid_read(r) && readable(rule);
    requires r->host + r->host_length <= rule.end;
    assigns \nothing; */
static bool covers_name(const struct subject *s, const struct urivet_url_rule *r, struct text rule)
{
	const struct urivet_span host = s->report->uri.part[URIVET_HOST];
	const uint32_t length = r->host_length;
	uint32_t before;
	if (host.length == length)
		return scope_holds(r->scope, 0) &&
		       same_piece(s->t, host.offset, rule, r->host, length, true);
	if (host.length <= length)
		return false;
	before = host.offset + (host.length - length) - 1;
	return octet(s->t, before) == '.' &&
	       scope_holds(r->scope, labels_before(s->t, host.offset, before)) &&
	       same_piece(s->t, before + 1, rule, r->host, length, true);
}

/*@ requires judging(s) && \valid_read(r) && octets <= 16;
    assigns \nothing; */
static bool covers_address(const struct subject *s, const struct urivet_url_rule *r,
			   unsigned octets)
{
	/*@ loop invariant k <= octets;
	    loop assigns k;
	    loop variant octets - k; */
	for (unsigned k = 0; k < octets; k++)
		if (s->report->uri.address[k] != r->address[k])
			return false;
	return true;
}

/*@ requires judging(s) && \valid_read(r) && readable(rule);
    requires r->host + r->host_length <= rule.end;
    assigns \nothing; */
static bool covers_host(const struct subject *s, const struct urivet_url_rule *r, struct text rule)
{
	const struct urivet_uri *uri = &s->report->uri;
	if (!urivet_has(uri, URIVET_AUTHORITY))
		return r->kind == URIVET_URL_NO_HOST;
	switch (r->kind) {
	case URIVET_URL_NAME:
		return uri->host_kind == URIVET_HOST_NAME && covers_name(s, r, rule);
	case URIVET_URL_IPV4:
		return uri->host_kind == URIVET_HOST_IPV4 && covers_address(s, r, 4);
	case URIVET_URL_IPV6:
		return uri->host_kind == URIVET_HOST_IPV6 && covers_address(s, r, 16);
	default:
		return false;
	}
}

/* Returns true if query and fragment are those that the rule covers, for a path that is its own. */
/*@ requires judging(s) && \valid_read(r) && readable(rule);
    requires r->path + r->path_length <= rule.end;
    assigns \nothing; */
static bool covers_tail(const struct subject *s, const struct urivet_url_rule *r, struct text rule)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span query = uri->part[URIVET_QUERY];
	if (r->exact && urivet_has(uri, URIVET_FRAGMENT))
		return false;
	if (r->query == URIVET_URL_ANY_QUERY)
		return true;
	if (r->query == URIVET_URL_NO_QUERY)
		return !urivet_has(uri, URIVET_QUERY);
	return urivet_has(uri, URIVET_QUERY) && query.length == r->query_length &&
	       same_piece(s->t, query.offset, rule, r->path + r->path_length + 1, query.length,
			  false);
}

/* Returns true if the path begins with that of the rule, in whole segments, and what the rule says
 * of the rest of the URL holds. */
/*@ requires judging(s) && \valid_read(r) && readable(rule);
    requires r->path + r->path_length <= rule.end;
    assigns \nothing; */
static bool covers_path(const struct subject *s, const struct urivet_url_rule *r, struct text rule)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span path = uri->part[URIVET_PATH];
	const bool whole = r->exact || r->query != URIVET_URL_NO_QUERY;
	const uint32_t length = r->path_length;
	if (!urivet_has(uri, URIVET_AUTHORITY) && octet(s->t, path.offset) != '/')
		return false;
	if (length <= 1 && !whole) /* "/" or empty */
		return true;
	if (length == 0) /* an origin */
		return path.length <= 1 && covers_tail(s, r, rule);
	if (path.length < length ||
	    !same_piece(s->t, path.offset, rule, r->path, length, false))
		return false;
	if (whole)
		return path.length == length && covers_tail(s, r, rule);
	return path.length == length || octet(rule, r->path + length - 1) == '/' ||
	       octet(s->t, path.offset + length) == '/';
}

/*@ requires judging(s) && \valid_read(r);
    assigns \nothing; */
static bool covers(const struct subject *s, const struct urivet_url_rule *r, uint32_t port)
{
	const struct text rule = url_rule_text(r);
	return has_its_pieces(r, rule.end) && urivet_has_port(r, port) && covers_scheme(s, r, rule) &&
	       covers_host(s, r, rule) && covers_path(s, r, rule);
}

/* Returns the number of the first rule that covers the URL, from 1, or 0. */
/*@ requires judging(s);
    assigns \nothing;
    ensures \result <= s->policy->url_count; */
static uint32_t covering_rule(const struct subject *s)
{
	const struct urivet_policy *policy = s->policy;
	const uint32_t port = clean_port(s);
	if (!is_read_alike(s) || !is_clean_authority(s))
		return 0;
	/*@ loop invariant k <= policy->url_count;
	    loop assigns k;
	    loop variant policy->url_count - k; */
	for (uint32_t k = 0; k < policy->url_count; k++)
		if (covers(s, url_rule_at(policy, k), port))
			return k + 1;
	return 0;
}

/* ---- Findings ---------------------------------------------------------------------- */

void urivet_rules_uncovered(struct subject *s)
{
	const struct urivet_span path = s->report->uri.part[URIVET_PATH];
	const bool has_host = urivet_has(&s->report->uri, URIVET_AUTHORITY);
	/* an exclusive host list decides about URLs with a host, but not about others */
	const bool by_hosts = s->policy->hosts.only && has_host;
	if (has_url_rules(s->policy) && !by_hosts && !adds_urls(s->policy))
		urivet_add(s, URIVET_F_URL_NOT_ALLOWED, URIVET_WHOLE, 0, span_end(path));
}

void urivet_rules_url(struct subject *s)
{
	s->cover = covering_rule(s);
	if (s->cover == 0)
		urivet_rules_uncovered(s);
}
