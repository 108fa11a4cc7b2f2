/* SPDX-License-Identifier: Apache-2.0 */
/* Normal forms: idempotent, hardly longer than the input, and of the same meaning. */
#include <ctype.h>
#include <urivet/reference.h>

#include "naive.h"

/* Returns the value of two hex digits, by strtoul(3). No NUL follows them in the text. */
static char triplet_value(const char *digits)
{
	const char text[3] = {digits[0], digits[1], '\0'};
	return (char)strtoul(text, NULL, 16);
}

/* Writes a component with its triplets decoded: its meaning when it is used. */
static size_t decoded(const char *data, struct urivet_span s, char *out)
{
	size_t n = 0;
	for (uint32_t i = 0; i < s.length; i++) {
		const char *p = data + s.offset + i;
		if (*p == '%' && s.length - i > 2) {
			out[n++] = triplet_value(p + 1);
			i += 2;
		} else {
			out[n++] = *p;
		}
	}
	return n;
}

/* Returns the digits of the port after leading zeros. */
static struct urivet_span port_digits(const char *data, const struct urivet_uri *uri)
{
	struct urivet_span s = uri->part[URIVET_PORT];
	for (; s.length > 0 && data[s.offset] == '0'; s.length--)
		s.offset++;
	return s;
}

/* Returns true if both write the same port number, or one omits it and the scheme implies it. */
static bool same_port(const char *a, const struct urivet_uri *x, const char *b,
		      const struct urivet_uri *y)
{
	const struct urivet_span s = port_digits(a, x), t = port_digits(b, y);
	return x->port == y->port && (same(a + s.offset, s.length, b + t.offset, t.length) ||
				      (!urivet_has(y, URIVET_PORT) && y->port != URIVET_NO_PORT));
}

/* Checks that userinfo, query and fragment, and which components are present, and the port are
 * unchanged in meaning. */
static void same_meaning(const char *a, const struct urivet_uri *x, const char *b,
			 const struct urivet_uri *y, size_t room)
{
	static const enum urivet_component kept[] = {URIVET_USERINFO, URIVET_QUERY,
						     URIVET_FRAGMENT};
	char *p = room_for(room), *q = room_for(room);
	oracle(x->scheme == y->scheme && same_port(a, x, b, y), "a normal form connects alike");
	oracle(urivet_has(x, URIVET_AUTHORITY) == urivet_has(y, URIVET_AUTHORITY),
	       "a normal form has an authority where the input has one");
	for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
		oracle(urivet_has(x, kept[k]) == urivet_has(y, kept[k]),
		       "a normal form has the components of the input");
		oracle(same(p, decoded(a, x->part[kept[k]], p), q, decoded(b, y->part[kept[k]], q)),
		       "a normal form keeps what its components mean");
	}
	free(p);
	free(q);
}

/* ---- The normal form of the standard -------------------------------------------------- */

static bool is_unreserved(char c)
{
	return isalnum((unsigned char)c) || (c != '\0' && strchr("-._~", c) != NULL);
}

/* Applies 6.2.2.1 and 6.2.2.2: decodes triplets of unreserved characters, writes others in upper
 * case. */
static void add_unescaped(struct builder *b, const char *data, struct urivet_span s)
{
	for (uint32_t k = 0; k < s.length; k++) {
		const char *at = data + s.offset + k;
		if (*at == '%' && !is_unreserved(triplet_value(at + 1))) {
			b->length += (size_t)sprintf(b->text + b->length, "%%%c%c", toupper(at[1]),
						     toupper(at[2]));
			k += 2;
		} else if (*at == '%') {
			const char octet = triplet_value(at + 1);
			add(b, &octet, 1);
			k += 2;
		} else {
			add(b, at, 1);
		}
	}
}

/* Applies 6.2.2.3 to a path that begins with a slash. If the result would be read as an
 * authority, it is given another segment at its start. */
static void expect_path(const char *a, const struct urivet_uri *x, const char *b,
			const struct urivet_uri *y)
{
	const struct urivet_span from = x->part[URIVET_PATH], to = y->part[URIVET_PATH];
	struct builder in = {room_for(from.length + 1), 0}, out = {room_for(from.length + 1), 0};
	add_unescaped(&in, a, from);
	if (in.length > 0 && in.text[0] == '/' && urivet_has(x, URIVET_SCHEME)) {
		remove_dot_segments(&in, &out);
		const bool guarded = out.length > 1 && out.text[0] == '/' && out.text[1] == '/' &&
				     !urivet_has(x, URIVET_AUTHORITY);
		const uint32_t guard = guarded ? 2 : 0;
		oracle(to.length >= guard &&
			   same(b + to.offset + guard, to.length - guard, out.text, out.length),
		       "the path of a normal form is that of the standard");
	}
	free(in.text);
	free(out.text);
}

