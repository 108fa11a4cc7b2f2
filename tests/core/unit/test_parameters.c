/* SPDX-License-Identifier: Apache-2.0 */
/* Tests parameters judged as references, and references that must keep an origin. Expectations
 * follow from RFC 3986, RFC 6454 and WHATWG URL, as the header applies them. */
#include "support.h"

#include "uri/parameter.h"
#include <stdlib.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>

TestSuite(parameters, .timeout = 60);

static struct urivet_report spare; /* storage for reports of parameters */

/* ---- Same origin ------------------------------------------------------------------- */

struct origin_row {
	const char *reference;
	const char *found; /* the span of cross-origin in the target; NULL: it is the same origin */
	enum urivet_component where;
};

static const struct {
	const char *base;
	struct origin_row of[12];
} origins[] = {
	{"http://h/a/b", {{"", NULL, 0}, {"c", NULL, 0}, {"../c", NULL, 0}, {"/c", NULL, 0}, {"?c", NULL, 0}, {"#c", NULL, 0}, {"/.//c", NULL, 0},
	  {"//h/c", NULL, 0}, {"//H:80/c", NULL, 0}, {"//h:/c", NULL, 0}, {"HTTP://h/c", NULL, 0}}},
	{"http://h:80/a/b", {{"//h/c", NULL, 0}}},
	{"https://h:443/a/b", {{"//h/c", NULL, 0}}},
	{"http://h:8080/a", {{"//h:08080/c", NULL, 0}}},
	{"http://[::1]/a", {{"//[::1]/c", NULL, 0}}},
	{"foo://h/a", {{"//h/c", NULL, 0}}},
	{"foo://h:7/a", {{"//h:7/c", NULL, 0}}},
	{"http://h/a/b", {{"//evil", "evil", URIVET_AUTHORITY}, {"//hh/", "hh", URIVET_AUTHORITY}}},
	{"http://hh/a/b", {{"//h/", "h", URIVET_AUTHORITY}}},
	{"http://h/a/b", {{"//h./", "h.", URIVET_AUTHORITY}, {"//%68/", "%68", URIVET_AUTHORITY}, {"//u@evil/", "u@evil", URIVET_AUTHORITY},
	  {"//h@evil/", "h@evil", URIVET_AUTHORITY}, {"//h:81/", "h:81", URIVET_AUTHORITY}, {"//h:99999/", "h:99999", URIVET_AUTHORITY}}},
	{"http://h:99999/a", {{"//h:99998/", "h:99998", URIVET_AUTHORITY}, {"//h:99999/", "h:99999", URIVET_AUTHORITY}}},
	{"foo://h/a", {{"//h:7/", "h:7", URIVET_AUTHORITY}, {"//h:99999/", "h:99999", URIVET_AUTHORITY}}},
	{"http://h/a/b", {{"///evil", "", URIVET_AUTHORITY}, {"////evil", "", URIVET_AUTHORITY}}},
	{"http:///a/b", {{"c", "", URIVET_AUTHORITY}}},
	{"http://h/a/b", {{"https://evil/", "evil", URIVET_AUTHORITY}, {"https://h/", "https", URIVET_SCHEME}}},
	{"http://h:8/a/b", {{"https://h:8/", "https", URIVET_SCHEME}}},
	{"http://h/a/b", {{"http:c", "http", URIVET_SCHEME}}},
	{"https://h/a/b", {{"https:evil.example", "https", URIVET_SCHEME}}},
	{"http://h/a/b", {{"http:/c", "http", URIVET_SCHEME}, {"javascript:alert(1)", "javascript", URIVET_SCHEME}, {"data:,x", "data", URIVET_SCHEME}}},
	{"http://[::1]/a", {{"//[::2]/c", "[::2]", URIVET_AUTHORITY}}},
	{"http://[v1.a]/a", {{"//v1.a/c", "v1.a", URIVET_AUTHORITY}}},
	/* text that RFC 3986 cannot parse has no origin */
	{"http://h/a/b", {{"\\\\evil", "", URIVET_SCHEME}, {"/\\evil", "", URIVET_SCHEME}, {"\\/evil", "", URIVET_SCHEME}, {" //evil", "", URIVET_SCHEME},
	  {"\t//evil", "", URIVET_SCHEME}, {"/\t/evil", "", URIVET_SCHEME}, {"/\r\n/evil", "", URIVET_SCHEME}, {"/c ", "", URIVET_SCHEME},
	  {"ht\ttp://evil", "", URIVET_SCHEME}}},
	{"http://h\\a/b", {{"/c", "", URIVET_SCHEME}}},
	{"b", {{"/c", "", URIVET_SCHEME}}},
	{"//h/a", {{"http://h/", "http", URIVET_SCHEME}}}, /* a base without a scheme */
};

/* Checks whether the parameters named url of an input are refused. */
static void expect_url_refused(const char *input, struct urivet_parameter_rules rules, bool refused)
{
	const struct urivet_text name = text_of_string("url");
	char room[4096];
	const struct urivet_parameter_input given = {text_of_string(input), NULL, room, sizeof room};
	struct urivet_report r, inner;
	rules.names = &name;
	rules.count = 1;
	rules.policy = rules.policy != NULL ? rules.policy : BY_PUBLIC;
	urivet_check(&r, input, strlen(input), BY_ANY);
	urivet_check_parameters(&r, &inner, &given, &rules, BY_ANY);
	cr_expect((strstr(ids_of(&r), "param-refused") != NULL) == refused, "%s %d: %s", input, refused, ids_of(&r));
}

#define X "=//10.0.0.1/"

/* With one option, names match in any letter case, like $arg_ of nginx; with another, a value ends at a
 * semicolon and a parameter follows, but not at one that is percent-encoded. */
Test(parameters, options_about_names)
{
	static const struct {
		const char *query;
		bool plain, any, parted;
	} rows[] = {
		{"url" X, true, true, true}, {"URL" X, false, true, false}, {"u%52l" X, false, true, false}, {"Url" X, false, true, false},
		{"+uRL" X, false, true, false}, {"urls" X, false, false, false}, {"ur" X, false, false, false}, {"U+L" X, false, false, false},
		{"ur\x4c" X, false, true, false}, {"ur," X, false, false, false}, {"%zz" X, false, false, false},
		{"a=1;url" X, false, false, true}, {"a=1&url" X, true, true, true}, {"a=1%3Burl" X, false, false, false}, {";url" X, false, false, true},
		{"url=/a;b" X, false, false, false}, {"url=/a;url=/b", false, false, false}, {";&;;&", false, false, false},
		{"url=/a;url" X, false, false, true}, {"url" X ";", true, true, true}, {"url;//10.0.0.1/", false, false, false}, {"a=url;url", false, false, false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (unsigned option = 0; option < 3; option++) {
			const struct urivet_parameter_rules rules = {.size = sizeof rules, .times = 1, .any_case = option == 1, .semicolons = option == 2};
			char input[64];
			snprintf(input, sizeof input, "http://h.example/?%s", rows[k].query);
			expect_url_refused(input, rules, option == 0 ? rows[k].plain : option == 1 ? rows[k].any : rows[k].parted);
		}
}

/* Paths of 255 and of more octets are accepted, unless a rule about segments refuses them in a URL. */
Test(parameters, long_plain_values)
{
	struct urivet_policy raised = built_in(URIVET_PUBLIC);
	const struct urivet_parameter_rules rules = {.size = sizeof rules, .times = 1, .policy = &raised};
	char input[700], many[700] = "http://www.example.com";
	struct urivet_report r;
	cr_assert(urivet_policy_raise(&raised, URIVET_F_TOO_MANY_SEGMENTS));
	for (int length = 250; length < 260; length++) {
		snprintf(input, sizeof input, "http://h.example/?url=/%0*d", length, 0);
		expect_url_refused(input, rules, false);
	}
	for (unsigned segments = 1; segments < 300; segments++) {
		strcat(many, "/a");
		snprintf(input, sizeof input, "http://h.example/?url=%s", many + 22);
		expect_url_refused(input, rules, urivet_check(&r, many, strlen(many), &raised) == URIVET_REJECT);
	}
}

/* A plain value under a policy that refuses plain http, or values of that length. */
Test(parameters, plain_values_by_policies)
{
	static const char input[] = "http://h.example/?url=http://www.example.com/a&url=/a/b/c/d/e/f";
	static const struct urivet_text name = {"url", 3};
	char room[512];
	const struct urivet_parameter_input given = {text_of_string(input), NULL, room, sizeof room};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_parameter_rules rules;
	struct urivet_report r, inner;
	urivet_parameter_rules_init(&rules, sizeof rules);
	rules.names = &name;
	rules.count = 1;
	rules.policy = &p;
	judge(&r, input, sizeof input - 1, BY_ANY);
	cr_expect(urivet_check_parameters(&r, &inner, &given, &rules, BY_ANY) == URIVET_ACCEPT);
	cr_assert(urivet_policy_raise(&p, URIVET_F_SCHEME_PLAINTEXT));
	cr_expect(urivet_check_parameters(&r, &inner, &given, &rules, BY_ANY) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED)->count == 1);
	p.max_length = 11;
	judge(&r, input, sizeof input - 1, BY_ANY);
	(void)urivet_check_parameters(&r, &inner, &given, &rules, BY_ANY);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED)->count == 2);
}

