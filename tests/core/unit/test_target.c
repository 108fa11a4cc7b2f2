/* SPDX-License-Identifier: Apache-2.0 */
/* Tests HTTP request targets: RFC 9112, 3.2. */
#include "support.h"

TestSuite(target, .timeout = 30);

static struct urivet_text text_or_none(const char *string)
{
	return urivet_text_of(string, string != NULL ? strlen(string) : 0);
}

/* Judges a target of a request whose method allows this form; host NULL: unknown. */
static enum urivet_verdict judge_form(struct urivet_report *r, const char *target, const char *host,
                                      enum urivet_target_form expected, enum urivet_target_form *form)
{
	struct urivet_request request;
	const size_t length = strlen(target);
	cr_assert(urivet_request_init(&request, sizeof request));
	request.host = text_or_none(host);
	request.host_unknown = host == NULL;
	if (expected == URIVET_TARGET_AUTHORITY)
		request.method = TEXT("CONNECT");
	if (expected == URIVET_TARGET_ASTERISK)
		request.method = TEXT("OPTIONS");
	return urivet_check_request(r, at_edge(target, length), length, &request, NULL,
	                            form);
}

/* In origin form the spans of the authority are those of the Host field. */
Test(target, spans_of_the_host_field)
{
	struct urivet_report r;
	check_target(&r, TEXT("/path?q"), TEXT("example.com:80"), NULL, NULL);
	cr_expect(r.parsed && urivet_has(&r.uri, URIVET_HOST) && urivet_has(&r.uri, URIVET_QUERY));
	cr_expect(r.uri.part[URIVET_HOST].offset == 0 && r.uri.part[URIVET_HOST].length == 11);
	cr_expect(r.uri.part[URIVET_PATH].offset == 0 && r.uri.part[URIVET_PATH].length == 5);
	cr_expect(r.uri.port == 80 && !urivet_has(&r.uri, URIVET_SCHEME));
	cr_expect(urivet_has(&r.uri, URIVET_AUTHORITY) && !urivet_has(&r.uri, URIVET_USERINFO));
	cr_expect(r.uri.part[URIVET_AUTHORITY].offset == 0 && r.uri.part[URIVET_AUTHORITY].length == 14);
	check_target(&r, TEXT("/"), TEXT("u@h"), NULL, NULL);
	cr_expect(urivet_has(&r.uri, URIVET_AUTHORITY) && urivet_has(&r.uri, URIVET_USERINFO) &&
	          urivet_has(&r.uri, URIVET_HOST) && !urivet_has(&r.uri, URIVET_PORT));
	cr_expect(finding_in(&r, URIVET_F_USERINFO_PRESENT)->span.length == 2);
}

Test(target, a_target_above_the_limit)
{
	static char target[9000];
	struct urivet_report r;
	memset(target, '/', sizeof target);
	check_target(&r, urivet_text_of(target, sizeof target), TEXT("h"), NULL, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_URL_TOO_LONG), "%s", ids_of(&r));
	cr_expect(r.count == 1);
}

Test(target, a_host_field_above_the_limit)
{
	static char host[9000];
	struct urivet_report r;
	memset(host, 'a', sizeof host);
	check_target(&r, TEXT("/"), urivet_text_of(host, sizeof host), NULL, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_URL_TOO_LONG));
}

