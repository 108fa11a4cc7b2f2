/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves references by all editions: the engine implements RFC 3986, 5.2, and the rows of
 * edition.c select the differences of the drafts. */
#include "reference/resolve.h"

#include "readers/reader.h"
#include "reference/forward.h"
#include "text/out.h"

/* The source of each target component: the reference or the base ("R" and "Base" in RFC 3986,
 * 5.2.2). */
struct sources {
	const struct reference *authority, *path, *params, *query, *fragment;
	bool merged; /* the path is merged with that of the base */
	uint8_t dots;
};

static struct urivet_span part_of(const struct reference *r, enum urivet_component c)
{
	return r->uri.part[c];
}

/* Returns true if the component is defined by its delimiter. By 1996, 7, an empty component is
 * undefined. */
static bool defined(const struct edition *e, const struct reference *r, enum urivet_component c)
{
	return urivet_has(&r->uri, c) && (!e->empty_is_undefined || part_of(r, c).length != 0);
}

/* Returns true if there are non-empty parameters; their span includes the semicolon. */
static bool has_params(const struct reference *r)
{
	return r->params.length > 1;
}

static bool begins_with_slash(const struct reference *r)
{
	const struct urivet_span path = part_of(r, URIVET_PATH);
	return octet(within(r->text, path), path.offset) == '/';
}

/* ---- Bases ------------------------------------------------------------------------ */

