/* SPDX-License-Identifier: Apache-2.0 */
/* Tests suggested spellings: RFC 3986, 6.2.2 and 6.2.3, and inputs without one. */
#include <urivet/spelling.h>

#include "support.h"

TestSuite(suggest, .timeout = 60);

static const struct {
	const char *uri, *spelling; /* NULL: no suggestion */
	int base;
} rows[] = {
	{"HTTP://EXAMPLE.com", "http://example.com/", URIVET_STRICT},
	{"http://example.com/", "http://example.com/", URIVET_STRICT},
	{"http://example.com:80/%41/../b", "http://example.com/b", URIVET_STRICT},
	{"https://example.com:0443/", "https://example.com/", URIVET_STRICT},
	{"http://h:/", "http://h/", URIVET_STRICT},
	{"http://h:00080?q", "http://h/?q", URIVET_STRICT},
	{"http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:db8::1]/", URIVET_STRICT},
	{"http://[1:2:3::5:6:7:8]", "http://[1:2:3:0:5:6:7:8]/", URIVET_STRICT}, /* the spelling is two octets longer */
	{"http://h/a/./b/../c/%2e%2E/d", "http://h/a/d", URIVET_STRICT},
	{"http://h/../../a", "http://h/a", URIVET_STRICT},
	{"http://h/a/..", "http://h/", URIVET_STRICT},
	{"http://h/a/.", "http://h/a/", URIVET_STRICT},
	{"http://h/a//../b", "http://h/a/b", URIVET_STRICT},
	{"http://h/%7euser/%c3%a9%5c?%61=%62#%63", "http://h/~user/%C3%A9%5C?a=b#c", URIVET_STRICT},
	{"http://h?a.b.c", "http://h/?a.b.c", URIVET_STRICT},
	{"http://h:80#x", "http://h/#x", URIVET_STRICT},
	{"http://h#@x", NULL, URIVET_STRICT},
	{"http://h?", "http://h/?", URIVET_STRICT},
	{"Https://h?a,b", "https://h/?a,b", URIVET_STRICT},
	{"http://h#a", "http://h/#a", URIVET_STRICT},
	/* octets that no URI may contain are percent-encoded, if nothing else is wrong */
	{"http://h/a b", "http://h/a%20b", URIVET_STRICT},
	{"http://h/a|b^`\"<>", "http://h/a%7Cb%5E%60%22%3C%3E", URIVET_STRICT},
	{"http://h/?a[0]=[1]", "http://h/?a%5B0%5D=%5B1%5D", URIVET_STRICT},
	{"http://h/100%", "http://h/100%25", URIVET_STRICT},
	{"http://h/%zz%4", "http://h/%25zz%254", URIVET_STRICT},
	{"http://h/#a#b", "http://h/#a%23b", URIVET_STRICT},
	{"Http://H/x/../a b?c d#e f", "http://h/a%20b?c%20d#e%20f", URIVET_STRICT},
	{"http://[2001:db8::1]/a b", "http://[2001:db8::1]/a%20b", URIVET_STRICT},
	{"http://h/%%341", NULL, URIVET_STRICT},
	{"http://h/{id}?a={}", "http://h/%7Bid%7D?a=%7B%7D", URIVET_STRICT},
	{"http://h/a\\b", NULL, URIVET_STRICT},
	{"http://h/a\tb", NULL, URIVET_STRICT},
	{"http://h/ ", NULL, URIVET_STRICT},
	{"http://h|x/", NULL, URIVET_STRICT},
	{"http://u@h/a b", NULL, URIVET_STRICT},
	{"http://h/a%2Fb", NULL, URIVET_STRICT},
	{"http://h/a;", NULL, URIVET_STRICT},
	{"http://h/#!a", NULL, URIVET_STRICT},
	{"Http://h/%7ea?b|%c3", "http://h/~a?b|%C3", URIVET_GATEWAY},
	{"http://h/a%3bb", NULL, URIVET_GATEWAY},
	/* a decoded triplet must not become part of another one */
	{"http://h/?a=%3%31", "http://h/?a=%3%31", URIVET_GATEWAY},
	{"Http://h/?a=%3%31", NULL, URIVET_GATEWAY},
	/* fixing one fault must not cause another */
	{"http://h/.//a", NULL, URIVET_STRICT},
	/* ... but an accepted input is its own spelling */
	{"http://[2001:db8::1]:80/99", "http://[2001:db8::1]:80/99", URIVET_STRICT},
	{"http://h:80/x.y.z:80/", "http://h:80/x.y.z:80/", URIVET_STRICT},
	{"http://h/.x%2Ey.z:80/", NULL, URIVET_STRICT},
	/* no suggestion */
	{"http://u@h/", NULL, URIVET_STRICT},
	{"http://127.1/", NULL, URIVET_STRICT},
	{"http://h\\/", NULL, URIVET_STRICT},
	{"http://h/\x01", NULL, URIVET_STRICT},
	{"http://a%62c/", NULL, URIVET_STRICT},
	{"http://h:8080/", NULL, URIVET_STRICT},
	{"http://h/%00", NULL, URIVET_STRICT},
	{"http://h./", NULL, URIVET_STRICT},
	{"http://h//a", NULL, URIVET_STRICT},
	{"//h/", NULL, URIVET_STRICT},
	{"", NULL, URIVET_STRICT},
	{"http:/h/", NULL, URIVET_STRICT},
	{"x:/a/../b", "x:/b", URIVET_ANY},
	{"x:/.//h/", NULL, URIVET_ANY},
	{"X://H/%7e", "x://h/~", URIVET_ANY},
	{"FTP://H:021", "ftp://h/", URIVET_ANY},
	{"x://h", "x://h", URIVET_ANY},
	{"X:a", "x:a", URIVET_ANY},
	{"mailto:A%2eB@c", "mailto:A.B@c", URIVET_ANY},
};

