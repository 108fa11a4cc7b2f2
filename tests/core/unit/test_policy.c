/* SPDX-License-Identifier: Apache-2.0 */
/* Tests policies: any scheme, waivers, raised notes, ports and limits. */

#include "support.h"

TestSuite(policy, .timeout = 30);

static enum urivet_verdict by(const struct urivet_policy *p, const char *uri)
{
	struct urivet_report r;
	return judge(&r, uri, strlen(uri), p);
}

static bool has(const struct urivet_policy *p, const char *uri, unsigned id)
{
	struct urivet_report r;
	judge(&r, uri, strlen(uri), p);
	return finding_in(&r, id) != NULL;
}

Test(policy, any_scheme)
{
	expect_all(BY_ANY, URIVET_ACCEPT,
		   "http://h/ ws://h/ wss://h:443/ ftp://h:21/a urn:isbn:0451450523 "
		   "mailto:a@b.example tel:+1-816-555-1212 ssh://h:22/ git://h:9418/a/b "
		   "x:// x:///a x: x://h x://[2001:db8::1]:99/ x:a/../b x://h//a "
		   "x://h?a.b.c.d x://h/x.y.z:80/ x:a%2Fb#c x:/a:80/b x.y:a "
		   "x://h/%F0%9F%92%A9%2F x:%C3%A9%21");
	expect_all(BY_ANY, URIVET_REJECT,
		   "ftp://h:80/ ws://h:443/ wss://h:80/ x://u@h/ x://h:0/ x://h:00/ "
		   "x://h:080/ x://h:/ x://h:65536/ x://a_b/ x://127.1/ x://h./ "
		   "x:/a/../b x:/..;/ x:/..%2f x:a%00 x:a%0d%0a x:%2541 x:%80 "
		   "x:%E2%80%AE x:%41 x.y://h/ javascript:alert(1) data:,x "
		   "file:///etc/passwd //h/ a/b x://[::ffff:1.2.3.4]/");
	cr_expect(by(BY_ANY, "x:a b") == URIVET_REJECT);
}

/* Only four malformed findings can be waived, and the length limit never. */
Test(policy, what_can_be_waived)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT + 70; id++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		const struct urivet_finding_row *row = urivet_finding_info(id);
		const bool can = row != NULL && id != URIVET_F_URL_TOO_LONG &&
		                 (row->class_ != URIVET_MALFORMED || id == URIVET_F_FORBIDDEN_CHAR ||
		                  id == URIVET_F_NON_ASCII || id == URIVET_F_BAD_ESCAPE ||
		                  id == URIVET_F_QUERY_NESTED_BRACKETS);
		cr_expect(urivet_policy_waive(&p, id) == can, "%u", id);
		cr_expect(can || memcmp(&p, BY_STRICT, sizeof p) == 0);
		cr_expect(urivet_policy_raise(&p, id) == (row != NULL), "%u", id);
	}
}

/* A waived finding is reported and does not refuse; its octets are legal in the tail only. */
Test(policy, waived_octets)
{
	static const struct {
		unsigned id;
		const char *good, *bad;
	} rows[] = {
		{URIVET_F_FORBIDDEN_CHAR, "http://h/a|b?c^d#e<f", "http://a|b/"},
		{URIVET_F_FORBIDDEN_CHAR, "http://h/#a#b[]", "http://u|@h/"},
		{URIVET_F_NON_ASCII, "http://h/\xc3\xa9?\xff#\x80", "http://\xc3\xa9/"},
		{URIVET_F_QUERY_NESTED_BRACKETS, "http://h/?a[]=b[1]", "http://h/a[]"},
		{URIVET_F_BAD_ESCAPE, "http://h/100%?%zz#%", "http://h%/"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		struct urivet_report r;
		cr_expect(by(&p, rows[k].good) == URIVET_REJECT);
		cr_expect(urivet_policy_waive(&p, rows[k].id));
		judge(&r, rows[k].good, strlen(rows[k].good), &p);
		cr_expect(r.verdict == URIVET_ACCEPT && r.parsed, "%s: %s", rows[k].good,
		          ids_of(&r));
		cr_expect(finding_in(&r, rows[k].id) != NULL, "%s: %s", rows[k].good, ids_of(&r));
		cr_expect(by(&p, rows[k].bad) == URIVET_REJECT, "%s", rows[k].bad);
	}
}

Test(policy, waiving_a_danger_leaves_the_gate)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_PORT_NONDEFAULT);
	cr_expect(by(&p, "http://h:8080/") == URIVET_ACCEPT);
	expect_all(&p, URIVET_REJECT, "http://h:25/ http://h:08080/");
	cr_expect(urivet_policy_waive(&p, URIVET_F_ESCAPED_SLASH_DOT));
	cr_expect(by(&p, "http://h/..%5Ca") == URIVET_ACCEPT);
	expect_all(&p, URIVET_REJECT, "http://h/..%2Fa http://h/../a"); /* G13 refuses the first */
}

