/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder of comparison: RFC 3986, 6.2. */
#include <string.h>

#include "normal.h"

/* A URI to compare, without its fragment if that is not to count. */
struct node {
	struct text text;
	struct reference reference;
	bool readable;
};

/* 6.1: "fragment components (if any) should be excluded from the comparison"
 * where URIs are compared to select or avoid a network action. */
static void read_node(struct node *n, const void *data, size_t length, bool no_fragment)
{
	const struct edition *e = urivet_edition(URIVET_READER_RFC3986);
	n->text.data = data;
	n->text.end = length <= URIVET_MAX_LENGTH ? (uint32_t)length : 0;
	if (no_fragment)
		n->text = until(n->text, find(n->text, 0, HASH));
	n->readable = length <= URIVET_MAX_LENGTH &&
		      urivet_read_reference(&n->reference, e, data, n->text.end);
}

static void compose(struct composed *c, const struct node *n, enum urivet_level level)
{
	urivet_compose_normal(c, urivet_edition(URIVET_READER_RFC3986), &n->reference, level);
}

/* 6.2.1: "If two URIs, when considered as character strings, are identical" */
static bool identical(struct text a, struct text b)
{
	uint32_t at = 0;
	while (at < a.end && octet(a, at) == octet(b, at))
		at++;
	return at == a.end && at == b.end;
}

/* Room for the two texts that are compared; there is one for a whole comparison. */
struct room {
	struct composed a, b;
};

static bool equal(struct room *room, const struct node *a, const struct node *b,
		  enum urivet_level level)
{
	compose(&room->a, a, level);
	compose(&room->b, b, level);
	return urivet_same_composed(&room->a, &room->b);
}

/* ---- Redirects (6.2.4) ---------------------------------------------------------- */

/* How far a redirect has been followed. */
enum followed {
	NOT_MET = 0,
	MET_FROM, /* its beginning was met, its end is to be followed */
	MET_TO,
	DONE
};

struct search {
	const struct urivet_redirect *redirects;
	size_t count;
	bool no_fragment;
	uint8_t followed[URIVET_MAX_REDIRECTS / 4]; /* enum followed, in two bits each */
};

static unsigned followed(const struct search *s, size_t k)
{
	return (unsigned)s->followed[k / 4] >> k % 4 * 2 & 3u;
}

static void set_followed(struct search *s, size_t k, enum followed how)
{
	const unsigned others = s->followed[k / 4] & ~(3u << k % 4 * 2);
	s->followed[k / 4] = (uint8_t)(others | (unsigned)how << k % 4 * 2);
}

static void read_end(struct node *n, const struct search *s, size_t k, bool to)
{
	const struct urivet_redirect *r = &s->redirects[k];
	if (to)
		read_node(n, r->to, r->to_length, s->no_fragment);
	else
		read_node(n, r->from, r->from_length, s->no_fragment);
}

/* Is the end of a redirect what is composed in room->a? */
static bool is_node(struct room *room, const struct search *s, size_t k, bool to)
{
	struct node n;
	read_end(&n, s, k, to);
	if (!n.readable)
		return false;
	compose(&room->b, &n, URIVET_LEVEL_SCHEME);
	return urivet_same_composed(&room->a, &room->b);
}

/* Marks the redirects not yet met that a node has part in. */
static void meet(struct room *room, struct search *s, const struct node *n)
{
	compose(&room->a, n, URIVET_LEVEL_SCHEME);
	for (size_t k = 0; k < s->count; k++) {
		if (followed(s, k) != NOT_MET)
			continue;
		if (is_node(room, s, k, false))
			set_followed(s, k, MET_FROM);
		else if (is_node(room, s, k, true))
			set_followed(s, k, MET_TO);
	}
}

/* The other end of a redirect that was met and not yet followed. */
static bool follow(struct search *s, struct node *n)
{
	for (size_t k = 0; k < s->count; k++) {
		const bool to = followed(s, k) == MET_FROM;
		if (!to && followed(s, k) != MET_TO)
			continue;
		set_followed(s, k, DONE);
		read_end(n, s, k, to);
		if (n->readable)
			return true;
	}
	return false;
}

/* Are they in one class of the smallest equivalence that holds the redirects?
 * Each redirect is followed once, and each time all are looked at: the work is
 * at most count times the length of all redirects. */
static bool redirected(struct room *room, const struct node *a, const struct node *b,
		       const struct urivet_redirect *redirects, size_t count, bool no_fragment)
{
	struct search s = {redirects, count, no_fragment, {0}};
	struct node n = *a;
	if (s.count > URIVET_MAX_REDIRECTS)
		s.count = URIVET_MAX_REDIRECTS;
	do {
		if (equal(room, &n, b, URIVET_LEVEL_SCHEME))
			return true;
		meet(room, &s, &n);
	} while (follow(&s, &n));
	return false;
}

enum urivet_rung urivet_compare(const void *a, size_t a_length, const void *b, size_t b_length,
				bool no_fragment, const struct urivet_redirect *redirects,
				size_t count)
{
	struct room room;
	struct node na, nb;
	read_node(&na, a, a_length, no_fragment);
	read_node(&nb, b, b_length, no_fragment);
	if (a_length > URIVET_MAX_LENGTH || b_length > URIVET_MAX_LENGTH)
		return a_length == b_length && memcmp(a, b, a_length) == 0 ? URIVET_IDENTICAL
									   : URIVET_DIFFERENT;
	if (identical(na.text, nb.text))
		return URIVET_IDENTICAL;
	if (!na.readable || !nb.readable)
		return URIVET_DIFFERENT;
	if (equal(&room, &na, &nb, URIVET_LEVEL_SYNTAX))
		return URIVET_EQUAL_BY_SYNTAX;
	if (equal(&room, &na, &nb, URIVET_LEVEL_SCHEME))
		return URIVET_EQUAL_BY_SCHEME;
	return redirected(&room, &na, &nb, redirects, count, no_fragment) ? URIVET_EQUAL_BY_PROTOCOL
									  : URIVET_DIFFERENT;
}
