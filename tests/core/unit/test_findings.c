/* SPDX-License-Identifier: Apache-2.0 */
/* Tests each row of the catalogue with its firing input and its near miss. */
#include "support.h"
#include <netinet/in.h>
#include <sys/socket.h>
#include <urivet/parameters.h>
#include <urivet/reference.h>
#include <urivet/scan.h>

TestSuite(findings, .timeout = 60);

/* Judges rows whose finding only a separate function reports. */
static enum urivet_verdict judge_readings(struct urivet_report *r, const void *input, size_t length,
                                          const struct urivet_policy *policy)
{
	static char buffer[2 * URIVET_READING_CAPACITY(9000)];
	enum urivet_reader pair[2];
	cr_assert(2 * URIVET_READING_CAPACITY(length) <= sizeof buffer);
	urivet_check(r, input, length, policy);
	return add_disagreement(r, urivet_text_of(input, length), buffer, 2 * URIVET_READING_CAPACITY(length), policy, pair);
}

/* Judges an input that is a base, a space and a reference. */
static enum urivet_verdict judge_reference(struct urivet_report *r, const char *input,
                                           size_t length, uint32_t options,
                                           const struct urivet_policy *policy)
{
	static char target[9000];
	const char *space = memchr(input, ' ', length);
	cr_assert(space != NULL && length + 8 <= sizeof target);
	const size_t base = (size_t)(space - input);
	return urivet_check_reference(r, target, sizeof target, urivet_text_of(input, base), urivet_text_of(space + 1, length - base - 1), options, policy);
}

/* Judges the parameters "u" of the input by the policy public. */
static enum urivet_verdict judge_parameter(struct urivet_report *r, const void *input, size_t length,
                                           const struct urivet_policy *policy)
{
	static char buffer[URIVET_PARAMETERS_CAPACITY(9000)];
	const struct urivet_parameter_input in = {urivet_text_of(input, length), NULL, buffer, sizeof buffer};
	const struct urivet_policy public = built_in(URIVET_PUBLIC);
	const struct urivet_text name = TEXT("u");
	struct urivet_parameter_rules rules;
	struct urivet_report spare;
	cr_assert(urivet_parameter_rules_init(&rules, sizeof rules));
	rules.names = &name;
	rules.count = 1;
	rules.policy = &public;
	urivet_check(r, input, length, policy);
	return urivet_check_parameters(r, &spare, &in, &rules, policy);
}

/* Adds the lists for the rows "listed" to a policy. */
static void list(struct urivet_policy *policy)
{
	static struct urivet_host_rule hosts[2];
	static struct urivet_address_rule addresses[2] = {{.action = URIVET_ALLOW}};
	cr_assert(urivet_host_rule_from(&hosts[0], ".example.com", 12, URIVET_ALLOW));
	cr_assert(urivet_host_rule_from(&hosts[1], "www.example.com", 15, URIVET_DENY));
	cr_assert(urivet_network_from(&addresses[0].network, "192.0.2.0/24", 12));
	cr_assert(urivet_network_from(&addresses[1].network, "192.0.2.66", 10));
	policy->hosts = (struct urivet_host_list){hosts, 2, false, true};
	policy->addresses = (struct urivet_address_list){addresses, 2, false};
}

/* Adds the URL rule for the rows "urls" to a policy. */
static void allow_url(struct urivet_policy *policy)
{
	static struct urivet_url_rule rule;
	cr_assert(urivet_url_rule_from(&rule, "https://app.example.com/cb", 26));
	policy->urls = &rule;
	policy->url_count = 1;
}

/* Adds the protected name for the rows "protected" to a policy. */
static void protect(struct urivet_policy *policy)
{
	static struct urivet_protected name;
	cr_assert(urivet_protected_from(&name, "protected.example", 17));
	policy->protect = &name;
	policy->protect_count = 1;
}

/* Judges an input that is the octets of an address. */
static enum urivet_verdict judge_peer(struct urivet_report *r, const void *input, size_t length,
                                      const struct urivet_policy *policy)
{
	struct sockaddr_in in = {.sin_family = length == 4 ? AF_INET : AF_UNIX};
	memcpy(&in.sin_addr, input, length < 4 ? length : 4);
	return urivet_check_peer(r, (const struct sockaddr *)&in, sizeof in, policy);
}