/* GitLab and npm need %2F in paths; what D4 refuses stays refused. */
Test(policy, waiving_an_escaped_slash_leaves_the_dangers)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_ESCAPED_SLASH);
	cr_expect(by(&p, "http://h/@scope%2Fname") == URIVET_ACCEPT);
	expect_all(&p, URIVET_REJECT, "http://h/..%2Fa http://h/a%2F..;x http://h/a%2F..%3Bx "
		   "http://h/a%252Fb");
}

Test(policy, raised_notes_refuse)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	cr_expect(by(&p, "http://h") == URIVET_ACCEPT);
	cr_expect(urivet_policy_raise(&p, URIVET_F_PATH_EMPTY));
	cr_expect(by(&p, "http://h") == URIVET_REJECT && by(&p, "http://www.sample.net") == URIVET_REJECT);
	cr_expect(by(&p, "http://h/") == URIVET_ACCEPT);
	cr_expect(urivet_policy_waive(&p, URIVET_F_PATH_EMPTY));
	cr_expect(by(&p, "http://h") == URIVET_ACCEPT);
}

Test(policy, rules_of_class_policy_are_silent_until_raised)
{
	static const struct {
		unsigned id;
		const char *uri;
	} rows[] = {
		{URIVET_F_SCHEME_PLAINTEXT, "http://h/"},
		{URIVET_F_HOST_SINGLE_LABEL, "http://h/"},
		{URIVET_F_HOST_LOCALHOST_NAME, "http://LOCALHOST/"},
		{URIVET_F_HOST_INTERNAL_SUFFIX, "http://a.local/"},
		{URIVET_F_FRAGMENT_PRESENT, "http://h/#a"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		cr_expect(!has(&p, rows[k].uri, rows[k].id) && by(&p, rows[k].uri) == URIVET_ACCEPT);
		cr_expect(urivet_policy_raise(&p, rows[k].id));
		cr_expect(has(&p, rows[k].uri, rows[k].id) && by(&p, rows[k].uri) == URIVET_REJECT);
	}
}

Test(policy, listed_ports)
{
	static const struct urivet_port_rule ports[] = {{1u << URIVET_SCHEME_HTTP, 8000, 8099, 0},
	                                                {1u << URIVET_SCHEME_HTTP, 22, 22, 0}};
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.ports = ports;
	p.port_count = 2;
	expect_all(&p, URIVET_ACCEPT, "http://h:8000/ http://h:8099/ http://h:22/");
	expect_all(&p, URIVET_REJECT, "http://h:8100/ http://h:7999/");
	cr_expect(by(&p, "http://h:80/") == URIVET_ACCEPT);
}

/* RFC 1035, 2.3.4: 63 octets a label, 255 a name on the wire, which is 253 as text; and the
 * documented 8192 octets. */
Test(policy, limits)
{
	const struct urivet_policy *const policies[] = {BY_STRICT, BY_PUBLIC, BY_ANY, BY_GATEWAY};
	static const struct {
		const char *pattern;
		unsigned id;
		bool beyond;
	} rows[] = {
	    {"http://h.org/{a*8179}", URIVET_F_URL_TOO_LONG, false},
	    {"http://h.org/{a*8180}", URIVET_F_URL_TOO_LONG, true},
	    {"http://{a*63}.org/", URIVET_F_HOST_LABEL_TOO_LONG, false},
	    {"http://{a*64}.org/", URIVET_F_HOST_LABEL_TOO_LONG, true},
	    {"http://b.{a*63}.org/", URIVET_F_HOST_LABEL_TOO_LONG, false},
	    {"http://b.{a*64}.org/", URIVET_F_HOST_LABEL_TOO_LONG, true},
	    {"http://{a.*125}org/", URIVET_F_HOST_TOO_LONG, false},
	    {"http://{a.*125}orgs/", URIVET_F_HOST_TOO_LONG, true},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (unsigned p = 0; p < 4; p++) {
			struct urivet_report r;
			judge_pattern(&r, rows[k].pattern, policies[p]);
			cr_expect((finding_in(&r, rows[k].id) != NULL) == rows[k].beyond, "%s by %s: %s",
			          rows[k].pattern, policies[p]->name, ids_of(&r));
		}
}

/* The last call for a finding counts. */
Test(policy, waived_and_raised_again)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_DOT_SEGMENT);
	cr_expect(by(&p, "http://h/../a") == URIVET_REJECT); /* above the root */
	cr_expect(by(&p, "http://h/b/../a") == URIVET_ACCEPT);
	cr_assert(urivet_policy_raise(&p, URIVET_F_DOT_SEGMENT));
	cr_expect(by(&p, "http://h/b/../a") == URIVET_REJECT);
}

