/* SPDX-License-Identifier: Apache-2.0 */
/* Tests rules for parameters and public suffixes as data of a policy. Expected verdicts follow the
 * comments of urivet.h and rules.h, and for suffixes the algorithm of publicsuffix.org/list. */
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>
#include <urivet/spelling.h>

TestSuite(values, .timeout = 60);

static struct urivet_parameter_rule judging(const char *name, const struct urivet_policy *by)
{
	return (struct urivet_parameter_rule){
	    .name = name, .length = (uint32_t)strlen(name), .times = 1, .judges = true, .policy = by};
}

static struct urivet_parameter_rule allowing(const char *name, unsigned id)
{
	struct urivet_parameter_rule rule = judging(name, NULL);
	rule.judges = false;
	rule.allowed.bits[id / 64] |= UINT64_C(1) << id % 64;
	return rule;
}

static struct urivet_policy policy_with(const struct urivet_parameter_rule *rules, uint32_t count)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.parameters = rules;
	p.parameter_count = count;
	return p;
}

/* The verdict of every function that judges the URL; it is the same for all. */
static bool accepts(const struct urivet_policy *p, const char *url)
{
	static struct urivet_report r, work;
	const struct urivet_text t = text_of_string(url);
	const int32_t offsets[] = {0, (int32_t)t.length};
	const char *path = strchr(url + 8, '/');
	char out[8192];
	uint8_t bit = 0xff;
	memset(&work, 0x5a, sizeof work);
	memset(&r, 0x5a, sizeof r);
	const bool accepted = urivet_check(&r, t.data, t.length, p) == URIVET_ACCEPT;
	cr_expect((r.verdict == URIVET_ACCEPT) == accepted && r.size == sizeof r);
	cr_expect((urivet_verdict_of(t.data, t.length, p, &work) == URIVET_ACCEPT) == accepted, "%s", url);
	cr_expect(urivet_check_batch(t.data, t.length, offsets, NULL, 1, p, &bit, &work) == accepted && bit == accepted);
	struct urivet_uri uri;
	if (urivet_parse(&uri, t.data, t.length, NULL) && t.length < sizeof out) {
		cr_expect((urivet_check_reference(&work, out, sizeof out, TEXT("https://base.example/"), t, 0, p) == URIVET_ACCEPT) == accepted, "%.200s", url);
	}
	if (strncmp(url, "http://h.example/", 17) == 0 && strchr(url, '#') == NULL) {
		cr_expect((check_target(&work, t, TEXT("h.example"), p, NULL) == URIVET_ACCEPT) == accepted, "%.200s", url);
		/* a target without a scheme has no known origin */
		if (!accepted || !p->parameters[0].same_origin)
			cr_expect((check_target(&work, text_of_string(path), TEXT("h.example"), p, NULL) == URIVET_ACCEPT) == accepted, "%.200s", url);
	}
	cr_expect(urivet_check_batch(t.data, t.length, offsets, NULL, 1, p, &bit, NULL) == (urivet_verdict_of(t.data, t.length, p, NULL) == URIVET_ACCEPT), "%s", url);
	/* without room: never accepted if it is refused, and refused if a value is judged */
	if (!accepted) {
		cr_expect(urivet_verdict_of(t.data, t.length, p, NULL) == URIVET_REJECT && bit == 0, "%s", url);
		cr_expect(urivet_check_sized(&work, URIVET_REPORT_OCTETS, t.data, t.length, p) == URIVET_REJECT, "%s", url);
		cr_expect(urivet_suggest(out, sizeof out, t.data, t.length, p) == 0 || strcmp(out, url) != 0, "%s", url);
	}
	return accepted;
}

#define EXPECT(p, verdict, url) cr_expect(accepts(p, url) == (verdict), "%.200s", url)

/* Expects this verdict for http://h.example/ with each of these tails; spaces stand between. */
static void expect_each(const struct urivet_policy *p, bool verdict, const char *tails)
{
	char url[256];
	for (size_t n; *tails != '\0'; tails += n + (tails[n] == ' ')) {
		n = strcspn(tails, " ");
		snprintf(url, sizeof url, "http://h.example/%.*s", (int)n, tails);
		EXPECT(p, verdict, url);
	}
}

