/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the policy gateway: every proxy and server routes the same path of an accepted URL. It
 * is stricter than strict in the path, and open in the query. */
#include "support.h"

TestSuite(gateway, .timeout = 30);

static bool accepts_url(const char *url, const struct urivet_policy *policy, struct urivet_report *r)
{
	return urivet_check(r, at_edge(url, strlen(url)), strlen(url), policy) == URIVET_ACCEPT;
}

/* Judges the target of a GET for example.com. */
static bool accepts(const char *target, const struct urivet_policy *policy, struct urivet_report *r)
{
	const size_t length = strlen(target);
	struct urivet_request request;
	cr_assert(urivet_request_init(&request, sizeof request));
	request.host = TEXT("example.com");
	request.method = TEXT("GET");
	return urivet_check_request(r, at_edge(target, length), length, &request, policy,
	                            NULL) == URIVET_ACCEPT;
}

static bool is_named_in(const struct urivet_report *r, unsigned id)
{
	return id == 0 || finding_in(r, id) != NULL;
}

/* The path: targets, the finding that refuses each, and whether strict accepts it. */
static const struct {
	const char *target;
	unsigned id; /* 0: accepted */
	bool strict;
} paths[] = {
	{"/a;b", URIVET_F_PATH_SEMICOLON, true},
	/* the rest after a proxy removed a prefix: /./admin */
	{"/api./admin/secret", URIVET_F_ENCODED_PATH_REWRITE, true},
	{"/a/b./c", URIVET_F_ENCODED_PATH_REWRITE, true}, {"/v1./", URIVET_F_ENCODED_PATH_REWRITE, true},
	{"/wiki/Apple_Inc.", 0, true}, {"/wiki/Apple_Inc.?a./b", 0, true}, {"/a.b/c", 0, true},
	{"/.well-known/x", 0, true}, {"/%C2%9B2Jx", URIVET_F_ESCAPED_CONTROL, false},
	{"/?q=%C2%85", URIVET_F_ESCAPED_CONTROL, false}, {"/?q=%E9%C2%80", URIVET_F_ESCAPED_CONTROL, false},
	{"/?q=%C2%A0", 0, true}, {"/a%3bb", URIVET_F_PATH_SEMICOLON, true},
	{"/a%3Bb", URIVET_F_PATH_SEMICOLON, true}, {"/a;", URIVET_F_PATH_FINAL_SEMICOLON, false},
	{"/a%3B", URIVET_F_PATH_FINAL_SEMICOLON, false}, {"/a%3C", 0, true},
	{"/a//b", URIVET_F_PATH_DOUBLE_SLASH, true}, {"//a", URIVET_F_PATH_LEADING_DOUBLE_SLASH, false},
	{"/a/b/", 0, true}, {"/a%5Cb", URIVET_F_PATH_BACKSLASH_ESCAPED, true}, {"/a%5Bb", 0, true},
	{"/100%25", URIVET_F_ESCAPED_PERCENT, true}, {"/a%252Fb", URIVET_F_DOUBLE_ESCAPE, false},
	{"/100%26", 0, true}, {"/config.php%3Fx", URIVET_F_PATH_DELIMITER_ESCAPED, true},
	{"/a%23x", URIVET_F_PATH_DELIMITER_ESCAPED, true}, {"/a%24x", 0, true},
	{"/a%2Fb", URIVET_F_ESCAPED_SLASH, false}, {"/a%2fb", URIVET_F_ESCAPED_SLASH, false},
	{"/a%2Cb", 0, true}, {"/../a", URIVET_F_DOT_SEGMENT, false},
	{"/pub/..%3B/admin", URIVET_F_PATH_PARAM_DOT_SEGMENT, false},
	{"/pub/..%3Ba=b/admin", URIVET_F_PATH_PARAM_DOT_SEGMENT, false},
	{"/pub/.%3B/admin", URIVET_F_PATH_PARAM_DOT_SEGMENT, false},
	{"/..%5Ca", URIVET_F_ESCAPED_SLASH_DOT, false}, {"/...", 0, true},
	{"/%C3", URIVET_F_INVALID_UTF8_ESCAPE, false}, {"/%E2%80%AEx", URIVET_F_ESCAPED_BIDI, false},
	{"/%41", URIVET_F_ESCAPED_UNRESERVED, false}, {"/%0d", URIVET_F_ESCAPED_CRLF, false},
	{"/a|b", URIVET_F_FORBIDDEN_CHAR, false}, {"/a[1]", URIVET_F_FORBIDDEN_CHAR, false},
	{"/a^b", URIVET_F_FORBIDDEN_CHAR, false}, {"/a\\b", URIVET_F_BACKSLASH_PATH, false},
	{"/caf\xc3\xa9", URIVET_F_NON_ASCII, false}, {"/%zz", URIVET_F_BAD_ESCAPE, false},
	/* G6, G8, G12 and G17 are about clients */
	{"/%EF%BC%8E%EF%BC%8E/admin", 0, false}, {"/%E7%A5%AD%EF%BC%88%E6%98%A5%EF%BC%89", 0, true},
	{"/wiki/L%27%C3%89tranger", 0, true}, {"/%28%E3%81%82%29", 0, true}, {"/?%F0%9F%92%A9%2Bx", 0, false},
	{"/pool/o/x_1.0%7erc2.deb", 0, false}, {"/%7Euser/x", URIVET_F_ESCAPED_UNRESERVED, false}, {"%7Ex", URIVET_F_TARGET_MALFORMED, false},
	{"/prot/(S(X))ected/x", URIVET_F_PATH_REMOVED_SEGMENT, true}, {"/odata/Products(1)/Supplier", 0, true},
	{"/hax/..CFIDE/x", URIVET_F_PATH_DOTS_BEFORE_NAME, true}, {"/compare/v1.0..v1.1", 0, true},
	{"/x.y.z:80/", 0, false}, {"/wiki/Apple_Inc.", 0, true}, {"/@user/a:b=c,d&e+f$g!h*(i)'j'", 0, true},
	{"/a%40b%3Ac%3Dd", 0, true}, {"/http://example.net/", URIVET_F_PATH_DOUBLE_SLASH, true},
	{"/http:/example.net/", 0, true},
};

