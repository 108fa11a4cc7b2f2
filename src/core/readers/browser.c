/* SPDX-License-Identifier: Apache-2.0 */
/* Reads URLs as browsers do, by the WHATWG URL Standard. Each state of its parser is a function
 * here, in the order of the standard. It reads from the pointer, writes its component to the output
 * and records the span. */
#include "readers/browser.h"

#include "readers/browser_host.h"
#include "readers/browser_text.h"
#include "uri/uri.h"

struct parser {
	struct text t;
	uint32_t pointer;
	struct out *o;
	struct urivet_reading *reading;
};

/* Records the component written since `start`. */
static void note_part(struct parser *p, enum urivet_component c, size_t start)
{
	const struct urivet_span s = {(uint32_t)start, (uint32_t)(p->o->length - start)};
	p->reading->uri.part[c] = s;
	p->reading->uri.present |= 1u << c;
}

/* ---- Scheme, and the slashes after it --------------------------------------------- */

/* Returns the offset after `word` (in lower case) if it begins at `at`, ignoring case; else
 * `at`. */
static uint32_t after_word_in_steps(struct text t, uint32_t at, const char *word)
{
	uint32_t i = at;
	while (*word != '\0' && lower(octet(t, i)) == (unsigned char)*word) {
		i = step(t, i);
		word++;
	}
	return *word == '\0' ? i : at;
}

/* Scheme start and scheme state. Fails for schemes that are not special. */
static bool scheme_state(struct parser *p)
{
	static const struct {
		uint8_t scheme;
		char name[6], colon[7];
	} special[] = {
	    {URIVET_SCHEME_HTTP, "http", "http:"}, {URIVET_SCHEME_HTTPS, "https", "https:"},
	    {URIVET_SCHEME_WS, "ws", "ws:"},       {URIVET_SCHEME_WSS, "wss", "wss:"},
	    {URIVET_SCHEME_FTP, "ftp", "ftp:"},
	};
	for (unsigned k = 0; k < sizeof special / sizeof special[0]; k++) {
		const uint32_t next = after_word_in_steps(p->t, p->pointer, special[k].colon);
		if (next == p->pointer)
			continue;
		put_string(p->o, special[k].name);
		note_part(p, URIVET_SCHEME, 0);
		put(p->o, ':');
		p->reading->uri.scheme = special[k].scheme;
		p->pointer = next;
		return true;
	}
	return false;
}

/* Special authority slashes and special authority ignore slashes state: skips all slashes; none are
 * required. */
static void authority_slashes_state(struct parser *p)
{
	while (is(p->t, p->pointer, SLASHES))
		p->pointer = step(p->t, p->pointer);
	put_string(p->o, "//");
}

/* ---- Authority ---------------------------------------------------------------------- */

/* Authority state, for the credentials before the "@" at the end of t. An empty password is not
 * written, nor is an empty username without a password. */
static void credentials(struct parser *p, struct text t, uint32_t at)
{
	const size_t start = p->o->length;
	const uint32_t colon = find(t, at, COLON);
	size_t password;
	urivet_put_encoded(p->o, until(t, colon), at, USERINFO_SET);
	put(p->o, ':');
	password = p->o->length;
	urivet_put_encoded(p->o, t, colon + 1, USERINFO_SET);
	if (p->o->length == password)
		p->o->length--;
	if (p->o->length == start)
		return;
	note_part(p, URIVET_USERINFO, start);
	put(p->o, '@');
}

/* Returns the end of the host at `at`: a colon outside brackets, or the end of the authority. */
static uint32_t host_end(struct text t, uint32_t at)
{
	bool inside_brackets = false;
	for (; at < t.end; at++) {
		if (octet(t, at) == ':' && !inside_brackets)
			return at;
		if (is(t, at, LBRACKET | RBRACKET))
			inside_brackets = is(t, at, LBRACKET);
	}
	return at;
}

/* Host state. The span of an IPv6 address does not include the brackets. */
static bool host_state(struct parser *p, struct text t, uint32_t at)
{
	const size_t start = p->o->length;
	if (!urivet_browser_host(p->reading, t, at, p->o))
		return false;
	note_part(p, URIVET_HOST, start);
	if (p->reading->uri.host_kind == URIVET_HOST_IPV6) {
		p->reading->uri.part[URIVET_HOST].offset += 1;
		p->reading->uri.part[URIVET_HOST].length -= 2;
	}
	return true;
}

static void put_port(struct out *o, uint32_t value)
{
	uint32_t power = 1;
	while (value / power >= 10)
		power *= 10;
	for (; power > 0; power /= 10)
		put(o, '0' + value / power % 10);
}