/* Each option of a rule, by an input that it refuses and one that it takes. */
Test(values, options)
{
	struct urivet_policy public = built_in(URIVET_PUBLIC);
	struct urivet_parameter_rule rule = judging("next", &public);
	const struct urivet_policy p = policy_with(&rule, 1);
	struct urivet_report r;
	expect_each(&p, false, "?next=http%3A%2F%2F127.0.0.1%2F ?next=%2F%2F127.0.0.1%2F#f "
		    "?next=%FF");
	EXPECT(&p, true, "http://h.example/");
	expect_each(&p, true, "?next=http%3A%2F%2Fexample.com%2F ?other=http%3A%2F%2F127.0.0.1%2F "
		    "?NEXT=http%3A%2F%2F127.0.0.1%2F ?a;next=http%3A%2F%2F127.0.0.1%2F ?next=%2F");
	urivet_check(&r, LITERAL("http://h.example/?next=%2F&next=http%3A%2F%2F10.1%2F&next=//10.0.0.1"), &p);
	const struct urivet_finding *f = finding_in(&r, URIVET_F_PARAM_REFUSED);
	cr_assert(f != NULL && r.verdict == URIVET_REJECT);
	cr_expect(f->count == 2 && f->span.offset == 32 && f->span.length == 20);
	cr_expect(f->component == URIVET_QUERY && r.parameter_rule == &rule && !r.parameter_allowed);
	rule.any_case = true;
	EXPECT(&p, false, "http://h.example/?NEXT=http%3A%2F%2F127.0.0.1%2F");
	rule.any_case = false;
	rule.semicolons = true;
	EXPECT(&p, false, "http://h.example/?a;next=http%3A%2F%2F127.0.0.1%2F");
	rule.semicolons = false;
	rule.same_origin = true;
	rule.policy = NULL;
	EXPECT(&p, false, "http://h.example/?next=http%3A%2F%2Fexample.com%2F");
	EXPECT(&p, true, "http://h.example/?next=http%3A%2F%2Fh.example%2F");
	rule.same_origin = false;
	rule.policy = &public;
	rule.rooted = true;
	expect_each(&p, false, "?next=http%3A%2F%2Fexample.com%2F ?next=a");
	EXPECT(&p, true, "http://h.example/?next=%2Fa");
	rule.rooted = false;
	rule.absolute = true;
	EXPECT(&p, false, "http://h.example/?next=%2Fa");
	EXPECT(&p, true, "http://h.example/?next=http%3A%2F%2Fexample.com%2F");
	rule.absolute = false;
	rule.times = 2;
	EXPECT(&p, false, "http://h.example/?next=%252F%252F127.0.0.1%252F");
	EXPECT(&p, true, "http://h.example/?next=%2Fa");
	rule.name = "*";
	rule.length = 1;
	rule.times = 1;
	EXPECT(&p, false, "http://h.example/?any=http%3A%2F%2F127.0.0.1%2F");
	EXPECT(&p, true, "http://h.example/?any=127.0.0.1");
	EXPECT(&p, true, "http://h.example/?any=%C3%A9//127.0.0.1/"); /* selected by a guess, but no path */
	EXPECT(&p, true, "http://h.example/?any=http%3A%2F%2Fexample.com%2F");
	rule.policy = NULL; /* strict */
	EXPECT(&p, true, "http://h.example/?any=http%3A%2F%2F127.0.0.1%2F");
	EXPECT(&p, false, "http://h.example/?any=http%3A%2F%2Fu%40h%2F");
}

/* Values that a rule lists are compared decoded, octet by octet. */
Test(values, listed)
{
	struct urivet_parameter_rule rule = {.name = "mode", .length = 4, .times = 1, .values = "edit\n\nb c\n", .values_length = 10};
	const struct urivet_policy p = policy_with(&rule, 1);
	struct urivet_report r;
	EXPECT(&p, true, "http://h.example/");
	expect_each(&p, true, "?mode=edit ?mode=b%20c&mode=&x=view ?mode ?mode=b+c");
	expect_each(&p, false, "?mode=Edit ?mode=edi ?mode=edits ?mode=edit%0A ?mode=edit&mode=x "
		    "?mode=%FF");
	urivet_check(&r, LITERAL("http://h.example/?a&mode=x"), &p);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED)->span.offset == 25 && r.parameter_rule == &rule);
	rule.times = 2;
	EXPECT(&p, true, "http://h.example/?mode=b%2Bc");
	rule.times = 1;
	EXPECT(&p, false, "http://h.example/?mode=b%2Bc");
	/* a value that is judged as well */
	rule.judges = true;
	EXPECT(&p, false, "http://h.example/?mode=b+c");
	EXPECT(&p, true, "http://h.example/?mode=edit");
	rule.judges = false;
	/* lists that are none */
	static const struct urivet_parameter_rule odd[] = {
	    {.name = "m", .length = 1, .times = 1, .values = "a", .values_length = 1},
	    {.name = "m", .length = 1, .times = 1, .values = NULL, .values_length = 2},
	    {.name = "*", .length = 1, .times = 1, .values = "a\n", .values_length = 2},
	    {.name = "*", .length = 1, .times = 1, .judges = true, .required = true},
	    {.name = "m", .length = 1, .times = 1},
	    {.name = "m", .length = 1, .times = 1, .required = true, .reserved = {0, 1, 0}},
	    {.name = "m", .length = 1, .times = 1, .values = "a\n", .values_length = URIVET_PARAMETER_VALUES_MOST + 1},
	};
	for (unsigned k = 0; k < sizeof odd / sizeof odd[0]; k++) {
		const struct urivet_policy q = policy_with(&odd[k], 1);
		cr_expect(!is_valid(&q), "%u", k);
	}
}

