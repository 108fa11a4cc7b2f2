/* SPDX-License-Identifier: Apache-2.0 */
/* Texts composed of pieces: reading them backwards, writing, comparing. */
#include "compose.h"

/* A composed text, read from its end. */
struct reverse {
	const struct composed *whole;
	struct piece run; /* what is being read; its end moves to its start */
	uint8_t held[3];  /* octets to give before going on with it, */
	uint8_t holds;    /* the last of them first */
	uint8_t left;     /* pieces not yet read */
	bool in_path, path_done;
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

/* Takes the last unit off the run: an octet or a triplet. Triplets do not
 * overlap, so they are the same from either end. (What is composed has no "%"
 * that begins none.) */
static void hold_unit(struct reverse *r)
{
	static const char digits[] = "0123456789ABCDEF";
	struct piece *p = &r->run;
	const uint32_t end = p->text.end;
	const bool escaped =
	    p->spelling != SPELL_AS_IS && end - p->start >= 3 && is_triplet(p->text, end - 3);
	const uint32_t at = escaped ? end - 3 : end - 1;
	const unsigned c = escaped ? triplet(p->text, at) : octet(p->text, at);
	if (escaped && (urivet_kinds[c] & p->undone) == 0) {
		hold(r, '%');
		hold(r, (unsigned char)digits[c >> 4]);
		hold(r, (unsigned char)digits[c & 15]);
	} else {
		hold(r, p->spelling == SPELL_LOWER ? lower(c) : c);
	}
	p->text = until(p->text, at);
}

/* ---- Path segments (5.2.4) ------------------------------------------------------- */

/* 1 or 2 if the segment is "." or "..". */
static unsigned dots(const struct piece *segment, bool escaped_too)
{
	uint32_t at = segment->start;
	unsigned n = 0;
	while (at < segment->text.end) {
		const struct unit u = decode(segment->text, at);
		if (u.value != '.' || n == 2 || (u.escaped && !escaped_too))
			return 0;
		n++;
		at = u.next;
	}
	return n;
}

static unsigned dots_of(const struct path *path, const struct piece *segment)
{
	return path->dots == DOTS_STAY ? 0 : dots(segment, path->escaped_dots);
}

/* The last segment not yet read. */
static bool next_segment(struct reverse *r, struct piece *segment)
{
	const struct path *path = &r->whole->path;
	const struct piece *part;
	if (r->parts == 0)
		return false;
	part = &path->part[r->parts - 1];
	*segment = *part;
	segment->text = until(part->text, r->stop);
	segment->start = r->stop;
	while (segment->start > part->start && octet(part->text, segment->start - 1) != '/')
		segment->start--;
	if (segment->start > part->start)
		r->stop = segment->start - 1;
	else if (--r->parts > 0)
		r->stop = path->part[r->parts - 1].text.end;
	return true;
}

/* Begins with a slash. */
static bool rooted(const struct path *path)
{
	const struct piece *first = &path->part[0];
	if (first->start == first->text.end)
		return path->parts == 2;
	return octet(first->text, first->start) == '/';
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
	segment->start = segment->text.end;
	return last && (n == 1 || path->final_slash || takes_away(*r));
}

/* ---- Reading backwards ------------------------------------------------------------ */

/* The segment is what is read next, behind the slash that follows it. */
static bool begin_segment(struct reverse *r, struct piece segment)
{
	const bool escaped_dots = r->whole->path.escaped_dots;
	if (r->written)
		hold(r, '/');
	if (!escaped_dots && (segment.undone & DOT) != 0 && dots(&segment, true) > 0)
		segment.undone &= ALL_KINDS & ~(uint32_t)DOT;
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
	const struct piece above = {{(const uint8_t *)"..", 2}, 0, 0, SPELL_AS_IS};
	struct piece segment;
	while (!r->has_ground && next_segment(r, &segment)) {
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
		segment = r->ground;
		if (r->claimed > 0)
			segment.start = segment.text.end;
		r->has_ground = false;
		return begin_segment(r, segment);
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
		r->stop = path->part[r->parts - 1].text.end;
	r->octet = r->after = AT_END;
}

static bool next_run(struct reverse *r)
{
	const struct composed *c = r->whole;
	if (r->left == c->path_at && !r->path_done) {
		if (!r->in_path)
			begin_path(r);
		if (path_run(r))
			return true;
		r->path_done = true;
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
		if (r->run.start < r->run.text.end)
			hold_unit(r);
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

void urivet_add_string(struct composed *c, const char *s)
{
	struct piece p = {{(const uint8_t *)s, 0}, 0, 0, SPELL_AS_IS};
	while (s[p.text.end] != '\0')
		p.text.end++;
	urivet_add_piece(c, p);
}

/* 5.2.4, 2A: "If the input buffer begins with a prefix of "../" or "./", then
 * remove that prefix"; 2D: "if the input buffer consists only of "." or "..",
 * then remove that". */
static void strip_leading_dots(struct path *path)
{
	struct piece *first = &path->part[0];
	for (;;) {
		struct piece segment = *first;
		segment.text = until(first->text, find(first->text, first->start, SLASH));
		if (dots(&segment, path->escaped_dots) == 0)
			return;
		first->start = segment.text.end;
		if (first->start == first->text.end)
			return;
		first->start++;
	}
}

void urivet_add_path(struct composed *c, const struct path *path)
{
	c->path = *path;
	c->path_at = c->count;
	if (path->dots == DOTS_REMOVED && path->parts == 1)
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
