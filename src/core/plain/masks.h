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

#ifndef URIVET_MASKS_H
#define URIVET_MASKS_H

/* Forces inlining. Windows and masks must stay in registers, or the vector code saves no time. */
#define INLINED static inline __attribute__((always_inline))
#define RULE    TARGET INLINED

/* The classes of 32 octets, a bit for each octet. A zero octet is in no class. */
struct classes {
	uint32_t host; /* a-z - . */
	uint32_t path; /* the octets of `segment` in plain.h, and "/" */
	uint32_t mark; /* - . / */
};

/* The classes of 64 octets, and the dots alone. */
struct masks {
	uint64_t host, path, mark, dot;
};

/* Returns the slashes: the only mark that a host cannot contain. */
INLINED uint64_t slashes_in(const struct masks *m)
{
	return m->mark & ~m->host;
}

/* Returns the index of the lowest set bit, 64 if there is none. */
INLINED uint32_t lowest_bit(uint64_t mask)
{
	return mask != 0 ? (uint32_t)__builtin_ctzll(mask) : 64;
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

/* Returns a mask of all bits below the lowest set bit; all bits if none is set. */
INLINED uint64_t below_lowest(uint64_t mask)
{
	return ~mask & (mask - 1);
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

/* Returns the number of set bits. Avoids libgcc's function, which the library would have to
 * link. */
INLINED uint32_t count_bits(uint64_t mask)
{
	mask -= mask >> 1 & UINT64_C(0x5555555555555555);
	mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
	mask = (mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(mask * UINT64_C(0x0101010101010101) >> 56);
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
#define has_odd_segment  ISA(has_odd_segment)
#define plain_path_end   ISA(plain_path_end)
#define telling_kinds    ISA(telling_kinds)
#define plain_query_end  ISA(plain_query_end)
#define plain_fragment_end ISA(plain_fragment_end)
#define uri_end_by_masks ISA(uri_end_by_masks)
#define plain_by_views   ISA(plain_by_views)
#define pair_by_masks    ISA(pair_by_masks)
#define plain_by_masks   ISA(plain_by_masks)
#define brief_in_window  ISA(brief_in_window)
#define brief_by_masks   ISA(brief_by_masks)
#define window_of_row    ISA(window_of_row)
#define brief_rows_by_masks ISA(brief_rows_by_masks)
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

/* Returns true if a segment in this view is empty, without being the last, or begins or ends with a
 * dot. The path ends at the lowest bit of `stop`. `before`: the masks of the previous view, or
 * zeros. */
RULE bool has_odd_segment(const struct view *v, const struct masks *before, uint64_t stop)
{
	const uint64_t slash = slashes_in(&v->m), dot = v->m.dot;
	const uint64_t after_slash = slash << 1 | slashes_in(before) >> 63,
		       after_dot = dot << 1 | before->dot >> 63;
	const uint64_t odd = (after_slash & (slash | dot)) | (after_dot & (slash | stop));
	return (odd & v->from & up_to_lowest(stop)) != 0;
}

/* Returns the end of the path that begins at `at`, or 0 if it is not plain. A segment can be odd
 * only where two marks are adjacent, or at the end. */
RULE uint32_t plain_path_end(struct text t, const struct view *first, uint32_t at)
{
	struct masks before = {0, 0, 0, 0};
	struct view v = view_at(t, first, at);
	uint32_t slashes = 0;
	do {
		const uint64_t stop = ~v.m.path & v.from;
		const uint64_t touching = v.m.mark & (v.m.mark << 1 | before.mark >> 63);
		if (((touching & v.from) | stop) != 0 && has_odd_segment(&v, &before, stop))
			return 0;
		if (t.end > PLAIN_SEGMENTS)
			slashes += count_bits(slashes_in(&v.m) & v.from & below_lowest(stop));
		if (slashes > PLAIN_SEGMENTS)
			return 0;
		if (stop != 0)
			return v.base + lowest_bit(stop);
		before = v.m;
	} while (next_view(t, &v));
	return octet(t, t.end - 1) != '.' ? t.end : 0;
}

/* Returns the kinds of TELLING_IN_QUERY among the octets in the mask `in`. */
RULE uint32_t telling_kinds(const struct view *v, uint64_t in)
{
	uint32_t kinds = (slashes_in(&v->m) & in) != 0 ? SLASH : 0;
	kinds |= (mask_of(&v->w, '=') & in) != 0 ? EQUALS : 0;
	kinds |= (mask_of(&v->w, '&') & in) != 0 ? AMPERSAND : 0;
	kinds |= (mask_of(&v->w, '+') & in) != 0 ? PLUS : 0;
	kinds |= (mask_of(&v->w, ';') & in) != 0 ? SEMICOLON : 0;
	return kinds;
}

/* Returns the end of the query that begins at `at`, and adds the kinds in it to *kinds. */
RULE uint32_t plain_query_end(struct text t, const struct view *first, uint32_t at,
			      uint32_t *kinds)
{
	struct view v;
	if (at >= t.end)
		return t.end;
	v = view_at(t, first, at);
	do {
		const uint64_t in = v.m.path | mask_of(&v.w, ';') | mask_of(&v.w, '?');
		const uint64_t stop = ~in & v.from;
		*kinds |= telling_kinds(&v, v.from & below_lowest(stop));
		if (stop != 0)
			return v.base + lowest_bit(stop);
	} while (next_view(t, &v));
	return t.end;
}

/* Returns the end of the fragment after the "#" at `at`, or `at` if it is not plain. */
RULE uint32_t plain_fragment_end(struct text t, const struct view *first, uint32_t at)
{
	const unsigned next = octet(t, at + 1);
	struct view v;
	if (octet(t, at) != '#' || next == '.' || next == '!')
		return at;
	if (at + 1 == t.end)
		return t.end;
	v = view_at(t, first, at + 1);
	do {
		const uint64_t in = (v.m.path & ~slashes_in(&v.m)) | mask_of(&v.w, ';');
		const uint64_t stop = ~in & v.from;
		if (stop != 0)
			return v.base + lowest_bit(stop);
	} while (next_view(t, &v));
	return t.end;
}

/* Returns the offset of the first octet that a URI can never contain, or the end. `others`: URI
 * octets outside the class of paths. */
TARGET static inline uint32_t uri_end_by_masks(struct text t)
{
	static const char others[] = ":;?#[]'%";
	for (uint32_t at = 0; at < t.end; at += 64) {
		const struct window w = window_at(t, at);
		uint64_t in = masks_of(&w).path;
		for (unsigned k = 0; k < sizeof others - 1; k++)
			in |= mask_of(&w, others[k]);
		if (in != ~UINT64_C(0))
			return at + lowest_bit(~in);
	}
	return t.end;
}

/* Same as urivet_plain_by_octet(). VECTOR_LEAST <= t.end; `alone`: t.end < 64 */
RULE struct plain plain_by_views(struct text t, bool alone)
{
	const struct plain none = {0, 0, 0, 0, 0};
	struct view v = {.w = alone ? window_of_brief(t) : window_at(t, 0), .alone = alone};
	struct plain p = none;
	uint32_t host, path;
	v.m = masks_of(&v.w);
	host = plain_scheme_end(&v.w);
	path = host > 0 ? plain_name_end(&v.w, &v.m, host) : 0;
	if (path == 64)
		return urivet_plain_by_octet(t);
	if (path > 0 && (path == t.end || (slashes_in(&v.m) >> path & 1) != 0))
		p.tail = plain_path_end(t, &v, path);
	if (p.tail == 0)
		return none;
	p.host = (uint16_t)host;
	p.path = (uint16_t)path;
	p.fragment = p.tail;
	if (octet(t, p.tail) == '?')
		p.fragment = plain_query_end(t, &v, p.tail + 1, &p.query);
	if (p.fragment < t.end && plain_fragment_end(t, &v, p.fragment) < t.end)
		return none;
	return p;
}

/* Returns the offset of the path in a plain URL of two windows that ends with its path, or 0. Like
 * brief_in_window(), with the name and its "/" in the first window, but the name may contain
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

TARGET static inline struct plain plain_by_masks(struct text t)
{
	struct plain p = {0, 0, t.end, t.end, 0};
	if (t.end < 64)
		return plain_by_views(t, true);
	if (t.end > 64 && t.end < 128)
		p.path = (uint16_t)pair_by_masks(t);
	if (p.path == 0)
		return plain_by_views(t, false);
	p.host = octet(t, 4) == 's' ? 8 : 7;
	return p;
}

/*
 * Returns the offset of the path in a plain URL of the most common form, or 0: one window, no
 * digit in the name, no query or fragment, no two adjacent marks. The URL has `length` octets.
 * `whole`: the window contains nothing after them. There is no branch.
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
 */
RULE uint32_t brief_in_window(const struct window *w, uint32_t length, bool whole)
{
	const uint32_t host = plain_scheme_end(w);
	const uint64_t end = UINT64_C(1) << length, inside = whole ? ~UINT64_C(0) : end - 1;
	const struct masks all = masks_of(w);
	const struct masks m = {all.host & inside, all.path & inside, all.mark & inside, 0};
	const uint64_t stop = ~m.host & bits_from(host);
	const uint64_t first = stop & (0 - stop);
	const uint64_t not_path = ~m.path & (0 - first);
	const bool is_whole = (not_path & (0 - not_path)) == end;
	const bool is_parted = (first & (m.mark | end)) != 0;
	const uint64_t odd =
	    (m.mark & m.mark << 1 & bits_from(host)) | (m.mark & m.host & end >> 1);
	return ((host > 0) & is_whole & is_parted & (odd == 0)) ? lowest_bit(first) : 0;
}

/* Runs brief_in_window() on a short text. VECTOR_LEAST <= t.end < VECTOR_BRIEF */
RULE uint32_t brief_by_masks(struct text t)
{
	const struct window w = window_of_brief(t);
	return brief_in_window(&w, t.end, true);
}

/* Loads the 64 octets from `at` on. */
RULE struct window window_of_row(struct text t, uint32_t at)
{
	const struct window w = {load_32(t, at), load_32(t, at + 32), 32, 0};
	return w;
}

/* Returns the rows that brief_by_masks() would recognise as plain URLs, a bit for each. Skips rows
 * of other lengths and rows that begin in the last 63 octets. Each row is one window, which also
 * contains octets after the row. */
TARGET static inline uint64_t brief_rows_by_masks(struct text t, const int32_t *offsets,
						  uint32_t rows)
{
	uint64_t plain = 0;
	if (t.end < 64)
		return 0;
	for (uint32_t k = 0; k < rows; k++) {
		const uint32_t from = (uint32_t)offsets[k];
		const uint32_t length = (uint32_t)offsets[k + 1] - from;
		struct window w;
		if (length - VECTOR_LEAST >= VECTOR_BRIEF - VECTOR_LEAST || from > t.end - 64)
			continue;
		w = window_of_row(t, from);
		plain |= (uint64_t)(brief_in_window(&w, length, false) > 0) << k;
	}
	return plain;
}