Test(suggest, spellings)
{
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char out[256];
		const size_t length = strlen(rows[k].uri);
		const size_t n = urivet_suggest(out, sizeof out, at_edge(rows[k].uri, length),
		                                length, by_built_in(rows[k].base));
		cr_expect((n > 0) == (rows[k].spelling != NULL), "%s: %zu", rows[k].uri, n);
		cr_expect_str_eq(out, rows[k].spelling != NULL ? rows[k].spelling : "", "%s: %s",
		                 rows[k].uri, out);
		cr_expect(n == strlen(out));
		if (n > 0) { /* the suggestion for a suggestion is itself */
			char again[256];
			cr_expect(urivet_suggest(again, sizeof again, out, n, by_built_in(rows[k].base)) == n);
			cr_expect_str_eq(again, out);
		}
	}
}

/* Capacities follow snprintf: never an octet beyond, complete if there is room. */
Test(suggest, every_capacity)
{
	static const char uri[] = "HTTP://EXAMPLE.com/a/../%7eb/./c%5c?%41#b";
	static const char want[] = "http://example.com/~b/c%5C?A#b";
	for (size_t capacity = 0; capacity < sizeof uri + 2; capacity++) {
		char out[64];
		memset(out, 'X', sizeof out);
		cr_expect(urivet_suggest(out, capacity, uri, sizeof uri - 1, NULL) == sizeof want - 1);
		for (size_t k = capacity; k < sizeof out; k++)
			cr_expect(out[k] == 'X', "capacity %zu, octet %zu", capacity, k);
		if (capacity > 0) {
			const size_t kept = capacity <= sizeof want - 1 ? capacity - 1 : sizeof want - 1;
			cr_expect(memcmp(out, want, kept) == 0 && out[kept] == '\0', "%zu: %s",
			          capacity, out);
		}
	}
	cr_expect(urivet_suggest(NULL, 0, uri, sizeof uri - 1, NULL) == sizeof want - 1);
}

