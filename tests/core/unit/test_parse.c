/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the parser: RFC 3986's examples, the expression of its appendix B, and invalid inputs. */
#include "support.h"

#include <regex.h>

#include "uri/uri.h"

TestSuite(parse, .timeout = 120);

/* Writes the components in the order of enum urivet_component, "-" for absent ones. */
static const char *components(const struct urivet_uri *uri, const char *data)
{
	static char buffers[4][512];
	static unsigned next;
	char *out = buffers[next++ % 4];
	size_t n = 0;
	for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++) {
		if (c == URIVET_AUTHORITY)
			continue;
		n += (size_t)sprintf(out + n, "%s", n > 0 ? "|" : "");
		if (urivet_has(uri, c))
			n += (size_t)sprintf(out + n, "%.*s", (int)uri->part[c].length,
			                     data + uri->part[c].offset);
		else
			n += (size_t)sprintf(out + n, "-");
	}
	return out;
}

/* scheme | userinfo | host | port | path | query | fragment */
static const struct {
	const char *uri, *components;
} good[] = {
	/* RFC 3986, 1.1.2 */
	{"ftp://ftp.is.co.za/rfc/rfc1808.txt", "ftp|-|ftp.is.co.za|-|/rfc/rfc1808.txt|-|-"},
	{"http://www.ietf.org/rfc/rfc2396.txt", "http|-|www.ietf.org|-|/rfc/rfc2396.txt|-|-"},
	{"ldap://[2001:db8::7]/c=GB?objectClass?one",
	 "ldap|-|2001:db8::7|-|/c=GB|objectClass?one|-"},
	{"mailto:John.Doe@example.com", "mailto|-|-|-|John.Doe@example.com|-|-"},
	{"news:comp.infosystems.www.servers.unix",
	 "news|-|-|-|comp.infosystems.www.servers.unix|-|-"},
	{"tel:+1-816-555-1212", "tel|-|-|-|+1-816-555-1212|-|-"},
	{"telnet://192.0.2.16:80/", "telnet|-|192.0.2.16|80|/|-|-"},
	{"urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
	 "urn|-|-|-|oasis:names:specification:docbook:dtd:xml:4.1.2|-|-"},
	/* 3 */
	{"foo://example.com:8042/over/there?name=ferret#nose",
	 "foo|-|example.com|8042|/over/there|name=ferret|nose"},
	{"urn:example:animal:ferret:nose", "urn|-|-|-|example:animal:ferret:nose|-|-"},
	/* undefined is not empty */
	{"", "-|-|-|-||-|-"}, {"?", "-|-|-|-|||-"}, {"#", "-|-|-|-||-|"}, {"//", "-|-||-||-|-"},
	{"//@:", "-||||" "|-|-"}, {"http:", "http|-|-|-||-|-"}, {"http://", "http|-||-||-|-"},
	{"http://h?", "http|-|h|-|||-"}, {"http://h#", "http|-|h|-||-|"},
	{"http://h:", "http|-|h|||-|-"}, {"http://@h", "http||h|-||-|-"},
	{"http://u:p:q@h:1/", "http|u:p:q|h|1|/|-|-"},
	/* relative references, 4.2 */
	{"g:h", "g|-|-|-|h|-|-"}, {"./g:h", "-|-|-|-|./g:h|-|-"},
	{"g;x=1/../y", "-|-|-|-|g;x=1/../y|-|-"}, {"//g", "-|-|g|-||-|-"}, {"?y", "-|-|-|-||y|-"},
	{"/a//b", "-|-|-|-|/a//b|-|-"},
	/* hosts */
	{"x://[::]", "x|-|::|-||-|-"}, {"x://[1:2:3:4:5:6:7:8]:1", "x|-|1:2:3:4:5:6:7:8|1||-|-"},
	{"x://[1:2:3:4:5:6:1.2.3.4]", "x|-|1:2:3:4:5:6:1.2.3.4|-||-|-"},
	{"x://[v1F.a:b!]", "x|-|v1F.a:b!|-||-|-"},
	{"x://a%41!$&'()*+,;=_~b", "x|-|a%41!$&'()*+,;=_~b|-||-|-"},
	{"x://999.999.999.999", "x|-|999.999.999.999|-||-|-"}, {"x:/?#/?", "x|-|-|-|/||/?"},
	{"x:a:b@c", "x|-|-|-|a:b@c|-|-"},
};

Test(parse, examples)
{
	for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
		const size_t length = strlen(good[k].uri);
		struct urivet_uri uri;
		size_t misfit = 999;
		cr_expect(urivet_parse(&uri, at_edge(good[k].uri, length), length, &misfit), "%s",
		          good[k].uri);
		cr_expect(misfit == length);
		cr_expect_str_eq(components(&uri, good[k].uri), good[k].components);
	}
}

