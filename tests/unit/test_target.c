/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP request targets: RFC 9112, 3.2. */
#include "support.h"

TestSuite(target, .timeout = 30);

static struct urivet_text text_or_none(const char *string)
{
	return urivet_text_of(string, string != NULL ? strlen(string) : 0);
}

/* Judges a target as one of a request whose method allows this form; host NULL: not known. */
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
	return urivet_check_request(r, urivet_text_of(at_edge(target, length), length), &request, NULL,
	                            form);
}

static const struct {
	const char *target, *host; /* host NULL: not known */
	enum urivet_target_form form;
	enum urivet_verdict verdict;
	unsigned id; /* a finding it must have, or 0 */
} rows[] = {
	{"/", NULL, URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"/a/b?c=d", NULL, URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"/a?b", "example.com", URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"/a?b", "example.com:80", URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"/a", "[2001:db8::1]", URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"/99", "[2001:db8::1]", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_IPV6_PATH_DIGIT},
	{"/99", "example.com", URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"//example.net/", "example.com", URIVET_TARGET_ORIGIN, URIVET_REJECT,
	 URIVET_F_PATH_LEADING_DOUBLE_SLASH},
	{"/../a", NULL, URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_DOT_SEGMENT},
	{"/a%0d%0a", NULL, URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_ESCAPED_CRLF},
	{"/a#b", NULL, URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_FRAGMENT_IN_TARGET},
	{"/a b", NULL, URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_RAW_SPACE},
	{"/a|b", NULL, URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_FORBIDDEN_CHAR},
	{"/x.y.z:80/", "example.com", URIVET_TARGET_ORIGIN, URIVET_REJECT,
	 URIVET_F_COLON_PORT_IN_TAIL},
	{"/x.y.z:80/", "example.com:80", URIVET_TARGET_ORIGIN, URIVET_ACCEPT, 0},
	{"/", "127.1", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_IPV4_SHORT},
	{"/", "u@example.com", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_USERINFO_PRESENT},
	{"/", "example.com/a", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{"/", "example.com:8080", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_PORT_NONDEFAULT},
	{"/", "", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_HOST_EMPTY},
	{"/", "a b", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_HOST_FORBIDDEN_CHAR},
	{"http://example.com/a", NULL, URIVET_TARGET_ABSOLUTE, URIVET_ACCEPT, 0},
	{"http://example.com/a", "example.com", URIVET_TARGET_ABSOLUTE, URIVET_ACCEPT, 0},
	{"http://example.com/a", "EXAMPLE.com:80", URIVET_TARGET_ABSOLUTE, URIVET_ACCEPT, 0},
	{"https://example.com/a", "example.com:80", URIVET_TARGET_ABSOLUTE, URIVET_REJECT,
	 URIVET_F_HOST_HEADER_MISMATCH},
	{"http://example.com/a", "example.net", URIVET_TARGET_ABSOLUTE, URIVET_REJECT,
	 URIVET_F_HOST_HEADER_MISMATCH},
	{"http://example.com/a", "example.com.net", URIVET_TARGET_ABSOLUTE, URIVET_REJECT,
	 URIVET_F_HOST_HEADER_MISMATCH},
	/* brackets have no letter case */
	{"http://a[b/", "a{b", URIVET_TARGET_ABSOLUTE, URIVET_REJECT,
	 URIVET_F_HOST_HEADER_MISMATCH},
	{"http://example.com/a#b", NULL, URIVET_TARGET_ABSOLUTE, URIVET_REJECT,
	 URIVET_F_FRAGMENT_IN_TARGET},
	{"ftp://example.com/a", NULL, URIVET_TARGET_ABSOLUTE, URIVET_REJECT,
	 URIVET_F_SCHEME_NOT_ALLOWED},
	{"example.com:443", NULL, URIVET_TARGET_AUTHORITY, URIVET_ACCEPT, 0},
	{"[2001:db8::1]:443", NULL, URIVET_TARGET_AUTHORITY, URIVET_ACCEPT, 0},
	{"example.com:80", NULL, URIVET_TARGET_AUTHORITY, URIVET_ACCEPT, 0},
	{"example.com:25", NULL, URIVET_TARGET_AUTHORITY, URIVET_REJECT, URIVET_F_PORT_BLOCKED},
	{"example.com:", NULL, URIVET_TARGET_AUTHORITY, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{":443", NULL, URIVET_TARGET_AUTHORITY, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{"u@127.1:443", NULL, URIVET_TARGET_AUTHORITY, URIVET_REJECT, URIVET_F_IPV4_SHORT},
	{"/", "u@127.1", URIVET_TARGET_ORIGIN, URIVET_REJECT, URIVET_F_IPV4_SHORT},
	{"u@example.com:443", NULL, URIVET_TARGET_AUTHORITY, URIVET_REJECT,
	 URIVET_F_USERINFO_PRESENT},
	{"*", NULL, URIVET_TARGET_ASTERISK, URIVET_ACCEPT, 0},
	{"*", "example.com", URIVET_TARGET_ASTERISK, URIVET_ACCEPT, 0},
	{"**", NULL, URIVET_TARGET_NONE, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{"", NULL, URIVET_TARGET_NONE, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{"a/b", NULL, URIVET_TARGET_NONE, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{"example.com", NULL, URIVET_TARGET_NONE, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
	{"?a", NULL, URIVET_TARGET_NONE, URIVET_REJECT, URIVET_F_TARGET_MALFORMED},
};

Test(target, forms)
{
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		enum urivet_target_form form;
		judge_form(&r, rows[k].target, rows[k].host, rows[k].form, &form);
		cr_expect(form == rows[k].form, "%s: form %d", rows[k].target, (int)form);
		cr_expect(r.verdict == rows[k].verdict, "%s of %s: %s", rows[k].target,
		          rows[k].host ? rows[k].host : "?", ids_of(&r));
		cr_expect(rows[k].id == 0 || finding_in(&r, rows[k].id), "%s of %s: %s",
		          rows[k].target, rows[k].host ? rows[k].host : "?", ids_of(&r));
	}
}

/* In origin form the spans of the authority are those of the Host field. */
Test(target, spans_of_the_host_field)
{
	struct urivet_report r;
	urivet_check_target(&r, TEXT("/path?q"), TEXT("example.com:80"), NULL, NULL);
	cr_expect(r.parsed && urivet_has(&r.uri, URIVET_HOST) && urivet_has(&r.uri, URIVET_QUERY));
	cr_expect(r.uri.part[URIVET_HOST].offset == 0 && r.uri.part[URIVET_HOST].length == 11);
	cr_expect(r.uri.part[URIVET_PATH].offset == 0 && r.uri.part[URIVET_PATH].length == 5);
	cr_expect(r.uri.port == 80 && !urivet_has(&r.uri, URIVET_SCHEME));
	cr_expect(urivet_has(&r.uri, URIVET_AUTHORITY) && !urivet_has(&r.uri, URIVET_USERINFO));
	cr_expect(r.uri.part[URIVET_AUTHORITY].offset == 0 && r.uri.part[URIVET_AUTHORITY].length == 14);
	urivet_check_target(&r, TEXT("/"), TEXT("u@h"), NULL, NULL);
	cr_expect(urivet_has(&r.uri, URIVET_AUTHORITY) && urivet_has(&r.uri, URIVET_USERINFO) &&
	          urivet_has(&r.uri, URIVET_HOST) && !urivet_has(&r.uri, URIVET_PORT));
	cr_expect(finding_in(&r, URIVET_F_USERINFO_PRESENT)->span.length == 2);
}

Test(target, a_target_above_the_limit)
{
	static char target[9000];
	struct urivet_report r;
	memset(target, '/', sizeof target);
	urivet_check_target(&r, urivet_text_of(target, sizeof target), TEXT("h"), NULL, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_URL_TOO_LONG), "%s", ids_of(&r));
	cr_expect(r.count == 1);
}

Test(target, a_host_field_above_the_limit)
{
	static char host[9000];
	struct urivet_report r;
	memset(host, 'a', sizeof host);
	urivet_check_target(&r, TEXT("/"), urivet_text_of(host, sizeof host), NULL, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_URL_TOO_LONG));
}

/* RFC 9112, 3.2, and 3.2.2 of RFC 9110, 7.2: whole reports. */
static const struct {
	const char *target, *host;
	enum urivet_target_form form;
	bool parsed;
	const char *ids;
} reports[] = {
	{"/?a=b&a", NULL, URIVET_TARGET_ORIGIN, true, "query-duplicate-key"},
	{"/?a=b&a", "h.example", URIVET_TARGET_ORIGIN, true, "query-duplicate-key"},
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

/* What is found in the target lies in a component of it, whatever the Host field has there. */
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
	    {"/?a.b.c.d:80", URIVET_F_COLON_PORT_IN_TAIL, URIVET_QUERY},
	};
	for (size_t k = 0; k < sizeof found / sizeof found[0]; k++) {
		const size_t length = strlen(found[k].target);
		struct urivet_report r;
		for (unsigned field = 0; field < 2; field++) {
			urivet_check_target(&r, urivet_text_of(found[k].target, length), urivet_text_of(field ? "example.com" : NULL, field ? 11 : 0), NULL, NULL);
			const struct urivet_finding *f = finding_in(&r, found[k].id);
			cr_assert(f != NULL, "%s: %s", found[k].target, ids_of(&r));
			cr_expect(f->component == found[k].component, "%s: %s", found[k].target,
			          urivet_component_name(f->component));
		}
	}
}

/* The authority of the Host field is that of the report, wherever it stands. */
Test(target, what_is_taken_of_the_host_field)
{
	struct urivet_report r;
	urivet_check_target(&r, TEXT("/path"), TEXT("u@127.0.0.1:81"), NULL, NULL);
	cr_expect(r.uri.part[URIVET_USERINFO].length == 1 && r.uri.part[URIVET_HOST].offset == 2 &&
	          r.uri.part[URIVET_HOST].length == 9 && r.uri.part[URIVET_PORT].offset == 12);
	cr_expect(r.uri.has_ipv4 == 1 && memcmp(r.uri.address, (uint8_t[]){127, 0, 0, 1}, 4) == 0);
	cr_expect(r.uri.host_kind == URIVET_HOST_IPV4 && r.uri.port == 81);
	urivet_check_target(&r, TEXT("/"), TEXT("[2001:db8::9]"), NULL, NULL);
	cr_expect(r.uri.host_kind == URIVET_HOST_IPV6 && r.uri.address[0] == 0x20 &&
	          r.uri.address[1] == 1 && r.uri.address[15] == 9 && !r.uri.has_ipv4);
	/* none given: its length is not looked at */
	cr_expect(urivet_check_target(&r, TEXT("/"), urivet_text_of(NULL, 99999), NULL, NULL) == URIVET_ACCEPT);
	cr_expect(!urivet_has(&r.uri, URIVET_HOST));
}