/* RFC 9112, 3.2, and 3.2.2 of RFC 9110, 7.2: whole reports. */
static const struct {
	const char *target, *host; /* host NULL: unknown */
	enum urivet_target_form form;
	bool parsed;
	const char *ids;
} reports[] = {
	{"/", NULL, URIVET_TARGET_ORIGIN, true, "-"},
	{"/a/b?c=d", NULL, URIVET_TARGET_ORIGIN, true, "-"},
	{"/a?b", "example.com", URIVET_TARGET_ORIGIN, true, "-"},
	{"/a?b", "example.com:80", URIVET_TARGET_ORIGIN, true, "-"},
	{"/a", "[2001:db8::1]", URIVET_TARGET_ORIGIN, true, "-"},
	{"/99", "[2001:db8::1]", URIVET_TARGET_ORIGIN, true, "ipv6-path-digit"},
	{"/99", "example.com", URIVET_TARGET_ORIGIN, true, "-"},
	{"//example.net/", "example.com", URIVET_TARGET_ORIGIN, true, "path-leading-double-slash"},
	{"/../a", NULL, URIVET_TARGET_ORIGIN, true, "dot-segment,dot-segment-above-root"},
	{"/a%0d%0a", NULL, URIVET_TARGET_ORIGIN, true, "escaped-crlf,escape-case"},
	{"/a#b", NULL, URIVET_TARGET_ORIGIN, true, "fragment-in-target"},
	{"/a|b", NULL, URIVET_TARGET_ORIGIN, false, "forbidden-char"},
	{"/x.y.z:80/", "example.com", URIVET_TARGET_ORIGIN, true, "colon-port-in-tail,tail-colon-digits"},
	{"/x.y.z:80/", "example.com:80", URIVET_TARGET_ORIGIN, true, "tail-colon-digits"},
	{"/", "127.1", URIVET_TARGET_ORIGIN, true, "ipv4-short"}, {"/", "1", URIVET_TARGET_ORIGIN, true, "ipv4-decimal"},
	{"/", "u@example.com", URIVET_TARGET_ORIGIN, true, "userinfo-present"},
	{"/", "example.com/a", URIVET_TARGET_ORIGIN, false, "target-malformed"},
	{"/", "example.com:8080", URIVET_TARGET_ORIGIN, true, "port-nondefault"},
	{"/", "", URIVET_TARGET_ORIGIN, true, "host-empty,host-missing"},
	{"http://example.com/a", NULL, URIVET_TARGET_ABSOLUTE, true, "-"},
	{"http://example.com/a", "example.com", URIVET_TARGET_ABSOLUTE, true, "-"},
	{"http://example.com/a", "EXAMPLE.com:80", URIVET_TARGET_ABSOLUTE, true, "host-case"},
	{"https://example.com/a", "example.com:80", URIVET_TARGET_ABSOLUTE, true, "host-header-mismatch"},
	{"http://a[b/", "a{b", URIVET_TARGET_ABSOLUTE, false, "template-or-glob,host-forbidden-char,host-header-mismatch"}, /* brackets have no letter case */
	{"http://example.com/a#b", NULL, URIVET_TARGET_ABSOLUTE, true, "fragment-in-target"},
	{"ftp://example.com/a", NULL, URIVET_TARGET_ABSOLUTE, true, "scheme-not-allowed"},
	{"example.com:443", NULL, URIVET_TARGET_AUTHORITY, true, "-"},
	{"[2001:db8::1]:443", NULL, URIVET_TARGET_AUTHORITY, true, "-"},
	{"example.com:80", NULL, URIVET_TARGET_AUTHORITY, true, "-"},
	{"example.com:25", NULL, URIVET_TARGET_AUTHORITY, true, "port-nondefault,port-blocked"},
	{"u@127.1:443", NULL, URIVET_TARGET_AUTHORITY, true, "userinfo-present,ipv4-short"},
	{"/", "u@127.1", URIVET_TARGET_ORIGIN, true, "userinfo-present,ipv4-short"},
	{"u@example.com:443", NULL, URIVET_TARGET_AUTHORITY, true, "userinfo-present"},
	{"*", NULL, URIVET_TARGET_ASTERISK, true, "-"},
	{"*", "example.com", URIVET_TARGET_ASTERISK, true, "-"},
	{"**", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"a/b", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"?a", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"/?a=b&a", NULL, URIVET_TARGET_ORIGIN, true, "query-duplicate-key"},
	{"/?a=b&a", "h.example", URIVET_TARGET_ORIGIN, true, "query-duplicate-key"},
	{"", "h.example", URIVET_TARGET_NONE, true, "path-empty,target-malformed"},
	{"/a'", "h.example", URIVET_TARGET_ORIGIN, true, "tail-apostrophe"},
	{"/%0A", "h.example", URIVET_TARGET_ORIGIN, true, "escaped-crlf"},
	{"/", "a%00b", URIVET_TARGET_ORIGIN, true, "host-percent-encoded,host-encoded-delimiter,escaped-nul"},
	{"/", "a b", URIVET_TARGET_ORIGIN, false, "raw-space,host-forbidden-char"},
	{"/ a", "h.example", URIVET_TARGET_ORIGIN, false, "raw-space"},
	{"/", "h/a", URIVET_TARGET_ORIGIN, false, "target-malformed"},
	{"/", "h?", URIVET_TARGET_ORIGIN, false, "target-malformed"},
	{"a/b:c", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"a?b:c", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"a", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"?a:b", NULL, URIVET_TARGET_NONE, true, "target-malformed"},
	{"/a:b", NULL, URIVET_TARGET_ORIGIN, true, "-"},
	{"]:80", NULL, URIVET_TARGET_AUTHORITY, false, "host-forbidden-char"},
	{"a]:80", NULL, URIVET_TARGET_AUTHORITY, false, "host-forbidden-char"},
	{"a[:80", NULL, URIVET_TARGET_AUTHORITY, false, "target-malformed,host-forbidden-char"},
	{"#a:b", NULL, URIVET_TARGET_NONE, true, "target-malformed,fragment-in-target"},
	{"http://h/", "g", URIVET_TARGET_ABSOLUTE, true, "host-header-mismatch"},
	{"http://ab/", "cb", URIVET_TARGET_ABSOLUTE, true, "host-header-mismatch"},
	{"http://ab/", "a", URIVET_TARGET_ABSOLUTE, true, "host-header-mismatch"},
	{"http://ab/", "abc", URIVET_TARGET_ABSOLUTE, true, "host-header-mismatch"},
	{"http://ab/", "u@ab", URIVET_TARGET_ABSOLUTE, true, "userinfo-present"},
	{"http://ab/", "ab:81", URIVET_TARGET_ABSOLUTE, true, "port-nondefault,host-header-mismatch"},
	{"http://ab/", "ab:x", URIVET_TARGET_ABSOLUTE, false, "port-invalid,host-header-mismatch"},
	{"http://ab/", "ab/x", URIVET_TARGET_ABSOLUTE, false, "target-malformed"},
	{"http://ab/", "ab:", URIVET_TARGET_ABSOLUTE, true, "port-empty"},
	{"http://ab:80/", "AB", URIVET_TARGET_ABSOLUTE, true, "host-case,port-default"},
	{"http://ab/", "", URIVET_TARGET_ABSOLUTE, true, "host-empty,host-missing,host-header-mismatch"},
	{"http://ab", "ab", URIVET_TARGET_ABSOLUTE, true, "path-empty"},
	{"http://ab/|", "ab", URIVET_TARGET_ABSOLUTE, false, "forbidden-char"},
	{"ab:80", "ab/x", URIVET_TARGET_AUTHORITY, false, "target-malformed"},
	{"ab:80|", "ab", URIVET_TARGET_AUTHORITY, false, "port-invalid"},
	{"http://[::1]/", "[::1]", URIVET_TARGET_ABSOLUTE, true, "-"},
	{"http://[::1]/", "[::9]", URIVET_TARGET_ABSOLUTE, true, "ipv4-compatible-ipv6,host-header-mismatch"},
	{"://h/", NULL, URIVET_TARGET_ABSOLUTE, false, "not-absolute,scheme-malformed,path-colon-first,url-in-path,path-double-slash"},
	{"h.example:", NULL, URIVET_TARGET_AUTHORITY, true, "target-malformed,port-empty"},
	{":80", NULL, URIVET_TARGET_AUTHORITY, true, "host-empty,target-malformed"},
	{"*", "h.example:8080", URIVET_TARGET_ASTERISK, true, "port-nondefault"},
};

