/* SPDX-License-Identifier: Apache-2.0 */
/* The parser: split by RFC 3986, appendix B, then matched with appendix A. */
#include "text/utf8.h"
#include "text/words.h"
#include "uri/ip.h"
#include "uri/uri.h"

/* ---- Splitting (appendix B) ----------------------------------------------- */

void urivet_clear_uri(struct urivet_uri *uri)
{
	/*@ loop invariant c <= URIVET_COMPONENTS;
	    loop invariant \forall integer k; 0 <= k < c ==>
	      uri->part[k].offset == 0 && uri->part[k].length == 0;
	    loop assigns c, uri->part[0 .. URIVET_COMPONENTS - 1];
	    loop variant URIVET_COMPONENTS - c; */
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++) {
		uri->part[c].offset = 0;
		uri->part[c].length = 0;
	}
	uri->present = 0;
	uri->port = 0;
	uri->scheme = URIVET_SCHEME_NONE;
	uri->host_kind = URIVET_HOST_NONE;
	uri->has_ipv4 = 0;
	uri->authority_in = URIVET_IN_INPUT;
	/*@ loop invariant k <= 16;
	    loop assigns k, uri->address[0 .. 15];
	    loop variant 16 - k; */
	for (unsigned k = 0; k < 16; k++)
		uri->address[k] = 0;
}

static const struct {
	char name[8];
	uint8_t length, scheme;
	uint16_t port;
} known_schemes[] = {
    {"http", 4, URIVET_SCHEME_HTTP, 80}, {"https", 5, URIVET_SCHEME_HTTPS, 443},
    {"ws", 2, URIVET_SCHEME_WS, 80},     {"wss", 3, URIVET_SCHEME_WSS, 443},
    {"ftp", 3, URIVET_SCHEME_FTP, 21},
};

#define KNOWN_SCHEMES (sizeof(known_schemes) / sizeof(known_schemes[0]))

uint8_t urivet_scheme_number(struct text t, uint32_t end)
{
	/*@ loop invariant 0 <= k <= KNOWN_SCHEMES;
	    loop assigns k;
	    loop variant KNOWN_SCHEMES - k; */
	for (unsigned k = 0; k < KNOWN_SCHEMES; k++)
		if (end == known_schemes[k].length && has_word(t, 0, known_schemes[k].name))
			return known_schemes[k].scheme;
	return URIVET_SCHEME_OTHER;
}

uint32_t urivet_default_port(unsigned scheme)
{
	/*@ loop invariant 0 <= k <= KNOWN_SCHEMES;
	    loop assigns k;
	    loop variant KNOWN_SCHEMES - k; */
	for (unsigned k = 0; k < KNOWN_SCHEMES; k++)
		if (known_schemes[k].scheme == scheme)
			return known_schemes[k].port;
	return URIVET_NO_PORT;
}

/* A run of octets up to a delimiter, and the kinds that occur in it. */
struct run {
	uint32_t end, kinds;
};

/* Returns the octets from `at` on up to the first of the kinds `stop`, or the end. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result.end <= t.end; */
static inline struct run run_until(struct text t, uint32_t at, uint32_t stop)
{
	uint32_t kinds = 0, k;
	/*@ loop invariant \at(at, Pre) <= at <= t.end;
	    loop assigns at, k, kinds;
	    loop variant t.end - at; */
	for (; at < t.end && ((k = kind(t, at)) & stop) == 0; at++)
		kinds |= k;
	return (struct run){at, kinds};
}

/* Splits off the scheme: ^(([^:/?#]+):)? Returns the offset after the colon, or 0 without one. Sets
 * uri->scheme only if it matches scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ). */
/*@ requires splitting(t, uri, seen) && parts_in(uri, t.end);
    assigns uri->part[URIVET_SCHEME], uri->present, uri->scheme, seen->in[URIVET_SCHEME];
    ensures parts_in(uri, t.end) && \result <= t.end; */
static uint32_t split_scheme(struct text t, struct urivet_uri *uri, struct kinds_seen *seen)
{
	const struct run scheme = run_until(t, 0, COLON | SLASH | QUESTION | HASH);
	if (scheme.end == 0 || octet(t, scheme.end) != ':')
		return 0;
	set_component(uri, URIVET_SCHEME, 0, scheme.end);
	seen->in[URIVET_SCHEME] = scheme.kinds;
	if (is(t, 0, ALPHA) && (scheme.kinds & ~(uint32_t)SCHEMECHAR) == 0)
		uri->scheme = urivet_scheme_number(t, scheme.end);
	return scheme.end + 1;
}

