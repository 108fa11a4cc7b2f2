/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the path and its segments. */
#include "rules/rules.h"

#include "policy/path_rules.h"
#include "text/words.h"

/* A part of the path between slashes or backslashes, raw or percent-encoded. */
struct path_piece {
	uint32_t start, end; /* of the part */
	uint32_t next;       /* after the separator that ends it, or past the end of the path */
	bool plain_before;   /* preceded by a raw "/" or the beginning of the path */
	bool plain_after;
	unsigned dots;       /* number of leading dots, raw or escaped; 3 means more than two */
	uint32_t after_dots; /* the offset after them */
	bool escaped_dot;    /* at least one of them is a triplet */
};

/*@ assigns \nothing; */
static bool is_escaped_separator(struct unit u)
{
	return u.escaped && (u.value == '/' || u.value == '\\');
}

/* Parses the part of the path at `at`. `drops`: a "%" that begins no triplet is legal. It is
 * skipped among leading dots, since some readers drop it. `parted`: there may be escaped
 * separators. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result.start == at <= \result.after_dots <= \result.end <= t.end;
    ensures \result.end < \result.next <= t.end + 1; */
static struct path_piece next_piece(struct text t, uint32_t at, bool plain_before, bool drops,
				    bool parted)
{
	struct path_piece p = {.start = at, .plain_before = plain_before, .after_dots = at};
	struct unit u = decode(t, at);
	/*@ loop invariant at <= p.after_dots <= t.end && decoded(t, p.after_dots, u);
	    loop invariant p.dots <= 3 && u.value <= AT_END;
	    loop assigns p.dots, p.escaped_dot, p.after_dots, u;
	    loop variant t.end - p.after_dots; */
	while (p.dots < 3 && (u.value == '.' || (drops && u.value == '%' && !u.escaped))) {
		p.dots += u.value == '.' ? 1 : 0;
		p.escaped_dot = p.escaped_dot || u.escaped;
		p.after_dots = u.next;
		u = decode(t, p.after_dots);
	}
	at = p.after_dots;
	if (!parted && u.value != '/') {
		at = find_octet(t, at, '/');
		u = decode(t, at);
	}
	/*@ loop invariant p.after_dots <= at <= t.end && decoded(t, at, u);
	    loop assigns at, u;
	    loop variant t.end - at; */
	while (at < t.end && octet(t, at) != '/' && !is_escaped_separator(u)) {
		at = find(t, u.next, SLASH | PERCENT);
		u = decode(t, at);
	}
	p.end = at;
	p.next = at < t.end ? u.next : at + 1;
	p.plain_after = at == t.end || !u.escaped;
	return p;
}

/*@ requires \valid_read(p);
    assigns \nothing; */
static bool is_dots(const struct path_piece *p)
{
	return (p->dots == 1 || p->dots == 2) && p->after_dots == p->end;
}

/* Reports a dot segment: between raw slashes (G4), or next to an escaped separator (D4). */
/*@ requires \valid_read(p); ADDS_FINDINGS(s); */
static void dot_piece(struct subject *s, const struct path_piece *p)
{
	enum urivet_id id = URIVET_F_DOT_SEGMENT;
	if (!p->plain_before || !p->plain_after)
		id = URIVET_F_ESCAPED_SLASH_DOT;
	else if (p->escaped_dot)
		id = URIVET_F_ESCAPED_DOT_SEGMENT;
	urivet_add(s, id, URIVET_PATH, p->start, p->end);
	if (p->dots == 2 && !p->plain_after) /* a single dot is already reported as a dot segment */
		urivet_add(s, URIVET_F_ENCODED_PATH_REWRITE, URIVET_PATH, p->start, p->end);
}