Test(gateway, paths)
{
	for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
		struct urivet_report r;
		cr_expect(accepts(paths[k].target, BY_GATEWAY, &r) == (paths[k].id == 0), "%s: %s",
		          paths[k].target, ids_of(&r));
		cr_expect(is_named_in(&r, paths[k].id), "%s: %s", paths[k].target, ids_of(&r));
		cr_expect(paths[k].id == 0 ||
		              urivet_finding_refuses(&r, finding_in(&r, paths[k].id), BY_GATEWAY),
		          "%s: %s", paths[k].target, ids_of(&r));
		cr_expect(accepts(paths[k].target, NULL, &r) == paths[k].strict, "%s: %s",
		          paths[k].target, ids_of(&r));
	}
}

/* The query: it is not used for routing. */
static const struct {
	const char *target;
	unsigned id; /* a finding that it has, whether that refuses or not */
	bool accepted;
} queries[] = {
	{"/?ids[]=1", URIVET_F_QUERY_NESTED_BRACKETS, true}, {"/?q=a|b", URIVET_F_FORBIDDEN_CHAR, true},
	{"/?q={a}^`b", URIVET_F_TEMPLATE_OR_GLOB, true}, {"/?q=[1-9]", URIVET_F_TEMPLATE_OR_GLOB, true},
	{"/?q=a\\b", URIVET_F_FORBIDDEN_CHAR, true}, {"/?n=%E9", URIVET_F_LATIN1_ESCAPE, true},
	{"/?q=l%27%C3%A9t%C3%A9", URIVET_F_ESCAPE_MIXED_IRI, true},
	{"/?q=%F0%9F%92%A9%26", URIVET_F_ESCAPE_AFTER_ASTRAL, true},
	{"/?next=%252Fa", URIVET_F_DOUBLE_ESCAPE, true}, {"/?next=%250a", URIVET_F_DOUBLE_ESCAPE_CRLF, true},
	{"/?q=%41", URIVET_F_ESCAPED_UNRESERVED, true}, {"/?q=%c0%ae", URIVET_F_OVERLONG_UTF8, true},
	{"/?q=%E2%80%AE", URIVET_F_ESCAPED_BIDI, true}, {"/?q=100%", URIVET_F_BAD_ESCAPE, true},
	{"/?q=%u0041", URIVET_F_BAD_ESCAPE, true}, {"/?q=x.y:80", URIVET_F_COLON_PORT_IN_TAIL, true},
	{"/?a=http://127.1/", URIVET_F_QUERY_NESTED_URL, true}, {"/?;a;", URIVET_F_QUERY_SEPARATOR, true},
	{"/?/../%2F%5C//", 0, true}, {"/?q=%00", URIVET_F_ESCAPED_NUL, false},
	{"/?q=%0d", URIVET_F_ESCAPED_CRLF, false}, {"/?q=%1f", URIVET_F_ESCAPED_CONTROL, false},
	{"/?q=%7f", URIVET_F_ESCAPED_CONTROL, false}, {"/?q=\x01", URIVET_F_CONTROL_CHAR, false},
	{"/?q=\t", URIVET_F_RAW_TAB, false}, {"/?q=a\rb", URIVET_F_RAW_CRLF, false},
	{"/?q=a b", URIVET_F_RAW_SPACE, false}, {"/?q=\xc3\xa9", URIVET_F_NON_ASCII, false},
	{"/?q=\"", URIVET_F_FORBIDDEN_CHAR, false}, {"/?q=<", URIVET_F_FORBIDDEN_CHAR, false},
	{"/?q=|>", URIVET_F_FORBIDDEN_CHAR, false}, {"/?q#", URIVET_F_FRAGMENT_IN_TARGET, false},
	{"/?q#a", URIVET_F_FRAGMENT_PRESENT, false},
	/* the same text in the path refuses there */
	{"/%41?q=%41", URIVET_F_ESCAPED_UNRESERVED, false}, {"/a|b?c|d", URIVET_F_FORBIDDEN_CHAR, false},
	{"/%?a=%", URIVET_F_BAD_ESCAPE, false},
};

