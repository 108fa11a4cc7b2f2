/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the endpoint of an accepted URL: each member by RFC 3986, 9110 (4.2.3, 7.2) and 6066
 * (3), URLs without an endpoint, and buffers of every size. tests/core/endpoint compares with curl
 * and the readers for tens of thousands of URLs. */
#include "support.h"

#include <stdlib.h>
#include <urivet/reference.h>

TestSuite(endpoint, .timeout = 30);

/* Computes the endpoint of a string by a policy; `out` is large enough for these tests. */
static size_t endpoint_of(struct urivet_endpoint *e, char *out, size_t capacity, const char *uri,
			  const struct urivet_policy *policy)
{
	struct urivet_report r;
	const struct urivet_text input = text_of_string(uri);
	urivet_check(&r, input.data, input.length, policy);
	return urivet_endpoint(e, out, capacity, &r, input.data, input.length);
}

static bool is_zero(const struct urivet_endpoint *e)
{
	struct urivet_endpoint zero;
	memset(&zero, 0, sizeof zero);
	zero.size = sizeof zero;
	return e->size == sizeof *e && e->scheme == 0 && e->port == 0 && e->octets == 0 && !e->tls &&
	       memcmp(e->address, zero.address, 16) == 0 && e->scheme_name == NULL && e->host == NULL &&
	       e->host_field == NULL && e->tls_name == NULL && e->target == NULL && e->url == NULL;
}

