/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises plain URLs by arithmetic on bit masks. 64 octets of the text are classified at
 * once into 64-bit words, with one bit for each octet, the lowest for the first. To compare
 * neighbouring octets, a mask is shifted by one.
 *
 *   text   h t t p s : / / w w w . a - b . o r g / x . y
 *   host   1 1 1 1 1 . . . 1 1 1 1 1 1 1 1 1 1 1 . 1 1 1
 *   mark   . . . . . . 1 1 . . . 1 . 1 . 1 . . . 1 . 1 .
 *   path   1 1 1 1 1 . 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1   0 from here on
 *
 * This is a template. The file for an instruction set defines these macros and includes it:
 *   ISA(name)   the name with the suffix of the instruction set, because all sets may be
 *               compiled in one translation unit;
 *   TARGET      the attribute that lets a function use the instruction set;
 *   VECTOR      the type of 32 octets;
 * Then it defines the functions that the template only declares. The include guard covers only
 * the code that is the same for all instruction sets.
 */
#include "plain/vector.h"
#include "text/words.h"

#ifndef URIVET_MASKS_H
#define URIVET_MASKS_H

/* Windows and masks must stay in registers, or the vector code saves no time. */
#define RULE TARGET INLINED

/* The classes of 32 octets, a bit for each octet. A zero octet is in no class. */
struct classes {
	uint32_t host; /* a-z - . */
	uint32_t path; /* unreserved (RFC 3986, 2.3) and "/" */
	uint32_t mark; /* - . / */
};

/* The classes of 64 octets, and the dots alone. */
struct masks {
	uint64_t host, path, mark, dot;
};

/* Returns the index of the lowest set bit, 64 if there is none. */
INLINED uint32_t lowest_bit(uint64_t mask)
{
	return mask != 0 ? lowest_set_bit(mask) : 64;
}

/* Returns the slashes: the only mark that a host cannot contain. */
INLINED uint64_t slashes_in(const struct masks *m)
{
	return m->mark & ~m->host;
}

/* Returns a mask of all bits from index `at` on; at < 64. */
INLINED uint64_t bits_from(uint32_t at)
{
	return ~UINT64_C(0) << at;
}

/* Returns a mask of all bits up to and including the lowest set bit; all bits if none is set. */
INLINED uint64_t up_to_lowest(uint64_t mask)
{
	return mask ^ (mask - 1);
}

/* Returns true if digits of the name surround a dot or hyphen, as in an address, or if its last
 * label begins with a digit. `joint`: dots and hyphens. The name is at..end, and not empty. */
INLINED bool is_number_like_name(uint64_t digit, uint64_t joint, uint64_t dot, uint32_t at,
				 uint32_t end)
{
	const uint64_t name = bits_from(at) & ~bits_from(end);
	const uint64_t first = (dot << 1 | UINT64_C(1) << at) & name;
	const uint32_t last_label = 63 - (uint32_t)__builtin_clzll(first);
	return (digit & joint << 1 & digit << 2 & name) != 0 || (digit >> last_label & 1) != 0;
}

#endif

/* clang-format off */
#define window           ISA(window)
#define load_32          ISA(load_32)
#define load_16          ISA(load_16)
#define classes_of       ISA(classes_of)
#define digits_of        ISA(digits_of)
#define octets_equal     ISA(octets_equal)
#define first_eight      ISA(first_eight)
#define window_of_brief  ISA(window_of_brief)
#define window_at        ISA(window_at)
#define joined           ISA(joined)
#define masks_of         ISA(masks_of)
#define mask_of          ISA(mask_of)
#define plain_scheme_end ISA(plain_scheme_end)
#define plain_name_end   ISA(plain_name_end)
#define view             ISA(view)
#define view_at          ISA(view_at)
#define next_view        ISA(next_view)
#define odd_kinds        ISA(odd_kinds)
#define marks_beside_slash ISA(marks_beside_slash)
#define tail_path        ISA(tail_path)
#define tail_query       ISA(tail_query)
#define tail_from        ISA(tail_from)
#define first_view       ISA(first_view)
#define tail_by_masks    ISA(tail_by_masks)
#define plain_by_views   ISA(plain_by_views)
#define pair_by_masks    ISA(pair_by_masks)
#define plain_by_masks   ISA(plain_by_masks)
#define brief_by_masks   ISA(brief_by_masks)
/* clang-format on */

