/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts composed of pieces of other texts, and read from the end to the beginning. Reading
 * backwards, one pass with a counter finds the path segments that dot segments remove: a ".."
 * removes the next segment that no other ".." removes. A text is written by reading it twice,
 * first to compute its length. Two texts are compared by reading both. Neither needs a buffer.
 */
#ifndef URIVET_COMPOSE_H
#define URIVET_COMPOSE_H

#include "text/out.h"
#include "uri/uri.h"

/* The spelling of a piece in the output (RFC 3986, 6.2.2.1 and 6.2.2.2). */
enum spelling {
	SPELL_AS_IS = 0,
	SPELL_TRIPLETS, /* hexadecimal digits of triplets in upper case */
	SPELL_NORMAL,   /* the same, and triplets of the kinds `undone` decoded */
	SPELL_LOWER     /* the same, and letters in lower case */
};

/* A run of octets, and the delimiter before it. A composed text has many, so they are kept
 * small. */
struct piece {
	const uint8_t *data;
	uint32_t end;     /* octets */
	uint8_t spelling; /* enum spelling */
	uint8_t before;   /* the delimiter before it, 0: none */
};

/* The treatment of the path segments "." and "..". */
enum dots {
	DOTS_STAY = 0,
	DOTS_REMOVED,   /* RFC 3986, 5.2.4 */
	DOTS_KEPT_ABOVE /* removed, except each ".." at the beginning that has nothing to remove */
};

/* A prefix for a path that would otherwise be parsed as something else. */
#define GUARD_DOUBLE_SLASH 1u /* "/." before "//", which would start an authority */
#define GUARD_RELATIVE     2u /* "./" before "", "/" and a first segment with a colon */

/* A path: the segments of its parts, joined by slashes. An empty part is one empty segment. */
struct path {
	struct piece part[2];
	uint8_t parts;
	uint8_t dots;      /* enum dots */
	uint8_t guard;     /* GUARD_... */
	bool escaped_dots; /* "%2E" counts as a dot; if not, it is kept where decoding would make
	                   * a dot segment */
	bool final_slash;  /* a final ".." that is kept gets a slash, like one that removes */
	bool no_dots;      /* no segment begins with a dot, escaped or not; set by
	                   * urivet_add_path() */
};

/* The number of pieces of the longest normal form: scheme, ":", "//", userinfo, host, port,
 * parameters or "/" for an empty path, query, fragment. */
#define MAX_PIECES 9

/* A flag in `undone`, in a bit that no kind uses. In pieces that are SPELL_NORMAL it
 * percent-encodes spaces, visible octets that are illegal in every component, and each "%" that
 * does not begin a triplet. */
#define ESCAPES_RAW (1u << 31)

struct composed {
	struct piece piece[MAX_PIECES];
	struct path path;
	uint32_t undone; /* kinds whose triplets are decoded, and ESCAPES_RAW; used only from
	                  * SPELL_NORMAL on */
	uint8_t count;
	uint8_t path_at;  /* the number of pieces before the path */
	char address[42]; /* an IPv6 address in brackets */
};

/* Returns the span of a text as a piece, spelled as it is there. */
static inline struct piece piece_of(struct text t, struct urivet_span s)
{
	struct piece p = {t.data, s.length, SPELL_AS_IS, 0};
	if (s.length > 0) /* an empty text may be NULL, and adding to NULL is undefined */
		p.data += s.offset;
	return p;
}

/* Makes *c empty. */
void urivet_compose(struct composed *c);

void urivet_add_piece(struct composed *c, struct piece p);
void urivet_add_delimited(struct composed *c, char delimiter, struct piece p);
void urivet_add_string(struct composed *c, const char *s);

/* Adds the path after the pieces added so far. */
void urivet_add_path(struct composed *c, const struct path *path);

void urivet_put_composed(struct out *o, const struct composed *c);
bool urivet_same_composed(const struct composed *a, const struct composed *b);
bool urivet_is_composed(const struct composed *c, struct text t);

#endif