/* What was found so far while scanning the authority. */
struct authority_marks {
	uint32_t start; /* of the host, after the last "@" */
	uint32_t colon; /* the last ":" outside brackets after `start`, or NO_COLON */
	bool at;        /* an "@" was found */
	bool bracket;   /* inside brackets */
	uint32_t user;  /* kinds of octets up to the last "@" */
	uint32_t all;   /* kinds after it */
	uint32_t host;  /* the part of `all` before the colon */
	uint32_t port;  /* kinds after the colon */
};

#define NO_COLON UINT32_MAX

/*@ predicate marked(struct authority_marks *m, integer at, integer i) =
      \valid(m) && at <= m->start <= i <= URIVET_MAX_LENGTH &&
      (m->colon == NO_COLON || m->start <= m->colon < i); */

/*@ requires \exists integer at; marked(m, at, i);
    requires i < URIVET_MAX_LENGTH;
    assigns *m;
    ensures m->start == i + 1 && m->colon == NO_COLON; */
static void mark_at(struct authority_marks *m, uint32_t i)
{
	m->user |= m->all | (m->at ? AT : 0) | (m->colon != NO_COLON ? COLON : 0);
	m->at = true;
	m->start = i + 1;
	m->colon = NO_COLON;
	m->bracket = false;
	m->all = 0;
	m->port = 0;
}

/*@ requires \valid(m);
    assigns *m;
    ensures m->start == \old(m->start) && m->colon == i; */
static void mark_colon(struct authority_marks *m, uint32_t i)
{
	if (m->colon != NO_COLON)
		m->all |= COLON;
	m->host = m->all;
	m->colon = i;
	m->port = 0;
}

/*@ requires \valid(m) && i < URIVET_MAX_LENGTH && m->start <= i;
    requires m->colon == NO_COLON || m->start <= m->colon < i;
    assigns *m;
    ensures \old(m->start) <= m->start <= i + 1;
    ensures m->colon == NO_COLON || m->start <= m->colon <= i; */
static void mark(struct authority_marks *m, uint32_t k, uint32_t i)
{
	if (k & AT) {
		mark_at(m, i);
	} else if ((k & COLON) && !m->bracket) {
		mark_colon(m, i);
	} else {
		if (k & (LBRACKET | RBRACKET))
			m->bracket = (k & LBRACKET) != 0;
		m->all |= k;
		m->port |= k;
	}
}

/* Sets the userinfo: [ userinfo "@" ] before the host. */
/*@ requires \valid(uri) && \valid(seen) && \separated(uri, seen);
    requires at <= host && inside(uri->part[URIVET_USERINFO], host);
    assigns uri->part[URIVET_USERINFO], uri->present, seen->in[URIVET_USERINFO];
    ensures inside(uri->part[URIVET_USERINFO], host); */
static void split_userinfo(struct urivet_uri *uri, struct kinds_seen *seen, uint32_t kinds,
			   uint32_t at, uint32_t host)
{
	if (host == at)
		return;
	seen->in[URIVET_USERINFO] = kinds;
	set_component(uri, URIVET_USERINFO, at, host - 1);
}

/* Sets host and port: host [ ":" port ] */
/*@ requires \valid(uri) && \valid(seen) && \separated(uri, seen) && \separated(m, seen);
    requires \separated(m, uri) && marked(m, 0, end) && inside(uri->part[URIVET_PORT], end);
    assigns uri->part[URIVET_HOST .. URIVET_PORT], uri->present,
            seen->in[URIVET_HOST .. URIVET_PORT];
    ensures inside(uri->part[URIVET_HOST], end) && inside(uri->part[URIVET_PORT], end); */
static void split_host_port(struct urivet_uri *uri, struct kinds_seen *seen,
			    const struct authority_marks *m, uint32_t end)
{
	const uint32_t host = m->start, colon = m->colon;
	if (colon == NO_COLON) {
		seen->in[URIVET_HOST] = m->all;
		set_component(uri, URIVET_HOST, host, end);
		return;
	}
	seen->in[URIVET_HOST] = m->host;
	seen->in[URIVET_PORT] = m->port;
	set_component(uri, URIVET_HOST, host, colon);
	set_component(uri, URIVET_PORT, colon + 1, end);
}