static void expect_origin(const char *base_text, const struct origin_row *row)
{
	const struct urivet_text base = text_of_string(base_text), reference = text_of_string(row->reference);
	struct urivet_policy raised = built_in(URIVET_ANY);
	struct urivet_report r, by_policy, plain;
	char out[100], out_plain[100];
	cr_assert(urivet_policy_raise(&raised, URIVET_F_CROSS_ORIGIN));
	urivet_check_reference(&r, out, sizeof out, base, reference, URIVET_REFERENCE_SAME_ORIGIN, BY_ANY);
	const struct urivet_finding *f = finding_in(&r, URIVET_F_CROSS_ORIGIN);
	cr_expect((f != NULL) == (row->found != NULL), "%s and %s: %s", base_text, row->reference, ids_of(&r));
	urivet_check_reference(&plain, out_plain, sizeof out_plain, base, reference, 0, BY_ANY);
	cr_expect_str_eq(out, out_plain);
	cr_expect(finding_in(&plain, URIVET_F_CROSS_ORIGIN) == NULL);
	cr_expect(plain.count + (f != NULL) == r.count);
	urivet_check_reference(&by_policy, out, sizeof out, base, reference, 0, &raised);
	cr_expect(memcmp(&r.finding, &by_policy.finding, r.count * sizeof r.finding[0]) == 0 &&
	          r.verdict == by_policy.verdict);
	if (f == NULL) {
		cr_expect(r.verdict == plain.verdict);
		return;
	}
	cr_expect(r.verdict == URIVET_REJECT);
	cr_expect(f->component == row->where, "%s: %s", row->reference, urivet_component_name(f->component));
	const struct urivet_text got = urivet_fault(f, urivet_text_of(out, strlen(out)), urivet_text_of(NULL, 0));
	cr_expect(got.data != NULL && got.length == strlen(row->found) &&
	          memcmp(got.data, row->found, got.length) == 0,
	          "%s and %s: %s", base_text, row->reference, shown(got.data, got.length));
}

Test(parameters, origins_of_references)
{
	for (size_t k = 0; k < sizeof origins / sizeof origins[0]; k++)
		for (const struct origin_row *row = origins[k].of; row->reference != NULL; row++)
			expect_origin(origins[k].base, row);
}

/* A waived finding is still noted; unknown options refuse; an unusable policy is the only
 * finding. */