Test(endpoint, members)
{
	static const struct {
		int base;
		const char *uri;
		unsigned scheme, port, octets;
		bool tls;
		const char *name, *host, *host_field, *tls_name, *target, *url;
	} rows[] = {
	    {URIVET_STRICT, "https://example.com/", URIVET_SCHEME_HTTPS, 443, 0, true, "https",
	     "example.com", "example.com", "example.com", "/", "https://example.com/"},
	    {URIVET_STRICT, "http://EXAMPLE.com", URIVET_SCHEME_HTTP, 80, 0, false, "http",
	     "example.com", "example.com", "example.com", "/", "http://example.com/"},
	    {URIVET_STRICT, "http://example.com:80/a", URIVET_SCHEME_HTTP, 80, 0, false, "http",
	     "example.com", "example.com", "example.com", "/a", "http://example.com/a"},
	    {URIVET_STRICT, "https://example.com/a/b;c?x=1&y=%2F#top", URIVET_SCHEME_HTTPS, 443, 0, true,
	     "https", "example.com", "example.com", "example.com", "/a/b;c?x=1&y=%2F",
	     "https://example.com/a/b;c?x=1&y=%2F"},
	    {URIVET_STRICT, "http://h/?", URIVET_SCHEME_HTTP, 80, 0, false, "http", "h", "h", "h", "/?",
	     "http://h/?"},
	    {URIVET_STRICT, "http://192.0.2.7/", URIVET_SCHEME_HTTP, 80, 4, false, "http", "192.0.2.7",
	     "192.0.2.7", "", "/", "http://192.0.2.7/"},
	    {URIVET_STRICT, "https://[2001:db8::1]/x", URIVET_SCHEME_HTTPS, 443, 16, true, "https",
	     "2001:db8::1", "[2001:db8::1]", "", "/x", "https://[2001:db8::1]/x"},
	    {URIVET_ANY, "ws://h/chat?v", URIVET_SCHEME_WS, 80, 0, false, "ws", "h", "h", "h",
	     "/chat?v", "ws://h/chat?v"},
	    {URIVET_ANY, "wss://h/chat", URIVET_SCHEME_WSS, 443, 0, true, "wss", "h", "h", "h", "/chat",
	     "wss://h/chat"},
	    {URIVET_ANY, "ftp://h/f", URIVET_SCHEME_FTP, 21, 0, false, "ftp", "h", "h", "h", "/f",
	     "ftp://h/f"},
	    {URIVET_GATEWAY, "http://h/p?a[b]={c}|^`\\d", URIVET_SCHEME_HTTP, 80, 0, false, "http", "h",
	     "h", "h", "/p?a[b]={c}|^`\\d", "http://h/p?a[b]={c}|^`\\d"},
	    {URIVET_STRICT, "http://A-1.b-2.Example/A/Bb?C=D", URIVET_SCHEME_HTTP, 80, 0, false, "http",
	     "a-1.b-2.example", "a-1.b-2.example", "a-1.b-2.example", "/A/Bb?C=D",
	     "http://a-1.b-2.example/A/Bb?C=D"},
	    /* the default port stays only where some reader would otherwise find another one */
	    {URIVET_STRICT, "http://h:80/x.y:21/", URIVET_SCHEME_HTTP, 80, 0, false, "http", "h", "h", "h",
	     "/x.y:21/", "http://h:80/x.y:21/"},
	    {URIVET_STRICT, "https://h:443/?x.y:21", URIVET_SCHEME_HTTPS, 443, 0, true, "https", "h", "h",
	     "h", "/?x.y:21", "https://h:443/?x.y:21"},
	    {URIVET_STRICT, "http://h:80/x:21/", URIVET_SCHEME_HTTP, 80, 0, false, "http", "h", "h", "h",
	     "/x:21/", "http://h/x:21/"},
	    {URIVET_STRICT, "http://h:80/x:a?x.y:21", URIVET_SCHEME_HTTP, 80, 0, false, "http", "h", "h",
	     "h", "/x:a?x.y:21", "http://h/x:a?x.y:21"},
	    {URIVET_STRICT, "http://[2001:db8::1]:80/1", URIVET_SCHEME_HTTP, 80, 16, false, "http",
	     "2001:db8::1", "[2001:db8::1]", "", "/1", "http://[2001:db8::1]:80/1"},
	    {URIVET_STRICT, "http://[2001:db8::1]:80/+", URIVET_SCHEME_HTTP, 80, 16, false, "http",
	     "2001:db8::1", "[2001:db8::1]", "", "/+", "http://[2001:db8::1]:80/+"},
	    {URIVET_STRICT, "http://[2001:db8::1]:80/-", URIVET_SCHEME_HTTP, 80, 16, false, "http",
	     "2001:db8::1", "[2001:db8::1]", "", "/-", "http://[2001:db8::1]:80/-"},
	    {URIVET_STRICT, "http://h:80/?.:21", URIVET_SCHEME_HTTP, 80, 0, false, "http", "h", "h", "h",
	     "/?.:21", "http://h:80/?.:21"},
	    {URIVET_STRICT, "http://[2001:db8::1]:80/a1", URIVET_SCHEME_HTTP, 80, 16, false, "http",
	     "2001:db8::1", "[2001:db8::1]", "", "/a1", "http://[2001:db8::1]/a1"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char out[256];
		struct urivet_endpoint e;
		const size_t n = endpoint_of(&e, out, sizeof out, rows[k].uri, by_built_in(rows[k].base));
		cr_assert(n > 0 && n <= sizeof out, "%s: %zu", rows[k].uri, n);
		cr_expect(n <= URIVET_ENDPOINT_CAPACITY(strlen(rows[k].uri)), "%s", rows[k].uri);
		cr_expect(e.size == sizeof e);
		cr_expect_eq(e.scheme, rows[k].scheme, "%s", rows[k].uri);
		cr_expect_eq(e.port, rows[k].port, "%s", rows[k].uri);
		cr_expect_eq(e.octets, rows[k].octets, "%s", rows[k].uri);
		cr_expect_eq(e.tls, rows[k].tls, "%s", rows[k].uri);
		cr_expect_str_eq(e.scheme_name, rows[k].name, "%s", rows[k].uri);
		cr_expect_str_eq(e.host, rows[k].host, "%s: %s", rows[k].uri, e.host);
		cr_expect_str_eq(e.host_field, rows[k].host_field, "%s: %s", rows[k].uri, e.host_field);
		cr_expect_str_eq(e.tls_name, rows[k].tls_name, "%s: %s", rows[k].uri, e.tls_name);
		cr_expect_str_eq(e.target, rows[k].target, "%s: %s", rows[k].uri, e.target);
		cr_expect_str_eq(e.url, rows[k].url, "%s: %s", rows[k].uri, e.url);
	}
}

Test(endpoint, addresses)
{
	static const uint8_t four[16] = {192, 0, 2, 7};
	static const uint8_t sixteen[16] = {0x20, 0x01, 0x0d, 0xb8, [15] = 1};
	static const uint8_t none[16];
	struct urivet_endpoint e;
	char out[256];
	cr_assert(endpoint_of(&e, out, sizeof out, "http://192.0.2.7/", NULL) > 0);
	cr_expect(memcmp(e.address, four, 16) == 0);
	cr_assert(endpoint_of(&e, out, sizeof out, "http://[2001:db8::1]/", NULL) > 0);
	cr_expect(memcmp(e.address, sixteen, 16) == 0);
	cr_assert(endpoint_of(&e, out, sizeof out, "http://h/", NULL) > 0);
	cr_expect(memcmp(e.address, none, 16) == 0);
	/* the octets after the four of has_ipv4 are not part of the address */
	struct urivet_report r;
	urivet_check(&r, LITERAL("http://192.0.2.7/"), NULL);
	memset(r.uri.address + 4, 0x5a, 12);
	cr_assert(urivet_endpoint(&e, out, sizeof out, &r, LITERAL("http://192.0.2.7/")) > 0);
	cr_expect(memcmp(e.address, four, 16) == 0);
}

/* Ports of every length, the largest and the smallest. */
Test(endpoint, ports)
{
	static const unsigned ports[] = {1, 9, 10, 99, 100, 101, 999, 1000, 1001, 9999, 10000, 10001, 20000, 65535};
	for (unsigned k = 0; k < sizeof ports / sizeof ports[0]; k++) {
		struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_PORT_NONDEFAULT);
		struct urivet_endpoint e;
		char uri[32], out[128], want[32];
		cr_assert(urivet_policy_waive(&p, URIVET_F_PORT_BLOCKED));
		snprintf(uri, sizeof uri, "http://h:%u/", ports[k]);
		snprintf(want, sizeof want, "h:%u", ports[k]);
		cr_assert(endpoint_of(&e, out, sizeof out, uri, &p) > 0, "%s", uri);
		cr_expect(e.port == ports[k]);
		cr_expect_str_eq(e.host_field, want, "%s", e.host_field);
		cr_expect_str_eq(e.url, uri, "%s", e.url);
	}
}

