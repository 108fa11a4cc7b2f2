/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds URIs in plain text by RFC 3986, appendix C, and abbreviated references
 * by heuristics. A host that stands free goes as far as a tolerant reader would
 * take it: cutting it short would hide from judgement what makes it dangerous.
 *
 * Time is linear: a look ahead is bounded by a constant, or ends where the next
 * of its kind begins, or its octets belong to the find.
 */
#include "text/out.h"
#include "text/utf8.h"

/* One view of the text has 32-bit offsets. A find that begins in its first half
 * and reaches its end is longer than any URI. */
#define VIEW (1u << 31)

/* Octets between "<" and ">", white space included. */
#define BRACKETED 16384u
/* Octets behind the colon in which a scheme without "//" must prove itself. */
#define PROOF 128u
/* The longest authority without a scheme in which brackets are cut off. */
#define AUTHORITY 256u
/* White space taken behind "URL:" where no bracket stands before it. */
#define PREFIX_SPACE 16u

#define WHITE   (SPACE | TAB | CRLF)
#define SLASHES (SLASH | BACKSLASH)
#define LABEL   (ALNUM | HYPHEN | UNDERSCORE)

/* What has been recognised, and where to go on behind it. */
struct sight {
	uint32_t begin;
	uint32_t end;
	uint32_t next;
	const char *guess; /* stands before an abbreviated one */
	bool delimited;
	bool broken;
	bool hyphen_at_break;
};

static bool one_of(unsigned c, const char *set)
{
	while (*set != '\0' && c != (unsigned char)*set)
		set++;
	return *set != '\0';
}

/* Does what stands free go on here? */
static bool goes_on(struct text t, uint32_t at)
{
	return at < t.end && !is(t, at, BLANK) && !one_of(octet(t, at), "<>\"");
}

/* ---- Schemes ---------------------------------------------------------------------- */

/* What stands behind the colon of a scheme without "//", so that prose with a
 * colon ("data: none", "news:") is no URI: an octet of the kinds `first` at
 * once, and one of the set `later` within PROOF octets, where there is a set. */
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

static bool proves_itself(struct text t, uint32_t at, const struct scheme_row *row)
{
	const struct text near = until(t, at + PROOF);
	if (!goes_on(t, at) || !is(t, at, row->first))
		return false;
	if (row->later == NULL)
		return true;
	while (goes_on(near, at) && !one_of(octet(near, at), row->later))
		at++;
	return goes_on(near, at);
}