Test(parameters, origins_by_policy)
{
	const struct urivet_text base = TEXT("http://h/a"), reference = TEXT("//evil/");
	struct urivet_policy policy = with_waiver(URIVET_STRICT, URIVET_F_CROSS_ORIGIN);
	struct urivet_report r;
	char out[40];
	cr_expect(urivet_check_reference(&r, out, sizeof out, base, reference, 0, &policy) == URIVET_ACCEPT);
	cr_expect_str_eq(ids_of(&r), "cross-origin");
	cr_expect(urivet_check_reference(&r, out, sizeof out, base, reference, 0, NULL) == URIVET_ACCEPT);
	cr_expect(urivet_check(&r, LITERAL("http://h/"), &policy) == URIVET_ACCEPT && r.count == 0);
	for (uint32_t option = 2; option != 0; option *= 2) {
		memset(&r, 0xff, sizeof r);
		cr_expect(urivet_check_reference(&r, out, sizeof out, base, TEXT("/"), option, NULL) == URIVET_REJECT);
		cr_expect_str_eq(ids_of(&r), "policy-invalid");
		cr_expect(r.size == sizeof r);
		cr_expect(urivet_check_reference(&r, out, sizeof out, base, TEXT("/"), option | 1, NULL) == URIVET_REJECT);
		cr_expect(urivet_check_reference_sized(NULL, sizeof r, out, sizeof out, base, TEXT("/"), option, NULL) == URIVET_REJECT);
	}
	policy.size--;
	cr_expect(urivet_check_reference(&r, out, sizeof out, base, TEXT("/"), 1, &policy) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	cr_expect(urivet_check_reference_sized(NULL, sizeof r, out, sizeof out, base, TEXT("/"), 1, NULL) == URIVET_REJECT);
	for (size_t capacity = 0; capacity < sizeof "http://evil/"; capacity++) {
		cr_expect(urivet_check_reference(&r, out, capacity, base, reference, 1, NULL) == URIVET_REJECT);
		cr_expect_str_eq(ids_of(&r), "url-too-long");
	}
	cr_expect(urivet_check_reference(&r, out, sizeof "http://evil/", base, reference, 1, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "cross-origin");
}

/* ---- Parameters --------------------------------------------------------------------- */

/* How a row is judged: names separated by commas, "*" for all. */
struct how {
	const char *names;
	uint32_t times;
	bool same_origin;
	bool absolute;
};

static const struct how U = {"url", 1, false, false}, NEXT = {"next", 1, true, false}, ALL = {"*", 1, false, false},
			ALL_SAME = {"*", 1, true, false}, TWICE = {"url", 2, false, false},
			ALL_TWICE = {"*", 2, false, false}, BOTH = {"url,next", 1, false, false},
			FETCH = {"url", 1, false, true}, FETCH_OWN = {"url", 1, true, true}, ALL_FETCH = {"*", 1, false, true},
			SCORE = {"return_to", 1, true, false}, BLANK_NAME = {" a_b", 1, true, false};

struct parameter_row {
	const char *input;
	const char *refused; /* the first refused value, as written; NULL: the input is accepted */
	uint32_t count;      /* number of refused values */
};

#define H "http://www.example.com/dir/x?"

static const struct {
	const struct how *how;
	struct parameter_row of[48];
} rows[] = {
	/* by name, every occurrence, decoded once */
	{&U, {{H "url=http%3A%2F%2F10.0.0.1%2F", "http%3A%2F%2F10.0.0.1%2F", 1}, {H "url=http://example.com/", NULL, 0},
	  {H "url=good&url=http://127.0.0.1/", "http://127.0.0.1/", 1}, {H "url=http://127.0.0.1/&url=good&url=http://10.1/", "http://127.0.0.1/", 2},
	  {H "URL=http://127.0.0.1/", NULL, 0}, {H "ur=http://127.0.0.1/&urll=http://127.0.0.1/", NULL, 0},
	  {H "%75r%6C=http://127.0.0.1/", "http://127.0.0.1/", 1}, {H "a=1;url=http://127.0.0.1/", NULL, 0}, {H "a=1&amp;url=http://127.0.0.1/", NULL, 0},
	  {H "url", NULL, 0}, {H "url=", NULL, 0}, {H "url=%68ttp://10.0.0.1/", "%68ttp://10.0.0.1/", 1},
	  {H "url=http%253A%252F%252F10.0.0.1%252F", "http%253A%252F%252F10.0.0.1%252F", 1}}}, /* a path with %2F */
	{&TWICE, {{H "url=http%253A%252F%252F10.0.0.1%252F", "http%253A%252F%252F10.0.0.1%252F", 1}, {H "url=http%253A%252F%252Fexample.com%252F", NULL, 0},
	  {H "url=%2B//evil", "%2B//evil", 1}, /* a space after the second decoding */
	  {H "url=%252B/evil", NULL, 0}}},
	{&U, {{H "url=%2B/evil", NULL, 0}, {H "url=%2B//evil", NULL, 0}, {H "url=+//evil.example", "+//evil.example", 1},
	  {H "url=hello+world", "hello+world", 1}, {H "url=/a+b&u%72l=/a+b", "/a+b", 2}}},
	{&BOTH, {{H "next=http://10.0.0.1/&url=/a", "http://10.0.0.1/", 1}, {H "a=http://10.0.0.1/&url=/a", NULL, 0}}},
	/* values that cannot be decoded; and names that some reader takes for a selected one */
	{&U, {{H "url=%25zz", "%25zz", 1}, /* decoded once it is an invalid escape of the URL */
	  {H "url=%C0%AF", "%C0%AF", 1}, {H "url=a%FF", "a%FF", 1}}},
	{&TWICE, {{H "url=%25C3", "%25C3", 1}}},
	{&U, {{H "u%FFrl=/a", "/a", 1}, {H "%FFurl=/a", "/a", 1}, {H "url%ED%A0%80=/a", "/a", 1}, {H "v%FFrl=/a", NULL, 0}, {H "url2%FF=/a", NULL, 0}}},
	/* same origin */
	{&NEXT, {{H "next=/account", NULL, 0}, {H "next=account", NULL, 0}, {H "next=/account?a=1", NULL, 0}, {H "next=/account?a=//", NULL, 0}, {H "next=/account?&next=/account%23", NULL, 0},
	  {H "next=/account;a", NULL, 0}, {H "next=", NULL, 0}, {H "next=http://www.example.com/", NULL, 0}, {H "next=//www.example.com/", NULL, 0},
	  {H "next=//evil.example", "//evil.example", 1}, {H "next=%2F%2Fevil.example", "%2F%2Fevil.example", 1}, {H "next=%5c%5cevil", "%5c%5cevil", 1},
	  {H "next=/%5cevil.example", "/%5cevil.example", 1}, {H "next=/%09/evil.example", "/%09/evil.example", 1},
	  {H "next=%20//evil.example", "%20//evil.example", 1}, {H "next=%0d%0a//evil.example", "%0d%0a//evil.example", 1},
	  {H "next=http:evil.example", "http:evil.example", 1}, {H "next=http:/evil.example", "http:/evil.example", 1},
	  {H "next=///evil.example", "///evil.example", 1}, {H "next=https://www.example.com/", "https://www.example.com/", 1},
	  {H "next=http://www.example.com:8080/", "http://www.example.com:8080/", 1},
	  {H "next=http://www.example.com@evil.example/", "http://www.example.com@evil.example/", 1},
	  {H "next=http://www.example.com.evil.example/", "http://www.example.com.evil.example/", 1},
	  {H "next=javascript:alert(1)", "javascript:alert(1)", 1}, {H "next=b/../c", NULL, 0},
	  {H "next=/a/../b", "/a/../b", 1}, /* editions resolve it differently */
	  {H "next=?a", NULL, 0}, /* the same page */
	  {H "next=%23x", NULL, 0}, {H "next=%23", NULL, 0}, /* some editions leave out an empty fragment */
	  {H "next=;x", ";x", 1}, /* editions resolve it differently */
	  {H "next=?a%0a", "?a%0a", 1}, {H "next=/a/%252e%252e/b", "/a/%252e%252e/b", 1}}},
	{&U, {{H "url=//www.example.org/", NULL, 0}, {H "url=//10.0.0.1/", "//10.0.0.1/", 1}}},
	/* all: values that look like a path or a URL */
	{&ALL, {{H "q=hello&p=10.0.0.1", NULL, 0}, {H "q=http://10.0.0.1/", "http://10.0.0.1/", 1},
	  {H "q=%20%01http://10.0.0.1/", "%20%01http://10.0.0.1/", 1}, {H "q=+http://10.0.0.1/", "+http://10.0.0.1/", 1},
	  {H "q=ht%09tp://10.0.0.1/", "ht%09tp://10.0.0.1/", 1}, {H "q=%5C%5Cevil", "%5C%5Cevil", 1}, {H "q=/a", NULL, 0},
	  {H "q=//10.0.0.1", "//10.0.0.1", 1}, {H "q=12:30", NULL, 0}, {H "q=a%20b:c", NULL, 0},
	  {H "q=note:c", NULL, 0}, /* a word and a colon do not make a scheme */
	  {H "utm_campaign=Feed:+x/y", NULL, 0}, {H "n=Re:%20hello", NULL, 0}, {H "q=site:example.com", NULL, 0}, {H "q=note://c", "note://c", 1},
	  {H "q=note:%5C/c", "note:%5C/c", 1}, {H "q=feed:x", "feed:x", 1}, {H "q=compress.bzip2:x", "compress.bzip2:x", 1},
	  {H "q=compress.bzip2xy:x", NULL, 0}, /* 16 octets, and 17 */
	  {H "q=compress.bzip2xyz:x", NULL, 0}, {H "q=compress.bzip2xyz://x", "compress.bzip2xyz://x", 1},
	  {H "q=JavaScript:alert(1)", "JavaScript:alert(1)", 1}, {H "q=javascript:+alert(1)", "javascript:+alert(1)", 1},
	  {H "q=http:evil.example", "http:evil.example", 1}, {H "q=https:e&q=ftp:e&q=ws:e&q=wss:e", "https:e", 4}, {H "q=ftp:+/", NULL, 0}, {H "%FF=/a", NULL, 0}, {H "q=../x", NULL, 0}, /* judged, and it stays below the root */
	  {H "q=../../x", "../../x", 1}, {H "q=%2E%2E/%2E%2E/etc/passwd", "%2E%2E/%2E%2E/etc/passwd", 1}, {H "q=..%5Cx", "..%5Cx", 1}, {H "q=..", NULL, 0},
	  {H "q=./x", NULL, 0}, {H "q=note:/x", NULL, 0}, {H "q=http:/evil.example", "http:/evil.example", 1}, {H "q=.../x", NULL, 0},
	  {H "q=C:%5Cx", "C:%5Cx", 1}, {H "q=c:/x", "c:/x", 1}, {H "q=c:x", NULL, 0}, {H "q=a%FF", NULL, 0}, {H "%FF=1", NULL, 0},
	  {H "q=%FFhttp://example.com/", "%FFhttp://example.com/", 1}, {H "q=ht%FFtp://example.com/", "ht%FFtp://example.com/", 1},
	  {H "q=http://example.com/%FF", "http://example.com/%FF", 1}, {H "q=%C3%A9http://10.0.0.1/", NULL, 0}, /* readers keep the letter */
	  {H "q=http%253A%252F%252F10.0.0.1%252F", NULL, 0}}},
	{&ALL_TWICE, {{H "q=http%253A%252F%252F10.0.0.1%252F", "http%253A%252F%252F10.0.0.1%252F", 1}, {H "q=%2525http:", NULL, 0}, {H "q=%2525http:&q=//10.0.0.1", "//10.0.0.1", 1}, {H "q=%252Fa", NULL, 0},
	  {H "q=%252B/%255Ca", NULL, 0}, {H "q=%2B%255Ca", "%2B%255Ca", 1}, {H "q=%2547://", "%2547://", 1}, {H "q=%253G:", NULL, 0},
	  {H "q=%25G3://", "%25G3://", 1}}}, /* "G3:" for a reader that drops the percent sign */
	{&ALL_SAME, {{H "q=//evil.example/", "//evil.example/", 1}, {H "q=evil.example", NULL, 0}, {H "", NULL, 0}, {"http://www.example.com/", NULL, 0}}},
	/* absolute: a program that fetches the value as written adds a scheme before it, or
	 * opens a file */
	{&FETCH, {{H "url=http://example.com/", NULL, 0}, {H "url=HTTPS%3A%2F%2Fexample.com", "HTTPS%3A%2F%2Fexample.com", 1}, /* scheme-case */
	  {H "url=http://10.0.0.1/", "http://10.0.0.1/", 1}, {H "url=169.254.169.254/latest/", "169.254.169.254/latest/", 1},
	  {H "url=example.com", "example.com", 1}, {H "url=//example.com/", "//example.com/", 1}, {H "url=/etc/passwd", "/etc/passwd", 1},
	  {H "url=?a", "?a", 1}, {H "url=", "", 1}, {H "a=10.0.0.1", NULL, 0}}},
	{&FETCH_OWN, {{H "url=http://www.example.com/a", NULL, 0}, {H "url=http://example.com/a", "http://example.com/a", 1}, {H "url=/a", "/a", 1}}},
	{&ALL_FETCH, {{H "q=/a", "/a", 1}, {H "q=http://example.com/&p=a", NULL, 0}}},
	/* PHP drops spaces before a name, and replaces characters that its variables cannot have
	 * by _ */
	{&NEXT, {{H "+next=//evil.example", "//evil.example", 1}, {H "%20+%20next=//evil.example", "//evil.example", 1},
	  {H "%09next=//evil.example", NULL, 0}, {H "next+=//evil.example", NULL, 0}, {H "+=//evil.example", NULL, 0},
	  {H "+%FF=//evil.example", "//evil.example", 1}}},
	{&SCORE, {{H "return_to=//evil.example", "//evil.example", 1}, {H "return.to=//evil.example", "//evil.example", 1},
	  {H "+return+to=//evil.example", "//evil.example", 1}, {H "return%5Bto=//evil.example", "//evil.example", 1},
	  {H "return-to=//evil.example", NULL, 0}, {H "return.to=/a", NULL, 0}}},
	{&BLANK_NAME, {{H "+a_b=//evil.example", "//evil.example", 1}, {H "a_b=//evil.example", NULL, 0}, {H "++a.b=//evil.example", NULL, 0}}},
};

/* Returns the rules of a row, with the policy public. */
static struct urivet_parameter_rules rules_of(const struct how *how, struct urivet_text names[2],
                                              const struct urivet_policy *policy)
{
	struct urivet_parameter_rules rules;
	cr_assert(urivet_parameter_rules_init(&rules, sizeof rules));
	cr_assert(rules.times == 1 && !rules.same_origin && !rules.absolute && rules.policy == NULL && rules.count == 0);
	const char *comma = strchr(how->names, ',');
	if (strcmp(how->names, "*") != 0) {
		names[0] = comma != NULL ? urivet_text_of(how->names, (size_t)(comma - how->names))
		                         : text_of_string(how->names);
		if (comma != NULL)
			names[1] = text_of_string(comma + 1);
		rules.names = names;
		rules.count = comma != NULL ? 2 : 1;
	}
	rules.times = how->times;
	rules.same_origin = how->same_origin;
	rules.absolute = how->absolute;
	rules.policy = policy;
	return rules;
}

/* Returns an outer policy that accepts anything in the query. */
static struct urivet_policy lax(void)
{
	struct urivet_policy policy = built_in(URIVET_GATEWAY);
	static const unsigned waived[] = {URIVET_F_ESCAPED_CONTROL, URIVET_F_ESCAPED_CRLF};
	for (size_t k = 0; k < sizeof waived / sizeof waived[0]; k++)
		cr_assert(urivet_policy_waive(&policy, waived[k]));
	return policy;
}

static void expect_by_rules(const struct how *how, const struct parameter_row *row)
{
	const struct urivet_policy public = built_in(URIVET_PUBLIC), outer = lax();
	static char buffer[URIVET_PARAMETERS_CAPACITY(300)];
	const size_t length = strlen(row->input);
	const void *input = at_edge(row->input, length);
	struct urivet_text names[2];
	const struct urivet_parameter_rules rules = rules_of(how, names, &public);
	const struct urivet_parameter_input in = {urivet_text_of(input, length), NULL, buffer,
	                                          URIVET_PARAMETERS_CAPACITY(length)};
	struct urivet_report r;
	cr_assert(urivet_parameter_rules_valid(&rules));
	cr_assert(urivet_check(&r, input, length, &outer) == URIVET_ACCEPT, "%s: %s", row->input, ids_of(&r));
	const enum urivet_verdict verdict = urivet_check_parameters(&r, &spare, &in, &rules, &outer);
	const struct urivet_finding *f = finding_in(&r, URIVET_F_PARAM_REFUSED);
	cr_expect(verdict == r.verdict && (verdict == URIVET_REJECT) == (row->refused != NULL),
	          "%s (%s): %s", row->input, how->names, ids_of(&r));
	cr_expect((f != NULL) == (row->refused != NULL), "%s: %s", row->input, ids_of(&r));
	if (f == NULL || row->refused == NULL)
		return;
	const struct urivet_text fault = urivet_fault(f, in.text, urivet_text_of(NULL, 0));
	cr_expect(fault.length == strlen(row->refused) &&
	          memcmp(fault.data, row->refused, fault.length) == 0,
	          "%s: %s", row->input, shown(fault.data, fault.length));
	cr_expect(f->count == row->count && f->component == URIVET_QUERY, "%s: %u", row->input, f->count);
	cr_expect(urivet_reason(&r, &outer) == URIVET_REASON_NOT_ALLOWED);
}

Test(parameters, by_rules)
{
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (const struct parameter_row *row = rows[k].of; row->input != NULL; row++)
			expect_by_rules(rows[k].how, row);
}

/* Expects that parameters are judged together, plain or not, as each alone in a buffer of any size; and
 * alone in a small one, of the exact size, that there is no room, or the result of a large one. */
static void expect_alike(struct urivet_text text, const struct urivet_report *r, size_t size, const struct urivet_parameter_rules *rules)
{
	char large[URIVET_PARAMETERS_CAPACITY(80)], *const small = malloc(size + 1);
	const struct urivet_parameter_input with = {text, NULL, large, sizeof large}, in = {text, NULL, size > 0 ? small : NULL, size};
	const struct urivet_text query = urivet_part(&r->uri, URIVET_QUERY, text, text);
	struct urivet_parameter_scan scan = {.data = query.data, .length = query.length};
	struct urivet_parameter p;
	struct urivet_report all = *r;
	uint32_t refused = 0;
	small[size] = 'x';
	while (urivet_parameter_next(&scan, &p)) {
		const enum urivet_parameter_result most = urivet_check_parameter(&spare, NULL, &p, r, &with, rules), got = urivet_check_parameter(&spare, NULL, &p, r, &in, rules);
		cr_assert(got == most || (got == URIVET_PARAMETER_NO_ROOM && size < URIVET_PARAMETERS_CAPACITY(text.length)), "%s %zu", shown(text.data, text.length), size);
		cr_assert(size > 0 || got == URIVET_PARAMETER_NO_ROOM || got == URIVET_PARAMETER_NOT_ASKED || got == URIVET_PARAMETER_UNDECODED);
		refused += got < URIVET_PARAMETER_ACCEPTED;
	}
	urivet_check_parameters(&all, &spare, &in, rules, BY_ANY);
	const struct urivet_finding *const f = finding_in(&all, URIVET_F_PARAM_REFUSED);
	cr_expect((f != NULL ? f->count : 0) == refused && small[size] == 'x', "%s %zu: %u", shown(text.data, text.length), size, refused);
	free(small);
}

Test(parameters, together_as_each_alone)
{
	static const char *const patterns[] = {"/@", "/a@b", "/a/@", "@/a", "http://h.example/@", "/a&u=%2Fb&u=/%63&u=//h.example/@"};
	static const struct urivet_text name = {"u", 1};
	struct urivet_policy policies[] = {with_waiver(URIVET_STRICT, URIVET_F_FORBIDDEN_CHAR), built_in(URIVET_PUBLIC)};
	cr_assert(urivet_policy_raise(&policies[1], URIVET_F_PATH_TRAILING_DOT_SPACE));
	for (unsigned n = 0; n < 6 * 256 * 8; n++) {
		char input[80];
		const char *const pattern = patterns[n / 2048], *const at = strchr(pattern, '@');
		const int length = snprintf(input, sizeof input, "http://h.example/%%41/?u=%.*s%c%s", (int)(at - pattern), pattern, (int)(n % 256), at + 1);
		const struct urivet_text text = urivet_text_of(input, (size_t)length);
		const struct urivet_parameter_rules rules = {sizeof rules, &name, 1, 1 + n / 256 % 2, (n & 512) != 0, (n & 1024) != 0, false, false, &policies[n / 512 % 2]};
		struct urivet_report r;
		urivet_check(&r, input, text.length, &policies[0]);
		for (size_t size = n % 256 == 'c' ? 0 : URIVET_PARAMETERS_CAPACITY(text.length); size <= URIVET_PARAMETERS_CAPACITY(text.length) && r.parsed; size++)
			expect_alike(text, &r, size, &rules);
	}
}

/* ---- Parameters one by one ----------------------------------------------------------- */

struct step {
	enum urivet_parameter_result result;
	const char *value, *judged, *ids; /* NULL: there is no value */
};

static void expect_text(struct urivet_text got, const char *want, const char *what)
{
	if (want == NULL) {
		cr_expect(got.data == NULL && got.length == 0, "%s", what);
		return;
	}
	cr_expect(got.data != NULL && got.length == strlen(want) && memcmp(got.data, want, got.length) == 0,
	          "%s: %s", what, shown(got.data, got.length));
}

static void expect_steps(const char *input, const struct urivet_parameter_input *in,
                         const struct urivet_report *outer, const struct urivet_parameter_rules *rules,
                         const struct step *steps, size_t count)
{
	const struct urivet_text query = urivet_part(&outer->uri, URIVET_QUERY, in->text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {.data = query.data, .length = query.length};
	struct urivet_parameter p;
	size_t k = 0;
	for (; urivet_parameter_next(&scan, &p); k++) {
		struct urivet_parameter_texts texts;
		struct urivet_report inner;
		cr_assert(k < count, "%s", input);
		memset(&inner, 0xff, sizeof inner);
		memset(&texts, 0xff, sizeof texts);
		const enum urivet_parameter_result result =
			urivet_check_parameter(&inner, &texts, &p, outer, in, rules);
		cr_expect(result == steps[k].result, "%s, %zu: %d", input, k, result);
		expect_text(texts.value, steps[k].value, "value");
		expect_text(texts.judged, steps[k].judged, "judged");
		if (steps[k].ids == NULL) {
			cr_expect(inner.size == 0 && inner.verdict == URIVET_REJECT && inner.count == 0);
			continue;
		}
		cr_expect(inner.size == sizeof inner && (inner.verdict == URIVET_ACCEPT) == (result == URIVET_PARAMETER_ACCEPTED));
		cr_expect_str_eq(ids_of(&inner), steps[k].ids, "%s, %zu: %s", input, k, ids_of(&inner));
		cr_expect(!inner.parsed || inner.uri.part[URIVET_WHOLE].length == texts.judged.length);
		for (uint32_t f = 0; f < inner.count; f++)
			cr_expect(inner.finding[f].span.offset + inner.finding[f].span.length <= texts.judged.length);
		cr_expect(urivet_check_parameter(&inner, NULL, &p, outer, in, rules) == result);
	}
	cr_expect(k == count);
}

Test(parameters, one_at_a_time)
{
	static const char input[] = H "url=%2Fa%2Fb%3Fc%23d&x=http://10.0.0.1/&url=http%3A%2F%2F10.0.0.1%2F&url=%FF&url=%5C&url=&url=http://h/../e&%FFurl=/a&url=;x";
	static const struct step steps[] = {
		{URIVET_PARAMETER_ACCEPTED, "/a/b?c#d", "/a/b?c#d", "-"},
		{URIVET_PARAMETER_NOT_ASKED, NULL, NULL, NULL},
		{URIVET_PARAMETER_REFUSED, "http://10.0.0.1/", "http://10.0.0.1/", "addr-not-global,addr-private"},
		{URIVET_PARAMETER_UNDECODED, NULL, NULL, NULL},
		{URIVET_PARAMETER_REFUSED, "\\", "\\", "forbidden-char,not-absolute,backslash-path"},
		{URIVET_PARAMETER_ACCEPTED, "", "/dir/x", "-"},
		{URIVET_PARAMETER_REFUSED, "http://h/../e", "http://h/e", "resolution-ambiguous,host-single-label"},
		{URIVET_PARAMETER_UNDECODED, NULL, NULL, NULL},
		{URIVET_PARAMETER_REFUSED, ";x", "/dir/;x", "resolution-ambiguous,path-semicolon"},
	};
	static const char returns[] = H "next=/a?b=%5B%23cd&next=/a?b=%2541%23!c&next=/a;b?%5B%23c";
	static const struct step next[] = {
		{URIVET_PARAMETER_ACCEPTED, "/a?b=[#cd", "/a?b=[#cd", "query-nested-brackets"},
		{URIVET_PARAMETER_REFUSED, "/a?b=%41#!c", "/a?b=%41#!c", "escaped-unreserved,fragment-hashbang"},
		{URIVET_PARAMETER_REFUSED, "/a;b?[#c", "/a;b?[#c", "path-semicolon,forbidden-char,query-nested-brackets"},
	};
	const struct urivet_policy public = built_in(URIVET_PUBLIC), outer = lax();
	char buffer[URIVET_PARAMETERS_CAPACITY(sizeof input)];
	const struct urivet_parameter_input in = {TEXT(input), NULL, buffer, sizeof buffer};
	const struct urivet_parameter_input in_next = {TEXT(returns), NULL, buffer, sizeof buffer};
	struct urivet_text names[2], next_names[2];
	const struct urivet_parameter_rules rules = rules_of(&U, names, &public), next_rules = rules_of(&NEXT, next_names, &public);
	struct urivet_report r;
	cr_assert(urivet_check(&r, LITERAL(input), &outer) == URIVET_ACCEPT, "%s", ids_of(&r));
	expect_steps(input, &in, &r, &rules, steps, sizeof steps / sizeof steps[0]);
	cr_assert(urivet_check(&r, LITERAL(returns), &outer) == URIVET_ACCEPT, "%s", ids_of(&r));
	expect_steps(returns, &in_next, &r, &next_rules, next, sizeof next / sizeof next[0]);
}

/* ---- Request targets ------------------------------------------------------------------ */

struct target_row {
	const char *target, *host;
	enum urivet_scheme scheme;
	bool same_origin, refused;
};

static const struct target_row targets[] = {
	{"/x?url=http%3A%2F%2F10.0.0.1%2F", "www.example.com", URIVET_SCHEME_HTTP, false, true},
	{"/x?url=http%3A%2F%2F10.0.0.1%2F", NULL, URIVET_SCHEME_NONE, false, true},
	{"/x?url=http%3A%2F%2Fexample.com%2F", NULL, URIVET_SCHEME_NONE, false, false},
	{"/x?url=/a", "www.example.com", URIVET_SCHEME_HTTP, true, false},
	{"/x?url=/a", "10.0.0.1", URIVET_SCHEME_HTTP, true, false}, /* the origin is not judged again */
	{"/x?url=/a", "www.example.com", URIVET_SCHEME_NONE, true, false},
	{"/x?url=/a", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=a", NULL, URIVET_SCHEME_NONE, true, false}, {"/x?url=a", NULL, URIVET_SCHEME_HTTP, true, false},
	{"/x?url=%5Ca", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=../a", "www.example.com", URIVET_SCHEME_HTTP, true, true}, /* above the root */
	{"/x/y?url=../a", "www.example.com", URIVET_SCHEME_HTTP, true, false},
	{"/x/y?url=../a", NULL, URIVET_SCHEME_NONE, true, true}, /* dot segments that are not removed */
	{"/x?url=//www.example.com/", "www.example.com", URIVET_SCHEME_HTTP, true, false},
	{"/x?url=//WWW.example.com:80/", "www.example.com", URIVET_SCHEME_HTTP, true, false},
	{"/x?url=//www.example.com:80/", "www.example.com", URIVET_SCHEME_HTTPS, true, true},
	{"/x?url=//www.example.com/", "www.example.com:8080", URIVET_SCHEME_HTTP, true, true},
	{"/x?url=//www.example.com/", "www.example.com", URIVET_SCHEME_NONE, false, true},
	{"/x?url=//www.example.com/", NULL, URIVET_SCHEME_NONE, false, true},
	{"/x?url=//evil.example/", "www.example.com", URIVET_SCHEME_HTTP, true, true},
	{"/x?url=//www.example.org/", "www.example.com", URIVET_SCHEME_HTTP, false, false},
	{"/x?url=https://www.example.com/", "www.example.com", URIVET_SCHEME_HTTP, true, true},
	{"/x?url=https://www.example.com/", "www.example.com", URIVET_SCHEME_HTTPS, true, false},
	{"/x?url=https://www.example.com/", "www.example.com", URIVET_SCHEME_NONE, true, true},
	{"http://www.example.com/x?url=//www.example.com/", "www.example.com", URIVET_SCHEME_NONE, true, false},
	{"http://www.example.com/x?url=//evil.example/", "www.example.com", URIVET_SCHEME_HTTP, true, true},
	{"*", "www.example.com", URIVET_SCHEME_HTTP, true, false},
	/* a return path may be what the policy gateway accepts, and a fragment of strict */
	{"/x?url=/issues?labels%5B%5D=bug", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=/issues?labels%5B%5D=bug", "www.example.com", URIVET_SCHEME_HTTP, true, false},
	{"/x?url=/issues?labels%5B%5D=bug", "www.example.com", URIVET_SCHEME_HTTP, false, true},
	{"/x?url=/issues?labels%5B%5D=bug%23c-3", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=/it's?b=%5B", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=/a?%5B%23c-3", NULL, URIVET_SCHEME_NONE, true, false}, {"/x?url=/a?%2541", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=a?%2541", NULL, URIVET_SCHEME_NONE, true, true}, {"/x?url=?%2541", NULL, URIVET_SCHEME_NONE, true, true}, /* no path from the root */
	{"/x?url=/a?b%5Cc=%257C", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=/a?b=%5B%23c%5B", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=/a?b=%5B%23!c", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=/a?b=%2541%23%2541", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=/a?b=%2541%23c%2F..", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=/a?b=%5B%20", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=/a;b?%5B", NULL, URIVET_SCHEME_NONE, true, true}, /* neither policy takes all of it */
	{"/x?url=/a;b", NULL, URIVET_SCHEME_NONE, true, false},
	{"/x?url=/a%5Cb?%5B", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=/%5Cevil.example", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=//evil.example?%5B", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=issues?%5B", NULL, URIVET_SCHEME_NONE, true, true},
	{"/x?url=%23%5B", NULL, URIVET_SCHEME_NONE, true, true},
};

Test(parameters, of_request_targets)
{
	const struct urivet_policy public = built_in(URIVET_PUBLIC), outer = lax();
	for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
		const struct target_row *row = &targets[k];
		const struct how how = {"url", 1, row->same_origin, false};
		char buffer[URIVET_PARAMETERS_CAPACITY(120)];
		struct urivet_request request;
		struct urivet_text names[2];
		const struct urivet_parameter_rules rules = rules_of(&how, names, &public);
		struct urivet_policy policy = outer;
		struct urivet_report r;
		cr_assert(urivet_policy_waive(&policy, URIVET_F_TARGET_FORM));
		cr_assert(urivet_request_init(&request, sizeof request));
		request.scheme = row->scheme;
		request.host_unknown = row->host == NULL;
		if (row->host != NULL)
			request.host = text_of_string(row->host);
		if (strcmp(row->host != NULL ? row->host : "", "www.example.com:8080") == 0)
			request.port = 8080;
		const struct urivet_parameter_input in = {text_of_string(row->target), &request, buffer, sizeof buffer};
		urivet_check_request(&r, in.text.data, in.text.length, &request, &policy, NULL);
		cr_assert(r.verdict == URIVET_ACCEPT, "%s: %s", row->target, ids_of(&r));
		urivet_check_parameters(&r, &spare, &in, &rules, &policy);
		cr_expect((finding_in(&r, URIVET_F_PARAM_REFUSED) != NULL) == row->refused, "%s at %s: %s",
		          row->target, row->host, ids_of(&r));
		cr_expect((r.verdict == URIVET_REJECT) == row->refused);
	}
}

/* Every capacity for composing the base; and partial knowledge of the origin. */
Test(parameters, bases_of_request_targets)
{
	static const struct urivet_text name = {"u", 1};
	static const char target[] = "/x?u=//www.example.com/", rooted[] = "/x?u=/a&abcdefghijklmno";
	const struct urivet_text texts[] = {TEXT("www.example.com"), TEXT(""), {NULL, 0}};
	struct urivet_parameter_rules rules;
	struct urivet_request request;
	struct urivet_parameter p;
	struct urivet_report r, inner;
	size_t needed = 0, stepped = 0;
	cr_assert(urivet_parameter_rules_init(&rules, sizeof rules) && urivet_request_init(&request, sizeof request));
	rules.names = &name;
	rules.count = 1;
	request.scheme = URIVET_SCHEME_HTTPS;
	for (unsigned k = 0; k < 4; k++) {
		const char *const text = k == 3 ? rooted : target;
		request.host = texts[k % 3];
		urivet_check_request(&r, text, sizeof target - 1, &request, BY_GATEWAY, NULL);
		const bool refused = r.verdict == URIVET_REJECT;
		cr_assert(refused == (k % 3 > 0));
		for (size_t capacity = 0; capacity <= URIVET_PARAMETERS_CAPACITY(sizeof target + 15); capacity++) {
			char *buffer = calloc(capacity + 1, 1);
			const struct urivet_parameter_input in = {urivet_text_of(text, sizeof target - 1), &request, buffer, capacity};
			buffer[capacity] = 'x';
			struct urivet_report copy = r;
			if (urivet_check_parameters(&copy, &spare, &in, &rules, BY_GATEWAY) == URIVET_REJECT)
				needed = k == 0 ? capacity + 1 : needed;
			const struct urivet_text query = urivet_part(&r.uri, URIVET_QUERY, in.text, request.host);
			struct urivet_parameter_scan scan = {.data = query.data, .length = query.length};
			if (query.data != NULL && r.parsed && urivet_parameter_next(&scan, &p)) {
				const enum urivet_parameter_result result = urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules);
				cr_expect((result == URIVET_PARAMETER_ACCEPTED) <= (k % 3 == 0));
				cr_expect((result == URIVET_PARAMETER_ACCEPTED) == (copy.verdict == URIVET_ACCEPT));
				cr_expect(k % 3 != 0 || result >= URIVET_PARAMETER_NO_ROOM);
				if (k == 0 && result == URIVET_PARAMETER_NO_ROOM)
					stepped = capacity + 1;
			}
			cr_expect(buffer[capacity] == 'x');
			free(buffer);
		}
	}
	cr_expect(needed > 0 && needed == stepped && needed <= URIVET_PARAMETERS_CAPACITY(sizeof target + 14));
	/* an unknown request; and a reference instead of a target */
	char buffer[200];
	struct urivet_parameter_input in = {TEXT("/x?u=/a"), NULL, buffer, sizeof buffer};
	cr_expect(check_target(&r, in.text, TEXT("h"), NULL, NULL) == URIVET_ACCEPT);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &rules, NULL) == URIVET_ACCEPT);
	/* another Host field than the judged one, of another length: there is no base */
	in.text = TEXT("/x?u=//www.example.com/");
	in.request = &request;
	for (unsigned k = 0; k < 3; k++) {
		request.host = TEXT("www.example.com");
		urivet_check_request(&r, in.text.data, in.text.length, &request, BY_GATEWAY, NULL);
		request.host = k == 0 ? request.host : k == 1 ? TEXT("www.example.co") : urivet_text_of(NULL, 15);
		cr_expect((urivet_check_parameters(&r, &spare, &in, &rules, BY_GATEWAY) == URIVET_ACCEPT) == (k == 0));
	}
	in.text = TEXT("//h/x?u=//h/");
	in.request = &request;
	cr_expect(urivet_check(&r, in.text.data, in.text.length, NULL) == URIVET_REJECT && r.parsed);
	urivet_check_parameters(&r, &spare, &in, &rules, NULL);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED) != NULL);
}

/* Values that the policy cannot parse; empty names; no room for a report. */
Test(parameters, at_the_borders)
{
	char buffer[200];
	const size_t least = URIVET_REPORT_OCTETS;
	const struct urivet_text names[] = {{NULL, 5}, {"u", (size_t)URIVET_MAX_LENGTH + 1}, {"u", 1}};
	const struct urivet_parameter_input in = {TEXT("http://h/?u=http://h/abc&u=/abcdefghijklmnop"), NULL, buffer, sizeof buffer};
	struct urivet_policy narrow = built_in(URIVET_STRICT), bad = built_in(URIVET_STRICT);
	struct urivet_parameter_rules rules;
	struct {
		struct urivet_parameter_rules rules;
		char more;
	} newer;
	struct urivet_report r;
	char out[40];
	cr_expect(!urivet_parameter_rules_init(&newer.rules, sizeof newer) && newer.rules.size == 0);
	cr_assert(urivet_parameter_rules_init(&rules, sizeof rules));
	rules.names = names;
	for (uint32_t count = 1; count <= 3; count++) {
		rules.count = count;
		narrow.max_length = 10;
		rules.policy = &narrow;
		urivet_check(&r, in.text.data, in.text.length, NULL);
		urivet_check_parameters(&r, &spare, &in, &rules, NULL);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_PARAM_REFUSED);
		cr_expect((f != NULL ? f->count : 0) == (count == 3 ? 2 : 0));
	}
	cr_expect_str_eq(ids_of(&spare), "url-too-long");
	cr_expect(spare.size == sizeof spare);
	urivet_check(&r, in.text.data, in.text.length, &narrow); /* not parsed */
	urivet_check_parameters(&r, &spare, &in, &rules, &narrow);
	cr_expect_str_eq(ids_of(&r), "url-too-long");
	urivet_check(&r, in.text.data, in.text.length, NULL);
	cr_expect(urivet_check_parameters(&r, NULL, &in, &rules, NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL);
	urivet_check(&r, in.text.data, in.text.length, NULL);
	cr_expect(urivet_check_parameters_sized(&r, &spare, least - 1, &in, &rules, NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_POLICY_INVALID) != NULL);
	bad.size--;
	cr_expect(urivet_check_reference(&r, out, sizeof out, TEXT("http://h/"), TEXT("//e/"), 0, &bad) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid", "%s", ids_of(&r));
}

/* ---- Unusable reports and policies ---------------------------------------------------------- */

static void expect_rules_invalid(const struct urivet_parameter_input *in, const struct urivet_parameter_rules *rules,
                                 const char *what)
{
	static const struct urivet_parameter p = {{0, 1}, {2, 1}, true};
	struct urivet_report r, inner;
	cr_expect(urivet_check(&r, LITERAL("http://h/?a=b"), NULL) == URIVET_ACCEPT);
	cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, in, rules) == URIVET_PARAMETER_REFUSED, "%s", what);
	cr_expect(inner.size == 0 && inner.verdict == URIVET_REJECT);
	memset(&spare, 0xff, sizeof spare);
	cr_expect(urivet_check_parameters(&r, &spare, in, rules, NULL) == URIVET_REJECT, "%s", what);
	cr_expect_str_eq(ids_of(&r), "policy-invalid", "%s: %s", what, ids_of(&r));
	cr_expect(r.finding[0].span.offset == 0 && r.finding[0].span.length == 0 && spare.size == 0 && spare.count == 0);
}

Test(parameters, what_cannot_be_judged_by)
{
	char buffer[200];
	struct urivet_policy bad = built_in(URIVET_PUBLIC);
	const struct urivet_text name = TEXT("a");
	struct urivet_request request;
	struct urivet_parameter_rules rules, good;
	struct urivet_parameter_input in = {TEXT("http://h/?a=b"), NULL, buffer, sizeof buffer};
	cr_assert(urivet_parameter_rules_init(&good, sizeof good));
	good.names = &name;
	good.count = 1;
	cr_expect(urivet_parameter_rules_valid(&good) && !urivet_parameter_rules_valid(NULL));
	expect_rules_invalid(&in, NULL, "no rules");
	expect_rules_invalid(NULL, &good, "no input");
	for (uint32_t times = 0; times < 5; times++) {
		rules = good;
		rules.times = times;
		cr_expect(urivet_parameter_rules_valid(&rules) == (times == 1 || times == 2));
		if (times < 1 || times > 2)
			expect_rules_invalid(&in, &rules, "times");
	}
	rules = good;
	rules.names = NULL;
	expect_rules_invalid(&in, &rules, "no names");
	rules = good;
	bad.size--;
	rules.policy = &bad;
	expect_rules_invalid(&in, &rules, "a policy of another size");
	for (size_t size = 0; size < sizeof rules; size++) {
		unsigned char *room = malloc(size + 1);
		memset(room, 0x5a, size + 1);
		cr_expect(!urivet_parameter_rules_init((struct urivet_parameter_rules *)(void *)room, size));
		for (size_t k = 0; k < size; k++)
			cr_expect(room[k] == 0);
		cr_expect(room[size] == 0x5a);
		free(room);
		rules = good;
		rules.size = size;
		expect_rules_invalid(&in, &rules, "a smaller size");
	}
	rules.size = sizeof rules + 1;
	expect_rules_invalid(&in, &rules, "a newer size");
	memset(&rules, 0, sizeof rules);
	expect_rules_invalid(&in, &rules, "zeroed");
	cr_expect(!urivet_parameter_rules_init(NULL, sizeof rules));
	cr_expect(!urivet_parameter_rules_init(&rules, SIZE_MAX));
	memset(&request, 0, sizeof request);
	in.request = &request;
	expect_rules_invalid(&in, &good, "a request that is not valid");
	in.request = NULL;
	in.text = TEXT("http://h/?a=bb");
	expect_rules_invalid(&in, &good, "another text");
	in.text = urivet_text_of(NULL, 13);
	expect_rules_invalid(&in, &good, "no text");
	struct urivet_report r;
	cr_expect(check_target(&r, TEXT("/"), TEXT("h"), NULL, NULL) == URIVET_ACCEPT && urivet_check_parameters(&r, &spare, &in, &good, NULL) == URIVET_REJECT);
}

/* Reports that were never filled, are refused or not parsed; parameters outside the query. */
Test(parameters, other_reports)
{
	char buffer[200];
	const size_t least = URIVET_REPORT_OCTETS;
	struct urivet_parameter_rules rules;
	struct urivet_report r, inner;
	struct urivet_parameter p = {{0, 1}, {2, 1}, true};
	struct urivet_parameter_input in = {TEXT("http://h/?a=/"), NULL, buffer, sizeof buffer};
	cr_assert(urivet_parameter_rules_init(&rules, sizeof rules));
	memset(&r, 0, sizeof r);
	cr_expect(urivet_check_parameters(NULL, &spare, &in, &rules, NULL) == URIVET_REJECT);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &rules, NULL) == URIVET_REJECT && r.count == 0);
	cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_REFUSED);
	cr_expect(urivet_check_parameter(&inner, NULL, &p, NULL, &in, &rules) == URIVET_PARAMETER_REFUSED);
	urivet_check(&r, LITERAL("http://h/?a=/"), NULL);
	cr_expect(urivet_check_parameter(NULL, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_REFUSED);
	cr_expect(urivet_check_parameter_sized(&inner, least - 1, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_REFUSED);
	cr_expect(urivet_check_parameter(&inner, NULL, NULL, &r, &in, &rules) == URIVET_PARAMETER_REFUSED);
	cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_ACCEPTED);
	static const struct urivet_span outside[] = {{2, 2}, {3, 1}, {4, 0}, {UINT32_MAX, 2}, {0, UINT32_MAX}};
	for (size_t k = 0; k < sizeof outside / sizeof outside[0]; k++) {
		p = (struct urivet_parameter){{0, 1}, outside[k], true};
		cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_REFUSED, "%zu", k);
		p = (struct urivet_parameter){outside[k], {2, 1}, true};
		cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_REFUSED, "%zu", k);
	}
	p = (struct urivet_parameter){{0, 0}, {0, 0}, true};
	in.text = TEXT("http://h/?a=/b");
	cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_REFUSED);
	in.text = TEXT("http://h/?a=/");
	p = (struct urivet_parameter){{0, 1}, {3, 0}, true};
	cr_expect(urivet_check_parameter(&inner, NULL, &p, &r, &in, &rules) == URIVET_PARAMETER_NOT_ASKED);
	in.text = TEXT("http://h /?a=//");
	cr_expect(urivet_check(&r, in.text.data, in.text.length, NULL) == URIVET_REJECT && !r.parsed);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &rules, NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED) == NULL && finding_in(&r, URIVET_F_POLICY_INVALID) == NULL);
	in.text = TEXT("http://u@h/?a=//");
	cr_expect(urivet_check(&r, in.text.data, in.text.length, NULL) == URIVET_REJECT && r.parsed);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &rules, NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED) != NULL);
	/* no base: the input has no authority */
	in.text = TEXT("mailto:a@b.example?a=/b");
	cr_expect(urivet_check(&r, in.text.data, in.text.length, BY_ANY) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(urivet_check_parameters(&r, &spare, &in, &rules, BY_ANY) == URIVET_ACCEPT);
	/* waived, and still noted */
	struct urivet_policy waived = with_waiver(URIVET_STRICT, URIVET_F_PARAM_REFUSED);
	in.text = TEXT("http://h/?a=///");
	urivet_check(&r, in.text.data, in.text.length, &waived);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &rules, &waived) == URIVET_ACCEPT);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED) != NULL);
}