/* Waivers that do not change the endpoint; the near misses are below. */
Test(endpoint, waivers_that_leave_one_place)
{
	static const struct {
		unsigned waived;
		const char *uri, *host, *host_field, *target, *url;
	} rows[] = {
	    {URIVET_F_PORT_NONDEFAULT, "http://h:8081/", "h", "h:8081", "/", "http://h:8081/"},
	    {URIVET_F_PORT_NONDEFAULT, "https://[2001:db8::1]:9/", NULL, NULL, NULL, NULL},
	    {URIVET_F_PORT_NONDEFAULT, "https://[2001:db8::1]:8443/", "2001:db8::1",
	     "[2001:db8::1]:8443", "/", "https://[2001:db8::1]:8443/"},
	    {URIVET_F_PORT_NONDEFAULT, "http://h:65535/", "h", "h:65535", "/", "http://h:65535/"},
	    {URIVET_F_PORT_NONDEFAULT, "https://h:80/", "h", "h:80", "/", "https://h:80/"},
	    {URIVET_F_HOST_TRAILING_DOT, "http://Example.com./a", "example.com", "example.com", "/a",
	     "http://example.com/a"},
	    {URIVET_F_USERINFO_PRESENT, "http://u:p@h/a", "h", "h", "/a", "http://h/a"},
	    {URIVET_F_DOUBLE_ESCAPE, "http://h/%2525", "h", "h", "/%2525", "http://h/%2525"},
	    {URIVET_F_QUERY_AFTER_EMPTY_PATH, "http://h?a", "h", "h", "/?a", "http://h/?a"},
	    {URIVET_F_NON_ASCII, "http://h/?\xc3\xa9", "h", "h", "/?\xc3\xa9", "http://h/?\xc3\xa9"},
	    {URIVET_F_FRAGMENT_AFTER_EMPTY_PATH, "http://h#a", "h", "h", "/", "http://h/"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy p = with_waiver(URIVET_STRICT, rows[k].waived);
		struct urivet_endpoint e;
		char out[256];
		const size_t n = endpoint_of(&e, out, sizeof out, rows[k].uri, &p);
		if (rows[k].host == NULL) {
			cr_expect(n == 0 && is_zero(&e), "%s", rows[k].uri);
			continue;
		}
		cr_assert(n > 0, "%s", rows[k].uri);
		cr_expect_str_eq(e.host, rows[k].host, "%s: %s", rows[k].uri, e.host);
		cr_expect_str_eq(e.host_field, rows[k].host_field, "%s: %s", rows[k].uri, e.host_field);
		cr_expect_str_eq(e.target, rows[k].target, "%s: %s", rows[k].uri, e.target);
		cr_expect_str_eq(e.url, rows[k].url, "%s: %s", rows[k].uri, e.url);
	}
}

/* Accepted only by a waiver of something before the query that readers interpret differently. */
Test(endpoint, waivers_that_do_not)
{
	static const struct {
		unsigned waived;
		const char *uri;
	} rows[] = {
	    {URIVET_F_SCHEME_CASE, "HTTP://h/"},
	    {URIVET_F_USERINFO_MISLEADING, "http://example.com@h/"},
	    {URIVET_F_HOST_UNDERSCORE, "http://a_b.example/"},
	    {URIVET_F_HOST_PERCENT_ENCODED, "http://%68.example/"},
	    {URIVET_F_IPV4_SHORT, "http://127.1/"},
	    {URIVET_F_IPV6_NONCANONICAL, "http://[2001:db8:0::1]/"},
	    {URIVET_F_PORT_EMPTY, "http://h:/"},
	    {URIVET_F_PORT_LEADING_ZERO, "http://h:080/"},
	    {URIVET_F_DOT_SEGMENT, "http://h/a/../b"},
	    {URIVET_F_ESCAPED_SLASH, "http://h/a%2Fb"},
	    {URIVET_F_PATH_LEADING_DOUBLE_SLASH, "http://h//a"},
	    {URIVET_F_BAD_ESCAPE, "http://h/%zz"},
	    {URIVET_F_FORBIDDEN_CHAR, "http://h/a|b"},
	    {URIVET_F_NON_ASCII, "http://h/\xc3\xa9"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct urivet_text input = text_of_string(rows[k].uri);
		struct urivet_policy p = with_waiver(URIVET_STRICT, rows[k].waived);
		struct urivet_endpoint e;
		struct urivet_report r;
		char out[256];
		(void)urivet_policy_waive(&p, URIVET_F_USERINFO_PRESENT);
		/* "com@h" may be read as a host without its slash, and %68 as an "h" */
		(void)urivet_policy_waive(&p, URIVET_F_PATH_ROOTLESS);
		(void)urivet_policy_waive(&p, URIVET_F_ESCAPED_UNRESERVED);
		cr_assert(urivet_check(&r, input.data, input.length, &p) == URIVET_ACCEPT, "%s: %s",
			  rows[k].uri, ids_of(&r));
		cr_expect(urivet_endpoint(&e, out, sizeof out, &r, input.data, input.length) == 0, "%s", rows[k].uri);
		cr_expect(is_zero(&e), "%s", rows[k].uri);
	}
}

static void expect_none(const struct urivet_report *r, struct urivet_text input, const char *what)
{
	struct urivet_endpoint e;
	char out[64];
	memset(&e, 0x5a, sizeof e);
	memset(out, 0x5a, sizeof out);
	cr_expect(urivet_endpoint(&e, out, sizeof out, r, input.data, input.length) == 0, "%s", what);
	cr_expect(is_zero(&e), "%s", what);
	for (unsigned k = 0; k < sizeof out; k++)
		cr_expect(out[k] == 0x5a, "%s", what);
}

Test(endpoint, none)
{
	static const struct {
		int base;
		const char *uri;
	} rows[] = {
	    {URIVET_STRICT, "http://u@h/"},   {URIVET_STRICT, ""},
	    {URIVET_STRICT, "/a"},            {URIVET_STRICT, "//h/a"},
	    {URIVET_ANY, "mailto:a@h.example"}, {URIVET_ANY, "urn:isbn:0451450523"},
	    {URIVET_ANY, "ldap://h/a"},       {URIVET_ANY, "x://h:80/a"},
	    {URIVET_PUBLIC, "http://10.0.0.1/"},
	};
	struct urivet_report r;
	struct urivet_endpoint e;
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct urivet_text input = text_of_string(rows[k].uri);
		urivet_check(&r, input.data, input.length, by_built_in(rows[k].base));
		expect_none(&r, input, rows[k].uri);
	}
	expect_none(NULL, TEXT("http://h/"), "no report");
	memset(&r, 0, sizeof r);
	expect_none(&r, TEXT("http://h/"), "a zeroed report");
	urivet_check(&r, LITERAL("http://h/"), NULL);
	cr_expect(urivet_endpoint_sized(NULL, sizeof e, NULL, 0, &r, LITERAL("http://h/")) == 0);
	memset(&e, 0x5a, sizeof e);
	cr_expect(urivet_endpoint_sized(&e, sizeof e - 1, NULL, 0, &r, LITERAL("http://h/")) == 0);
	r.dropped = 1;
	expect_none(&r, TEXT("http://h/"), "findings were dropped");
}

/* A higher layer may report that readers disagree. */
Test(endpoint, findings_of_others)
{
	const struct urivet_text input = TEXT("http://h/a?b");
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_READERS_DISAGREE);
	struct urivet_endpoint e;
	struct urivet_report r;
	char out[128];
	cr_assert(urivet_policy_waive(&p, URIVET_F_RESOLUTION_AMBIGUOUS));
	urivet_check(&r, input.data, input.length, &p);
	cr_expect(urivet_add_finding(&r, URIVET_F_READERS_DISAGREE, URIVET_AUTHORITY,
				     r.uri.part[URIVET_AUTHORITY], &p) == URIVET_ACCEPT);
	expect_none(&r, input, "readers disagree");
	urivet_check(&r, input.data, input.length, &p);
	cr_expect(urivet_add_finding(&r, URIVET_F_RESOLUTION_AMBIGUOUS, URIVET_WHOLE,
				     r.uri.part[URIVET_WHOLE], &p) == URIVET_ACCEPT);
	expect_none(&r, input, "resolution is ambiguous");
	urivet_check(&r, input.data, input.length, &p);
	urivet_add_finding(&r, URIVET_F_PATH_EMPTY, URIVET_PATH, r.uri.part[URIVET_PATH], &p);
	cr_expect(urivet_endpoint(&e, out, sizeof out, &r, input.data, input.length) > 0); /* a note */
}