/* Each finding has a separate bit in both sets: no other finding is waived or raised with it. */
Test(policy, one_bit_each)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		struct urivet_finding_set want = {{0}}, all;
		const struct urivet_finding_set none = {{0}};
		if (urivet_finding_info(id) == NULL)
			continue;
		want.bits[id / 64] = UINT64_C(1) << id % 64;
		cr_assert(urivet_policy_raise(&p, id));
		cr_expect(memcmp(&p.raised, &want, sizeof want) == 0, "%u", id);
		cr_expect(memcmp(&p.waived, &none, sizeof none) == 0, "%u", id);
		if (!urivet_policy_waive(&p, id))
			continue;
		cr_expect(memcmp(&p.waived, &want, sizeof want) == 0, "%u", id);
		cr_expect(memcmp(&p.raised, &none, sizeof none) == 0, "%u", id);
		/* the bits of other findings stay unchanged */
		memset(&all, 0xff, sizeof all);
		p.waived = all;
		cr_assert(urivet_policy_raise(&p, id));
		all.bits[id / 64] ^= want.bits[id / 64];
		cr_expect(memcmp(&p.waived, &all, sizeof all) == 0, "%u", id);
		cr_expect(memcmp(&p.raised, &want, sizeof want) == 0, "%u", id);
	}
}

/* Brackets in a query may be waived; that makes nothing else legal there. */
Test(policy, waived_brackets)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_QUERY_NESTED_BRACKETS);
	cr_expect(!has(&p, "http://h/?a[b]", URIVET_F_FORBIDDEN_CHAR));
	cr_expect(has(&p, "http://h/?a|b", URIVET_F_FORBIDDEN_CHAR));
	cr_expect(has(&p, "http://h/?a\\", URIVET_F_FORBIDDEN_CHAR));
}

/* A policy may limit labels to fewer octets than any label has. */
Test(policy, labels)
{
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.max_label = 5;
	cr_expect(!has(&p, "http://abcde.fghij.k/", URIVET_F_HOST_LABEL_TOO_LONG));
	cr_expect(!has(&p, "http://a../", URIVET_F_HOST_LABEL_TOO_LONG));
	cr_expect(!has(&p, "http://x%2E-/", URIVET_F_HOST_LABEL_TOO_LONG));
	cr_expect(has(&p, "http://abcdef/", URIVET_F_HOST_LABEL_TOO_LONG));
	cr_expect(has(&p, "http://a.abcdef.b/", URIVET_F_HOST_LABEL_TOO_LONG));
}