Test(values, longest_list)
{
	static char values[URIVET_PARAMETER_VALUES_MOST + 2];
	struct urivet_parameter_rule rule = {.name = "m", .length = 1, .times = 1, .values = values, .values_length = URIVET_PARAMETER_VALUES_MOST};
	const struct urivet_policy p = policy_with(&rule, 1);
	memset(values, 'a', sizeof values - 1);
	values[URIVET_PARAMETER_VALUES_MOST - 3] = values[URIVET_PARAMETER_VALUES_MOST - 1] = values[URIVET_PARAMETER_VALUES_MOST] = '\n';
	cr_expect(is_valid(&p));
	EXPECT(&p, true, "http://h.example/?m=a");
	expect_each(&p, false, "?m=aa ?m=");
	rule.values_length++;
	cr_expect(!is_valid(&p));
}

/* A parameter that is required, alone and beside other rules for it. */
Test(values, required)
{
	struct urivet_parameter_rule rules[] = {allowing("b", URIVET_F_ESCAPED_CRLF), {.name = "v", .length = 1, .times = 1, .required = true}};
	const struct urivet_policy p = policy_with(rules, 2);
	struct urivet_report r;
	expect_each(&p, true, "?v ?a=1&v=%C3%A9");
	EXPECT(&p, false, "http://h.example/");
	cr_expect(is_valid(&p));
	expect_each(&p, false, "#v=1 ?V=1 ?a;v=1");
	urivet_check(&r, LITERAL("http://h.example/p?a#f"), &p);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED)->span.offset == 20 && finding_in(&r, URIVET_F_PARAM_REFUSED)->span.length == 0);
	urivet_check(&r, LITERAL("http://h.example/p#f"), &p);
	cr_expect(finding_in(&r, URIVET_F_PARAM_REFUSED)->span.offset == 18 && r.parameter_rule == &rules[1]);
	rules[1].any_case = rules[1].semicolons = true;
	EXPECT(&p, true, "http://h.example/?a;V=1");
	/* many values are too many to judge, not to be there */
	static char url[4000] = "http://h.example/?";
	for (unsigned k = 0; k < 300; k++)
		strcat(url, "v=a&");
	EXPECT(&p, true, url);
	rules[1].values = "a\n";
	rules[1].values_length = 2;
	EXPECT(&p, false, url);
	EXPECT(&p, true, "http://h.example/?v=a");
	/* without room a value cannot be read, and one that is only required need not be */
	urivet_check_sized(&r, URIVET_REPORT_OCTETS, LITERAL("http://h.example/?v=a"), &p);
	cr_expect(r.verdict == URIVET_REJECT);
	rules[1].values_length = 0;
	cr_expect(urivet_check_sized(&r, URIVET_REPORT_OCTETS, LITERAL("http://h.example/?v=a"), &p) == URIVET_ACCEPT);
	cr_expect(urivet_check_sized(&r, URIVET_REPORT_OCTETS, LITERAL("http://h.example/?w=a"), &p) == URIVET_REJECT);
	cr_expect(urivet_check_sized(&r, URIVET_REPORT_OCTETS, LITERAL("http://h /"), &p) == URIVET_REJECT && finding_in(&r, URIVET_F_PARAM_REFUSED) == NULL);
}

/* Values without room: they are rejected where a rule judges them, whatever they are. */
Test(values, without_room)
{
	struct urivet_parameter_rule rules[2] = {judging("next", NULL), allowing("q", URIVET_F_QUERY_NESTED_BRACKETS)};
	struct urivet_policy p = policy_with(rules, 2);
	struct urivet_report r;
	rules[1].allowed.bits[URIVET_F_FORBIDDEN_CHAR / 64] |= UINT64_C(1) << URIVET_F_FORBIDDEN_CHAR % 64;
	static const char *const judged[] = {"http://h.example/?next=%2F", "http://h.example/?a&next=/x#f", "http://h.example/?q=[&q=1"};
	static const char *const others[] = {"http://h.example/", "http://h.example/?q=1", "http://h.example/a?nex=/#next=/", "http://h.example/?next", "http://h.example/#?next=/"};
	for (unsigned k = 0; k < 3; k++) {
		const struct urivet_text t = text_of_string(judged[k]);
		EXPECT(&p, true, judged[k]);
		cr_expect(urivet_verdict_of(t.data, t.length, &p, NULL) == URIVET_REJECT, "%s", judged[k]);
		cr_expect(urivet_check_sized(&r, URIVET_REPORT_OCTETS, t.data, t.length, &p) == URIVET_REJECT && r.size == URIVET_REPORT_OCTETS, "%s", judged[k]);
	}
	for (unsigned k = 0; k < 5; k++) {
		const struct urivet_text t = text_of_string(others[k]);
		const bool named = k == 3; /* a parameter without a value is judged, too */
		EXPECT(&p, true, others[k]);
		cr_expect((urivet_verdict_of(t.data, t.length, &p, NULL) == URIVET_ACCEPT) == !named, "%s", others[k]);
		cr_expect((urivet_check_sized(&r, URIVET_REPORT_OCTETS, t.data, t.length, &p) == URIVET_ACCEPT) == !named, "%s", others[k]);
	}
	rules[0].semicolons = true;
	cr_expect(urivet_verdict_of(LITERAL("http://h.example/?a;next=/"), &p, NULL) == URIVET_REJECT);
	/* suggestions are not judged in a room, so there is none */
	char out[100];
	cr_expect(urivet_suggest(out, sizeof out, LITERAL("HTTP://h.example/?next=/"), &p) == 0 && out[0] == '\0');
	cr_expect(urivet_suggest(out, sizeof out, LITERAL("HTTP://h.example/?q=/"), &p) > 0);
	cr_expect(urivet_suggest(out, 5, LITERAL("HTTP://h.example/?next=/"), &p) > 5);
	/* a later version's report has the same room */
	struct {
		struct urivet_report report;
		char more[8];
	} large;
	cr_expect(urivet_check_sized(&large.report, sizeof large, LITERAL("http://h.example/?next=/"), &p) == URIVET_ACCEPT);
	cr_expect(large.report.size == sizeof large);
}

