/* SPDX-License-Identifier: Apache-2.0 */
/* Tests rules for paths: valid rules, the paths that they cover, and what they waive. The expectations
 * follow "rules for paths" in urivet.h. */

#include "support.h"

TestSuite(paths, .timeout = 60);

static struct urivet_path_rule path_rule(const char *text)
{
	struct urivet_path_rule rule;
	memset(&rule, 0x5a, sizeof rule);
	cr_assert(urivet_path_rule_from(&rule, text, strlen(text)), "%s", text);
	return rule;
}

static void add_waiver(struct urivet_path_rule *rule, unsigned id)
{
	rule->waived.bits[id / 64] |= UINT64_C(1) << id % 64;
}

Test(paths, texts_that_are_rules)
{
	static const struct {
		const char *text, *path;
		bool exact;
	} rows[] = {{"/", "/", false}, {"/$", "/", true}, {"/api", "/api", false}, {"/api/v4/$", "/api/v4/", true}, {"/a$b", "/a$b", false}, {"/-._~!$&'()+,=:@z", "/-._~!$&'()+,=:@z", false}, {"/.well-known/x.y/", "/.well-known/x.y/", false}, {"/caf%C3%a9/", "/caf%C3%a9/", false}, {"/@a%2Fb%20c", "/@a%2Fb%20c", false}, {"GET /x", "/x", false}, {"GET,HEAD,M-SEARCH /x$", "/x", true}};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const size_t length = strlen(rows[k].text);
		const char *text = at_edge(rows[k].text, length);
		struct urivet_path_rule r;
		memset(&r, 0x5a, sizeof r);
		cr_assert(urivet_path_rule_from(&r, text, length), "%s", rows[k].text);
		cr_expect(r.path_length == strlen(rows[k].path) && memcmp(text + r.path, rows[k].path, r.path_length) == 0, "%s", rows[k].text);
		cr_expect(r.exact == rows[k].exact && r.strips == 0 && r.tag == 0 && r.scope == 0, "%s", rows[k].text);
		cr_expect(urivet_path_rule_text(&r).data == text && urivet_path_rule_text(&r).length == length);
		for (unsigned w = 0; w < URIVET_FINDING_LIMIT / 64; w++)
			cr_expect(r.waived.bits[w] == 0);
	}
}

Test(paths, texts_that_are_not)
{
	static const char *const rows[] = {"", "$", "api", "//", "/a//b", "//a", "/./a", "/a/../b", "/a/..", "/a.", "/a./b", "/%61", "/a%", "/a%2", "/a%2g", "/%2e%2e/b", "/a%2F/b", "/a/%2Fb", "/%2Fa", "/a.%2Fb", "/a%20/b", "/a%20", "/a%3Bb", "/a%25b", "/a%5cb", "/a%00", "/a%3Fb", "/a%23b", "/a%09b", "/a%0Ab", "/a%0Db", "/a%1Fb", "/a%7Fb", "/a;b", "/a\\b", "/a?b", "/a#b", "/a*", "/a b", "/a|b", "/\xc3\xa9", "GET", "GET ", "GET x", " /x", ",GET /x", "GET,, /x", "GET,,HEAD /x", "GET, HEAD /x", "GET, /x", "GET,HEAD", "G_T /x", "GET  /x"};
	struct urivet_path_rule r, before;
	memset(&r, 0x5a, sizeof r);
	before = r;
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const size_t length = strlen(rows[k]);
		cr_expect(!urivet_path_rule_from(&r, at_edge(rows[k], length), length), "%s", rows[k]);
		cr_expect(memcmp(&r, &before, sizeof r) == 0, "%s", rows[k]);
	}
	cr_expect(!urivet_path_rule_from(&r, NULL, 1));
	/* at most URIVET_PATH_RULE_MOST octets */
	char text[URIVET_PATH_RULE_MOST + 1];
	memset(text, 'a', sizeof text);
	text[0] = '/';
	cr_expect(urivet_path_rule_from(&r, text, URIVET_PATH_RULE_MOST));
	cr_expect(!urivet_path_rule_from(&r, text, URIVET_PATH_RULE_MOST + 1));
}

