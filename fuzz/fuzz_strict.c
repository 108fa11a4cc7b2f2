/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second implementation of the strict grammar, written from its rules and independently of the
 * library. Both must accept and refuse the same inputs. It is slow, with one function for each
 * rule; rules have the names of tests/gates/grammar/gate.abnf. It has no Unicode tables: for hosts with
 * A-labels and paths with escapes above ASCII it predicts only refusals that do not depend on such
 * tables.
 */
#define _GNU_SOURCE /* strcasestr(3) */
#include <arpa/inet.h>
#include <ctype.h>
#include <strings.h>

#include "../tests/built_in.h"
#include "oracles.h"

#define LONGEST 8192

/* A component, ending with a NUL; NULL if it is absent. */
struct pieces {
	char *host, *port, *path, *query, *fragment;
	bool literal; /* the host was in brackets */
};

static bool is_all_of(const char *text, const char *set)
{
	return text[strspn(text, set)] == '\0';
}

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define HEX     DIGITS "abcdefABCDEF"
#define PCHAR   LETTERS DIGITS "-._~!$&'()*+,;=:@%"

/* Returns the value of a triplet, or -1 if there is none. */
static int triplet(const char *at)
{
	const char digits[] = {at[0] == '%' ? at[1] : '\0',
			       at[0] == '%' && at[1] != '\0' ? at[2] : '\0', '\0'};
	return strlen(digits) == 2 && is_all_of(digits, HEX) ? (int)strtol(digits, NULL, 16) : -1;
}

/* ---- Host and port -------------------------------------------------------------------- */

/* Returns true if the text begins with a dotted quad. */
static bool begins_as_quad(const char *text)
{
	for (unsigned part = 0; part < 4; part++) {
		size_t n = strspn(text, DIGITS);
		if (part > 0 && (*text++ != '.' || (n = strspn(text, DIGITS)) == 0))
			return false;
		if (part < 3 && n > 3)
			return false;
		/* a prefix of the last part is enough: 1.2.3.256 begins with 1.2.3.25 */
		if (n == 0 || (part < 3 && ((n > 1 && text[0] == '0') || atoi(text) > 255)))
			return false;
		text += n;
	}
	return true;
}

static bool is_label(const char *label, size_t length)
{
	for (size_t k = 0; k < length; k++)
		if (!isalnum((unsigned char)label[k]) &&
		    (label[k] != '-' || k == 0 || k + 1 == length))
			return false;
	return length > 0 && length <= 63;
}

/* Returns true for a name of labels, the last beginning with a letter, without a final dot (D5). */
static bool is_name(const char *host)
{
	const char *last = strrchr(host, '.');
	if (strlen(host) > 253 || !isalpha((unsigned char)(last != NULL ? last[1] : host[0])))
		return false;
	for (const char *label = host;; label += strcspn(label, ".") + 1) {
		const size_t length = strcspn(label, ".");
		if (!is_label(label, length))
			return false;
		if (label[length] == '\0')
			return !begins_as_quad(host); /* G1 */
	}
}

/* Returns true if the text is spelled as in RFC 5952 and holds no embedded IPv4 address that
 * readers know (G3). */
static bool is_plain_ipv6(const char *text)
{
	static const uint8_t zeros[16];
	uint8_t a[16];
	char canonical[INET6_ADDRSTRLEN];
	if (inet_pton(AF_INET6, text, a) != 1 || strchr(text, '.') != NULL)
		return false;
	if (memcmp(a, zeros, 12) == 0 && (a[12] != 0 || a[13] != 0 || a[14] != 0 || a[15] > 1))
		return false;
	if (memcmp(a, zeros, 8) == 0 &&
	    ((memcmp(a + 8, "\0\0\xff\xff", 4) == 0) || memcmp(a + 8, "\xff\xff\0\0", 4) == 0))
		return false;
	if ((a[8] == 0 || a[8] == 2) && a[9] == 0 && a[10] == 0x5e && a[11] == 0xfe)
		return false;
	return inet_ntop(AF_INET6, a, canonical, sizeof canonical) != NULL &&
	       strcasecmp(canonical, text) == 0;
}