/* A policy that makes octets legal, in the input or the values, accepts nothing else. */
Test(parameters, lenient_policies)
{
	static const struct {
		const char *input;
		bool same_origin, accepted;
	} lenient[] = {
		{"http://h/?a=/x?%5B1%5D", true, true}, /* brackets, which RFC 3986 does not allow there */
		{"http://h/?a=x?%5B1%5D", true, false}, /* only after a slash it is certain that it stays on the origin */
		{"http://h/?a=//h/x?%5B1%5D", true, false},
		{"http://h/?a=/%20/h/x", true, false},
		{"http://h/?b[]=1&a=/x", true, true},
		{"http://h/a|b?a=/x", true, true},
		{"http://h/a|b?a=x", true, true},
		{"http://h/a|b?a=//h/x", true, false}, /* a base that cannot be parsed has no origin */
		{"http://h/a|b?a=//h/x", false, false},
		{"http://h/a|b?a=http://h/x", false, true},
		{"http://h/?a=http://h/x%7Cy", true, true},
		{"http://h/?a=http://e.example/x%7Cy", true, false},
		{"http://h/?a=http://e.example/x%7Cy", false, true},
		{"http://h/?a=/%5Ce.example/", true, false},
		{"http://h/?a=%5C/e.example/", false, false},
		{"http://h/?a=x%7Cy", false, false}, /* not absolute, and not a reference */
		{"http://h/?a=/%C3%A9/h/x", true, false}, /* some readers delete octets above 0x7F */
		{"http://h/?a=/x%C3%A9", true, true},
		{"http://h/?\xff" "a=/x", true, false}, /* some readers delete octets that are no UTF-8 */
	};
	struct urivet_policy policy = with_waiver(URIVET_STRICT, URIVET_F_FORBIDDEN_CHAR);
	cr_assert(urivet_policy_waive(&policy, URIVET_F_QUERY_NESTED_BRACKETS));
	cr_assert(urivet_policy_waive(&policy, URIVET_F_QUERY_NESTED_URL) && urivet_policy_waive(&policy, URIVET_F_NON_ASCII));
	for (size_t k = 0; k < sizeof lenient / sizeof lenient[0]; k++) {
		const struct how how = {"a", 1, lenient[k].same_origin, false};
		char buffer[URIVET_PARAMETERS_CAPACITY(60)];
		struct urivet_text names[2];
		const struct urivet_parameter_rules rules = rules_of(&how, names, &policy);
		const struct urivet_parameter_input in = {text_of_string(lenient[k].input), NULL, buffer, sizeof buffer};
		struct urivet_report r;
		urivet_check(&r, in.text.data, in.text.length, &policy);
		cr_assert(r.verdict == URIVET_ACCEPT, "%s: %s", lenient[k].input, ids_of(&r));
		cr_expect((urivet_check_parameters(&r, &spare, &in, &rules, &policy) == URIVET_ACCEPT) == lenient[k].accepted,
		          "%s: %s", lenient[k].input, ids_of(&r));
	}
}