/* Returns a policy `gateway` with rules for paths. */
static struct urivet_policy below(const struct urivet_path_rule *rules, uint32_t count)
{
	struct urivet_policy p = built_in(URIVET_GATEWAY);
	p.paths = rules;
	p.path_count = count;
	cr_assert(is_valid(&p));
	return p;
}

/* Judges a target by every function that judges; they agree. */
static bool accepts(const struct urivet_policy *policy, const char *target)
{
	struct urivet_report r;
	struct urivet_request request;
	char url[300];
	urivet_request_init(&request, sizeof request);
	request.method = TEXT("GET");
	request.host = TEXT("h.example");
	const bool accepted = urivet_check_request(&r, at_edge(target, strlen(target)), strlen(target), &request, policy, NULL) == URIVET_ACCEPT;
	bool refused = false;
	for (uint32_t k = 0; k < r.count; k++)
		refused = refused || urivet_finding_refuses(&r, &r.finding[k], policy);
	cr_expect(refused == !accepted, "%s: %s", target, ids_of(&r));
	const size_t length = (size_t)snprintf(url, sizeof url, "http://h.example%s", target);
	cr_expect((judge(&r, url, length, policy) == URIVET_ACCEPT) == accepted, "%s: %s", url, ids_of(&r));
	return accepted;
}

Test(paths, what_is_below_a_prefix)
{
	static const struct {
		const char *rule, *target;
		bool accepted;
	} rows[] = {
	    /* with a segment's end */
	    {"/api", "/api/a%2Fb", true}, {"/api/", "/api/a%2Fb", true}, {"/api/", "/api/%2Fb", false}, {"/api", "/apix/a%2Fb", false}, {"/api", "/ap/a%2Fb", false}, {"/api", "/x/api/a%2Fb", false}, {"/", "/a%2Fb", true}, {"/api/x", "/api/", true}, {"/api", "/api%2Fb", false}, {"/api", "/API/a%2Fb", false},
	    /* as received: no other spelling of the prefix */
	    {"/api", "/%61pi/a%2Fb", false}, {"/api", "//api/a%2Fb", false}, {"/api", "/./api/a%2Fb", false}, {"/api", "/x/../api/a%2Fb", false}, {"/api", "/api;x/a%2Fb", false}, {"/api", "/;/api/a%2Fb", false}, {"/api/v4", "/api//v4/a%2Fb", false}, {"/api/v4", "/api%2Fv4/a%2Fb", false}, {"/api/v4", "/api\\v4/a%2Fb", false}, {"/api/v4", "/api%5Cv4/a%2Fb", false}, {"/api/v4", "/api/./v4/a%2Fb", false},
	    /* paths that lead out */
	    {"/api", "/api/..%2Fb", false}, {"/api", "/api/..%2f..%2fb", false}, {"/api", "/api/a%2F..", false}, {"/api", "/api/a%2F%2e%2e", false}, {"/api", "/api/../a%2Fb", false}, {"/api", "/api/..;/a%2Fb", false},
	    /* nothing else is opened */
	    {"/api", "/api/a%2Fb;c", false}, {"/api", "/api/a%2F%00", false}, {"/api", "/api/a%2Fb?c=%2F", true}, {"/api", "/b?/api/a%2Fb", true}, {"/api", "/b%2Fc?/api/", false},
	    /* an exact path */
	    {"/a$", "/a", true}, {"/a$", "/a?b=%2F", true}, {"/$", "/a%2Fb", false},
	    /* triplets of the prefix, compared as received */
	    {"/a%2Fb", "/a%2Fb", true}, {"/a%2Fb", "/a%2Fb/c%2Fd", true}, {"/a%2Fb", "/a%2fb/c%2Fd", false}, {"/a%2Fb", "/a/b/c%2Fd", false}, {"/a%2Ab", "/a%2Ab/c%2Fd", true}, {"/a%2Ab", "/a*b/c%2Fd", false},
	    /* methods */
	    {"GET /a", "/a/b%2Fc", true}, {"HEAD,GET /a", "/a/b%2Fc", true}, {"HEAD /a", "/a/b%2Fc", false}, {"GE,GETS,XET,get /a", "/a/b%2Fc", false},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		struct urivet_request request;
		struct urivet_path_rule rule = path_rule(rows[k].rule);
		add_waiver(&rule, URIVET_F_ESCAPED_SLASH);
		const struct urivet_policy p = below(&rule, 1);
		if (rule.path == 0) {
			cr_expect(accepts(&p, rows[k].target) == rows[k].accepted, "%s: %s", rows[k].rule, rows[k].target);
			continue;
		}
		urivet_request_init(&request, sizeof request);
		request.method = TEXT("GET");
		request.host = TEXT("h.example");
		const struct urivet_text target = text_of_string(rows[k].target);
		cr_expect((urivet_check_request(&r, target.data, target.length, &request, &p, NULL) == URIVET_ACCEPT) == rows[k].accepted, "%s: %s", rows[k].rule, rows[k].target);
		/* without a method such a rule says nothing */
		request.method = urivet_text_of(NULL, 0);
		cr_expect(urivet_check_request(&r, target.data, target.length, &request, &p, NULL) == URIVET_REJECT, "%s", rows[k].rule);
		expect_all(&p, URIVET_REJECT, "http://h.example/a/b%2Fc");
	}
}

