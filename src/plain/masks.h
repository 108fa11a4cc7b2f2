/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain URLs as arithmetic on masks: 64 octets of the text are classified at once into
 * 64-bit words with one bit for each octet, the lowest for the first. A rule about
 * neighbouring octets is then a shift by one.
 *
 *   text   h t t p s : / / w w w . a - b . o r g / x . y
 *   host   1 1 1 1 1 . . . 1 1 1 1 1 1 1 1 1 1 1 . 1 1 1
 *   mark   . . . . . . 1 1 . . . 1 . 1 . 1 . . . 1 . 1 .
 *   path   1 1 1 1 1 . 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1   0 from here on
 *
 * This is a template: a file for one instruction set includes it after it has defined
 *   ISA(name)   the name with an ending of the instruction set's own, because all sets may be
 *               compiled in one translation unit;
 *   TARGET      the attribute that lets a function use the instruction set;
 *   VECTOR      the type of 32 octets;
 * and then defines the functions that the template only declares. So only what is the same for
 * all instruction sets is guarded against a second inclusion.
 */
#include "plain/vector.h"

#ifndef URIVET_MASKS_H
#define URIVET_MASKS_H

/* Always inlined: in memory instead of registers, windows and masks would save no time. */
#define INLINED static inline __attribute__((always_inline))
#define RULE    TARGET INLINED

/* Which of 32 octets are in which class; a zero octet is in none. */
struct classes {
	uint32_t host; /* a-z - . */
	uint32_t path; /* those of segment in plain.h without "~", and "/" */
	uint32_t mark; /* - . / */
};

/* The same for 64 octets. */
struct masks {
	uint64_t host, path, mark;
};

/* The number of the lowest bit, 64 if there is none. */
INLINED uint32_t lowest_bit(uint64_t mask)
{
	return mask != 0 ? (uint32_t)__builtin_ctzll(mask) : 64;
}

/* All bits from number `at` on; at < 64. */
INLINED uint64_t bits_from(uint32_t at)
{
	return ~UINT64_C(0) << at;
}

/* All bits up to and including the lowest one that is set; all if none is. */
INLINED uint64_t up_to_lowest(uint64_t mask)
{
	return mask ^ (mask - 1);
}

/* Do digits of the name surround a dot or hyphen, as in an address, or does its last label
 * begin with a digit? `joint`: dots and hyphens. The name is at..end, and not empty. */
INLINED bool is_number_like_name(uint64_t digit, uint64_t joint, uint64_t dot, uint32_t at,
				 uint32_t end)
{
	const uint64_t name = bits_from(at) & ~bits_from(end);
	const uint64_t first = (dot << 1 | UINT64_C(1) << at) & name;
	const uint32_t last_label = 63 - (uint32_t)__builtin_clzll(first);
	return (digit & joint << 1 & digit << 2 & name) != 0 || (digit >> last_label & 1) != 0;
}

/* The number of bits that are set, without libgcc's function, which the library would need. */
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
#define has_odd_segment  ISA(has_odd_segment)
#define plain_path_end   ISA(plain_path_end)
#define plain_query_end  ISA(plain_query_end)
#define plain_fragment_end ISA(plain_fragment_end)
#define uri_end_by_masks ISA(uri_end_by_masks)
#define plain_by_masks   ISA(plain_by_masks)
#define brief_by_masks   ISA(brief_by_masks)
/* clang-format on */

/* Octets at..at+31, or at..at+15 and then 16 zero octets; what is loaded lies in the text. */
RULE VECTOR load_32(struct text t, uint32_t at);
RULE VECTOR load_16(struct text t, uint32_t at);
RULE struct classes classes_of(VECTOR v);
RULE uint32_t digits_of(VECTOR v);
RULE uint32_t octets_equal(VECTOR v, char c);
/* The first eight octets, as the machine loads them. */
RULE uint64_t first_eight(VECTOR v);

/* The octets from `at` on, 64 or as many as there are, in two vectors that may overlap: the
 * first begins `down` octets before `at`, the second `up` octets after the first. */
struct window {
	VECTOR low, high;
	uint32_t up, down;
};

/* All octets of the text. VECTOR_LEAST <= t.end < 64 */
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

/* The octets from `at` on. at < t.end, and VECTOR_LEAST <= t.end */
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

/* One mask from those of both vectors; its bits after the end of the text are 0. */
RULE uint64_t joined(const struct window *w, uint32_t low, uint32_t high)
{
	return (low | (uint64_t)high << w->up) >> w->down;
}

RULE struct masks masks_of(const struct window *w)
{
	const struct classes a = classes_of(w->low), b = classes_of(w->high);
	const struct masks m = {joined(w, a.host, b.host), joined(w, a.path, b.path),
				joined(w, a.mark, b.mark)};
	return m;
}

RULE uint64_t mask_of(const struct window *w, char c)
{
	return joined(w, octets_equal(w->low, c), octets_equal(w->high, c));
}

/* The offset after "http://" or "https://", or 0. Both are common, so there is no branch. */
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

/* The end of the name that begins at `at`; 0 if it is not plain, 64 if it does not end in the
 * first window. No part of it between dots and hyphens is empty: of any two neighbours from
 * the "/" in front to the octet after the name, one is a letter or digit. */
