/* SPDX-License-Identifier: Apache-2.0 */
/* The parser: RFC 3986's examples, the expression of its appendix B, misfits. */
#include "support.h"

#include <regex.h>

TestSuite(parse, .timeout = 120);

/* Components in the order of enum urivet_component, "-" for absent. */
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
	{"", "-|-|-|-||-|-"},
	{"?", "-|-|-|-|||-"},
	{"#", "-|-|-|-||-|"},
	{"//", "-|-||-||-|-"},
	{"//@:", "-||||" "|-|-"},
	{"http:", "http|-|-|-||-|-"},
	{"http://", "http|-||-||-|-"},
	{"http://h?", "http|-|h|-|||-"},
	{"http://h#", "http|-|h|-||-|"},
	{"http://h:", "http|-|h|||-|-"},
	{"http://@h", "http||h|-||-|-"},
	{"http://u:p:q@h:1/", "http|u:p:q|h|1|/|-|-"},
	/* relative references, 4.2 */
	{"g:h", "g|-|-|-|h|-|-"},
	{"./g:h", "-|-|-|-|./g:h|-|-"},
	{"g;x=1/../y", "-|-|-|-|g;x=1/../y|-|-"},
	{"//g", "-|-|g|-||-|-"},
	{"?y", "-|-|-|-||y|-"},
	{"/a//b", "-|-|-|-|/a//b|-|-"},
	/* hosts */
	{"x://[::]", "x|-|::|-||-|-"},
	{"x://[1:2:3:4:5:6:7:8]:1", "x|-|1:2:3:4:5:6:7:8|1||-|-"},
	{"x://[1:2:3:4:5:6:1.2.3.4]", "x|-|1:2:3:4:5:6:1.2.3.4|-||-|-"},
	{"x://[v1F.a:b!]", "x|-|v1F.a:b!|-||-|-"},
	{"x://a%41!$&'()*+,;=_~b", "x|-|a%41!$&'()*+,;=_~b|-||-|-"},
	{"x://999.999.999.999", "x|-|999.999.999.999|-||-|-"},
	{"x:/?#/?", "x|-|-|-|/||/?"},
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

Test(parse, nothing_is_the_empty_reference)
{
	struct urivet_uri uri;
	cr_expect(urivet_parse(&uri, NULL, 0, NULL));
	cr_expect(uri.port == URIVET_NO_PORT && uri.host_kind == URIVET_HOST_NONE);
}

Test(parse, longer_than_any_uri)
{
	struct urivet_uri uri;
	size_t misfit;
	cr_expect(!urivet_parse(&uri, "", (size_t)URIVET_MAX_LENGTH + 1, &misfit));
	cr_expect(misfit == URIVET_MAX_LENGTH);
}

static bool same(regmatch_t m, const struct urivet_uri *uri, enum urivet_component c)
{
	if (m.rm_so < 0)
		return !urivet_has(uri, c);
	return urivet_has(uri, c) && uri->part[c].offset == (uint32_t)m.rm_so &&
	       uri->part[c].length == (uint32_t)(m.rm_eo - m.rm_so);
}

/* Whatever we parse, the expression of appendix B cuts alike: all strings of
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