/* A value of the stated length is judged, a longer one is rejected; so is one that the path of the
 * input leaves no room for. */
Test(values, limits)
{
	static char url[3 * URIVET_PARAMETER_VALUE_MOST + 100];
	struct urivet_parameter_rule rule = judging("u", NULL);
	struct urivet_policy p = policy_with(&rule, 1);
	struct urivet_request request;
	cr_assert(urivet_request_init(&request, sizeof request));
	p.max_length = 65536;
	for (unsigned more = 0; more < 2; more++)
		for (unsigned escaped = 0; escaped < 3; escaped++) {
			char *at = url + sprintf(url, "http://h.example/?u=/");
			rule.times = (uint8_t)(escaped == 2 ? 2 : 1);
			for (unsigned k = 1; k < URIVET_PARAMETER_VALUE_MOST + more; k++)
				at += sprintf(at, escaped == 1 ? "%%2B" : "a");
			EXPECT(&p, more == 0, url);
		}
	rule.times = 1;
	for (unsigned length = 1; length < 20000; length += 611) {
		static char longer[40000];
		struct urivet_report r;
		const int end = sprintf(longer, "http://h.example/%0*d/?u=b%%2F", (int)length, 0);
		p.max_length = 65536;
		urivet_check(&r, longer, (size_t)end, &p);
		cr_expect(r.parsed && (length > 8000 || r.verdict == URIVET_ACCEPT), "%u", length);
		cr_expect(length < URIVET_ROOM || r.verdict == URIVET_REJECT, "%u", length);
		cr_expect((r.count == 0) == (r.verdict == URIVET_ACCEPT));
		/* beside a Host field, the base is composed in the room, too */
		request.scheme = URIVET_SCHEME_HTTP;
		request.host = TEXT("h.example");
		urivet_check_request(&r, longer + 16, (size_t)end - 16, &request, &p, NULL);
		cr_expect(r.parsed && (length > 4000 || r.verdict == URIVET_ACCEPT), "%u", length);
		cr_expect(length < URIVET_ROOM || r.verdict == URIVET_REJECT, "%u", length);
		p.max_length = 20;
		cr_expect(urivet_check(&r, longer, (size_t)end, &p) == URIVET_REJECT);
		cr_expect_str_eq(ids_of(&r), "url-too-long");
	}
}

/* As many values as are judged, by each rule; one more is rejected. */
Test(values, many)
{
	struct urivet_parameter_rule rules[2] = {judging("u", NULL), judging("v", NULL)};
	struct urivet_policy p = policy_with(rules, 2);
	static char url[16000], list[64]; /* more values than the room holds at once */
	rules[0].values = list;
	rules[0].values_length = (uint32_t)sprintf(list, "/%040d\n", 0);
	p.max_length = sizeof url;
	EXPECT(&p, false, "http://h.example/?v=%2F%2Fu%40h%2F");
	for (unsigned count = URIVET_MAX_PARAMETERS; count < URIVET_MAX_PARAMETERS + 2; count++) {
		char *at = url + sprintf(url, "http://h.example/?a");
		for (unsigned k = 0; k < count; k++)
			at += sprintf(at, "&u=/%040d&v=/", 0);
		EXPECT(&p, count == URIVET_MAX_PARAMETERS, url);
	}
}

static void add(struct urivet_parameter_rule *rule, unsigned id)
{
	rule->allowed.bits[id / 64] |= UINT64_C(1) << id % 64;
}

