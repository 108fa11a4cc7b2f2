/* SPDX-License-Identifier: Apache-2.0 */
/* Tests readers: what each edition accepts by its own BNF; regex; resolver. */
#include "support.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <regex.h>

TestSuite(readers, .timeout = 120);

static const char *component(const struct urivet_reading *r, const char *text, unsigned c)
{
	static char buffers[16][256];
	static unsigned next;
	char *out = buffers[next++ % 16];
	if (!urivet_has(&r->uri, c))
		return "-";
	snprintf(out, sizeof buffers[0], "%.*s", (int)r->uri.part[c].length,
	         text + r->uri.part[c].offset);
	return out;
}

/* Writes scheme|userinfo|host|port|path|query|fragment, or "refused" if the reader refuses. */
static const char *read_by(enum urivet_reader how, const char *uri, struct urivet_reading *r)
{
	static char buffers[8][1024], out[8][8192];
	static unsigned next;
	char *b = buffers[next++ % 8], *o = out[next % 8];
	const size_t length = strlen(uri);
	const char *text = uri;
	if (!urivet_read_as(r, how, at_edge(uri, length), length, o, sizeof out[0]))
		return "refused";
	if (r->written > 0)
		text = o;
	snprintf(b, sizeof buffers[0], "%s|%s|%s|%s|%s|%s|%s", component(r, text, URIVET_SCHEME),
	         component(r, text, URIVET_USERINFO), component(r, text, URIVET_HOST),
	         component(r, text, URIVET_PORT), component(r, text, URIVET_PATH),
	         component(r, text, URIVET_QUERY), component(r, text, URIVET_FRAGMENT));
	return b;
}

#define U2003    URIVET_READER_URI_2003
#define U1997    URIVET_READER_URI_1997
#define L1997    URIVET_READER_URL_1997
#define L1996    URIVET_READER_URL_1996
#define REGEX    URIVET_READER_REGEX
#define RESOLVER URIVET_READER_RESOLVER
#define REGISTRY URIVET_HOST_REGISTRY
#define NAME     URIVET_HOST_NAME
#define IPV4     URIVET_HOST_IPV4
#define IPV6     URIVET_HOST_IPV6
#define NONE     URIVET_HOST_NONE