/* D4: reports "." or ".." with parameters. */
/*@ requires readable(t) && \valid_read(p); ADDS_FINDINGS(s); */
static void dot_param_piece(struct subject *s, const struct text t, const struct path_piece *p)
{
	if ((p->dots != 1 && p->dots != 2) || decode(t, p->after_dots).value != ';')
		return;
	urivet_add(s, URIVET_F_PATH_PARAM_DOT_SEGMENT, URIVET_PATH, p->start, p->end);
	if (!p->plain_before || !p->plain_after)
		urivet_add(s, URIVET_F_ESCAPED_SLASH_DOT, URIVET_PATH, p->start, p->end);
}

/* Returns true if the part ends in a dot. An escaped dot counts if a waiver allows it. */
/*@ requires readable(t) && \valid_read(p) && p->start < p->end <= t.end && judging(s);
    assigns \nothing; */
static bool ends_in_dot(const struct subject *s, struct text t, const struct path_piece *p)
{
	return octet(t, p->end - 1) == '.' ||
	       (p->end >= p->start + 3 && is_waived(s, URIVET_F_ESCAPED_UNRESERVED) &&
		is_triplet(t, p->end - 3) && triplet(t, p->end - 3) == '.');
}

/* Reports ends of a part that file systems drop or rewriting rules misread. */
/*@ requires readable(t) && \valid_read(p) && p->start <= p->end <= t.end;
    requires \separated(p, s, s->report);
    ADDS_FINDINGS(s); */
static void piece_end(struct subject *s, const struct text t, const struct path_piece *p)
{
	const uint32_t length = p->end - p->start;
	bool dot;
	if (is_dots(p) || length < 2)
		return;
	dot = ends_in_dot(s, t, p);
	if (dot || (length >= 3 && has_word(until(t, p->end), p->end - 3, "%20")))
		urivet_add(s, URIVET_F_PATH_TRAILING_DOT_SPACE, URIVET_PATH, p->start, p->end);
	if (dot && p->end < t.end)
		urivet_add(s, URIVET_F_ENCODED_PATH_REWRITE, URIVET_PATH, p->start, p->end);
}

/* Returns the offset after the word, raw or as triplets and in any letter case, or NO_WORD. The
 * word is given in lower case. */
/*@ requires readable(t) && at <= t.end && \valid_read(word + (0 .. size - 1)) && size <= 8;
    assigns \nothing;
    ensures \result != NO_WORD ==> at <= \result <= t.end; */
static uint32_t after_decoded(struct text t, uint32_t at, const char *word, unsigned size)
{
	unsigned k = 0;
	/*@ loop invariant k <= size && \at(at, Pre) <= at <= t.end;
	    loop assigns k, at;
	    loop variant size - k; */
	while (k < size) {
		const struct unit u = decode(t, at);
		if (u.value == AT_END || lower(u.value) != (unsigned char)word[k])
			return NO_WORD;
		at = u.next;
		k++;
	}
	return at;
}

/* Returns the offset after a digit of the names of ports, or NO_WORD. Windows takes superscript 1,
 * 2 and 3 for digits as well. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result != NO_WORD ==> at < \result <= t.end; */
static uint32_t after_port_digit(struct text t, uint32_t at)
{
	const struct unit u = decode(t, at), second = decode(t, u.next);
	if (u.value < AT_END && (urivet_kinds[u.value] & DIGIT))
		return u.next;
	if (u.value == 0xc2 &&
	    (second.value == 0xb9 || second.value == 0xb2 || second.value == 0xb3))
		return second.next;
	return NO_WORD;
}

/* Returns the offset after the name of a Windows device that the part begins with, or NO_WORD. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures \result != NO_WORD ==> at <= \result <= t.end; */
static uint32_t after_device(struct text t, uint32_t at)
{
	static const struct {
		char word[8];
		uint8_t size;
	} names[] = {{"conin$", 6}, {"conout$", 7}, {"clock$", 6}, {"con", 3}, {"prn", 3},
		     {"aux", 3},    {"nul", 3},     {"com", 3},    {"lpt", 3}};
	enum { NAMES = 9, PORTS = 7 };
	/*@ loop invariant k <= NAMES;
	    loop assigns k;
	    loop variant NAMES - k; */
	for (unsigned k = 0; k < NAMES; k++) {
		const uint32_t end = after_decoded(t, at, names[k].word, names[k].size);
		if (end != NO_WORD)
			return k < PORTS ? end : after_port_digit(t, end);
	}
	return NO_WORD;
}

