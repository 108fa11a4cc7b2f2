/* SPDX-License-Identifier: Apache-2.0 */
/* Tests conditions that the suites by subject do not reach, one at a time. */
#include <urivet/reference.h>
#include <urivet/spelling.h>

#include "support.h"

#include "text/text.h"

TestSuite(corners, .timeout = 60);

Test(corners, no_disagreement_beyond_the_limit)
{
	static const char uri[] = "http://a\\@b/";
	struct urivet_policy policy = built_in(URIVET_STRICT);
	char buffer[2 * URIVET_READING_CAPACITY(sizeof uri)];
	struct urivet_report r;
	policy.max_length = 5;
	urivet_check(&r, uri, sizeof uri - 1, &policy);
	cr_expect(add_disagreement(&r, urivet_text_of(uri, sizeof uri - 1), buffer, sizeof buffer, &policy, NULL) == URIVET_REJECT);
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_URL_TOO_LONG, "%s", ids_of(&r));
	/* no disagreement is added if a higher layer found it too long, beside other findings */
	urivet_check(&r, uri, sizeof uri - 1, NULL);
	urivet_add_finding(&r, URIVET_F_URL_TOO_LONG, URIVET_WHOLE,
			   (struct urivet_span){sizeof uri - 1, 0}, NULL);
	cr_expect(r.count > 1 && r.finding[0].id != URIVET_F_URL_TOO_LONG, "%s", ids_of(&r));
	add_disagreement(&r, urivet_text_of(uri, sizeof uri - 1), buffer, sizeof buffer, NULL, NULL);
	cr_expect(finding_in(&r, URIVET_F_READERS_DISAGREE) == NULL, "%s", ids_of(&r));
	/* nor if the policy is unusable, whether that is the only finding or not */
	policy.size = 0;
	urivet_check(&r, uri, sizeof uri - 1, &policy);
	add_disagreement(&r, urivet_text_of(uri, sizeof uri - 1), buffer, sizeof buffer, NULL, NULL);
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_POLICY_INVALID, "%s", ids_of(&r));
	/* nor if there are other findings and the readers agree */
	urivet_check(&r, LITERAL("http://h:8080/"), NULL);
	cr_expect(add_disagreement(&r, TEXT("http://h:8080/"), buffer, sizeof buffer,
					  NULL, NULL) == URIVET_REJECT);
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_PORT_NONDEFAULT, "%s", ids_of(&r));
}

/* inet_aton(3): text after any white space is ignored. */
Test(corners, white_space_after_an_address)
{
	static const char *const uris[] = {"http://1.2.3.4\x0bx/", "http://1.2.3.4\x0cx/",
					   "http://1.2.3.4\tx/",   "http://1.2.3.4 x/",
					   "http://1.2.3.4\nx/",   "http://1.2.3.4\rx/"};
	char buffer[URIVET_READING_CAPACITY(64)];
	struct urivet_reading read;
	for (size_t k = 0; k < sizeof uris / sizeof uris[0]; k++) {
		cr_expect(urivet_read_as(&read, URIVET_READER_RESOLVER, uris[k], strlen(uris[k]),
					 buffer, sizeof buffer));
		cr_expect(read.uri.has_ipv4 == 1 && read.uri.address[3] == 4, "%s", uris[k]);
	}
	urivet_read_as(&read, URIVET_READER_RESOLVER, LITERAL("http://1.2.3.4\x0ex/"), buffer,
		       sizeof buffer);
	cr_expect(!read.uri.has_ipv4);
}