/* Inputs that another spelling does not fix have no suggestion, and need no room. */
Test(suggest, no_room_for_none)
{
	static const char *const uris[] = {"A:", "http://H/\\", "http://U@H/", "HTTP://H:99/", "\x01"};
	for (size_t k = 0; k < sizeof uris / sizeof uris[0]; k++)
		for (size_t capacity = 0; capacity < 20; capacity++) {
			char out[20] = "?";
			cr_expect(urivet_suggest(out, capacity, uris[k], strlen(uris[k]), NULL) == 0,
			          "%s, %zu", uris[k], capacity);
			cr_expect(out[0] == (capacity > 0 ? '\0' : '?'));
		}
}

static void expect(const struct urivet_policy *p, const char *uri, const char *spelling)
{
	char out[64];
	const size_t n = urivet_suggest(out, sizeof out, uri, strlen(uri), p);
	cr_expect(n == strlen(out));
	cr_expect_str_eq(out, spelling, "%s: %s", uri, out);
}

/* A refusal in an opaque query has no suggestion either, and no suggestion contains what the
 * policy waives. */
Test(suggest, opaque_queries)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_DOUBLE_ESCAPE);
	char out[20];
	for (size_t capacity = 0; capacity < sizeof out; capacity++)
		cr_expect(urivet_suggest(out, capacity, LITERAL("HTTP://H/?%00"), BY_GATEWAY) == 0);
	expect(BY_GATEWAY, "http://H/x.y:80/", "");
	expect(BY_GATEWAY, "http://H/?x.y:80|", "http://h/?x.y:80|");
	expect(&p, "http://H/?%2541", "");
	expect(&p, "http://H/?%25", "http://h/?%25");
}

/* A policy of an unknown size refuses everything, so there is no suggestion. */
Test(suggest, unknown_policies)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	expect(&p, "http://h/", "http://h/");
	p.size--;
	expect(&p, "http://h/", "");
	expect(&p, "HTTP://H", "");
}

/* Without the default port, some reader takes 80 for the port of a host it/x.y.z: if the policy
 * accepts that, the input is still the better spelling. */
Test(suggest, waived_findings_are_not_made)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_COLON_PORT_IN_TAIL);
	expect(&p, "http://h:80/x.y.z:80/", "http://h:80/x.y.z:80/");
	expect(&p, "http://h:80/'/x.y.z:80/", "http://h:80/'/x.y.z:80/"); /* accepted with a note */
	expect(&p, "http://h:80/'/x.y/:80/", "http://h/'/x.y/:80/");
}

/* Keys that are equal only after decoding: a policy that refuses duplicate keys makes no
 * suggestion. */
Test(suggest, raised_notes_are_not_made)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	expect(&p, "http://h/?%61=1&a=2", "http://h/?a=1&a=2");
	cr_assert(urivet_policy_raise(&p, URIVET_F_QUERY_DUPLICATE_KEY));
	expect(&p, "http://h/?%61=1&a=2", "");
	expect(&p, "http://h/?%61=1&b=2", "http://h/?a=1&b=2");
}

Test(suggest, addresses_as_text)
{
	static const struct {
		const char *uri, *text;
	} hosts[] = {
		{"http://[2001:DB8:0::1]/", "2001:db8::1"}, {"http://1.2.3.4/", "1.2.3.4"},
		{"http://0x7f.1/", "127.0.0.1"},            {"http://017700000001/", "127.0.0.1"},
		{"http://example.com/", ""},                {"http://256.256.256.256/", ""},
		{"mailto:a", ""},
	};
	for (size_t k = 0; k < sizeof hosts / sizeof hosts[0]; k++) {
		struct urivet_uri uri;
		char out[46];
		cr_expect(urivet_parse(&uri, hosts[k].uri, strlen(hosts[k].uri), NULL));
		cr_expect(urivet_format_address(out, sizeof out, &uri) == strlen(hosts[k].text));
		cr_expect_str_eq(out, hosts[k].text);
	}
}
