/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the userinfo, and about text that some reader takes for userinfo. */
#include "rules/rules.h"
#include "uri/decoded.h"

/* Adds a finding for the userinfo with its "@". */
/*@ requires id < URIVET_FINDING_LIMIT; ADDS_FINDINGS(s); */
static void add_userinfo(struct subject *s, enum urivet_id id)
{
	const struct urivet_span u = s->report->uri.part[URIVET_USERINFO];
	urivet_add(s, id, URIVET_USERINFO, u.offset, span_end(u) + 1);
}

/* Returns true if the first run of name octets, raw or as triplets, is a name with a dot or an IPv4
 * address. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool looks_like_host(struct text t, uint32_t at)
{
	const struct urivet_span run = urivet_name_run(t, at);
	const struct text name = within(t, run);
	bool dot = false;
	/*@ loop assigns at, dot;
	    loop variant name.end - at; */
	for (at = run.offset; at < name.end;) {
		const struct unit u = decode(name, at);
		if (dot && u.value != '.')
			return true;
		dot = dot || u.value == '.';
		at = u.next;
	}
	return false;
}

/* Returns true if the whole text is a name with a dot. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool is_dotted_name(struct text t, uint32_t at)
{
	const uint32_t dot = find(t, at, DOT);
	return dot > at && dot + 1 < t.end && octet(t, dot + 1) != '.' &&
	       skip(t, at, ALNUM | HYPHEN | DOT) == t.end;
}

/* Returns true if a triplet encodes a control, or an octet that would be a delimiter if raw. */
/*@ requires readable(t);
    assigns \nothing; */
static bool has_encoded_delimiter(struct text t, uint32_t at)
{
	/*@ loop assigns at;
	    loop variant t.end - at; */
	for (at = find(t, at, PERCENT); at < t.end; at = find(t, at + 1, PERCENT)) {
		const struct unit u = decode(t, at);
		const uint32_t k = u.value < AT_END ? urivet_kinds[u.value] : 0;
		if (u.escaped && (k & (SLASH | QUESTION | HASH | COLON | AT | LBRACKET | RBRACKET |
				       BACKSLASH | CONTROL | TAB | CRLF)))
			return true;
	}
	return false;
}

/* Returns true if there is a ":@", a password without a user, or no host. */
/*@ requires judging(s);
    assigns \nothing; */
static bool has_empty_port(const struct subject *s)
{
	const struct urivet_span u = s->report->uri.part[URIVET_USERINFO];
	const struct text t = until(s->t, span_end(u) + 1);
	uint32_t at = find(t, u.offset, AT);
	if (octet(t, u.offset) == ':' || s->host.length == 0)
		return true;
	/*@ loop invariant u.offset <= at;
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && (at <= u.offset || octet(t, at - 1) != ':'))
		at = find(t, at + 1, AT);
	return at < t.end;
}

/*@ ADDS_FINDINGS(s); */
static void userinfo_rules(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	const struct urivet_span u = uri->part[URIVET_USERINFO];
	const struct text t = within(s->t, u);
	const uint32_t seen = s->seen.in[URIVET_USERINFO];
	add_userinfo(s, URIVET_F_USERINFO_PRESENT);
	if ((seen & (DOT | PERCENT)) && looks_like_host(t, u.offset))
		add_userinfo(s, URIVET_F_USERINFO_MISLEADING);
	/* "http://a.b@c": only a name with a dot, so some reader may end the authority after it. In
	 * "http://a@c" no reader takes the user for a host. */
	if ((seen & DOT) && is_dotted_name(t, u.offset))
		urivet_add(s, URIVET_F_PATH_ROOTLESS, URIVET_AUTHORITY, t.end, t.end);
	if (seen & AT)
		add_userinfo(s, URIVET_F_USERINFO_MULTIPLE_AT);
	if (seen & (SEMICOLON | LBRACKET | BACKSLASH))
		add_userinfo(s, URIVET_F_USERINFO_DELIMITER);
	if ((seen & PERCENT) && has_encoded_delimiter(t, u.offset))
		add_userinfo(s, URIVET_F_USERINFO_ENCODED_DELIMITER);
	if (((seen & COLON) || s->host.length == 0) && has_empty_port(s))
		urivet_add(s, URIVET_F_AUTHORITY_EMPTY_PORT_AT, URIVET_AUTHORITY, u.offset,
			   span_end(u) + 1);
}

/* Reports an "@" before the next slash, after a "?" or "#" that ends the authority. */
/*@ ADDS_FINDINGS(s); */
static void userinfo_after_delimiter(struct subject *s)
{
	const struct urivet_span a = s->report->uri.part[URIVET_AUTHORITY];
	const uint32_t at = find(s->t, span_end(a), SLASH | AT);
	if (!is(s->t, span_end(a), QUESTION | HASH) || octet(s->t, at) != '@')
		return;
	urivet_add(s, URIVET_F_USERINFO_DELIMITER, URIVET_AUTHORITY, a.offset, at + 1);
	urivet_add(s, URIVET_F_FRAGMENT_AUTHORITY_CONFUSION, URIVET_AUTHORITY, a.offset, at + 1);
}

void urivet_rules_userinfo(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	if (!urivet_has(uri, URIVET_AUTHORITY))
		return;
	if (urivet_has(uri, URIVET_USERINFO))
		userinfo_rules(s);
	if (s->seen.in[URIVET_AUTHORITY] & BACKSLASH)
		urivet_add_runs(s, URIVET_F_BACKSLASH_AUTHORITY, URIVET_AUTHORITY, BACKSLASH);
	if (s->web && uri->part[URIVET_PATH].length == 0)
		userinfo_after_delimiter(s);
}