Test(target, reports)
{
	for (size_t k = 0; k < sizeof reports / sizeof reports[0]; k++) {
		struct urivet_report r;
		enum urivet_target_form form;
		const char *host = reports[k].host;
		const size_t length = strlen(reports[k].target);
		const enum urivet_verdict v =
		    judge_form(&r, reports[k].target, host, reports[k].form, &form);
		bool refused = false;
		for (uint32_t n = 0; n < r.count; n++) {
			refused = refused || r.finding[n].class_ != URIVET_NOTE;
			if (r.finding[n].id == URIVET_F_TARGET_MALFORMED && host == NULL)
				cr_expect(r.finding[n].span.offset == 0 &&
				          r.finding[n].span.length == length);
		}
		cr_expect_str_eq(ids_of(&r), reports[k].ids, "%s of %s: %s", reports[k].target,
		                 host ? host : "?", ids_of(&r));
		cr_expect(form == reports[k].form && r.parsed == reports[k].parsed, "%s of %s",
		          reports[k].target, host ? host : "?");
		cr_expect(v == r.verdict && (v == URIVET_REJECT) == refused, "%s", reports[k].target);
	}
}

/* Limits of names in the Host field of a plain request. */
Test(target, limits_of_names)
{
	struct urivet_report r;
	struct urivet_policy p = built_in(URIVET_STRICT);
	cr_expect(check_target(&r, TEXT("/a"), TEXT("www.example.com"), &p, NULL) == URIVET_ACCEPT && r.count == 0);
	p.max_host = 14;
	cr_expect(check_target(&r, TEXT("/a"), TEXT("www.example.com"), &p, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "host-too-long", "%s", ids_of(&r));
	p.max_host = 253;
	p.max_label = 6;
	cr_expect(check_target(&r, TEXT("/a"), TEXT("www.example.com"), &p, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "host-label-too-long", "%s", ids_of(&r));
	p.max_label = 7;
	cr_expect(check_target(&r, TEXT("/a"), TEXT("www.example.com"), &p, NULL) == URIVET_ACCEPT && r.count == 0);
}

/* A finding in the target lies in a component of the target, whatever the Host field has in that
 * component. */
Test(target, components_of_findings)
{
	static const struct {
		const char *target;
		unsigned id;
		enum urivet_component component;
	} found[] = {
	    {"/a:80", URIVET_F_TAIL_COLON_DIGITS, URIVET_PATH},
	    {"/a?b:80", URIVET_F_TAIL_COLON_DIGITS, URIVET_QUERY},
	    {"/a?:80", URIVET_F_TAIL_COLON_DIGITS, URIVET_QUERY},
	    {"/a#:80", URIVET_F_TAIL_COLON_DIGITS, URIVET_FRAGMENT},
	    {"/a?b#c:80", URIVET_F_TAIL_COLON_DIGITS, URIVET_FRAGMENT},
	    {"/a.b.c.d:80", URIVET_F_COLON_PORT_IN_TAIL, URIVET_PATH},
	    {"/?a.b.c.d:80", URIVET_F_COLON_PORT_IN_TAIL, URIVET_QUERY}, {"/[?{y}", URIVET_F_TEMPLATE_OR_GLOB, URIVET_QUERY},
	};
	for (size_t k = 0; k < sizeof found / sizeof found[0]; k++) {
		const size_t length = strlen(found[k].target);
		struct urivet_report r;
		for (unsigned field = 0; field < 2; field++) {
			check_target(&r, urivet_text_of(found[k].target, length), urivet_text_of(field ? "example.com" : NULL, field ? 11 : 0), NULL, NULL);
			const struct urivet_finding *f = finding_in(&r, found[k].id);
			cr_assert(f != NULL, "%s: %s", found[k].target, ids_of(&r));
			cr_expect(f->component == found[k].component, "%s: %s", found[k].target,
			          urivet_component_name(f->component));
		}
	}
}

/* The authority of the report is that of the Host field, at any offset. */
Test(target, what_is_taken_of_the_host_field)
{
	struct urivet_report r;
	check_target(&r, TEXT("/path"), TEXT("u@127.0.0.1:81"), NULL, NULL);
	cr_expect(r.uri.part[URIVET_USERINFO].length == 1 && r.uri.part[URIVET_HOST].offset == 2 &&
	          r.uri.part[URIVET_HOST].length == 9 && r.uri.part[URIVET_PORT].offset == 12);
	cr_expect(r.uri.has_ipv4 == 1 && memcmp(r.uri.address, (uint8_t[]){127, 0, 0, 1}, 4) == 0);
	cr_expect(r.uri.host_kind == URIVET_HOST_IPV4 && r.uri.port == 81);
	check_target(&r, TEXT("/"), TEXT("[2001:db8::9]"), NULL, NULL);
	cr_expect(r.uri.host_kind == URIVET_HOST_IPV6 && r.uri.address[0] == 0x20 &&
	          r.uri.address[1] == 1 && r.uri.address[15] == 9 && !r.uri.has_ipv4);
	/* so are addresses that its name spells, where it begins the field */
	static const char *const names[][2] = {{"a.nip.io", "addr-unclassified"}, {"1.2.3.x.example.com", "-"}, {"1.2.3.4.example.com", "host-ipv4-prefix,host-embeds-ip"},
		{"x.fe80--1.sslip.io", "host-embeds-ip,addr-not-global,addr6-link-local"}, {"-@7f000001.nip.io", "userinfo-present,host-embeds-ip,addr-not-global,addr-loopback"},
		{"9z.127.0.0.1.nip.io", "addr-unclassified,host-embeds-ip,addr-not-global,addr-loopback"}};
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
		check_target(&r, TEXT("/x"), text_or_none(names[k][0]), BY_PUBLIC, NULL);
		cr_expect_str_eq(ids_of(&r), names[k][1], "%s: %s", names[k][0], ids_of(&r));
		cr_expect(k != 2 || finding_in(&r, URIVET_F_HOST_EMBEDS_IP)->span.offset == 0);
	}
	/* no Host field: its length is ignored */
	cr_expect(check_target(&r, TEXT("/"), urivet_text_of(NULL, 99999), NULL, NULL) == URIVET_ACCEPT);
	cr_expect(!urivet_has(&r.uri, URIVET_HOST));
}

/* ---- Facts about the request ----------------------------------------------------------- */

/* RFC 9112, 3.2: the form that each method takes. */
static const struct {
	const char *method; /* NULL: unknown */
	bool origin, absolute, authority, asterisk;
} methods[] = {
	{NULL, true, true, false, false},      {"GET", true, true, false, false},
	{"POST", true, true, false, false},    {"CONNECT", false, false, true, false},
	{"OPTIONS", true, true, false, true},  {"connect", true, true, false, false},
	{"options", true, true, false, false}, {"CONNECTS", true, true, false, false},
	{"CONNEC", true, true, false, false},  {"M!#$%&'*+-.^_`|~9", true, true, false, false},
	{"XONNECT", true, true, false, false}, {"XPTIONS", true, true, false, false},
};

Test(target, forms_by_method)
{
	for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
		const struct {
			const char *target;
			enum urivet_target_form form;
			bool allowed;
		} forms[] = {
		    {"/a", URIVET_TARGET_ORIGIN, methods[k].origin},
		    {"http://example.com/a", URIVET_TARGET_ABSOLUTE, methods[k].absolute},
		    {"example.com:443", URIVET_TARGET_AUTHORITY, methods[k].authority},
		    {"*", URIVET_TARGET_ASTERISK, methods[k].asterisk},
		};
		for (size_t n = 0; n < 4; n++) {
			for (int base = 0; base < URIVET_BASES; base++) {
				struct urivet_request request;
				struct urivet_report r;
				enum urivet_target_form form;
				cr_assert(urivet_request_init(&request, sizeof request));
				request.method = text_or_none(methods[k].method);
				request.host_unknown = true;
				urivet_check_request(&r, text_or_none(forms[n].target).data, text_or_none(forms[n].target).length, &request,
				                     by_built_in(base), &form);
				cr_expect(form == forms[n].form);
				cr_expect((finding_in(&r, URIVET_F_TARGET_FORM) == NULL) == forms[n].allowed,
				          "%s %s", methods[k].method, forms[n].target);
				const struct urivet_finding *f = finding_in(&r, URIVET_F_TARGET_FORM);
				cr_expect(f == NULL || (f->span.offset == 0 && f->component == URIVET_WHOLE &&
				                        f->span.length == strlen(forms[n].target)));
				cr_expect((r.verdict == URIVET_ACCEPT) == forms[n].allowed,
				          "%s %s: %s", methods[k].method, forms[n].target, ids_of(&r));
			}
		}
	}
}