/* Judges with a higher layer that knows two public suffixes. */
static enum urivet_verdict judge_suffix(struct urivet_report *r, const void *input, size_t length,
                                        const struct urivet_policy *policy)
{
	urivet_check(r, input, length, policy);
	const struct urivet_span host = r->uri.part[URIVET_HOST];
	if (host.length == 5 && memcmp((const char *)input + host.offset, "co.uk", 5) == 0)
		urivet_add_finding(r, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST, host, policy);
	return r->verdict;
}

/* Judges an input that is a URI, a space and the text of a link to it: a host, "www." and a
 * name. A higher layer knows that names below the host are of its site. */
static enum urivet_verdict judge_link(struct urivet_report *r, const char *input, size_t length,
                                      const struct urivet_policy *policy)
{
	const char *space = memchr(input, ' ', length);
	cr_assert(space != NULL && memcmp(space, " www.", 5) == 0);
	const size_t uri = (size_t)(space - input), name = length - uri - 5;
	urivet_check(r, input, uri, policy);
	const struct urivet_span host = r->uri.part[URIVET_HOST];
	if (host.length < name || memcmp(input + host.offset + host.length - name, space + 5, name) != 0)
		urivet_add_finding(r, URIVET_F_LINK_TEXT_MISMATCH, URIVET_HOST, host, policy);
	return r->verdict;
}

/* Judges the URL in a text. A higher layer reports two invisible characters in a row. */
static enum urivet_verdict judge_text(struct urivet_report *r, const char *input, size_t length,
                                      const struct urivet_policy *policy)
{
	struct urivet_scan scan = {input, length, 0};
	struct urivet_found found;
	static char uri[256];
	size_t n = 0;
	cr_assert(length > 10 && urivet_scan_next(&scan, SIZE_MAX, &found, uri, sizeof uri, &n));
	urivet_check(r, uri, n, policy);
	if (memcmp(input + 4, input + 7, 3) == 0)
		urivet_add_finding(r, URIVET_F_TEXT_HIDDEN, URIVET_WHOLE, (struct urivet_span){0, 0}, policy);
	return r->verdict;
}

/* Judges an input that is a number and a URI; the policy's size is smaller by that number. */
static enum urivet_verdict judge_sized(struct urivet_report *r, const char *input, size_t length,
                                       struct urivet_policy policy)
{
	cr_assert(length > 2 && input[1] == ' ');
	policy.size -= (size_t)(input[0] - '0');
	return urivet_check(r, input + 2, length - 2, &policy);
}

/* Judges an input that is a record of the command: a method, a Host field and a target. A higher
 * layer reports a missing field. */
static enum urivet_verdict judge_record(struct urivet_report *r, const char *input, size_t length,
                                        const struct urivet_policy *policy)
{
	const char *end = input + length, *first = memchr(input, ' ', length);
	const char *second = first != NULL ? memchr(first + 1, ' ', (size_t)(end - first) - 1) : NULL;
	struct urivet_request request;
	if (second == NULL) {
		urivet_check(r, input, length, policy);
		return urivet_add_finding(r, URIVET_F_FIELD_UNREADABLE, URIVET_WHOLE,
		                          (struct urivet_span){0, (uint32_t)length}, policy);
	}
	cr_assert(urivet_request_init(&request, sizeof request));
	request.method = urivet_text_of(input, (size_t)(first - input));
	request.host = urivet_text_of(first + 1, (size_t)(second - first) - 1);
	return urivet_check_request(r, second + 1, (size_t)(end - second) - 1, &request,
	                            policy, NULL);
}

