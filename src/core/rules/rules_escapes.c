/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about percent-encoded triplets. */
#include "rules/rules.h"
#include "text/compatibility.h"
#include "text/utf8.h"
#include "text/words.h"

/* Indexes of the findings about triplets. Frequent ones come first. */
enum {
	ESCAPED_UNRESERVED,
	ESCAPED_TILDE,
	ESCAPE_CASE,
	ESCAPED_DELIMITER,
	PATH_SEMICOLON,
	ESCAPED_PERCENT,
	DOUBLE_ESCAPE,
	ESCAPED_SLASH,
	PATH_BACKSLASH_ESCAPED,
	PATH_DELIMITER_ESCAPED,
	ESCAPED_COMPATIBILITY,
	ESCAPE_MIXED_IRI,
	INVALID_UTF8_ESCAPE,
	ESCAPED_CRLF,
	ESCAPED_NUL,
	ESCAPED_CONTROL,
	DOUBLE_ESCAPE_CRLF,
	BAD_ESCAPE,
	ESCAPED_UNICODE_TRUNCATION,
	ESCAPED_BIDI,
	ESCAPED_INVISIBLE,
	OVERLONG_UTF8,
	LATIN1_ESCAPE,
	ESCAPE_AFTER_ASTRAL,
	TRIPLET_FINDINGS
};

/* An extra slot after these counts how many different findings occurred. */
#define KINDS_FOUND TRIPLET_FINDINGS
#define COUNTS      (TRIPLET_FINDINGS + 1)

#define ID_OF(name) [name] = URIVET_F_##name
static const uint16_t triplet_ids[TRIPLET_FINDINGS] = {
    ID_OF(ESCAPED_CRLF), ID_OF(ESCAPED_NUL), ID_OF(ESCAPED_CONTROL), ID_OF(ESCAPED_SLASH),
    ID_OF(PATH_BACKSLASH_ESCAPED), ID_OF(ESCAPED_PERCENT), ID_OF(PATH_DELIMITER_ESCAPED),
    ID_OF(PATH_SEMICOLON), ID_OF(ESCAPED_DELIMITER), ID_OF(DOUBLE_ESCAPE),
    ID_OF(DOUBLE_ESCAPE_CRLF), ID_OF(ESCAPED_UNRESERVED), ID_OF(ESCAPED_TILDE),
    ID_OF(ESCAPE_MIXED_IRI),
    ID_OF(BAD_ESCAPE), ID_OF(ESCAPED_UNICODE_TRUNCATION), ID_OF(ESCAPED_COMPATIBILITY),
    ID_OF(ESCAPED_BIDI), ID_OF(ESCAPED_INVISIBLE), ID_OF(INVALID_UTF8_ESCAPE),
    ID_OF(OVERLONG_UTF8), ID_OF(LATIN1_ESCAPE), ID_OF(ESCAPE_CASE), ID_OF(ESCAPE_AFTER_ASTRAL),
};

/* The kinds of escapes for which a rule may find something: anywhere; in a path and a query, where
 * only slashes are refused; and beside octets above 0x7F. */
#define FOUND_ANYWHERE (UNRESERVED | TAB | CRLF | CONTROL | PERCENT) /* UNRESERVED has LOUD */
#define FOUND_IN_PATH  (SLASH | BACKSLASH | FOUND_IN_QUERY)
#define FOUND_IN_QUERY (QUESTION | HASH | SEMICOLON | AMPERSAND | EQUALS)
#define FOUND_IN_IRI   (OTHERSUB | LPAREN | APOSTROPHE | COLON)

/* The component whose triplets are checked. */
struct place {
	enum urivet_component c;
	struct text t;
	bool tail;       /* path, query or fragment, which readers decode */
	bool mixed;      /* escape-mixed-iri applies: the URL has octets above 0x7F */
	uint32_t wanted; /* kinds of escapes that are looked at */
	bool text;       /* the body of a mail, in which lines end in %0D%0A (RFC 6068, 5) */
	uint16_t *times; /* occurrences of each finding; only the first is in the report */
};

/*@ predicate placed(struct place *p, struct subject *s) =
      \valid_read(p) && readable(p->t) && 0 <= p->c < URIVET_COMPONENTS &&
      \valid(p->times + (0 .. COUNTS - 1)) &&
      \separated(p, p->times + (0 .. COUNTS - 1), s, s->report, s->policy); */