/* 2003, 3.2.2: IPv6reference = "[" IPv6address "]"; hostname: 1997, 3.2.2, and 2003, 3.2.2. */
Test(corners, hosts_of_the_editions)
{
	static const struct {
		enum urivet_reader reader;
		enum urivet_host_kind kind; /* URIVET_HOST_NONE: refused */
		const char *uris[8];
	} rows[] = {
	    {URIVET_READER_URI_2003, URIVET_HOST_IPV6, {"http://[::1]/"}},
	    {URIVET_READER_URI_2003, URIVET_HOST_NONE, {"http://[::1/", "http://[]/", "http://[/", "http://]/", "http://[::1]a/", "http://::1]/"}},
	    {URIVET_READER_URI_2003, URIVET_HOST_NAME, {"http://a.b/", "http://a.1/", "http://a.b./", "http://a{1*62}/"}},
	    {URIVET_READER_URI_2003, URIVET_HOST_REGISTRY, {"http://a.1./", "http://a./", "http://a..b/", "http://-a/", "http://a-/", "http://a{1*63}/"}},
	    {URIVET_READER_URI_1997, URIVET_HOST_REGISTRY, {"http://a.1/", "http://a.-b/"}},
	    {URIVET_READER_URI_1997, URIVET_HOST_NAME, {"http://a.b./"}},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (const char *const *uri = rows[k].uris; *uri != NULL; uri++) {
			size_t length;
			const void *data = expand(*uri, strlen(*uri), &length);
			struct urivet_reading read;
			const bool reads = urivet_read_as(&read, rows[k].reader, at_edge(data, length), length, NULL, 0);
			cr_expect(!reads || (urivet_has(&read.uri, URIVET_WHOLE) && read.uri.part[URIVET_WHOLE].length == length));
			cr_expect((reads ? read.uri.host_kind : URIVET_HOST_NONE) == rows[k].kind,
				  "%s as %d: %d", *uri, (int)rows[k].reader, reads ? (int)read.uri.host_kind : -1);
		}
}

/* Longer than any URI, and not read. */
Test(corners, resolution_beyond_the_length)
{
	enum urivet_resolved how;
	char out[8];
	cr_expect(urivet_resolve(out, sizeof out, URIVET_READER_RFC3986, TEXT("http://a/"),
				 urivet_text_of("", (size_t)URIVET_MAX_LENGTH + 1), false, &how) == 0);
	cr_expect(how == URIVET_UNRESOLVED);
}

/* RFC 3986, 5.2.2: a repeated scheme, which a non-strict reader drops. */
static const struct {
	const char *base, *reference;
	bool ambiguous;
} references[] = {
    {"http://a/b", "http:g", true}, {"http://a/b", "HTTP:g", true},
    {"http://a/b", "http://a/g", false}, {"http://a/b", "https:g", false},
    {"https://a/b", "http:g", false}, {"http://a/b", "htt:g", false}, {"http://a/b", "g", false},
    {"http:b", "http:g", false}, {"http://a/b", "", true},
    {"http://[v1.a]/b", "", false}, /* only RFC 3986 can parse the base */
    {"http://a/b", "../../g", true},
    {"http://[2001:db8::1]/b", "../../g", true}, /* 2003 keeps "..", 1997 cannot parse the base */
    {"http://[2001:db8::1]/b", "../g", true}, {"http://[2001:db8::1]/b", "g", false},
    {"http://a/b", "#s", false}, {"http://a/b/c/d;p?q", ";/#", true},
    {"http://a/b/c/d;p?q", "g", false},
    {"http://a/b/c/d;p?q", "g#", true}, /* in 1996 an empty fragment was undefined */
    {"http://a/b", "GTTP:g", false}, {"http://a/b", "HHxA:g", false},
    /* 1997, 5: dot segments are removed in relative-path references only */
    {"http://a/b", "/g", false}, {"http://a/b", "/../g", true}, {"http://a/b", "/c/./g", true},
    {"http://a/b", "/a/../../../../../../../../g", true}, {"http://a/b", "http://a/c/../g", true},
    {"http://a/b", "http://a/c/g/.", true}, {"http://a/b", "//c/g", false},
    {"http://a/b", "//c/../g", true}, {"http://a/b", "http:/g", true},
    {"http://a/b?q", "/g", false},
    {"http://a/b", "/g?", true}, /* in 1996 an empty query was undefined */
    {"http://a/b", "/g?q", false}, {"http://u@a/b", "/g", false}, {"http:b", "/g", false},
    {"http:/a", "/g", false},
    {"http://h?", "/", true}, /* in 1996 the question mark belongs to the authority */
};

/* A reference that does not resolve is judged as an empty URI; for one that resolves in two ways
 * the finding covers the whole target. */
Test(corners, reports_of_references)
{
	struct urivet_report r, none;
	char out[64];
	judge(&none, "", 0, NULL);
	memset(&r, 0xff, sizeof r);
	cr_expect(urivet_check_reference(&r, out, sizeof out, urivet_text_of("b", 1), urivet_text_of("c", 1), 0, NULL) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), ids_of(&none));
	cr_expect(r.verdict == URIVET_REJECT && r.finding[0].span.offset == 0 &&
		  r.finding[0].span.length == none.finding[0].span.length);
	urivet_check_reference(&r, out, sizeof out, TEXT("http://a/b"), TEXT("../../g"), 0, NULL);
	const struct urivet_finding *f = finding_in(&r, URIVET_F_RESOLUTION_AMBIGUOUS);
	cr_assert(f != NULL);
	cr_expect(f->span.offset == 0 && f->span.length == sizeof "http://a/g" - 1);
}

