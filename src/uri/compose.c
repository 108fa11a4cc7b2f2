/* SPDX-License-Identifier: Apache-2.0 */
/* Texts composed of pieces: reading them backwards, writing, comparing. */
#include "uri/compose.h"

/* A composed text, read from its end. */
struct reverse {
	const struct composed *whole;
	struct piece run; /* what is being read; its end moves to its start */
	uint8_t held[3];  /* octets to give before going on with it, */
	uint8_t holds;    /* the last of them first */
	uint8_t left;     /* pieces not yet read */
	bool in_path;
	/* in the path */
	uint8_t parts;       /* with segments left to read, */
	uint32_t stop;       /* the last of which ends here in its part */
	uint32_t claimed;    /* ".." that have not yet met their segment */
	bool begun, written; /* a segment was read; one was written */
	bool has_ground, guarded;
	struct piece ground;   /* the first segment, which no ".." moves away */
	unsigned octet, after; /* the two octets given last, AT_END if none of the path */
	bool colon;            /* stands before any "/", "?" or "#", in what was given */
};

/* ---- Octets and triplets ----------------------------------------------------- */

static void hold(struct reverse *r, unsigned c)
{
	r->held[r->holds++] = (uint8_t)c;
}

static void hold_string(struct reverse *r, const char *s)
{
	while (*s != '\0')
		hold(r, (unsigned char)*s++);
}

static struct text text_of_piece(const struct piece *p)
{
	return text_of(p->data, p->end);
}

/* From one offset in a piece to another, without the delimiter. */
static struct piece slice(const struct piece *p, uint32_t start, uint32_t end)
{
	struct piece part = piece_of(text_of_piece(p), span(start, end));
	part.spelling = p->spelling;
	return part;
}

/* Takes the last unit off the run: an octet or a triplet. Triplets do not
 * overlap, so they are the same from either end. (What is composed has no "%"
 * that begins none.) */
static void hold_unit(struct reverse *r)
{
	static const char digits[] = "0123456789ABCDEF";
	struct piece *p = &r->run;
	const struct text t = text_of_piece(p);
	const uint32_t undone = p->spelling >= SPELL_NORMAL ? r->whole->undone : 0;
	const bool escaped = p->spelling != SPELL_AS_IS && t.end >= 3 && is_triplet(t, t.end - 3);
	const uint32_t at = escaped ? t.end - 3 : t.end - 1;
	const unsigned c = escaped ? triplet(t, at) : octet(t, at);
	if (escaped && (urivet_kinds[c] & undone) == 0) {
		hold(r, '%');
		hold(r, (unsigned char)digits[c >> 4]);
		hold(r, (unsigned char)digits[c & 15]);
	} else {
		hold(r, p->spelling == SPELL_LOWER ? lower(c) : c);
	}
	p->end = at;
}

static void hold_delimiter(struct reverse *r)
{
	hold(r, r->run.before);
	r->run.before = 0;
}

/* ---- Path segments (5.2.4) ------------------------------------------------------- */

/* 1 or 2 if the segment is "." or "..". */
static unsigned dot_segment(const struct piece *segment, bool escaped_too)
{
	const struct text t = text_of_piece(segment);
	uint32_t at = 0;
	unsigned n = 0;
	while (at < t.end) {
		const struct unit u = decode(t, at);
		if (u.value != '.' || n == 2 || (u.escaped && !escaped_too))
			return 0;
		n++;
		at = u.next;
	}
	return n;
}

static unsigned dots_of(const struct path *path, const struct piece *segment)
{
	return path->dots == DOTS_STAY ? 0 : dot_segment(segment, path->escaped_dots);
}

/* The last segment not yet read. */
static bool next_segment(struct reverse *r, struct piece *segment)
{
	const struct path *path = &r->whole->path;
	const struct piece *part;
	uint32_t start = r->stop;
	if (r->parts == 0)
		return false;
	part = &path->part[r->parts - 1];
	while (start > 0 && octet(text_of_piece(part), start - 1) != '/')
		start--;
	*segment = slice(part, start, r->stop);
	if (start > 0)
		r->stop = start - 1;
	else if (--r->parts > 0)
		r->stop = path->part[r->parts - 1].end;
	return true;
}