/* A path leads out of its prefix after any number of decodings, whatever is waived. */
Test(paths, that_lead_out)
{
	static const unsigned waived[] = {URIVET_F_DOUBLE_ESCAPE, URIVET_F_ESCAPED_PERCENT, URIVET_F_ESCAPED_SLASH, URIVET_F_PATH_SEMICOLON, URIVET_F_PATH_BACKSLASH_ESCAPED, URIVET_F_PATH_DELIMITER_ESCAPED, URIVET_F_PATH_DOUBLE_SLASH, URIVET_F_ESCAPED_UNRESERVED, URIVET_F_INVALID_UTF8_ESCAPE, URIVET_F_LATIN1_ESCAPE, URIVET_F_FORBIDDEN_CHAR, URIVET_F_ESCAPED_CRLF};
	static const struct {
		const char *rest;
		bool accepted;
	} rows[] = {
	    {"a%252Fb", true}, {"a%25252Fb", true}, {"%252e%252e%252fb", false}, {"%252e%252e/b", false}, {"%25252e%25252e%25252fb", false}, {"a%252f..%252fb", false}, {"..%252fb", false}, {"..%255cb", false}, {"a%255c%252e%252e", false}, {"..%253bx/b", false}, {"..%3Fx", false}, {"..%23x", false}, {"a..", true}, {"...%2Fb", false}, {".%2Fb", false}, {"..%0D%0A%2Fb", false}, {"%2520..%2fb", false}, {"a%2520..%2fb", false},
	    /* an escaped percent sign before another escape has more than one reading */
	    {"%25%32%65", false}, {"a%252%65", false}, {"a%25%41", false}, {"a%25x", true}, {"a%25", true}, {"a%252x", true}, {"a%2525", true}, {"%c0%ae%c0%ae/b", false}, {"a|b", true}, {"a;b", true}, {"a%3F..", true}, {"a%7Eb", true}, {"a%E9", true}, {"a%5Cb", true}, {"a//b", true}, {"a.b%2Fc", true}, {"a%2Fb.c", true}, {"..%7F/b", false},
	    /* where nothing else refuses */
	    {"%252e%252e", false}, {"%252e%252e%255cb", false}, {"%252e%252e%2500x", false}, {"%252e%252e%253bx", false}, {"%252e%252e%253fx", false}, {"%252e%252e%2523x", false}, {"%252e%252e%257f%252fb", false}, {"%252e%252e%251f%252fb", false}, {"%252e%252e%2520%252fb", false}, {"%252e%252e%2521%252fb", true}, {"%252e%252e%257e%252fb", true}, {"%352e%352e%2Fb", true}, {"a%25x%2Fb", true}, {"a.b%252f", true}, {";.a%252fb", true}, {"a%252f%252fb", true}, {"a%253b%252f%252e%252e", false}, {"a%253b%252f.b", true}, {"%252e%252e%252f", false}, {"a%252f%252e", false},
	};
	struct urivet_path_rule rule = path_rule("/p/");
	for (unsigned k = 0; k < sizeof waived / sizeof waived[0]; k++)
		add_waiver(&rule, waived[k]);
	const struct urivet_policy p = below(&rule, 1);
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char target[100];
		(void)snprintf(target, sizeof target, "/p/%s", rows[k].rest);
		cr_expect(accepts(&p, target) == rows[k].accepted, "%s", target);
	}
	/* an octet that only such a rule makes legal */
	struct urivet_policy strict = built_in(URIVET_STRICT);
	strict.paths = &rule;
	strict.path_count = 1;
	strict.schemes |= 1u << URIVET_SCHEME_OTHER;
	expect_all(&strict, URIVET_ACCEPT, "http://h.example/p/a|b http://h.example:80/p/a|b http://192.0.2.1/p/a|b");
	expect_all(&strict, URIVET_REJECT, "http://h.example/a|b http://h.example:80/a|b http://u@h.example/p/a|b x://h.example/q/a|b x:zp/a|b");
	/* nor with dot segments waived everywhere */
	struct urivet_policy dots = p;
	cr_assert(urivet_policy_waive(&dots, URIVET_F_DOT_SEGMENT) && urivet_policy_waive(&dots, URIVET_F_DOT_SEGMENT_ABOVE_ROOT));
	cr_expect(accepts(&dots, "/p/../a") && accepts(&dots, "/p/a;b") && !accepts(&dots, "/p/../a;b") && !accepts(&dots, "/p/a;b/.."));
	/* a percent sign that begins no escape, waived everywhere, is one that readers drop */
	struct urivet_policy percent = p;
	cr_assert(urivet_policy_waive(&percent, URIVET_F_BAD_ESCAPE));
	cr_expect(accepts(&percent, "/p/a%") && !accepts(&percent, "/p/a%;b"));
	/* a NUL ends names for some */
	struct urivet_policy nul = p;
	cr_assert(urivet_policy_waive(&nul, URIVET_F_ESCAPED_NUL));
	cr_expect(accepts(&nul, "/p/a%00;b") && !accepts(&nul, "/p/..%00x;b"));
}