/* Facts about the listener, and what target and Host field may name then. */
static const struct {
	enum urivet_scheme scheme;
	uint32_t port;
	const char *method, *host, *target, *ids;
} contexts[] = {
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x", "/", "-"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x:80", "/", "-"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x:443", "/", "-"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x:8443", "/", "port-nondefault"},
	{URIVET_SCHEME_NONE, 8443, "GET", "x:8443", "/", "-"},
	{URIVET_SCHEME_NONE, 8443, "GET", "x:8444", "/", "port-nondefault"},
	{URIVET_SCHEME_NONE, 8443, "GET", "x:443", "/", "-"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x:8443", "/", "-"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x", "/", "-"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x:443", "/", "port-default"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x:80", "/", "port-nondefault"},
	{URIVET_SCHEME_HTTPS, URIVET_NO_PORT, "GET", "x:443", "/", "port-default"},
	{URIVET_SCHEME_HTTPS, URIVET_NO_PORT, "GET", "x:80", "/", "port-nondefault"},
	{URIVET_SCHEME_HTTP, URIVET_NO_PORT, "GET", "x:80", "/", "port-default"},
	{URIVET_SCHEME_HTTP, 1, "GET", "x:1", "/", "-"},
	{URIVET_SCHEME_HTTP, 65535, "GET", "x:65535", "/", "-"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x:08443", "/", "port-leading-zero"},
	/* absolute form: compared with the Host field, then with the listener */
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x", "http://x/", "-"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x:443", "https://x/", "-"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "x:80", "https://x/", "host-header-mismatch"},
	{URIVET_SCHEME_HTTPS, URIVET_NO_PORT, "GET", "x", "https://x/", "-"},
	{URIVET_SCHEME_HTTPS, URIVET_NO_PORT, "GET", "x", "http://x/", "host-header-mismatch"},
	{URIVET_SCHEME_HTTP, URIVET_NO_PORT, "GET", "x", "https://x/", "host-header-mismatch"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x:8443", "https://x:8443/", "-"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x:8443", "https://x/", "host-header-mismatch"},
	{URIVET_SCHEME_HTTPS, 8443, "GET", "x", "https://x:8443/", "host-header-mismatch"},
	{URIVET_SCHEME_HTTPS, 443, "GET", "x", "https://x/", "-"},
	{URIVET_SCHEME_HTTP, 443, "GET", "x", "http://x/", "host-header-mismatch"},
	{URIVET_SCHEME_NONE, 443, "GET", "x", "http://x/", "host-header-mismatch"},
	{URIVET_SCHEME_HTTP, 80, "GET", NULL, "http://x/", "-"},
	{URIVET_SCHEME_HTTPS, 80, "GET", NULL, "http://x/", "host-header-mismatch"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "y", "http://x/", "host-header-mismatch"},
	/* authority form: another server, to which the facts about the listener do not apply */
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "x:443", "x:443", "-"},
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "x", "x:443", "-"},
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "x:80", "x:443", "host-header-mismatch"},
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "y:443", "x:443", "host-header-mismatch"},
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "x:3128", "x:3128", "port-nondefault"},
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "x:22", "x:22", "port-nondefault,port-blocked"},
	{URIVET_SCHEME_HTTP, 3128, "CONNECT", "x", "x", "target-malformed"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "CONNECT", "x:1", "x:1", "port-nondefault,port-blocked"},
	/* no Host field, or an empty one */
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "", "/", "host-empty,host-missing"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "GET", "", "http://x/",
	 "host-empty,host-missing,host-header-mismatch"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "CONNECT", "", "x:443",
	 "host-empty,host-header-mismatch,host-missing"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "OPTIONS", "", "*", "host-empty,host-missing"},
	{URIVET_SCHEME_NONE, URIVET_NO_PORT, "OPTIONS", "x:8443", "*", "port-nondefault"},
	{URIVET_SCHEME_NONE, 8443, "OPTIONS", "x:8443", "*", "-"},
};