static bool is_host(const struct pieces *p)
{
	struct in_addr address;
	if (p->literal)
		return is_plain_ipv6(p->host);
	return inet_pton(AF_INET, p->host, &address) == 1 || is_name(p->host);
}

/* ---- What follows the authority --------------------------------------------------------- */

/* Returns true if each "%" precedes two hex digits, and no unreserved character is escaped. */
static bool has_sound_escapes(const char *text)
{
	for (; (text = strchr(text, '%')) != NULL; text++) {
		const int octet = triplet(text);
		if (octet < 0 ||
		    (octet > 0 && octet < 0x80 && strchr(LETTERS DIGITS "-._~", octet) != NULL))
			return false;
		if (octet < 0x20 || octet == 0x7f) /* D2 */
			return false;
	}
	return true;
}

/* Returns true if triplets are left after decoding once (D3). */
static bool has_double_escapes(const char *text)
{
	char *once = room_for(strlen(text) + 1);
	size_t n = 0;
	bool found = false;
	for (; *text != '\0'; text += triplet(text) >= 0 ? 3 : 1)
		once[n++] = triplet(text) >= 0 ? (char)triplet(text) : *text;
	once[n] = '\0';
	for (size_t k = 0; k < n && !found; k++)
		found = triplet(once + k) >= 0;
	free(once);
	return found;
}

/* Decodes a run of escapes above ASCII. Returns how many octets it has. */
static size_t high_run(const char *text, uint8_t *out)
{
	size_t n = 0;
	for (; triplet(text) >= 0x80; text += 3)
		out[n++] = (uint8_t)triplet(text);
	return n;
}

/* Returns the length of the first UTF-8 character by its value (RFC 3629, 4), or 0 if there is
 * none. */
