/* SPDX-License-Identifier: Apache-2.0 */
/* Tests reports: the entry checks, findings that are kept, and dropped ones that still count. */
#include "support.h"

#include "../../all_rules.h"
#include "check/check.h"
#include "reference/normal.h"
#include "plain/vector.h"
#include "report/report.h"

TestSuite(report, .timeout = 60);

Test(report, too_long_is_the_only_finding)
{
	struct urivet_report r;
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.max_length = 10;
	cr_expect(judge(&r, LITERAL("http://u@h\x01/"), &p) == URIVET_REJECT);
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_URL_TOO_LONG && !r.parsed);
	cr_expect(r.finding[0].span.offset == 10);
	cr_expect(judge(&r, LITERAL("http://h/a"), &p) == URIVET_ACCEPT);
	/* longer than any policy allows, or than 32 bits hold: not read */
	p.max_length = UINT32_MAX;
	cr_expect(urivet_check(&r, "http://h/", (size_t)URIVET_MAX_LENGTH + 1, &p) == URIVET_REJECT);
	cr_expect(urivet_check(&r, "http://h/", SIZE_MAX, NULL) == URIVET_REJECT);
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_URL_TOO_LONG);
}

/* What rules for paths can waive has a bit of its own, alone and in a set. */
Test(report, bits_of_what_rules_for_paths_waive)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		struct urivet_finding_set set = {{0}};
		include_finding(&set, id);
		cr_expect(urivet_below_bits(&set) == urivet_below_bit(id), "%u", id);
	}
}

/* More distinct findings than a report holds: the rest is counted and decides. */
Test(report, what_does_not_fit_still_refuses)
{
	struct urivet_report r;
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct subject s = {.policy = &p, .report = &r};
	unsigned added = 0;
	r.count = r.dropped = 0;
	r.parsed = true;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT && added < URIVET_MAX_FINDINGS; id++)
		if (urivet_finding_info(id) != NULL && urivet_finding_class[id] == URIVET_NOTE) {
			urivet_add(&s, id, URIVET_PATH, 100 - id / 4, 100);
			added++;
		}
	while (added < URIVET_MAX_FINDINGS) { /* fill the report with waived ones */
		for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++)
			if (added < URIVET_MAX_FINDINGS && urivet_finding_info(id) != NULL &&
			    urivet_finding_class[id] == URIVET_AMBIGUOUS) {
				cr_assert(urivet_policy_waive(&p, id));
				urivet_add(&s, id, URIVET_PATH, id, id);
				added++;
			}
	}
	cr_expect(!s.refused && r.count == URIVET_MAX_FINDINGS);
	urivet_add(&s, URIVET_F_ESCAPED_NUL, URIVET_PATH, 0, 1);
	cr_expect(s.refused && r.count == URIVET_MAX_FINDINGS && r.dropped == 1);
	urivet_add_again(&s, URIVET_F_ESCAPED_NUL, 4); /* of a finding that did not fit */
	cr_expect(r.dropped == 5);
	urivet_close(&s);
	cr_expect(r.verdict == URIVET_REJECT);
	for (uint32_t k = 1; k < r.count; k++)
		cr_expect(r.finding[k - 1].span.offset <= r.finding[k].span.offset);
}

/* What is left after the findings that refuse are removed: the others, in their order. */
Test(report, without_findings_that_refuse)
{
	static const char *const uris[] = {"http://h/?a=1&a=2", "http://u@h/a?b=%41", "http://h/a//b?%41", "http://h:81/?a=1&a=2",
					   "x://h/../%2e", "http://h/%zz#\xc3"};
	for (size_t k = 0; k < 2 * sizeof uris / sizeof uris[0]; k++) {
		struct urivet_report r, left;
		uint32_t kept = 0;
		urivet_check(&r, uris[k / 2], strlen(uris[k / 2]), NULL);
		left = r;
		left.dropped = k % 2;
		left.finding[r.count] = (struct urivet_finding){.id = URIVET_F_PATH_EMPTY, .class_ = URIVET_NOTE}; /* of another input */
		urivet_drop_refusing(&left, &urivet_gateway);
		for (uint32_t f = 0; f < r.count; f++)
			if (!urivet_finding_refuses(&r, &r.finding[f], &urivet_gateway))
				cr_expect(left.finding[kept++].id == r.finding[f].id, "%s", uris[k / 2]);
		cr_expect(left.count == kept && left.verdict == (r.parsed && k % 2 == 0 ? URIVET_ACCEPT : URIVET_REJECT), "%s", uris[k / 2]);
	}
}