/* Sets the authority between `at` and `end`, [ userinfo "@" ] host [ ":" port ], and its
 * components. */
/*@ requires \valid(uri) && \valid(seen) && \separated(uri, seen) && \separated(m, seen);
    requires \separated(m, uri) && marked(m, at, end) && at <= end;
    requires inside(uri->part[URIVET_USERINFO], m->start) && inside(uri->part[URIVET_PORT], end);
    assigns uri->part[URIVET_AUTHORITY .. URIVET_PORT], uri->present,
            seen->in[URIVET_AUTHORITY .. URIVET_PORT];
    ensures inside(uri->part[URIVET_AUTHORITY], end) && inside(uri->part[URIVET_HOST], end);
    ensures inside(uri->part[URIVET_USERINFO], end) && inside(uri->part[URIVET_PORT], end); */
static void split_authority(struct urivet_uri *uri, struct kinds_seen *seen,
			    const struct authority_marks *m, uint32_t at, uint32_t end)
{
	seen->in[URIVET_AUTHORITY] = m->user | m->all | m->port;
	split_userinfo(uri, seen, m->user, at, m->start);
	split_host_port(uri, seen, m, end);
	set_component(uri, URIVET_AUTHORITY, at, end);
}

/* Splits off the authority: (//([^/?#]*))? `at` is the offset after the slashes. Returns its
 * end. */
/*@ requires splitting(t, uri, seen) && parts_in(uri, t.end) && at <= t.end;
    requires uri->part[URIVET_USERINFO].offset == 0 && uri->part[URIVET_USERINFO].length == 0;
    requires uri->part[URIVET_PORT].offset == 0 && uri->part[URIVET_PORT].length == 0;
    assigns uri->part[URIVET_AUTHORITY .. URIVET_PORT], uri->present,
            seen->in[URIVET_AUTHORITY .. URIVET_PORT];
    ensures parts_in(uri, t.end) && at <= \result <= t.end; */
static uint32_t scan_authority(struct text t, uint32_t at, struct urivet_uri *uri,
			       struct kinds_seen *seen)
{
	struct authority_marks m = {.start = at, .colon = NO_COLON};
	uint32_t i = at, k;
	/*@ loop invariant at <= i <= t.end && marked(&m, at, i);
	    loop assigns i, k, m;
	    loop variant t.end - i; */
	while (((k = kind(t, i)) & (SLASH | QUESTION | HASH)) == 0 && i < t.end) {
		if (k & (AT | COLON | LBRACKET | RBRACKET)) {
			mark(&m, k, i);
		} else {
			m.all |= k;
			m.port |= k;
		}
		i++;
	}
	split_authority(uri, seen, &m, at, i);
	return i;
}

/* Returns DOT or SLASH if such an octet of a segment is next to a slash, or a dot at its end.
 * `slash`: the segment comes after a slash. If the segment is empty, the octet at its end may be
 * another slash. */
/*@ requires readable(t) && at <= end <= t.end;
    assigns \nothing; */
static uint32_t beside_slash(struct text t, uint32_t at, uint32_t end, bool slash)
{
	const uint32_t first = slash ? kind(t, at) : 0;
	return end > at ? (first | kind(t, end - 1)) & DOT : first & SLASH;
}

COLD void urivet_add_escapes(struct text t, uint32_t at, struct tail *tail)
{
	const struct text path = until(t, tail->path_end), query = until(t, tail->query_end);
	if (tail->path & PERCENT)
		tail->escaped_path = urivet_escaped_kinds(path, at, &tail->loud);
	if (tail->query & PERCENT)
		tail->escaped = urivet_escaped_kinds(query, path.end, &tail->loud);
	tail->escaped |= tail->escaped_path;
}