/* The findings of all rules that cover a path are waived; the report names the longest. */
Test(paths, several_rules)
{
	struct urivet_path_rule rules[3] = {path_rule("/a/b/"), path_rule("/a"), path_rule("/a/c")};
	add_waiver(&rules[0], URIVET_F_PATH_SEMICOLON);
	add_waiver(&rules[1], URIVET_F_ESCAPED_SLASH);
	add_waiver(&rules[1], URIVET_F_LATIN1_ESCAPE);
	add_waiver(&rules[1], URIVET_F_INVALID_UTF8_ESCAPE);
	add_waiver(&rules[2], URIVET_F_PATH_DOUBLE_SLASH);
	const struct urivet_policy p = below(rules, 3);
	struct urivet_report r;
	cr_expect(accepts(&p, "/a/b/c%2Fd;e") && !accepts(&p, "/a/c/c%2Fd;e") && !accepts(&p, "/a/b/c//d"));
	judge(&r, LITERAL("http://h.example/a/b/c%2Fd;e"), &p);
	cr_expect(r.path_rule == &rules[0]);
	judge(&r, LITERAL("http://h.example/a/c/d%2Fe"), &p);
	cr_expect(r.path_rule == &rules[2] && r.verdict == URIVET_ACCEPT);
	judge(&r, LITERAL("http://h.example/a/x//y%2Fz"), &p);
	cr_expect(r.path_rule == &rules[1] && r.verdict == URIVET_REJECT);
	/* beside a rule for URLs, without which the second judgement refuses the port */
	struct urivet_url_rule whole;
	struct urivet_policy both = built_in(URIVET_PUBLIC);
	cr_assert(urivet_url_rule_from(&whole, LITERAL("http://h.example:8443/")));
	both.urls = &whole;
	both.url_count = 1;
	both.paths = rules;
	both.path_count = 3;
	cr_expect(judge(&r, LITERAL("http://h.example:8443/a/?%E9"), &both) == URIVET_ACCEPT, "%s", ids_of(&r));
	cr_expect(r.path_rule == &rules[1] && r.url_rule == &whole);
	/* not needed, not named */
	judge(&r, LITERAL("http://h.example/a/b/c"), &p);
	cr_expect(r.path_rule == NULL && r.verdict == URIVET_ACCEPT);
	judge(&r, LITERAL("http://h.example/b;"), &p);
	cr_expect(r.path_rule == NULL && r.verdict == URIVET_REJECT);
	rules[0] = rules[1]; /* of equal prefixes, the first */
	cr_expect(judge(&r, LITERAL("http://h.example/a/x%2Fy"), &p) == URIVET_ACCEPT && r.path_rule == &rules[0]);
}

