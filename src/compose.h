/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts composed of pieces of others, read from their end to their beginning.
 * Backwards one pass without memory tells which path segments stay: a ".."
 * takes away the next segment met that no other has claimed. So a text is
 * written by reading it twice, first to count it, and two texts are compared
 * by reading both; neither needs room for one.
 */
#ifndef URIVET_COMPOSE_H
#define URIVET_COMPOSE_H

#include "out.h"
#include "uri.h"

/* How a piece is spelled (RFC 3986, 6.2.2.1 and 6.2.2.2). */
enum spelling {
	SPELL_AS_IS = 0,
	SPELL_NORMAL, /* digits of triplets in upper case, triplets of `undone` kinds undone */
	SPELL_LOWER   /* and letters in lower case */
};

/* A run of octets that ends where `text` does. */
struct piece {
	struct text text;
	uint32_t start;
	unsigned undone : 30;  /* all the kinds that there are */
	unsigned spelling : 2; /* enum spelling */
};

/* What becomes of the path segments "." and "..". */
enum dots {
	DOTS_STAY = 0,
	DOTS_REMOVED,   /* RFC 3986, 5.2.4 */
	DOTS_KEPT_ABOVE /* those at the beginning with nothing to take away stay */
};

/* Where the written path would be read as something else, a prefix is put. */
#define GUARD_DOUBLE_SLASH 1u /* "/." before "//", which would begin an authority */
#define GUARD_RELATIVE     2u /* "./" before "", "/" and a first segment with a colon */

/* A path: the segments of its parts, joined by slashes. A part that is empty
 * is one empty segment. */
struct path {
	struct piece part[2];
	uint8_t parts;
	uint8_t dots;  /* enum dots */
	uint8_t guard; /* GUARD_... */
	bool
	    escaped_dots; /* "%2E" is a dot; if not, it is not undone where that made a dot segment */
	bool final_slash; /* a final ".." that stays gets a slash, as one does that takes away */
};

/* A normal form with all that there can be has as many. */
#define MAX_PIECES 16

struct composed {
	struct piece piece[MAX_PIECES];
	struct path path;
	uint8_t count;
	uint8_t path_at;  /* pieces before the path */
	char address[48]; /* the text of an IPv6 address */
};

/* The span of a text, as it stands. */
static inline struct piece piece_of(struct text t, struct urivet_span s)
{
	const struct piece p = {until(t, s.offset + s.length), s.offset, 0, SPELL_AS_IS};
	return p;
}

/* Begins with nothing. */
void urivet_compose(struct composed *c);

void urivet_add_piece(struct composed *c, struct piece p);
void urivet_add_string(struct composed *c, const char *s);

/* The path goes behind the pieces added so far. */
void urivet_add_path(struct composed *c, const struct path *path);

void urivet_put_composed(struct out *o, const struct composed *c);
bool urivet_same_composed(const struct composed *a, const struct composed *b);
bool urivet_is_composed(const struct composed *c, struct text t);

#endif