/* Begins with a slash. */
static bool rooted(const struct path *path)
{
	const struct piece *first = &path->part[0];
	if (first->end == 0)
		return path->parts == 2;
	return octet(text_of_piece(first), 0) == '/';
}

/* The first segment has a fate of its own: that before the root slash stays;
 * by 5.2.4 also "a" in "a/../b" leaves its slash, and the rest becomes rooted. */
static bool is_ground(const struct reverse *r)
{
	const struct path *path = &r->whole->path;
	return r->parts == 0 && (path->dots == DOTS_REMOVED || rooted(path));
}

/* Is there a segment for the ".." just read? */
static bool takes_away(struct reverse ahead)
{
	struct piece segment;
	while (ahead.claimed > 0 && next_segment(&ahead, &segment) && !is_ground(&ahead)) {
		const unsigned n = dots_of(&ahead.whole->path, &segment);
		if (n == 2)
			ahead.claimed++;
		else if (n == 0)
			ahead.claimed--;
	}
	return ahead.claimed == 0;
}

/* Does the segment stay? A final dot segment leaves an empty one. */
static bool stays(struct reverse *r, struct piece *segment)
{
	const struct path *path = &r->whole->path;
	const unsigned n = dots_of(path, segment);
	const bool last = !r->begun;
	r->begun = true;
	if (n == 0 && r->claimed == 0)
		return true;
	if (n == 0)
		r->claimed--;
	if (n == 2)
		r->claimed++;
	segment->end = 0;
	return last && (path->final_slash || takes_away(*r));
}

/* ---- Reading backwards ------------------------------------------------------------ */

/* The segment is what is read next, behind the slash that follows it. One that is of
 * dots by its escapes, and stays, keeps them. */
static bool begin_segment(struct reverse *r, struct piece segment)
{
	if (r->written)
		hold(r, '/');
	if (segment.spelling == SPELL_NORMAL && dot_segment(&segment, true) > 0)
		segment.spelling = SPELL_TRIPLETS;
	r->written = true;
	r->run = segment;
	return true;
}

/* RFC 3986, 3.3: "If a URI does not contain an authority component, then the
 * path cannot begin with two slash characters"; 4.2: "A path segment that
 * contains a colon character (e.g., "this:that") cannot be used as the first
 * segment of a relative-path reference". */
static void hold_guard(struct reverse *r)
{
	const unsigned guard = r->whole->path.guard;
	if ((guard & GUARD_DOUBLE_SLASH) != 0 && r->octet == '/' && r->after == '/')
		hold_string(r, "/.");
	if ((guard & GUARD_RELATIVE) != 0 && (r->octet == '/' || r->octet == AT_END || r->colon))
		hold_string(r, "./");
}

/* The path's next run from behind: segments, ".." that nothing stopped, the
 * ground, the guard. */
static bool path_run(struct reverse *r)
{
	const struct piece above = {(const uint8_t *)"..", 2, SPELL_AS_IS, 0};
	struct piece segment;
	while (next_segment(r, &segment)) {
		if (is_ground(r)) {
			r->ground = segment;
			r->has_ground = true;
		} else if (stays(r, &segment)) {
			return begin_segment(r, segment);
		}
	}
	if (r->whole->path.dots == DOTS_KEPT_ABOVE && r->claimed > 0) {
		r->claimed--;
		return begin_segment(r, above);
	}
	if (r->has_ground) {
		if (r->claimed > 0)
			r->ground.end = 0;
		r->has_ground = false;
		return begin_segment(r, r->ground);
	}
	if (r->guarded)
		return false;
	r->guarded = true;
	hold_guard(r);
	return true;
}