static enum urivet_verdict judge_by(struct urivet_report *r, const char *name, unsigned id,
                                    struct urivet_text pattern)
{
	static const char host[] = "example.com";
	struct urivet_policy policy = built_in(URIVET_STRICT);
	size_t length;
	const void *input = expand(pattern.data, pattern.length, &length);
	if (strcmp(name, "any") == 0)
		policy = built_in(URIVET_ANY);
	if (strcmp(name, "gateway") == 0)
		policy = built_in(URIVET_GATEWAY);
	if (strcmp(name, "raised") == 0)
		cr_expect(urivet_policy_raise(&policy, id));
	if (strcmp(name, "listed") == 0)
		list(&policy);
	if (strcmp(name, "urls") == 0)
		allow_url(&policy);
	if (strcmp(name, "protected") == 0)
		protect(&policy);
	input = at_edge(input, length);
	if (strcmp(name, "peer") == 0)
		return judge_peer(r, input, length, &policy);
	if (strcmp(name, "sized") == 0)
		return judge_sized(r, input, length, policy);
	if (strcmp(name, "record") == 0)
		return judge_record(r, input, length, &policy);
	if (strcmp(name, "suffix") == 0)
		return judge_suffix(r, input, length, &policy);
	if (strcmp(name, "link") == 0)
		return judge_link(r, input, length, &policy);
	if (strcmp(name, "text") == 0)
		return judge_text(r, input, length, &policy);
	if (strcmp(name, "target") == 0)
		return check_target(r, urivet_text_of(input, length), urivet_text_of(host, sizeof host - 1), &policy, NULL);
	if (strcmp(name, "readings") == 0)
		return judge_readings(r, input, length, &policy);
	if (strcmp(name, "reference") == 0)
		return judge_reference(r, input, length, 0, &policy);
	if (strcmp(name, "origin") == 0)
		return judge_reference(r, input, length, URIVET_REFERENCE_SAME_ORIGIN, &policy);
	if (strcmp(name, "parameter") == 0)
		return judge_parameter(r, input, length, &policy);
	return judge(r, input, length, &policy);
}

/* The catalogue's notation for long inputs; fuzz/lab/zoo/self_test.py has the same rows. */
Test(findings, repetitions)
{
	static const struct {
		const char *pattern;
		size_t length;
		const char *expanded;
		size_t expanded_length;
	} rows[] = {
	    {LITERAL("{b*3}"), LITERAL("bbb")}, {LITERAL("x{ab*3}y{c*2}"), LITERAL("xabababycc")},
	    {LITERAL("{a*b*2}"), LITERAL("a*ba*b")}, {LITERAL("{ab*0}"), LITERAL("")},
	    {LITERAL("{ab}{c*2}"), LITERAL("{ab}cc")}, {LITERAL("{*3}"), LITERAL("{*3}")},
	    {LITERAL("{a*}"), LITERAL("{a*}")}, {LITERAL("{a*+3}"), LITERAL("{a*+3}")},
	    {LITERAL("{\0\n*2}"), LITERAL("\0\n\0\n")}, {LITERAL("{{a*2}"), LITERAL("{a{a")},
	    {LITERAL("{a*3"), LITERAL("{a*3")},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		size_t n;
		const char *got = expand(rows[k].pattern, rows[k].length, &n);
		cr_expect(n == rows[k].expanded_length && memcmp(got, rows[k].expanded, n) == 0,
		          "%s: %s", rows[k].pattern, shown(got, n));
	}
}

/* Checks what every report guarantees, for any input. */
static void expect_sound(const struct urivet_report *r, size_t length, const char *what)
{
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding *f = &r->finding[k];
		cr_expect(f->span.offset <= length && f->span.length <= length - f->span.offset,
		          "%s: span of %s outside", what, urivet_finding_info(f->id)->name);
		cr_expect(f->count > 0 && f->class_ == urivet_finding_info(f->id)->class_);
		if (k > 0)
			cr_expect(f[-1].span.offset < f->span.offset ||
			              (f[-1].span.offset == f->span.offset && f[-1].id < f->id),
			          "%s: order of %s", what, ids_of(r));
	}
}

static bool has_malformed(const struct urivet_report *r)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].class_ == URIVET_MALFORMED)
			return true;
	return false;
}

