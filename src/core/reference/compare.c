/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder of comparison: RFC 3986, 6.2. */
#include <string.h>

#include "reference/normal.h"

/* 6.1: "fragment components (if any) should be excluded from the comparison"
 * where URIs are compared to select or avoid a network action. */
static struct urivet_text compared(struct urivet_text uri, bool no_fragment)
{
	if (uri.data == NULL)
		uri.length = 0;
	if (no_fragment && uri.length <= URIVET_MAX_LENGTH)
		uri.length = find(text_of(uri.data, (uint32_t)uri.length), 0, HASH);
	return uri;
}

/* Composes the normal form of a URI. Returns false if it is not a URI reference by RFC 3986. Forms
 * are not cached, so that memory is needed only for the two that are compared. */
static COLD bool compose(struct composed *c, struct urivet_text uri, enum urivet_level level)
{
	const struct edition *e = urivet_edition(URIVET_READER_RFC3986);
	struct reference r;
	if (!urivet_read_reference(&r, e, uri.data, uri.length))
		return false;
	urivet_compose_normal(c, e, &r, level);
	return true;
}

/* The two normal forms being compared. */
struct room {
	struct composed a, b;
};

/* Returns true if the normal form of the URI equals room->a. */
static bool is_composed(struct room *room, struct urivet_text uri, enum urivet_level level)
{
	return compose(&room->b, uri, level) && urivet_same_composed(&room->a, &room->b);
}

/* ---- Redirects (6.2.4) ---------------------------------------------------------- */

/* How far a redirect has been followed. Bits are only set, never cleared. */
enum followed {
	NOT_MET = 0,
	MET_FROM = 1, /* `from` was reached; `to` is to be followed */
	MET_TO = 2,   /* `to` was reached; `from` is to be followed */
	DONE = 3
};

struct search {
	const struct urivet_redirect *redirects;
	size_t count;
	bool no_fragment;
	uint8_t followed[URIVET_MAX_REDIRECTS / 4]; /* enum followed, two bits each */
};

static unsigned followed(const struct search *s, size_t k)
{
	return (unsigned)s->followed[k / 4] >> k % 4 * 2 & 3u;
}

static void set_followed(struct search *s, size_t k, enum followed how)
{
	s->followed[k / 4] |= (uint8_t)((unsigned)how << k % 4 * 2);
}

static struct urivet_text end_of(const struct search *s, size_t k, bool to)
{
	const struct urivet_redirect *r = &s->redirects[k];
	return compared(to ? r->to : r->from, s->no_fragment);
}

static bool is_end(struct room *room, const struct search *s, size_t k, bool to)
{
	return is_composed(room, end_of(s, k, to), URIVET_LEVEL_SCHEME);
}

/* Marks unmarked redirects that have room->a at one end. */
static void meet(struct room *room, struct search *s)
{
	for (size_t k = 0; k < s->count; k++) {
		if (followed(s, k) != NOT_MET)
			continue;
		if (is_end(room, s, k, false))
			set_followed(s, k, MET_FROM);
		else if (is_end(room, s, k, true))
			set_followed(s, k, MET_TO);
	}
}

/* Composes the other end of a redirect that was reached but not yet followed, in room->a. Returns
 * false if there is none. */
static bool follow(struct room *room, struct search *s)
{
	for (size_t k = 0; k < s->count; k++) {
		const bool to = followed(s, k) == MET_FROM;
		if (!to && followed(s, k) != MET_TO)
			continue;
		set_followed(s, k, DONE);
		if (compose(&room->a, end_of(s, k, to), URIVET_LEVEL_SCHEME))
			return true;
	}
	return false;
}

/* Returns true if redirects, followed in either direction, lead from room->a to b. Each is followed
 * at most once, and each step looks at all of them. So the work is at most `count` times the total
 * length of all redirects. */
static bool redirected(struct room *room, struct urivet_text b,
		       const struct urivet_redirect *redirects, size_t count, bool no_fragment)
{
	struct search s = {redirects, count, no_fragment, {0}};
	if (s.count > URIVET_MAX_REDIRECTS)
		s.count = URIVET_MAX_REDIRECTS;
	do {
		meet(room, &s);
		if (!follow(room, &s))
			return false;
	} while (!is_composed(room, b, URIVET_LEVEL_SCHEME));
	return true;
}

enum urivet_rung urivet_compare(struct urivet_text a, struct urivet_text b, bool no_fragment,
				const struct urivet_redirect *redirects, size_t count)
{
	const struct urivet_text na = compared(a, no_fragment), nb = compared(b, no_fragment);
	struct room room;
	/* 6.2.1: "If two URIs, when considered as character strings, are identical" */
	if (na.length == nb.length && (na.length == 0 || memcmp(na.data, nb.data, na.length) == 0))
		return URIVET_IDENTICAL;
	if (!compose(&room.a, na, URIVET_LEVEL_SYNTAX))
		return URIVET_DIFFERENT;
	if (is_composed(&room, nb, URIVET_LEVEL_SYNTAX))
		return URIVET_EQUAL_BY_SYNTAX;
	compose(&room.a, na, URIVET_LEVEL_SCHEME);
	if (is_composed(&room, nb, URIVET_LEVEL_SCHEME))
		return URIVET_EQUAL_BY_SCHEME;
	return redirected(&room, nb, redirects, count, no_fragment) ? URIVET_EQUAL_BY_PROTOCOL
								    : URIVET_DIFFERENT;
}