TARGET static inline uint32_t plain_name_end(struct text t, uint32_t at)
{
	const struct window w = window_at(t, 0);
	const uint64_t digit = joined(&w, digits_of(w.low), digits_of(w.high));
	const uint64_t host = masks_of(&w).host | digit, dot = mask_of(&w, '.');
	const uint64_t joint = dot | mask_of(&w, '-'), apart = joint | ~host;
	const uint64_t stop = ~host & bits_from(at);
	const uint32_t end = lowest_bit(stop);
	if (end == 64)
		return 64;
	if ((apart & apart << 1 & bits_from(at) & up_to_lowest(stop)) != 0)
		return 0;
	return digit != 0 && is_number_like_name(digit, joint, dot, at, end) ? 0 : end;
}

/* Is a segment in this window empty, without being the last, or does it begin or end with a
 * dot? The path ends at the lowest bit of `stop`; `before` is the octet before the window. */
RULE bool has_odd_segment(const struct window *w, uint64_t slash, uint64_t stop, unsigned before)
{
	const uint64_t dot = mask_of(w, '.');
	const uint64_t after_slash = slash << 1 | (before == '/'),
		       after_dot = dot << 1 | (before == '.');
	const uint64_t odd = (after_slash & (slash | dot)) | (after_dot & (slash | stop));
	return (odd & up_to_lowest(stop)) != 0;
}

/* The end of the path that begins at `at`, or 0 if it is not plain. Only where two marks are
 * neighbours, or at the end, can a segment be odd. */
TARGET static inline uint32_t plain_path_end(struct text t, uint32_t at)
{
	uint32_t slashes = 0;
	uint64_t mark_before = 0;
	for (const uint32_t start = at; at < t.end; at += 64) {
		const struct window w = window_at(t, at);
		const struct masks m = masks_of(&w);
		const uint64_t slash = mask_of(&w, '/');
		const uint64_t stop = ~m.path != 0 ? ~m.path & ~mask_of(&w, '~') : 0;
		const uint64_t touching = m.mark & (m.mark << 1 | mark_before);
		if ((touching | stop) != 0 &&
		    has_odd_segment(&w, slash, stop, at > start ? octet(t, at - 1) : AT_END))
			return 0;
		slashes += count_bits(slash & ~stop & (stop - 1));
		if (slashes > PLAIN_SEGMENTS)
			return 0;
		if (stop != 0)
			return at + lowest_bit(stop);
		mark_before = m.mark >> 63;
	}
	return octet(t, t.end - 1) != '.' ? t.end : 0;
}

/* The end of the query that begins at `at`. */
TARGET static inline uint32_t plain_query_end(struct text t, uint32_t at)
{
	for (; at < t.end; at += 64) {
		const struct window w = window_at(t, at);
		const uint64_t stop =
		    ~(masks_of(&w).path | mask_of(&w, '~') | mask_of(&w, ';') | mask_of(&w, '?'));
		if (stop != 0)
			return at + lowest_bit(stop);
	}
	return t.end;
}

/* The end of the fragment after the "#" at `at`, or `at`. */
TARGET static inline uint32_t plain_fragment_end(struct text t, uint32_t at)
{
	const unsigned first = octet(t, at + 1);
	if (octet(t, at) != '#' || first == '.' || first == '!')
		return at;
	for (at++; at < t.end; at += 64) {
		const struct window w = window_at(t, at);
		const uint64_t in = masks_of(&w).path & ~mask_of(&w, '/');
		const uint64_t stop = ~(in | mask_of(&w, '~') | mask_of(&w, ';'));
		if (stop != 0)
			return at + lowest_bit(stop);
	}
	return t.end;
}

/* The first octet that no URI holds, or the end. `others`: what a URI may hold that is not in
 * the class of paths. */
TARGET static inline uint32_t uri_end_by_masks(struct text t)
{
	static const char others[] = "~:;?#[]@'%";
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

/* As urivet_plain_by_octet(). VECTOR_LEAST <= t.end */
TARGET static inline struct plain plain_by_masks(struct text t)
{
	const struct window w = window_at(t, 0);
	struct plain p = {plain_scheme_end(&w), 0, 0, 0};
	p.path = p.host > 0 ? plain_name_end(t, p.host) : 0;
	if (p.path == 64)
		return urivet_plain_by_octet(t);
	if (p.path > 0 && (p.path == t.end || octet(t, p.path) == '/'))
		p.tail = plain_path_end(t, p.path);
	if (p.tail == 0)
		return (struct plain){0, 0, 0, 0};
	p.fragment = octet(t, p.tail) == '?' ? plain_query_end(t, p.tail + 1) : p.tail;
	if (p.fragment < t.end && plain_fragment_end(t, p.fragment) < t.end)
		p.host = 0;
	return p;
}

/*
 * Where the path begins in a plain URL as most are, or 0: all in one window, without a digit
 * in the name, ending with the path, no two marks side by side. The only branch is on the
 * length. VECTOR_LEAST <= t.end < VECTOR_BRIEF
 *
 *   text           https://www.a-b.org/x/y
 *   mark           ......11...1.1.1...1.1.
 *   stop           ...................1.1.1111...   no octet of a host
 *   first          ...................1..........   after the name: "/" or the end
 *   0 - first      ...................11111111...   the path and what follows
 *   end            .......................1......
 *
 * From `first` on, the first octet that is not of a path must be the end. The last octet must
 * not be a mark that may stand in a host, a "-" or ".".
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