Test(target, contexts)
{
	for (size_t k = 0; k < sizeof contexts / sizeof contexts[0]; k++) {
		struct urivet_request request;
		struct urivet_report r;
		const size_t length = strlen(contexts[k].target);
		cr_assert(urivet_request_init(&request, sizeof request));
		request.scheme = contexts[k].scheme;
		request.port = contexts[k].port;
		request.method = text_or_none(contexts[k].method);
		request.host = text_or_none(contexts[k].host);
		request.host_unknown = contexts[k].host == NULL;
		cr_expect(urivet_request_valid(&request));
		urivet_check_request(&r, at_edge(contexts[k].target, length), length,
		                     &request, NULL, NULL);
		bool refused = false;
		for (uint32_t n = 0; n < r.count; n++)
			refused = refused || urivet_finding_refuses(&r, &r.finding[n], NULL);
		cr_expect_str_eq(ids_of(&r), contexts[k].ids, "%s %s %s on port %lu: %s",
		                 contexts[k].method, contexts[k].host ? contexts[k].host : "?",
		                 contexts[k].target, (unsigned long)contexts[k].port, ids_of(&r));
		cr_expect((r.verdict == URIVET_REJECT) == refused);
	}
}

/* The span is the part that differs, with length 0 if it is absent. */
Test(target, what_differs)
{
	static const struct {
		const char *host, *target;
		enum urivet_component component;
		uint32_t offset, length, count;
	} differences[] = {
	    {"x:8443", "http://x:8443/", URIVET_SCHEME, 0, 4, 1},
	    {"y:8443", "https://x:8443/", URIVET_HOST, 8, 1, 1},
	    {"x:8443", "https://x/", URIVET_PORT, 9, 0, 2}, /* in the field, by the listener */
	    {"x", "https://x:8443/", URIVET_PORT, 10, 4, 1},
	    {"[::1]:8443", "https://[::2]/", URIVET_HOST, 9, 3, 3},
	};
	for (size_t k = 0; k < sizeof differences / sizeof differences[0]; k++) {
		struct urivet_request request;
		struct urivet_report r;
		cr_assert(urivet_request_init(&request, sizeof request));
		request.scheme = URIVET_SCHEME_HTTPS;
		request.port = 8443;
		request.host = text_or_none(differences[k].host);
		urivet_check_request(&r, text_or_none(differences[k].target).data, text_or_none(differences[k].target).length, &request, NULL, NULL);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_HOST_HEADER_MISMATCH);
		cr_assert(f != NULL, "%s: %s", differences[k].target, ids_of(&r));
		cr_expect(f->component == differences[k].component && f->in == URIVET_IN_INPUT &&
		              f->span.offset == differences[k].offset &&
		              f->span.length == differences[k].length && f->count == differences[k].count,
		          "%s: %u+%u, %u times", differences[k].target, (unsigned)f->span.offset,
		          (unsigned)f->span.length, (unsigned)f->count);
	}
}

