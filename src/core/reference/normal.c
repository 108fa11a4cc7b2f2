/* SPDX-License-Identifier: Apache-2.0 */
/* Normal forms. */
#include "reference/normal.h"

#include "reference/forward.h"
#include "uri/ip.h"

/* The input of a normal form. */
struct source {
	const struct edition *edition;
	const struct reference *reference;
	bool by_scheme;
};

static bool source_has(const struct source *s, enum urivet_component c)
{
	return urivet_has(&s->reference->uri, c);
}

static struct urivet_span source_part(const struct source *s, enum urivet_component c)
{
	return s->reference->uri.part[c];
}

/* 6.2.2.1, 6.2.2.2: case and percent-encoding */
static struct piece normal_piece(const struct source *s, struct urivet_span where)
{
	struct piece p = piece_of(s->reference->text, where);
	p.spelling = SPELL_NORMAL;
	return p;
}

static struct piece lower_piece(const struct source *s, struct urivet_span where)
{
	struct piece p = normal_piece(s, where);
	p.spelling = SPELL_LOWER;
	return p;
}

/* ---- Authority --------------------------------------------------------------- */

/* RFC 5952 */
static struct piece ipv6_piece(struct composed *c, const struct urivet_uri *uri)
{
	struct out o = {c->address, sizeof c->address, 0};
	put(&o, '[');
	urivet_put_ipv6(&o, uri->address);
	put(&o, ']');
	return piece_of(put_so_far(&o), span(0, (uint32_t)o.length));
}

/* The host, with its brackets. 6.2.2.1: "the scheme and host are case-insensitive" */
static struct piece host_piece(struct composed *c, const struct source *s)
{
	const struct urivet_uri *uri = &s->reference->uri;
	struct urivet_span host = uri->part[URIVET_HOST];
	if (uri->host_kind == URIVET_HOST_IPV6 && s->by_scheme)
		return ipv6_piece(c, uri);
	if (uri->host_kind == URIVET_HOST_IPV6 || uri->host_kind == URIVET_HOST_IPVFUTURE)
		host = span(host.offset - 1, span_end(host) + 1);
	return lower_piece(s, host);
}

/* 3.2.3: "URI producers and normalizers should omit the port component and its
 * ":" delimiter if port is empty or if its value would be the same as that of
 * the scheme's default." Leading zeros are dropped too. */
static void add_normal_port(struct composed *c, const struct source *s)
{
	const struct urivet_uri *uri = &s->reference->uri;
	const uint32_t usual = urivet_default_port(uri->scheme);
	struct urivet_span port = uri->part[URIVET_PORT];
	if (!source_has(s, URIVET_PORT))
		return;
	if (s->by_scheme) {
		if (port.length == 0 || (usual != URIVET_NO_PORT && uri->port == usual))
			return;
		while (port.length > 1 && octet(s->reference->text, port.offset) == '0')
			port = span(port.offset + 1, span_end(port));
	}
	urivet_add_delimited(c, ':', normal_piece(s, port));
}

static void add_authority(struct composed *c, const struct source *s)
{
	if (!source_has(s, URIVET_AUTHORITY))
		return;
	urivet_add_string(c, "//");
	if (s->reference->uri.host_kind == URIVET_HOST_REGISTRY) {
		/* with an escape decoded it could be read as a host and port */
		struct piece name = normal_piece(s, source_part(s, URIVET_AUTHORITY));
		name.spelling = SPELL_TRIPLETS;
		urivet_add_piece(c, name);
		return;
	}
	if (source_has(s, URIVET_USERINFO)) {
		urivet_add_piece(c, normal_piece(s, source_part(s, URIVET_USERINFO)));
		urivet_add_delimited(c, '@', host_piece(c, s));
	} else {
		urivet_add_piece(c, host_piece(c, s));
	}
	add_normal_port(c, s);
}

/* ---- Path --------------------------------------------------------------------- */

/* 6.2.3: "In general, a URI that uses the generic syntax for authority with an
 * empty path should be normalized to a path of "/"." Done for schemes that are
 * known, by their default port, to use it so. */