/* A layer above adds findings by the same waivers. */
Test(paths, findings_added_later)
{
	struct urivet_path_rule rule = path_rule("/a");
	add_waiver(&rule, URIVET_F_PATH_SEMICOLON);
	const struct urivet_policy p = below(&rule, 1);
	struct urivet_report r;
	judge(&r, LITERAL("http://h.example/a/b;c"), &p);
	cr_expect(urivet_add_finding(&r, URIVET_F_PATH_SEMICOLON, URIVET_PATH, (struct urivet_span){16, 1}, &p) == URIVET_ACCEPT);
	cr_expect(urivet_add_finding(&r, URIVET_F_PARAM_REFUSED, URIVET_QUERY, (struct urivet_span){0, 0}, &p) == URIVET_REJECT);
	for (uint32_t k = 0; k < r.count; k++)
		cr_expect(urivet_finding_refuses(&r, &r.finding[k], &p) == (r.finding[k].id == URIVET_F_PARAM_REFUSED));
	struct {
		struct urivet_report report;
		char more[64];
	} large;
	cr_expect(urivet_check_sized(&large.report, sizeof large, LITERAL("http://h.example/a/b;c"), &p) == URIVET_ACCEPT);
	cr_expect(large.report.path_rule == &rule);
	cr_expect(urivet_check_sized(&large.report, sizeof large, LITERAL("http://h.example/b/b;c"), &p) == URIVET_REJECT);
	cr_expect(urivet_check_sized(&r, sizeof r, NULL, 5, &p) == URIVET_REJECT && r.path_rule == NULL);
}

/* A request without Host field, by methods and path. */
Test(paths, missing_host)
{
	static const struct {
		const char *method, *host, *target;
		bool accepted;
	} rows[] = {{"GET", NULL, "/healthz", true}, {"M-SEARCH", NULL, "/healthz", true}, {"M", NULL, "/healthz", false}, {"X", NULL, "/healthz", true}, {"GET", "", "/healthz", true}, {"HEAD", NULL, "/healthz", true}, {"POST", NULL, "/healthz", false}, {"GET", NULL, "/healthz?a", false}, {"GET", NULL, "/healthz/", false}, {"GET", NULL, "/", false}, {"GET", "evil.example", "/healthz", false}, {"GET", "h.example", "/healthz", true}, {"GET", "u@h.example", "/healthz", false}, {"GET", NULL, "http://h.example/healthz", false}, {"GET", NULL, "http://evil.example/healthz", false}, {"GET", "evil.example", "http://h.example/healthz", false}, {"GET", NULL, "/healthz;", false}};
	static const struct urivet_host_rule allowed = {{"h.example"}, 9, URIVET_SCOPE_HOST, URIVET_ALLOW, 0, 0};
	struct urivet_path_rule rule = path_rule("GET,HEAD,M-SEARCH,X /healthz$");
	add_waiver(&rule, URIVET_F_HOST_MISSING);
	struct urivet_policy p = below(&rule, 1);
	p.hosts = (struct urivet_host_list){&allowed, 1, false, true};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_request request;
		struct urivet_report r;
		urivet_request_init(&request, sizeof request);
		request.method = text_of_string(rows[k].method);
		if (rows[k].host != NULL)
			request.host = text_of_string(rows[k].host);
		cr_expect((urivet_check_request(&r, rows[k].target, strlen(rows[k].target), &request, &p, NULL) == URIVET_ACCEPT) == rows[k].accepted, "%u: %s", k, ids_of(&r));
		for (uint32_t n = 0; n < r.count && rows[k].accepted; n++)
			cr_expect(!urivet_finding_refuses(&r, &r.finding[n], &p));
	}
}

