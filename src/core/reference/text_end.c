/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a URL in plain text ends. The rules are tables: delimiters before a URL and their
 * partners, and marks of other scripts.
 *
 * The host extends as far as a tolerant reader would take it. If it were cut short, the dangerous
 * part would not be judged. Time is linear, see scan.c. */
#include "reference/text_end.h"
#include "text/utf8.h"

/* Maximum length of an abbreviated reference's authority that may end at a bracket. */
#define MOST_GUESSED 256u
/* Maximum length of a label (RFC 1035, 2.3.4). */
#define MOST_LABEL 63u

/* ASCII that may delimit URLs, beside the octets of OUTSIDE. */
#define DELIMITER                                                                                  \
	(PLAINSUB | APOSTROPHE | SEMICOLON | LBRACKET | RBRACKET | BRACE | OTHERASCII | TILDE)
/* Octets of a userinfo in which a bracket is looked at: no other brackets and quotes. */
#define USERINFO ((USERCHAR | PERCENT) & ~(LPAREN | APOSTROPHE))
/* Octets to examine when looking for the end of a URL, or of its authority. */
#define STOPS_OF_END       (OUTSIDE | HIGH | DELIMITER)
#define STOPS_OF_AUTHORITY (STOPS_OF_END | SLASH | QUESTION | HASH | AT | DOT)

/* ---- Delimiters before a URL ---------------------------------------------------------- */

/* What stands directly before a URL, and what ends the URL then. Brackets that nest are counted in
 * balanced_end(), so their rows matter in a host only. */
static const struct opener_row {
	char before[8];
	char close[4];
} openers[] = {
    {"'", "'"},   {"`", "`"},   {"(", ")"},     {"[", "]"},      {"{", "}"},
    {"**", "**"}, {"~~", "~~"}, {"link:", "["}, {"image:", "["}, {"image::", "["},
};

/* Returns the row of the delimiter that ends at `begin`, or NULL. */
static const struct opener_row *opener_before(struct text t, uint32_t begin)
{
	const struct text before = until(t, begin);
	for (unsigned k = 0; k < sizeof openers / sizeof openers[0]; k++) {
		uint32_t length = 0;
		while (openers[k].before[length] != '\0')
			length++;
		if (length <= begin && is_word(before, begin - length, openers[k].before))
			return &openers[k];
	}
	return NULL;
}

/* Returns the offset of the first octet from `at` on that is none of a userinfo. If it is an "@",
 * readers of plain text go to what follows it, as in "(http://good.example)x@evil.example/". Only
 * brackets begin such texts, and none has one inside, so the time is linear. */
static uint32_t userinfo_end(struct text t, uint32_t at)
{
	return skip(t, at, USERINFO);
}

static bool is_closing(unsigned c)
{
	return one_of(c, ")]}");
}

/* Returns true if the partner of the delimiter is at `at`. An apostrophe inside a word is not one,
 * nor is what stands in a userinfo. */
static bool is_partner(struct text t, uint32_t at, const struct opener_row *opener)
{
	const uint32_t after = opener != NULL ? after_word(t, at, opener->close) : NO_WORD;
	if (after == NO_WORD || octet(t, after) == '@')
		return false;
	return is_closing(octet(t, at)) ? octet(t, userinfo_end(t, after)) != '@'
					: octet(t, at) != '\'' || !is(t, after, ALNUM);
}

/* Returns the delimiter, or NULL for a bracket: balanced_end() counts those. */
static const struct opener_row *unless_bracket(const struct opener_row *opener)
{
	return opener != NULL && is_closing((unsigned char)opener->close[0]) ? NULL : opener;
}

/* Returns true if another URL begins after the delimiter at `at`. */
static bool is_before_url(struct text t, uint32_t at)
{
	return is(t, at, DELIMITER) && is(t, at + 1, ALPHA) &&
	       has_word(t, skip(t, at + 1, SCHEMECHAR), "://");
}