/* Reports of request targets, peers and references. */
Test(endpoint, other_judgements)
{
	const struct sockaddr *const no_peer = NULL;
	const struct urivet_text base = TEXT("http://h/a/b");
	struct urivet_request connect;
	struct urivet_endpoint e;
	struct urivet_report r;
	uint8_t address[4] = {8, 8, 8, 8};
	char out[128], target[64];
	check_target(&r, TEXT("/a"), TEXT("h"), NULL, NULL);
	cr_assert(r.verdict == URIVET_ACCEPT);
	expect_none(&r, TEXT("/a"), "the authority lies in the Host field");
	cr_assert(urivet_request_init(&connect, sizeof connect));
	connect.method = TEXT("CONNECT");
	connect.host = TEXT("h:443");
	urivet_check_request(&r, LITERAL("h:443"), &connect, NULL, NULL);
	cr_assert(r.verdict == URIVET_ACCEPT, "%s", ids_of(&r));
	expect_none(&r, TEXT("h:443"), "no scheme");
	check_target(&r, TEXT("http://h/a"), TEXT("h"), NULL, NULL);
	cr_assert(r.verdict == URIVET_ACCEPT);
	cr_expect(urivet_endpoint(&e, out, sizeof out, &r, LITERAL("http://h/a")) > 0);
	cr_expect_str_eq(e.target, "/a");
	urivet_check_peer(&r, no_peer, 0, NULL);
	expect_none(&r, TEXT(""), "a peer");
	urivet_check_address(&r, address, 4, 80, NULL);
	cr_assert(r.verdict == URIVET_ACCEPT);
	expect_none(&r, TEXT("http://h/"), "an address");
	urivet_check_reference(&r, target, sizeof target, base, TEXT("../c?d#e"), 0, NULL);
	cr_assert(r.verdict == URIVET_ACCEPT);
	cr_expect(urivet_endpoint(&e, out, sizeof out, &r, target, strlen(target)) > 0);
	cr_expect_str_eq(e.url, "http://h/c?d");
}