/* Checks that an input accepted without findings is its own canonical spelling. */
static void expect_canonical(const char *uri, size_t length)
{
	const struct urivet_policy *const policies[] = {BY_STRICT, BY_ANY, BY_GATEWAY};
	for (unsigned k = 0; k < 3; k++) {
		const struct text t = {(const uint8_t *)uri, (uint32_t)length};
		struct urivet_report r;
		char normal[1024];
		struct out o = {normal, sizeof normal, 0};
		urivet_check(&r, uri, length, policies[k]);
		if (r.verdict != URIVET_ACCEPT || r.count > 0)
			continue;
		/* except the letter case of unknown schemes */
		if (r.uri.scheme == URIVET_SCHEME_OTHER)
			continue;
		urivet_put_normal(&o, t, &r.uri, false);
		put_end(&o);
		cr_assert(o.length == length && memcmp(normal, uri, length) == 0, "%s: %s",
		          shown(uri, length), normal);
	}
}

/* Checks that the fast path for plain URLs gives the results of the slow path. */
static void expect_same(const char *uri, size_t length, unsigned *plain)
{
	struct urivet_report quick, full;
	struct plain parts;
	const void *edge = at_edge(uri, length);
	report_both_ways(&quick, &full, edge, length, NULL);
	*plain += urivet_plain(text_of(edge, (uint32_t)length), &parts);
	cr_assert(quick.verdict == full.verdict && quick.parsed == full.parsed &&
	              quick.count == full.count,
	          "%s: %s", shown(uri, length), ids_of(&full));
	cr_assert(memcmp(&quick.uri, &full.uri, sizeof quick.uri) == 0, "%s",
	          shown(uri, length));
	expect_canonical(uri, length);
}

Test(report, plain_urls_have_the_report_of_all_rules)
{
	static const char *const words[] = {
		"http://", "https://", "example", ".com", "a", ".", "-", "--", "/", "//", "?", "#",
		"b.c", "index.html", "..", "=", "&", ":", "'", "~", "_", "1", "A", "@", "%20",
		"xn--a", "/a/b", "?q", "#f", "+", ";", ",", "!", "/.", "./", "://", "\x80", " ",
		"x:", "urn:", "ftp://", "%2F", "[::1]", "[2001:db8::1]"};
	const unsigned count = sizeof words / sizeof words[0];
	uint32_t state = 7;
	unsigned plain = 0;
	for (unsigned k = 0; k < 1000000 / sample(); k++) {
		char uri[256];
		size_t length = 0;
		for (unsigned n = 0; n < 2 + (k & 7); n++) {
			const char *w;
			state = state * 1664525 + 1013904223;
			w = words[n == 0 && (k & 8) ? (state >> 16) % 2 : (state >> 16) % count];
			memcpy(uri + length, w, strlen(w));
			length += strlen(w);
		}
		expect_same(uri, length, &plain);
	}
	cr_expect(plain > 500, "%u", plain);
	for (unsigned n = 0; n < 300; n++) {
		char uri[700];
		size_t length = (size_t)sprintf(uri, "http://");
		for (unsigned k = 0; k < n; k++)
			uri[length++] = n % 2 == 0 && k % 64 == 63 ? '.' : 'a';
		for (unsigned k = 0; k < n; k++)
			uri[length++] = k % 2 == 0 ? '/' : 'a';
		expect_same(uri, length, &plain);
	}
}

/* RFC 3986, 3, for plain URLs with and without paths: strict and a policy about names use
 * different code for each. */