/* The report names the component of a colon with digits, wherever the run begins. */
Test(corners, components_of_colons)
{
	static const struct {
		const char *uri;
		enum urivet_component c;
	} colons[] = {{"#:5", URIVET_FRAGMENT}, {"a?:5", URIVET_QUERY}, {":0", URIVET_PATH},
		      {"/a:0?", URIVET_PATH}, {"?:7#", URIVET_QUERY}};
	for (size_t k = 0; k < sizeof colons / sizeof colons[0]; k++) {
		struct urivet_report r;
		judge(&r, colons[k].uri, strlen(colons[k].uri), BY_ANY);
		const struct urivet_finding *f = finding_in(&r, URIVET_F_TAIL_COLON_DIGITS);
		cr_assert(f != NULL, "%s", colons[k].uri);
		cr_expect(f->component == colons[k].c, "%s: %s", colons[k].uri,
			  urivet_component_name(f->component));
	}
	struct urivet_report r;
	judge(&r, LITERAL("http://h/?\xe2\x80\xae"), NULL);
	cr_expect(finding_in(&r, URIVET_F_ESCAPED_BIDI) != NULL && finding_in(&r, URIVET_F_ESCAPED_BIDI)->component == URIVET_QUERY);
}

/* A NUL of the input does not end a word. */
Test(corners, words_and_nul)
{
	struct urivet_report r;
	judge(&r, LITERAL("http://xn--\0-cua/"), NULL);
	cr_expect(finding_in(&r, URIVET_F_IDN_INVALID_ALABEL) != NULL, "%s", ids_of(&r));
	judge(&r, LITERAL("http://xn--\0\0-cua/"), NULL);
	cr_expect(finding_in(&r, URIVET_F_IDN_INVALID_ALABEL) != NULL, "%s", ids_of(&r));
	judge(&r, LITERAL("http://xn--\0fsq.com/"), NULL);
	cr_expect(finding_in(&r, URIVET_F_IDN_INVALID_ALABEL) != NULL, "%s", ids_of(&r));
}

/* A label longer than any policy allows is not decoded as an A-label. */
Test(corners, alabels_of_narrow_policies)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	for (p.max_label = 5; p.max_label <= 7; p.max_label++) {
		judge(&r, LITERAL("http://xn--<a/"), &p);
		cr_expect((finding_in(&r, URIVET_F_IDN_INVALID_ALABEL) != NULL) == (p.max_label >= 6),
			  "%u: %s", (unsigned)p.max_label, ids_of(&r));
	}
}

Test(corners, references_that_resolve_in_two_ways)
{
	for (size_t k = 0; k < sizeof references / sizeof references[0]; k++) {
		char out[64];
		struct urivet_report r;
		urivet_check_reference(&r, out, sizeof out, urivet_text_of(references[k].base, strlen(references[k].base)), urivet_text_of(references[k].reference, strlen(references[k].reference)), 0, NULL);
		cr_expect((finding_in(&r, URIVET_F_RESOLUTION_AMBIGUOUS) != NULL) ==
			      references[k].ambiguous,
			  "%s and %s: %s", references[k].base, references[k].reference, ids_of(&r));
	}
}

/* A reference is ambiguous exactly if some edition that reads it comes to another target, or to the
 * current document; one with a scheme and no authority is left out, of which two readings repeat the scheme. */