struct tail urivet_tail_by_octet(struct text t, uint32_t at)
{
	struct run run = run_until(t, at, SLASH | QUESTION | HASH);
	struct tail tail = {.path_end = run.end, .path = run.kinds};
	tail.beside_slash = beside_slash(t, at, run.end, false);
	/*@ loop invariant at <= tail.path_end <= t.end;
	    loop assigns run, tail.path_end, tail.path, tail.beside_slash;
	    loop variant t.end - tail.path_end; */
	while (octet(t, tail.path_end) == '/') {
		const uint32_t start = tail.path_end + 1;
		run = run_until(t, start, SLASH | QUESTION | HASH);
		tail.path_end = run.end;
		tail.path |= run.kinds | SLASH;
		tail.beside_slash |= beside_slash(t, start, run.end, true);
	}
	tail.query_end = tail.path_end;
	if (octet(t, tail.path_end) == '?') {
		run = run_until(t, tail.path_end + 1, HASH);
		tail.query_end = run.end;
		tail.query = run.kinds;
	}
	urivet_see_escapes(t, at, &tail);
	return tail;
}

uint32_t urivet_effective_port(struct text t, const struct urivet_uri *uri)
{
	const struct urivet_span port = uri->part[URIVET_PORT];
	uint32_t value = 0, i = port.offset;
	if (port.length == 0)
		return urivet_default_port(uri->scheme);
	t = within(t, port);
	/*@ loop invariant port.offset <= i <= t.end && value <= 655365;
	    loop invariant digits_stand ==> value == decimal(t.data, port.offset, i) &&
	      (\forall integer k; port.offset <= k < i ==>
	        is_digit(t.data, k) && decimal(t.data, port.offset, k) <= 65535);
	    loop assigns i, value;
	    loop variant t.end - i; */
	while (is(t, i, DIGIT) && value <= 65535) {
		//@ assert digits_stand ==> is_digit(t.data, i);
		value = value * 10 + digit_value(octet(t, i));
		i++;
	}
	//@ assert digits_stand && i < t.end && value <= 65535 ==> !is_digit(t.data, i);
	return i < t.end || value > 65535 ? URIVET_NO_PORT : value;
}

uint32_t urivet_split_front(struct text t, enum split_from from, struct urivet_uri *uri,
			    struct kinds_seen *seen)
{
	static const struct kinds_seen none;
	uint32_t at = 0;
	urivet_clear_uri(uri);
	*seen = none;
	set_component(uri, URIVET_WHOLE, 0, t.end);
	//@ assert parts_in(uri, t.end);
	if (from == SPLIT_REFERENCE) {
		at = split_scheme(t, uri, seen);
		if (octet(t, at) == '/' && octet(t, at + 1) == '/')
			at = scan_authority(t, at + 2, uri, seen);
	} else if (from == SPLIT_AUTHORITY) {
		at = scan_authority(t, 0, uri, seen);
	}
	//@ assert parts_in(uri, t.end) && at <= t.end;
	uri->port = urivet_effective_port(t, uri);
	//@ assert parts_in(uri, t.end);
	return at;
}

uint32_t urivet_kinds_from(struct text t, uint32_t at)
{
	return run_until(t, at, 0).kinds;
}

void urivet_split(struct text t, enum split_from from, struct urivet_uri *uri,
		  struct kinds_seen *seen)
{
	const uint32_t at = urivet_split_front(t, from, uri, seen);
	const struct tail tail = urivet_tail_by_octet(t, at);
	urivet_set_tail(t, at, &tail, uri, seen);
}

enum urivet_component urivet_component_from(const struct urivet_uri *uri,
					    enum urivet_component first, uint32_t offset)
{
	unsigned c;
	/*@ loop invariant URIVET_SCHEME <= c <= URIVET_FRAGMENT;
	    loop assigns c;
	    loop variant URIVET_FRAGMENT - c; */
	for (c = first; c < URIVET_FRAGMENT; c++)
		if (c != URIVET_AUTHORITY && urivet_has(uri, c) && offset <= span_end(uri->part[c]))
			return c;
	return URIVET_FRAGMENT;
}

/* ---- Matching (appendix A) -------------------------------------------------- */

uint32_t urivet_match_kinds(struct text t, struct urivet_span s, uint32_t kinds, bool lone_percent)
{
	uint32_t i = s.offset;
	t = within(t, s);
	/*@ loop invariant s.offset <= i <= t.end;
	    loop assigns i;
	    loop variant t.end - i; */
	for (;;) {
		i = skip(t, i, kinds);
		if (is_triplet(t, i))
			i += 3;
		else if (lone_percent && octet(t, i) == '%')
			i++;
		else
			return i;
	}
}

/* As urivet_match_kinds(), but does not read the span if all kinds seen in the component match.
 * `seen` includes PERCENT only if some "%" may not begin a triplet. */