/* Reports a part that Windows takes for a device, whatever extension or stream follows. */
/*@ requires readable(t) && \valid_read(p) && p->start <= p->end <= t.end;
    requires \separated(p, s, s->report);
    ADDS_FINDINGS(s); */
static void device_name(struct subject *s, const struct text t, const struct path_piece *p)
{
	const struct text part = until(t, p->end);
	uint32_t at = after_device(part, p->start);
	struct unit u;
	if (at == NO_WORD)
		return;
	u = decode(part, at);
	/*@ loop invariant at <= part.end && decoded(part, at, u);
	    loop assigns at, u;
	    loop variant part.end - at; */
	while (u.value == ' ') {
		at = u.next;
		u = decode(part, at);
	}
	if (u.value == AT_END || u.value == '.' || u.value == ':')
		urivet_add(s, URIVET_F_PATH_TRAILING_DOT_SPACE, URIVET_PATH, p->start, p->end);
}

/* G-K2: reports two dots before a name, which some servers drop. */
/*@ requires readable(t) && \valid_read(p) && \separated(p, s, s->report); ADDS_FINDINGS(s); */
static void dots_before_name(struct subject *s, const struct text t, const struct path_piece *p)
{
	const struct unit next = decode(t, p->after_dots);
	if (p->dots == 2 && next.value < AT_END &&
	    (urivet_kinds[next.value] & (ALNUM | UNDERSCORE)))
		urivet_add(s, URIVET_F_PATH_DOTS_BEFORE_NAME, URIVET_PATH, p->start, p->end);
}

/* Returns the offset after a letter and a token in parentheses, as in "S(x1-y_z)", or `at`. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing;
    ensures at <= \result <= t.end; */
static uint32_t after_token(struct text t, uint32_t at)
{
	const struct unit letter = decode(t, at), open = decode(t, letter.next);
	struct unit u = decode(t, open.next);
	const uint32_t first = open.next;
	uint32_t end = first;
	if (letter.value < 'A' || letter.value > 'Z' || open.value != '(')
		return at;
	/*@ loop invariant first <= end <= t.end && decoded(t, end, u);
	    loop assigns end, u;
	    loop variant t.end - end; */
	while (u.value < AT_END && urivet_kinds[u.value] & (ALNUM | HYPHEN | UNDERSCORE)) {
		end = u.next;
		u = decode(t, end);
	}
	return end > first && u.value == ')' ? u.next : at;
}

/* G-K1: reports tokens in parentheses at the beginning of a segment, which ASP.NET removes before
 * it routes: (S(x)) holds the session. */
/*@ requires readable(t) && \valid_read(p) && p->start <= p->end <= t.end;
    requires \separated(p, s, s->report);
    ADDS_FINDINGS(s); */
static void removed_segment(struct subject *s, const struct text t, const struct path_piece *p)
{
	const struct text part = until(t, p->end);
	const struct unit open = decode(part, p->start);
	uint32_t at = open.next, next;
	struct unit close;
	if (open.value != '(')
		return;
	next = after_token(part, at);
	/*@ loop invariant at <= next <= part.end;
	    loop assigns at, next;
	    loop variant part.end - at; */
	while (next > at) {
		at = next;
		next = after_token(part, at);
	}
	close = decode(part, at);
	if (at > open.next && close.value == ')')
		urivet_add(s, URIVET_F_PATH_REMOVED_SEGMENT, URIVET_PATH, p->start, close.next);
}