/* Is the word from `at` to `colon` a known scheme, and `body` what it needs? */
static bool is_known(struct text t, uint32_t at, uint32_t colon, uint32_t body)
{
	const struct text name = until(t, colon);
	for (unsigned k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
		if (is_word(name, at, schemes[k].name))
			return proves_itself(t, body, &schemes[k]);
	return has_word(name, at, ms_scheme.name) && proves_itself(t, body, &ms_scheme);
}

/* ---- Abbreviated references ---------------------------------------------------------- */

/* Last labels by which a host is known where it has no "www." or "ftp.", but a
 * path. Those that are also endings of file names are left out. */
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

/* Labels with dots between. */
struct dotted {
	uint32_t labels;
	uint32_t last; /* where the last one begins */
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

/* "/", or ":", digits and "/": a host with a path. */
static bool has_path(struct text t, uint32_t at)
{
	const uint32_t digits = skip(until(t, at + 7), at + 1, DIGIT);
	if (octet(t, at) == ':' && digits > at + 1)
		at = digits;
	return octet(t, at) == '/';
}

static const char scheme_http[8] = "http://", scheme_ftp[8] = "ftp://";

/* What to put in front of the abbreviated reference at `at`, or NULL if there is
 * none: a host that begins with "www." or "ftp." and ends in letters, or one of
 * a known domain with a path (RFC 3986, 4.5). */
static const char *guess(struct text t, uint32_t at)
{
	const struct dotted d = read_dotted(t, at);
	const struct text host = until(t, d.end);
	const bool www = has_word(host, at, "www") && octet(t, skip(t, at + 3, DIGIT)) == '.';
	const bool letters = d.end >= d.last + 2 && skip(t, d.last, ALPHA) == d.end;
	if (d.labels < 2 || !letters)
		return NULL;
	if (d.labels > 2 && has_word(host, at, "ftp."))
		return scheme_ftp;
	if ((d.labels > 2 && www) || (is_known_domain(host, d.last) && has_path(t, d.end)))
		return scheme_http;
	return NULL;
}

/* May an abbreviated reference begin here? Not inside a path, an address of
 * mail or another word. */
static bool is_border(struct text t, uint32_t at)
{
	return at == 0 ||
	       is(t, at - 1, BLANK | HIGH | PLAINSUB | APOSTROPHE | SEMICOLON | EQUALS | COLON) ||
	       one_of(octet(t, at - 1), "<>\"[]{}|`");
}

/* ---- Where a URI begins ------------------------------------------------------------------ */

/* Where scheme and colon at `at` end if a URI begins there, else `at`. Behind
 * the colon stands "//" or what proves a known scheme; any octet will do where
 * it is `announced` by "URL:" and no host with a port. In brackets white space
 * may stand before that. */
static uint32_t scheme_end(struct text t, uint32_t at, bool announced, bool bracketed)
{
	const uint32_t colon = is(t, at, ALPHA) ? skip(t, at, SCHEMECHAR) : at;
	const uint32_t body = bracketed ? skip(t, colon + 1, WHITE) : colon + 1;
	if (colon == at || octet(t, colon) != ':')
		return at;
	if (octet(t, body) == '/' && octet(t, body + 1) == '/')
		return colon + 1;
	if (announced && goes_on(t, body) && octet(t, body) != ':' && guess(t, at) == NULL)
		return colon + 1;
	return is_known(t, at, colon, body) ? colon + 1 : at;
}

/* Where "URL:" at `at` ends if it announces a URI, else `at`; "URL://" is a
 * scheme of its own. */
static uint32_t prefix_end(struct text t, uint32_t at)
{
	const bool prefix = has_word(t, at, "url:") && !has_word(t, at + 4, "//");
	return prefix ? at + 4 : at;
}

/* ---- Standing free --------------------------------------------------------------------- */

/* Punctuation of other scripts, which ends a sentence or a quotation. */
static bool is_foreign_mark(uint32_t point)
{
	return point == 0xA0 || point == 0xAB || point == 0xBB ||
	       (point >= 0x2000 && point <= 0x206F) || (point >= 0x3000 && point <= 0x3011) ||
	       (point >= 0xFF01 && point <= 0xFF0F) || point == 0xFF1A || point == 0xFF1B ||
	       point == 0xFF1F || point == 0xFF3D || point == 0xFF5D;
}

/* White space, quotation marks, brackets and full stops of other scripts, where
 * what stands free ends. */
static bool is_foreign_stop(uint32_t point)
{
	return point == 0xA0 || point == 0xAB || point == 0xBB ||
	       (point >= 0x2000 && point <= 0x200B) || (point >= 0x201C && point <= 0x201F) ||
	       point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F ||
	       (point >= 0x3000 && point <= 0x3002) || (point >= 0x3008 && point <= 0x3011);
}

/* The code point of `octets` raw octets at `at`, or 0. */
static uint32_t raw_code_point(struct text t, uint32_t at, uint32_t octets)
{
	const struct utf8 u = urivet_utf8(until(t, at + octets), at, false);
	return u.form == UTF8_VALID && u.octets == octets && u.next == at + octets ? u.code_point
										   : 0;
}

/* Octets of the mark that ends at `end` and does not belong to a URI, or 0. */
static uint32_t mark_before(struct text t, uint32_t end)
{
	if (one_of(octet(t, end - 1), ".,;:!?'`|([{"))
		return 1;
	if (end >= 2 && is_foreign_mark(raw_code_point(t, end - 2, 2)))
		return 2;
	return end >= 3 && is_foreign_mark(raw_code_point(t, end - 3, 3)) ? 3 : 0;
}

static uint32_t run_end(struct text t, uint32_t at)
{
	while (goes_on(t, at))
		at++;
	return at;
}

/* Is it a closing bracket that nothing opens? Counts those that are open. */
static bool closes_nothing(unsigned c, unsigned closing, uint32_t *open)
{
	if (c != closing)
		return false;
	if (*open == 0)
		return true;
	(*open)--;
	return false;
}

/* The first closing bracket from `at` on that nothing opens, or backtick, or
 * foreign stop, or where what stands free ends. */
static uint32_t balanced_end(struct text t, uint32_t at)
{
	uint32_t round = 0;
	uint32_t square = 0;
	uint32_t curly = 0;
	for (; goes_on(t, at); at++) {
		const unsigned c = octet(t, at);
		round += c == '(';
		square += c == '[';
		curly += c == '{';
		if (c == '`' || closes_nothing(c, ')', &round) || closes_nothing(c, ']', &square) ||
		    closes_nothing(c, '}', &curly) || is_foreign_stop(raw_code_point(t, at, 2)) ||
		    is_foreign_stop(raw_code_point(t, at, 3)))
			break;
	}
	return at;
}

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

/* Where the authority at `at` ends: at a "]" that nothing opens in its host, which
 * no reader takes, else before path, query or fragment. There is no slash in front
 * of a guessed one, so that many may stand in one run: a long one goes on. */
static uint32_t authority_end(struct text t, uint32_t at, bool guessed)
{
	const uint32_t begin = at;
	uint32_t stop = t.end;
	uint32_t square = 0;
	for (; goes_on(t, at) && !is(t, at, SLASH | QUESTION | HASH); at++) {
		const unsigned c = octet(t, at);
		square += c == '[';
		if (c == '@') {
			stop = t.end;
			square = 0;
		} else if (c == ']' && square > 0) {
			square--;
		} else if (c == ']' && at < stop) {
			stop = at;
		}
	}
	return stop < at && (!guessed || at - begin <= AUTHORITY) ? stop : at;
}

/* Takes what stands free at s->begin and goes on at `body`, behind scheme and
 * slashes. Nothing is cut off that a reader might take for a part of the host. */
static bool take_free(struct text t, uint32_t body, bool authority, struct sight *s)
{
	const uint32_t host = authority ? authority_end(t, body, s->guess != NULL) : body;
	if (host > body && !is(t, host, SLASH | QUESTION | HASH))
		s->end = without_marks(t, body, host, ")}");
	else
		s->end = without_marks(t, body, balanced_end(t, host), "");
	s->next = s->end;
	if (s->end == body) {
		/* Brackets at once; if nothing but marks follows, no find is among them. */
		s->next = run_end(t, body);
		s->end = without_marks(t, body, s->next, ")]}");
		s->next = s->end > body ? s->end : s->next;
	}
	return s->end > body;
}

/* The word at s->next: a scheme, an abbreviated reference, or "URL:" before one.
 * Else s->next goes behind it. */
static bool take_word(struct text t, struct sight *s)
{
	const uint32_t first = s->next;
	const uint32_t word = skip(t, first, SCHEMECHAR);
	const uint32_t scheme = find(until(t, word), first, ALPHA);
	const uint32_t prefix = octet(t, word) == ':' ? prefix_end(t, first) : first;
	uint32_t end = first;
	s->begin = scheme;
	if (prefix > first) {
		s->begin = skip(until(t, prefix + PREFIX_SPACE), prefix, WHITE);
		end = scheme_end(t, s->begin, true, false);
	} else if (octet(t, word) == ':') {
		end = scheme_end(t, scheme, false, false);
	}
	s->next = word;
	if (end > s->begin) {
		const uint32_t body = skip(t, end, SLASHES);
		return take_free(t, body, body > end, s);
	}
	s->begin = first;
	s->guess = is(t, first, ALNUM) && is_border(t, first) ? guess(t, first) : NULL;
	return s->guess != NULL && take_free(t, first, true, s);
}

/* ---- In brackets and quotes --------------------------------------------------------------- */

/* White space from `at` to `after` stands inside a URI: a line break, or any in
 * angle brackets; but not between two URIs. */
static bool joins(struct text t, uint32_t at, uint32_t after, struct sight *s, bool any)
{
	const bool line = find(until(t, after), at, CRLF) < after;
	const uint32_t word = skip(until(t, after + PROOF), after, SCHEMECHAR);
	if ((!line && !any) || has_word(t, word, "://"))
		return false;
	s->broken = true;
	s->hyphen_at_break = s->hyphen_at_break || (line && octet(t, at - 1) == '-');
	return true;
}

/* Takes all from s->begin to the closing mark; false if that is no one URI. */
static bool take_inside(struct text t, unsigned close, struct sight *s)
{
	const bool any_space = close == '>' && s->guess == NULL;
	uint32_t at = s->begin;
	while (at < t.end && octet(t, at) != close) {
		const uint32_t after = skip(t, at, WHITE);
		if (is(t, at, CONTROL) || (close == '>' && octet(t, at) == '<'))
			return false;
		if (after > at && octet(t, after) != close && !joins(t, at, after, s, any_space))
			return false;
		if (after == at)
			s->end = ++at;
		else
			at = after;
	}
	s->next = at + 1;
	return at < t.end;
}

/* What the "<" or double quote at `at` encloses, if that is a URI. */
static bool take_delimited(struct text whole, uint32_t at, struct sight *s)
{
	const struct text t = until(whole, at + BRACKETED);
	const bool bracket = octet(t, at) == '<';
	const uint32_t first = bracket ? skip(t, at + 1, WHITE) : at + 1;
	const uint32_t prefix = prefix_end(t, first);
	struct sight inside = {.begin = prefix, .delimited = true};
	if (prefix > first)
		inside.begin = skip(t, prefix, WHITE);
	if (scheme_end(t, inside.begin, prefix > first, bracket) == inside.begin) {
		inside.guess = is(t, inside.begin, ALNUM) ? guess(t, inside.begin) : NULL;
		if (inside.guess == NULL)
			return false;
	}
	if (!take_inside(t, bracket ? '>' : '"', &inside))
		return false;
	*s = inside;
	return true;
}

/* ---- The whole text -------------------------------------------------------------------------- */

/* The next find from s->next on that begins before `stop`. */
static bool look(struct text t, uint32_t stop, struct sight *s)
{
	while (s->next < stop) {
		const uint32_t at = s->next;
		const unsigned c = octet(t, at);
		if (is(t, at, SCHEMECHAR)) {
			if (take_word(t, s))
				return true;
			continue;
		}
		if ((c == '<' || c == '"') && take_delimited(t, at, s))
			return true;
		s->next = at + 1;
	}
	return false;
}

static void put_sight(struct out *o, struct text t, const struct sight *s)
{
	if (s->guess != NULL)
		put_octets(o, s->guess, sizeof scheme_http);
	for (uint32_t at = s->begin; at < s->end; at++)
		if (!is(t, at, WHITE))
			put(o, octet(t, at));
}

bool urivet_scan_next(struct urivet_scan *scan, struct urivet_found *found, char *out,
		      size_t capacity, size_t *text_length)
{
	struct out o = {out, capacity, 0};
	while (scan->position < scan->length) {
		/* One octet more tells whether a word begins. */
		const size_t from = scan->position > 0 ? scan->position - 1 : 0;
		const size_t rest = scan->length - from;
		const struct text t = {(const uint8_t *)scan->data + from,
				       rest < VIEW ? (uint32_t)rest : VIEW};
		struct sight s = {.next = (uint32_t)(scan->position - from)};
		const bool any = look(t, t.end < rest ? VIEW / 2 : t.end, &s);
		scan->position = from + s.next;
		if (!any)
			continue;
		put_sight(&o, t, &s);
		*text_length = put_end(&o);
		*found = (struct urivet_found){
		    .offset = from + s.begin,
		    .length = s.end - s.begin,
		    .kind = s.guess != NULL ? URIVET_FOUND_ABBREVIATED : URIVET_FOUND_URI,
		    .delimited = s.delimited,
		    .broken = s.broken,
		    .hyphen_at_break = s.hyphen_at_break,
		};
		return true;
	}
	*text_length = put_end(&o);
	return false;
}
