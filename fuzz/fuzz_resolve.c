/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References: resolved as by the string buffers of RFC 3986, 5.2, and the draft of 1997, 5.2. Both
 * algorithms are written from their text, independently of the library.
 */
#include <urivet/reference.h>

#include "naive.h"

#define LONGEST 512

/* A component; NULL if it is undefined. */
struct part {
	const char *at;
	size_t length;
};

struct pieces {
	struct part scheme, authority, path, query, fragment;
};

/* Returns the text from p up to the first octet of `ends`, or to the end. */
static struct part piece_up_to(const char *p, const char *end, const char *ends)
{
	struct part part = {p, 0};
	while (p + part.length < end && (p[part.length] == '\0' || !strchr(ends, p[part.length])))
		part.length++;
	return part;
}

/* Returns true if the text is a scheme. Otherwise the colon after it belongs to the path. */
static bool is_scheme(struct part part)
{
	for (size_t k = 0; k < part.length; k++) {
		const char c = part.at[k];
		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    c != '+' && c != '-' && c != '.')
			return false;
	}
	return part.length > 0;
}

/* Splits by RFC 3986, appendix B. */
static struct pieces split(const char *p, const char *end)
{
	struct pieces s = {{0}, {0}, {0}, {0}, {0}};
	const struct part head = piece_up_to(p, end, ":/?#");
	if (is_scheme(head) && p + head.length < end && p[head.length] == ':') {
		s.scheme = head;
		p += head.length + 1;
	}
	if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
		s.authority = piece_up_to(p + 2, end, "/?#");
		p += 2 + s.authority.length;
	}
	s.path = piece_up_to(p, end, "?#");
	p += s.path.length;
	if (p < end && *p == '?') {
		s.query = piece_up_to(p + 1, end, "#");
		p += 1 + s.query.length;
	}
	if (p < end)
		s.fragment = piece_up_to(p + 1, end, "");
	return s;
}

static void add_piece(struct builder *b, struct part part)
{
	add(b, part.at, part.length);
}

/* Merges by 5.2.3, or by the draft's 6a and 6b: the base path without its last segment, then the
 * reference. */
static void merge(struct builder *b, const struct pieces *base, struct part path, bool rooted)
{
	size_t n = base->path.length;
	if (rooted && base->authority.at != NULL && n == 0)
		add_word(b, "/");
	while (n > 0 && base->path.at[n - 1] != '/')
		n--;
	add(b, base->path.at, n);
	add_piece(b, path);
}

/* Returns the end of the segment that begins at `at`. */
static size_t segment_end(const struct builder *b, size_t at)
{
	while (at < b->length && b->text[at] != '/')
		at++;
	return at;
}

/* Applies the draft's 6e and 6f: removes the leftmost segment followed by "..". Returns false if
 * there is none. */
static bool take_back(struct builder *b)
{
	for (size_t at = 0; at < b->length; at = segment_end(b, at) + 1) {
		const size_t end = segment_end(b, at);
		const bool leading =
		    at == 0 && end == 0; /* before the first slash: not a segment */
		if (leading || (end - at == 2 && begins(b, at, "..")) || !begins(b, end, "/.."))
			continue;
		if (end + 3 == b->length || b->text[end + 3] == '/') {
			cut(b, at, end + 3 == b->length ? end + 3 - at : end + 4 - at);
			return true;
		}
	}
	return false;
}

/* Applies the draft's 6c to 6g. The draft handles a trailing "/.." only once no "/../" is left;
 * the leftmost-first order of take_back does not change that. */
static void simplify_1997(struct builder *b)
{
	for (size_t at = 0; at < b->length;) {
		if (begins(b, at, "./"))
			cut(b, at, 2);
		else if (b->length - at == 1 && b->text[at] == '.')
			b->length--;
		else
			at = segment_end(b, at) + 1;
	}
	while (take_back(b))
		;
}

/* Computes the path of the target for a reference that has neither scheme nor authority. */
static void target_path(struct builder *out, const struct pieces *base, const struct pieces *r,
			bool draft, char *scratch)
{
	struct builder in = {scratch, 0};
	const bool absolute = r->path.length > 0 && r->path.at[0] == '/';
	if (absolute)
		add_piece(&in, r->path);
	else
		merge(&in, base, r->path, !draft);
	if (!draft) {
		remove_dot_segments(&in, out);
		return;
	}
	if (!absolute)
		simplify_1997(&in);
	add(out, in.text, in.length);
}

static void without_dots(struct builder *out, struct part path, bool draft, char *scratch)
{
	struct builder in = {scratch, 0};
	add_piece(&in, path);
	if (draft)
		add_piece(out, path);
	else
		remove_dot_segments(&in, out);
}

/* Resolves and recomposes by 5.2.2 and 5.3. */
static void resolve(struct builder *t, const struct pieces *base, const struct pieces *r,
		    bool draft)
{
	char path[3 * LONGEST], scratch[3 * LONGEST];
	struct builder p = {path, 0};
	struct part authority = r->authority, query = r->query;
	if (r->scheme.at != NULL || r->authority.at != NULL) {
		without_dots(&p, r->path, draft, scratch);
	} else {
		authority = base->authority;
		if (r->path.length == 0 && (!draft || r->query.at == NULL)) {
			add_piece(&p, base->path);
			query = r->query.at != NULL ? r->query : base->query;
		} else {
			target_path(&p, base, r, draft, scratch);
		}
	}
	add_piece(t, r->scheme.at != NULL ? r->scheme : base->scheme);
	add_word(t, ":");
	if (authority.at != NULL) {
		add_word(t, "//");
		add_piece(t, authority);
	} else if (!draft && begins(&p, 0, "//"))
		add_word(t, "/."); /* missing in 5.3: the path would be read as an authority */
	add(t, p.text, p.length);
	if (query.at != NULL) {
		add_word(t, "?");
		add_piece(t, query);
	}
	if (r->fragment.at != NULL) {
		add_word(t, "#");
		add_piece(t, r->fragment);
	}
}