/* Applies the rules about parts that servers, or Windows, take for others. */
/*@ requires readable(t) && \valid_read(p) && p->start <= p->end <= t.end;
    requires \separated(p, s, s->report);
    ADDS_FINDINGS(s); */
static void server_piece(struct subject *s, const struct text t, const struct path_piece *p)
{
	if (is_for_servers(s->policy, URIVET_F_PATH_DOTS_BEFORE_NAME))
		dots_before_name(s, t, p);
	if (is_for_servers(s->policy, URIVET_F_PATH_REMOVED_SEGMENT))
		removed_segment(s, t, p);
	if (is_on(s->policy, URIVET_F_PATH_TRAILING_DOT_SPACE))
		device_name(s, t, p);
}

/* Returns the depth of the path below the root after this part. By RFC 3986, 5.2.4, a ".." at the
 * root has no effect. A segment ends at a raw slash and may have several parts. */
/*@ requires \valid_read(p) && depth < UINT32_MAX;
    ADDS_FINDINGS(s);
    ensures \result <= depth + 1; */
static uint32_t depth_after(struct subject *s, const struct path_piece *p, uint32_t depth)
{
	if (!is_dots(p) || !p->plain_before || !p->plain_after)
		return depth + (p->plain_after ? 1 : 0);
	if (p->dots == 1)
		return depth;
	if (depth == 0)
		urivet_add(s, URIVET_F_DOT_SEGMENT_ABOVE_ROOT, URIVET_PATH, p->start, p->end);
	return depth > 0 ? depth - 1 : 0;
}

/*@ requires readable(t) && at <= URIVET_MAX_LENGTH; ADDS_FINDINGS(s); */
static void pieces(struct subject *s, struct text t, uint32_t at)
{
	const bool drops = is_waived(s, URIVET_F_BAD_ESCAPE);
	const bool parted = (s->seen.escaped_path & (SLASH | BACKSLASH)) != 0;
	uint32_t depth = 0, segments = 0;
	bool plain = true;
	if (octet(t, at) == '/')
		at++;
	/*@ loop invariant judging(s) && depth <= at && segments <= at;
	    loop assigns at, depth, segments, plain, FOUND(s);
	    loop variant t.end - at; */
	while (at <= t.end && !is_settled(s)) {
		const struct path_piece p = next_piece(t, at, plain, drops, parted);
		if (is_dots(&p))
			dot_piece(s, &p);
		dot_param_piece(s, t, &p);
		piece_end(s, t, &p);
		server_piece(s, t, &p);
		depth = depth_after(s, &p, depth);
		segments += p.plain_after ? 1 : 0;
		plain = p.plain_after;
		at = p.next;
	}
	if (segments > MANY_SEGMENTS)
		urivet_add(s, URIVET_F_TOO_MANY_SEGMENTS, URIVET_PATH,
			   s->report->uri.part[URIVET_PATH].offset, t.end);
}