Test(gateway, queries)
{
	for (size_t k = 0; k < sizeof queries / sizeof queries[0]; k++) {
		struct urivet_report r;
		cr_expect(accepts(queries[k].target, BY_GATEWAY, &r) == queries[k].accepted, "%s: %s",
		          queries[k].target, ids_of(&r));
		cr_expect(is_named_in(&r, queries[k].id), "%s: %s", queries[k].target, ids_of(&r));
		cr_expect(queries[k].id == 0 || queries[k].accepted !=
		              urivet_finding_refuses(&r, finding_in(&r, queries[k].id), BY_GATEWAY),
		          "%s: %s", queries[k].target, ids_of(&r));
	}
}

/* The rules about clients are notes, also those about the path alone. */
Test(gateway, a_rule_about_clients_is_a_note)
{
	struct urivet_report r;
	cr_expect(accepts("/%EF%BC%8E", BY_GATEWAY, &r));
	cr_expect_str_eq(ids_of(&r), "escaped-compatibility");
	cr_expect(accepts("/?%EF%BC%8E", NULL, &r) && r.count == 0);
}

/* A backslash in an opaque query is a forbidden octet that is accepted, and not a path
 * separator. */
Test(gateway, a_backslash_in_the_query_is_no_slash)
{
	struct urivet_report r;
	cr_expect(accepts("/?\\", BY_GATEWAY, &r));
	cr_expect_str_eq(ids_of(&r), "forbidden-char");
	cr_expect(!accepts("/?\\", NULL, &r) && finding_in(&r, URIVET_F_BACKSLASH_PATH));
}

/* A raised finding refuses in the query too. */
Test(gateway, raised_findings_refuse_in_the_query)
{
	struct urivet_policy p = built_in(URIVET_GATEWAY);
	struct urivet_report r;
	cr_expect(urivet_policy_raise(&p, URIVET_F_QUERY_SECRET));
	cr_expect(!accepts("/?token=a", &p, &r) && accepts("/?page=a", &p, &r));
	cr_expect(urivet_policy_raise(&p, URIVET_F_DOUBLE_ESCAPE));
	cr_expect(!accepts("/?a=%2541", &p, &r) && accepts("/?a=%25", &p, &r));
	/* and a waived one does not */
	cr_expect(urivet_policy_waive(&p, URIVET_F_ESCAPED_NUL));
	cr_expect(accepts("/?a=%00", &p, &r) && !accepts("/?a=%01", &p, &r));
	cr_expect(urivet_policy_waive(&p, URIVET_F_ESCAPED_SLASH));
	cr_expect(accepts("/a%2Fb", &p, &r) && !accepts("/..%2Fb", &p, &r));
}