static void expect_host(const char *a, const struct urivet_uri *x, const char *b,
			const struct urivet_uri *y)
{
	const struct urivet_span from = x->part[URIVET_HOST], to = y->part[URIVET_HOST];
	struct builder wanted = {room_for(from.length + 1), 0};
	/* an escaped name may be an address once decoded */
	const bool escaped = from.length > 0 && memchr(a + from.offset, '%', from.length) != NULL;
	oracle(escaped || (x->host_kind == y->host_kind && x->has_ipv4 == y->has_ipv4 &&
			   memcmp(x->address, y->address, 16) == 0),
	       "the host of a normal form is of the same kind");
	if (x->host_kind == URIVET_HOST_NAME) {
		add_unescaped(&wanted, a, from);
		for (size_t k = 0; k < wanted.length; k++)
			if (k < 1 || wanted.text[k - 1] != '%')
				if (k < 2 || wanted.text[k - 2] != '%')
					wanted.text[k] = (char)tolower(wanted.text[k]);
		oracle(same(wanted.text, wanted.length, b + to.offset, to.length),
		       "the host of a normal form is that of the standard");
	}
	free(wanted.text);
}

/* Returns true if the triplet needs no change: no unreserved octet is escaped, and hex digits
 * are upper case. An escaped dot may stay in a path without a leading slash, where decoding
 * would make a dot segment. */
static bool is_plain_triplet(const char *digits)
{
	const char octet = triplet_value(digits);
	return !islower((unsigned char)digits[0]) && !islower((unsigned char)digits[1]) &&
	       (!is_unreserved(octet) || octet == '.');
}

static void expect_plain_spelling(const char *out, size_t length, const struct urivet_uri *uri)
{
	const struct urivet_span scheme = uri->part[URIVET_SCHEME];
	for (uint32_t k = 0; k < scheme.length; k++)
		oracle(!isupper((unsigned char)out[scheme.offset + k]),
		       "the scheme of a normal form is in lower case");
	for (size_t k = 0; k + 2 < length; k++)
		oracle(out[k] != '%' || is_plain_triplet(out + k + 1),
		       "a normal form escapes what needs it, in upper case");
}

/* Checks 6.2.3: if the scheme has a default port, an empty path becomes "/" and the default port
 * is not written. Other ports have no leading zeros. */
static void expect_scheme_form(const struct urivet_uri *x, const char *b,
			       const struct urivet_uri *y)
{
	const struct urivet_span port = y->part[URIVET_PORT], path = y->part[URIVET_PATH];
	const bool known = x->scheme >= URIVET_SCHEME_HTTP,
		   rooted = known && urivet_has(x, URIVET_AUTHORITY);
	oracle(port.length < 2 || b[port.offset] != '0',
	       "the port of a normal form has no zeros in front");
	oracle(!urivet_has(y, URIVET_PORT) || port.length > 0, "a normal form has no empty port");
	if (x->part[URIVET_PATH].length == 0)
		oracle(rooted ? path.length == 1 && b[path.offset] == '/' : path.length == 0,
		       "an empty path is the root where the scheme says so");
}

static void normalise(const char *data, size_t length, enum urivet_level level)
{
	const size_t room = length + 16;
	char *out = room_for(room), *again = room_for(room);
	struct urivet_uri before, after;
	bool readable;
	const size_t n =
	    urivet_normalise(out, room, data, length, level, URIVET_READER_RFC3986, &readable);
	oracle(n < room, "a normal form is hardly longer than the input");
	oracle(readable == urivet_parse(&before, data, length, NULL),
	       "what parses has a normal form");
	if (readable) {
		oracle(urivet_parse(&after, out, n, NULL), "a normal form parses");
		same_meaning(data, &before, out, &after, room);
		expect_host(data, &before, out, &after);
		if (level == URIVET_LEVEL_SYNTAX || before.part[URIVET_PATH].length > 0)
			expect_path(data, &before, out, &after);
		expect_plain_spelling(out, n, &after);
		if (level == URIVET_LEVEL_SCHEME)
			expect_scheme_form(&before, out, &after);
		oracle(urivet_normalise(again, room, out, n, level, URIVET_READER_RFC3986, NULL) ==
			       n &&
			   memcmp(again, out, n) == 0,
		       "a normal form is its own normal form");
	}
	free(out);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	normalise((const char *)data, length, URIVET_LEVEL_SYNTAX);
	normalise((const char *)data, length, URIVET_LEVEL_SCHEME);
	return 0;
}