/* Exactly the findings that the row says, but for a missing Host field; in names of what needs no escape. */
Test(values, what_can_be_allowed)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		struct urivet_parameter_rule rule = {.name = "a", .length = 1, .times = 1};
		const struct urivet_policy p = policy_with(&rule, 1);
		for (add(&rule, id);; rule.judges = true) {
			cr_expect(is_valid(&p) == (row != NULL && row->by_path_rule && id != URIVET_F_HOST_MISSING), "%u", id);
			if (rule.judges)
				break;
		}
	}
	for (unsigned c = 0; c < 256; c++) {
		const char name[] = {(char)c, 'a', '\0'};
		const struct urivet_parameter_rule rule = allowing(c > 0 ? name : "?", URIVET_F_ESCAPED_CRLF);
		const struct urivet_policy p = policy_with(&rule, 1);
		cr_expect(is_valid(&p) == (c > 0 && (isalnum((int)c) || strchr("_.~!$'()*,:@/-[]", (int)c) != NULL)), "%u", c);
	}
}

/* Findings that are allowed in values, and nowhere else. */
Test(values, allowed)
{
	struct urivet_parameter_rule rules[5] = {allowing("q", URIVET_F_ESCAPED_CRLF), allowing("a[*]", URIVET_F_FORBIDDEN_CHAR), allowing("b[x]", URIVET_F_ESCAPED_CRLF),
						 allowing("[*]", URIVET_F_ESCAPED_CRLF), judging("n", NULL)};
	struct urivet_policy p = policy_with(rules, 5), raw = p;
	struct urivet_report r;
	/* also where the value is judged */
	const struct urivet_policy by = built_in(URIVET_GATEWAY);
	struct urivet_parameter_rule judged = judging("u", &by);
	const struct urivet_policy judges = policy_with(&judged, 1);
	EXPECT(&judges, false, "http://h.example/?u=/a//b");
	add(&judged, URIVET_F_PATH_DOUBLE_SLASH);
	EXPECT(&judges, true, "http://h.example/?u=/a//b");
	rules[4].same_origin = true;
	add(&rules[1], URIVET_F_QUERY_NESTED_BRACKETS);
	add(&rules[2], URIVET_F_QUERY_NESTED_BRACKETS);
	expect_each(&p, true, "?q=a%0D%0Ab ?q=a%0D%0Ab&q=%0D%0A ?a%5B1%5D=| ?a%5b%5d=[ "
		    "?q=%0D%0A&z=1 ?b%5Bx%5D=%0D%0A&q=%0D%0A&a%5B%5D=| ?q=1");
	EXPECT(&p, false, "http://u@h.example/?q=%0D%0A");
	expect_each(&p, false, "?q=a%0D%0Ab&c=%0D%0A ?Q=a%0D%0Ab ?%71=a%0D%0Ab ?q=a%0D%0Ab;c "
		    "?q=a%0D%0A%00 ?q=| %0D%0A?q=%0D%0A %0D%0A ?q=%0D%0A#%0D%0A ?qq=%0D%0A "
		    "?=%0D%0A ?%0D%0A ?a%5B1=| ?a%5B1%5C=| ?a%5B=| ?a%5B1%5D=%0D%0A "
		    "?b%5Bx%5C=%0D%0A ?b%6Bx%5D=%0D%0A ?b%2Bx%5D=%0D%0A ?b!x%5D=%0D%0A ?b%5Bxy5D=%0D%0A "
		    "?b%5By%5D=%0D%0A ?a1%5D=| ?%5B0%5D=%0D%0A ?n=/x?[1] ?n=%2F%2Fu%40h%2F");
	/* raw brackets, where they are waived */
	cr_assert(urivet_policy_waive(&raw, URIVET_F_QUERY_NESTED_BRACKETS) && urivet_policy_waive(&raw, URIVET_F_FORBIDDEN_CHAR));
	rules[1] = allowing("a[*]", URIVET_F_ESCAPED_CRLF);
	expect_each(&raw, true, "?a[1]=%0D%0A ?a[]=%0D%0A ?a[%5D=%0D%0A ?b[x]=%0D%0A");
	expect_each(&raw, false, "?a[1=%0D%0A ?a[=%0D%0A ?a]=%0D%0A ?b]x[=%0D%0A ?b[xx]=%0D%0A");
	rules[1] = allowing("a[*]", URIVET_F_FORBIDDEN_CHAR);
	add(&rules[1], URIVET_F_QUERY_NESTED_BRACKETS);
	urivet_check(&r, LITERAL("http://h.example/?q=a%0D%0Ab"), &p);
	cr_expect(r.count == 0 && r.parameter_allowed && r.parameter_rule == NULL && r.size == sizeof r);
	urivet_check(&r, at_edge("http://h.example/?q=%0D%0A#f", 28), 28, &p); /* the report of its letters */
	cr_expect(r.parameter_allowed && urivet_has(&r.uri, URIVET_FRAGMENT) && r.uri.part[URIVET_QUERY].length == 8);
	urivet_check(&r, LITERAL("http://h.example/?q=1"), &p);
	cr_expect(!r.parameter_allowed);
	/* longer than the room: nothing is allowed */
	static char url[2 * URIVET_ROOM];
	p.max_length = sizeof url;
	const int length = sprintf(url, "http://h.example/?q=%%0D%%0A");
	memset(url + length, 'a', sizeof url - (size_t)length - 1);
	EXPECT(&p, false, url);
	/* WORK_ROOM: the copy of the input fits */
	cr_expect(urivet_check(&r, url, 9601, &p) == URIVET_REJECT);
	cr_expect(urivet_check(&r, url, 9600, &p) == URIVET_ACCEPT);
	url[8192] = '\0';
	EXPECT(&p, true, url);
	/* a note that is raised; a rule that judges as well */
	p.max_length = 8192;
	cr_assert(urivet_policy_raise(&p, URIVET_F_PLUS_VS_SPACE));
	add(&rules[0], URIVET_F_PLUS_VS_SPACE);
	EXPECT(&p, true, "http://h.example/?q=a+b");
	EXPECT(&p, false, "http://h.example/?c=a+b");
	rules[0].judges = true;
	EXPECT(&p, false, "http://h.example/?q=a+b"); /* a space, in a path */
	EXPECT(&p, true, "http://h.example/?q=%2Fa%2Bb");
	EXPECT(&p, false, "http://h.example/?q=//u@h/a+b");
}