/* What remains after a stripped prefix is judged, too. */
Test(paths, stripped_prefixes)
{
	static const struct {
		const char *rule, *target, *ids;
	} rows[] = {
	    {"/api", "/api//evil", "path-leading-double-slash,path-double-slash"}, {"/api/", "/api//evil", "path-leading-double-slash,path-double-slash"}, {"/api", "/apix//y", "path-double-slash"}, {"/api", "/x//api", "path-double-slash"}, {"/api", "/api/x//y", "path-double-slash"}, {"/api", "/api/%2Fevil", "path-leading-double-slash,escaped-slash,path-double-slash"}, {"/api", "/api/%5Cevil", "path-leading-double-slash,path-backslash-escaped"}, {"/api", "/api..", "path-trailing-dot-space,encoded-path-rewrite"}, {"/api", "/api.", "path-trailing-dot-space,encoded-path-rewrite"}, {"/api", "/api..;x", "path-semicolon,encoded-path-rewrite"}, {"/api", "/api...", "path-trailing-dot-space"}, {"/api", "/apix.", "path-trailing-dot-space"}, {"/api", "/api", "-"}, {"/api", "/api/", "-"}, {"/ap", "/api/a;b", "path-semicolon"}, {"/api", "/api.b;c", "path-semicolon"}, {"/api", "/api..b;c", "path-semicolon"}, {"/api", "/api%2E%2E%5Cb", "escaped-unreserved,path-backslash-escaped,encoded-path-rewrite"}, {"/api", "/api%..", "bad-escape,path-trailing-dot-space,encoded-path-rewrite"},
	    {"/", "/\\b", "path-leading-double-slash,forbidden-char,backslash-path"}, {"/api", "/\\b", "forbidden-char,backslash-path"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_path_rule rules[2];
		struct urivet_report r;
		rules[k % 2] = path_rule(rows[k].rule);
		rules[1 - k % 2] = path_rule("/zzz");
		rules[k % 2].strips = 1;
		add_waiver(&rules[k % 2], URIVET_F_PATH_SEMICOLON);
		struct urivet_policy p = below(rules, 2);
		cr_assert(urivet_policy_waive(&p, URIVET_F_PATH_DOUBLE_SLASH) && urivet_policy_waive(&p, URIVET_F_ESCAPED_SLASH));
		check_target(&r, text_of_string(rows[k].target), urivet_text_of(NULL, 0), &p, NULL);
		const char *ids = ids_of(&r);
		for (const char *at = rows[k].ids; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
			char id[64];
			(void)snprintf(id, sizeof id, "%.*s", (int)strcspn(at, ","), at);
			cr_expect(strstr(ids, id) != NULL, "%s: %s has no %s", rows[k].target, ids, id);
		}
		size_t commas[2] = {0, 0};
		for (const char *at = ids; *at != '\0'; at++)
			commas[0] += *at == ',';
		for (const char *at = rows[k].ids; *at != '\0'; at++)
			commas[1] += *at == ',';
		cr_expect(commas[0] == commas[1], "%s: %s", rows[k].target, ids);
		/* it waives nothing itself */
		cr_expect(r.path_rule == NULL);
	}
}

/* A URL that is too long has no path. Rules that no function of the library made cover nothing. */
Test(paths, that_are_not_read)
{
	struct urivet_path_rule rule = path_rule("GET /a/");
	struct urivet_report r;
	struct urivet_request request;
	add_waiver(&rule, URIVET_F_PATH_SEMICOLON);
	struct urivet_policy p = below(&rule, 1);
	const struct urivet_path_rule good = rule;
	cr_expect(urivet_check(&r, "http://h.example/a/b;c", (size_t)URIVET_MAX_LENGTH + 1, &p) == URIVET_REJECT);
	urivet_request_init(&request, sizeof request);
	request.method = TEXT("GET");
	request.host = TEXT("h.example");
	cr_expect(urivet_check_request(&r, LITERAL("/a/b;c"), &request, &p, NULL) == URIVET_ACCEPT);
	for (unsigned k = 0; k < 5; k++) {
		rule = good;
		rule.path = k == 0 ? 8 : k == 1 ? 5 : rule.path;
		rule.path_length = k == 2 ? 0 : k == 3 ? 65535 : rule.path_length;
		rule.scope = k == 4 ? URIVET_SCOPE_RELATIVE : 0;
		cr_expect(urivet_check_request(&r, LITERAL("/a/b;c"), &request, &p, NULL) == URIVET_REJECT, "%u", k);
	}
	/* a list of methods without the space after it */
	rule = good;
	rule.path = 3;
	(void)urivet_check_request(&r, LITERAL(" /a/b;c"), &request, &p, NULL);
}

Test(paths, policies_that_are_not_valid)
{
	struct urivet_path_rule rule = path_rule("/a$");
	struct urivet_policy p = below(&rule, 1);
	const struct urivet_path_rule good = rule;
	for (unsigned k = 0; k < 11; k++) {
		rule = good;
		rule.length -= k == 0;
		rule.path += k == 1;
		rule.path_length -= k == 2;
		rule.exact = k == 3 ? 0 : rule.exact;
		rule.scope = k == 4 ? 1 : k == 5 ? URIVET_SCOPE_RELATIVE : 0;
		rule.strips = k == 6 ? 2 : 0;
		rule.reserved[4] = k == 7;
		rule.text = k == 8 ? "/a;" : k == 9 ? NULL : good.text;
		if (k == 10)
			add_waiver(&rule, URIVET_F_DOT_SEGMENT);
		cr_expect(!is_valid(&p) && !urivet_policy_finish(&p, NULL, 0), "%u", k);
	}
	rule = good;
	cr_expect(is_valid(&p) && urivet_policy_finish(&p, NULL, 0));
	static char longest[URIVET_PATH_RULE_MOST + 2];
	memset(longest, 'a', sizeof longest - 1);
	longest[0] = '/';
	cr_assert(urivet_path_rule_from(&rule, longest, URIVET_PATH_RULE_MOST));
	rule.length++;
	cr_expect(!is_valid(&p));
	rule = good;
	for (unsigned k = 0; k < 5; k++) {
		rule.reserved[k] = 1;
		cr_expect(!is_valid(&p));
		rule.reserved[k] = 0;
	}
	/* a text beside the rule is for compiled policies alone */
	struct {
		struct urivet_path_rule rule;
		char text[4];
	} beside = {good, "/a$"};
	beside.rule.scope = URIVET_SCOPE_RELATIVE;
	beside.rule.at = URIVET_RELATIVE_MARK | sizeof beside.rule;
	p.paths = &beside.rule;
	p.seal = 0;
	cr_expect(urivet_path_rule_text(&beside.rule).length == 3 && !is_valid(&p));
	/* at most URIVET_PATH_RULES_MOST rules */
	static struct urivet_path_rule many[URIVET_PATH_RULES_MOST + 1];
	for (unsigned k = 0; k <= URIVET_PATH_RULES_MOST; k++)
		many[k] = good;
	p.paths = many;
	p.path_count = URIVET_PATH_RULES_MOST;
	cr_expect(is_valid(&p));
	p.path_count++;
	cr_expect(!is_valid(&p));
	p.path_count--;
	many[URIVET_PATH_RULES_MOST - 1].path++;
	cr_expect(!is_valid(&p));
}

/* Exactly those findings can be waived for paths that also can be waived at all, but for a missing
 * Host field; and none about dots. */
Test(paths, findings_that_can_be_waived)
{
	struct urivet_path_rule rule;
	cr_assert(urivet_path_rule_from(&rule, LITERAL("/a")));
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		struct urivet_policy p = built_in(URIVET_STRICT);
		memset(&rule.waived, 0, sizeof rule.waived);
		rule.waived.bits[id / 64] = UINT64_C(1) << id % 64;
		p.paths = &rule;
		p.path_count = 1;
		cr_expect(is_valid(&p) == (row != NULL && row->by_path_rule), "%u", id);
		if (is_valid(&p) && id != URIVET_F_HOST_MISSING)
			cr_expect(urivet_policy_waive(&p, id), "%u", id);
	}
	cr_expect(urivet_finding_info(URIVET_F_HOST_MISSING)->by_path_rule && urivet_finding_info(URIVET_F_ESCAPED_SLASH)->by_path_rule);
	static const unsigned never[] = {URIVET_F_DOT_SEGMENT, URIVET_F_ESCAPED_DOT_SEGMENT, URIVET_F_ESCAPED_SLASH_DOT, URIVET_F_PATH_PARAM_DOT_SEGMENT, URIVET_F_ENCODED_PATH_REWRITE, URIVET_F_OVERLONG_UTF8, URIVET_F_BACKSLASH_PATH, URIVET_F_BAD_ESCAPE, URIVET_F_HOST_DENIED, URIVET_F_USERINFO_PRESENT, URIVET_F_URL_TOO_LONG};
	for (unsigned k = 0; k < sizeof never / sizeof never[0]; k++)
		cr_expect(!urivet_finding_info(never[k])->by_path_rule, "%u", never[k]);
}