/* Loads octets at..at+31, or at..at+15 followed by 16 zero octets. The range must lie in the
 * text. */
RULE VECTOR load_32(struct text t, uint32_t at);
RULE VECTOR load_16(struct text t, uint32_t at);
RULE struct classes classes_of(VECTOR v);
RULE uint32_t digits_of(VECTOR v);
RULE uint32_t octets_equal(VECTOR v, char c);
/* Returns the first eight octets in native byte order. */
RULE uint64_t first_eight(VECTOR v);

/* Up to 64 octets from `at` on, in two vectors that may overlap. The first begins `down` octets
 * before `at`, the second `up` octets after the first. */
struct window {
	VECTOR low, high;
	uint32_t up, down;
};

/* Loads the whole text. VECTOR_LEAST <= t.end < 64 */
RULE struct window window_of_brief(struct text t)
{
	struct window w = {.down = 0};
	if (t.end >= 32) {
		w.up = t.end - 32;
		w.low = load_32(t, 0);
		w.high = load_32(t, w.up);
	} else {
		w.up = t.end - 16;
		w.low = load_16(t, 0);
		w.high = load_16(t, w.up);
	}
	return w;
}

/* Loads the octets from `at` on. at < t.end, and VECTOR_LEAST <= t.end */
RULE struct window window_at(struct text t, uint32_t at)
{
	struct window w;
	if (t.end < 64) {
		w = window_of_brief(t);
		w.down = at;
	} else {
		const uint32_t start = at < t.end - 64 ? at : t.end - 64;
		w.up = 32;
		w.down = at - start;
		w.low = load_32(t, start);
		w.high = load_32(t, start + 32);
	}
	return w;
}

/* Combines the masks of both vectors into one. Bits after the end of the text are 0. */
RULE uint64_t joined(const struct window *w, uint32_t low, uint32_t high)
{
	return (low | (uint64_t)high << w->up) >> w->down;
}

RULE uint64_t mask_of(const struct window *w, char c)
{
	return joined(w, octets_equal(w->low, c), octets_equal(w->high, c));
}

RULE struct masks masks_of(const struct window *w)
{
	const struct classes a = classes_of(w->low), b = classes_of(w->high);
	const struct masks m = {joined(w, a.host, b.host), joined(w, a.path, b.path),
				joined(w, a.mark, b.mark), mask_of(w, '.')};
	return m;
}

/* Returns the offset after "http://" or "https://", or 0. Both are common, so there is no
 * branch. */
RULE uint32_t plain_scheme_end(const struct window *w)
{
	static const union {
		char octets[8];
		uint64_t word;
	} http = {"http://"}, https = {"https://"};
	const uint64_t begin = first_eight(w->low);
	const bool is_https = begin == https.word;
	const bool is_http = (begin ^ http.word) << 8 == 0;
	return (7 + (uint32_t)is_https) & (0 - (uint32_t)(is_http | is_https));
}

/* Returns the end of the name at `at`; 0 if it is not plain, 64 if it does not end in the first
 * window. Parts between dots and hyphens must not be empty: of any two neighbours, from the "/"
 * before the name to the octet after it, at least one must be a letter or digit. */
RULE uint32_t plain_name_end(const struct window *w, const struct masks *m, uint32_t at)
{
	const uint64_t digit = joined(w, digits_of(w->low), digits_of(w->high));
	const uint64_t host = m->host | digit, joint = m->mark & m->host, apart = joint | ~host;
	const uint64_t stop = ~host & bits_from(at);
	const uint32_t end = lowest_bit(stop);
	if (end == 64)
		return 64;
	if ((apart & apart << 1 & bits_from(at) & up_to_lowest(stop)) != 0)
		return 0;
	return digit != 0 && is_number_like_name(digit, joint, m->dot, at, end) ? 0 : end;
}

/* A window of a part, at an offset that is a multiple of 64. The first window of the text and its
 * masks are already loaded. */
struct view {
	struct window w;
	struct masks m;
	uint64_t from; /* a mask of the octets of the part */
	uint32_t base;
	bool alone; /* the only window; a compile-time constant that removes loops */
};

/* Returns the window that contains `at`. */
RULE struct view view_at(struct text t, const struct view *first, uint32_t at)
{
	struct view v = *first;
	if (!v.alone && at >= 64) {
		v.base = at - at % 64;
		v.w = window_at(t, v.base);
		v.m = masks_of(&v.w);
	}
	v.from = bits_from(at % 64);
	return v;
}