static const struct {
	const char *uri;
	size_t misfit;
} bad[] = {
	{" http://h/", 0},        {"http://h/ ", 9},          {"1a:b", 0},
	{":b", 0},                {"a_b:c", 1},               {"http://a b/", 8},
	{"http://h:8a/", 10},     {"http://[::1", 7},         {"http://[::1]a/", 7},
	{"http://a@b@c/", 8},     {"http://h/%4", 9},         {"http://h/%zz", 9},
	{"http://h/?a[0]", 11},   {"http://h/#a#b", 11},      {"http://h/\\", 9},
	{"http://\xc3\xa4/", 7},  {"http://[v.a]/", 7},       {"http://[::1%25a]/", 7},
	{"http://h/%", 9},        {"x://[1:2:3:4:5:6:7:8:9]", 4}, {"x://[1::2::3]", 4},
	{"http://u^@h/<", 8},     {"http://h:80:80/", 8},
};

Test(parse, misfits)
{
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		const size_t length = strlen(bad[k].uri);
		struct urivet_uri uri;
		size_t misfit = 999;
		cr_expect(!urivet_parse(&uri, at_edge(bad[k].uri, length), length, &misfit), "%s",
		          bad[k].uri);
		cr_expect(misfit == bad[k].misfit, "%s: %zu", bad[k].uri, misfit);
	}
}

Test(parse, longer_than_any_uri)
{
	struct urivet_uri uri;
	size_t misfit;
	cr_expect(!urivet_parse(&uri, "", (size_t)URIVET_MAX_LENGTH + 1, &misfit));
	cr_expect(misfit == URIVET_MAX_LENGTH);
	/* for unparsed input all members are zeroed, whatever the memory contained */
	memset(&uri, 0xa5, sizeof uri);
	cr_expect(!urivet_parse(&uri, "", (size_t)URIVET_MAX_LENGTH + 1, NULL));
	cr_expect(uri.present == 0 && uri.port == 0 && uri.scheme == URIVET_SCHEME_NONE && uri.host_kind == URIVET_HOST_NONE && uri.has_ipv4 == 0);
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++)
		cr_expect(uri.part[c].offset == 0 && uri.part[c].length == 0, "%u", c);
}

/* A port counts if it is a number up to 65535; otherwise there is no port. */
Test(parse, ports)
{
	static const struct {
		const char *uri;
		uint32_t port;
	} rows[] = {
	    {"http://h", 80},          {"http://h:", 80},         {"https://h", 443},
	    {"x://h", URIVET_NO_PORT}, {"x://h:0", 0},            {"x://h:65535", 65535},
	    {"x://h:065535", 65535},   {"x://h:00000000001", 1},  {"x://h:65536", URIVET_NO_PORT},
	    {"x://h:655350", URIVET_NO_PORT},                     {"x://h:4294967376", URIVET_NO_PORT},
	    {"http://h: ", URIVET_NO_PORT},                       {"http://h:x", URIVET_NO_PORT},
	    {"http://h:8a", URIVET_NO_PORT},                      {"http://h:8 0/", URIVET_NO_PORT},
	    {"http://h:-8", URIVET_NO_PORT},                      {"http://h:80%30", URIVET_NO_PORT},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const size_t length = strlen(rows[k].uri);
		struct urivet_uri uri;
		urivet_parse(&uri, at_edge(rows[k].uri, length), length, NULL);
		cr_expect(uri.port == rows[k].port, "%s: %u", rows[k].uri, uri.port);
	}
}

static bool same(regmatch_t m, const struct urivet_uri *uri, enum urivet_component c)
{
	if (m.rm_so < 0)
		return !urivet_has(uri, c);
	return urivet_has(uri, c) && uri->part[c].offset == (uint32_t)m.rm_so &&
	       uri->part[c].length == (uint32_t)(m.rm_eo - m.rm_so);
}

/* For every parsed input the expression of appendix B gives the same components: all strings of
 * up to six of these octets. */
Test(parse, as_appendix_b)
{
	static const char octets[] = "a1:/?#@.[";
	regex_t expression;
	regmatch_t m[10];
	unsigned parsed = 0;
	char s[8] = "";
	cr_assert(regcomp(&expression,
	                  "^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?",
	                  REG_EXTENDED) == 0);
	for (unsigned n = 0; n < 531441 + 59049 + 6561; n++) {
		unsigned digits = n < 531441 ? 6 : n < 531441 + 59049 ? 5 : 4, v = n;
		struct urivet_uri uri;
		for (unsigned k = 0; k < digits; k++, v /= 9)
			s[k] = octets[v % 9];
		s[digits] = '\0';
		if (!urivet_parse(&uri, at_edge(s, digits), digits, NULL))
			continue;
		parsed++;
		cr_assert(regexec(&expression, s, 10, m, 0) == 0);
		cr_assert(same(m[2], &uri, URIVET_SCHEME) && same(m[4], &uri, URIVET_AUTHORITY) &&
		              same(m[5], &uri, URIVET_PATH) && same(m[7], &uri, URIVET_QUERY) &&
		              same(m[9], &uri, URIVET_FRAGMENT),
		          "%s", s);
	}
	cr_expect(parsed > 10000, "%u", parsed);
	regfree(&expression);
}