/* Return paths are judged by strict where no policy is given, and plain ones by one that looks for devices. */
Test(parameters, return_paths)
{
	const struct how how = {"a", 1, true, false};
	char buffer[URIVET_PARAMETERS_CAPACITY(60)];
	const struct urivet_parameter_input in = {TEXT("http://h/?a=/x%3F%5B"), NULL, buffer, sizeof buffer};
	const struct urivet_parameter_input device = {TEXT("http://h/?a=/con"), NULL, buffer, sizeof buffer};
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_text names[2];
	const struct urivet_parameter_rules by_strict = rules_of(&how, names, NULL), by_raised = rules_of(&how, names, &policy);
	struct urivet_report r;
	cr_assert(urivet_policy_raise(&policy, URIVET_F_PATH_TRAILING_DOT_SPACE));
	urivet_check(&r, in.text.data, in.text.length, NULL);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &by_strict, NULL) == URIVET_ACCEPT, "%s", ids_of(&r));
	urivet_check(&r, device.text.data, device.text.length, NULL);
	cr_expect(urivet_check_parameters(&r, &spare, &device, &by_strict, NULL) == URIVET_ACCEPT, "%s", ids_of(&r));
	urivet_check(&r, device.text.data, device.text.length, NULL);
	cr_expect(urivet_check_parameters(&r, &spare, &device, &by_raised, NULL) == URIVET_REJECT, "%s", ids_of(&r));
	const struct urivet_parameter_input second = {TEXT("http://h/?a=/con%3F%5B"), NULL, buffer, sizeof buffer};
	urivet_check(&r, second.text.data, second.text.length, NULL);
	cr_expect(urivet_check_parameters(&r, &spare, &second, &by_strict, NULL) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(urivet_check_parameters(&r, &spare, &second, &by_raised, NULL) == URIVET_REJECT, "%s", ids_of(&r));
	policy.max_length = 3; /* a finding of class policy */
	urivet_check(&r, in.text.data, in.text.length, NULL);
	cr_expect(urivet_check_parameters(&r, &spare, &in, &by_raised, NULL) == URIVET_REJECT, "%s", ids_of(&r));
}