Test(findings, each_row_fires_and_misses)
{
	unsigned rows = 0;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		struct urivet_report r;
		if (row == NULL)
			continue;
		rows++;
		const struct example e = example_of(id);
		enum urivet_verdict v = judge_by(&r, e.policy, id, e.fires);
		cr_expect(finding_in(&r, id) != NULL, "%s does not fire on %s: %s", row->name,
		          shown(e.fires.data, e.fires.length), ids_of(&r));
		cr_expect(v == (row->class_ == URIVET_NOTE ? v : URIVET_REJECT),
		          "%s does not refuse", row->name);
		cr_expect(r.parsed || has_malformed(&r) || finding_in(&r, URIVET_F_URL_TOO_LONG),
		          "%s: not parsed and nothing malformed: %s", row->name, ids_of(&r));
		expect_sound(&r, 9000, row->name);
		/* unless it is general, no finding of its class that its own input fires explains more */
		for (uint32_t k = 0; k < r.count && e.rank < 3; k++)
			cr_expect(r.finding[k].class_ != row->class_ || example_of(r.finding[k].id).rank >= e.rank,
			          "%s: %s explains more", row->name, urivet_finding_info(r.finding[k].id)->name);
		judge_by(&r, e.policy, id, e.misses);
		cr_expect(finding_in(&r, id) == NULL, "%s fires on its near miss %s: %s", row->name,
		          shown(e.misses.data, e.misses.length), ids_of(&r));
		expect_sound(&r, 9000, row->name);
	}
	cr_expect(rows >= 90, "%u rows", rows);
}

Test(findings, malformed_means_not_parsed)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		struct urivet_report r;
		if (row == NULL || row->class_ != URIVET_MALFORMED ||
		    id == URIVET_F_NOT_ABSOLUTE || id == URIVET_F_FRAGMENT_IN_TARGET)
			continue;
		judge_by(&r, example_of(id).policy, id, example_of(id).fires);
		cr_expect(!r.parsed || strcmp(example_of(id).policy, "target") == 0 ||
		          strcmp(example_of(id).policy, "record") == 0, "%s parses", row->name);
	}
}

Test(findings, names_are_unique_and_kebab_case)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL)
			continue;
		cr_expect(row->id == id);
		cr_expect(urivet_finding_named(row->name, strlen(row->name)) == (int)id, "%s",
		          row->name);
		cr_expect(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789-") ==
		          strlen(row->name));
		cr_expect(row->name[0] != '-' && strstr(row->name, "--") == NULL);
		cr_expect(strlen(row->text) > 20 && strlen(row->reference) > 5, "%s", row->name);
		/* the next step is a short sentence */
		const char *next = example_of(id).next;
		cr_assert(next != NULL && strlen(next) >= 9 && strlen(next) <= 110, "%s", row->name);
		cr_expect(next[0] >= 'A' && next[0] <= 'Z' && next[strlen(next) - 1] == '.', "%s", row->name);
	}
	cr_expect(urivet_finding_info(0) == NULL);
	cr_expect(urivet_finding_info(URIVET_FINDING_LIMIT) == NULL);
	cr_expect(urivet_finding_info(~0u) == NULL);
	cr_expect(urivet_finding_named("dot-segmen", 10) == -1);
	cr_expect(urivet_finding_named("", 0) == -1);
}

Test(findings, disagreement_names_the_readers_and_changes_nothing_else)
{
	static const char uri[] = "http://example.com\\@example.net/";
	char buffer[2 * URIVET_READING_CAPACITY(sizeof uri)];
	enum urivet_reader pair[2] = {URIVET_READERS, URIVET_READERS};
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report before, r;
	urivet_check(&before, uri, sizeof uri - 1, &policy);
	r = before;
	cr_expect(add_disagreement(&r, urivet_text_of(uri, sizeof uri - 1), buffer, sizeof buffer, &policy, pair) == URIVET_REJECT);
	const struct urivet_finding *f = finding_in(&r, URIVET_F_READERS_DISAGREE);
	cr_assert(f != NULL);
	cr_expect(f->component == URIVET_AUTHORITY && f->count == 1);
	cr_expect(r.count == before.count + 1 && r.dropped == before.dropped);
	cr_expect(pair[0] != pair[1] && pair[0] < URIVET_READERS && pair[1] < URIVET_READERS);
	expect_sound(&r, sizeof uri - 1, uri);
}