/* Reports "//". At the beginning of the path it is a finding of its own. */
/*@ requires readable(t); ADDS_FINDINGS(s); */
static void double_slashes(struct subject *s, struct text t, uint32_t start)
{
	uint32_t at = start;
	/*@ loop invariant judging(s) && start <= at;
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end && (at == start || !is_verdict_only(s))) {
		const uint32_t end = skip(t, at, SLASH);
		if (end - at > 1 && at > start)
			urivet_add(s, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, at, end);
		else if (end - at > 1 && s->web)
			urivet_add(s, URIVET_F_PATH_LEADING_DOUBLE_SLASH, URIVET_PATH, at, end);
		at = find(t, end, SLASH);
	}
}

/* Returns true if the unit is an ASCII letter. */
/*@ assigns \nothing; */
static bool is_letter(struct unit u)
{
	return u.value < AT_END && (urivet_kinds[u.value] & ALPHA) != 0;
}

/* Reports the types of streams of Windows, raw or as triplets: "::$DATA", ":x:$DATA", ":$I30". */
/*@ requires readable(t); ADDS_FINDINGS(s); */
static void stream_types(struct subject *s, struct text t, uint32_t at)
{
	const unsigned mark = first_of_colon(s, URIVET_PATH);
	/*@ loop invariant judging(s);
	    loop assigns at, FOUND(s);
	    loop variant t.end - at; */
	for (at = find_either(t, at, ':', mark); at < t.end; at = find_either(t, at, ':', mark)) {
		const struct unit colon = decode(t, at), next = decode(t, colon.next);
		const struct unit dollar = next.value == ':' ? decode(t, next.next) : next;
		if (colon.value == ':' && dollar.value == '$' &&
		    (next.value == ':' || is_letter(decode(t, dollar.next)))) {
			urivet_add(s, URIVET_F_PATH_TRAILING_DOT_SPACE, URIVET_PATH, at,
				   dollar.next);
			at = dollar.next;
		} else {
			at = colon.next;
		}
	}
}

/* G14: reports a path that ends with a ";", raw or as a triplet. */
/*@ requires readable(t); ADDS_FINDINGS(s); */
static void final_semicolon(struct subject *s, struct text t, uint32_t start)
{
	const uint32_t length = span(start, t.end).length;
	uint32_t at = t.end - (length > 0 ? 1 : 0);
	if (length >= 3 && is_triplet(t, t.end - 3))
		at = t.end - 3;
	if (decode(t, at).value == ';')
		urivet_add(s, URIVET_F_PATH_FINAL_SEMICOLON, URIVET_PATH, at, t.end);
}

/*@ ADDS_FINDINGS(s); */
static void empty_path(struct subject *s)
{
	const struct urivet_uri *uri = &s->report->uri;
	if (s->web && urivet_has(uri, URIVET_AUTHORITY))
		urivet_add(s, URIVET_F_PATH_EMPTY, URIVET_PATH, uri->part[URIVET_PATH].offset,
			   uri->part[URIVET_PATH].offset);
}

/* Returns true if there are at least MANY_SEGMENTS slashes. Counts without branches, since those
 * could not be foreseen. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool has_many_slashes(struct text t, uint32_t at)
{
	uint32_t slashes = 0;
	uint64_t word = 0;
	/*@ loop invariant at <= URIVET_MAX_LENGTH + 7 && slashes <= 2 * at;
	    loop assigns at, slashes, word;
	    loop variant t.end - at; */
	for (; load_8(t, at, &word); at += 8) /* % 255: the sum of the octets */
		slashes += (uint32_t)(zeros(word ^ EACH_OCTET('/')) / 128 % 255 % 16);
	/*@ loop invariant slashes <= 2 * at;
	    loop assigns at, slashes;
	    loop variant t.end - at; */
	for (; at < t.end; at++)
		slashes += octet(t, at) == '/';
	return slashes >= MANY_SEGMENTS;
}

/* Returns true if a part may begin with a dot. Only such parts can be refused; others get notes at
 * most. */
/*@ requires judging(s) && readable(t);
    assigns \nothing; */
static bool may_begin_with_dot(const struct subject *s, struct urivet_span path, struct text t)
{
	const uint32_t seen = s->seen.in[URIVET_PATH];
	const uint32_t escaped = s->seen.escaped_path;
	return (s->seen.beside_slash & DOT) || is(t, path.offset, DOT) || (escaped & DOT) ||
	       ((seen & DOT) && (escaped & (SLASH | BACKSLASH)));
}

/* Returns true if the parts must be checked. Skips short paths without dots and escaped spaces at
 * the ends of parts, and parentheses where these matter. A "%" that begins no triplet may stand
 * before a dot. In verdict-only mode only leading dots matter. */
/*@ requires judging(s) && readable(t) && inside(path, URIVET_MAX_LENGTH);
    assigns \nothing; */