/* The listener's scheme determines the port of a Host field without one. */
Test(target, the_port_that_is_meant)
{
	struct urivet_request request;
	struct urivet_report r;
	cr_assert(urivet_request_init(&request, sizeof request));
	request.host = TEXT("x");
	urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL);
	cr_expect(r.uri.port == URIVET_NO_PORT);
	request.scheme = URIVET_SCHEME_HTTPS;
	urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL);
	cr_expect(r.uri.port == 443);
	request.host = TEXT("x:80");
	urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL);
	cr_expect(r.uri.port == 80);
}

/* A missing Host field is reported in the field, with length 0. */
Test(target, a_missing_host_field)
{
	struct urivet_request request;
	struct urivet_report r;
	cr_assert(urivet_request_init(&request, sizeof request));
	cr_expect(urivet_check_request(&r, LITERAL("/a"), &request, NULL, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "host-empty,host-missing");
	const struct urivet_finding *f = finding_in(&r, URIVET_F_HOST_MISSING);
	cr_assert(f != NULL);
	cr_expect(f->in == URIVET_IN_HOST_FIELD && f->component == URIVET_HOST &&
	          f->span.offset == 0 && f->span.length == 0);
	cr_expect(urivet_fault(f, TEXT("/a"), request.host).length == 0);
}

/* Checks that the request is refused whatever its target is. */
static void expect_invalid(const struct urivet_request *request, const char *what)
{
	struct urivet_report r;
	enum urivet_target_form form;
	cr_expect(!urivet_request_valid(request), "%s", what);
	cr_expect(urivet_check_request(&r, LITERAL("/"), request, NULL, &form) == URIVET_REJECT, "%s", what);
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	cr_expect(form == URIVET_TARGET_NONE && !r.parsed && r.uri.present == 0);
	cr_expect(urivet_reason(&r, NULL) == URIVET_REASON_NOT_ALLOWED);
}

/* A contradictory context never leads to an acceptance. */
Test(target, contexts_that_are_none)
{
	static const struct {
		uint32_t scheme, port;
	} bad[] = {{URIVET_SCHEME_NONE, 0},   {URIVET_SCHEME_NONE, 65536}, {URIVET_SCHEME_NONE, UINT32_MAX - 1},
	           {URIVET_SCHEME_OTHER, 80}, {URIVET_SCHEME_FTP, 80},     {URIVET_SCHEME_WS, 80}, {99, 80}};
	static const char *const tokens[] = {"",    "GET ", " GET",  "(",   "G T",        "G(T", "G)T",
	                                     "G,T", "G/T",  "G\"T", "G{T", "G\xc3\xa9T"};
	struct urivet_request request;
	struct urivet_report r;
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		cr_assert(urivet_request_init(&request, sizeof request));
		request.host = TEXT("example.com");
		request.scheme = bad[k].scheme;
		request.port = bad[k].port;
		expect_invalid(&request, "scheme or port");
	}
	for (size_t k = 0; k < sizeof tokens / sizeof tokens[0]; k++) {
		cr_assert(urivet_request_init(&request, sizeof request));
		request.host = TEXT("example.com");
		request.method = text_or_none(tokens[k]);
		expect_invalid(&request, tokens[k]);
	}
	request.method = TEXT("GET");
	cr_expect(urivet_request_valid(&request));
	request.host_unknown = true;
	expect_invalid(&request, "a Host field and none");
	cr_expect(urivet_check_request(&r, LITERAL("/"), NULL, NULL, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	cr_expect(!urivet_request_valid(NULL) && !urivet_request_init(NULL, sizeof request));
	/* a very long text is not a method */
	static char longest[70000];
	memset(longest, 'A', sizeof longest);
	cr_assert(urivet_request_init(&request, sizeof request));
	request.host = TEXT("x");
	request.method = urivet_text_of(longest, sizeof longest);
	cr_expect(urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL) == URIVET_ACCEPT);
	request.method = urivet_text_of(longest, (size_t)URIVET_MAX_LENGTH + 1);
	cr_expect(urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL) == URIVET_REJECT);
}