static bool is_root(const struct source *s)
{
	return s->by_scheme && source_part(s, URIVET_PATH).length == 0 &&
	       source_has(s, URIVET_AUTHORITY) &&
	       urivet_default_port(s->reference->uri.scheme) != URIVET_NO_PORT;
}

/* 6.2.2.3: dot segments. A path after a scheme that does not begin with a slash ("data:,a/../b") is
 * not hierarchical: its dot segments are kept, and no "./" is added. */
static void add_normal_path(struct composed *c, const struct source *s)
{
	const struct edition *e = s->edition;
	const struct urivet_span where = source_part(s, URIVET_PATH);
	struct path path = {.parts = 1};
	path.part[0] = normal_piece(s, where);
	if (octet(s->reference->text, where.offset) == '/') {
		path.dots = e->rooted_dots;
		path.final_slash = e->rooted_dots == DOTS_REMOVED;
		path.guard = (uint8_t)(source_has(s, URIVET_AUTHORITY) ? 0 : GUARD_DOUBLE_SLASH);
	} else if (!source_has(s, URIVET_SCHEME) && where.length > 0) {
		path.dots = DOTS_KEPT_ABOVE;
		path.final_slash = e->final_slash;
		path.guard = GUARD_RELATIVE;
	}
	path.escaped_dots = e->escaped_dots;
	urivet_add_path(c, &path);
}

static void add_tail(struct composed *c, const struct source *s, enum urivet_component which,
		     char delimiter)
{
	if (source_has(s, which))
		urivet_add_delimited(c, delimiter, normal_piece(s, source_part(s, which)));
}

/* ---- Whole references -------------------------------------------------------------- */

void urivet_compose_normal(struct composed *c, const struct edition *e, const struct reference *r,
			   enum urivet_level level)
{
	const bool by_scheme = level == URIVET_LEVEL_SCHEME;
	const bool http =
	    r->uri.scheme == URIVET_SCHEME_HTTP || r->uri.scheme == URIVET_SCHEME_HTTPS;
	const struct source s = {e, r, by_scheme};
	urivet_compose(c);
	c->undone = by_scheme && http ? e->undone_http : e->undone;
	if (source_has(&s, URIVET_SCHEME)) {
		urivet_add_piece(c, lower_piece(&s, source_part(&s, URIVET_SCHEME)));
		urivet_add_string(c, ":");
	}
	add_authority(c, &s);
	if (is_root(&s))
		urivet_add_string(c, "/");
	else
		add_normal_path(c, &s);
	if (r->params.length > 0)
		urivet_add_piece(c, normal_piece(&s, r->params));
	add_tail(c, &s, URIVET_QUERY, '?');
	add_tail(c, &s, URIVET_FRAGMENT, '#');
}

void urivet_put_normal(struct out *o, struct text t, const struct urivet_uri *uri,
		       bool escapes_raw)
{
	const struct reference r = {t, *uri, {t.end, 0}};
	struct composed c;
	urivet_compose_normal(&c, urivet_edition(URIVET_READER_RFC3986), &r, URIVET_LEVEL_SCHEME);
	if (escapes_raw)
		c.undone |= ESCAPES_RAW;
	urivet_put_composed(o, &c);
}

/* The slow path. It is a separate function because its stack frame is large. */
static COLD bool put_form(struct out *o, const struct edition *e, const void *data, size_t length,
			  enum urivet_level level)
{
	struct reference r;
	struct composed c;
	if (!urivet_read_reference(&r, e, data, length))
		return false;
	urivet_compose_normal(&c, e, &r, level);
	urivet_put_composed(o, &c);
	return true;
}

size_t urivet_normalise(char *out, size_t capacity, const void *data, size_t length,
			enum urivet_level level, enum urivet_reader edition, bool *readable)
{
	const struct edition *e = urivet_edition(edition);
	struct out o = {out, capacity, 0};
	bool reads = false;
	if (data == NULL)
		length = 0;
	if (e != NULL && length <= URIVET_MAX_LENGTH)
		reads = (e->appendix_a &&
			 urivet_put_plain_form(&o, text_of(data, (uint32_t)length), level)) ||
			put_form(&o, e, data, length, level);
	if (readable != NULL)
		*readable = reads;
	return put_end(&o);
}