/* Policies that cannot be judged by: see urivet_policy_finish(). */
Test(values, unusable)
{
	struct urivet_policy by = built_in(URIVET_PUBLIC);
	struct urivet_parameter_rule rules[URIVET_PARAMETER_RULES_MOST + 1], *rule = &rules[0];
	struct urivet_parameter_rules asked;
	struct urivet_report r;
	for (unsigned k = 0; k <= URIVET_PARAMETER_RULES_MOST; k++)
		rules[k] = judging("next", &by);
	for (unsigned k = 0; k < 12; k++) {
		struct urivet_policy p = policy_with(rules, k == 0 ? URIVET_PARAMETER_RULES_MOST + 1 : k == 1 ? URIVET_PARAMETER_RULES_MOST : 1);
		const struct urivet_parameter_rule good = *rule;
		by = built_in(URIVET_PUBLIC);
		rule->times = (uint8_t)(k == 2 ? 0 : k == 3 ? 3 : 1);
		by.parameter_count = k == 4;
		by.parameters = rules;
		by.size -= k == 5;
		by.hosts.count = k == 6;
		p.parameters = k == 7 ? NULL : rules;
		by.protect_count = k == 8;
		by.raised.bits[URIVET_F_HOST_PUBLIC_SUFFIX / 64] |= (uint64_t)(k == 9) << URIVET_F_HOST_PUBLIC_SUFFIX % 64;
		const bool usable = k == 1 || k > 9;
		cr_expect(is_valid(&p) == usable, "%u", k);
		cr_expect((urivet_check(&r, LITERAL("http://h.example/?a"), &p) == URIVET_ACCEPT) == usable, "%u", k);
		cr_expect_str_eq(ids_of(&r), usable ? "-" : "policy-invalid");
		cr_expect((urivet_verdict_of(LITERAL("http://h.example/?a"), &p, &r) == URIVET_ACCEPT) == usable, "%u", k);
		cr_expect((urivet_verdict_of(LITERAL("http://h.example/?a"), &p, NULL) == URIVET_ACCEPT) == usable, "%u", k);
		/* a policy that was finished before its policy of values changed */
		by = built_in(URIVET_PUBLIC);
		struct urivet_policy sealed = policy_with(rules, 1);
		if (urivet_policy_finish(&sealed, NULL, 0)) {
			by.size -= k == 5;
			by.parameter_count = k == 4;
			cr_expect((urivet_check(&r, LITERAL("http://h.example/?next=/"), &sealed) == URIVET_ACCEPT) == (k != 4 && k != 5), "%u", k);
		}
		*rule = good;
	}
	/* a policy of values whose list is not in the order that it states */
	struct urivet_host_rule hosts[2];
	const struct urivet_policy unordered = policy_with(rules, 1);
	for (unsigned k = 0; k < 2; k++) {
		by = built_in(URIVET_PUBLIC);
		cr_assert(urivet_host_rule_from(&hosts[k], "b.example", 9, URIVET_DENY));
		cr_assert(urivet_host_rule_from(&hosts[1 - k], "a.example", 9, URIVET_DENY));
		by.hosts = (struct urivet_host_list){hosts, 2, true, false};
		cr_expect(is_valid(&unordered) == (k == 1), "%u", k);
		cr_expect((urivet_check(&r, LITERAL("http://h.example/?a"), &unordered) == URIVET_ACCEPT) == (k == 1), "%u", k);
	}
	/* rules without an effect: usable, but finishing fails */
	by = built_in(URIVET_PUBLIC);
	for (unsigned k = 0; k < 11; k++)
		rules[k] = judging("next", &by);
	rules[0].length = 0;
	rules[1].name = NULL;
	rules[2].judges = false;
	rules[3].rooted = rules[3].absolute = true;
	add(&rules[4], URIVET_F_HOST_MISSING);
	add(&rules[5], URIVET_F_HOST_LOCALHOST_NAME);
	for (unsigned k = 6; k < 9; k++)
		rules[k] = allowing(k == 6 ? "*" : k == 7 ? "a b" : "a;b", URIVET_F_ESCAPED_CRLF);
	rules[9].scope = 1;
	for (unsigned k = 0; k < 11; k++) {
		const struct urivet_policy p = policy_with(&rules[k], 1);
		cr_expect(is_valid(&p) == (k == 10), "%u", k);
		cr_expect(urivet_check(&r, LITERAL("http://h.example/?x"), &p) == URIVET_ACCEPT, "%u", k);
	}
	/* names of the maximum length, and longer */
	static char longest[URIVET_PARAMETER_NAME_MOST + 2];
	memset(longest, 'n', sizeof longest - 1);
	*rule = judging(longest, NULL);
	struct urivet_policy named = policy_with(rules, 1);
	cr_expect(!is_valid(&named));
	rule->length--;
	cr_expect(is_valid(&named));
	/* rules of a program take no policy with rules either */
	struct urivet_policy p = policy_with(rules, 1);
	cr_assert(urivet_parameter_rules_init(&asked, sizeof asked));
	asked.policy = &p;
	*rule = judging("next", NULL);
	cr_expect(!urivet_parameter_rules_valid(&asked));
	p.parameter_count = 0;
	cr_expect(urivet_parameter_rules_valid(&asked));
}