/* clang-format off */
#define LOOKED_AT(s, p) FOUND(s), (p)->times[0 .. COUNTS - 1]
/* Contract of all functions that check triplets. */
#define LOOKS(s, p) \
	requires judging(s); requires placed(p, s); assigns LOOKED_AT(s, p); \
	ensures judging(s); ensures placed(p, s)
/* clang-format on */

/* Adds an occurrence of a finding to the report if it is the first here. Later ones are only
 * counted, since there may be thousands. */
/*@ requires which < TRIPLET_FINDINGS; LOOKS(s, p); */
static void note(struct subject *s, const struct place *p, unsigned which, uint32_t at,
		 uint32_t end)
{
	const enum urivet_id id = (enum urivet_id)(triplet_ids[which] % URIVET_FINDING_LIMIT);
	if (p->times[which] == UINT16_MAX) {
		urivet_add_again(s, id, 1);
		return;
	}
	if (p->times[which] == 0) {
		urivet_add(s, id, p->c, at, end);
		//@ assert judging(s);
		//@ assert placed(p, s);
		if (p->times[KINDS_FOUND] < TRIPLET_FINDINGS)
			p->times[KINDS_FOUND]++;
	}
	p->times[which]++;
}

/* ---- Triplets of ASCII --------------------------------------------------------- */

/* Returns true if the triplet at `at` is one of a pair that ends a line: %0D%0A. */
/*@ requires readable(t) && at + 3 <= t.end;
    assigns \nothing; */
static bool ends_line(struct text t, uint32_t at)
{
	if (triplet(t, at) == '\r')
		return is_triplet(t, at + 3) && triplet(t, at + 3) == '\n';
	return at >= 3 && is_triplet(t, at - 3) && triplet(t, at - 3) == '\r';
}

/* D2: reports escaped controls. */
/*@ requires at + 3 <= p->t.end && value <= 255; LOOKS(s, p); */
static void control_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	const uint32_t k = urivet_kinds[value];
	if ((k & (CRLF | TAB | CONTROL)) == 0)
		return;
	if ((k & CRLF) && p->text && ends_line(p->t, at))
		return;
	if (k & CRLF)
		note(s, p, ESCAPED_CRLF, at, at + 3);
	else if (value == 0)
		note(s, p, ESCAPED_NUL, at, at + 3);
	else
		note(s, p, ESCAPED_CONTROL, at, at + 3);
}

/* Escaped octets in a path that some intermediary changes on the way to the server. */
static const struct {
	uint32_t kinds;
	uint8_t which;
	bool web; /* only where the rules for http apply */
} path_triplets[] = {
    {SLASH, ESCAPED_SLASH, true}, /* G13 */
    {BACKSLASH, PATH_BACKSLASH_ESCAPED, false},
    {PERCENT, ESCAPED_PERCENT, false},
    {QUESTION | HASH, PATH_DELIMITER_ESCAPED, false},
    {SEMICOLON, PATH_SEMICOLON, false},
};

/* All kinds in the table above. */
#define IN_PATH_TRIPLETS (SLASH | BACKSLASH | PERCENT | QUESTION | HASH | SEMICOLON)

#define PATH_TRIPLETS (sizeof(path_triplets) / sizeof(path_triplets[0]))

/*@ requires at <= URIVET_MAX_LENGTH && value <= 255; LOOKS(s, p); */
static void path_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	if ((urivet_kinds[value] & IN_PATH_TRIPLETS) == 0)
		return;
	/*@ loop invariant judging(s);
	    loop invariant placed(p, s);
	    loop invariant 0 <= k <= PATH_TRIPLETS;
	    loop assigns k, LOOKED_AT(s, p);
	    loop variant PATH_TRIPLETS - k; */
	for (unsigned k = 0; k < PATH_TRIPLETS; k++)
		if ((urivet_kinds[value] & path_triplets[k].kinds) &&
		    (s->web || !path_triplets[k].web))
			note(s, p, path_triplets[k].which % TRIPLET_FINDINGS, at, at + 3);
}

/* Reports an escaped slash next to another slash, if a waiver lets escaped slashes through. */
/*@ requires \valid_read(p) && readable(p->t) && \separated(p, s, s->report);
    requires at + 3 <= p->t.end;
    ADDS_FINDINGS(s); */