Test(report, components_of_plain_urls)
{
	static const struct {
		const char *uri;
		uint32_t port;
		struct urivet_span host, path, query, fragment;
	} rows[] = {
	    {"http://example.com", 80, {7, 11}, {18, 0}, {0, 0}, {0, 0}},
	    {"https://example.com", 443, {8, 11}, {19, 0}, {0, 0}, {0, 0}},
	    {"http://example.com/", 80, {7, 11}, {18, 1}, {0, 0}, {0, 0}},
	    {"https://example.com/", 443, {8, 11}, {19, 1}, {0, 0}, {0, 0}},
	    {"http://stu.com", 80, {7, 7}, {14, 0}, {0, 0}, {0, 0}},
	    {"https://stu.com/s", 443, {8, 7}, {15, 2}, {0, 0}, {0, 0}},
	    {"http://f.org/?q", 80, {7, 5}, {12, 1}, {14, 1}, {0, 0}},
	    {"https://f.org/?", 443, {8, 5}, {13, 1}, {15, 0}, {0, 0}},
	    {"https://example.com?q=1", 443, {8, 11}, {19, 0}, {20, 3}, {0, 0}},
	    {"http://example.com/a#f", 80, {7, 11}, {18, 2}, {0, 0}, {21, 1}},
	    {"https://example.com/a?q#f", 443, {8, 11}, {19, 2}, {22, 1}, {24, 1}},
	    {"http://example.com/abcdefghijklmnopqrstuvwxyz/abcdefghijklmnopqrstuvwxyz", 80, {7, 11},
	     {18, 54}, {0, 0}, {0, 0}},
	    {"https://example.com/abcdefghijklmnopqrstuvwxyz/abcdefghijklmnopqrstuvwxyz?a#", 443, {8, 11},
	     {19, 54}, {74, 1}, {76, 0}},
	};
	const struct urivet_policy *const policies[] = {NULL, BY_STRICT, BY_PUBLIC, BY_ANY, BY_GATEWAY};
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (unsigned p = 0; p < 4; p++) {
			const uint32_t length = (uint32_t)strlen(rows[k].uri);
			const struct urivet_span none = {0, 0}, host = rows[k].host;
			const struct urivet_span want[URIVET_COMPONENTS] = {
			    {0, length}, {0, host.offset - 3}, host, none, host, none,
			    rows[k].path, rows[k].query, rows[k].fragment};
			uint32_t present = 1u << URIVET_WHOLE | 1u << URIVET_SCHEME |
					   1u << URIVET_AUTHORITY | 1u << URIVET_HOST |
					   1u << URIVET_PATH;
			struct urivet_report r;
			memset(&r, 0x5a, sizeof r);
			urivet_check(&r, at_edge(rows[k].uri, length), length, policies[p]);
			present |= strchr(rows[k].uri, '?') != NULL ? 1u << URIVET_QUERY : 0;
			present |= strchr(rows[k].uri, '#') != NULL ? 1u << URIVET_FRAGMENT : 0;
			cr_expect(r.parsed && r.size == sizeof r && r.uri.present == present, "%s",
			          rows[k].uri);
			cr_expect(r.uri.port == rows[k].port && r.uri.host_kind == URIVET_HOST_NAME);
			cr_expect(memcmp(r.uri.part, want, sizeof want) == 0, "%s by policy %u",
			          rows[k].uri, p);
			cr_expect((finding_in(&r, URIVET_F_PATH_EMPTY) != NULL) ==
			          (rows[k].path.length == 0),
			          "%s: %s", rows[k].uri, ids_of(&r));
			const struct urivet_finding *f = finding_in(&r, URIVET_F_PATH_EMPTY);
			cr_expect(f == NULL || memcmp(&f->span, &rows[k].path, sizeof f->span) == 0);
		}
}

/* Occurrences are counted; the report shows the first one in the text, in whatever order they
 * are added. */
Test(report, the_first_occurrence_is_shown)
{
	struct urivet_report r;
	const struct urivet_finding *f;
	judge(&r, LITERAL("http://h/a/b"), NULL);
	cr_assert(r.count == 0);
	urivet_add_finding(&r, URIVET_F_RAW_TAB, URIVET_PATH, (struct urivet_span){9, 2}, NULL);
	urivet_add_finding(&r, URIVET_F_RAW_TAB, URIVET_HOST, (struct urivet_span){7, 1}, NULL);
	f = finding_in(&r, URIVET_F_RAW_TAB);
	cr_assert(r.count == 1 && f->count == 2);
	cr_expect(f->span.offset == 7 && f->span.length == 1 && f->component == URIVET_HOST);
	/* of two that begin at the same octet, the one added first */
	urivet_add_finding(&r, URIVET_F_RAW_TAB, URIVET_PORT, (struct urivet_span){7, 3}, NULL);
	f = finding_in(&r, URIVET_F_RAW_TAB);
	cr_expect(f->count == 3 && f->span.length == 1 && f->component == URIVET_HOST);
	urivet_add_finding(&r, URIVET_F_RAW_TAB, URIVET_QUERY, (struct urivet_span){11, 1}, NULL);
	f = finding_in(&r, URIVET_F_RAW_TAB);
	cr_expect(f->count == 4 && f->span.offset == 7 && f->component == URIVET_HOST);
}