/* Spans outside the text, and texts other than the judged one: nothing beyond the text is read,
 * and no octet is written to a place where it may not occur. */
Test(endpoint, another_text)
{
	static const char uri[] = "http://example.com/path?query#x";
	static const char *const others[] = {
	    "", "http://example.co", "http://example.com/path?quer",
	    "http://exa\r\nmpl.com/path?query#x", "http://example com/path?query#x",
	    "http://example/com/path?query#x", "http://example.com/pa?h?query#x",
	    "http://example.com/p th?query#x", "http://example.com/pat\n?query#x",
	    "http://example.comapath?query#x", "http://example.com/path?que#y#x",
	    "http://example.com/path?que y#x", "http://example.com/path?que\ry#x",
	    "http://...................",
	};
	struct urivet_report r;
	urivet_check(&r, LITERAL(uri), NULL);
	for (unsigned k = 0; k < sizeof others / sizeof others[0]; k++) {
		const size_t length = strlen(others[k]);
		expect_none(&r, urivet_text_of(at_edge(others[k], length), length), others[k]);
	}
	expect_none(&r, urivet_text_of(NULL, 100), "no data");
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++) {
		struct urivet_report far = r;
		if (c != URIVET_HOST && c != URIVET_PATH && c != URIVET_QUERY)
			continue;
		far.uri.part[c].offset = UINT32_MAX;
		expect_none(&far, TEXT(uri), "a span far out");
		far.uri.part[c].offset = 30;
		far.uri.part[c].length = UINT32_MAX;
		expect_none(&far, TEXT(uri), "a span that is too long");
	}
}