/* Parameters above the limit are not judged, and refused. */
Test(parameters, many)
{
	static char input[sizeof "http://h/?" + 4 * (URIVET_MAX_PARAMETERS + 3)];
	static char buffer[URIVET_PARAMETERS_CAPACITY(sizeof input)];
	struct urivet_policy outer = built_in(URIVET_GATEWAY);
	struct urivet_parameter_rules rules;
	struct urivet_report r;
	cr_assert(urivet_parameter_rules_init(&rules, sizeof rules));
	for (unsigned more = 0; more < 3; more++) {
		strcpy(input, "http://h/?");
		for (unsigned k = 0; k < URIVET_MAX_PARAMETERS + more; k++)
			strcat(input, "a=/&");
		strcat(input, "b=c"); /* parameters that are not selected do not count */
		const struct urivet_parameter_input in = {text_of_string(input), NULL, buffer, sizeof buffer};
		cr_assert(urivet_check(&r, input, strlen(input), &outer) == URIVET_ACCEPT, "%s", ids_of(&r));
		urivet_check_parameters(&r, &spare, &in, &rules, &outer);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_PARAM_REFUSED);
		cr_expect((f != NULL ? f->count : 0) == more);
	}
}

/* name[*] selects its members, and no other name. */
Test(parameters, names_of_members)
{
	static const struct {
		const char *names, *query;
		bool asked;
	} members[] = {
		{"url[*]", "url%5B%5D", true}, {"url[*]", "url%5B0%5D", true}, {"url[*]", "url%5Ba%5D%5Bb%5D", true}, {"url[*]", "url%5B", true},
		{"url[*]", "url%5b", true}, {"url[*]", "url", false}, {"url[*]", "URL%5B0%5D", false}, {"url[*]", "urls%5B0%5D", false},
		{"url[*]", "url(0)", false}, {"[*]", "%5B0%5D", false}, {"[*]", "%5B*%5D", true}, {"a[*]", "a%5Bx%5D", true}, {"url*]", "url%5B0%5D", false},
		{"url[]", "url%5B0%5D", false}, {"url[+]", "url%5B0%5D", false}, {"url[*)", "url%5B0%5D", false}, {"url[*]x", "url%5B0%5D", false},
	};
	for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
		const struct how how = {members[k].names, 1, false, false};
		struct urivet_text names[2];
		const struct urivet_parameter_rules rules = rules_of(&how, names, BY_PUBLIC);
		struct urivet_report r, inner;
		char input[64], room[512];
		const int length = snprintf(input, sizeof input, "http://h.example/?%s=//10.0.0.1/", members[k].query);
		const struct urivet_parameter_input given = {urivet_text_of(input, (size_t)length), NULL, room, sizeof room};
		urivet_check(&r, input, (size_t)length, BY_ANY);
		r.verdict = URIVET_ACCEPT;
		cr_assert(r.parsed);
		urivet_check_parameters(&r, &inner, &given, &rules, BY_ANY);
		cr_expect((strstr(ids_of(&r), "param-refused") != NULL) == members[k].asked, "%s %s: %s", members[k].names, members[k].query, ids_of(&r));
	}
}