/* Returns true if a closing tag of BBCode is at `at`, as "[/url]". */
static bool is_closing_tag(struct text t, uint32_t at)
{
	return octet(t, at) == '[' && octet(t, at + 1) == '/' && is(t, at + 2, ALPHA) &&
	       octet(t, skip(t, at + 2, ALPHA)) == ']';
}

/* Returns true if the URL ends at `at`, whatever follows. Schemes without slashes may contain other
 * URLs. */
static bool is_hard_end(struct text t, uint32_t at, const struct text_url *url,
			const struct opener_row *opener)
{
	return is_partner(t, at, opener) || is_closing_tag(t, at) ||
	       (url->authority && is_before_url(t, at));
}

/* ---- Marks of other scripts -------------------------------------------------------------- */

enum text_mark {
	NO_MARK = 0,
	LAST,       /* is left out at the end of a URL */
	STOPS,      /* ends a URL */
	QUOTE_STOPS /* ends a URL, unless a letter or digit follows: also an apostrophe */
};

/* White space, punctuation, brackets and quotation marks, in ascending order. */
static const struct text_mark_row {
	uint16_t first;
	uint16_t last;
	enum text_mark mark;
} text_marks[] = {
    {0x00A0, 0x00A0, STOPS}, {0x00AB, 0x00AB, STOPS},       {0x00BB, 0x00BB, STOPS},
    {0x060C, 0x060C, LAST},  {0x061B, 0x061B, LAST},        {0x061F, 0x061F, LAST},
    {0x06D4, 0x06D4, LAST},  {0x0964, 0x0965, LAST},        {0x2000, 0x200B, STOPS},
    {0x200C, 0x2017, LAST},  {0x2018, 0x2019, QUOTE_STOPS}, {0x201A, 0x201B, LAST},
    {0x201C, 0x201F, STOPS}, {0x2020, 0x2025, LAST},        {0x2026, 0x2026, STOPS},
    {0x2027, 0x2027, LAST},  {0x2028, 0x2029, STOPS},       {0x202A, 0x202E, LAST},
    {0x202F, 0x202F, STOPS}, {0x2030, 0x2038, LAST},        {0x2039, 0x203A, STOPS},
    {0x203B, 0x205E, LAST},  {0x205F, 0x205F, STOPS},       {0x2060, 0x206F, LAST},
    {0x3000, 0x3002, STOPS}, {0x3003, 0x3003, LAST},        {0x3008, 0x3011, STOPS},
    {0x3014, 0x301B, STOPS}, {0x301D, 0x301F, STOPS},       {0xFE10, 0xFE19, STOPS},
    {0xFE35, 0xFE44, STOPS}, {0xFE50, 0xFE5E, STOPS},       {0xFF01, 0xFF02, STOPS},
    {0xFF03, 0xFF07, LAST},  {0xFF08, 0xFF09, STOPS},       {0xFF0A, 0xFF0B, LAST},
    {0xFF0C, 0xFF0C, STOPS}, {0xFF0D, 0xFF0D, LAST},        {0xFF0E, 0xFF0E, STOPS},
    {0xFF0F, 0xFF0F, LAST},  {0xFF1A, 0xFF1C, STOPS},       {0xFF1E, 0xFF1F, STOPS},
    {0xFF3B, 0xFF3B, STOPS}, {0xFF3D, 0xFF3D, STOPS},       {0xFF5B, 0xFF5D, STOPS},
    {0xFF5F, 0xFF64, STOPS},
};

static enum text_mark text_mark_of(uint32_t point)
{
	for (unsigned k = 0; k < sizeof text_marks / sizeof text_marks[0]; k++)
		if (point >= text_marks[k].first && point <= text_marks[k].last)
			return text_marks[k].mark;
	return NO_MARK;
}