/* A single refusing finding can be waived, and a note of the same input stays a note. */
Test(findings, disagreement_obeys_the_policy)
{
	static const char uri[] = "http://0x7f.1/";
	char buffer[2 * URIVET_READING_CAPACITY(sizeof uri)];
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	urivet_check(&r, uri, sizeof uri - 1, &policy);
	for (uint32_t k = 0; k < r.count; k++)
		if (r.finding[k].class_ != URIVET_NOTE)
			cr_assert(urivet_policy_waive(&policy, r.finding[k].id));
	cr_expect(urivet_check(&r, uri, sizeof uri - 1, &policy) == URIVET_ACCEPT);
	cr_expect(add_disagreement(&r, urivet_text_of(uri, sizeof uri - 1), buffer, sizeof buffer, &policy, NULL) == URIVET_REJECT);
	cr_expect(urivet_policy_waive(&policy, URIVET_F_READERS_DISAGREE));
	urivet_check(&r, uri, sizeof uri - 1, &policy);
	cr_expect(add_disagreement(&r, urivet_text_of(uri, sizeof uri - 1), buffer, sizeof buffer, &policy, NULL) == URIVET_ACCEPT);
}

Test(findings, a_reference_is_judged_by_its_target)
{
	static const char base[] = "http://example.com/a/b";
	struct urivet_policy patient = built_in(URIVET_ANY);
	char out[sizeof base + 64];
	struct urivet_report r;
	cr_expect(urivet_check_reference(&r, out, sizeof out, TEXT(base), TEXT("../c"), 0, NULL) ==
	          URIVET_ACCEPT);
	cr_expect_str_eq(out, "http://example.com/c");
	cr_expect(r.parsed && r.count == 0, "%s", ids_of(&r));
	cr_expect(urivet_check_reference(&r, out, sizeof out, TEXT(base), TEXT("//u@h/"), 0,
	                                 NULL) == URIVET_REJECT);
	cr_expect(finding_in(&r, URIVET_F_USERINFO_PRESENT) != NULL, "%s", ids_of(&r));
	cr_expect(urivet_check_reference(&r, out, sizeof out, TEXT("mailto:a@b"), TEXT("c"), 0,
	                                 NULL) == URIVET_REJECT);
	cr_expect(r.count > 0);
	for (size_t capacity = 0; capacity < sizeof base; capacity++)
		cr_expect(urivet_check_reference(&r, out, capacity, TEXT(base), TEXT("/c/d"), 0,
		                                 NULL) == URIVET_REJECT ||
		          capacity > sizeof "http://example.com/c/d" - 1);
	/* cut-off input is too long also for a policy with the greatest limit */
	patient.max_length = URIVET_MAX_LENGTH;
	urivet_check_reference(&r, out, sizeof "http://example.com/c/d" - 1, TEXT(base),
	                       TEXT("/c/d"), 0, &patient);
	cr_expect(finding_in(&r, URIVET_F_URL_TOO_LONG) != NULL && r.count == 1, "%s", ids_of(&r));
}

/* The disagreeing readers, in their order, "-" if they agree: RFC 3986, 3.2 and 7.4; the URL
 * standard, 4.4 and 4.5; inet_aton(3). */