static uint32_t kinds_of(const char *s, struct urivet_span where)
{
	uint32_t kinds = 0;
	for (uint32_t i = where.offset; i < where.offset + where.length; i++)
		kinds |= urivet_kinds[(unsigned char)s[i]];
	return kinds;
}

/* The result does not depend on previous memory; and the kinds of octets reported for a
 * component are those of its octets. */
Test(parse, cut_sets_every_field)
{
	static const char octets[] = "aZ1-._~!:/?#@[]%\\ \"\t\x80;=&+'";
	uint32_t state = 7;
	for (unsigned n = 0; n < 100000 / sample(); n++) {
		char s[16];
		uint32_t length = n % 16, beside = 0;
		struct urivet_uri a, b;
		struct kinds_seen x, y;
		for (uint32_t j = 0; j < length; j++) {
			state = state * 1664525 + 1013904223;
			s[j] = octets[(state >> 16) % (sizeof octets - 1)];
		}
		const enum split_from from = (enum split_from)(n / 16 % 3);
		const struct text t = {at_edge(s, length), length};
		memset(&a, 0, sizeof a);
		memset(&b, 0xa5, sizeof b);
		memset(&x, 0, sizeof x);
		memset(&y, 0xa5, sizeof y);
		urivet_split(t, from, &a, &x);
		urivet_split(t, from, &b, &y);
		cr_assert(memcmp(a.part, b.part, sizeof a.part) == 0 && a.present == b.present &&
		          a.port == b.port && a.scheme == b.scheme);
		cr_assert(a.host_kind == URIVET_HOST_NONE && b.host_kind == URIVET_HOST_NONE);
		cr_assert(a.has_ipv4 == 0 && b.has_ipv4 == 0);
		for (unsigned k = 0; k < 16; k++)
			cr_assert(a.address[k] == 0 && b.address[k] == 0);
		cr_assert(memcmp(&x, &y, sizeof x) == 0);
		uint32_t all = 0;
		for (unsigned c = URIVET_SCHEME; c < URIVET_COMPONENTS; c++) {
			all |= x.in[c];
			cr_assert(urivet_has(&a, c) || a.part[c].length == 0);
			if (c != URIVET_AUTHORITY)
				cr_assert(x.in[c] == kinds_of(s, a.part[c]), "%s: %u",
				          shown(s, length), c);
		}
		cr_assert(x.in[URIVET_WHOLE] == all);
		/* the delimiters of the authority may be left out */
		const uint32_t inside = x.in[URIVET_USERINFO] | x.in[URIVET_HOST] | x.in[URIVET_PORT];
		cr_assert((inside & ~x.in[URIVET_AUTHORITY]) == 0);
		cr_assert((x.in[URIVET_AUTHORITY] & ~kinds_of(s, a.part[URIVET_AUTHORITY])) == 0);
		const struct urivet_span p = a.part[URIVET_PATH];
		for (uint32_t i = p.offset; i < p.offset + p.length; i++) {
			const uint32_t kind = urivet_kinds[(unsigned char)s[i]];
			const bool last = i + 1 == p.offset + p.length;
			if ((i > p.offset && s[i - 1] == '/') || (last ? s[i] != '/' : s[i + 1] == '/'))
				beside |= kind & (DOT | SLASH);
		}
		cr_assert(x.beside_slash == beside, "%s", shown(s, length));
	}
}

/* RFC 3986, 3.2.2: which alternative the host is. */
Test(parse, kinds_of_hosts)
{
	static const struct {
		const char *uri;
		enum urivet_host_kind kind;
		bool has_ipv4;
	} rows[] = {
	    {"http://1.2.3.4/", URIVET_HOST_IPV4, true},
	    {"http://255.255.255.255:80", URIVET_HOST_IPV4, true},
	    {"http://u@1.2.3.4?q", URIVET_HOST_IPV4, true},
	    {"http://1.2.3.256/", URIVET_HOST_NAME, false}, {"http://1.2.3/", URIVET_HOST_NAME, true},
	    {"http://01.2.3.4/", URIVET_HOST_NAME, true},
	    {"http://1.2.3.4.5/", URIVET_HOST_NAME, false},
	    {"http://a.2.3.4/", URIVET_HOST_NAME, false},
	    {"http://[::1.2.3.4]/", URIVET_HOST_IPV6, false}, {"http://[::]/", URIVET_HOST_IPV6, false},
	    {"http://[v1.a]/", URIVET_HOST_IPVFUTURE, false}, {"http://h/", URIVET_HOST_NAME, false},
	    {"http:///", URIVET_HOST_NONE, false}, {"http:h", URIVET_HOST_NONE, false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		judge(&r, rows[k].uri, strlen(rows[k].uri), BY_ANY);
		cr_expect(r.parsed, "%s", rows[k].uri);
		cr_expect(r.uri.host_kind == rows[k].kind, "%s: %u", rows[k].uri, r.uri.host_kind);
		cr_expect(r.uri.has_ipv4 == rows[k].has_ipv4, "%s", rows[k].uri);
	}
}