/* Any policy of a program may have an opaque query. */
Test(gateway, opaque_queries_of_other_policies)
{
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	struct urivet_report r;
	p.opaque_query = true;
	cr_expect(accepts_url("http://example.com/a;b?c|d", &p, &r));
	cr_expect(!accepts_url("http://example.com/?a.b:80/%00", &p, &r) && r.parsed);
	cr_expect(!accepts_url("http://example.com/a%?c%", &p, &r) && !r.parsed);
	cr_expect(!accepts_url("http://localhost/?a|b", &p, &r));
}

/* Checks that, of all occurrences of a finding, the report shows one that refuses. */
static void expect_reported(const struct urivet_report *r, const struct urivet_policy *p, unsigned id,
                        enum urivet_component where, uint32_t offset)
{
	const struct urivet_finding *f = NULL;
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].id == id)
			f = &r->finding[k];
	cr_assert(f != NULL, "%s", ids_of(r));
	cr_expect(urivet_finding_refuses(r, f, p), "%s", ids_of(r));
	cr_expect(f->component == where && f->span.offset == offset && f->count == 2);
}

/* An occurrence allowed in an opaque query comes first, or in another text, and does not hide a
 * later refusal. */
Test(gateway, a_refusal_is_reported_after_what_an_opaque_query_may_hold)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	p.opaque_query = true;
	cr_expect(!accepts_url("http://example.com/?%41#%41", &p, &r));
	expect_reported(&r, &p, URIVET_F_ESCAPED_UNRESERVED, URIVET_FRAGMENT, 24);
	cr_expect(accepts_url("http://example.com/?%41%41#a", &p, &r));
	cr_expect(r.finding[0].component == URIVET_QUERY && r.finding[0].span.offset == 20);
	/* of several that refuse, the first is reported */
	cr_expect(!accepts_url("http://example.com/%41?a#%41", &p, &r));
	expect_reported(&r, &p, URIVET_F_ESCAPED_UNRESERVED, URIVET_PATH, 19);
	/* the Host field is a separate text with its own offsets */
	check_target(&r, urivet_text_of("/?%41", 5), urivet_text_of("example.com%41", 14),
	                    BY_GATEWAY, NULL);
	expect_reported(&r, BY_GATEWAY, URIVET_F_ESCAPED_UNRESERVED, URIVET_HOST, 11);
}

/* URLs before they are routed. */
static const struct {
	const char *url;
	unsigned id; /* 0: accepted */
} urls[] = {
	{"http://example.com/a?b|c", 0},
	{"https://example.com", 0},
	{"http://[2001:db8::1]/99", 0},
	{"http://example.com/x.y:80", 0},
	{"http://example.com/#", URIVET_F_FRAGMENT_PRESENT},
	{"http://example.com/?a#b", URIVET_F_FRAGMENT_PRESENT},
	{"http://example.com:8080/", URIVET_F_PORT_NONDEFAULT},
	{"http://example.com./", URIVET_F_HOST_TRAILING_DOT},
	{"http://example.com?a", URIVET_F_QUERY_AFTER_EMPTY_PATH},
	{"http://example.com?a|", URIVET_F_QUERY_AFTER_EMPTY_PATH},
	{"HTTP://example.com/", URIVET_F_SCHEME_CASE},
	{"http://u@example.com/", URIVET_F_USERINFO_PRESENT},
	{"http://127.1/", URIVET_F_IPV4_SHORT},
	{"ftp://example.com/", URIVET_F_SCHEME_NOT_ALLOWED},
	{"http://example.com/a;b", URIVET_F_PATH_SEMICOLON},
	{"/a", URIVET_F_NOT_ABSOLUTE},
};

Test(gateway, urls)
{
	for (size_t k = 0; k < sizeof urls / sizeof urls[0]; k++) {
		struct urivet_report r;
		cr_expect(accepts_url(urls[k].url, BY_GATEWAY, &r) == (urls[k].id == 0), "%s: %s",
		          urls[k].url, ids_of(&r));
		cr_expect(is_named_in(&r, urls[k].id), "%s: %s", urls[k].url, ids_of(&r));
	}
}