/* public adds to strict only rules of class policy about hosts, all of them in the catalogue. */
Test(policy, what_the_constants_raise)
{
	const struct urivet_policy *const policies[] = {BY_STRICT, BY_PUBLIC, BY_ANY, BY_GATEWAY};
	for (unsigned p = 0; p < 3; p++)
		for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
			const struct urivet_finding_row *row = urivet_finding_info(id);
			const bool raised = policies[p]->raised.bits[id / 64] >> id % 64 & 1;
			cr_expect((policies[p]->waived.bits[id / 64] >> id % 64 & 1) == 0);
			cr_expect(!raised || (p == 1 && row != NULL && row->class_ == URIVET_POLICY &&
			                      row->component == URIVET_HOST), "%s: %u",
			          policies[p]->name, id);
		}
}

Test(policy, names)
{
	cr_expect(urivet_policy_named(LITERAL("strict")) == URIVET_STRICT);
	cr_expect(urivet_policy_named(LITERAL("public")) == URIVET_PUBLIC);
	cr_expect(urivet_policy_named(LITERAL("any")) == URIVET_ANY);
	cr_expect(urivet_policy_named(LITERAL("gateway")) == URIVET_GATEWAY);
	cr_expect_str_eq(urivet_policy_name(URIVET_GATEWAY), "gateway");
	cr_expect(urivet_policy_named(LITERAL("Strict")) == -1);
	cr_expect(urivet_policy_named(LITERAL("an")) == -1 && urivet_policy_named("", 0) == -1);
	cr_expect_str_eq(urivet_policy_name(URIVET_PUBLIC), "public");
	cr_expect(urivet_policy_name(URIVET_BASES) == NULL && urivet_policy_name(~0u) == NULL);
}

/* Schemes by name: a complete name in either letter case, beside the schemes that have a bit. */
Test(policy, schemes_by_name)
{
	static const struct {
		const char *names, *uri;
		bool allowed;
	} rows[] = {
	    {"mailto tel ", "mailto:a@example.com", true}, {"mailto tel ", "tel:1", true},
	    {"mailto tel ", "TEL:1", true},                {"mailto tel ", "te:x", false},
	    {"mailto tel ", "tell:x", false},              {"mailto tel ", "o:x", false},
	    {"mailto tel ", "http://h/", true},            {"mailto tel ", "ftp://h/", false},
	    {"mailto ", "tel:x", false},                   {"", "tel:x", false},
	    {"javascript ", "javascript:1", false},        {"mailto", "mailto:a@example.com", false},
	    {"tel ", "//h/", false},                       {"mailto tel ", "sel:1", false},
	    {"mailto tel ", "tex:1", false},               {"mailto tel ", "mailtx:a", false},          {"ftp ", "ftp://h/", false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		struct urivet_report r;
		strcpy(p.scheme_names, rows[k].names);
		cr_expect((judge(&r, rows[k].uri, strlen(rows[k].uri), &p) == URIVET_ACCEPT) == rows[k].allowed, "%s by %s: %s",
			  rows[k].uri, rows[k].names, ids_of(&r));
	}
	/* full storage */
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	char whole[URIVET_SCHEME_NAMES + 2];
	memset(p.scheme_names, 'a', sizeof p.scheme_names);
	cr_expect(judge(&r, LITERAL("a:b"), &p) == URIVET_REJECT);
	memset(whole, 'a', sizeof whole);
	whole[URIVET_SCHEME_NAMES - 2] = ':';
	p.scheme_names[URIVET_SCHEME_NAMES - 2] = ' ';
	p.scheme_names[URIVET_SCHEME_NAMES - 1] = '\0';
	cr_expect(judge(&r, whole, URIVET_SCHEME_NAMES, &p) == URIVET_ACCEPT); /* 254 octets and a space */
	cr_expect(judge(&r, whole + 1, URIVET_SCHEME_NAMES - 1, &p) == URIVET_REJECT);
}
