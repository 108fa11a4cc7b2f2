/* SPDX-License-Identifier: Apache-2.0 */
/* Composed texts: reading them backwards, writing and comparing them. */
#include "uri/compose.h"

/* The state of reading a composed text backwards. */
struct reverse {
	const struct composed *whole;
	struct piece run;     /* the part being read; its end moves towards its start */
	const uint8_t *chunk; /* octets that were read and not yet returned */
	uint32_t size;        /* the number of these octets */
	uint8_t spelled[3];   /* storage for a chunk that differs from its source */
	uint8_t pieces_left;  /* still to be read after the run */
	bool in_path;
	/* the following members are used in the path */
	uint8_t parts_left;   /* parts with unread segments */
	uint32_t segment_end; /* the end of the last unread segment in its part */
	uint32_t to_remove;   /* segments that the ".." read so far still have to remove */
	bool segment_read;    /* at least one */
	bool segment_written; /* at least one */
	bool first_pending;   /* the first segment was read and must still be written */
	bool guard_done;
	struct piece first; /* the first segment, if it is written in all cases */
	/* The first two octets of the part of the path returned so far, AT_END for none. */
	unsigned first_octet, second_octet;
	bool colon_first; /* the returned part has a ":" before any "/", "?" or "#" */
};

/* ---- Octets and triplets ----------------------------------------------------- */

static void set_chunk(struct reverse *r, const void *octets, uint32_t size)
{
	r->chunk = octets;
	r->size = size;
}

static struct text text_of_piece(const struct piece *p)
{
	return text_of(p->data, p->end);
}

/* Returns the part of a piece between two offsets, without a delimiter. */
static struct piece slice(const struct piece *p, uint32_t start, uint32_t end)
{
	struct piece part = piece_of(text_of_piece(p), span(start, end));
	part.spelling = p->spelling;
	return part;
}

/* Returns the start of the octets at the end of a run that are copied unchanged: no triplets, no
 * octets of the kinds `changed`. Triplets do not overlap, so reading in either direction finds the
 * same ones. */
static uint32_t unchanged_from(struct text t, uint32_t changed)
{
	uint32_t at = t.end;
	while (at > 0 && !is(t, at - 1, changed))
		at--;
	for (uint32_t k = 1; k <= 3 && k <= at; k++)
		if (octet(t, at - k) == '%' && is_triplet(t, at - k))
			return at - k + 3;
	return at;
}

/* Returns the kinds of raw octets in the run that must be percent-encoded. */
static uint32_t raw_kinds(const struct reverse *r)
{
	const bool escapes = r->run.spelling == SPELL_NORMAL && (r->whole->undone & ESCAPES_RAW);
	return escapes ? SPACE | MARKUP | OTHERASCII | BRACE | LBRACKET | RBRACKET | HASH | PERCENT
		       : 0;
}

/* Moves the last octet or triplet of the run to the chunk. */
static void take_unit(struct reverse *r)
{
	static const char digits[] = "0123456789ABCDEF";
	struct piece *p = &r->run;
	const struct text t = text_of_piece(p);
	const uint32_t undone = p->spelling >= SPELL_NORMAL ? r->whole->undone : 0;
	const uint32_t raw = raw_kinds(r);
	const bool escaped = t.end >= 3 && is_triplet(t, t.end - 3);
	const uint32_t at = escaped ? t.end - 3 : t.end - 1;
	const unsigned c = escaped ? triplet(t, at) : octet(t, at);
	uint32_t size = 1;
	if (escaped ? (urivet_kinds[c] & undone) == 0 : (urivet_kinds[c] & raw) != 0) {
		r->spelled[0] = '%';
		r->spelled[1] = (uint8_t)digits[c >> 4];
		r->spelled[2] = (uint8_t)digits[c & 15];
		size = 3;
	} else {
		r->spelled[0] = (uint8_t)(p->spelling == SPELL_LOWER ? lower(c) : c);
	}
	set_chunk(r, r->spelled, size);
	p->end = at;
}

/* Moves the end of the run to the chunk: all octets that are copied unchanged, or else one unit. */
static void take_chunk(struct reverse *r)
{
	struct piece *p = &r->run;
	const uint32_t changed = PERCENT | (p->spelling == SPELL_LOWER ? UPPER : 0) |
				 raw_kinds(r);
	const uint32_t at =
	    p->spelling == SPELL_AS_IS ? 0 : unchanged_from(text_of_piece(p), changed);
	if (at == p->end) {
		take_unit(r);
	} else {
		set_chunk(r, p->data + at, p->end - at);
		p->end = at;
	}
}