static const struct {
	enum urivet_reader how;
	const char *uri, *components;
	enum urivet_host_kind kind;
} rows[] = {
	/* all readers agree on these */
	{U2003, "http://h.org:80/a?b#c", "http|-|h.org|80|/a|b|c", NAME},
	{U1997, "http://h.org:80/a?b#c", "http|-|h.org|80|/a|b|c", NAME},
	{L1997, "http://h.org:80/a?b#c", "http|-|h.org|80|/a|b|c", NAME},
	{L1996, "http://h.org:80/a?b#c", "http|-|h.org|80|/a|b|c", NAME},
	{REGEX, "http://h.org:80/a?b#c", "http|-|h.org|80|/a|b|c", NAME},
	{RESOLVER, "http://h.org:80/a?b#c", "http|-|h.org|80|/a|b|c", NAME},
	/* 2003, 3.1: a scheme begins with a letter; in earlier editions, with any of its
	 * characters */
	{U2003, "1a:/b", "refused", NONE},
	{U1997, "1a:/b", "1a|-|-|-|/b|-|-", NONE},
	{L1996, "+:/b", "+|-|-|-|/b|-|-", NONE},
	/* 2003, 3: opaque, without a query; brackets are uric */
	{U2003, "x:a?b", "x|-|-|-|a?b|-|-", NONE},
	{U2003, "x:[?#f", "x|-|-|-|[?|-|f", NONE},
	{U2003, "x:/a?b", "x|-|-|-|/a|b|-", NONE},
	{U1997, "x:a?b", "x|-|-|-|a|b|-", NONE},
	{U1997, "x:[", "refused", NONE},
	/* 3.2: IPv6 since 2003 */
	{U2003, "http://[::1]:80/", "http|-|::1|80|/|-|-", IPV6},
	{U2003, "x://2001:db8::1]:99", "refused", NONE},
	{U2003, "x://::1]", "refused", NONE},
	{U1997, "http://[::1]:80/", "refused", NONE},
	{L1996, "http://[::1]:80/", "refused", NONE},
	/* 3.2.2: dec-octet since 2003, 1*digit before; other numbers make a name or a
	 * registry-based authority */
	{U2003, "http://1.2.3.4/", "http|-|1.2.3.4|-|/|-|-", IPV4},
	{U2003, "http://1.2.3.400/", "http|-|1.2.3.400|-|/|-|-", NAME},
	{U1997, "http://1.2.3.400/", "http|-|1.2.3.400|-|/|-|-", IPV4},
	{U1997, "http://1.2.3/", "http|-|1.2.3|-|/|-|-", REGISTRY},
	/* hostname: a final dot */
	{U2003, "http://example./", "http|-|example.|-|/|-|-", REGISTRY},
	{U2003, "http://example.com./", "http|-|example.com.|-|/|-|-", NAME},
	{U1997, "http://example./", "http|-|example.|-|/|-|-", NAME},
	{L1996, "http://example.com./", "http|-|example.com.|-|/|-|-", REGISTRY},
	/* a registry-based authority has no userinfo and no port */
	{U2003, "http://u@a_b:80/", "http|-|u@a_b:80|-|/|-|-", REGISTRY},
	{U1997, "http://a@b@c/", "http|-|a@b@c|-|/|-|-", REGISTRY},
	{L1996, "http://u:p:q@h/", "http|-|u:p:q@h|-|/|-|-", REGISTRY},
	{L1996, "http://u:p@h/", "http|u:p|h|-|/|-|-", NAME},
	{U1997, "http://u:p:q@h/", "http|u:p:q|h|-|/|-|-", NAME},
	{U2003, "http://@h/", "http||h|-|/|-|-", NAME},
	/* port = *digit, but digits in 1996 */
	{U1997, "http://h:/", "http|-|h||/|-|-", NAME},
	{L1996, "http://h:/", "http|-|h:|-|/|-|-", REGISTRY},
	/* 1996, 7.4.3: the net location runs to the next slash */
	{L1996, "http://ex.org?q", "http|-|ex.org?q|-||-|-", REGISTRY},
	{L1996, "http://ex.org?q/a?b", "http|-|ex.org?q|-|/a|b|-", REGISTRY},
	{U1997, "http://ex.org?q", "http|-|ex.org|-||q|-", NAME},
	/* 1996: parameters belong to the path; empty is undefined; no "~" */
	{L1996, "http://h/a;b/c?d", "http|-|h|-|/a;b/c|d|-", NAME},
	{L1996, "http://h/a?#", "http|-|h|-|/a|-|-", NAME},
	{L1996, "http:///a", "http|-|-|-|/a|-|-", NONE},
	{L1996, "http://h/~a", "refused", NONE},
	/* 1996, 4: a path begins with fsegment = 1*pchar, except after a scheme */
	{L1996, "//h//a", "refused", NONE},
	{L1996, "//h/a//b", "-|-|h|-|/a//b|-|-", NAME},
	{L1996, "http://h//a", "http|-|h|-|//a|-|-", NAME},
	{U1997, "//h//a", "-|-|h|-|//a|-|-", NAME},
	{U1997, "http://h/~a", "http|-|h|-|/~a|-|-", NAME},
	{U2003, "http://h/a?#", "http|-|h|-|/a||", NAME},
	/* relative references: a colon in the first segment */
	{U2003, "a_b:c", "refused", NONE},
	{U1997, "a_b:c", "-|-|-|-|a_b:c|-|-", NONE},
	{U1997, ":b", "-|-|-|-|:b|-|-", NONE},
	{U2003, "", "-|-|-|-||-|-", NONE},
	{U2003, "//", "-|-||-||-|-", NONE},
	/* octets that every edition refuses */
	{U2003, "http://h/%zz", "refused", NONE},
	{U1997, "http://h/a|b", "refused", NONE},
	{L1996, "http://h/ ", "refused", NONE},
	{U1997, "http://a|b/", "refused", NONE},
	/* appendix B refuses nothing */
	{REGEX, "http://u@v@[::1]:80/ a", "http|u@v|::1|80|/ a|-|-", IPV6},
	{REGEX, "http://h:8a/", "http|-|h:8a|-|/|-|-", NAME},
	{REGEX, "http://h:/", "http|-|h||/|-|-", NAME},
	{REGEX, "\\\\h\\a", "-|-|-|-|\\\\h\\a|-|-", NONE},
	{REGEX, "a b:c", "a b|-|-|-|c|-|-", NONE},
	/* the address that a host is converted to */
	{RESOLVER, "http://0x7f.1/", "http|-|127.0.0.1|-|/|-|-", IPV4},
	{RESOLVER, "http://u@010.0.0.1:8/?a", "http|u|8.0.0.1|8|/|a|-", IPV4},
	{RESOLVER, "http://[1::0]/", "http|-|1::|-|/|-|-", IPV6},
	{RESOLVER, "http://[fe80::1%7]/", "http|-|fe80::1|-|/|-|-", IPV6},
	{RESOLVER, "http://1.2.3.4./", "http|-|1.2.3.4.|-|/|-|-", NAME},
	{RESOLVER, "http://256.1/", "http|-|256.1|-|/|-|-", NAME},
	{RESOLVER, "http://2130706433#f", "http|-|127.0.0.1|-||-|f", IPV4},
	/* a scope number has 32 bits: 2^64 is invalid */
	{RESOLVER, "http://[fe80::1%4294967295]/", "http|-|fe80::1|-|/|-|-", IPV6},
	{RESOLVER, "http://[fe80::1%18446744073709551616]/",
	 "http|-|fe80::1%18446744073709551616|-|/|-|-", NAME},
	/* userinfo of 1996 and 1997 may contain ";", ":", "&", "=", "+" and more */
	{U1997, "hp://u;x@h/", "hp|u;x|h|-|/|-|-", NAME},
	{L1996, "hp://u;x@h/", "hp|u;x|h|-|/|-|-", NAME},
	{U1997, "//&u@h/", "-|&u|h|-|/|-|-", NAME},
	{L1996, "//&u@h/", "-|&u|h|-|/|-|-", NAME},
	{U1997, "//=u+@h/", "-|=u+|h|-|/|-|-", NAME},
	{L1996, "//=u@h/", "-|=u|h|-|/|-|-", NAME},
	{U1997, "//;", "-|-|;|-||-|-", REGISTRY},
	{U2003, "//.", "-|-|.|-||-|-", REGISTRY},
	{L1997, "//.", "-|-|.|-||-|-", REGISTRY},
};