/* Structures of other versions' sizes, and reports that are too small. */
Test(target, requests_of_other_sizes)
{
	struct urivet_request request;
	struct urivet_report r;
	unsigned char larger[sizeof request + 8];
	cr_expect(!urivet_request_init(&request, sizeof request - 1));
	cr_expect(request.size == 0 && !urivet_request_valid(&request));
	cr_expect(urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL) == URIVET_REJECT);
	memset(larger, 0xff, sizeof larger);
	cr_expect(!urivet_request_init((struct urivet_request *)larger, sizeof larger));
	for (size_t k = 0; k < sizeof larger; k++)
		cr_expect(larger[k] == 0);
	cr_assert(urivet_request_init(&request, sizeof request));
	request.host = TEXT("x");
	cr_expect(urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL) == URIVET_ACCEPT);
	request.size++;
	cr_expect(urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL) == URIVET_REJECT);
	request.size -= 2;
	cr_expect(urivet_check_request(&r, LITERAL("/"), &request, NULL, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	enum urivet_target_form form = URIVET_TARGET_ORIGIN;
	request.size = sizeof request;
	cr_expect(urivet_check_request_sized(&r, 8, LITERAL("/"), &request, NULL, &form) == URIVET_REJECT);
	cr_expect(form == URIVET_TARGET_NONE && r.size == 0);
}