/* 1996, 5.3: "The following schemes are never used with relative URLs". */
static bool never_relative(const struct reference *base)
{
	static const char schemes[][8] = {"mailto", "news", "telnet"};
	const struct urivet_span scheme = part_of(base, URIVET_SCHEME);
	for (unsigned k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
		if (is_word(within(base->text, scheme), scheme.offset, schemes[k]))
			return true;
	return false;
}

/* 2003, 3: "URIs that do not make use of the slash "/" character for separating
 * hierarchical components are considered opaque"; 5: "a relative URI cannot be
 * used within a document that has an unsuitable base URI." */
static bool is_base(const struct reference *base)
{
	return urivet_has(&base->uri, URIVET_SCHEME) &&
	       octet(base->text, span_end(part_of(base, URIVET_SCHEME)) + 1) == '/' &&
	       !never_relative(base);
}

/* ---- Transforming (5.2.2) ------------------------------------------------------------ */

/* "if (R.path == "") then T.path = Base.path; if defined(R.query) then T.query =
 * R.query; else T.query = Base.query". By 1996, 9, step 5, the same is done for the
 * parameters first. */
static void inherit_path(const struct edition *e, const struct reference *r,
			 const struct reference *base, struct sources *t)
{
	t->path = base;
	t->dots = DOTS_STAY;
	if (has_params(r))
		return;
	t->params = base;
	if (!defined(e, r, URIVET_QUERY))
		t->query = base;
	/* 1996, 9, 2a: "If the embedded URL is entirely empty, it inherits the
	 * entire base URL" */
	if (e->empty_is_undefined && r->text.end == 0)
		t->fragment = base;
}

/* Sets the sources for a reference without scheme. */
static void transform(const struct edition *e, const struct reference *r,
		      const struct reference *base, struct sources *t)
{
	const bool no_path = part_of(r, URIVET_PATH).length == 0;
	t->authority = t->path = t->params = t->query = t->fragment = r;
	t->merged = false;
	t->dots = e->reference_dots;
	if (defined(e, r, URIVET_AUTHORITY))
		return;
	t->authority = base;
	/* 1997, 5.2, also merges the empty path of "?y" */
	if (no_path && (e->empty_path_is_base || !defined(e, r, URIVET_QUERY))) {
		inherit_path(e, r, base, t);
	} else if (!begins_with_slash(r)) {
		t->merged = true;
		t->dots = e->merged_dots;
	}
}

/* ---- Paths (5.2.3) --------------------------------------------------------------------- */

/* "If the base URI has a defined authority component and an empty path, then
 * return a string consisting of "/" concatenated with the reference's path;
 * otherwise, return a string consisting of the reference's path component
 * appended to all but the last segment of the base URI's path".
 * 1997, 5.2, 6a, has no such rule ("http://a" and "g" are "http://ag"). */
static void merge(const struct edition *e, const struct reference *base, struct path *path)
{
	const struct urivet_span where = part_of(base, URIVET_PATH);
	uint32_t slash = span_end(where);
	if (where.length == 0 && !e->empty_is_root)
		return;
	while (slash > where.offset && octet(base->text, slash - 1) != '/')
		slash--;
	path->part[1] = path->part[0];
	path->part[0] =
	    piece_of(base->text, span(where.offset, where.length > 0 ? slash - 1 : slash));
	path->parts = 2;
}

static struct piece component_piece(const struct reference *from, enum urivet_component which)
{
	return piece_of(from->text, part_of(from, which));
}

static void add_target_path(struct composed *c, const struct edition *e, const struct sources *t,
			    const struct reference *base)
{
	struct path path = {.parts = 1, .dots = t->dots};
	const bool authority = urivet_has(&t->authority->uri, URIVET_AUTHORITY);
	path.part[0] = component_piece(t->path, URIVET_PATH);
	path.final_slash = t->dots == DOTS_REMOVED;
	path.guard = authority ? 0 : e->guard;
	if (t->merged)
		merge(e, base, &path);
	urivet_add_path(c, &path);
}

/* 1996, 3.4: the slash between network location and path belongs to neither. So it is also written
 * before parameters or a query without a path. */
static bool needs_slash(const struct edition *e, const struct sources *t)
{
	return e->params && part_of(t->path, URIVET_PATH).length == 0 &&
	       urivet_has(&t->authority->uri, URIVET_AUTHORITY) &&
	       (has_params(t->params) || defined(e, t->query, URIVET_QUERY));
}

/* ---- Recomposing (5.3) -------------------------------------------------------------------- */

static void recompose(struct composed *c, const struct edition *e, const struct sources *t,
		      const struct reference *scheme)
{
	urivet_add_piece(c, component_piece(scheme, URIVET_SCHEME));
	urivet_add_string(c, ":");
	if (urivet_has(&t->authority->uri, URIVET_AUTHORITY)) {
		urivet_add_string(c, "//");
		urivet_add_piece(c, component_piece(t->authority, URIVET_AUTHORITY));
	}
	if (needs_slash(e, t))
		urivet_add_string(c, "/");
	add_target_path(c, e, t, scheme);
	if (has_params(t->params))
		urivet_add_piece(c, piece_of(t->params->text, t->params->params));
	if (defined(e, t->query, URIVET_QUERY))
		urivet_add_delimited(c, '?', component_piece(t->query, URIVET_QUERY));
	if (defined(e, t->fragment, URIVET_FRAGMENT))
		urivet_add_delimited(c, '#', component_piece(t->fragment, URIVET_FRAGMENT));
}

/* ---- Whole references --------------------------------------------------------- */

/* "if defined(R.scheme) then ... T.path = remove_dot_segments(R.path)"; the
 * drafts: "the reference is interpreted as an absolute URI and we are done". */
static void resolve_absolute(struct composed *c, const struct edition *e, const struct reference *r)
{
	const struct sources t = {r, r, r, r, r, false, e->reference_dots};
	if (e->reference_dots == DOTS_STAY)
		urivet_add_piece(c, piece_of(r->text, span(0, r->text.end)));
	else
		recompose(c, e, &t, r);
}

/* 2003, 4.2: "an empty URI reference within a document is interpreted as a
 * reference to the start of that document, and a reference containing only a
 * fragment identifier is a reference to the identified fragment". */
static bool is_same_document(const struct reference *r)
{
	return part_of(r, URIVET_PATH).length == 0 && !urivet_has(&r->uri, URIVET_SCHEME) &&
	       !urivet_has(&r->uri, URIVET_AUTHORITY) && !urivet_has(&r->uri, URIVET_QUERY);
}

static enum urivet_resolved resolve(struct composed *c, const struct edition *e,
				    const struct reference *r, const struct reference *base,
				    bool new_request)
{
	struct sources t;
	urivet_compose(c);
	if (urivet_has(&r->uri, URIVET_SCHEME)) {
		resolve_absolute(c, e, r);
		return URIVET_RESOLVED;
	}
	if (!is_base(base))
		return URIVET_UNRESOLVED;
	if (e->same_document && !new_request && is_same_document(r)) {
		urivet_add_piece(c, piece_of(r->text, span(0, r->text.end)));
		return URIVET_SAME_DOCUMENT;
	}
	transform(e, r, base, &t);
	recompose(c, e, &t, base);
	return URIVET_RESOLVED;
}

static COLD enum urivet_resolved resolve_by(struct composed *target, enum urivet_reader edition,
					    struct urivet_text base, struct urivet_text reference,
					    bool new_request)
{
	const struct edition *e = urivet_edition(edition);
	struct reference b, r;
	if (e == NULL || !urivet_read_reference(&b, e, base.data, base.length) ||
	    !urivet_read_reference(&r, e, reference.data, reference.length))
		return URIVET_UNRESOLVED;
	return resolve(target, e, &r, &b, new_request);
}

/* Converts a caller's text. NULL data is empty. Returns false if it is too long. */
static bool opened(struct text *t, struct urivet_text from)
{
	if (from.data == NULL)
		from.length = 0;
	*t = text_of(from.data, (uint32_t)from.length);
	return from.length <= URIVET_MAX_LENGTH;
}

/* Converts a text whose length was checked before. */
static struct text text_from(struct urivet_text from)
{
	struct text t;
	(void)opened(&t, from);
	return t;
}

static COLD bool put_copied_target(struct out *o, struct urivet_text base,
				   struct urivet_text reference)
{
	struct text b, r;
	return opened(&b, base) && opened(&r, reference) && urivet_put_plain_target(o, b, r);
}

size_t urivet_resolve(char *out, size_t capacity, enum urivet_reader edition,
		      struct urivet_text base, struct urivet_text reference, bool new_request,
		      enum urivet_resolved *how)
{
	struct out o = {out, capacity, 0};
	struct composed target;
	enum urivet_resolved resolved = URIVET_RESOLVED;
	if (edition != URIVET_READER_RFC3986 || !put_copied_target(&o, base, reference)) {
		resolved = resolve_by(&target, edition, base, reference, new_request);
		if (resolved != URIVET_UNRESOLVED)
			urivet_put_composed(&o, &target);
	}
	if (how != NULL)
		*how = resolved;
	return put_end(&o);
}

/* 5.2.2: "if (not strict) and (R.scheme == Base.scheme)" a reader may ignore the scheme of the
 * reference. This changes the target unless the reference has an authority. */
static COLD bool is_scheme_repeated(struct urivet_text base, struct urivet_text reference)
{
	const struct edition *e = urivet_edition(URIVET_READER_RFC3986);
	struct reference b, r;
	uint32_t k = 0;
	if (!urivet_read_reference(&b, e, base.data, base.length) ||
	    !urivet_read_reference(&r, e, reference.data, reference.length) ||
	    urivet_has(&r.uri, URIVET_AUTHORITY))
		return false;
	while (lower(octet(b.text, k)) == lower(octet(r.text, k)) && octet(r.text, k) != ':')
		k++;
	return is_base(&b) && octet(b.text, k) == ':' && octet(r.text, k) == ':';
}

/* Returns true if `other` occurs in t at `at`. */
static COLD bool stands_at(struct text t, uint32_t at, struct text other)
{
	uint32_t k = 0;
	while (k < other.end && octet(t, at + k) == octet(other, k))
		k++;
	return k == other.end;
}

/* Returns true if the reference has a scheme and an authority. Such a reference is its own target
 * in all drafts; RFC 3986 also removes dot segments. */
static COLD bool is_whole(struct text reference)
{
	const uint32_t end = skip(reference, 0, ALNUM);
	return end > 0 && octet(reference, end) == ':' && octet(reference, end + 1) == '/' &&
	       octet(reference, end + 2) == '/';
}

/* Octets that end neither authority nor path in any edition. */
#define ROOTED (ALNUM | HYPHEN | DOT | UNDERSCORE)

/* Returns true for a plain path from the root against a plain base. The drafts keep such a path
 * unchanged; RFC 3986 also removes dot segments. */
static COLD bool is_path_from_root(struct text base, struct text reference)
{
	const uint32_t at = skip(base, 0, ALNUM);
	return is_whole(base) && skip(base, at, COLON | SLASH | ROOTED) == base.end &&
	       octet(reference, 0) == '/' && octet(reference, 1) != '/' &&
	       skip(reference, 0, SLASH | ROOTED) == reference.end;
}

/* Returns true if a quick check shows that all editions agree with RFC 3986. */
static COLD bool is_plainly_resolved(struct text target, struct text base, struct text reference)
{
	if (is_whole(reference))
		return stands_at(target, 0, reference);
	return reference.end < target.end && is_path_from_root(base, reference) &&
	       stands_at(target, target.end - reference.end, reference);
}

/* Returns true if some edition that can read both texts resolves to another target than RFC 3986.
 * The reference "#s" is ignored: it means the current document in some editions and the base in
 * others, which are the same in practice. */
static COLD bool is_ambiguous(struct text target, struct urivet_text base,
			      struct urivet_text reference)
{
	struct composed other;
	if (is_plainly_resolved(target, text_from(base), text_from(reference)))
		return false;
	if (is_scheme_repeated(base, reference))
		return true;
	for (unsigned k = URIVET_READER_RFC3986 + 1; k < URIVET_READERS; k++) {
		const enum urivet_resolved how = resolve_by(&other, k, base, reference, false);
		if (how == URIVET_SAME_DOCUMENT && reference.length == 0)
			return true;
		if (how == URIVET_RESOLVED && !urivet_is_composed(&other, target))
			return true;
	}
	return false;
}

bool urivet_resolves_apart(struct urivet_text target, struct urivet_text base,
			   struct urivet_text reference)
{
	return is_ambiguous(text_of(target.data, (uint32_t)target.length), base, reference);
}

/* ---- Origins ------------------------------------------------------------------------ */

/* Returns true if two components are equal, ignoring case. */
static bool is_same_part(struct text a, struct urivet_span in_a, struct text b,
			 struct urivet_span in_b)
{
	uint32_t k = 0;
	while (k < in_a.length && k < in_b.length &&
	       lower(octet(a, in_a.offset + k)) == lower(octet(b, in_b.offset + k)))
		k++;
	return k == in_a.length && k == in_b.length;
}

/* Returns true if the ports are equal. A port that is not a number equals no other. */
static bool is_same_port(const struct urivet_uri *a, const struct urivet_uri *b)
{
	return a->port == b->port &&
	       (a->port != URIVET_NO_PORT ||
		(a->part[URIVET_PORT].length == 0 && b->part[URIVET_PORT].length == 0));
}

struct urivet_span urivet_leaves_origin(struct urivet_text base, struct urivet_text target,
					const struct urivet_uri *uri, enum urivet_component *where)
{
	const struct text b = text_of(base.data, (uint32_t)base.length);
	const struct text t = text_of(target.data, (uint32_t)target.length);
	struct urivet_uri from;
	bool host, scheme, port;
	if (base.data == NULL || !urivet_parse(&from, base.data, base.length, NULL))
		from.present = 0;
	host = urivet_has(&from, URIVET_HOST) && from.part[URIVET_HOST].length > 0 &&
	       from.host_kind == uri->host_kind &&
	       is_same_part(b, from.part[URIVET_HOST], t, uri->part[URIVET_HOST]);
	scheme = host && urivet_has(&from, URIVET_SCHEME) && urivet_has(uri, URIVET_SCHEME) &&
		 is_same_part(b, from.part[URIVET_SCHEME], t, uri->part[URIVET_SCHEME]);
	port = host && is_same_port(&from, uri);
	*where = URIVET_COMPONENTS;
	if (scheme && port)
		return span(0, 0);
	*where = urivet_has(uri, URIVET_AUTHORITY) && (!host || scheme) ? URIVET_AUTHORITY
									: URIVET_SCHEME;
	return uri->part[*where];
}