/*@ requires readable(t) && inside(s, t.end);
    assigns \nothing;
    ensures s.offset <= \result <= s.offset + s.length; */
static uint32_t match_seen(struct text t, struct urivet_span s, uint32_t kinds, uint32_t seen,
			   bool lone_percent)
{
	if ((seen & ~kinds) == 0)
		return span_end(s);
	return urivet_match_kinds(t, s, kinds, lone_percent);
}

/* Returns the kinds in component c that the grammar must accept. "%" is left out if each one begins
 * a triplet. */
/*@ requires \valid_read(seen) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static uint32_t to_match(const struct kinds_seen *seen, unsigned c)
{
	const uint32_t triplets = seen->escaped & PERCENT ? 0 : PERCENT;
	return seen->in[c] & ~triplets;
}

bool urivet_is_ipvfuture(struct text t, uint32_t at)
{
	uint32_t dot;
	if (lower(octet(t, at)) != 'v')
		return false;
	dot = skip(t, at + 1, HEXDIG);
	return dot > at + 1 && octet(t, dot) == '.' && dot + 1 < t.end &&
	       skip(t, dot + 1, USERCHAR) == t.end;
}

/* Matches IP-literal = "[" ( IPv6address / IPvFuture ) "]" and removes the brackets from the
 * span. */
/*@ requires readable(t) && \valid(uri) && parts_in(uri, t.end);
    requires uri->part[URIVET_HOST].length > 2;
    assigns uri->part[URIVET_HOST], uri->host_kind, uri->address[0 .. 15];
    ensures parts_in(uri, t.end); */
static bool match_ip_literal(struct text t, struct urivet_uri *uri)
{
	const struct urivet_span inner = {uri->part[URIVET_HOST].offset + 1,
					  uri->part[URIVET_HOST].length - 2};
	bool dotted;
	t = within(t, inner);
	if (urivet_ipv6_address(t, inner.offset, uri->address, &dotted))
		uri->host_kind = URIVET_HOST_IPV6;
	else if (urivet_is_ipvfuture(t, inner.offset))
		uri->host_kind = URIVET_HOST_IPVFUTURE;
	else
		return false;
	uri->part[URIVET_HOST] = inner;
	return true;
}

/* Matches host = IP-literal / IPv4address / reg-name. Returns its end, or the first octet that does
 * not match. */
/*@ requires readable(t) && \valid(uri) && parts_in(uri, t.end);
    assigns uri->part[URIVET_HOST], uri->host_kind, uri->has_ipv4, uri->address[0 .. 15];
    ensures parts_in(uri, t.end) && \result <= t.end; */
static uint32_t match_host(struct text t, struct urivet_uri *uri, uint32_t seen)
{
	const struct urivet_span host = uri->part[URIVET_HOST];
	const uint32_t end = span_end(host);
	if (octet(within(t, host), host.offset) == '[') {
		if (host.length > 2 && octet(t, end - 1) == ']' && match_ip_literal(t, uri))
			return end;
		return host.offset;
	}
	if (host.length == 0)
		return end;
	uri->host_kind = URIVET_HOST_NAME;
	if ((seen & ~(uint32_t)(ALNUM | DOT)) == 0 && is(t, host.offset, DIGIT)) {
		struct dotted_number d = urivet_dotted_number(within(t, host), host.offset);
		if (d.numeric && d.has_value)
			urivet_set_ipv4(uri, d.value);
		if (d.canonical)
			uri->host_kind = URIVET_HOST_IPV4;
	}
	return match_seen(t, host, NAMECHAR, seen, false);
}

/* Matches the first segment of path-noscheme, which contains no colon. Returns the offset of the
 * colon, or the end of the path. */
/*@ requires readable(t) && \valid_read(uri) && parts_in(uri, t.end);
    assigns \nothing;
    ensures \result <= t.end; */
static uint32_t match_first_segment(struct text t, const struct urivet_uri *uri)
{
	const struct urivet_span path = uri->part[URIVET_PATH];
	uint32_t i;
	if (urivet_has(uri, URIVET_SCHEME))
		return span_end(path);
	i = find(within(t, path), path.offset, SLASH | COLON);
	return octet(within(t, path), i) == ':' ? i : span_end(path);
}

/* Returns true if a match of the span reached its end. If not, lowers *misfit to the offset at
 * which the match stopped. */