static void take_delimiter(struct reverse *r)
{
	r->spelled[0] = r->run.before;
	set_chunk(r, r->spelled, 1);
	r->run.before = 0;
}

/* ---- Path segments (RFC 3986, 5.2.4) --------------------------------------------- */

/* Returns 1 if the segment is ".", 2 if it is "..", else 0. */
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

/* Reads the last unread segment. Returns false if there is none. A part without dot segments is
 * read as one segment. */
static bool next_segment(struct reverse *r, struct piece *segment)
{
	const struct path *path = &r->whole->path;
	const struct piece *part;
	uint32_t start = r->segment_end;
	if (r->parts_left == 0)
		return false;
	part = &path->part[r->parts_left - 1];
	if (path->no_dots)
		start = 0;
	while (start > 0 && octet(text_of_piece(part), start - 1) != '/')
		start--;
	*segment = slice(part, start, r->segment_end);
	if (start > 0)
		r->segment_end = start - 1;
	else if (--r->parts_left > 0)
		r->segment_end = path->part[r->parts_left - 1].end;
	return true;
}

/* Returns true if the path begins with a slash. */
static bool is_rooted(const struct path *path)
{
	const struct piece *first = &path->part[0];
	if (first->end == 0)
		return path->parts == 2;
	return octet(text_of_piece(first), 0) == '/';
}

/* Returns true if the segment just read is the first one and is written, possibly empty, even if a
 * ".." removes it. This applies to the empty segment before the slash of a rooted path, and by
 * 5.2.4 also to the "a" of "a/../b", whose slash stays: the result is "/b". */
static bool is_always_written(const struct reverse *r)
{
	const struct path *path = &r->whole->path;
	return r->parts_left == 0 && (path->dots == DOTS_REMOVED || is_rooted(path));
}

/* Returns true if the ".." just read has a segment to remove. */
static bool has_segment_to_remove(struct reverse ahead)
{
	struct piece segment;
	while (ahead.to_remove > 0 && next_segment(&ahead, &segment) &&
	       !is_always_written(&ahead)) {
		const unsigned n = dots_of(&ahead.whole->path, &segment);
		if (n == 2)
			ahead.to_remove++;
		else if (n == 0)
			ahead.to_remove--;
	}
	return ahead.to_remove == 0;
}

/* Returns true if the segment just read is written. A final dot segment leaves an empty one. */
static bool is_kept(struct reverse *r, struct piece *segment)
{
	const struct path *path = &r->whole->path;
	const unsigned n = dots_of(path, segment);
	const bool last = !r->segment_read;
	r->segment_read = true;
	if (n == 0 && r->to_remove == 0)
		return true;
	if (n == 0)
		r->to_remove--;
	if (n == 2)
		r->to_remove++;
	segment->end = 0;
	return last && (path->final_slash || has_segment_to_remove(*r));
}

/* ---- Reading backwards ------------------------------------------------------------ */

/* Makes the segment the run, and the slash after it the chunk. A kept segment that would become "."
 * or ".." by decoding its escapes keeps them. */
static bool begin_segment(struct reverse *r, struct piece segment)
{
	if (r->segment_written)
		set_chunk(r, "/", 1);
	if (segment.spelling == SPELL_NORMAL && dot_segment(&segment, true) > 0)
		segment.spelling = SPELL_TRIPLETS;
	r->segment_written = true;
	r->run = segment;
	return true;
}

/* RFC 3986, 3.3: "If a URI does not contain an authority component, then the
 * path cannot begin with two slash characters"; 4.2: "A path segment that
 * contains a colon character (e.g., "this:that") cannot be used as the first
 * segment of a relative-path reference". */
static void read_guard(struct reverse *r)
{
	const unsigned guard = r->whole->path.guard;
	if ((guard & GUARD_DOUBLE_SLASH) != 0 && r->first_octet == '/' && r->second_octet == '/')
		set_chunk(r, "/.", 2);
	if ((guard & GUARD_RELATIVE) != 0 &&
	    (r->first_octet == '/' || r->first_octet == AT_END || r->colon_first))
		set_chunk(r, "./", 2);
}

/* Reads the next run of the path, from its end to its beginning: segments, then each ".." that
 * found no segment to remove, the first segment, the guard. */