static void compare(const char *base, size_t base_length, const char *reference, size_t length,
		    bool draft)
{
	char out[4 * LONGEST], expected[4 * LONGEST];
	struct builder t = {expected, 0};
	const struct pieces b = split(base, base + base_length);
	const struct pieces r = split(reference, reference + length);
	enum urivet_resolved how;
	const size_t n = urivet_resolve(
	    out, sizeof out, draft ? URIVET_READER_URI_1997 : URIVET_READER_RFC3986,
	    urivet_text_of(base, base_length), urivet_text_of(reference, length), false, &how);
	oracle(how != URIVET_UNRESOLVED || n == 0, "nothing comes of what is not resolved");
	if (how != URIVET_RESOLVED)
		return;
	/* The draft does not say whether an empty first segment in a buffer without a leading
	 * slash is a segment. */
	if (draft && b.path.length == 0)
		return;
	resolve(&t, &b, &r, draft);
	oracle(same(out, n, t.text, t.length),
	       draft ? "targets are those of the draft of 1997" : "targets are those of RFC 3986");
}

/* ---- Properties common to all editions ----------------------------------------------------- */

/* Returns true if the reference is to its own document: empty, or only a fragment. */
static bool is_same_document(const char *reference, size_t length)
{
	return length == 0 || reference[0] == '#';
}

static size_t resolved(char *out, enum urivet_reader edition, struct urivet_text base,
		       struct urivet_text reference, bool new_request, enum urivet_resolved *how)
{
	const size_t n =
	    urivet_resolve(out, 4 * LONGEST, edition, base, reference, new_request, how);
	char *exact = room_for(n + 1);
	oracle(urivet_resolve(exact, n + 1, edition, base, reference, new_request, NULL) == n &&
		   memcmp(exact, out, n) == 0,
	       "a target fits into its length");
	free(exact);
	return n;
}

static void by_edition(enum urivet_reader edition, const char *base, size_t base_length,
		       const char *reference, size_t length)
{
	char out[4 * LONGEST], again[4 * LONGEST];
	const struct urivet_text b = urivet_text_of(base, base_length),
				 r = urivet_text_of(reference, length);
	const bool resolves = edition <= URIVET_READER_URL_1996;
	enum urivet_resolved how, anew;
	const size_t n = resolved(out, edition, b, r, false, &how),
		     m = resolved(again, edition, b, r, true, &anew);
	oracle(resolves || how == URIVET_UNRESOLVED, "readers that are no edition resolve nothing");
	oracle(how != URIVET_UNRESOLVED || n == 0, "nothing comes of what is not resolved");
	oracle(anew != URIVET_SAME_DOCUMENT, "a new request is none for the current document");
	oracle(how != URIVET_SAME_DOCUMENT ||
		   (is_same_document(reference, length) && same(out, n, reference, length)),
	       "the current document is referred to by nothing or by a fragment");
	if (how != URIVET_SAME_DOCUMENT)
		oracle(how == anew && same(out, n, again, m), "a new request changes nothing else");
	else if (anew == URIVET_RESOLVED && edition != URIVET_READER_URL_1996) {
		const size_t plain =
		    strcspn(base, "#") < base_length ? strcspn(base, "#") : base_length;
		oracle(m == plain + length && memcmp(again, base, plain) == 0 &&
			   memcmp(again + plain, reference, length) == 0,
		       "a new request is one for the base");
	}
}

/* Checks both drafts of 1997, which differ in unescaping only. */
static void by_both_of_1997(struct urivet_text base, struct urivet_text reference)
{
	char a[4 * LONGEST], b[4 * LONGEST];
	enum urivet_resolved x, y;
	const size_t n = resolved(a, URIVET_READER_URI_1997, base, reference, false, &x);
	const size_t m = resolved(b, URIVET_READER_URL_1997, base, reference, false, &y);
	oracle(x == y && same(a, n, b, m), "both drafts of 1997 resolve alike");
}

static void by_all_editions(const char *base, size_t base_length, const char *reference,
			    size_t length)
{
	for (unsigned edition = 0; edition < URIVET_READERS; edition++)
		by_edition(edition, base, base_length, reference, length);
	by_both_of_1997(urivet_text_of(base, base_length), urivet_text_of(reference, length));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static const char plain[] = "http://a/b/c/d;p?q";
	const uint8_t *space = memchr(data, ' ', length);
	char *copy;
	if (length > LONGEST)
		return -1;
	copy = room_for(length);
	if (length > 0)
		memcpy(copy, data, length);
	for (unsigned draft = 0; draft < 2; draft++) {
		const size_t base = space != NULL ? (size_t)(space - data) : 0;
		if (space != NULL)
			compare(copy, base, copy + base + 1, length - base - 1, draft != 0);
		compare(plain, sizeof plain - 1, copy, length, draft != 0);
	}
	by_all_editions(plain, sizeof plain - 1, copy, length);
	if (space != NULL) {
		const size_t base = (size_t)(space - data);
		copy[base] = '\0';
		by_all_editions(copy, base, copy + base + 1, length - base - 1);
	}
	free(copy);
	return 0;
}