/* Returns true for the full stops that IDNA takes for the dot between labels. */
static bool is_ideographic_dot(uint32_t point)
{
	return point == 0x3002 || point == 0xFF0E || point == 0xFF61;
}

/* Returns the code point encoded by `octets` raw octets at `at`, or 0. */
static uint32_t raw_code_point(struct text t, uint32_t at, uint32_t octets)
{
	struct utf8 u;
	urivet_utf8(until(t, at + octets), at, false, &u);
	return u.form == UTF8_VALID && u.octets == octets && u.next == at + octets ? u.code_point
										   : 0;
}

/* Returns the length of the mark at `at` that ends a URL, or 0. */
static uint32_t stop_at(struct text t, uint32_t at)
{
	for (uint32_t octets = 2; octets <= 3 && is(t, at, HIGH); octets++) {
		const enum text_mark mark = text_mark_of(raw_code_point(t, at, octets));
		if (mark == STOPS || (mark == QUOTE_STOPS && !is(t, at + octets, ALNUM)))
			return octets;
	}
	return 0;
}

/* Returns true if a mark ends the host at `at`. It does not if readers may look up what follows
 * as a part of the host: a name with a dot, or, after a host without one, a label after a full stop
 * that IDNA takes for a dot. */
static bool is_host_stop(struct text t, uint32_t at, bool dotted)
{
	const uint32_t after = at + stop_at(t, at);
	const uint32_t label = skip(until(t, after + MOST_LABEL), after, LABEL);
	if (after == at)
		return false;
	if (!dotted && is(t, after, LABEL | HIGH) && is_ideographic_dot(raw_code_point(t, at, 3)))
		return false;
	return label == after || octet(t, label) != '.' || !is(t, label + 1, ALPHA);
}

/* ---- The end ----------------------------------------------------------------------------- */

/* Returns the length of a punctuation mark that ends at `end` and is not part of the URI, or 0. */
static uint32_t mark_before(struct text t, uint32_t end)
{
	if (is(t, end - 1, ALNUM | SLASH))
		return 0;
	if (one_of(octet(t, end - 1), ".,;:!?'`|([{*_~"))
		return 1;
	for (uint32_t octets = 2; octets <= 3 && is(t, end - 1, HIGH); octets++)
		if (text_mark_of(raw_code_point(t, end - octets, octets)) != NO_MARK)
			return octets;
	return 0;
}

/* Returns true for a closing bracket without an opening one. `*open` counts the open ones. */
static bool is_unopened(unsigned c, unsigned closing, uint32_t *open)
{
	if (c != closing)
		return false;
	if (*open == 0)
		return true;
	(*open)--;
	return false;
}

/* Returns the end of an undelimited URI from `at`: a closing bracket without an opening one, a
 * backtick, a stop of another script, what is_hard_end() finds, or the end of the run. */
static uint32_t balanced_end(struct text t, uint32_t at, struct text_url *url,
			     const struct opener_row *opener)
{
	uint32_t round = 0;
	uint32_t square = 0;
	uint32_t curly = 0;
	for (at = find(t, at, STOPS_OF_END); in_run(t, at); at = find(t, at + 1, STOPS_OF_END)) {
		const unsigned c = octet(t, at);
		if (is_hard_end(t, at, url, opener))
			break;
		round += c == '(';
		square += c == '[';
		curly += c == '{';
		if (c == '`' || is_unopened(c, ')', &round) || is_unopened(c, ']', &square) ||
		    is_unopened(c, '}', &curly) || stop_at(t, at) > 0)
			break;
	}
	url->stop = at;
	return at;
}

/* Returns `end` without the punctuation marks before it, and without octets of the set `more`. */
static uint32_t without_marks(struct text t, uint32_t from, uint32_t end, const char *more)
{
	while (end > from) {
		const uint32_t octets = mark_before(t, end);
		if (octets == 0 && !one_of(octet(t, end - 1), more))
			break;
		end -= octets > 0 ? octets : 1;
	}
	return end > from ? end : from;
}