static void double_slash(struct subject *s, const struct place *p, uint32_t at)
{
	const uint32_t start = s->report->uri.part[URIVET_PATH].offset;
	const bool raw = at > start && octet(p->t, at - 1) == '/';
	const bool escaped =
	    at >= start + 3 && is_triplet(p->t, at - 3) && triplet(p->t, at - 3) == '/';
	if (raw && at == start + 1 && s->web)
		urivet_add(s, URIVET_F_PATH_LEADING_DOUBLE_SLASH, URIVET_PATH, start, at + 3);
	else if (raw || escaped || octet(p->t, at + 3) == '/')
		urivet_add(s, URIVET_F_PATH_DOUBLE_SLASH, URIVET_PATH, at, at + 3);
}

/* Checks escaped octets that would be delimiters if they were raw. */
/*@ requires at + 3 <= p->t.end && value <= 255; LOOKS(s, p); */
static void delimiter_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	if (p->c == URIVET_PATH)
		path_triplet(s, p, at, value);
	if (p->c == URIVET_PATH && value == '/' &&
	    is_waived(s, URIVET_F_ESCAPED_SLASH))
		double_slash(s, p, at);
	//@ assert judging(s);
	//@ assert placed(p, s);
	if ((p->c == URIVET_PATH || p->c == URIVET_QUERY) &&
	    (urivet_kinds[value] & (QUESTION | HASH | SEMICOLON | AMPERSAND | EQUALS)))
		note(s, p, ESCAPED_DELIMITER, at, at + 3);
}

/* Returns true if the unit decodes to a hexadecimal digit. */
/*@ assigns \nothing;
    ensures \result ==> u.value < AT_END; */
static bool decodes_to_hex(struct unit u)
{
	return u.value < AT_END && (urivet_kinds[u.value] & HEXDIG) != 0;
}

/* Returns the octet that remains after repeated decoding. `first` and `second` are the digits of
 * the triplet that one decoding leaves. For example, %25250a ends as LF. */
/*@ requires readable(t);
    assigns \nothing; */
static unsigned decoded_again(struct text t, struct unit first, struct unit second)
{
	unsigned value = hex_value(first.value) * 16 + hex_value(second.value);
	/*@ loop assigns value, first, second;
	    loop variant t.end - second.next; */
	while (value == '%') {
		first = decode(t, second.next);
		second = decode(t, first.next);
		if (!decodes_to_hex(first) || !decodes_to_hex(second))
			break;
		value = hex_value(first.value) * 16 + hex_value(second.value);
	}
	return value;
}

/* D3: reports a "%" that one decoding leaves before two hexadecimal digits. Its encoded form lies
 * from `at` up to `after`, exclusive. */
/*@ LOOKS(s, p); */
static void percent_sign(struct subject *s, const struct place *p, uint32_t at, uint32_t after)
{
	const struct unit first = decode(p->t, after);
	struct unit second;
	unsigned value;
	if (!p->tail || !decodes_to_hex(first))
		return;
	second = decode(p->t, first.next);
	if (!decodes_to_hex(second))
		return;
	note(s, p, DOUBLE_ESCAPE, at, second.next);
	value = decoded_again(p->t, first, second);
	if (value == '\r' || value == '\n')
		note(s, p, DOUBLE_ESCAPE_CRLF, at, second.next);
}

/* Returns true for the tilde of a name, for which servers have no rules: not the first octet of a
 * segment, where a home directory begins. */
/*@ requires judging(s) && placed(p, s) && at + 3 <= p->t.end;
    assigns \nothing; */
static bool is_tilde_in_name(const struct subject *s, const struct place *p, uint32_t at)
{
	const uint32_t start = s->report->uri.part[URIVET_PATH].offset;
	const struct unit before = decode(p->t, at >= 3 ? at - 3 : at);
	const bool parted =
	    before.escaped && (urivet_kinds[before.value] & (SLASH | BACKSLASH)) != 0;
	if (triplet(p->t, at) != '~' || p->c != URIVET_PATH || !is_query_opaque(s->policy))
		return false;
	return at > start && octet(p->t, at - 1) != '/' && !parted;
}