Test(corners, random_references)
{
	static const char *const bases[] = {"http://a/b", "http://a.b-c_d/b/c.d", "http:b", "http:/a", "http://h?", "http://a/b;p?q", "x-y://a/b", "http://a%41/b"};
	static const char *const heads[] = {"", "/", "http://a", "//"};
	unsigned found = 0;
	for (unsigned n = 0; n < 30000; n++) {
		const struct urivet_text base = urivet_text_of(bases[n % 8], strlen(bases[n % 8]));
		char reference[24], target[64], other[64];
		size_t length = (size_t)sprintf(reference, "%s", heads[n / 8 % 4]);
		for (uint32_t k = random_below(7); k > 0; k--)
			reference[length++] = "/..aB_:;?#%1-"[random_below(13)];
		const struct urivet_text text = urivet_text_of(reference, length);
		enum urivet_resolved how;
		struct urivet_report r;
		const size_t end = urivet_resolve(target, sizeof target, URIVET_READER_RFC3986, base, text, false, &how);
		bool apart = false;
		reference[length] = '\0';
		if (how == URIVET_UNRESOLVED || (reference[strcspn(reference, ":/?#")] == ':' && strncmp(strchr(reference, ':'), "://", 3) != 0))
			continue;
		for (unsigned k = URIVET_READER_RFC3986 + 1; k < URIVET_READERS; k++) {
			const size_t size = urivet_resolve(other, sizeof other, k, base, text, false, &how);
			apart = apart || (how == URIVET_SAME_DOCUMENT && length == 0) || (how == URIVET_RESOLVED && (size != end || memcmp(target, other, end) != 0));
		}
		urivet_check_reference(&r, other, sizeof other, base, text, 0, BY_ANY);
		cr_assert((finding_in(&r, URIVET_F_RESOLUTION_AMBIGUOUS) != NULL) == apart, "%s and %s", bases[n % 8], reference);
		found += apart;
	}
	cr_assert(found > 3000);
}

/* A number after these is none of a port: RFC 3966, 5724, 3261, 5538, 2392 and the registry of IANA; and schemes of programs. */
Test(corners, schemes_of_numbers)
{
	static const char *const words[] = {"tel", "sms", "fax", "modem", "callto", "skype", "mid", "cid", "news", "isbn", "pmid", "oid", "sip", "sips", "doi", "hdl"};
	for (size_t k = 0; k < 2 * sizeof words / sizeof words[0]; k++) {
		char uri[32];
		struct urivet_report r;
		const int length = snprintf(uri, sizeof uri, "%s%s:5001", words[k / 2], k % 2 ? "z" : "");
		judge(&r, uri, (size_t)length, NULL);
		cr_expect((finding_in(&r, URIVET_F_SCHEME_GUESS) != NULL) == (k % 2 != 0), "%s: %s", uri, ids_of(&r));
	}
}

/* RFC 6052, 2.2: bits 64 to 71 are zero, and prefixes have 32 to 96 bits in steps. Of two
 * translators, the first cannot have made the address. */
Test(corners, translators_that_do_not_fit)
{
	const struct urivet_network nat64[] = {network("2001:db8::/64"), network("2001:db8:0:0:100::/96")};
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	policy.nat64 = nat64;
	policy.nat64_count = 2;
	cr_assert(urivet_policy_raise(&policy, URIVET_F_ADDR_LOOPBACK));
	judge(&r, LITERAL("http://[2001:db8::100:0:7f00:1]/"), &policy);
	cr_expect(finding_in(&r, URIVET_F_NAT64_EMBEDDED_IPV4) != NULL, "%s", ids_of(&r));
	cr_expect(finding_in(&r, URIVET_F_ADDR_LOOPBACK) != NULL, "%s", ids_of(&r));
	cr_expect(finding_in(&r, URIVET_F_ADDR_UNCLASSIFIED) == NULL, "%s", ids_of(&r));
	cr_assert(urivet_policy_raise(&policy, URIVET_F_ADDR_UNCLASSIFIED));
	judge(&r, LITERAL("http://[2001:db8::100:0:7f00:1]/"), &policy);
	cr_expect(finding_in(&r, URIVET_F_ADDR_UNCLASSIFIED) != NULL, "%s", ids_of(&r));
	/* for the first it is no translated address, so its own block counts, and the second is
	 * not used */
	cr_assert(urivet_policy_raise(&policy, URIVET_F_ADDR6_DOCUMENTATION));
	judge(&r, LITERAL("http://[2001:db8::100:0:7f00:1]/"), &policy);
	cr_expect(finding_in(&r, URIVET_F_ADDR6_DOCUMENTATION) != NULL, "%s", ids_of(&r));
	cr_expect(finding_in(&r, URIVET_F_ADDR_LOOPBACK) != NULL, "%s", ids_of(&r));
}