/* The name, and what PHP (php_register_variable_ex) or a reader that guesses takes for it. */
Test(parameters, names_that_some_reader_finds)
{
	static const struct {
		const char *text, *wanted;
		bool found, in_any_case;
	} cases[] = {
	    {"", "", true, true}, {"", "a", false, false}, {"a", "", false, false}, {"a", "a", true, true}, {"a", "b", false, false},
	    {"a", "ab", false, false}, {"ab", "a", false, false}, {"A", "a", false, true}, {"a", "A", false, true}, {"-A", "-a", false, true},
	    {"+%20a", "a", true, true}, {"+a", " a", true, true}, {"a", " a", false, false}, {" ", "", true, true}, {"%61", "a", true, true},
	    {"a.b", "a_b", true, true}, {"a+b", "a_b", true, true}, {"a[b", "a_b", true, true}, {"a%5Bb", "a_b", true, true},
	    {"a-b", "a_b", false, false}, {"a]b", "a_b", false, false}, {"a_b", "a.b", false, false}, {"a.b", "a.b", true, true},
	    {"a%zz", "ab", true, true}, {"b%zz", "ab", false, false}, {"abc%zz", "ab", false, false}, {"a%", "a", true, true}, {"%ff", "a", true, true},
	    {"\xc3\xa9", "\xc3\xa9", true, true}, {"%C3%A9x", "\xc3\xa9x", true, true}, {"\xc3\xa9", "\xc3\xa8", false, false},
	    {"\xc3\xa9", "\xc3", false, false}, {"\xc3", "x", true, true}, {"0", "1", false, false}, {"_", "_", true, true}, {"[", "_", true, true},
	};
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
		for (unsigned any = 0; any < 2; any++)
			cr_expect(urivet_may_be_named(EDGE(cases[k].text), 0, text_of(cases[k].wanted, (uint32_t)strlen(cases[k].wanted)), any) ==
				      (any ? cases[k].in_any_case : cases[k].found), "%s %s", cases[k].text, cases[k].wanted);
}