/* A NULL text, and texts that were not parsed. */
Test(values, no_query)
{
	struct urivet_parameter_rule rule = judging("next", NULL);
	const struct urivet_policy p = policy_with(&rule, 1);
	struct urivet_report r;
	struct urivet_request request;
	cr_expect(urivet_check(&r, NULL, 5, &p) == URIVET_REJECT);
	cr_expect(urivet_check(&r, LITERAL("http://h /?next=//"), &p) == URIVET_REJECT && r.parameter_rule == NULL);
	memset(&request, 0, sizeof request);
	cr_expect(urivet_check_request(&r, LITERAL("/?next=//u@h"), &request, &p, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	cr_expect(urivet_check_request(&r, LITERAL("/?next=//u@h"), NULL, &p, NULL) == URIVET_REJECT);
	cr_assert(urivet_request_init(&request, sizeof request));
	request.host_unknown = true;
	cr_expect(urivet_check_request(&r, LITERAL("/?next=//u@h"), &request, &p, NULL) == URIVET_REJECT && r.parameter_rule == &rule);
	cr_expect(urivet_check_request(&r, LITERAL("/?next=/a"), &request, &p, NULL) == URIVET_ACCEPT);
	cr_expect(check_target(&r, TEXT("/?next=//u@h"), TEXT("h.example"), &p, NULL) == URIVET_REJECT && r.parameter_rule == &rule);
	/* what a reference finds after its parameters were judged is found with them */
	char out[100];
	cr_expect(urivet_check_reference(&r, out, sizeof out, TEXT("http://h.example/"), TEXT("//i.example/?next=/"), URIVET_REFERENCE_SAME_ORIGIN, &p) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_CROSS_ORIGIN) != NULL);
	cr_expect(urivet_check_reference(&r, out, 5, TEXT("http://h.example/"), TEXT("?next=/"), 0, &p) == URIVET_REJECT);
	cr_expect(urivet_check_reference(&r, out, sizeof out, TEXT("http://h.example/"), TEXT("?next=%2F"), 0, &p) == URIVET_ACCEPT);
}

/* ---- Public suffixes ------------------------------------------------------------------------- */

static struct urivet_host_rule suffix(const char *name, enum urivet_scope scope, enum urivet_action action)
{
	return (struct urivet_host_rule){{name}, (uint32_t)strlen(name), (uint8_t)scope, (uint8_t)action, 0, 0};
}

Test(values, suffixes)
{
	/* from the list: com, uk, co.uk, *.ck and !www.ck, *.kawasaki.jp and !city.kawasaki.jp */
	struct urivet_host_rule table[8] = {
	    suffix("com", URIVET_SCOPE_HOST, URIVET_DENY), suffix("uk", URIVET_SCOPE_HOST, URIVET_DENY), suffix("co.uk", URIVET_SCOPE_HOST, URIVET_DENY), suffix("ck", URIVET_SCOPE_BELOW, URIVET_DENY),
	    suffix("www.ck", URIVET_SCOPE_HOST, URIVET_ALLOW), suffix("kawasaki.jp", URIVET_SCOPE_BELOW, URIVET_DENY), suffix("city.kawasaki.jp", URIVET_SCOPE_HOST, URIVET_ALLOW), suffix("city.kawasaki.jp", URIVET_SCOPE_HOST, URIVET_DENY)};
	static const struct {
		const char *host;
		bool is;
	} names[] = {{"com", true}, {"example.com", false}, {"COM", true}, {"co.uk", true}, {"Co.uK.", true}, {"a.co.uk", false}, {"uk", true}, {"ck", true}, {"a.ck", true}, {"b.a.ck", false}, {"www.ck", false}, {"a.www.ck", false}, {"kawasaki.jp", true}, {"a.kawasaki.jp", true}, {"city.kawasaki.jp", false}, {"jp", false}, {"example", false}, {"xco.uk", false}, {"127.0.0.1", false}};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	char url[100];
	struct urivet_host_rule two[] = {suffix("b", URIVET_SCOPE_HOST, URIVET_DENY), suffix("a", URIVET_SCOPE_HOST, URIVET_DENY)};
	p.suffixes = two;
	p.suffix_count = 2;
	cr_expect(urivet_check(&r, LITERAL("http://com/"), &p) == URIVET_REJECT); /* not in order */
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	cr_expect(!is_valid(&p));
	two[0].name = "a";
	cr_expect(is_valid(&p));
	two[1].scope = URIVET_SCOPE_TREE; /* which is no suffix */
	cr_expect(!is_valid(&p));
	p.suffixes = table;
	p.suffix_count = 8;
	qsort(table, 8, sizeof table[0], urivet_order(URIVET_LIST_HOSTS));
	cr_expect(urivet_check(&r, LITERAL("http://com/"), &p) == URIVET_ACCEPT && r.count == 0); /* not raised */
	cr_assert(urivet_policy_raise(&p, URIVET_F_HOST_PUBLIC_SUFFIX));
	for (unsigned sealed = 0; sealed < 2; sealed++) {
		for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
			sprintf(url, "http://%s/", names[k].host);
			judge(&r, url, strlen(url), &p);
			cr_expect((finding_in(&r, URIVET_F_HOST_PUBLIC_SUFFIX) != NULL) == names[k].is, "%s", url);
			p.suffixes = at_edge(table, sizeof table); /* an unreadable page follows */
			check_target(&r, TEXT("/"), text_of_string(names[k].host), &p, NULL);
			p.suffixes = table;
			cr_expect((finding_in(&r, URIVET_F_HOST_PUBLIC_SUFFIX) != NULL) == names[k].is, "%s", url);
		}
		cr_assert(urivet_policy_finish(&p, NULL, 0));
	}
	/* a rule that allows the name takes precedence */
	struct urivet_host_rule host = suffix("co.uk", URIVET_SCOPE_HOST, URIVET_ALLOW);
	p.hosts = (struct urivet_host_list){&host, 1, false, false};
	cr_expect(urivet_check(&r, LITERAL("http://co.uk/"), &p) == URIVET_ACCEPT);
	cr_expect(urivet_check(&r, LITERAL("http://uk/"), &p) == URIVET_REJECT);
	p.hosts.count = 0;
	/* escapes and empty labels, where they are waived; what is no name counts as a suffix */
	cr_assert(urivet_policy_waive(&p, URIVET_F_HOST_PERCENT_ENCODED) && urivet_policy_waive(&p, URIVET_F_ESCAPED_UNRESERVED));
	cr_expect(urivet_check(&r, LITERAL("http://co%2Euk/"), &p) == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_PUBLIC_SUFFIX) != NULL);
	cr_expect(urivet_check(&r, LITERAL("http://a.co%2Euk/"), &p) == URIVET_ACCEPT);
	urivet_check(&r, LITERAL("http://a$b/"), &p);
	cr_expect(finding_in(&r, URIVET_F_HOST_PUBLIC_SUFFIX) != NULL);
	/* without its table the policy is unusable, except where the finding does not refuse */
	p.suffix_count = 0;
	cr_expect(urivet_check(&r, LITERAL("http://example.com/"), &p) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid");
	cr_assert(urivet_policy_waive(&p, URIVET_F_HOST_PUBLIC_SUFFIX));
	cr_expect(urivet_check(&r, LITERAL("http://co.uk/"), &p) == URIVET_ACCEPT);
	/* rules that are none */
	static const struct urivet_host_rule odd[] = {{{"com"}, 3, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0}, {{"com"}, 3, URIVET_SCOPE_LABEL, URIVET_DENY, 0, 0}, {{"a.com"}, 5, URIVET_SCOPE_HOST, URIVET_DENY, 0, 3}, {{"com"}, 3, URIVET_SCOPE_HOST, 2, 0, 0}, {{"c m"}, 3, URIVET_SCOPE_HOST, URIVET_DENY, 0, 0}, {{"com"}, 3, URIVET_SCOPE_HOST, URIVET_DENY, 0, 0}};
	for (unsigned k = 0; k < 6; k++) {
		struct urivet_policy q = built_in(URIVET_STRICT);
		q.suffixes = &odd[k];
		q.suffix_count = 1;
		cr_expect(is_valid(&q) == (k == 5), "%u", k);
	}
	/* values of parameters, by the table of their own policy */
	struct urivet_policy by = built_in(URIVET_STRICT);
	by.suffixes = table;
	by.suffix_count = 8;
	cr_assert(urivet_policy_raise(&by, URIVET_F_HOST_PUBLIC_SUFFIX));
	struct urivet_parameter_rule rule = judging("u", &by);
	const struct urivet_policy outer = policy_with(&rule, 1);
	EXPECT(&outer, false, "http://uk/?u=http://co.uk/");
	EXPECT(&outer, true, "http://uk/?u=http://a.co.uk/");
}