/* Advances to the next window. Returns false if the text ends before it. */
RULE bool next_view(struct text t, struct view *v)
{
	v->base += 64;
	if (v->alone || v->base >= t.end)
		return false;
	v->w = window_at(t, v->base);
	v->m = masks_of(&v->w);
	v->from = ~UINT64_C(0);
	return true;
}

/* Adds the kinds of the octets in this view outside the class of paths, up to the first octet of
 * the kinds `stop` or the end of the text. Returns the bit of that, or 0. */
RULE uint64_t odd_kinds(struct text t, const struct view *v, uint32_t stop, uint32_t *kinds)
{
	uint64_t odd = ~v->m.path & v->from;
	const uint64_t percent = odd != 0 ? mask_of(&v->w, '%') & odd : 0;
	for (odd &= ~percent; odd != 0; odd &= odd - 1) {
		const uint32_t k = kind(t, v->base + lowest_bit(odd));
		if ((k & ~stop) == 0)
			break;
		*kinds |= k;
	}
	odd &= 0 - odd;
	*kinds |= (percent & (odd - 1)) != 0 ? PERCENT : 0;
	return odd;
}

/* Returns SLASH if a slash comes after a slash among these octets of the view, and DOT if a dot is
 * beside one. `before`: the masks of the view before, or zeros. */
RULE uint32_t marks_beside_slash(const struct view *v, const struct masks *before, uint64_t in)
{
	const uint64_t slash = slashes_in(&v->m) & in, dot = v->m.dot & in;
	const uint64_t after_slash = slash << 1 | slashes_in(before) >> 63,
		       after_dot = dot << 1 | before->dot >> 63;
	return ((after_slash & slash) != 0 ? SLASH : 0) |
	       (((after_slash & dot) | (after_dot & slash)) != 0 ? DOT : 0);
}

/* Sets the end of the path that begins with the "/" at `at`, and its kinds. */
RULE void tail_path(struct text t, const struct view *first, uint32_t at, struct tail *tail)
{
	struct masks before = {0, 0, 0, 0};
	struct view v = view_at(t, first, at);
	uint32_t kinds = 0, beside = 0, end;
	uint64_t stop;
	do {
		stop = odd_kinds(t, &v, QUESTION | HASH, &kinds);
		const uint64_t in = v.from & (stop - 1), marks = v.m.mark & in;
		if ((v.m.dot & in) != 0)
			kinds |= DOT;
		if ((marks & (marks << 1 | before.mark >> 63)) != 0)
			beside |= marks_beside_slash(&v, &before, in);
		before = v.m;
	} while (stop == 0 && next_view(t, &v));
	end = stop != 0 ? v.base + lowest_bit(stop) : t.end;
	if ((kinds & DOT) != 0 && octet(t, end - 1) == '.')
		beside |= DOT;
	tail->path = kinds;
	tail->beside_slash = beside;
	tail->path_end = end;
}

/* Sets the end of the query that begins at `at`, and its kinds. */
RULE void tail_query(struct text t, const struct view *first, uint32_t at, struct tail *tail)
{
	struct view v;
	uint32_t kinds = 0;
	uint64_t stop;
	tail->query_end = t.end;
	if (at >= t.end)
		return;
	v = view_at(t, first, at);
	do {
		stop = odd_kinds(t, &v, HASH, &kinds);
		const uint64_t in = v.from & (stop - 1);
		if ((slashes_in(&v.m) & in) != 0)
			kinds |= SLASH;
	} while (stop == 0 && next_view(t, &v));
	tail->query = kinds;
	if (stop != 0)
		tail->query_end = v.base + lowest_bit(stop);
}

/* Returns the view of the first window. VECTOR_LEAST <= t.end; `alone`: t.end < 64 */
RULE struct view first_view(struct text t, bool alone)
{
	struct view v = {.w = alone ? window_of_brief(t) : window_at(t, 0), .alone = alone};
	v.m = masks_of(&v.w);
	return v;
}

/* Same as urivet_tail_by_octet(), but with no other kinds than KINDS_IN_PATH and KINDS_IN_QUERY,
 * and without what escapes encode.
 * There is a "/" at `at`, or the end. */
RULE void tail_from(struct text t, const struct view *first, uint32_t at, struct tail *tail)
{
	tail->path_end = at;
	tail->path = tail->query = tail->beside_slash = 0;
	tail->escaped = tail->escaped_path = 0;
	tail->loud = (struct windows){{0, 0}};
	if (at < t.end)
		tail_path(t, first, at, tail);
	tail->query_end = tail->path_end;
	if (octet(t, tail->path_end) == '?')
		tail_query(t, first, tail->path_end + 1, tail);
}