/*@ requires \valid(misfit) && s.offset + s.length <= UINT32_MAX;
    assigns *misfit;
    ensures *misfit <= \old(*misfit); */
static bool fits(uint32_t stopped_at, struct urivet_span s, uint32_t *misfit)
{
	if (stopped_at == span_end(s))
		return true;
	if (stopped_at < *misfit)
		*misfit = stopped_at;
	return false;
}

/* Matches scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ) */
/*@ requires readable(t) && \valid_read(uri) && parts_in(uri, t.end) && \valid(misfit);
    assigns *misfit; */
static bool match_scheme(struct text t, const struct urivet_uri *uri, uint32_t *misfit)
{
	const struct urivet_span scheme = uri->part[URIVET_SCHEME];
	if (!urivet_has(uri, URIVET_SCHEME) || uri->scheme != URIVET_SCHEME_NONE)
		return true;
	return fits(is(t, 0, ALPHA) ? skip(t, 0, SCHEMECHAR) : 0, scheme, misfit);
}

/* Matches authority = [ userinfo "@" ] host [ ":" port ] */
/*@ requires readable(t) && \valid(uri) && parts_in(uri, t.end) && \valid_read(seen);
    requires \valid(misfit) && \separated(uri, seen, misfit);
    assigns uri->part[URIVET_HOST], uri->host_kind, uri->has_ipv4, uri->address[0 .. 15], *misfit;
    ensures parts_in(uri, t.end); */
static bool match_authority(struct text t, struct urivet_uri *uri, const struct kinds_seen *seen,
			    uint32_t *misfit)
{
	const struct urivet_span user = uri->part[URIVET_USERINFO];
	const struct urivet_span host = uri->part[URIVET_HOST];
	const struct urivet_span port = uri->part[URIVET_PORT];
	bool ok = true;
	if (urivet_has(uri, URIVET_USERINFO))
		ok = fits(match_seen(t, user, USERCHAR, seen->in[URIVET_USERINFO], false), user,
			  misfit);
	ok = fits(match_host(t, uri, seen->in[URIVET_HOST]), host, misfit) && ok;
	if (port.length > 0)
		ok = fits(skip(within(t, port), port.offset, DIGIT), port, misfit) && ok;
	return ok;
}

/* Matches path, query and fragment. Lowers *misfit to the first octet that does not match. */
/*@ requires readable(t) && \valid_read(uri) && parts_in(uri, t.end) && \valid_read(seen);
    requires \valid_read(lenient) && \valid(misfit);
    requires \separated(uri, seen, lenient, misfit);
    assigns *misfit; */
static bool match_tail(struct text t, const struct urivet_uri *uri, const struct kinds_seen *seen,
		       const struct leniency *lenient, uint32_t *misfit)
{
	const uint32_t kinds[] = {PCHAR | SLASH | lenient->tail,
				  QUERYCHAR | lenient->tail | lenient->query,
				  QUERYCHAR | lenient->tail};
	bool ok = true;
	if (is_legal_tail(seen))
		return true;
	/*@ loop invariant URIVET_PATH <= c <= URIVET_FRAGMENT + 1;
	    loop assigns c, ok, *misfit;
	    loop variant URIVET_FRAGMENT - c; */
	for (unsigned c = URIVET_PATH; c <= URIVET_FRAGMENT; c++) {
		/* a "#" may be legal in a fragment by policy; path and query never contain one */
		const bool percent = lenient->lone_percent ||
				     (lenient->query_percent && c == URIVET_QUERY);
		const uint32_t end =
		    match_seen(t, uri->part[c], kinds[c - URIVET_PATH], to_match(seen, c), percent);
		ok = (!urivet_has(uri, c) || fits(end, uri->part[c], misfit)) && ok;
	}
	return ok;
}

bool urivet_match(struct text t, struct urivet_uri *uri, const struct kinds_seen *seen,
		  const struct leniency *lenient, uint32_t *misfit)
{
	bool ok;
	*misfit = UINT32_MAX;
	ok = match_scheme(t, uri, misfit);
	if (urivet_has(uri, URIVET_AUTHORITY))
		ok = match_authority(t, uri, seen, misfit) && ok;
	else
		ok = fits(match_first_segment(t, uri), uri->part[URIVET_PATH], misfit) && ok;
	return match_tail(t, uri, seen, lenient, misfit) && ok;
}