/*@ requires at + 3 <= p->t.end && value <= 255; LOOKS(s, p); */
static void ascii_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	if (urivet_kinds[value] & UNRESERVED)
		note(s, p, is_tilde_in_name(s, p, at) ? ESCAPED_TILDE : ESCAPED_UNRESERVED, at,
		     at + 3);
	control_triplet(s, p, at, value);
	if (value == '/' || !is_verdict_only(s))
		delimiter_triplet(s, p, at, value); /* only notes, except for the slash */
	if (value == '%')
		percent_sign(s, p, at, at + 3);
	if (p->mixed && (value == '!' || value == '\'' || value == '(' || value == ')' ||
			 value == '*' || value == ':'))
		note(s, p, ESCAPE_MIXED_IRI, at, at + 3);
}

/* Reports a "%" that begins no triplet, with up to two octets where its digits should be. */
/*@ requires at <= URIVET_MAX_LENGTH; LOOKS(s, p); */
static void bad_escape(struct subject *s, const struct place *p, uint32_t at)
{
	uint32_t end = at + 1;
	/*@ loop invariant at < end <= at + 3;
	    loop assigns end;
	    loop variant at + 3 - end; */
	while (end < p->t.end && end < at + 3 && octet(p->t, end) != '%')
		end++;
	note(s, p, BAD_ESCAPE, at, end);
	percent_sign(s, p, at, at + 1);
}

/* ---- Runs of triplets above 0x7F ------------------------------------------------- */

/* The first octet of bidirectional controls. It is never a continuation octet in UTF-8. */
#define BIDI_LEAD 0xe2
/* Their second octet, 0x80 or 0x81, with the lowest bit set. */
#define BIDI_SECOND 0x81