TARGET static inline struct tail tail_by_masks(struct text t, uint32_t at)
{
	const struct view v = first_view(t, false);
	struct tail tail;
	tail_from(t, &v, at, &tail);
	return tail;
}

/* Same as urivet_plain_by_octet(). VECTOR_LEAST <= t.end; `alone`: t.end < 64 */
RULE bool plain_by_views(struct text t, struct plain *p, bool alone)
{
	const struct view v = first_view(t, alone);
	const uint32_t host = plain_scheme_end(&v.w),
		       path = host > 0 ? plain_name_end(&v.w, &v.m, host) : 0;
	if (path == 64)
		return urivet_plain_by_octet(t, p);
	p->host = 0;
	if (path == 0 || (path < t.end && (slashes_in(&v.m) >> path & 1) == 0))
		return false;
	tail_from(t, &v, path, &p->tail);
	return set_plain(p, host, path) && is_plain_fragment(t, p->tail.query_end);
}

/* Returns the offset of the path in a plain URL of two windows that ends with its path, or 0. Like
 * brief_by_masks(), with the name and its "/" in the first window, but the name may contain
 * digits. 64 < t.end < 128 */
RULE uint32_t pair_by_masks(struct text t)
{
	const struct window v = window_at(t, 0), w = window_at(t, 64);
	const struct masks a = masks_of(&v), b = masks_of(&w);
	const uint64_t digit = joined(&v, digits_of(v.low), digits_of(v.high));
	const uint32_t host = plain_scheme_end(&v);
	const uint64_t end = UINT64_C(1) << (t.end - 64);
	const uint64_t stop = ~(a.host | digit) & bits_from(host);
	const uint64_t first = stop & (0 - stop);
	const uint32_t path = lowest_bit(first);
	const bool is_whole = (~a.path & (0 - first)) == 0 && b.path == end - 1;
	const uint64_t odd = (a.mark & a.mark << 1 & bits_from(host)) |
			     (b.mark & (b.mark << 1 | a.mark >> 63)) | (b.mark & b.host & end >> 1);
	if (!((host > 0) & is_whole & ((first & a.mark) != 0) & (odd == 0)))
		return 0;
	return digit != 0 && is_number_like_name(digit, a.mark & a.host, a.dot, host, path) ? 0
											     : path;
}

TARGET static inline bool plain_by_masks(struct text t, struct plain *p)
{
	uint32_t path = 0;
	if (t.end < 64)
		return plain_by_views(t, p, true);
	if (t.end > 64 && t.end < 128)
		path = pair_by_masks(t);
	if (path == 0)
		return plain_by_views(t, p, false);
	set_plain_path(p, t, path);
	return true;
}

/*
 * Returns the offset of the path in a plain URL of the most common form, or 0: one window, no
 * digit in the name, no query or fragment, no two adjacent marks. There is no branch.
 *
 *   text           https://www.a-b.org/x/y
 *   mark           ......11...1.1.1...1.1.
 *   stop           ...................1.1.1111...   octets not allowed in a host
 *   first          ...................1..........   after the name: "/" or the end
 *   0 - first      ...................11111111...   the path and what follows
 *   end            .......................1......
 *
 * From `first` on, the first octet that is not allowed in a path must be the end. The last
 * octet must not be "-" or ".".
 * VECTOR_LEAST <= t.end < VECTOR_BRIEF
 */
RULE uint32_t brief_by_masks(struct text t)
{
	const struct window w = window_of_brief(t);
	const struct masks m = masks_of(&w);
	const uint32_t host = plain_scheme_end(&w);
	const uint64_t end = UINT64_C(1) << t.end;
	const uint64_t stop = ~m.host & bits_from(host);
	const uint64_t first = stop & (0 - stop);
	const uint64_t not_path = ~m.path & (0 - first);
	const bool is_whole = (not_path & (0 - not_path)) == end;
	const bool is_parted = (first & (m.mark | end)) != 0;
	const uint64_t odd =
	    (m.mark & m.mark << 1 & bits_from(host)) | (m.mark & m.host & end >> 1);
	return ((host > 0) & is_whole & is_parted & (odd == 0)) ? lowest_bit(first) : 0;
}