/* The resolver writes the input with its host replaced by the address, and its spans lie in that
 * text. */
Test(readers, what_the_resolver_writes)
{
	static const struct {
		const char *uri, *text;
	} texts[] = {
	    {"", ""},   {"?", "?"},     {"#", "#"},       {"?q#f", "?q#f"},   {"//", "//"},
	    {"//:", "//:"}, {"//@:", "//@:"}, {"//[]", "//[]"}, {"//[", "//["}, {"//x", "//x"},
	    {"//::%", "//::%"}, {"//::%t", "//::%t"}, {"a:", "a:"}, {"\n:", "\n:"},
	    {"//x:80", "//x:80"}, {"//u@0x7f.1:80/p?q#f", "//u@127.0.0.1:80/p?q#f"},
	    {"//[0::1]:80/", "//[::1]:80/"}, {"http://:\n", "http://:\n"},
	};
	for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
		const size_t n = strlen(texts[k].uri), written = strlen(texts[k].text);
		struct urivet_reading r, again;
		char out[256];
		cr_assert(urivet_read_as(&r, RESOLVER, at_edge(texts[k].uri, n), n, out, sizeof out));
		cr_expect(r.written == written && strcmp(out, texts[k].text) == 0, "%s: %s",
		          texts[k].uri, out);
		/* split again by the expression, it has the same components */
		urivet_read_as(&again, REGEX, out, written, NULL, 0);
		cr_expect(r.uri.present == again.uri.present && r.uri.port == again.uri.port);
		for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
			cr_expect(!urivet_has(&r.uri, c) ||
			          (r.uri.part[c].offset == again.uri.part[c].offset &&
			           r.uri.part[c].length == again.uri.part[c].length), "%s: %s",
			          texts[k].uri, urivet_component_name(c));
		if (strcmp(texts[k].uri, texts[k].text) == 0)
			cr_expect(r.uri.host_kind == again.uri.host_kind && !r.uri.has_ipv4, "%s",
			          texts[k].uri);
		cr_expect(r.uri.part[URIVET_WHOLE].offset == 0 &&
		          r.uri.part[URIVET_WHOLE].length == written, "%s", texts[k].uri);
	}
}

/* An invalid port is part of the host: the span of the port is empty, and the default port
 * applies. */
Test(readers, ports_of_the_expression)
{
	struct urivet_reading r;
	urivet_read_as(&r, REGEX, "//::%", 5, NULL, 0);
	cr_expect(!urivet_has(&r.uri, URIVET_PORT) && r.uri.part[URIVET_PORT].offset == 0 &&
	          r.uri.part[URIVET_PORT].length == 0 && r.uri.port == URIVET_NO_PORT);
	urivet_read_as(&r, REGEX, "http://:\n", 9, NULL, 0);
	cr_expect(!urivet_has(&r.uri, URIVET_PORT) && r.uri.port == 80);
}