/* Spans within the claimed length of the text, but longer than any judged text: nothing is read. */
Test(endpoint, spans_too_long)
{
	static const struct {
		struct urivet_span host, path, query;
	} rows[] = {
	    {{7, URIVET_MAX_LENGTH + 1}, {8, 1}, {10, 1}},
	    {{7, 1}, {8, URIVET_MAX_LENGTH + 1}, {10, 1}},
	    {{7, 1}, {8, 1}, {10, URIVET_MAX_LENGTH + 1}},
	    {{7, URIVET_MAX_LENGTH}, {8, 1}, {10, 1}},
	    {{7, 1}, {8, URIVET_MAX_LENGTH}, {10, 1}},
	    {{7, 1}, {8, 1}, {10, URIVET_MAX_LENGTH}},
	    {{7, UINT32_MAX}, {8, UINT32_MAX}, {10, UINT32_MAX}},
	};
	struct urivet_report r;
	urivet_check(&r, LITERAL("http://h/?a"), NULL);
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		r.uri.part[URIVET_HOST] = rows[k].host;
		r.uri.part[URIVET_PATH] = rows[k].path;
		r.uri.part[URIVET_QUERY] = rows[k].query;
		expect_none(&r, urivet_text_of(at_edge(LITERAL("http://h/?a")), SIZE_MAX), "spans too long");
	}
}

