/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP request targets: RFC 9112, 3.2. */
#include "support.h"

TestSuite(target, .timeout = 30);

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
		const size_t length = strlen(rows[k].target);
		urivet_check_target(&r, at_edge(rows[k].target, length), length, rows[k].host,
		                    rows[k].host != NULL ? strlen(rows[k].host) : 0, NULL, &form);
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
	urivet_check_target(&r, LITERAL("/path?q"), LITERAL("example.com:80"), NULL, NULL);
	cr_expect(r.parsed && urivet_has(&r.uri, URIVET_HOST) && urivet_has(&r.uri, URIVET_QUERY));
	cr_expect(r.uri.part[URIVET_HOST].offset == 0 && r.uri.part[URIVET_HOST].length == 11);
	cr_expect(r.uri.part[URIVET_PATH].offset == 0 && r.uri.part[URIVET_PATH].length == 5);
	cr_expect(r.uri.port == 80 && !urivet_has(&r.uri, URIVET_SCHEME));
}

Test(target, a_host_field_above_the_limit)
{
	static char host[9000];
	struct urivet_report r;
	memset(host, 'a', sizeof host);
	urivet_check_target(&r, LITERAL("/"), host, sizeof host, NULL, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_URL_TOO_LONG));
}