static bool pieces_matter(const struct subject *s, struct urivet_span path, struct text t)
{
	const uint32_t escaped = s->seen.escaped_path;
	if (is_verdict_only(s) || may_begin_with_dot(s, path, t))
		return may_begin_with_dot(s, path, t);
	if (is_on(s->policy, URIVET_F_PATH_TRAILING_DOT_SPACE) ||
	    (is_for_servers(s->policy, URIVET_F_PATH_REMOVED_SEGMENT) &&
	     may_decode_to(s, URIVET_PATH, LPAREN)))
		return true;
	if ((escaped & (PERCENT | SPACE_END)) ||
	    ((escaped & SPACE) && (escaped & (SLASH | BACKSLASH))))
		return true;
	return path.length >= MANY_SEGMENTS && has_many_slashes(t, path.offset);
}

/* Reports what a path is after a server stripped its beginning up to `at`, if that is no path: an
 * authority, or a dot segment. */
/*@ requires readable(t) && 0 < at <= t.end; ADDS_FINDINGS(s); */
static void rest_of_path(struct subject *s, struct text t, uint32_t at)
{
	const uint32_t slash = octet(t, at - 1) == '/' ? at - 1 : at;
	const struct unit next = decode(t, slash + 1);
	struct path_piece p;
	if (octet(t, slash) == '/') {
		if (next.value == '/' || next.value == '\\')
			urivet_add(s, URIVET_F_PATH_LEADING_DOUBLE_SLASH, URIVET_PATH, slash,
				   next.next);
		return;
	}
	p = next_piece(t, at, true, true, true);
	if ((p.dots == 1 || p.dots == 2) &&
	    (p.after_dots == p.end || decode(t, p.after_dots).value == ';'))
		urivet_add(s, URIVET_F_ENCODED_PATH_REWRITE, URIVET_PATH, p.start, p.end);
}

/* Judges what remains after each prefix that the policy says a server strips. */
/*@ requires readable(t) && at <= t.end; ADDS_FINDINGS(s); */
static void stripped_paths(struct subject *s, struct text t, uint32_t at)
{
	const struct path_asked asked = {.t = t, .start = at};
	/*@ loop invariant judging(s) && k <= s->policy->path_count;
	    loop assigns k, FOUND(s);
	    loop variant s->policy->path_count - k; */
	for (uint32_t k = 0; k < s->policy->path_count; k++) {
		const struct urivet_path_rule *rule = path_rule_at(s->policy, k);
		const uint32_t after = rule->strips == 1 ? urivet_path_rule_strips(rule, asked) : 0;
		if (after > 0)
			rest_of_path(s, t, after);
	}
}

void urivet_rules_path(struct subject *s)
{
	const struct urivet_span path = s->report->uri.part[URIVET_PATH];
	const struct text t = within(s->t, path);
	const uint32_t seen = seen_in(s, URIVET_PATH, SEMICOLON);
	if (path.length == 0) {
		empty_path(s);
		return;
	}
	/* an opaque path, as other schemes have, has no segments */
	if ((s->web || octet(t, path.offset) == '/') && pieces_matter(s, path, t))
		pieces(s, t, path.offset);
	if (s->seen.beside_slash & SLASH)
		double_slashes(s, t, path.offset);
	if (seen & SEMICOLON)
		urivet_add_runs(s, URIVET_F_PATH_SEMICOLON, URIVET_PATH, SEMICOLON);
	if (s->web && may_decode_to(s, URIVET_PATH, SEMICOLON))
		final_semicolon(s, t, path.offset);
	if (!is_verdict_only(s) && may_decode_to(s, URIVET_PATH, COLON))
		stream_types(s, t, path.offset);
	if (seen & BACKSLASH)
		urivet_add_runs(s, URIVET_F_BACKSLASH_PATH, URIVET_PATH, BACKSLASH);
	if (has_path_rules(s->policy) && octet(t, path.offset) == '/')
		stripped_paths(s, t, path.offset);
}