/* Port state. The default port and an empty port are not written. */
static bool port_state(struct parser *p, struct text t, uint32_t at)
{
	const uint32_t standard = urivet_default_port(p->reading->uri.scheme);
	uint32_t value = 0;
	size_t start;
	p->reading->uri.port = standard;
	at = skip(t, at, REMOVED);
	if (at >= t.end)
		return true;
	for (; is(t, at, DIGIT) && value <= 65535; at = step(t, at))
		value = value * 10 + (octet(t, at) - '0');
	if (at < t.end || value > 65535)
		return false;
	p->reading->uri.port = value;
	if (value == standard)
		return true;
	put(p->o, ':');
	start = p->o->length;
	put_port(p->o, value);
	note_part(p, URIVET_PORT, start);
	return true;
}

/* Splits the authority: credentials up to the last "@", host, port. */
static bool authority_state(struct parser *p)
{
	const struct text t = until(p->t, find(p->t, p->pointer, SLASHES | QUESTION | HASH));
	const size_t start = p->o->length;
	uint32_t at = p->pointer, end;
	for (uint32_t i = p->pointer; i < t.end; i++)
		if (octet(t, i) == '@')
			at = i + 1;
	if (at > p->pointer)
		credentials(p, until(t, at - 1), p->pointer);
	end = host_end(t, at);
	if (!host_state(p, until(t, end), at) || !port_state(p, t, end + 1))
		return false;
	note_part(p, URIVET_AUTHORITY, start);
	p->pointer = t.end;
	return true;
}

/* ---- Path, query, fragment ------------------------------------------------------------ */

/* Returns 1 if the text from `at` is a single-dot URL path segment, 2 if it is a double-dot one,
 * else 0. */
static unsigned url_dot_segment(struct text t, uint32_t at)
{
	unsigned n = 0;
	at = skip(t, at, REMOVED);
	while (at < t.end) {
		const struct unit u = urivet_percent_decode(t, at);
		if (u.value != '.' || n == 2)
			return 0;
		n++;
		at = skip(t, u.next, REMOVED);
	}
	return n;
}

/* Removes the last segment and its slash from the path written since `start`. Each octet is written
 * and removed at most once, so time is linear. */
static void shorten(struct out *o, size_t start)
{
	while (o->length > start && octet_put(o, o->length - 1) != '/')
		o->length--;
	if (o->length > start)
		o->length--;
}

/* Path start and path state. Each segment is written after its slash. A dot segment writes an empty
 * segment if it is the last one. */
static void path_state(struct parser *p)
{
	const struct text t = until(p->t, find(p->t, p->pointer, QUESTION | HASH));
	const size_t start = p->o->length;
	uint32_t at = p->pointer;
	do {
		const uint32_t first = at < t.end ? at + 1 : at;
		const struct text segment = until(t, find(t, first, SLASHES));
		const unsigned n = url_dot_segment(segment, first);
		if (n == 2)
			shorten(p->o, start);
		if (n == 0 || segment.end == t.end)
			put(p->o, '/');
		if (n == 0)
			urivet_put_encoded(p->o, segment, first, PATH_SET);
		at = segment.end;
	} while (at < t.end);
	note_part(p, URIVET_PATH, start);
	p->pointer = t.end;
}

static void query_state(struct parser *p)
{
	const struct text t = until(p->t, find(p->t, p->pointer, HASH));
	size_t start;
	if (octet(t, p->pointer) != '?')
		return;
	put(p->o, '?');
	start = p->o->length;
	urivet_put_encoded(p->o, t, p->pointer + 1, SPECIAL_QUERY_SET);
	note_part(p, URIVET_QUERY, start);
	p->pointer = t.end;
}

static void fragment_state(struct parser *p)
{
	size_t start;
	if (octet(p->t, p->pointer) != '#')
		return;
	put(p->o, '#');
	start = p->o->length;
	urivet_put_encoded(p->o, p->t, p->pointer + 1, FRAGMENT_SET);
	note_part(p, URIVET_FRAGMENT, start);
}

/* ---- The basic URL parser ---------------------------------------------------------------- */

/* Removes octets 0x00-0x20 at both ends. */
static void trim(struct parser *p)
{
	while (octet(p->t, p->pointer) <= ' ')
		p->pointer++;
	while (p->t.end > p->pointer && octet(p->t, p->t.end - 1) <= ' ')
		p->t.end--;
}

static bool basic_url_parser(struct parser *p)
{
	trim(p);
	if (!scheme_state(p))
		return false;
	authority_slashes_state(p);
	if (!authority_state(p))
		return false;
	path_state(p);
	query_state(p);
	fragment_state(p);
	note_part(p, URIVET_WHOLE, 0);
	/* spans cannot address longer outputs, which need inputs above 400 MiB */
	return p->o->length <= UINT32_MAX;
}

bool urivet_read_as_browser(struct urivet_reading *reading, struct text t, struct out *o)
{
	static const struct urivet_reading unread;
	struct parser p = {t, 0, o, reading};
	*reading = unread;
	if (o->capacity < URIVET_READING_CAPACITY(t.end))
		return false;
	if (!basic_url_parser(&p)) {
		*reading = unread;
		o->length = 0;
		return false;
	}
	reading->reads = true;
	reading->written = put_end(o);
	return true;
}