/* What a value begins with: once and twice decoded, by readers that guess and by ones that do not. */
Test(parameters, starts_of_values)
{
#define NO VALUE_IS_TEXT
#define PATH VALUE_IS_PATH
#define HIER VALUE_HAS_SLASHES
#define NAMED VALUE_HAS_SCHEME
#define PROSE VALUE_HAS_SPACE
	static const struct {
		const char *text;
		enum value_start once, twice, guessed;
		const char *scheme; /* by those that guess */
	} cases[] = {
	    {"", NO, NO, NO, ""}, {"abc", NO, NO, NO, "abc"}, {"1:", NO, NO, NO, ""}, {"/a", PATH, PATH, PATH, ""}, {"\\a", PATH, PATH, PATH, ""},
	    {"../a", PATH, PATH, PATH, ""}, {"..\\a", PATH, PATH, PATH, ""}, {"..a", NO, NO, NO, ""}, {".a/", NO, NO, NO, ""}, {"./a", NO, NO, NO, ""},
	    {"a./", NO, NO, NO, "a."}, {".\t.\n/", PATH, PATH, PATH, ""}, {"%2e%2E%5c", PATH, PATH, PATH, ""}, {"..", NO, NO, NO, ""},
	    {"c:/x", PATH, PATH, PATH, "c"}, {"c:\\x", PATH, PATH, PATH, "c"}, {"c:x", NAMED, NAMED, NAMED, "c"}, {"cd:/x", NAMED, NAMED, NAMED, "cd"},
	    {"http://h", HIER, HIER, HIER, "http"}, {"HTTP:\\/h", HIER, HIER, HIER, "http"}, {"http:/h/", NAMED, NAMED, NAMED, "http"},
	    {"a:", NAMED, NAMED, NAMED, "a"}, {"ab: x", PROSE, PROSE, PROSE, "ab"}, {"ab:+x", PROSE, PROSE, PROSE, "ab"}, {"ab:x //", NAMED, NAMED, NAMED, "ab"},
	    {"ab:%2Bx", NAMED, PROSE, NAMED, "ab"}, {"ab:\tx", NAMED, NAMED, NAMED, "ab"}, {"a%2Bb-c.1:x", NAMED, NO, NAMED, "a+b-c.1"},
	    {" \t\r\n%20+%01/a", PATH, PATH, PATH, ""}, {"%09h%0Dt\ntp:/\r/h", HIER, HIER, HIER, "http"}, {"ab:/\t\n/", HIER, HIER, HIER, "ab"},
	    {"h\xfftp://h", NO, NO, HIER, "htp"}, {"h%01tp:%ff/%/h", NO, NO, HIER, "htp"}, {"%80/", NO, NO, PATH, ""}, {"h%tp://h", NO, NO, HIER, "htp"},
	    {"%252Fa", NO, PATH, NO, ""}, {"%252fa", NO, PATH, NO, ""}, {"%25%32%46", NO, PATH, NO, ""}, {"%252", NO, NO, NO, ""}, {"%25zf", NO, NO, NO, "zf"},
	    {"%25fz/", NO, NO, NO, "fz"}, {"%256%31%62:x", NO, NAMED, NO, ""}, {"abcdefghijklmnop:x", NAMED, NAMED, NAMED, "abcdefghijklmnop"},
	    {"abcdefghijklmnopq:x", NAMED, NAMED, NAMED, "abcdefghijklmnop"},
	    {"%252Va", NO, NO, NO, ""}, {"ab%253A//h", NO, HIER, NO, "ab3a"}, {"ab:x/", NAMED, NAMED, NAMED, "ab"}, {"ab:/\\h", HIER, HIER, HIER, "ab"},
	};
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		uint8_t scheme[VALUE_SCHEME_MOST + 1] = {0};
		uint32_t length = 99;
		cr_expect(urivet_value_start(EDGE(cases[k].text), 0, false, false, scheme, &length) == cases[k].once, "%s", cases[k].text);
		cr_expect(urivet_value_start(EDGE(cases[k].text), 0, true, false, scheme, &length) == cases[k].twice, "%s", cases[k].text);
		const enum value_start guessed = urivet_value_start(EDGE(cases[k].text), 0, false, true, scheme, &length);
		cr_expect(guessed == cases[k].guessed, "%s: %d", cases[k].text, (int)guessed);
		cr_expect(length == strlen(cases[k].scheme) && memcmp(scheme, cases[k].scheme, length) == 0 && scheme[VALUE_SCHEME_MOST] == 0, "%s", cases[k].text);
	}
}
