/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts composed of pieces of other texts, and read from the end to the beginning.
 * Read backwards, one pass with a counter tells which path segments dot segments
 * remove: a ".." removes the next segment that no other ".." removes. So a text
 * is written by reading it twice, the first time to know its length, and two texts
 * are compared by reading both; neither needs a buffer.
 */
#ifndef URIVET_COMPOSE_H
#define URIVET_COMPOSE_H

#include "text/out.h"
#include "uri/uri.h"

/* How a piece is spelled (RFC 3986, 6.2.2.1 and 6.2.2.2). */
enum spelling {
	SPELL_AS_IS = 0,
	SPELL_TRIPLETS, /* digits of triplets in upper case */
	SPELL_NORMAL,   /* and triplets of the kinds `undone` decoded */
	SPELL_LOWER     /* and letters in lower case */
};

/* A run of octets, and the delimiter in front of it. A composed text has many:
 * they are kept small. */
struct piece {
	const uint8_t *data;
	uint32_t end;     /* octets */
	uint8_t spelling; /* enum spelling */
	uint8_t before;   /* the delimiter, 0: none */
};

/* What becomes of the path segments "." and "..". */
enum dots {
	DOTS_STAY = 0,
	DOTS_REMOVED,   /* RFC 3986, 5.2.4 */
	DOTS_KEPT_ABOVE /* removed, but for each ".." at the beginning that removes nothing */
};

/* A prefix for a path that would otherwise be read as something else. */
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
	    escaped_dots; /* "%2E" is a dot; if not, it is kept where decoding made a dot segment */
	bool final_slash; /* a final ".." that is kept gets a slash, as one does that removes */
	bool no_dots;     /* no segment begins with a dot, escaped or not; found when it is added */
};

/* The longest normal form has as many: scheme, ":", "//", userinfo, host,
 * port, parameters or "/" for an empty path, query, fragment. */
#define MAX_PIECES 9

/* In `undone`, where no kind is: visible octets that no component holds, spaces, and each "%" that
 * begins no triplet are percent-encoded in pieces that are SPELL_NORMAL. */
#define ESCAPES_RAW (1u << 31)

struct composed {
	struct piece piece[MAX_PIECES];
	struct path path;
	uint32_t undone; /* kinds whose triplets are decoded, and ESCAPES_RAW; read from
			  * SPELL_NORMAL on only */
	uint8_t count;
	uint8_t path_at;  /* pieces before the path */
	char address[42]; /* an IPv6 address in brackets */
};

/* The span of a text, spelled as it is there. */
static inline struct piece piece_of(struct text t, struct urivet_span s)
{
	struct piece p = {t.data, s.length, SPELL_AS_IS, 0};
	if (s.length > 0) /* an empty text may be a null pointer, to which nothing is added */
		p.data += s.offset;
	return p;
}

/* Makes *c empty. */
void urivet_compose(struct composed *c);

void urivet_add_piece(struct composed *c, struct piece p);
void urivet_add_delimited(struct composed *c, char delimiter, struct piece p);
void urivet_add_string(struct composed *c, const char *s);

/* The path follows the pieces added so far. */
void urivet_add_path(struct composed *c, const struct path *path);

void urivet_put_composed(struct out *o, const struct composed *c);
bool urivet_same_composed(const struct composed *a, const struct composed *b);
bool urivet_is_composed(const struct composed *c, struct text t);

#endif