/* Returns true for bidirectional controls. Some readers delete them, and they mislead people. */
/*@ assigns \nothing; */
static bool is_bidi(uint32_t c)
{
	return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/*@ requires readable(t);
    assigns \nothing;
    ensures \result ==> at + 3 <= t.end; */
static bool is_high_triplet(struct text t, uint32_t at)
{
	return is_triplet(t, at) && triplet(t, at) >= 0x80;
}

/* Returns true if the character is invisible: separators of lines and paragraphs, soft hyphen,
 * zero-width space, fillers, format characters, tags, and variation selectors that emoji do not
 * use. Joiners are excluded: they belong to words and emoji. */
/*@ assigns \nothing; */
static bool is_invisible(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
	    {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},   {0x115f, 0x1160},
	    {0x180e, 0x180e},   {0x200b, 0x200b},   {0x2028, 0x2029}, {0x2060, 0x2064},
	    {0x206a, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
	    {0xfff9, 0xfffb},   {0xe0000, 0xe007f}, {0xe0100, 0xe01ef},
	};
	unsigned k = 0;
	/*@ loop invariant k <= 15;
	    loop assigns k;
	    loop variant 15 - k; */
	while (k < sizeof ranges / sizeof ranges[0] && c > ranges[k].last)
		k++;
	return k < sizeof ranges / sizeof ranges[0] && c >= ranges[k].first;
}

/*@ LOOKS(s, p); */
static void code_point(struct subject *s, const struct place *p, uint32_t at, struct utf8 u)
{
	const uint32_t low = u.code_point & 0xff;
	if (u.code_point < 0xa0) /* C1 controls: there are at least two octets */
		note(s, p, ESCAPED_CONTROL, at, u.next);
	if (is_invisible(u.code_point))
		note(s, p, ESCAPED_INVISIBLE, at, u.next);
	if (u.code_point > 0xff && (low == 0 || low == '\r' || low == '\n'))
		note(s, p, ESCAPED_UNICODE_TRUNCATION, at, u.next);
	if (s->web && p->c == URIVET_PATH && urivet_becomes_routed(u.code_point)) /* G17 */
		note(s, p, ESCAPED_COMPATIBILITY, at, u.next);
}

/*@ LOOKS(s, p); */
static void escaped_code_point(struct subject *s, const struct place *p, uint32_t at, struct utf8 u)
{
	if (is_bidi(u.code_point))
		note(s, p, ESCAPED_BIDI, at, u.next);
	code_point(s, p, at, u);
}

/*@ LOOKS(s, p); */
static void not_utf8(struct subject *s, const struct place *p, uint32_t at, struct utf8 u,
		     bool alone)
{
	note(s, p, INVALID_UTF8_ESCAPE, at, u.next);
	if (u.form == UTF8_OVERLONG)
		note(s, p, OVERLONG_UTF8, at, u.next);
	if (alone)
		note(s, p, LATIN1_ESCAPE, at, u.next);
}

/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing; */
static bool has_lower_digit(struct text t, uint32_t at)
{
	return is(t, at + 1, LOWER) || is(t, at + 2, LOWER);
}

/*@ requires at <= URIVET_MAX_LENGTH; LOOKS(s, p); */
static inline void digit_case(struct subject *s, const struct place *p, uint32_t at)
{
	if (has_lower_digit(p->t, at))
		note(s, p, ESCAPE_CASE, at, at + 3);
}

/* Checks the digit case of the triplets from `at` up to `end`. */
/*@ requires at <= end <= p->t.end; LOOKS(s, p); */
static void digit_cases(struct subject *s, const struct place *p, uint32_t at, uint32_t end)
{
	/*@ loop invariant judging(s);
	    loop invariant placed(p, s);
	    loop invariant at <= end + 2;
	    loop assigns at, LOOKED_AT(s, p);
	    loop variant end - at; */
	for (; at < end; at += 3)
		digit_case(s, p, at);
}

/* Returns true if the triplet at `at` is read otherwise once its escape is lost (G6). */
/*@ requires \valid_read(p) && readable(p->t);
    assigns \nothing; */
static bool matters_unescaped(const struct place *p, uint32_t at)
{
	const uint32_t in_path = PERCENT | SLASH;
	const uint32_t in_query = PERCENT | AMPERSAND | PLUS | SEMICOLON | EQUALS;
	const uint32_t in_fragment = SUBDELIMS | COLON | AT | SLASH | QUESTION | PERCENT;
	const uint32_t kinds = p->c == URIVET_PATH    ? in_path
			       : p->c == URIVET_QUERY ? in_query
						      : in_fragment;
	const struct unit u = decode(p->t, at);
	return u.escaped && (urivet_kinds[u.value] & kinds) != 0;
}

/* Applies G5, G6, G7 and G17 to the run of triplets above 0x7F at `at` and returns its end. COLD
 * keeps the cost away from URLs without such runs. */
/*@ requires at + 3 <= p->t.end;
    LOOKS(s, p);
    ensures at < \result <= p->t.end; */
static COLD uint32_t high_run(struct subject *s, const struct place *p, uint32_t at)
{
	const bool alone = !is_high_triplet(p->t, at + 3) &&
			   (at < 3 || !is_high_triplet(p->t, at - 3));
	bool astral = false;
	/*@ loop invariant judging(s);
	    loop invariant placed(p, s);
	    loop invariant \at(at, Pre) <= at < p->t.end;
	    loop assigns at, astral, LOOKED_AT(s, p);
	    loop variant p->t.end - at; */
	do {
		struct utf8 u;
		urivet_utf8(p->t, at, true, &u);
		if (u.form == UTF8_VALID)
			escaped_code_point(s, p, at, u);
		else
			not_utf8(s, p, at, u, alone);
		digit_cases(s, p, at, u.next);
		astral = astral || u.octets == 4;
		at = u.next;
	} while (is_high_triplet(p->t, at) && !is_settled(s));
	if (astral && s->web && matters_unescaped(p, at))
		note(s, p, ESCAPE_AFTER_ASTRAL, at, at + 3);
	return at;
}

/* Checks raw octets above 0x7F that a waiver makes legal. The waiver covers only their unknown
 * charset. How they read as UTF-8, or once escaped, is still checked. */
/*@ LOOKS(s, p); */
static COLD void raw_octets(struct subject *s, const struct place *p, uint32_t at)
{
	const struct text t = p->t;
	/*@ loop invariant judging(s);
	    loop invariant placed(p, s);
	    loop assigns at, LOOKED_AT(s, p);
	    loop variant t.end - at; */
	for (at = find(t, at, HIGH); at < t.end; at = find(t, at, HIGH)) {
		struct utf8 u;
		urivet_utf8(t, at, false, &u);
		if (u.form == UTF8_VALID)
			code_point(s, p, at, u);
		else if (u.form == UTF8_OVERLONG)
			note(s, p, OVERLONG_UTF8, at, u.next);
		if (u.octets == 4 && s->web && matters_unescaped(p, u.next))
			note(s, p, ESCAPE_AFTER_ASTRAL, u.next, u.next + 3);
		at = u.next;
	}
}

/* ---- Components --------------------------------------------------------------- */

/* Checks the triplet, or run of triplets, at `at` and returns its end. */
/*@ requires at + 3 <= p->t.end && value <= 255;
    LOOKS(s, p);
    ensures at < \result <= p->t.end; */
static uint32_t one_triplet(struct subject *s, const struct place *p, uint32_t at, unsigned value)
{
	if (value >= 0x80 && p->tail)
		return high_run(s, p, at);
	digit_case(s, p, at);
	if (value < 0x80)
		ascii_triplet(s, p, at, value);
	return at + 3;
}

/* Returns true if all escapes in the window that contains `at` are quiet. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_quiet_window(const struct subject *s, uint32_t at)
{
	return !has_window(&s->seen.loud, at);
}

/* Returns where the escapes of the next window that is not quiet begin, or the end: a character of
 * several octets may begin in the window before it. */
/*@ requires judging(s) && readable(t) && at < t.end;
    assigns \nothing;
    ensures at < \result; */
static uint32_t next_window(const struct subject *s, struct text t, uint32_t at)
{
	const uint32_t first = at - at % WINDOW + WINDOW;
	/*@ loop invariant first <= k <= t.end + WINDOW;
	    loop assigns k;
	    loop variant t.end - k; */
	for (uint32_t k = first; k < t.end; k += WINDOW)
		if (!is_quiet_window(s, k))
			return urivet_after_character(t, k);
	return t.end;
}

/*@ LOOKS(s, p); */
static void triplets(struct subject *s, const struct place *p, uint32_t at)
{
	const struct text t = p->t;
	/*@ loop invariant judging(s);
	    loop invariant placed(p, s);
	    loop assigns at, LOOKED_AT(s, p);
	    loop variant t.end - at; */
	for (at = find_octet(t, at, '%'); at < t.end && !is_settled(s);
	     at = octet(t, at) == '%' ? at : find_octet(t, at, '%')) {
		const struct escape escape = urivet_escape(t, at);
		if (is_quiet_window(s, at))
			at = next_window(s, t, at);
		else if ((escape.kinds & p->wanted) == 0)
			at = escape.next;
		else if (is_triplet(t, at))
			at = one_triplet(s, p, at, triplet(t, at));
		else
			bad_escape(s, p, at++);
	}
}

/* Returns the kinds of escapes in component c for which a rule may find something. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static uint32_t wanted_in(const struct subject *s, enum urivet_component c, bool mixed)
{
	uint32_t kinds = FOUND_ANYWHERE | (mixed ? FOUND_IN_IRI : 0);
	if (c == URIVET_PATH)
		kinds |= is_verdict_only(s) ? SLASH : FOUND_IN_PATH;
	if (c == URIVET_QUERY && !is_verdict_only(s))
		kinds |= FOUND_IN_QUERY;
	return kinds;
}

/* Returns true if the scheme is mailto. */
/*@ requires judging(s);
    assigns \nothing; */
static bool is_mail(const struct subject *s)
{
	return s->report->uri.scheme == URIVET_SCHEME_OTHER &&
	       is_word(within(s->t, s->report->uri.part[URIVET_SCHEME]), 0, "mailto");
}

/* Returns the offset of the next BIDI_LEAD octet after `at`, or the end. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing;
    ensures at < \result <= t.end; */
static uint32_t next_lead(struct text t, uint32_t at)
{
	return octet(t, at + 1) == BIDI_LEAD ? at + 1 : find_octet(t, at + 1, BIDI_LEAD);
}

/* Reports raw bidirectional controls. A URI never allows them; this finding is more specific. */
/*@ ADDS_FINDINGS(s); */
static void raw_bidi(struct subject *s)
{
	enum urivet_component c = URIVET_SCHEME;
	/*@ loop invariant judging(s) && URIVET_SCHEME <= c <= URIVET_FRAGMENT;
	    loop assigns at, c, FOUND(s);
	    loop variant s->t.end - at; */
	for (uint32_t at = find_octet(s->t, 0, BIDI_LEAD); at < s->t.end; at = next_lead(s->t, at)) {
		if ((decode(s->t, at + 1).value | 1) == BIDI_SECOND) {
			struct utf8 u;
			urivet_utf8(s->t, at, false, &u);
			if (u.form == UTF8_VALID && is_bidi(u.code_point)) {
				c = urivet_component_from(&s->report->uri, c, at);
				urivet_add(s, URIVET_F_ESCAPED_BIDI, c, at, u.next);
			}
		}
	}
}

/* Adds the counts of repeated findings to the report after a pass over the component, and resets
 * them. */
/*@ LOOKS(s, p); */
static void add_the_rest(struct subject *s, const struct place *p)
{
	/*@ loop invariant judging(s);
	    loop invariant placed(p, s);
	    loop invariant k <= TRIPLET_FINDINGS;
	    loop assigns k, LOOKED_AT(s, p);
	    loop variant TRIPLET_FINDINGS - k; */
	for (unsigned k = 0; k < TRIPLET_FINDINGS && p->times[KINDS_FOUND] > 0; k++) {
		const unsigned id = triplet_ids[k] % URIVET_FINDING_LIMIT;
		if (p->times[k] > 1)
			urivet_add_again(s, (enum urivet_id)id, p->times[k] - 1u);
		if (p->times[k] > 0 && p->times[KINDS_FOUND] > 0)
			p->times[KINDS_FOUND]--;
		p->times[k] = 0;
	}
}

/* Checks the triplets in the query of a mailto URI (RFC 6068, 2): hfields = "?" hfield *( "&"
 * hfield ), where hfield = hfname "=" hfvalue. The value of a field "body" is text. In other fields
 * a line end would begin another field. */
/*@ ADDS_FINDINGS(s); */
static COLD void mail_triplets(struct subject *s)
{
	const struct urivet_span query = s->report->uri.part[URIVET_QUERY];
	const struct text t = within(s->t, query);
	uint16_t times[COUNTS] = {0};
	uint32_t at = query.offset;
	/*@ loop invariant judging(s) && readable(t);
	    loop assigns at, times[0 .. COUNTS - 1], FOUND(s);
	    loop variant t.end - at; */
	while (at < t.end) {
		const struct text field = until(t, find_octet(t, at, '&'));
		const uint32_t value = after_word(field, at, "body");
		const bool body = value != NO_WORD && octet(field, value) == '=';
		const struct place p = {URIVET_QUERY, field, true, false, wanted_in(s, URIVET_QUERY, false),
					body,	      times};
		triplets(s, &p, at);
		add_the_rest(s, &p);
		at = field.end + 1;
	}
}

/*@ requires 0 <= c < URIVET_COMPONENTS; ADDS_FINDINGS(s); */
static void component_triplets(struct subject *s, enum urivet_component c, bool mixed, bool mail)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	uint16_t times[COUNTS] = {0};
	const uint32_t wanted = wanted_in(s, c, mixed);
	const struct place p = {c, t, c >= URIVET_PATH, mixed, wanted, false, times};
	if ((escapes_of(s, c) & wanted) && !mail)
		triplets(s, &p, where.offset);
	//@ assert judging(s);
	add_the_rest(s, &p);
	//@ assert judging(s);
	if (p.tail && (s->seen.in[c] & HIGH) && is_waived(s, URIVET_F_NON_ASCII)) {
		raw_octets(s, &p, where.offset);
		add_the_rest(s, &p);
	}
}

