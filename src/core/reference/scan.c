/* SPDX-License-Identifier: Apache-2.0 */
/* Finds URIs in plain text by RFC 3986, appendix C, and abbreviated references by heuristics. The
 * host of an undelimited URI extends as far as a tolerant reader would take it. If it were cut
 * short, the dangerous part would not be judged.
 *
 * Time is linear: each look-ahead is bounded by a constant, ends where the next one of its kind
 * begins, or reads octets of the match. */
#include "reference/text_end.h"
#include "text/out.h"

/* The text is searched in windows of this size, which have 32-bit offsets. A match that begins in
 * the first half of a window and reaches its end is longer than any URI. */
#define VIEW (1u << 31)

/* Maximum number of octets between "<" and ">", including white space. */
#define MOST_BRACKETED 16384u
/* Number of octets after the colon of a scheme without "//" that are checked for the required
 * octet. */
#define LOOK_AHEAD 128u
/* Maximum white space after an undelimited "URL:". */
#define PREFIX_SPACE 16u

#define WHITE   (SPACE | TAB | CRLF)
#define SLASHES (SLASH | BACKSLASH)

/* Maximum number of octets, from the first on, that decide whether a mark ends a URL. */
#define MOST_MARK 4u
/* Instead of a number of octets to hold back: no octets follow the text. */
#define COMPLETE UINT32_MAX

/* A match, and the offset where the search continues. */
struct match {
	uint32_t begin;
	uint32_t end;
	uint32_t next;
	uint32_t stop;       /* of an undelimited URI: see struct text_url; else 0 */
	uint32_t reach;      /* of text in brackets or quotes: the octets before it decided */
	const char *guessed; /* the missing scheme of an abbreviated reference, else NULL */
	bool delimited;
	bool broken;
	bool hyphen_at_break;
	bool undecided; /* octets after the text decide what is at `next` */
};

/* ---- Schemes ---------------------------------------------------------------------- */

/* What must follow the colon of a scheme without "//", so that prose with a colon ("data: none",
 * "news:") is not taken for a URI: an octet of the kinds `first`, and, unless `later` is NULL, one
 * of that set within LOOK_AHEAD octets. */
static const struct scheme_row {
	char name[16];
	uint32_t first;
	const char *later;
} schemes[] = {
    {"http", SLASHES | ALNUM, "./\\"},
    {"https", SLASHES | ALNUM, "./\\"},
    {"ws", SLASHES | ALNUM, "./\\"},
    {"wss", SLASHES | ALNUM, "./\\"},
    {"ftp", SLASHES | ALNUM, "./\\"},
    {"file", SLASHES, NULL},
    {"gopher", SLASHES, NULL},
    {"ldap", SLASHES, NULL},
    {"ldaps", SLASHES, NULL},
    {"intent", SLASHES | HASH, NULL},
    {"mailto", ALNUM, "@"},
    {"news", ALNUM, "@."},
    {"mid", ALNUM, "@"},
    {"cid", ALNUM, "@"},
    {"sip", ALNUM, "@"},
    {"sips", ALNUM, "@"},
    {"xmpp", ALNUM, "@"},
    {"tag", ALNUM, ":"},
    {"tel", DIGIT | PLUS, NULL},
    {"sms", DIGIT | PLUS, NULL},
    {"geo", DIGIT | HYPHEN, ","},
    {"urn", ALNUM, ":"},
    {"data", ALNUM | SEMICOLON | PLAINSUB, ","},
    {"javascript", ~(uint32_t)COLON, NULL},
    {"vbscript", ~(uint32_t)COLON, NULL},
    {"livescript", ~(uint32_t)COLON, NULL},
    {"view-source", ALNUM, ":"},
    {"feed", ALNUM, ":"},
    {"blob", ALNUM, ":"},
    {"filesystem", ALNUM, ":"},
    {"jar", ALNUM, ":"},
    {"jdbc", ALNUM, ":"},
    {"jndi", ALNUM, ":"},
    {"mhtml", ALNUM, ":"},
    {"magnet", QUESTION, NULL},
    {"itms-services", SLASHES | QUESTION, NULL},
    {"search-ms", ALNUM, "="},
};

