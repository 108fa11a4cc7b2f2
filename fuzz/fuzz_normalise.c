/* SPDX-License-Identifier: Apache-2.0 */
/* Normal forms: their own normal form, hardly longer, and of the same meaning. */
#include "oracles.h"

/* What strtoul(3) makes of two digits, which stand in octets that no NUL ends. */
static char triplet_value(const char *digits)
{
	const char text[3] = {digits[0], digits[1], '\0'};
	return (char)strtoul(text, NULL, 16);
}

/* Octets of a component that parses, triplets resolved: what it means when it is used. */
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

/* The digits of the port after its zeros. */
static struct urivet_span port_digits(const char *data, const struct urivet_uri *uri)
{
	struct urivet_span s = uri->part[URIVET_PORT];
	for (; s.length > 0 && data[s.offset] == '0'; s.length--)
		s.offset++;
	return s;
}

/* The same number is written; or none, and the scheme implies it. */
static bool same_port(const char *a, const struct urivet_uri *x, const char *b,
		      const struct urivet_uri *y)
{
	const struct urivet_span s = port_digits(a, x), t = port_digits(b, y);
	return x->port == y->port && (same(a + s.offset, s.length, b + t.offset, t.length) ||
				      (!urivet_has(y, URIVET_PORT) && y->port != URIVET_NO_PORT));
}

/* Userinfo, query and fragment mean what they meant; so do presence and port. */
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