/* Returns true if the URL has legal raw octets above 0x7F, which readers may escape. */
/*@ requires judging(s);
    assigns \nothing; */
static bool has_high_octets(const struct subject *s)
{
	return (s->seen.in[URIVET_WHOLE] & HIGH) != 0 &&
	       is_waived(s, URIVET_F_NON_ASCII);
}

void urivet_rules_escapes(struct subject *s)
{
	const uint32_t before = s->seen.in[URIVET_SCHEME] | s->seen.in[URIVET_AUTHORITY];
	bool mixed, mail;
	if (s->seen.in[URIVET_WHOLE] & HIGH)
		raw_bidi(s);
	if ((s->seen.in[URIVET_WHOLE] & PERCENT) == 0 && !has_high_octets(s))
		return;
	mail = is_mail(s);
	mixed = s->web && (has_high_octets(s) || (s->seen.escaped & HIGH) != 0);
	/*@ loop invariant judging(s) && URIVET_SCHEME <= c <= URIVET_COMPONENTS;
	    loop assigns c, FOUND(s);
	    loop variant URIVET_COMPONENTS - c; */
	for (unsigned c = before & (PERCENT | HIGH) ? URIVET_SCHEME : URIVET_PATH;
	     c < URIVET_COMPONENTS; c++)
		if (c != URIVET_AUTHORITY && (s->seen.in[c] & (PERCENT | HIGH)))
			component_triplets(s, c, mixed, mail && c == URIVET_QUERY);
	if (mail)
		mail_triplets(s);
}