static const struct {
	const char *uri, *pair;
} disagreements[] = {
#define MANY "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
    {"http://h/", "-"}, {"http://H/", "-"}, {"http://h:80/", "-"}, {"http://u:@h/", "-"},
    {"http://u::@h/", "-"}, /* the password is ":" */
    {"http://::@h/", "-"}, {"http://u:p:@h/", "-"}, {"http://u:p@h/", "-"},
    {"http://u@h/", "-"}, {"http://[::1]/", "-"}, {"http://[0:0::1]/", "-"},
    {"http://1.2.3.4/", "-"}, {"urn:a:b", "-"}, {"http://0x7f.1/", "rfc3986 browser"},
    {"http://017.0.0.1/", "rfc3986 browser"}, {"http://h\\@g/", "browser resolver"},
    {"http:///h/", "-"}, /* without a host there is no disagreement */
    {"http:/h/", "rfc3986 browser"}, {"http:h", "rfc3986 browser"},
    {"ws:xn-", "rfc3986 browser"}, {"http:_.", "rfc3986 browser"},
    {"http:xn--//h/", "-"}, /* browsers refuse it */
    {"ws:'.", "-"},         /* it can be read, but its host cannot be resolved */
    {"http:a+b", "-"},
    {"http://\xff@h/", "browser resolver"}, {"http://u\xef\xbf@h/", "browser resolver"}, /* U+FFFD */
    {"http:" MANY MANY MANY MANY "@h/", "browser resolver"}, /* grows ninefold */
    {"http://\xc3\xa9@h/", "-"},            /* an escape that one reader adds */
    {"http://:\n@h/", "browser resolver"}, {"http://[20\r01:2:1::1]/", "browser resolver"},
    {"//0", "rfc3986 resolver"}, {"http\r://h/", "browser resolver"},
    {"http://1.2.3.4\\@5.2.3.4/", "browser resolver"},
    {"http://1.2.3.4\\@1.2.3.5/", "browser resolver"}, {"h\rttp://h:80/", "browser resolver"},
    /* inet_aton(3) takes the address before white space and ignores the rest: another address,
     * and another port */
    {"http://1\t2.0.0.1/", "browser resolver"}, {"http://1.2.3.4\t:8\t1/", "browser resolver"},
    {"http://1.2.3.4\t:8\t0/", "-"}, {"http://1.2.3.4\t5/", "browser resolver"},
    {"http://1.2.3.4\\@[::1]/", "browser resolver"}, {"http://a\\@b/", "browser resolver"},
    {" http://h/", "browser resolver"}, /* two schemes */
    {"http://a~b/", "-"}, {"http://a%62/", "-"}, {"http://u@/", "-"}, {"http://:@h/", "-"},
    {"http://:/", "-"}, {"http://[::1]:80/", "-"}, {"http://h:/", "-"}, {"", "-"},
};

/* If readers agree, the verdict does not change. */
Test(findings, no_disagreement_changes_nothing)
{
	char buffer[2 * URIVET_READING_CAPACITY(64)];
	struct urivet_report r;
	urivet_check(&r, LITERAL("http://h/"), NULL);
	cr_expect(add_disagreement(&r, TEXT("http://h/"), buffer, sizeof buffer, NULL,
	                                  NULL) == URIVET_ACCEPT);
	cr_expect(r.count == 0 && r.verdict == URIVET_ACCEPT);
}

/* The finding lies at the authority, or covers the whole input if there is no authority. */
Test(findings, where_readers_disagree)
{
	static const struct {
		const char *uri;
		struct urivet_span span;
	} rows[] = {{"//0", {2, 1}}, {"ws:0", {0, 4}}, {"http://h\\@g/", {7, 4}}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		char buffer[2 * URIVET_READING_CAPACITY(64)];
		const size_t length = strlen(rows[k].uri);
		struct urivet_report r;
		urivet_check(&r, rows[k].uri, length, NULL);
		r.finding[r.count].id = URIVET_F_URL_TOO_LONG; /* left from an earlier use, and none of its findings */
		add_disagreement(&r, urivet_text_of(rows[k].uri, length), buffer, sizeof buffer, NULL, NULL);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_READERS_DISAGREE);
		cr_assert(f != NULL, "%s", rows[k].uri);
		cr_expect(f->span.offset == rows[k].span.offset &&
		          f->span.length == rows[k].span.length, "%s", rows[k].uri);
	}
}

Test(findings, readers_that_disagree)
{
	for (size_t k = 0; k < sizeof disagreements / sizeof disagreements[0]; k++) {
		const char *uri = disagreements[k].uri;
		char buffer[2 * URIVET_READING_CAPACITY(64)], got[64];
		enum urivet_reader pair[2];
		strcpy(got, "-");
		if (urivet_readers_disagree(urivet_text_of(uri, strlen(uri)), buffer, sizeof buffer, pair, NULL, NULL))
			snprintf(got, sizeof got, "%s %s", urivet_reader_name(pair[0]),
			         urivet_reader_name(pair[1]));
		cr_expect_str_eq(got, disagreements[k].pair, "%s: %s", uri, got);
		cr_expect(urivet_readers_disagree(urivet_text_of(uri, strlen(uri)), buffer, sizeof buffer, NULL, NULL, NULL) ==
		          (strcmp(got, "-") != 0));
	}
}