static void begin_path(struct reverse *r)
{
	const struct path *path = &r->whole->path;
	r->in_path = true;
	r->parts = path->parts;
	if (r->parts > 0)
		r->stop = path->part[r->parts - 1].end;
	r->octet = r->after = AT_END;
}

static bool next_run(struct reverse *r)
{
	const struct composed *c = r->whole;
	if (r->left == c->path_at) {
		if (!r->in_path)
			begin_path(r);
		if (path_run(r))
			return true;
	}
	if (r->left == 0)
		return false; /* the beginning */
	r->run = c->piece[--r->left];
	return true;
}

static void begin(struct reverse *r, const struct composed *c)
{
	static const struct reverse nothing;
	*r = nothing;
	r->whole = c;
	r->left = c->count;
}

/* The octet before those given so far, or AT_END. */
static unsigned previous(struct reverse *r)
{
	unsigned c;
	while (r->holds == 0) {
		if (r->run.end > 0)
			hold_unit(r);
		else if (r->run.before != 0)
			hold_delimiter(r);
		else if (!next_run(r))
			return AT_END;
	}
	c = r->held[--r->holds];
	r->after = r->octet;
	r->octet = c;
	if ((urivet_kinds[c] & (COLON | SLASH | QUESTION | HASH)) != 0)
		r->colon = c == ':';
	return c;
}

/* ---- Composing ----------------------------------------------------------------------- */

void urivet_compose(struct composed *c)
{
	static const struct path none;
	c->count = c->path_at = 0;
	c->path = none;
}

void urivet_add_piece(struct composed *c, struct piece p)
{
	c->piece[c->count++] = p;
}

void urivet_add_delimited(struct composed *c, char delimiter, struct piece p)
{
	p.before = (uint8_t)delimiter;
	urivet_add_piece(c, p);
}

void urivet_add_string(struct composed *c, const char *s)
{
	struct piece p = {(const uint8_t *)s, 0, SPELL_AS_IS, 0};
	while (s[p.end] != '\0')
		p.end++;
	urivet_add_piece(c, p);
}

/* 5.2.4, 2A: "If the input buffer begins with a prefix of "../" or "./", then
 * remove that prefix"; 2D: "if the input buffer consists only of "." or "..",
 * then remove that". */
static void strip_leading_dots(struct path *path)
{
	struct piece *first = &path->part[0];
	for (;;) {
		const uint32_t slash = find(text_of_piece(first), 0, SLASH);
		const struct piece segment = slice(first, 0, slash);
		if (dot_segment(&segment, path->escaped_dots) == 0)
			return;
		*first = slice(first, slash, first->end);
		if (first->end == 0)
			return;
		*first = slice(first, 1, first->end);
	}
}

void urivet_add_path(struct composed *c, const struct path *path)
{
	c->path = *path;
	c->path_at = c->count;
	if (path->dots == DOTS_REMOVED)
		strip_leading_dots(&c->path);
}

void urivet_put_composed(struct out *o, const struct composed *c)
{
	struct reverse r;
	size_t length = 0, at;
	unsigned octet_;
	begin(&r, c);
	while (previous(&r) != AT_END)
		length++;
	at = o->length + length;
	begin(&r, c);
	while (o->capacity > 0 && (octet_ = previous(&r)) != AT_END)
		put_at(o, --at, octet_);
	o->length += length;
}

bool urivet_same_composed(const struct composed *a, const struct composed *b)
{
	struct reverse ra, rb;
	unsigned c;
	begin(&ra, a);
	begin(&rb, b);
	while ((c = previous(&ra)) == previous(&rb))
		if (c == AT_END)
			return true;
	return false;
}

bool urivet_is_composed(const struct composed *c, struct text t)
{
	struct reverse r;
	uint32_t at = t.end;
	unsigned octet_;
	begin(&r, c);
	for (; (octet_ = previous(&r)) != AT_END; at--)
		if (at == 0 || octet(t, at - 1) != octet_)
			return false;
	return at == 0;
}