/* A registry-based authority has neither userinfo nor port. */
Test(readers, spans_of_a_registry)
{
	static const enum urivet_reader editions[] = {U2003, U1997, L1997, L1996};
	for (unsigned k = 0; k < 4; k++) {
		struct urivet_reading r;
		cr_assert(urivet_read_as(&r, editions[k], "//u@a_b:80", 10, NULL, 0));
		cr_expect(r.uri.host_kind == REGISTRY && r.uri.part[URIVET_HOST].offset == 2 &&
		          r.uri.part[URIVET_HOST].length == 8);
		cr_expect(!urivet_has(&r.uri, URIVET_USERINFO) && !urivet_has(&r.uri, URIVET_PORT));
		cr_expect(r.uri.part[URIVET_USERINFO].offset == 0 &&
		          r.uri.part[URIVET_USERINFO].length == 0 &&
		          r.uri.part[URIVET_PORT].offset == 0 && r.uri.part[URIVET_PORT].length == 0);
	}
}

/* IPv4address = 1*digit "." 1*digit "." 1*digit "." 1*digit: an address if all numbers fit. */
Test(readers, numbers_of_editions)
{
	static const struct {
		const char *uri;
		uint8_t address[4];
		bool fits;
	} numbers[] = {
	    {"http://1.2.3.255/", {1, 2, 3, 255}, true}, {"http://255.0.0.0/", {255, 0, 0, 0}, true},
	    {"http://1.0.0.0/", {1, 0, 0, 0}, true},     {"http://8.8.8.8/", {8, 8, 8, 8}, true},
	    {"http://1.2.3.256/", {0}, false},           {"http://256.2.3.4/", {0}, false},
	    {"http://6.2.256.256/", {0}, false},         {"http://1922130706433.0.2.65/", {0}, false},
	    {"http://25600.1.1.1/", {0}, false},
	};
	static const enum urivet_reader editions[] = {URIVET_READER_RFC3986, U2003, U1997, L1997, L1996};
	for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
		for (unsigned e = 0; e < 5; e++) {
			struct urivet_reading r;
			cr_assert(urivet_read_as(&r, editions[e], numbers[k].uri, strlen(numbers[k].uri),
			                         NULL, 0));
			cr_expect(r.uri.has_ipv4 == numbers[k].fits, "%s by %s", numbers[k].uri,
			          urivet_reader_name(editions[e]));
			cr_expect(!numbers[k].fits || memcmp(r.uri.address, numbers[k].address, 4) == 0,
			          "%s", numbers[k].uri);
		}
}

Test(readers, each_reads_by_its_own_text)
{
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_reading r;
		const char *got = read_by(rows[k].how, rows[k].uri, &r);
		cr_expect(strcmp(got, rows[k].components) == 0, "%s of %s: %s, not %s",
		          urivet_reader_name(rows[k].how), rows[k].uri, got, rows[k].components);
		cr_expect(!r.reads || r.uri.host_kind == rows[k].kind, "%s of %s: kind %d",
		          urivet_reader_name(rows[k].how), rows[k].uri, r.uri.host_kind);
	}
}

/* Published values: a new row must not change them. */
Test(readers, names)
{
	static const char *const names[] = {"rfc3986",  "uri-2003", "uri-1997", "url-1997",
	                                    "url-1996", "regex",    "browser",  "resolver"};
	for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
		cr_expect_str_eq(urivet_reader_name(k), names[k]);
	for (unsigned k = 0; k < URIVET_READERS; k++)
		cr_expect(urivet_reader_named(urivet_reader_name(k), strlen(urivet_reader_name(k))) == (int)k);
	cr_expect(urivet_reader_name(URIVET_READERS) == NULL);
	cr_expect(urivet_reader_named("RFC3986", strlen("RFC3986")) == -1 && urivet_reader_named("", strlen("")) == -1);
}

/* Zeros in front of a number change nothing in 1997. */
Test(readers, zeros_of_numbers)
{
	struct urivet_reading r;
	read_by(U1997, "http://010.0.0.1/", &r);
	cr_expect(r.uri.has_ipv4 && r.uri.address[0] == 10);
}

static uint32_t state = 99;

static unsigned any(unsigned n)
{
	state = state * 1664525 + 1013904223;
	return (state >> 16) % n;
}

/* Compares with regexec(3) over strings of delimiters: every component except those inside the
 * authority. */
