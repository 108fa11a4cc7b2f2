/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding and encoding of octets by the WHATWG URL Standard, for all components. */
#include "readers/browser_text.h"

#include "text/utf8.h"

/* ---- Code points ------------------------------------------------------------- */

struct unit urivet_percent_decode(struct text t, uint32_t at)
{
	const uint32_t high = step(t, at), low = step(t, high);
	struct unit u = {octet(t, at), at + 1, false};
	if (u.value == '%' && is(t, high, HEXDIG) && is(t, low, HEXDIG)) {
		u.value = hex_value(octet(t, high)) * 16 + hex_value(octet(t, low));
		u.next = step(t, low);
		u.escaped = true;
	}
	return u;
}

/* A code point in UTF-8. */
struct sequence {
	uint8_t octets[4];
	uint8_t length;
	uint32_t next;
};

/* The UTF-8 decoder of the Encoding Standard, for an octet above 0x7F. A truncated sequence becomes
 * one U+FFFD. Raw and percent-encoded octets never form a sequence together, because the standard
 * decodes UTF-8 before percent-encoding. */
static struct sequence utf8_decode(struct text t, uint32_t at)
{
	const struct unit first = urivet_percent_decode(t, at);
	const struct utf8_lead *const lead = urivet_utf8_lead(first.value);
	const unsigned length = lead == NULL ? 0 : lead->more + 1u;
	struct sequence s = {{(uint8_t)first.value}, 1, first.next};
	while (s.length < length) {
		const struct unit u = urivet_percent_decode(t, s.next);
		const unsigned low = s.length == 1 ? lead->low : 0x80;
		const unsigned high = s.length == 1 ? lead->high : 0xbf;
		if (u.escaped != first.escaped || u.value < low || u.value > high)
			break;
		s.octets[s.length++] = (uint8_t)u.value;
		s.next = u.next;
	}
	if (s.length != length) {
		const struct sequence replacement = {{0xef, 0xbf, 0xbd}, 3, s.next};
		s = replacement;
	}
	s.next = skip(t, s.next, REMOVED);
	return s;
}

uint32_t urivet_next_point(struct text t, uint32_t *at)
{
	const struct unit u = urivet_percent_decode(t, *at);
	struct sequence s;
	uint32_t c;
	if (u.value < 0x80) {
		*at = skip(t, u.next, REMOVED);
		return u.value;
	}
	s = utf8_decode(t, *at);
	*at = s.next;
	c = s.octets[0] & (0x7fu >> s.length);
	for (unsigned k = 1; k < s.length; k++)
		c = c << 6 | s.octets[k] % 64u;
	return c;
}

/* ---- Percent-encoding ----------------------------------------------------------- */

#define QUERY_KINDS (BLANK | MARKUP | OTHERASCII | HASH)
#define PATH_KINDS  (QUERY_KINDS | QUESTION | BRACE)
#define USER_KINDS  (PATH_KINDS | SLASHES | COLON | SEMICOLON | EQUALS | AT | LBRACKET | RBRACKET)

static const struct {
	uint32_t kinds;
	const char *except; /* octets of these kinds outside the set */
} sets[SETS] = {
    [FRAGMENT_SET] = {BLANK | MARKUP | OTHERASCII, "^|"},
    [SPECIAL_QUERY_SET] = {QUERY_KINDS | APOSTROPHE, "^`|"},
    [PATH_SET] = {PATH_KINDS, "|"},
    [USERINFO_SET] = {USER_KINDS, ""},
};

static bool is_in(enum percent_encode_set set, unsigned c)
{
	if ((urivet_kinds[c] & sets[set].kinds) == 0)
		return false;
	for (const char *kept = sets[set].except; *kept != '\0'; kept++)
		if ((unsigned char)*kept == c)
			return false;
	return true;
}

void urivet_percent_encode(struct out *o, unsigned c)
{
	static const char digits[] = "0123456789ABCDEF";
	put(o, '%');
	put(o, (unsigned char)digits[c >> 4]);
	put(o, (unsigned char)digits[c & 15]);
}

uint32_t urivet_utf8_percent_encode(struct out *o, struct text t, uint32_t at)
{
	const struct sequence s = utf8_decode(t, at);
	for (unsigned k = 0; k < s.length; k++)
		urivet_percent_encode(o, s.octets[k]);
	return s.next;
}

void urivet_put_encoded(struct out *o, struct text t, uint32_t at, enum percent_encode_set set)
{
	at = skip(t, at, REMOVED);
	while (at < t.end) {
		const unsigned c = octet(t, at);
		if (is(t, at, HIGH)) {
			at = urivet_utf8_percent_encode(o, t, at);
			continue;
		}
		if (is_in(set, c))
			urivet_percent_encode(o, c);
		else
			put(o, c);
		at = step(t, at);
	}
}