/* Waived forbidden octets do not refuse beside another refusing finding. */
Test(gateway, waived_octets_beside_others)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_FORBIDDEN_CHAR);
	struct urivet_report r;
	urivet_check(&r, "http://h/<\x01", 11, &p);
	cr_expect(!r.parsed && !urivet_finding_refuses(&r, finding_in(&r, URIVET_F_FORBIDDEN_CHAR), &p));
	cr_expect(urivet_finding_refuses(&r, finding_in(&r, URIVET_F_CONTROL_CHAR), &p));
}

/* For invalid reports and policies, no finding refuses. */
Test(gateway, what_refuses_of_nothing)
{
	struct urivet_report r = {.size = 0}, empty = {.size = 0};
	struct urivet_policy unknown = built_in(URIVET_STRICT);
	struct urivet_finding odd = {.id = URIVET_FINDING_LIMIT};
	urivet_check(&r, "http://h/%00", 12, NULL);
	cr_assert(r.count == 1);
	cr_expect(urivet_finding_refuses(&r, &r.finding[0], NULL));
	cr_expect(urivet_finding_refuses(&r, &r.finding[0], BY_STRICT));
	cr_expect(!urivet_finding_refuses(NULL, &r.finding[0], NULL));
	cr_expect(!urivet_finding_refuses(&empty, &r.finding[0], NULL));
	cr_expect(!urivet_finding_refuses(&r, NULL, NULL));
	cr_expect(!urivet_finding_refuses(&r, &odd, NULL));
	unknown.size = 1;
	cr_expect(!urivet_finding_refuses(&r, &r.finding[0], &unknown));
	urivet_check(&r, "http://h/", 9, &unknown);
	cr_expect(urivet_finding_refuses(&r, &r.finding[0], &unknown));
	/* a waiver of a malformed finding */
	cr_assert(urivet_policy_waive(&(struct urivet_policy){0}, URIVET_F_BAD_ESCAPE) == false);
	unknown = built_in(URIVET_STRICT);
	cr_assert(urivet_policy_waive(&unknown, URIVET_F_BAD_ESCAPE));
	urivet_check(&r, "http://h/% ", 11, &unknown);
	cr_expect(!r.parsed && !urivet_finding_refuses(&r, finding_in(&r, URIVET_F_BAD_ESCAPE), &unknown));
	cr_expect(urivet_finding_refuses(&r, finding_in(&r, URIVET_F_RAW_SPACE), &unknown));
	/* a finding stays a note if something else cannot be parsed */
	urivet_check(&r, "http://H/<", 10, NULL);
	cr_expect(!r.parsed && !urivet_finding_refuses(&r, finding_in(&r, URIVET_F_HOST_CASE), NULL));
	cr_expect(urivet_finding_refuses(&r, finding_in(&r, URIVET_F_FORBIDDEN_CHAR), NULL));
	/* ... which holds after the authority only */
	urivet_check(&r, "http://h%/", 10, &unknown);
	cr_expect(!r.parsed && urivet_finding_refuses(&r, finding_in(&r, URIVET_F_BAD_ESCAPE), &unknown));
}

/* Brackets are legal in an opaque query, and have only the note: there, and where only that
 * finding is waived. */
Test(gateway, brackets_in_a_query)
{
	static const char *const rows[] = {"http://h.example/?ids[]=1", "http://h.example/?[", "http://h.example/?a]"};
	struct urivet_policy waived = with_waiver(URIVET_STRICT, URIVET_F_QUERY_NESTED_BRACKETS);
	const struct urivet_policy gateway = built_in(URIVET_GATEWAY);
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		cr_expect(judge(&r, rows[k], strlen(rows[k]), &gateway) == URIVET_ACCEPT);
		cr_expect_str_eq(ids_of(&r), "query-nested-brackets", "%s", rows[k]);
		cr_expect(judge(&r, rows[k], strlen(rows[k]), &waived) == URIVET_ACCEPT);
		cr_expect_str_eq(ids_of(&r), "query-nested-brackets", "%s", rows[k]);
		cr_expect(judge(&r, rows[k], strlen(rows[k]), NULL) == URIVET_REJECT);
		cr_expect_str_eq(ids_of(&r), "forbidden-char,query-nested-brackets", "%s", rows[k]);
	}
}