/* urivet_check() refuses everything that the fast refusal of strict refuses. */
Test(corners, ok)
{
	static const struct {
		const char *pattern;
		bool ok;
	} rows[] = {
	    {"http://h/", true},
	    {"HTTP://h/", false}, /* G16 */
	    {"https://h?a", false}, /* G11 */
	    {"HTTPX://h/", false}, {"http:/h/", false}, {"http://h/|", false},
	    {"http://u@h/", false}, {"http://{a.*126}a/%20b", true},
	    {"http://{a.*126}a:80/%20b", true}, {"http://{a.*126}a:000000080/", false},
	    {"http://{a.*126}aaaaaaaaaa/", false},
	    {"http://h/{a*8183}", true}, /* 8192 octets */
	    {"http://h/?{a*300}", true}, {"http://h/#{a*300}", true}, {"http://h?{a*300}", false},
	    {"http://h#{a*300}", false},
	    {"http://h/#.a", true}, /* not plain, but accepted */
	    {"http://h/#a/../b", false}, /* G15 */
	    {"http://h/#!a", false}, {"http://h/{a*300}", true},
	    {"http://h?{a*300}@b", false}, /* userinfo, for readers of 1997 */
	    {"http://h/{a*8184}", false}, {"", false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		size_t n;
		const void *uri = expand(rows[k].pattern, strlen(rows[k].pattern), &n);
		uri = at_edge(uri, n);
		cr_expect(urivet_ok(uri, n) == rows[k].ok, "%s", rows[k].pattern);
		cr_expect((urivet_check(&r, uri, n, NULL) == URIVET_ACCEPT) == rows[k].ok, "%s: %s",
			  rows[k].pattern, ids_of(&r));
	}
}

/* Plain URLs judged by a stricter policy, or by one with another length. */
Test(corners, plain_by_other_policies)
{
	static const char uri[] = "http://www.example.com/index.html";
	static const enum urivet_id expected[8] = {
	    URIVET_F_POLICY_INVALID,      URIVET_F_SCHEME_NOT_ALLOWED, URIVET_F_HOST_TOO_LONG,
	    URIVET_F_HOST_LABEL_TOO_LONG, URIVET_F_URL_TOO_LONG,       URIVET_F_SCHEME_PLAINTEXT};
	struct urivet_policy policies[8];
	struct urivet_report r;
	for (unsigned k = 0; k < 8; k++)
		policies[k] = built_in(URIVET_STRICT);
	policies[0].size--;
	policies[1].schemes &= ~(1u << URIVET_SCHEME_HTTP);
	policies[2].max_host = 14;
	policies[3].max_label = 6;
	policies[4].max_length = sizeof uri - 2;
	cr_assert(urivet_policy_raise(&policies[5], URIVET_F_SCHEME_PLAINTEXT));
	policies[6].max_length = UINT32_MAX;
	policies[7].max_length = sizeof uri - 1;
	for (unsigned k = 0; k < 8; k++) {
		const enum urivet_verdict v = judge(&r, LITERAL(uri), &policies[k]);
		cr_expect(r.count == (k < 6), "%u: %s", k, ids_of(&r));
		cr_expect(r.count == 0 || r.finding[0].id == expected[k], "%u: %s", k, ids_of(&r));
		cr_expect((v == URIVET_ACCEPT) == (k >= 6), "%u", k);
	}
	judge(&r, LITERAL("http://h~/"), &(struct urivet_policy){.size = 1});
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_POLICY_INVALID && r.verdict == URIVET_REJECT);
}