static bool next_path_run(struct reverse *r)
{
	const struct piece above = {(const uint8_t *)"..", 2, SPELL_AS_IS, 0};
	struct piece segment;
	while (next_segment(r, &segment)) {
		if (is_always_written(r)) {
			r->first = segment;
			r->first_pending = true;
		} else if (is_kept(r, &segment)) {
			return begin_segment(r, segment);
		}
	}
	if (r->whole->path.dots == DOTS_KEPT_ABOVE && r->to_remove > 0) {
		r->to_remove--;
		return begin_segment(r, above);
	}
	if (r->first_pending) {
		if (r->to_remove > 0)
			r->first.end = 0;
		r->first_pending = false;
		return begin_segment(r, r->first);
	}
	if (r->guard_done)
		return false;
	r->guard_done = true;
	read_guard(r);
	return true;
}

static void begin_path(struct reverse *r)
{
	const struct path *path = &r->whole->path;
	r->in_path = true;
	r->parts_left = path->parts;
	if (r->parts_left > 0)
		r->segment_end = path->part[r->parts_left - 1].end;
	r->first_octet = r->second_octet = AT_END;
}

static bool next_run(struct reverse *r)
{
	const struct composed *c = r->whole;
	if (r->pieces_left == c->path_at) {
		if (!r->in_path)
			begin_path(r);
		if (next_path_run(r))
			return true;
	}
	if (r->pieces_left == 0)
		return false; /* the beginning */
	r->run = c->piece[--r->pieces_left];
	return true;
}

static void begin_reading(struct reverse *r, const struct composed *c)
{
	static const struct reverse nothing;
	*r = nothing;
	r->whole = c;
	r->pieces_left = c->count;
}

/* Records the beginning of the text that was read so far, for the guard. */
static void note_beginning(struct reverse *r)
{
	const struct text t = text_of(r->chunk, r->size);
	const uint32_t at = find(t, 0, COLON | SLASH | QUESTION | HASH);
	r->second_octet = t.end > 1 ? octet(t, 1) : r->first_octet;
	r->first_octet = octet(t, 0);
	if (at < t.end)
		r->colon_first = octet(t, at) == ':';
}

/* Reads the octets before those that were read so far, as many as are contiguous in memory, into
 * r->chunk. Returns false at the beginning. */
static bool previous_chunk(struct reverse *r)
{
	r->size = 0;
	while (r->size == 0) {
		if (r->run.end > 0)
			take_chunk(r);
		else if (r->run.before != 0)
			take_delimiter(r);
		else if (!next_run(r))
			return false;
	}
	if (r->whole->path.guard != 0)
		note_beginning(r);
	return true;
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

/* Returns true if a segment of the part begins with a dot, escaped or not. */
static bool has_leading_dot(const struct piece *part)
{
	const struct text t = text_of_piece(part);
	uint32_t at = 0;
	while (decode(t, at).value != '.') {
		at = find(t, at, SLASH);
		if (at == t.end)
			return false;
		at++;
	}
	return true;
}

void urivet_add_path(struct composed *c, const struct path *path)
{
	c->path = *path;
	c->path_at = c->count;
	if (path->dots == DOTS_REMOVED)
		strip_leading_dots(&c->path);
	c->path.no_dots = true;
	for (unsigned k = 0; k < path->parts; k++)
		c->path.no_dots = c->path.no_dots && !has_leading_dot(&c->path.part[k]);
}

void urivet_put_composed(struct out *o, const struct composed *c)
{
	struct reverse r;
	struct out part = *o;
	size_t at;
	begin_reading(&r, c);
	while (previous_chunk(&r))
		o->length += r.size;
	at = o->length;
	begin_reading(&r, c);
	while (o->capacity > 0 && previous_chunk(&r)) {
		at -= r.size;
		part.length = at;
		put_copy(&part, r.chunk, r.size);
	}
}

/* Removes the last `size` octets of the chunk. Returns a pointer to them. */
static const uint8_t *take_octets(struct reverse *r, uint32_t size)
{
	r->size -= size;
	return r->chunk + r->size;
}

bool urivet_same_composed(const struct composed *a, const struct composed *b)
{
	struct reverse ra, rb;
	begin_reading(&ra, a);
	begin_reading(&rb, b);
	for (;;) {
		const bool more_a = ra.size > 0 || previous_chunk(&ra);
		const bool more_b = rb.size > 0 || previous_chunk(&rb);
		const uint32_t size = ra.size < rb.size ? ra.size : rb.size;
		if (!more_a || !more_b)
			return more_a == more_b;
		if (memcmp(take_octets(&ra, size), take_octets(&rb, size), size) != 0)
			return false;
	}
}

bool urivet_is_composed(const struct composed *c, struct text t)
{
	struct reverse r;
	begin_reading(&r, c);
	while (previous_chunk(&r)) {
		if (r.size > t.end || memcmp(t.data + (t.end - r.size), r.chunk, r.size) != 0)
			return false;
		t = until(t, t.end - r.size);
	}
	return t.end == 0;
}