/* Reports whose members contradict one another. */
Test(endpoint, reports_that_cannot_be)
{
	const struct urivet_text input = TEXT("http://127.0.0.1/");
	struct urivet_report good, r;
	urivet_check(&good, input.data, input.length, NULL);
#define EXPECT_NONE(member, value)                                                                 \
	(r = good, r.member = (value), expect_none(&r, input, #member " " #value))
	EXPECT_NONE(verdict, URIVET_REJECT);
	EXPECT_NONE(parsed, false);
	EXPECT_NONE(size, 8);
	EXPECT_NONE(count, URIVET_MAX_FINDINGS + 1);
	EXPECT_NONE(uri.scheme, URIVET_SCHEME_NONE);
	EXPECT_NONE(uri.scheme, URIVET_SCHEME_OTHER);
	EXPECT_NONE(uri.scheme, URIVET_SCHEME_FTP + 1);
	EXPECT_NONE(uri.scheme, 255);
	EXPECT_NONE(uri.port, 0);
	EXPECT_NONE(uri.port, 65536);
	EXPECT_NONE(uri.port, URIVET_NO_PORT);
	EXPECT_NONE(uri.authority_in, URIVET_IN_HOST_FIELD);
	EXPECT_NONE(uri.host_kind, URIVET_HOST_NONE);
	EXPECT_NONE(uri.host_kind, URIVET_HOST_NAME); /* contradicts has_ipv4 */
	EXPECT_NONE(uri.host_kind, URIVET_HOST_IPVFUTURE);
	EXPECT_NONE(uri.host_kind, URIVET_HOST_REGISTRY);
	EXPECT_NONE(uri.host_kind, 99);
	EXPECT_NONE(uri.present, good.uri.present & ~(1u << URIVET_HOST));
	EXPECT_NONE(uri.present, good.uri.present & ~(1u << URIVET_PATH));
	EXPECT_NONE(uri.present, good.uri.present & ~(1u << URIVET_AUTHORITY));
	/* kinds of host that are no address, with an address */
	urivet_check(&good, input.data, input.length, NULL);
	good.uri.has_ipv4 = false;
	EXPECT_NONE(uri.host_kind, URIVET_HOST_NONE);
	EXPECT_NONE(uri.host_kind, URIVET_HOST_IPVFUTURE);
	EXPECT_NONE(uri.host_kind, URIVET_HOST_REGISTRY);
	EXPECT_NONE(uri.host_kind, 99);
	/* names that are empty or a dot, and one that begins with an octet no name begins with */
	urivet_check(&r, LITERAL("http://a/"), NULL);
	expect_none(&r, TEXT("http://./"), "a dot");
	expect_none(&r, TEXT("http://_/"), "no name");
	urivet_check(&r, LITERAL("http://ab/"), NULL);
	expect_none(&r, TEXT("http://_b/"), "no name");
	expect_none(&r, TEXT("http:// b/"), "no name");
	urivet_check(&r, LITERAL("http://a/"), NULL);
	r.uri.part[URIVET_HOST].length = 0;
	expect_none(&r, TEXT("http://a/"), "an empty name");
}

Test(endpoint, every_capacity)
{
	static const char *const uris[] = {"http://h", "https://[2001:db8::1]:8443/a?b#c",
					   "http://192.0.2.7/x", "ftp://Example.COM/a"};
	struct urivet_policy p = with_waiver(URIVET_ANY, URIVET_F_PORT_NONDEFAULT);
	for (unsigned k = 0; k < sizeof uris / sizeof uris[0]; k++) {
		const struct urivet_text input = text_of_string(uris[k]);
		struct urivet_endpoint e;
		struct urivet_report r;
		cr_assert(urivet_check(&r, input.data, input.length, &p) == URIVET_ACCEPT, "%s: %s", uris[k],
			  ids_of(&r));
		const size_t need = urivet_endpoint(&e, NULL, 0, &r, input.data, input.length);
		cr_assert(need > 0 && is_zero(&e));
		for (size_t capacity = 0; capacity <= need + 2; capacity++) {
			char *room = malloc(need + 4);
			memset(room, 0x5a, need + 4);
			memset(&e, 0x5a, sizeof e);
			cr_expect(urivet_endpoint(&e, room, capacity, &r, input.data, input.length) == need);
			cr_expect(is_zero(&e) == (capacity < need), "%s: %zu", uris[k], capacity);
			for (size_t at = capacity < need ? 0 : need; at < need + 4; at++)
				cr_expect(room[at] == 0x5a, "%s: %zu of %zu", uris[k], at, capacity);
			if (capacity >= need) {
				const char *const texts[] = {e.scheme_name, e.host, e.host_field,
							     e.tls_name, e.target, e.url};
				for (unsigned i = 0; i < 6; i++)
					cr_expect(texts[i] >= room && texts[i] + strlen(texts[i]) < room + need);
				cr_expect(e.url + strlen(e.url) + 1 == room + need);
			}
			free(room);
		}
	}
}

/* Members that only a newer program has are zeroed. */
Test(endpoint, another_size)
{
	const struct urivet_text input = TEXT("http://h/");
	struct urivet_report r;
	struct {
		struct urivet_endpoint known;
		uint64_t added;
	} newer;
	char out[64];
	urivet_check(&r, input.data, input.length, NULL);
	memset(&newer, 0x5a, sizeof newer);
	cr_expect(urivet_endpoint_sized(&newer.known, sizeof newer, out, sizeof out, &r, input.data, input.length) > 0);
	cr_expect(newer.added == 0 && newer.known.size == sizeof newer);
	cr_expect_str_eq(newer.known.url, "http://h/");
	memset(&newer, 0x5a, sizeof newer);
	cr_expect(urivet_endpoint_sized(&newer.known, 65537, out, sizeof out, &r, input.data, input.length) == 0);
}

/* The longest output that the bound allows: a host that is the whole input, and an address. */
Test(endpoint, capacity)
{
	static const char *const patterns[] = {
	    "http://{a.*126}b", "https://[1111:2222:3333:4444:5555:6666:7777:8888]:65535",
	    "http://h/{a*8000}", "https://255.255.255.255:65535?{b*100}"};
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_PORT_NONDEFAULT);
	cr_assert(urivet_policy_waive(&p, URIVET_F_QUERY_AFTER_EMPTY_PATH));
	for (unsigned k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
		size_t length;
		const void *const data = expand(patterns[k], strlen(patterns[k]), &length);
		struct urivet_endpoint e;
		struct urivet_report r;
		cr_assert(urivet_check(&r, data, length, &p) == URIVET_ACCEPT, "%s: %s", patterns[k], ids_of(&r));
		const size_t need = urivet_endpoint(&e, NULL, 0, &r, data, length);
		cr_expect(need > 0 && need <= URIVET_ENDPOINT_CAPACITY(length), "%s", patterns[k]);
		cr_expect(urivet_size_of(URIVET_CAPACITY_ENDPOINT, length) == URIVET_ENDPOINT_CAPACITY(length));
	}
}