static size_t utf8_length(const uint8_t *at, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const size_t n = at[0] < 0xc0   ? 0
			 : at[0] < 0xe0 ? 2
			 : at[0] < 0xf0 ? 3
			 : at[0] < 0xf8 ? 4
					: 0;
	uint32_t value = n > 0 ? at[0] & (0x7fu >> n) : 0;
	if (n == 0 || n > left)
		return 0;
	for (size_t k = 1; k < n; k++) {
		if ((at[k] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (at[k] & 0x3fu);
	}
	return value < least[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : n;
}

/* Checks G5, G6 and G7: runs are UTF-8 without direction marks, and no escape follows a
 * four-octet character. */
static bool has_sound_runs(const char *text)
{
	uint8_t *run = room_for(strlen(text) / 3 + 1);
	bool sound = true;
	for (; *text != '\0' && sound; text++) {
		const size_t count = high_run(text, run);
		bool astral = false;
		size_t step;
		for (size_t at = 0; at < count && sound; at += step) {
			step = utf8_length(run + at, count - at);
			astral = astral || step == 4;
			sound = step > 0;
			if (step == 3 && run[at] == 0xe2 && run[at + 1] == 0x80)
				sound = run[at + 2] != 0x8e && run[at + 2] != 0x8f &&
					!(run[at + 2] >= 0xaa && run[at + 2] <= 0xae);
			if (step == 3 && run[at] == 0xe2 && run[at + 1] == 0x81)
				sound = !(run[at + 2] >= 0xa6 && run[at + 2] <= 0xa9);
		}
		text += 3 * count;
		sound = sound && !(astral && triplet(text) >= 0);
		text -= *text == '\0';
	}
	free(run);
	return sound;
}

static bool has_high_escape(const char *text)
{
	for (; (text = strchr(text, '%')) != NULL; text++)
		if (triplet(text) >= 0x80)
			return true;
	return false;
}

/* Returns true for U+0080 to U+009F. Their first UTF-8 octet occurs nowhere else in a sequence. */
static bool has_c1_escape(const char *text)
{
	for (; (text = strchr(text, '%')) != NULL; text++)
		if (triplet(text) == 0xc2 && triplet(text + 3) >= 0x80 && triplet(text + 3) < 0xa0)
			return true;
	return false;
}

/* Returns true for escapes that .NET on Mono decodes next to one above ASCII. */
static bool has_mixed_escape(const char *text)
{
	for (; (text = strchr(text, '%')) != NULL; text++)
		if (triplet(text) > 0 && strchr("!'()*:", triplet(text)) != NULL)
			return true;
	return false;
}

static bool is_tail_part(const char *text, const char *set)
{
	return is_all_of(text, set) && has_sound_escapes(text) && !has_double_escapes(text) &&
	       has_sound_runs(text);
}

/* Returns the length of the spelling of `octet` at this place, or 0 if it is another octet. */
static size_t is_spelled(const char *at, char octet)
{
	return *at == octet ? 1 : triplet(at) == octet ? 3 : 0;
}

/* Skips one or two dots, in any spelling. Returns where they end, or NULL. */
static const char *past_dots(const char *at)
{
	unsigned dots = 0;
	for (size_t n; dots < 3 && (n = is_spelled(at, '.')) > 0; at += n)
		dots++;
	return dots == 1 || dots == 2 ? at : NULL;
}

/* Returns true if a segment has only dots, between slashes of any spelling or before parameters
 * (G4, G13, D4; G15 with `ends`). */
static bool has_dot_piece(const char *text, const char *ends)
{
	bool begins = true;
	while (*text != '\0') {
		const char *after = begins ? past_dots(text) : NULL;
		size_t n = 0;
		if (after != NULL && (*after == '\0' || is_spelled(after, ';') > 0))
			return true;
		for (const char *end = ends; after != NULL && *end != '\0'; end++)
			if (is_spelled(after, *end) > 0)
				return true;
		for (const char *end = ends; *end != '\0' && n == 0; end++)
			n = is_spelled(text, *end);
		begins = n > 0;
		text += n > 0 ? n : 1;
	}
	return false;
}

static bool ends_with_semicolon(const char *path)
{
	const size_t length = strlen(path);
	return (length >= 1 && path[length - 1] == ';') ||
	       (length >= 3 && triplet(path + length - 3) == ';');
}

static bool has_escaped_slash(const char *path)
{
	for (; (path = strchr(path, '%')) != NULL; path++)
		if (triplet(path) == '/')
			return true;
	return false;
}

static bool is_path(const char *path)
{
	return path[0] == '/' && path[1] != '/' && is_tail_part(path, PCHAR "/") &&
	       !has_dot_piece(path, "/\\") && !has_escaped_slash(path) &&
	       !ends_with_semicolon(path);
}

static bool is_fragment(const char *fragment)
{
	return is_tail_part(fragment, PCHAR "/?") && is_spelled(fragment, '!') == 0 &&
	       !has_dot_piece(fragment, "/?\\");
}

/* ---- Rules about two components --------------------------------------------------------- */

/* Applies G12: without a port, the first colon after the authority looks like a port's, with a
 * dot before it. */
static bool seems_to_have_port(const struct pieces *p, const char *after)
{
	const char *colon = strchr(after, ':'), *end, *at;
	if (p->literal || p->port != NULL || colon == NULL)
		return false;
	end = colon + 1 + strspn(colon + 1, DIGITS);
	if (end == colon + 1 || (*end != '\0' && strchr("/?#", *end) == NULL))
		return false;
	for (at = colon; at > after && strchr(LETTERS DIGITS "-_.", at[-1]) != NULL; at--)
		if (at[-1] == '.')
			return true;
	return false;
}

/* G9 */
static bool path_seems_a_port(const struct pieces *p)
{
	return p->literal && p->port == NULL && strchr(DIGITS "+-", p->path[1]) != NULL &&
	       p->path[1] != '\0';
}

/* ---- The whole --------------------------------------------------------------------------- */

static const struct {
	const char *front, *port;
	bool strict;
} schemes[] = {{"http://", "80", true},
	       {"https://", "443", true},
	       {"ws://", "80", false},
	       {"wss://", "443", false},
	       {"ftp://", "21", false}};
#define SCHEMES (sizeof schemes / sizeof schemes[0])

/* Cuts in place the text after "scheme://". */
static struct pieces cut(char *at)
{
	struct pieces p = {NULL, NULL, NULL, NULL, NULL, at[0] == '['};
	char *hash = strchr(at, '#'), *question;
	if (hash != NULL) {
		*hash = '\0';
		p.fragment = hash + 1;
	}
	if ((question = strchr(at, '?')) != NULL) {
		*question = '\0';
		p.query = question + 1;
	}
	p.host = at;
	p.path = at + strcspn(at, "/");
	return p;
}

/* Takes host and port out of "host:port", which ends before the path. Returns false if there is
 * neither. */
static bool cut_authority(struct pieces *p, char *authority)
{
	char *end = authority + strcspn(authority, p->literal ? "]" : ":");
	p->host = authority + p->literal;
	if (p->literal && *end++ != ']')
		return false;
	if (*end == ':')
		p->port = end + 1;
	else if (*end != '\0')
		return false;
	end[p->literal ? -1 : 0] = '\0';
	return true;
}

enum opinion { REFUSED, ACCEPTED, OPEN };

/* Writes to `text`, which ends with a NUL. `raw` is a copy of what follows "scheme://". */
static enum opinion judge(char *text, const char *raw, const char *default_port)
{
	struct pieces p = cut(text);
	const size_t authority = (size_t)(p.path - text);
	char *host = room_for(authority + 1);
	bool good, open;
	memcpy(host, text, authority);
	host[authority] = '\0';
	good = cut_authority(&p, host) && is_host(&p) &&
	       (p.port == NULL || strcmp(p.port, default_port) == 0);
	if (p.path[0] == '\0') /* G11 */
		good = good && p.query == NULL && p.fragment == NULL;
	else
		good = good && is_path(p.path) &&
		       (p.query == NULL || is_tail_part(p.query, PCHAR "/?")) &&
		       (p.fragment == NULL || is_fragment(p.fragment)) && !path_seems_a_port(&p) &&
		       !seems_to_have_port(&p, raw + authority);
	good = good && !(p.fragment != NULL && has_mixed_escape(p.fragment) && has_high_escape(raw)); /* G8 */
	good = good && !has_c1_escape(raw); /* D2 */
	open = (!p.literal && strcasestr(p.host, "xn--") != NULL) ||
	       has_high_escape(p.path); /* G2, G17 */
	free(host);
	return !good ? REFUSED : open ? OPEN : ACCEPTED;
}

static enum opinion opinion_of(const uint8_t *data, size_t length, bool strict)
{
	char *text = room_for(length + 1), *copy = room_for(length + 1);
	enum opinion said = REFUSED;
	memcpy(text, data, length);
	memcpy(copy, data, length);
	text[length] = copy[length] = '\0';
	for (size_t k = 0; k < SCHEMES; k++) {
		const size_t n = strlen(schemes[k].front);
		if (strncmp(text, schemes[k].front, n) == 0 && (schemes[k].strict || !strict) &&
		    strlen(copy) == length && length <= LONGEST)
			said = judge(text + n, copy + n, schemes[k].port);
	}
	free(text);
	free(copy);
	return said;
}

/* Returns true if the scheme is one that the policy `any` judges by these rules. */
static bool is_of_the_gate(const uint8_t *data, size_t length)
{
	for (size_t k = 0; k < SCHEMES; k++)
		if (length >= strlen(schemes[k].front) &&
		    memcmp(data, schemes[k].front, strlen(schemes[k].front)) == 0)
			return true;
	return false;
}

static void expect(const uint8_t *data, size_t length, bool strict)
{
	const enum opinion said = opinion_of(data, length, strict);
	struct urivet_report r;
	const bool accepted =
	    urivet_check(&r, data, length, strict ? BY_STRICT : BY_ANY) == URIVET_ACCEPT;
	oracle(said != REFUSED || !accepted, "what the rules refuse is refused");
	oracle(said != ACCEPTED || accepted, "what the rules accept is accepted");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	if (length == 0)
		return 0;
	expect(data, length, true);
	if (is_of_the_gate(data, length))
		expect(data, length, false);
	return 0;
}