/* A reading that does not fit counts as a refusal, and nothing is written beyond the capacity. */
Test(findings, readings_in_a_small_buffer)
{
	static const struct {
		const char *uri;
		enum urivet_reader pair[2];
	} rows[] = {{"http://0x7f.1/", {URIVET_READER_RFC3986, URIVET_READER_BROWSER}},
	            {"//0", {URIVET_READER_RFC3986, URIVET_READER_RESOLVER}}};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const size_t length = strlen(rows[k].uri);
		const size_t room = 2 * URIVET_READING_CAPACITY(length);
		char buffer[4 * URIVET_READING_CAPACITY(64)];
		enum urivet_reader pair[2];
		for (size_t capacity = 0; capacity <= room; capacity++) {
			memset(buffer, '#', sizeof buffer);
			cr_expect(urivet_readers_disagree(urivet_text_of(rows[k].uri, length), buffer, capacity, pair, NULL, NULL) ==
			              (capacity == room),
			          "%s, %zu", rows[k].uri, capacity);
			for (size_t i = capacity; i < sizeof buffer; i++)
				cr_assert(buffer[i] == '#');
		}
		cr_expect(memcmp(pair, rows[k].pair, sizeof pair) == 0);
	}
}

/* More triplets of one kind than a counter of 16 bits holds are all counted. */
Test(findings, many_triplets)
{
	enum { COUNT = 65540 };
	static char uri[sizeof "http://h.example/" + 3 * COUNT];
	struct urivet_policy p = built_in(URIVET_ANY);
	struct urivet_report r;
	char *at = uri + sprintf(uri, "http://h.example/");
	for (unsigned k = 0; k < COUNT; k++, at += 3)
		memcpy(at, "%41", 3);
	p.max_length = sizeof uri;
	for (unsigned less = 0; less < 2; less++) {
		urivet_check(&r, uri, (size_t)(at - uri) - (less ? 3 * 10 : 0), &p);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_ESCAPED_UNRESERVED);
		cr_assert(f != NULL, "%s", ids_of(&r));
		cr_expect(f->count == COUNT - (less ? 10 : 0), "%u", (unsigned)f->count);
	}
	p.max_length = URIVET_MAX_LENGTH; /* and so many fields of a mail, whose ends of lines are not the body's */
	cr_expect(judge_pattern(&r, "mailto:?{%0A&*65600}", &p) == URIVET_REJECT && finding_in(&r, URIVET_F_ESCAPED_CRLF)->count == 65600, "%s", ids_of(&r));
	cr_expect(judge_pattern(&r, "mailto:?{%0A&*65523}%0A%00%00", &p) == URIVET_REJECT && finding_in(&r, URIVET_F_ESCAPED_NUL)->count == 2, "%s", ids_of(&r));
}

Test(findings, names_of_classes_and_components)
{
	static const char *const classes[] = {"malformed", "ambiguous", "dangerous", "policy", "note"};
	static const char *const components[URIVET_COMPONENTS] = {"uri", "scheme", "authority", "userinfo", "host",
	                                                          "port", "path", "query", "fragment"};
	for (unsigned k = 0; k < 5; k++)
		cr_expect_str_eq(urivet_class_name(k), classes[k]);
	cr_expect(urivet_class_name(5) == NULL);
	for (unsigned k = 0; k < URIVET_COMPONENTS; k++)
		cr_expect_str_eq(urivet_component_name(k), components[k]);
	cr_expect(urivet_component_name(URIVET_COMPONENTS) == NULL);
}

Test(findings, version_of_the_header)
{
	char version[64];
	snprintf(version, sizeof version, "%d.%d.%d", URIVET_VERSION_MAJOR, URIVET_VERSION_MINOR,
	         URIVET_VERSION_PATCH);
	cr_expect_str_eq(urivet_version(), version);
}