/* The authority as far as it was read. */
struct authority {
	uint32_t stop;   /* where it ends if no "@" follows */
	uint32_t square; /* open brackets */
	bool dotted;     /* the host contains a dot */
};

/* Reads an octet of the authority. */
static void read_authority(struct text t, uint32_t at, struct authority *a)
{
	const unsigned c = octet(t, at);
	if (c == '@') {
		*a = (struct authority){.stop = t.end};
	} else if (c == '[') {
		a->square++;
	} else if (c == ']' && a->square > 0) {
		a->square--;
	} else if (at < a->stop && (c == ']' || is_host_stop(t, at, a->dotted))) {
		a->stop = at;
	}
	a->dotted = a->dotted || c == '.';
}

/* Returns the offset where the IP literal that begins at `at` has to end. */
static uint32_t bracketed_stop(struct text t, uint32_t at)
{
	return find(t, at, RBRACKET | SLASH | AT | OUTSIDE);
}

/* Returns the offset of the "]" of the IP literal that a host at `at` begins with, else `at`. Its
 * brackets delimit no URL. */
static uint32_t bracketed_end(struct text t, uint32_t at, uint32_t body)
{
	uint32_t end;
	if (octet(t, at) != '[' || (at > body && octet(t, at - 1) != '@'))
		return at;
	end = bracketed_stop(t, at);
	return octet(t, end) == ']' && find(until(t, end), at, COLON) < end ? end : at;
}

/* Returns an offset after the octets that decided whether an authority ends at `at`. */
static uint32_t decided_at(struct text t, uint32_t at)
{
	if (is_closing(octet(t, at)))
		return userinfo_end(t, at + 1);
	return octet(t, at) == '[' ? bracketed_stop(t, at) : at;
}

/* Returns the end of the authority: the start of path, query or fragment, what is_hard_end() finds,
 * a mark of another script, or a "]" without "[" in its host, which no reader accepts. An authority
 * with a guessed scheme has no slashes before it, so a run may contain many. It ends at a bracket
 * or mark only if it is not longer than MOST_GUESSED, which keeps time linear. */
static uint32_t authority_end(struct text t, struct text_url *url, const struct opener_row *opener)
{
	uint32_t at = url->body;
	struct authority a = {.stop = t.end};
	for (at = find(t, at, STOPS_OF_AUTHORITY); is(t, at, HIGH | DELIMITER | AT | DOT);
	     at = find(t, at + 1, STOPS_OF_AUTHORITY)) {
		const uint32_t literal = bracketed_end(t, at, url->body);
		if (literal > at)
			at = literal;
		else if (is_hard_end(t, at, url, opener))
			break;
		else
			read_authority(t, at, &a);
	}
	url->stop = decided_at(t, at);
	return a.stop < at && (!url->guessed || at - url->body <= MOST_GUESSED) ? a.stop : at;
}

bool urivet_text_url_end(struct text t, struct text_url *url)
{
	const uint32_t body = url->body;
	const struct opener_row *opener = opener_before(t, url->begin);
	const uint32_t host = url->authority ? authority_end(t, url, opener) : body;
	if (host == body || is(t, host, SLASH | QUESTION | HASH))
		url->end =
		    without_marks(t, body, balanced_end(t, host, url, unless_bracket(opener)), "");
	else
		url->end = host;
	if (host > body && url->end <= host)
		url->end = without_marks(t, body, url->end, ")}");
	url->next = url->end;
	if (url->end == body && !is_hard_end(t, body, url, opener)) {
		/* Only brackets so far. If only punctuation follows them, there is no URI. */
		url->next = find(t, body, OUTSIDE);
		url->stop = url->next;
		url->end = without_marks(t, body, url->next, ")]}");
		url->next = url->end > body ? url->end : url->next;
	}
	return url->end > body;
}