/* A name may end in a mark, which is no letter and no digit. */
Test(corners, names_that_end_in_a_mark)
{
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	cr_assert(urivet_policy_raise(&policy, URIVET_F_HOST_LOCALHOST_NAME));
	judge(&r, LITERAL("http://localhost~/"), &policy);
	cr_expect(finding_in(&r, URIVET_F_HOST_LOCALHOST_NAME) == NULL, "%s", ids_of(&r));
	judge(&r, LITERAL("http://localhost-/"), &policy);
	cr_expect(finding_in(&r, URIVET_F_HOST_LOCALHOST_NAME) == NULL, "%s", ids_of(&r));
}

/* Of two ranges the first counts, and a single port counts before both. */
Test(corners, rules_about_ports)
{
	struct urivet_port_rule ports[3] = {
	    {.schemes = ~0u, .first = 8000, .last = 8999, .tag = 1},
	    {.schemes = ~0u, .first = 8080, .last = 8090, .tag = 2},
	    {.schemes = ~0u, .first = 8085, .last = 8085, .tag = 3}};
	struct urivet_policy policy = built_in(URIVET_STRICT);
	struct urivet_report r;
	policy.ports = ports;
	policy.port_count = 3;
	cr_expect(judge(&r, LITERAL("http://h:8081/"), &policy) == URIVET_ACCEPT);
	cr_expect(r.port_rule == &ports[0]);
	cr_expect(judge(&r, LITERAL("http://h:8085/"), &policy) == URIVET_ACCEPT);
	cr_expect(r.port_rule == &ports[2]);
}

/* With more findings than a report holds, there is no suggestion. Nor is there one if it would
 * be accepted with a note only. */
Test(corners, no_spelling_for_what_is_not_known)
{
	static const char many[] =
	    "HTTP://a.b;%2F:@_A..-x~$%e3%80%82%c2%ad%c3%9f%e2%84%80.:080/../%2e/a..%2f.;/%00%0a%01"
	    "%250a%41%e9%c0%ae%ef%bf%be%e2%80%ae%f0%9f%92%a9%21//x:1'?a+b;a=1&a=2&token=1&=//x://y"
	    "%c4%80#?:~:a&token=b";
	static const char ftp[] = "ftp://a.b.c:21/?x.y.z:21/";
	struct urivet_policy policy = built_in(URIVET_ANY);
	struct urivet_report r;
	char out[512];
	judge(&r, LITERAL(many), &policy);
	cr_expect(r.parsed && r.dropped > 0, "%u, %s", (unsigned)r.count, ids_of(&r));
	cr_expect(urivet_suggest(out, sizeof out, LITERAL(many), &policy) == 0);
	cr_assert(urivet_policy_waive(&policy, URIVET_F_COLON_PORT_IN_TAIL));
	cr_expect(urivet_suggest(out, sizeof out, LITERAL(ftp), &policy) == sizeof ftp - 1);
	cr_expect_str_eq(out, ftp);
}

/* RFC 3986, appendix B: brackets are removed if they are a pair. */
Test(corners, hosts_of_the_expression)
{
	static const struct {
		const char *uri;
		uint32_t offset, length;
		enum urivet_host_kind kind;
	} rows[] = {
	    {"http://[a/", 7, 2, URIVET_HOST_NAME},      {"http://a]/", 7, 2, URIVET_HOST_NAME},
	    {"http://[]/", 8, 0, URIVET_HOST_NONE},      {"http://[::1]/", 8, 3, URIVET_HOST_IPV6},
	    {"http://1.2.3.4/", 7, 7, URIVET_HOST_IPV4}, {"http://[/", 7, 1, URIVET_HOST_NAME},
	    {"http://]/", 7, 1, URIVET_HOST_NAME},       {"http:///", 7, 0, URIVET_HOST_NONE},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const size_t length = strlen(rows[k].uri);
		struct urivet_reading read;
		cr_expect(urivet_read_as(&read, URIVET_READER_REGEX, at_edge(rows[k].uri, length),
					 length, NULL, 0));
		cr_expect(read.uri.part[URIVET_HOST].offset == rows[k].offset &&
			      read.uri.part[URIVET_HOST].length == rows[k].length &&
			      read.uri.host_kind == rows[k].kind,
			  "%s", rows[k].uri);
		cr_expect(read.uri.has_ipv4 == (rows[k].kind == URIVET_HOST_IPV4));
	}
}