/* All schemes that begin with "ms-". */
static const struct scheme_row ms_scheme = {"ms-", SLASHES | ALNUM, "/:=|"};

/* Returns true if the text at `at` meets the requirements of the scheme. */
static bool is_scheme_body(struct text t, uint32_t at, const struct scheme_row *row)
{
	const struct text near = until(t, at + LOOK_AHEAD);
	if (!in_run(t, at) || !is(t, at, row->first))
		return false;
	if (row->later == NULL)
		return true;
	while (in_run(near, at) && !one_of(octet(near, at), row->later))
		at++;
	return in_run(near, at);
}

/* Returns true if the word from `at` to `colon` is a known scheme and `body` meets its
 * requirements. */
static bool is_known(struct text t, uint32_t at, uint32_t colon, uint32_t body)
{
	const struct text name = until(t, colon);
	for (unsigned k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
		if (is_word(name, at, schemes[k].name))
			return is_scheme_body(t, body, &schemes[k]);
	return has_word(name, at, ms_scheme.name) && is_scheme_body(t, body, &ms_scheme);
}

/* ---- Abbreviated references ---------------------------------------------------------- */

/* Last labels of hosts that are recognised by a path after them, without a leading "www." or
 * "ftp.". Labels that are also file name extensions are left out. */
static const char domains[][5] = {
    "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "arpa", "io", "dev",
    "app", "eu",  "uk",  "de",  "fr",  "nl",  "be",  "lu",   "ch",  "at",   "it", "es",
    "pt",  "ie",  "dk",  "se",  "no",  "fi",  "ee",  "lv",   "lt",  "cz",   "sk", "hu",
    "si",  "hr",  "ro",  "bg",  "gr",  "tr",  "ru",  "ua",   "by",  "ca",   "us", "mx",
    "br",  "ar",  "cl",  "au",  "nz",  "jp",  "kr",  "cn",   "tw",  "hk",   "sg", "th",
    "vn",  "id",  "my",  "il",  "ir",  "za",  "tv",  "me",
};

static bool is_known_domain(struct text host, uint32_t label)
{
	for (unsigned k = 0; k < sizeof domains / sizeof domains[0]; k++)
		if (is_word(host, label, domains[k]))
			return true;
	return false;
}

/* Labels separated by dots. */
struct dotted {
	uint32_t labels;
	uint32_t last; /* offset of the last label */
	uint32_t end;
};

static struct dotted read_dotted(struct text t, uint32_t at)
{
	struct dotted d = {1, at, skip(t, at, LABEL)};
	while (octet(t, d.end) == '.' && is(t, d.end + 1, ALNUM)) {
		d.labels++;
		d.last = d.end + 1;
		d.end = skip(t, d.last, LABEL);
	}
	return d;
}

/* Returns true for "/", or for ":", digits and "/": a host with a path. */
static bool has_path(struct text t, uint32_t at)
{
	const uint32_t digits = skip(until(t, at + 7), at + 1, DIGIT);
	if (octet(t, at) == ':' && digits > at + 1)
		at = digits;
	return octet(t, at) == '/';
}

static const char scheme_http[8] = "http://", scheme_ftp[8] = "ftp://";

/* Returns the scheme of the abbreviated reference at `at` (RFC 3986, 4.5), or NULL. It must be a
 * host that begins with "www." or "ftp." and ends in letters, or a host in a known domain followed
 * by a path. */
static const char *guessed_scheme(struct text t, uint32_t at)
{
	const struct dotted d = read_dotted(t, at);
	const struct text host = until(t, d.end);
	if (d.labels < 2 || d.end < d.last + 2 || skip(t, d.last, ALPHA) < d.end)
		return NULL;
	if (d.labels > 2 && has_word(host, at, "ftp."))
		return scheme_ftp;
	if ((d.labels > 2 && has_word(host, at, "www") &&
	     octet(t, skip(t, at + 3, DIGIT)) == '.') ||
	    (has_path(t, d.end) && is_known_domain(host, d.last)))
		return scheme_http;
	return NULL;
}

/* Returns true if an abbreviated reference may begin here: not inside a path, a mail address or
 * another word. */
static bool is_border(struct text t, uint32_t at)
{
	return at == 0 ||
	       is(t, at - 1, BLANK | HIGH | PLAINSUB | APOSTROPHE | SEMICOLON | EQUALS | COLON) ||
	       one_of(octet(t, at - 1), "<>\"[]{}|`");
}

/* ---- The beginning of a URI ----------------------------------------------------------------- */

/* Returns the offset after scheme and colon if a URI begins at `at`, else `at`. The colon must be
 * followed by "//" or by what a known scheme requires. If the URI is `announced` by "URL:" and is
 * not a host with a port, anything but a second colon may follow: "URL:std::string" is a C++ name.
 * In brackets, white space may follow the colon. */
static uint32_t scheme_end(struct text t, uint32_t at, bool announced, bool bracketed)
{
	const uint32_t colon = is(t, at, ALPHA) ? skip(t, at, SCHEMECHAR) : at;
	const uint32_t body = bracketed ? skip(t, colon + 1, WHITE) : colon + 1;
	if (colon == at || octet(t, colon) != ':')
		return at;
	if (octet(t, body) == '/' && octet(t, body + 1) == '/')
		return colon + 1;
	if (announced && in_run(t, body) && octet(t, body) != ':' && guessed_scheme(t, at) == NULL)
		return colon + 1;
	return is_known(t, at, colon, body) ? colon + 1 : at;
}

/* Returns the offset after a "URL:" at `at` that announces a URI, else `at`. "URL://" is a scheme
 * of its own. */
static uint32_t prefix_end(struct text t, uint32_t at)
{
	const bool prefix = has_word(t, at, "url:") && !has_word(t, at + 4, "//");
	return prefix ? at + 4 : at;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Returns an offset after the octets that decide whether a URI or an abbreviated reference begins
 * at `at`. It is beyond the end of the text if octets after the text could decide it. In brackets,
 * white space may follow the colon. */
static uint32_t word_reach(struct text t, uint32_t at, bool bracketed)
{
	const uint32_t word = skip(t, at, SCHEMECHAR | UNDERSCORE);
	const uint32_t body = bracketed ? skip(t, word + 1, WHITE) : word + 1;
	return octet(t, word) == ':' ? find(until(t, body + LOOK_AHEAD), body, OUTSIDE) + 1
				     : word + 1;
}

/* ---- Undelimited --------------------------------------------------------------------- */

/* Finds the end of the undelimited URI at m->begin; `body` follows scheme and slashes. */
static bool match_undelimited(struct text t, uint32_t body, bool authority, struct match *m)
{
	struct text_url url = {m->begin, body, authority, m->guessed != NULL, 0, 0, 0};
	const bool any = urivet_text_url_end(t, &url);
	m->end = url.end;
	m->next = url.next;
	m->stop = url.stop;
	return any;
}

/* Returns true if the word at m->next begins a URI: a scheme, an abbreviated reference, or "URL:"
 * before one of them. If not, moves m->next to the end of the word. */
static bool match_word(struct text t, struct match *m)
{
	const uint32_t first = m->next;
	const uint32_t word = skip(t, first, SCHEMECHAR);
	const uint32_t scheme = find(until(t, word), first, ALPHA);
	const uint32_t prefix = octet(t, word) == ':' ? prefix_end(t, first) : first;
	uint32_t end = first;
	m->stop = 0;
	m->begin = scheme;
	if (prefix > first) {
		m->begin = skip(until(t, prefix + PREFIX_SPACE), prefix, WHITE);
		end = scheme_end(t, m->begin, true, false);
	} else if (octet(t, word) == ':') {
		end = scheme_end(t, scheme, false, false);
	}
	m->next = word;
	if (end > m->begin) {
		const uint32_t body = skip(t, end, SLASHES);
		return match_undelimited(t, body, body > end, m);
	}
	m->begin = first;
	m->guessed = is(t, first, ALNUM) && is_border(t, first) ? guessed_scheme(t, first) : NULL;
	return m->guessed != NULL && match_undelimited(t, first, true, m);
}

/* ---- In brackets and quotes --------------------------------------------------------------- */

/* Returns true if the white space from `at` to `after` belongs to a URI: a line break, or any white
 * space in angle brackets, unless it separates two URIs. */
static bool is_space_inside(struct text t, uint32_t at, uint32_t after, struct match *m, bool any)
{
	const bool line = find(until(t, after), at, CRLF) < after;
	const uint32_t word = skip(until(t, after + LOOK_AHEAD), after, SCHEMECHAR);
	m->reach = after + 1;
	if ((!line && !any) || has_word(t, word, "://"))
		return false;
	m->broken = true;
	m->hyphen_at_break = m->hyphen_at_break || (line && octet(t, at - 1) == '-');
	return true;
}

/* Finds the closing delimiter of the URI at m->begin. Returns false if the text inside is not one
 * URI. */
static bool match_inside(struct text t, unsigned close, struct match *m)
{
	const bool any_space = close == '>' && m->guessed == NULL;
	uint32_t at = m->begin;
	while (at < t.end && octet(t, at) != close) {
		const uint32_t after = skip(t, at, WHITE);
		if (is(t, at, CONTROL) || (close == '>' && octet(t, at) == '<'))
			return false;
		if (after > at && octet(t, after) != close &&
		    !is_space_inside(t, at, after, m, any_space))
			return false;
		if (after == at)
			m->end = ++at;
		else
			at = after;
	}
	m->next = at + 1;
	m->reach = m->next;
	return at < t.end;
}

/* Returns the offset of the "|" after which chat messages have the text of the link, as in
 * <http://example.com/|text>, or the end of the text if there is none. A "|" that a tolerant reader
 * takes for a part of the userinfo does not count. */
static uint32_t find_link_text(struct text t, uint32_t begin)
{
	const uint32_t bar = find(t, begin, BLANK | MARKUP | OTHERASCII);
	const struct text before = until(t, bar);
	const uint32_t colon = skip(before, begin, SCHEMECHAR);
	const uint32_t body = skip(before, colon + 1, SLASHES);
	if (octet(t, bar) != '|')
		return t.end;
	if (body == colon + 1 || find(before, body, SLASH | QUESTION | HASH) < bar)
		return bar;
	return is(t, find(t, bar, MARKUP | CONTROL | AT), AT) ? t.end : bar;
}

/* Finds the ">" after the text of a link in a chat message. */
static bool match_chat(struct text t, struct match *m)
{
	const uint32_t bar = find_link_text(t, m->begin);
	const uint32_t close = find(t, bar, MARKUP | CONTROL);
	if (octet(t, close) != '>')
		return false;
	m->end = bar;
	m->next = close + 1;
	return true;
}

/* Returns the offset after the octets that decide whether match_chat() finds a link. */
static uint32_t chat_reach(struct text t, uint32_t begin)
{
	const uint32_t bar = find(t, begin, BLANK | MARKUP | OTHERASCII);
	return (octet(t, bar) == '|' ? find(t, bar, MARKUP | CONTROL) : bar) + 1;
}

/* Returns true if the "<" or double quote at `at` encloses a URI, with something after a scheme and
 * its slashes. */
static bool match_delimited(struct text whole, uint32_t at, struct match *m)
{
	const struct text t = until(whole, at + MOST_BRACKETED);
	const bool bracket = octet(t, at) == '<';
	const unsigned close = bracket ? '>' : '"';
	const uint32_t first = bracket ? skip(t, at + 1, WHITE) : at + 1;
	const uint32_t prefix = prefix_end(t, first);
	struct match inside = {.begin = prefix, .delimited = true};
	if (prefix > first)
		inside.begin = skip(t, prefix, WHITE);
	const uint32_t scheme = scheme_end(t, inside.begin, prefix > first, bracket);
	m->reach = greater(word_reach(t, first, bracket), word_reach(t, inside.begin, bracket));
	if (octet(t, skip(until(t, scheme + 2), scheme, SLASHES)) == close)
		return false;
	if (scheme == inside.begin) {
		inside.guessed =
		    is(t, inside.begin, ALNUM) ? guessed_scheme(t, inside.begin) : NULL;
		if (inside.guessed == NULL)
			return false;
	}
	if ((!bracket || !match_chat(t, &inside)) && !match_inside(t, close, &inside)) {
		m->reach = greater(m->reach, inside.reach);
		if (bracket)
			m->reach = greater(m->reach, chat_reach(t, inside.begin));
		return false;
	}
	*m = inside;
	return true;
}

/* ---- The whole text -------------------------------------------------------------------------- */

/* Returns true if there is a match at m->next. If not, moves m->next past what was read. */
static bool match_at(struct text t, struct match *m)
{
	const uint32_t at = m->next;
	const unsigned c = octet(t, at);
	if (is(t, at, SCHEMECHAR))
		return match_word(t, m);
	m->stop = 0;
	if ((c == '<' || c == '"') && match_delimited(t, at, m))
		return true;
	m->next = at + 1;
	return false;
}

/* Returns an offset after the octets that decided whether there is a match at `at`, and its end. It
 * is beyond the end of the text if octets after the text could change that. */
static uint32_t reach_of(struct text t, uint32_t at, const struct match *m)
{
	const uint32_t prefix = prefix_end(t, at);
	const uint32_t second = skip(until(t, prefix + PREFIX_SPACE), prefix, WHITE);
	if (m->stop > 0)
		return m->stop + (is(t, m->stop, OUTSIDE) ? 1u : MOST_MARK);
	if (!is(t, at, SCHEMECHAR))
		return is(t, at, MARKUP) ? m->reach : 0;
	return greater(word_reach(t, at, false), prefix > at ? word_reach(t, second, false) : 0);
}

/* Finds the next match from m->next that begins before `stop`. In an incomplete text, stops at what
 * is undecided; if it has more than `most` octets, it is taken as it is, and a match extends to the
 * end of the text. */
static bool next_match(struct text t, uint32_t stop, uint32_t most, struct match *m)
{
	while (m->next < stop) {
		const uint32_t at = m->next;
		const bool any = match_at(t, m);
		const bool open = most != COMPLETE && reach_of(t, at, m) > t.end;
		m->undecided = open && t.end - at <= most;
		if (m->undecided) {
			m->next = at;
			return false;
		}
		if (any && open)
			m->end = t.end;
		if (any)
			return true;
	}
	return false;
}

static void put_match(struct out *o, struct text t, const struct match *m)
{
	if (m->guessed != NULL)
		put_octets(o, m->guessed, sizeof scheme_http);
	if (!m->broken) {
		put_copy(o, t.data + m->begin, m->end - m->begin);
		return;
	}
	for (uint32_t at = m->begin; at < m->end; at++)
		if (!is(t, at, WHITE))
			put(o, octet(t, at));
}

/* Finds the next URI. `most` is COMPLETE, or how many octets may be held back. */
static bool find_uri(struct urivet_scan *scan, uint32_t most, struct urivet_found *found,
		     struct out *o)
{
	struct match m = {.undecided = false};
	if (scan->data == NULL)
		scan->length = 0;
	while (scan->position < scan->length && !m.undecided) {
		/* The octets before decide whether a word begins here, and what ends a URI. */
		const size_t from = scan->position > TEXT_BEFORE ? scan->position - TEXT_BEFORE : 0;
		const size_t rest = scan->length - from;
		const struct text t = {(const uint8_t *)scan->data + from,
				       rest < VIEW ? (uint32_t)rest : VIEW};
		m = (struct match){.next = (uint32_t)(scan->position - from)};
		const bool any = next_match(t, t.end < rest ? VIEW / 2 : t.end, most, &m);
		scan->position = from + m.next;
		if (!any)
			continue;
		put_match(o, t, &m);
		*found = (struct urivet_found){
		    .offset = from + m.begin,
		    .length = m.end - m.begin,
		    .kind = m.guessed != NULL ? URIVET_FOUND_ABBREVIATED : URIVET_FOUND_URI,
		    .delimited = m.delimited,
		    .broken = m.broken,
		    .hyphen_at_break = m.hyphen_at_break,
		};
		return true;
	}
	return false;
}

bool urivet_scan_next(struct urivet_scan *scan, size_t most, struct urivet_found *found, char *out,
		      size_t capacity, size_t *text_length)
{
	struct out o = {out, capacity, 0};
	const uint32_t held = most < URIVET_MAX_LENGTH ? (uint32_t)most : URIVET_MAX_LENGTH;
	const bool any = find_uri(scan, most == SIZE_MAX ? COMPLETE : held, found, &o);
	*text_length = put_end(&o);
	return any;
}