Test(readers, regex_as_regexec)
{
	static const char octets[] = "ab:/?#@.[]\\ 1";
	regex_t expression;
	regmatch_t m[10];
	cr_assert(regcomp(&expression,
	                  "^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?",
	                  REG_EXTENDED) == 0);
	for (unsigned k = 0; k < 300000 / sample(); k++) {
		static const unsigned group[] = {[URIVET_SCHEME] = 2, [URIVET_AUTHORITY] = 4,
		                                 [URIVET_PATH] = 5,   [URIVET_QUERY] = 7,
		                                 [URIVET_FRAGMENT] = 9};
		char s[16];
		struct urivet_reading r;
		unsigned length = any(12);
		for (unsigned j = 0; j < length; j++)
			s[j] = octets[any(sizeof octets - 1)];
		s[length] = '\0';
		cr_assert(regexec(&expression, s, 10, m, 0) == 0);
		cr_assert(urivet_read_as(&r, REGEX, at_edge(s, length), length, NULL, 0));
		for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++) {
			const regmatch_t g = m[group[c]];
			if (c == URIVET_USERINFO || c == URIVET_HOST || c == URIVET_PORT)
				continue;
			/* two conditions, because gcc 12 with sanitizers drops the right side of
			 * a single comparison */
			cr_assert(urivet_has(&r.uri, c) ? g.rm_so >= 0 : g.rm_so < 0, "%s: %u", s, c);
			cr_assert(g.rm_so < 0 ||
			              (r.uri.part[c].offset == (uint32_t)g.rm_so &&
			               r.uri.part[c].length == (uint32_t)(g.rm_eo - g.rm_so)),
			          "%s: %u", s, c);
		}
	}
	regfree(&expression);
}

/* The reader is modelled on glibc; musl reads some of these addresses otherwise. */
#ifdef __GLIBC__
/* Returns the address that inet_aton or getaddrinfo of the C library gives, if any. */
static bool library_address(const char *host, uint8_t address[16], bool *v6)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET6}, *found;
	struct in_addr v4;
	*v6 = false;
	if (inet_aton(host, &v4) != 0) {
		memcpy(address, &v4, 4);
		return true;
	}
	if (strchr(host, ':') == NULL || getaddrinfo(host, NULL, &hints, &found) != 0)
		return false;
	memcpy(address, &((struct sockaddr_in6 *)(void *)found->ai_addr)->sin6_addr, 16);
	freeaddrinfo(found);
	*v6 = true;
	return true;
}

Test(readers, resolver_as_the_c_library)
{
	static const char *const words[] = {"0", "1", "127", "0x7f", "0X", "0x", "08", "010", "256",
	                                    ".", ".", ".", "65536", "4294967295", "4294967296", " ",
	                                    "a", "-", "::", ":", "ffff", "1.2.3.4", "%1", "%",
	                                    "fe80::1", "99999999999999999999", "\t", "%25"};
	for (unsigned k = 0; k < 1000000 / sample(); k++) {
		char host[256] = "", uri[300], out[4096];
		uint8_t address[16];
		struct urivet_reading r;
		bool v6, v4_or_v6, ours;
		for (unsigned n = 1 + any(6); n > 0; n--)
			strcat(host, words[any(sizeof words / sizeof words[0])]);
		snprintf(uri, sizeof uri, "http://[%s]/", host);
		v4_or_v6 = library_address(host, address, &v6);
		cr_assert(urivet_read_as(&r, RESOLVER, uri, strlen(uri), out, sizeof out));
		ours = r.uri.has_ipv4 || r.uri.host_kind == IPV6;
		cr_assert(ours == v4_or_v6, "%s: %d, not %d", host, ours, v4_or_v6);
		cr_assert(!ours || (r.uri.host_kind == IPV6) == v6, "%s", host);
		cr_assert(!ours || memcmp(address, r.uri.address, v6 ? 16 : 4) == 0, "%s", host);
	}
}
#endif

/* Longer than the buffer: not read. */
Test(readers, beyond_the_buffer)
{
	static char buffer[URIVET_READING_CAPACITY(9)];
	struct urivet_reading r;
	for (unsigned how = URIVET_READER_BROWSER; how <= URIVET_READER_RESOLVER; how++) {
		cr_expect(urivet_read_as(&r, how, "http://h/", 9, buffer, sizeof buffer));
		cr_expect(!urivet_read_as(&r, how, "http://h/", 9, buffer, sizeof buffer - 1));
	}
}
