/* SPDX-License-Identifier: Apache-2.0 */
/* Tests lists of hosts, addresses and ports: parsing rules, looking them up, and how an
 * allowance combines with the rest of a policy. */
#include "support.h"

#include <stdlib.h>
#include <strings.h>
#include <urivet/compiled.h>

#include "policy/addr.h"

TestSuite(lists, .timeout = 60);

/* ---- Reading a rule about hosts -------------------------------------------------- */

Test(lists, host_rules)
{
	static const struct {
		const char *text, *name;
		enum urivet_scope scope;
	} good[] = {
	    {"example.com", "example.com", URIVET_SCOPE_HOST},
	    {".example.com", "example.com", URIVET_SCOPE_TREE},
	    {"*.example.com", "example.com", URIVET_SCOPE_BELOW},
	    {"+.example.com", "example.com", URIVET_SCOPE_LABEL},
	    {"+.a.", "a", URIVET_SCOPE_LABEL},
	    {"localhost", "localhost", URIVET_SCOPE_HOST},
	    {".com", "com", URIVET_SCOPE_TREE},
	    {"EXAMPLE.Com", "EXAMPLE.Com", URIVET_SCOPE_HOST},
	    {"_dmarc.a_b.example", "_dmarc.a_b.example", URIVET_SCOPE_HOST},
	    {"xn--bcher-kva.example", "xn--bcher-kva.example", URIVET_SCOPE_HOST},
	    {"1.2.3.4.example", "1.2.3.4.example", URIVET_SCOPE_HOST},
	    {"a", "a", URIVET_SCOPE_HOST},
	    {"a.", "a", URIVET_SCOPE_HOST},
	    {".a.", "a", URIVET_SCOPE_TREE},
	    {"*.a.", "a", URIVET_SCOPE_BELOW},
	    {"evil.example.com.", "evil.example.com", URIVET_SCOPE_HOST},
	};
	static const char *const bad[] = {
	    "",      ".",     "*",         "*.",         "..",   ".*.a", "*a.b",
	    "*ab.c", "+ab.c", "a.*.b", "a.*",   "..a",       "*..a",       "a..b", "a..",  ".a..",
	    "*.a..", "...",   "*..",       "1.",         "a.1.", "*.*.", "a. ",
	    "a-.",   "a b",   " a",        "a ",         "a/b",  "a:80", "http://a",
	    "[::1]", "::1",   "127.0.0.1", ".1.2.3.4",   "*.10", "a.1",  "0x7f.1",
	    "a.0x1", "1",     "a%2eb",     "\xc3\xa4.b", "a~b",  "-a.b", "a-.b",
	    "a.-b",  "a.b\n", "a@b",       "*.*.a",      "**.a", "a,b",  "a;b",
	    "+",     "+.",    "+a.b",      "a.+.b",      "+..a", "++.a", "+.*.a",
	};
	for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
		struct urivet_host_rule r = {.tag = 99};
		const size_t n = strlen(good[k].text);
		const char *text = at_edge(good[k].text, n);
		cr_assert(urivet_host_rule_from(&r, text, n, URIVET_ALLOW), "%s", good[k].text);
		cr_expect(r.length == strlen(good[k].name) &&
			  memcmp(r.name, good[k].name, r.length) == 0);
		cr_expect(r.name >= text && r.name + r.length <= text + n);
		cr_expect(r.scope == good[k].scope && r.action == URIVET_ALLOW, "%s", good[k].text);
		cr_expect(r.tag == 0); /* a new rule, without leftovers of the old one */
	}
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		struct urivet_host_rule r, before;
		memset(&r, 0x5a, sizeof r);
		before = r;
		cr_expect(!urivet_host_rule_from(&r, at_edge(bad[k], strlen(bad[k])),
						 strlen(bad[k]), URIVET_ALLOW),
			  "%s", bad[k]);
		cr_expect(memcmp(&r, &before, sizeof r) == 0, "%s", bad[k]);
	}
}

/* 63 octets a label, 253 octets in all. */
Test(lists, lengths_of_host_rules)
{
	static const struct {
		const char *pattern;
		bool good;
	} rows[] = {
	    {"{a*63}.b", true},
	    {"{a*64}.b", false},
	    {"{a*63}.{b*63}.{c*63}.{d*61}", true}, /* 253 */
	    {".{a*63}.{b*63}.{c*63}.{d*61}", true},
	    {"{a*63}.{b*63}.{c*63}.{d*62}", false},
	    {"{a.*126}a", true}, /* 253 */
	    {"{a.*127}a", false},
	    {"{a.*126}a.", true}, /* a final dot does not count */
	    {"*.{a.*126}a.", true},
	    {"{a.*127}a.", false},
	    {"{a*63}.b.", true},
	    {"{a*64}.", false},
	    {"{a.*600}a", false},
	    {"{a*100000}", false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_host_rule r;
		size_t n;
		const void *text = expand(rows[k].pattern, strlen(rows[k].pattern), &n);
		cr_expect(urivet_host_rule_from(&r, text, n, URIVET_DENY) == rows[k].good, "%s",
			  rows[k].pattern);
	}
}

/* ---- Reading a network -------------------------------------------------------------- */

Test(lists, networks)
{
	static const struct {
		const char *text;
		uint8_t octets, length, first, last;
	} good[] = {
	    {"10.0.0.0/8", 4, 8, 10, 0},
	    {"192.0.2.1", 4, 32, 192, 1},
	    {"0.0.0.0/0", 4, 0, 0, 0},
	    {"255.255.255.255/32", 4, 32, 255, 255},
	    {"100.64.0.0/10", 4, 10, 100, 0},
	    {"::/0", 16, 0, 0, 0},
	    {"::1", 16, 128, 0, 1},
	    {"fe80::/10", 16, 10, 0xfe, 0},
	    {"2001:DB8::/32", 16, 32, 0x20, 0},
	    {"::ffff:1.2.3.4/128", 16, 128, 0, 4},
	    {"64:ff9b::/96", 16, 96, 0, 0},
	    {"2001:0db8:0:0:0:0:0:0001", 16, 128, 0x20, 1},
	};
	static const char *const bad[] = {
	    "", "/", "/8", "10.0.0.0/", "::/",
	    "::/0000000000000000000000000000000000000000000000000000000000000000008",
	    "                                                                      ",
	    "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0.0/-8",
	    "10.0.0.0/+8", "10.0.0.1/8", "10.2.0.0/14", "128.0.0.0/0", "2001:d80::/24",
	    "10.0.0.0//8", "10/8", "10.0.0/8", "010.0.0.0/8", "0x0a.0.0.0", "10.0.0.0/8/8",
	    "10.0.0.0/a", "10.0.0.0/255", "10.0.0.0/256", "::/129", "::/256", "::1/127", "[::1]",
	    "[::]/0", "::1%eth0", "fe80::1%25a", ":::", "1:2:3", "2001:db9::/31", "example.com",
	    "10.0.0.0/8\n", "1.2.3.4.5", "256.0.0.0", "::/0x10", "10.0.0.0/1e",
	    "10.0.0.0/255.0.0.0",
	};
	for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
		struct urivet_network n;
		const size_t length = strlen(good[k].text);
		memset(&n, 0x5a, sizeof n);
		cr_assert(urivet_network_from(&n, at_edge(good[k].text, length), length), "%s",
			  good[k].text);
		cr_expect(n.octets == good[k].octets && n.length == good[k].length, "%s",
			  good[k].text);
		cr_expect(n.address[0] == good[k].first && n.address[n.octets - 1] == good[k].last,
			  "%s", good[k].text);
		for (unsigned i = n.octets; i < 16; i++)
			cr_expect(n.address[i] == 0);
	}
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		struct urivet_network n, before;
		memset(&n, 0x5a, sizeof n);
		before = n;
		cr_expect(!urivet_network_from(&n, at_edge(bad[k], strlen(bad[k])), strlen(bad[k])),
			  "%s", bad[k]);
		cr_expect(memcmp(&n, &before, sizeof n) == 0, "%s", bad[k]);
	}
}

/* Nothing after the text is read, whatever its length. */
Test(lists, networks_that_end_at_a_page)
{
	char text[80];
	memset(text, '1', sizeof text);
	for (size_t length = 0; length <= sizeof text; length++) {
		struct urivet_network n;
		cr_expect(!urivet_network_from(&n, at_edge(text, length), length), "%zu", length);
	}
}

Test(lists, what_a_network_holds)
{
	const struct urivet_network n = network("100.64.0.0/10"), all = network("::/0");
	const uint8_t in[16] = {100, 127, 255, 255}, out[16] = {100, 128};
	struct urivet_network broken = {{100}, 4, 33};
	cr_expect(urivet_network_holds(&n, in, 4) && !urivet_network_holds(&n, out, 4));
	cr_expect(!urivet_network_holds(&n, in, 16) && urivet_network_holds(&all, in, 16));
	cr_expect(!urivet_network_holds(&all, in, 4));
	for (size_t octets = 0; octets < 20; octets++)
		cr_expect(!urivet_network_holds(&n, in, octets) || octets == 4);
	cr_expect(!urivet_network_holds(&broken, in, 4)); /* no such prefix */
	broken = (struct urivet_network){{100}, 5, 8};
	cr_expect(!urivet_network_holds(&broken, in, 4) && !urivet_network_holds(&broken, in, 5));
	broken = (struct urivet_network){{0}, 0, 0};
	cr_expect(!urivet_network_holds(&broken, in, 4) && !urivet_network_holds(&broken, in, 0));
}

/* If one rule matches an address and another the embedded address, the report names the denial. */
Test(lists, the_rule_that_denies_is_named)
{
	struct urivet_address_rule rules[2] = {{.network = network("::/96")},
	                                       {.network = network("0.0.0.2")}};
	struct urivet_policy p = with_addresses(URIVET_STRICT, rules, 2, false);
	struct urivet_report r;
	for (unsigned denied = 0; denied < 2; denied++) {
		rules[denied].action = URIVET_DENY;
		rules[1 - denied].action = URIVET_ALLOW;
		judge(&r, LITERAL("http://[::2]/"), &p);
		cr_expect(r.address_rule == &rules[denied]);
		cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) != NULL, "%s", ids_of(&r));
	}
}

/* A prefix of 127 bits contains two addresses, one of 128 bits a single one. */
Test(lists, the_longest_prefixes)
{
	static const struct {
		const char *network, *uri;
		bool holds;
	} rows[] = {
	    {"2001:db8::2/127", "http://[2001:db8::2]/", true},
	    {"2001:db8::2/127", "http://[2001:db8::3]/", true},
	    {"2001:db8::2/127", "http://[2001:db8::4]/", false},
	    {"2001:db8::2/128", "http://[2001:db8::2]/", true},
	    {"2001:db8::2/128", "http://[2001:db8::3]/", false},
	    {"192.0.2.2/31", "http://192.0.2.3/", true},
	    {"192.0.2.2/32", "http://192.0.2.3/", false},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
		for (unsigned sorted = 0; sorted < 2; sorted++) {
			struct urivet_address_rule rule = {.network = network(rows[k].network)};
			rule.network.address[4] |= rule.network.octets == 4 ? 0x80 : 0; /* IPv4 uses the first 4 octets */
			struct urivet_policy p = with_addresses(URIVET_STRICT, &rule, 1, sorted);
			struct urivet_report r;
			memset(&r, 0xa5, sizeof r); /* the octets after an address are arbitrary */
			judge(&r, rows[k].uri, strlen(rows[k].uri), &p);
			cr_expect(is_valid(&p) && (r.address_rule == &rule) == rows[k].holds, "%s, %s", rows[k].network,
			          rows[k].uri);
		}
}

/* An IPv4 address has 32 bits: a network with a longer prefix is invalid and contains nothing. */
Test(lists, no_such_prefix)
{
	for (unsigned length = 33; length < 256; length++)
		for (unsigned sorted = 0; sorted < 2; sorted++) {
			const struct urivet_address_rule rule = {
			    .network = {{100}, 4, (uint8_t)length}};
			struct urivet_policy p = with_addresses(URIVET_STRICT, &rule, 1, sorted);
			struct urivet_report r;
			judge(&r, LITERAL("http://100.0.0.0/"), &p);
			cr_expect(r.address_rule == NULL && r.verdict == URIVET_ACCEPT, "%u", length);
		}
}

/* The list ends at its count: an unreadable page follows. */
Test(lists, sorted_lists_that_end_at_a_page)
{
	static const struct {
		const char *uri;
		int rule; /* -1: no rule */
	} rows[] = {
	    {"http://192.0.2.1/", 0},     {"http://192.0.2.2/", 1},     {"http://192.0.2.3/", -1},
	    {"http://[2001:db8::1]/", 2}, {"http://[2001:db9::1]/", 3}, {"http://[2001:db9::2]/", -1},
	};
	const struct urivet_address_rule rules[] = {{.network = network("192.0.2.1")},
	                                            {.network = network("192.0.2.2")},
	                                            {.network = network("2001:db8::/32")},
	                                            {.network = network("2001:db9::1")}};
	for (uint32_t count = 0; count <= 4; count++)
		for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
			const struct urivet_address_rule *list = at_edge(rules, count * sizeof rules[0]);
			const bool there = rows[k].rule >= 0 && (uint32_t)rows[k].rule < count;
			struct urivet_report r;
			struct urivet_policy p = with_addresses(URIVET_STRICT, list, count, true);
			urivet_check(&r, rows[k].uri, strlen(rows[k].uri), &p);
			cr_expect(r.address_rule == (there ? &list[rows[k].rule] : NULL), "%s, %u",
			          rows[k].uri, count);
		}
}

/* A rule allows a name as a name, and not the address that it spells. */
Test(lists, an_allowed_name_that_spells_an_address)
{
	struct urivet_host_rule rule = host_rule_of(".org", URIVET_ALLOW);
	struct urivet_policy p = with_hosts(URIVET_PUBLIC, &rule, 1, false, true);
	struct urivet_report r;
	judge(&r, LITERAL("http://a.1.2.3.4.org/"), &p);
	cr_expect_str_eq(ids_of(&r), "host-embeds-ip", "%s", ids_of(&r));
	cr_expect(r.host_rule == &rule);
	judge(&r, LITERAL("http://0a000001.org/"), &p);
	cr_expect(r.count == 0, "%s", ids_of(&r));
}

/* A denied address is not allowed either. */
Test(lists, a_denied_address_where_only_what_is_listed_is_allowed)
{
	struct urivet_address_rule rule = {.network = network("192.0.2.66")};
	struct urivet_policy p = with_addresses(URIVET_STRICT, &rule, 1, false);
	struct urivet_report r;
	p.hosts.only = true;
	judge(&r, LITERAL("http://192.0.2.66/"), &p);
	cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) && finding_in(&r, URIVET_F_HOST_NOT_ALLOWED),
	          "%s", ids_of(&r));
	rule.action = URIVET_ALLOW;
	cr_expect(judge(&r, LITERAL("http://192.0.2.66/"), &p) == URIVET_ACCEPT);
}

/* A name that continues with a NUL is another name. */
Test(lists, names_that_go_on_with_nul)
{
	const struct urivet_host_rule rules[] = {host_rule_of("b.org", URIVET_DENY),
						 host_rule_of("c.org", URIVET_DENY)};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	for (unsigned sorted = 0; sorted < 2; sorted++) {
		p.hosts = (struct urivet_host_list){rules, 2, sorted == 1, false};
		judge(&r, LITERAL("http://b.org/"), &p);
		cr_expect(r.host_rule == &rules[0]);
		judge(&r, LITERAL("http://b.org\0/"), &p);
		cr_expect(r.host_rule == NULL && finding_in(&r, URIVET_F_HOST_DENIED) == NULL);
		judge(&r, LITERAL("http://b.org\1/"), &p);
		cr_expect(r.host_rule == NULL);
		judge(&r, LITERAL("http://\0b.org/"), &p);
		cr_expect(r.host_rule == NULL);
	}
}

/* ---- The deciding rule, compared with that of lists of one rule ------------------------------- */

#define MOST 60
#define NAME 32

/* Writes a random name; few labels, so that names match often. */
static void random_name(char *name)
{
	static const char *const labels[] = {"a",   "b", "c", "aa", "ab",
					     "a-b", "A", "B", "x1", "a_"};
	const unsigned count = random_number() % 4 + 1;
	name[0] = '\0';
	for (unsigned k = 0; k < count; k++) {
		strcat(name, k > 0 ? "." : "");
		strcat(name, labels[random_number() % 10]);
	}
}

/* Returns true if the rule matches the name: as a list of it alone. */
static bool alone_decides(const struct urivet_host_rule *r, const char *uri, int length)
{
	struct urivet_host_rule rule = *r;
	struct urivet_report report;
	rule.action = r->action == URIVET_EXCEPT ? URIVET_ALLOW : r->action;
	rule.above = 0;
	struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, false, false);
	judge(&report, uri, (size_t)length, &p);
	return report.host_rule != NULL;
}

/* Makes the rule an exception from denials of the name after its first label, if it has two. */
static void make_exception(struct urivet_host_rule *r)
{
	const char *dot = memchr(r->name, '.', r->length);
	if (dot == NULL)
		return;
	r->action = URIVET_EXCEPT;
	r->above = (uint8_t)(r->length - (size_t)(dot - r->name) - 1);
}

/* Returns true if an exception of the list lifts the denial from the name, which it matches. */
static bool lifts(const struct urivet_host_rule *rules, uint32_t count, const struct urivet_host_rule *denial, const char *uri, int length)
{
	for (uint32_t k = 0; k < count; k++)
		if (rules[k].action == URIVET_EXCEPT && rules[k].above == denial->length - (denial->name[denial->length - 1] == '.') &&
		    alone_decides(&rules[k], uri, length))
			return true;
	return false;
}

/* Returns 1 if a rule allows the name and none denies it, 0 if one denies it, or -1. */
static int answer_for_host(const struct urivet_host_rule *rules, uint32_t count, const char *name)
{
	int answer = -1;
	char uri[NAME + 16];
	const int length = sprintf(uri, "http://%s/", name);
	for (uint32_t k = 0; k < count; k++)
		if (rules[k].action != URIVET_EXCEPT && alone_decides(&rules[k], uri, length) &&
		    (rules[k].action == URIVET_ALLOW || !lifts(rules, count, &rules[k], uri, length)))
			answer = rules[k].action == URIVET_ALLOW && answer != 0 ? 1 : 0;
	return answer;
}

static void expect_host(const struct urivet_policy *p, const char *name, int answer)
{
	struct urivet_report r;
	char uri[NAME + 16];
	const int length = sprintf(uri, "http://%s/", name);
	const struct urivet_host_rule *rule;
	judge(&r, uri, (size_t)length, p);
	rule = r.host_rule;
	cr_assert((rule == NULL ? -1 : rule->action == URIVET_ALLOW) == answer, "%s: %d", uri,
		  answer);
	cr_assert(rule == NULL || alone_decides(rule, uri, length), "%s", uri);
	cr_assert((finding_in(&r, URIVET_F_HOST_DENIED) != NULL) == (answer == 0), "%s", uri);
	cr_assert((finding_in(&r, URIVET_F_HOST_NOT_ALLOWED) != NULL) ==
		      (p->hosts.only && answer != 1),
		  "%s", uri);
	cr_assert(r.verdict == URIVET_REJECT || answer == 1 || (!p->hosts.only && answer == -1));
}

/* Returns the same policy with an index of its lists, valid until the next call. */
static struct urivet_policy with_index(const struct urivet_policy *policy)
{
	static uint64_t words[URIVET_INDEX_WORDS(MOST)];
	struct urivet_policy p = *policy;
	const size_t rules = p.hosts.count + p.addresses.count;
	const uint64_t seal = p.seal;
	cr_assert(urivet_policy_finish(&p, words, sizeof words / sizeof words[0]));
	cr_assert(rules == 0 || (p.index == words && p.index_count == URIVET_INDEX_WORDS(rules)));
	cr_assert((p.index == words) == (rules > 0));
	p.seal = seal != 0 ? p.seal : 0;
	return p;
}

Test(lists, hosts_as_each_rule_alone)
{
	static char names[MOST][NAME];
	unsigned decided[3] = {0};
	for (unsigned round = 0; round < 1000 / sample(); round++) {
		struct urivet_host_rule rules[MOST], in_order[MOST];
		const uint32_t count = random_number() % MOST;
		struct urivet_policy p = built_in(URIVET_STRICT), q = built_in(URIVET_STRICT), s, i;
		const struct urivet_policy *const forms[] = {&p, &q, &s, &i};
		for (uint32_t k = 0; k < count; k++) {
			random_name(names[k]);
			rules[k] = (struct urivet_host_rule){{names[k]}, (uint32_t)strlen(names[k]),
							     (uint8_t)(random_number() % 4),
							     (uint8_t)(random_number() % 3 > 0), k, 0};
			if (random_number() % 4 == 0)
				make_exception(&rules[k]);
		}
		for (uint32_t k = 0; k < count; k++) /* an equal rule */
			if (random_number() % 4 == 0)
				rules[k].length = (uint32_t)strlen(strcat(names[k], "."));
		memcpy(in_order, rules, sizeof rules);
		qsort(in_order, count, sizeof rules[0], urivet_order(URIVET_LIST_HOSTS));
		p.hosts = (struct urivet_host_list){rules, count, false, random_number() % 2 == 0};
		q.hosts = (struct urivet_host_list){in_order, count, true, p.hosts.only};
		s = q;
		cr_assert(is_valid(&p) && is_valid(&q));
		cr_assert(urivet_policy_finish(&s, NULL, 0) && s.seal != 0);
		i = with_index(round % 2 ? &p : &s);
		for (unsigned k = 0; k < 50; k++) {
			char name[NAME];
			int answer;
			random_name(name);
			answer = answer_for_host(rules, count, name);
			decided[answer + 1]++;
			for (unsigned form = 0; form < 4; form++)
				expect_host(forms[form], name, answer);
		}
	}
	cr_expect(decided[0] > 5000 / sample() && decided[1] > 5000 / sample() && decided[2] > 5000 / sample(), "%u %u %u",
		  decided[0], decided[1], decided[2]);
}

/* Returns a random network; few bits, so that blocks overlap often. */
static struct urivet_network random_network(void)
{
	struct urivet_network n = {{0}, random_number() % 2 ? 4 : 16, 0};
	n.length = (uint8_t)(random_number() % (n.octets == 4 ? 33 : 129));
	if (random_number() % 2)
		n.length = (uint8_t)(8u * n.octets - random_number() % 4);
	n.address[n.octets - 1] = random_number() & 7;
	n.address[0] = (uint8_t)(random_number() & 0xc0);
	for (unsigned bit = n.length; bit < 128; bit++)
		n.address[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
	return n;
}

/* Writes a URL of the address. Returns its length. */
static int url_of(char uri[80], const uint8_t *address, unsigned octets)
{
	struct urivet_uri host = {.host_kind = octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6,
				  .has_ipv4 = octets == 4};
	char text[64];
	memcpy(host.address, address, octets);
	urivet_format_address(text, sizeof text, &host);
	return sprintf(uri, octets == 4 ? "http://%s/" : "http://[%s]/", text);
}

/* Returns true if the rule matches the address: as a list of it alone. */
static bool alone_holds(const struct urivet_address_rule *r, const char *uri, int length)
{
	struct urivet_policy p = with_addresses(URIVET_STRICT, r, 1, false);
	struct urivet_report report;
	judge(&report, uri, (size_t)length, &p);
	return report.address_rule != NULL;
}

static int answer_for_address(const struct urivet_address_rule *rules, uint32_t count,
			      const uint8_t *address, unsigned octets)
{
	int answer = -1;
	char uri[80];
	const int length = url_of(uri, address, octets);
	for (uint32_t k = 0; k < count; k++)
		if (alone_holds(&rules[k], uri, length))
			answer = rules[k].action == URIVET_ALLOW && answer != 0 ? 1 : 0;
	return answer;
}

static void expect_address(const struct urivet_policy *p, const uint8_t *address, unsigned octets,
			   int answer)
{
	struct urivet_report r;
	char uri[80];
	const int length = url_of(uri, address, octets);
	judge(&r, uri, (size_t)length, p);
	cr_assert((r.address_rule == NULL ? -1 : r.address_rule->action == URIVET_ALLOW) == answer,
		  "%s: %d", uri, answer);
	cr_assert(r.address_rule == NULL || alone_holds(r.address_rule, uri, length));
	cr_assert((finding_in(&r, URIVET_F_ADDR_DENIED) != NULL) == (answer == 0), "%s", uri);
	cr_assert((finding_in(&r, URIVET_F_HOST_NOT_ALLOWED) != NULL) ==
		      (p->hosts.only && answer != 1),
		  "%s", uri);
}

Test(lists, addresses_as_each_rule_alone)
{
	unsigned decided[3] = {0};
	for (unsigned round = 0; round < 1000 / sample(); round++) {
		struct urivet_address_rule rules[MOST], in_order[MOST];
		const uint32_t count = random_number() % MOST;
		struct urivet_policy p = built_in(URIVET_STRICT), q = built_in(URIVET_STRICT), s, i;
		const struct urivet_policy *const forms[] = {&p, &q, &s, &i};
		for (uint32_t k = 0; k < count; k++)
			rules[k] = (struct urivet_address_rule){random_network(),
								(uint8_t)(random_number() % 3 > 0), k};
		memcpy(in_order, rules, sizeof rules);
		qsort(in_order, count, sizeof rules[0], urivet_order(URIVET_LIST_ADDRESSES));
		p.addresses = (struct urivet_address_list){rules, count, false};
		p.hosts.only = random_number() % 2 == 0;
		q.addresses = (struct urivet_address_list){in_order, count, true};
		q.hosts.only = p.hosts.only;
		s = q;
		cr_assert(is_valid(&p) && is_valid(&q));
		cr_assert(urivet_policy_finish(&s, NULL, 0) && s.seal != 0);
		i = with_index(round % 2 ? &p : &s);
		for (unsigned k = 0; k < 50; k++) {
			struct urivet_network n = random_network();
			int answer;
			n.address[n.octets - 1] ^= (uint8_t)(random_number() & 1);
			if (n.octets == 16) /* without an embedded address, which would be judged too */
				n.address[8] = 1;
			answer = answer_for_address(rules, count, n.address, n.octets);
			decided[answer + 1]++;
			for (unsigned form = 0; form < 4; form++)
				expect_address(forms[form], n.address, n.octets, answer);
		}
	}
	cr_expect(decided[0] > 5000 / sample() && decided[1] > 5000 / sample() && decided[2] > 5000 / sample(), "%u %u %u",
		  decided[0], decided[1], decided[2]);
}

/* ---- Long lists ------------------------------------------------------------------------ */

#define LONG 100000

/* If each look-up read the whole list, or each verdict checked its order, this would take
 * minutes. */
Test(lists, a_hundred_thousand_rules)
{
	static char names[LONG][24];
	static struct urivet_host_rule hosts[LONG];
	static struct urivet_address_rule addresses[LONG];
	struct urivet_policy p = with_hosts(URIVET_STRICT, hosts, LONG, true, true);
	for (uint32_t k = 0; k < LONG; k++) {
		sprintf(names[k], "h%u.example.com", k);
		hosts[k] = (struct urivet_host_rule){{names[k]}, (uint32_t)strlen(names[k]),
						     URIVET_SCOPE_TREE,
						     k % 2 ? URIVET_ALLOW : URIVET_DENY, k, 0};
		addresses[k] = (struct urivet_address_rule){
		    {{10, (uint8_t)(k >> 16), (uint8_t)(k >> 8), (uint8_t)k}, 4, 32},
		    k % 2 ? URIVET_ALLOW : URIVET_DENY,
		    k};
	}
	qsort(hosts, LONG, sizeof hosts[0], urivet_order(URIVET_LIST_HOSTS));
	qsort(addresses, LONG, sizeof addresses[0], urivet_order(URIVET_LIST_ADDRESSES));
	p.addresses = (struct urivet_address_list){addresses, LONG, true};
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	for (uint32_t k = 0; k < LONG + 1000; k++) {
		const bool there = k < LONG;
		struct urivet_report r;
		char uri[64];
		int length = sprintf(uri, "https://www.H%u.example.com/", k);
		urivet_check(&r, uri, (size_t)length, &p);
		cr_assert((r.host_rule != NULL) == there && (!there || r.host_rule->tag == k));
		cr_assert(r.verdict == (there && k % 2 ? URIVET_ACCEPT : URIVET_REJECT), "%s", uri);
		length = sprintf(uri, "https://10.%u.%u.%u/", k >> 16, k >> 8 & 255, k & 255);
		urivet_check(&r, uri, (size_t)length, &p);
		cr_assert((r.address_rule != NULL) == there &&
			  (!there || r.address_rule->tag == k));
		cr_assert(r.verdict == (there && k % 2 ? URIVET_ACCEPT : URIVET_REJECT), "%s", uri);
	}
}

/* ---- Lists marked as sorted ------------------------------------------------------------ */

/* Checks that the policy is found to be unusable, and that nothing is accepted. */
static void expect_found_out(const struct urivet_policy *p, const char *what)
{
	static const char *const uris[] = {"http://www.example.org/", "http://a.example/", "",
					   "http://192.0.2.1/", "http://[2001:db8::1]/", "x"};
	struct urivet_policy q = *p;
	struct urivet_report r;
	cr_expect(!is_valid(p), "%s", what);
	cr_expect(!urivet_policy_finish(&q, NULL, 0) && memcmp(p, &q, sizeof q) == 0, "%s", what);
	for (size_t k = 0; k < sizeof uris / sizeof uris[0]; k++) {
		cr_expect(judge(&r, uris[k], strlen(uris[k]), p) == URIVET_REJECT, "%s", what);
		cr_expect_str_eq(ids_of(&r), "policy-invalid", "%s: %s", what, uris[k]);
		cr_expect(urivet_reason(&r, p) == URIVET_REASON_NOT_ALLOWED);
		cr_expect(urivet_finding_refuses(&r, &r.finding[0], p));
	}
	check_target(&r, TEXT("/"), TEXT("www.example.org"), p, NULL);
	cr_expect(r.verdict == URIVET_REJECT && finding_in(&r, URIVET_F_POLICY_INVALID) != NULL);
	judge(&r, LITERAL("http://www.example.org/"), NULL);
	cr_expect(r.verdict == URIVET_ACCEPT);
	cr_expect(urivet_add_finding(&r, URIVET_F_PATH_EMPTY, URIVET_PATH,
				     (struct urivet_span){0, 0}, p) == URIVET_REJECT);
}

/* Checks that the policy is in order, unsealed and sealed. */
static void expect_in_order(const struct urivet_policy *p, const char *what)
{
	struct urivet_policy q = *p;
	struct urivet_report r;
	cr_expect(is_valid(p), "%s", what);
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal != 0, "%s", what);
	cr_expect(judge(&r, LITERAL("http://www.example.org/"), p) == URIVET_ACCEPT, "%s", what);
	cr_expect(judge(&r, LITERAL("http://www.example.org/"), &q) == URIVET_ACCEPT, "%s", what);
}

#define FEW     5u
#define ORDERS  120u

/* Computes the n-th permutation of a few numbers; number 0 is the identity. */
static void permute(unsigned order[FEW], unsigned n)
{
	unsigned left[FEW] = {0, 1, 2, 3, 4};
	for (unsigned k = 0; k < FEW; k++) {
		const unsigned at = n % (FEW - k);
		n /= FEW - k;
		order[k] = left[at];
		memmove(left + at, left + at + 1, (FEW - at - 1) * sizeof left[0]);
	}
}

/* Sorted by octets in lower case, a prefix before the longer name. */
static const char *const few_hosts[FEW] = {"a-b.example", "a.example", "A.EXAMPLE.com.", "b",
					   "c.example."};
/* Sorted by family, length, prefix. */
static const char *const few_networks[FEW] = {"10.0.0.0/8", "198.0.0.0/8", "192.0.2.66",
					      "2001:db8:5::/48", "::1"};

Test(lists, every_order_of_a_few_rules)
{
	for (unsigned n = 0; n < ORDERS; n++)
		for (uint32_t count = 2; count <= FEW; count++) {
			struct urivet_host_rule hosts[FEW];
			struct urivet_address_rule addresses[FEW];
			struct urivet_policy p = built_in(URIVET_STRICT), q = p;
			unsigned order[FEW];
			bool ascends = true;
			permute(order, n);
			for (uint32_t k = 0; k < count; k++) {
				const char *name = few_hosts[order[k]];
				hosts[k] = (struct urivet_host_rule){{name}, (uint32_t)strlen(name), 0, 0, 0, 0};
				addresses[k] = (struct urivet_address_rule){network(few_networks[order[k]]), 0, 0};
				ascends = ascends && (k == 0 || order[k - 1] < order[k]);
			}
			p.hosts = (struct urivet_host_list){hosts, count, true, false};
			q.addresses = (struct urivet_address_list){addresses, count, true};
			(ascends ? expect_in_order : expect_found_out)(&p, "hosts");
			(ascends ? expect_in_order : expect_found_out)(&q, "addresses");
			p.hosts.sorted = q.addresses.sorted = false;
			expect_in_order(&p, "hosts in no order");
			expect_in_order(&q, "addresses in no order");
		}
}

/* Equal rules, and rules with the same name, may stand in any order. */
Test(lists, equal_rules_are_in_order)
{
	static const struct urivet_host_rule rules[] = {{{"b.example"}, 9, URIVET_SCOPE_BELOW, URIVET_ALLOW, 0, 0},
							{{"B.Example."}, 10, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0},
							{{"b.example"}, 9, URIVET_SCOPE_BELOW, URIVET_ALLOW, 0, 0}};
	struct urivet_policy p = with_hosts(URIVET_STRICT, rules, 3, true, false);
	struct urivet_report r;
	expect_in_order(&p, "equal rules");
	cr_expect(judge(&r, LITERAL("http://a.b.example/"), &p) == URIVET_REJECT);
	cr_expect(r.host_rule == &rules[1]);
}

#define MANY 1000

/* A single misplaced rule of a thousand is found at any place. */
Test(lists, one_rule_out_of_order)
{
	static char names[MANY + 1][24];
	static struct urivet_host_rule hosts[MANY + 1];
	static struct urivet_address_rule addresses[MANY + 1];
	struct urivet_policy p = with_hosts(URIVET_STRICT, hosts, MANY + 1, true, false);
	for (uint32_t k = 0; k <= MANY; k++) {
		sprintf(names[k], "h%04u.example", k);
		hosts[k] = (struct urivet_host_rule){{names[k]}, (uint32_t)strlen(names[k]), 0, 0, k, 0};
		addresses[k] = (struct urivet_address_rule){
		    {{10, 0, (uint8_t)(k >> 8), (uint8_t)k}, 4, 32}, 0, k};
	}
	p.addresses = (struct urivet_address_list){addresses, MANY + 1, true};
	expect_in_order(&p, "all");
	hosts[MANY].name = "h0500.example"; /* appended without sorting */
	expect_found_out(&p, "a name appended");
	p.hosts.count = MANY;
	expect_in_order(&p, "all but the last");
	addresses[MANY].network.address[2] = 1;
	expect_found_out(&p, "an address appended");
	p.addresses.count = MANY;
	expect_in_order(&p, "all but the last");
	for (unsigned round = 0; round < 300; round++) {
		const uint32_t a = round < 2 ? round * (MANY - 2) : random_number() % MANY;
		const uint32_t b = round < 2 ? a + 1 : random_number() % MANY;
		const struct urivet_host_rule host = hosts[a];
		const struct urivet_address_rule address = addresses[a];
		if (a == b)
			continue;
		hosts[a] = hosts[b];
		hosts[b] = host;
		expect_found_out(&p, "two names exchanged");
		hosts[b] = hosts[a];
		hosts[a] = host;
		addresses[a] = addresses[b];
		addresses[b] = address;
		expect_found_out(&p, "two addresses exchanged");
		addresses[b] = addresses[a];
		addresses[a] = address;
	}
	expect_in_order(&p, "all as they were");
}

/* Lists are replaced after sealing. */
Test(lists, lists_exchanged_after_sealing)
{
	static const struct urivet_host_rule in_order[] = {{{"a.example"}, 9, 0, 0, 0, 0}, {{"b.example"}, 9, 0, 0, 0, 0},
							   {{"c.example"}, 9, 0, 0, 0, 0}, {{"a.b"}, 3, 0, 0, 0, 0}};
	static const struct urivet_host_rule lies[] = {{{"c.example"}, 9, 0, 0, 0, 0}, {{"a.example"}, 9, 0, 0, 0, 0},
						       {{"b.example"}, 9, 0, 0, 0, 0}};
	struct urivet_address_rule rules[] = {{network("10.0.0.0/8"), 0, 0}, {network("192.0.2.66"), 0, 0},
					      {network("192.0.2.77"), 0, 0}, {network("10.0.0.0/9"), 0, 0}};
	const struct urivet_address_rule turned[] = {rules[2], rules[1], rules[0]};
	struct urivet_policy sealed = built_in(URIVET_STRICT), p;
	struct urivet_report r;
	sealed.hosts = (struct urivet_host_list){in_order, 3, true, false};
	sealed.addresses = (struct urivet_address_list){rules, 3, true};
	cr_assert(urivet_policy_finish(&sealed, NULL, 0));
	p = sealed;
	p.hosts.rule = lies;
	expect_found_out(&p, "another list of hosts");
	p = sealed;
	p.hosts.count = 4;
	expect_found_out(&p, "a name more");
	p = sealed;
	p.addresses.rule = turned;
	expect_found_out(&p, "another list of addresses");
	p = sealed;
	p.addresses.count = 4;
	expect_found_out(&p, "an address more");
	p = sealed;
	p.hosts.rule = in_order + 1; /* a sorted list as well: used for judging, and checked each time */
	p.hosts.count = 2;
	expect_in_order(&p, "a list that is in order");
	cr_expect(judge(&r, LITERAL("http://c.example/"), &p) == URIVET_REJECT);
	cr_expect(r.host_rule == &in_order[2]);
	/* an unsorted list is not sealed */
	p = built_in(URIVET_STRICT);
	p.hosts = (struct urivet_host_list){lies, 3, false, false};
	p.addresses = (struct urivet_address_list){turned, 3, false};
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	p.hosts.sorted = true;
	expect_found_out(&p, "sorted by word alone");
	p.hosts.sorted = false;
	p.addresses.sorted = true;
	expect_found_out(&p, "sorted by word alone");
	p.addresses.sorted = false;
	p.hosts.sorted = true;
	for (p.seal = 0; p.seal < 20; p.seal++)
		expect_found_out(&p, "a seal that the caller made");
}

/* urivet_policy_finish() checks the rules themselves, again too. */
Test(lists, rules_changed_after_sealing)
{
	struct urivet_host_rule rules[] = {{{"a.example"}, 9, 0, 0, 0, 0}, {{"b.example"}, 9, 0, 0, 0, 0}};
	struct urivet_policy p = built_in(URIVET_STRICT), before;
	p.hosts = (struct urivet_host_list){rules, 2, true, false};
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	rules[0].name = "c.example";
	before = p;
	cr_expect(!is_valid(&p) && !urivet_policy_finish(&p, NULL, 0));
	cr_expect(memcmp(&p, &before, sizeof p) == 0);
	qsort(rules, 2, sizeof rules[0], urivet_order(URIVET_LIST_HOSTS));
	cr_expect(is_valid(&p) && urivet_policy_finish(&p, NULL, 0) && p.seal == before.seal);
}

/* The seal covers only the lists that have an order. */
Test(lists, what_leaves_the_seal_alone)
{
	static const struct urivet_host_rule rules[] = {{{"a.example"}, 9, 0, 0, 0, 0}, {{"b.example"}, 9, 0, 0, 0, 0}};
	struct urivet_policy p = built_in(URIVET_PUBLIC), q;
	uint64_t seal;
	cr_expect(p.seal == 0 && urivet_policy_finish(&p, NULL, 0) && p.seal != 0); /* also without lists */
	p.hosts = (struct urivet_host_list){rules, 2, true, false};
	cr_assert(urivet_policy_finish(&p, NULL, 0));
	seal = p.seal;
	cr_expect(urivet_policy_waive(&p, URIVET_F_DOT_SEGMENT) &&
		  urivet_policy_raise(&p, URIVET_F_PATH_EMPTY) && p.seal == seal);
	q = p;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal == seal);
	q.hosts.only = true;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal == seal);
	q.hosts.sorted = false;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal != seal);
	q = p;
	q.hosts.count = 1;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal != seal);
	q = p;
	q.addresses.sorted = true;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal != seal);
	q.hosts.sorted = false;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal != seal);
	cr_expect(!urivet_policy_finish(NULL, NULL, 0));
}

/* An invalid rule is found when the policy is validated. It does not prevent judging. */
Test(lists, rules_that_mean_nothing)
{
	static const struct {
		struct urivet_host_rule rule;
		bool good;
	} hosts[] = {
	    {{{"a.example"}, 9, URIVET_SCOPE_BELOW, URIVET_ALLOW, 0, 0}, true},
	    {{{"_A-b.X1"}, 7, 0, 0, 0, 0}, true},
	    {{{"a.example."}, 10, 0, 0, 0, 0}, true},
	    {{{"a.example.."}, 11, 0, 0, 0, 0}, false},
	    {{{".a.example"}, 10, 0, 0, 0, 0}, false},
	    {{{"*.example"}, 9, 0, 0, 0, 0}, false},
	    {{{"http://a"}, 8, 0, 0, 0, 0}, false},
	    {{{"a b"}, 3, 0, 0, 0, 0}, false},
	    {{{"192.0.2.1"}, 9, 0, 0, 0, 0}, false},
	    {{{"."}, 1, 0, 0, 0, 0}, false},
	    {{{"a"}, 0, 0, 0, 0, 0}, false},
	    {{{NULL}, 0, 0, 0, 0, 0}, false},
	    {{{NULL}, 9, 0, 0, 0, 0}, false}, {{{NULL}, UINT32_MAX, 0, 0, 0, 0}, false},
	    {{{"a.example"}, 9, URIVET_SCOPE_LABEL, 0, 0, 0}, true},
	    {{{"a.example"}, 9, 4, 0, 0, 0}, false},
	    {{{"a.example"}, 9, 0, URIVET_EXCEPT, 0, 7}, true},
	    {{{"a.example."}, 10, 0, URIVET_EXCEPT, 0, 7}, true},
	    {{{"a.example"}, 9, 0, URIVET_EXCEPT, 0, 0}, false},
	    {{{"a.example"}, 9, 0, URIVET_EXCEPT, 0, 6}, false},
	    {{{"a.example"}, 9, 0, URIVET_EXCEPT, 0, 9}, false},
	    {{{"a.example"}, 9, 0, URIVET_EXCEPT, 0, 255}, false},
	    {{{"a.example"}, 9, 0, URIVET_ALLOW, 0, 7}, false},
	    {{{"a.example"}, 9, 0, URIVET_DENY, 0, 7}, false},
	    {{{"a.example"}, 9, 255, 0, 0, 0}, false},
	    {{{"a.example"}, 9, 0, 3, 0, 0}, false},
	    {{{"a.example"}, 9, 0, 255, 0, 0}, false},
	};
	for (size_t k = 0; k < sizeof hosts / sizeof hosts[0]; k++)
		for (unsigned sorted = 0; sorted < 2; sorted++) {
			struct urivet_policy p = built_in(URIVET_STRICT), before;
			struct urivet_report r;
			p.hosts = (struct urivet_host_list){&hosts[k].rule, 1, sorted == 1, false};
			before = p;
			cr_expect(is_valid(&p) == hosts[k].good, "%zu", k);
			cr_expect((urivet_compiled_write(NULL, 0, &p, urivet_text_of(NULL, 0)) > 0) == hosts[k].good, "%zu", k);
			cr_expect(hosts[k].rule.name != NULL || urivet_host_rule_name(&hosts[k].rule).length == 0);
			cr_expect(urivet_policy_finish(&p, NULL, 0) == hosts[k].good, "%zu", k);
			cr_expect(hosts[k].good || memcmp(&p, &before, sizeof p) == 0);
			cr_expect(judge(&r, LITERAL("http://www.example.org/"), &p) == URIVET_ACCEPT);
		}
}

Test(lists, addresses_and_ports_that_mean_nothing)
{
	static const struct {
		struct urivet_address_rule rule;
		bool good;
	} addresses[] = {
	    {{{{10}, 4, 8}, URIVET_ALLOW, 0}, true},    {{{{10}, 4, 33}, 0, 0}, false},
	    {{{{10}, 4, 7}, 0, 0}, true},               {{{{11}, 4, 7}, 0, 0}, false},
	    {{{{10}, 5, 8}, 0, 0}, false},              {{{{0}, 0, 0}, 0, 0}, false},
	    {{{{10}, 16, 128}, 0, 0}, true},            {{{{10}, 16, 129}, 0, 0}, false},
	    {{{{0}, 4, 0}, 2, 0}, false},               {{{{10, 0, 0, 0, 1}, 4, 8}, 0, 0}, true},
	    {{{{[15] = 1}, 16, 127}, 0, 0}, false},     {{{{[15] = 1}, 16, 128}, 0, 0}, true},
	    {{{{10}, 255, 8}, 0, 0}, false},            {{{{10}, 4, 255}, 0, 0}, false},
	};
	static const struct {
		struct urivet_port_rule rule;
		bool good;
	} ports[] = {
	    {{4, 80, 80, 0}, true}, {{4, 0, 65535, 0}, true}, {{4, 81, 80, 0}, false}, {{0, 80, 80, 0}, true},
	};
	for (size_t k = 0; k < sizeof addresses / sizeof addresses[0]; k++) {
		struct urivet_policy p = with_addresses(URIVET_STRICT, &addresses[k].rule, 1,
							false);
		cr_expect(is_valid(&p) == addresses[k].good, "%zu", k);
		cr_expect(urivet_policy_finish(&p, NULL, 0) == addresses[k].good, "%zu", k);
	}
	for (size_t k = 0; k < sizeof ports / sizeof ports[0]; k++) {
		struct urivet_policy p = built_in(URIVET_STRICT);
		p.ports = &ports[k].rule;
		p.port_count = 1;
		cr_expect(is_valid(&p) == ports[k].good, "%zu", k);
		cr_expect(urivet_policy_finish(&p, NULL, 0) == ports[k].good, "%zu", k);
	}
}

/* RFC 6052, 2.2: "one of the following prefix lengths: 32, 40, 48, 56, 64, or 96". */
Test(lists, lengths_of_prefixes_of_translators)
{
	for (unsigned octets = 0; octets < 256; octets++)
		for (unsigned k = 0; k < 512; k++) {
			const unsigned length = k % 256, bit = k / 256; /* after every such prefix */
			const struct urivet_network n = {{[12] = (uint8_t)bit}, (uint8_t)octets, (uint8_t)length};
			const bool good = octets == 16 && bit == 0 && (length == 32 || length == 40 || length == 48 ||
								       length == 56 || length == 64 || length == 96);
			struct urivet_policy p = built_in(URIVET_PUBLIC);
			p.nat64 = &n;
			p.nat64_count = 1;
			cr_expect(is_valid(&p) == good, "%u/%u, %u", octets, length, bit);
		}
}

/* One invalid rule among valid ones, in each place. */
Test(lists, each_rule_is_looked_at)
{
	for (unsigned bad = 0; bad <= 4; bad++) { /* 4: no invalid rule */
		struct urivet_host_rule hosts[4];
		struct urivet_address_rule addresses[4];
		struct urivet_port_rule ports[4];
		struct urivet_network nat64[4];
		for (unsigned k = 0; k < 4; k++) {
			hosts[k] = (struct urivet_host_rule){{k == bad ? "-" : "a"}, 1, 0, 0, 0, 0};
			addresses[k] = (struct urivet_address_rule){{{0}, k == bad ? 6 : 4, 0}, 0, 0};
			ports[k] = (struct urivet_port_rule){4, 9, k == bad ? 8 : 10, 0};
			nat64[k] = (struct urivet_network){{0}, 16, k == bad ? 33 : 32};
		}
		for (unsigned list = 0; list < 4; list++) {
			struct urivet_policy p = built_in(URIVET_STRICT);
			if (list == 0)
				p.hosts = (struct urivet_host_list){hosts, 4, false, false};
			if (list == 1)
				p.addresses = (struct urivet_address_list){addresses, 4, false};
			p.ports = ports;
			p.port_count = list == 2 ? 4 : 0;
			p.nat64 = nat64;
			p.nat64_count = list == 3 ? 4 : 0;
			cr_expect(is_valid(&p) == (bad == 4), "%u, %u", list, bad);
		}
	}
}

/* ---- Final dots ------------------------------------------------------------------------- */

/* A rule that a program filled in itself matches the same with a final dot and without. */
Test(lists, hand_made_rules_with_final_dots)
{
	static const struct {
		enum urivet_scope scope;
		bool itself, below;
	} scopes[] = {{URIVET_SCOPE_TREE, true, true}, {URIVET_SCOPE_HOST, true, false}, {URIVET_SCOPE_BELOW, false, true}};
	static const char *const spelled[] = {"evil.com", "evil.com.", "EVIL.Com."};
	static const char *const denied[] = {"http://evil.com/", "http://evil.com./",
					    "http://a.evil.com/"};
	for (unsigned k = 0; k < 3; k++)
		for (unsigned n = 0; n < 3; n++)
			for (unsigned sorted = 0; sorted < 2; sorted++) {
				const struct urivet_host_rule rule = {
				    {spelled[n]}, (uint32_t)strlen(spelled[n]), (uint8_t)scopes[k].scope, URIVET_DENY, 0, 0};
				struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, sorted,
								    false);
				struct urivet_report r;
				for (unsigned u = 0; u < 3; u++) {
					judge(&r, denied[u], strlen(denied[u]), &p);
					cr_expect((finding_in(&r, URIVET_F_HOST_DENIED) != NULL) ==
						  (u < 2 ? scopes[k].itself : scopes[k].below));
				}
				expect_all(&p, URIVET_ACCEPT, "http://xevil.com/ "
					   "http://evil.com.example/");
			}
}

/* A rule of one or two dots is invalid. */
Test(lists, hand_made_rules_of_dots)
{
	static const char *const names[] = {"evil.com..", ".", "..", ""};
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
		for (unsigned sorted = 0; sorted < 2; sorted++) {
			const struct urivet_host_rule rule = {{names[k]}, (uint32_t)strlen(names[k]), 0, URIVET_DENY, 0, 0};
			struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, sorted, false);
			struct urivet_report r;
			cr_expect(!is_valid(&p), "%s", names[k]);
			judge(&r, LITERAL("http://evil.com/"), &p);
			cr_expect(r.host_rule == NULL, "%s", names[k]);
		}
}

/* A name of the greatest length, at the edge of a page, with a final dot and without. */
Test(lists, hand_made_rules_at_the_edge)
{
	size_t n;
	for (unsigned dot = 0; dot < 2; dot++) {
		const char *const pattern = dot ? "{a.*126}a." : "{a.*126}a";
		const char *const long_name = expand(pattern, strlen(pattern), &n);
		struct urivet_host_rule rule = {{at_edge(long_name, n)}, (uint32_t)n, 0, 0, 0, 0};
		struct urivet_policy p = with_hosts(URIVET_STRICT, &rule, 1, true, false);
		cr_expect(n == 253 + dot && is_valid(&p));
		rule.name++; /* begins with a dot */
		rule.length--;
		cr_expect(!is_valid(&p));
		rule.name++;
		rule.length--;
		cr_expect(is_valid(&p));
	}
}

/* ---- How allowances combine with the policy -------------------------------------------- */

static void add_host(struct urivet_policy *p, struct urivet_host_rule *rules, const char *text,
		     enum urivet_action action)
{
	rules[p->hosts.count++] = host_rule_of(text, action);
	p->hosts.rule = rules;
}

static void add_address(struct urivet_policy *p, struct urivet_address_rule *rules,
			const char *text, enum urivet_action action)
{
	rules[p->addresses.count++] = address_rule_of(text, action);
	p->addresses.rule = rules;
}

/* Rules about addresses match every spelling of an address that `public` knows, with any policy;
 * below a domain that spells no addresses, such digits are only digits. */
Test(lists, spelled_addresses)
{
	static const char *const denied[] = {
	    "http://10-1-2-3.nip.io/",        "http://a.10.1.2.3.example.net/",
	    "http://0a010203.nip.io/",        "http://x-0A010203.8-8-8-8.nip.io/",
	    "http://fe80--1.sslip.io/",       "http://www-fe80-a--b.sslip.io/",
	    "http://fe-ab--cd.nip.io/",       "http://fe-ab--cd.backname.io/",
	    "http://64-ff9b--a01-203.nip.io", "http://2002-a01-203--1.sslip.io/",
	    "http://cafebabe.nip.io/",        "http://8-8-8-8.cafebabe.nip.io/",
	    "http://fe80-1-2-3-4-5-6-7.nip.io/", "http://2606-4700--8.8.8.8.sslip.io/",
	    "http://2606-4700--8.8.8.8x.sslip.io/",
	};
	static const char *const others[] = {
	    "http://0a010203.example.net/",   "http://fe80--1.example.net/",
	    "http://cafebabe.example.net/",   "http://cafebab.nip.io/",
	    "http://0b010203.nip.io/",        "http://feb0--1.sslip.io/",
	    "http://xfe80--1.sslip.io/",      "http://nip.io/",
	    "http://0a010203nip.io/",         "http://2606-4700--8.8.8.9.sslip.io/",
	};
	struct urivet_host_rule names[8];
	struct urivet_address_rule rules[8];
	struct urivet_policy p = built_in(URIVET_STRICT);
	add_address(&p, rules, "10.0.0.0/8", URIVET_DENY);
	add_address(&p, rules, "202.254.186.190", URIVET_DENY);
	add_address(&p, rules, "fe80::/16", URIVET_DENY);
	add_address(&p, rules, "fe:ab::cd", URIVET_DENY);
	add_address(&p, rules, "2606:4700::808:808", URIVET_DENY);
	for (unsigned listed = 0; listed < 2; listed++) {
		/* a name that a rule allows: the denial of its address holds all the same */
		for (size_t k = 0; k < sizeof denied / sizeof denied[0]; k++) {
			struct urivet_report r;
			expect_all(&p, URIVET_REJECT, denied[k]);
			judge(&r, denied[k], strlen(denied[k]), &p);
			cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) != NULL, "%s: %s", denied[k],
				  ids_of(&r));
			cr_expect(r.address_rule != NULL && r.address_rule->action == URIVET_DENY, "%s",
				  denied[k]);
		}
		for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
			expect_all(&p, URIVET_ACCEPT, others[k]);
		add_host(&p, names, ".io", URIVET_ALLOW);
		add_host(&p, names, ".net", URIVET_ALLOW);
	}
	p = built_in(URIVET_PUBLIC);
	add_host(&p, names, ".nip.io", URIVET_ALLOW);
	add_address(&p, rules, "10.0.0.0/8", URIVET_DENY);
	add_address(&p, rules, "10.0.0.1", URIVET_ALLOW);
	expect_all(&p, URIVET_ACCEPT, "http://7f000001.nip.io/ http://fe80--1.nip.io/");
	expect_all(&p, URIVET_REJECT, "http://10-0-0-1.nip.io/ http://64-ff9b--a00-1.nip.io/ http://0--ffff-a00-1.nip.io/ "
		    "http://7f000001.sslip.io/");
	p.addresses.count = 0;
	cr_assert(urivet_policy_raise(&p, URIVET_F_HOST_EMBEDS_IP));
	expect_all(&p, URIVET_REJECT, "http://10-0-0-1.nip.io/ http://0a000001.nip.io/ http://fe80--1.nip.io/");
}

/* Below a domain whose names spell addresses, the rest of the name must be a word; otherwise the
 * destination is unknown. Without rules about addresses this is not checked. */
Test(lists, what_is_left_of_a_spelled_address)
{
	static const char *const known[] = {
	    "http://2606-4700-1-1-1-1-8.8.8.8.sslip.io/", "http://APP-8-8-8-8.nip.io/",
	    "http://8-8-8-8.nip.io/", "http://app.8.8.8.8.nip.io/", "http://a.8.8.8.8.nip.io/",
	    "http://my-app2-8-8-8-8.sslip.io/", "http://2606-4700-4700--1111.sslip.io/",
	    "http://2606-4700-4700-1-2-3-4-1111.sslip.io/", "http://2606-4700--8.8.8.8.sslip.io/",
	    "http://8-8-8-8.cafebabe.nip.io/",
	    "http://make-8-8-8-8-and-1.1.1.1-rebind-9-9-9-9-rr.1u.ms/",
	    "http://08080808.01010101.rbndr.us/",
	};
	static const char *const unknown[] = {
	    "http://cafe.nip.io/", "http://8-8-8-8-9-9-9-9-1-1-1-1.nip.io/", "http://8-8-8-8-.nip.io/",
	    "http://make.08080808.01010101.rbndr.us/", "http://1-1-1-1234.nip.io/", "http://8-8-8.8.nip.io/", "http://8.8.8-8.nip.io/",
	    "http://8-8-8-8.a1.nip.io/", "http://8-8-8-8.1a.nip.io/",
	    "http://8-8-8-8-a.nip.io/", "http://a-8-8-8-8.nip.io/",
	    "http://8-8-8-8.12345.nip.io/", "http://8-8-8-8.1time.nip.io/",
	    "http://8-8-8-8.x--1.nip.io/", "http://8-8-8-8x.nip.io/", "http://app8-8-8-8.nip.io/",
	    "http://8-8-8-8.2606--4700--1.nip.io/", "http://1-2-3-4-5-6-7-8-9.nip.io/",
	    "http://2606-4700--8.8.8.8x.sslip.io/", "http://make-8-8-8-8-rebind-127-1-rr.1u.ms/",
	    "http://make-8-8-8-8-and-metadata.google.internal-rr.1u.ms/",
	    "http://a.08080808.01010101.rbndr.us/", "http://a.8.8.8.8.4.rebind.it/",
	};
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
		expect_all(&p, URIVET_ACCEPT, known[k]);
	expect_all_refused(unknown, sizeof unknown / sizeof unknown[0], &p, URIVET_F_ADDR_UNCLASSIFIED);
	/* other known names spell nothing */
	static const char *const here[] = {"http://8-8-8-8.localhost/", "http://8.8.8.8.localhost/"};
	expect_all_refused(here, 2, &p, URIVET_F_HOST_LOCALHOST_NAME);
	/* a name that a list allows is not judged as known, but for addresses */
	const struct urivet_host_rule corp = host_rule_of("db.corp", URIVET_ALLOW);
	const struct urivet_address_rule denied = address_rule_of("10.0.0.0/8", URIVET_DENY);
	p.hosts = (struct urivet_host_list){&corp, 1, false, false};
	p.addresses = (struct urivet_address_list){&denied, 1, false};
	expect_all(&p, URIVET_ACCEPT, "http://db.corp/");
	p = with_addresses(URIVET_STRICT, &denied, 1, false);
	expect_all(&p, URIVET_REJECT, "http://0a010203.nip.io/ http://10-1-2-3.nip.io/ http://a.10.1.2.3.example.com/");
	expect_all(&p, URIVET_ACCEPT, "http://a.10.1.999.2.3.example.com/ http://a.10.1.2.b.3.example.com/");
	struct urivet_report r;
	/* a block that is waived is still looked for */
	p = with_waiver(URIVET_STRICT, URIVET_F_ADDR_PRIVATE);
	cr_expect(judge_host(&r, "0a010203.nip.io", &p) == URIVET_ACCEPT && finding_in(&r, URIVET_F_ADDR_PRIVATE) != NULL, "%s", ids_of(&r));
	p = with_waiver(URIVET_STRICT, URIVET_F_HOST_TLD_DIGIT);
	cr_assert(urivet_policy_raise(&p, URIVET_F_ADDR_UNCLASSIFIED));
	expect_all(&p, URIVET_ACCEPT, "http://foo.x1/ http://Foo.x1/ http://foo.x1:80/");
	p = built_in(URIVET_STRICT);
	cr_assert(urivet_policy_raise(&p, URIVET_F_HOST_SINGLE_LABEL));
	judge(&r, "http://7f000001.nip.io/", strlen("http://7f000001.nip.io/"), &p);
	cr_expect(r.verdict == URIVET_ACCEPT && finding_in(&r, URIVET_F_HOST_EMBEDS_IP) == NULL, "%s", ids_of(&r));
	judge_pattern(&r, "http://{aaaaaaa.*32}7f000001.nip.io/", BY_PUBLIC); /* beyond the longest name */
	cr_expect_str_eq(ids_of(&r), "host-too-long,addr-unclassified", "%s", ids_of(&r));
}

/* The IPv4 address that a translator of the policy finds in a spelled address. */
Test(lists, a_spelled_address_and_translators)
{
	struct urivet_host_rule names[8];
	struct urivet_address_rule rules[8];
	static const struct urivet_network nat64[] = {{{0x26, 0, 0, 9}, 16, 96}, {{0x26, 0, 0, 1}, 16, 96}};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	p.nat64 = nat64;
	p.nat64_count = 2;
	add_address(&p, rules, "10.0.0.0/8", URIVET_DENY);
	expect_all(&p, URIVET_REJECT, "http://2600-1--a00-1.sslip.io/");
	expect_all(&p, URIVET_ACCEPT, "http://2600-1--b00-1.sslip.io/ "
		   "http://2600-2--a00-1.sslip.io/");
	add_host(&p, names, ".sslip.io", URIVET_ALLOW);
	expect_all(&p, URIVET_REJECT, "http://2600-1--a00-1.sslip.io/");
	expect_all(&p, URIVET_ACCEPT, "http://2600-1--b00-1.sslip.io/ "
		   "http://2600-2--a00-1.sslip.io/");
	/* the place of an address after 64:ff9b:1::/48 is unknown */
	expect_all(&p, URIVET_ACCEPT, "http://64-ff9b-1--a00-1.sslip.io/");
	judge_host(&r, "--ffff-a00-1.sslip.io", &p);
	cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) != NULL && finding_in(&r, URIVET_F_ADDR_DENIED)->count == 1, "%s", ids_of(&r));
	/* RFC 6052, 2.3: translators take bits 64 to 71 out, whatever they are */
	static const struct urivet_network shorter = {{0x26, 0, 0, 1}, 16, 64};
	p.nat64 = &shorter;
	p.nat64_count = 1;
	expect_all(&p, URIVET_REJECT, "http://2600-1-0-0-a-0-100-0.sslip.io/ "
		    "http://2600-1-0-0-10a-0-100-0.sslip.io/");
	expect_all(&p, URIVET_ACCEPT, "http://2600-1-0-0-10b-0-100-0.sslip.io/");
	static const struct urivet_network no_layout = {{0x26, 0, 0, 1}, 16, 72};
	p.nat64 = &no_layout;
	expect_all(&p, URIVET_ACCEPT, "http://2600-1--a00-1.sslip.io/");
	p = built_in(URIVET_ANY);
	p.nat64 = &shorter;
	p.nat64_count = 1;
	add_address(&p, rules, "10.0.0.0/8", URIVET_DENY);
	expect_all(&p, URIVET_REJECT, "http://[2600:1::a:0:100:0]/ http://[2600:1::ff0a:0:100:0]/");
	expect_all(&p, URIVET_ACCEPT, "http://[2600:1::ff0b:0:100:0]/");
}

/* An allowed name is exempt from rules about what it names, not from rules about its spelling or
 * about other components. */
Test(lists, an_allowed_host)
{
	struct urivet_host_rule rules[8];
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	add_host(&p, rules, ".corp.internal", URIVET_ALLOW);
	add_host(&p, rules, "localhost", URIVET_ALLOW);
	add_host(&p, rules, "10-0-0-1.nip.io", URIVET_ALLOW);
	add_host(&p, rules, "secret.corp.internal", URIVET_DENY);
	expect_all(&p, URIVET_ACCEPT, "http://corp.internal/ http://wiki.CORP.internal/ "
		    "http://localhost/ http://10-0-0-1.nip.io/");
	expect_all(&p, URIVET_REJECT, "http://10-0-0-2.nip.io/ http://secret.corp.internal/");
	expect_all(&p, URIVET_ACCEPT, "http://a.secret.corp.internal/"); /* only the name is denied */
	expect_all(&p, URIVET_REJECT, "http://xcorp.internal/ http://a.localhost/");
	expect_all(&p, URIVET_ACCEPT, "http://example.com/"); /* `only` is off */
	expect_all(&p, URIVET_REJECT, "http://corp.internal./ http://wiki_.corp.internal/ "
		    "http://corp.internal:8080/ http://u@corp.internal/ gopher://corp.internal/");
}

/* A name is matched as it is resolved: a final dot does not avoid a denial. */
Test(lists, a_denied_host_however_spelled)
{
	struct urivet_host_rule rules[4];
	struct urivet_policy p = built_in(URIVET_STRICT);
	static const char *const spelled[] = {"http://evil.example/",      "http://EVIL.example/",
					      "http://evil.example./",     "http://a.evil.example/",
					      "http://u@evil.example:80/", "//evil.example/",
					      "ftp://evil.example/"};
	add_host(&p, rules, ".evil.example", URIVET_DENY);
	expect_all_refused(spelled, sizeof spelled / sizeof spelled[0], &p, URIVET_F_HOST_DENIED);
	expect_all(&p, URIVET_ACCEPT, "http://notevil.example/ http://evil.example.com/ "
		    "http://example/");
}

Test(lists, nothing_but_what_is_allowed)
{
	struct urivet_host_rule rules[4];
	struct urivet_address_rule addresses[2];
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.schemes |= 1u << URIVET_SCHEME_OTHER;
	p.hosts.only = true; /* no rule: nothing is allowed */
	expect_all(&p, URIVET_REJECT, "http://example.com/ http://192.0.2.1/ x://example.com/");
	expect_all(&p, URIVET_REJECT, "x:///"); /* this machine, for some readers */
	add_host(&p, rules, "*.example.com", URIVET_ALLOW);
	expect_all(&p, URIVET_ACCEPT, "http://www.example.com/ http://a.b.example.com/ "
		    "x://www.example.com/");
	expect_all(&p, URIVET_REJECT, "http://example.com/ http://wwwexample.com/ "
		    "http://192.0.2.1/ http://[2001:db8::1]/");
	add_address(&p, addresses, "192.0.2.0/24", URIVET_ALLOW);
	expect_all(&p, URIVET_ACCEPT, "http://192.0.2.1/");
	expect_all(&p, URIVET_REJECT, "http://192.0.3.1/");
}

/* An allowed address is exempt from its block, never from a denial; this covers only that
 * address, not one embedded in it. */
Test(lists, an_allowed_address)
{
	struct urivet_address_rule rules[8];
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	add_address(&p, rules, "10.0.0.0/8", URIVET_ALLOW);
	add_address(&p, rules, "10.6.6.0/24", URIVET_DENY);
	add_address(&p, rules, "fd00::/8", URIVET_ALLOW);
	add_address(&p, rules, "2002::/16", URIVET_ALLOW);
	add_address(&p, rules, "8.8.8.8", URIVET_DENY);
	expect_all(&p, URIVET_ACCEPT, "http://10.1.2.3/ http://10.6.7.1/ http://[fd12::1]/");
	expect_all(&p, URIVET_REJECT, "http://10.6.6.1/");
	expect_all(&p, URIVET_ACCEPT, "http://[fd00:ec2::254]/"); /* a listed address is allowed */
	expect_all(&p, URIVET_REJECT, "http://8.8.8.8/ http://192.168.0.1/");
	expect_all(&p, URIVET_ACCEPT, "http://8.8.4.4/ http://[2002:a01:203::]/");
	expect_all(&p, URIVET_REJECT, "http://[2002:c0a8:1::]/");  /* embeds 192.168.0.1 */
	expect_all(&p, URIVET_REJECT, "http://[2002:808:808::]/"); /* embeds a denied address */
	expect_all(&p, URIVET_REJECT, "http://[64:ff9b::808:808]/");
	expect_all(&p, URIVET_ACCEPT, "http://[64:ff9b::a01:203]/");
	expect_all(&p, URIVET_REJECT, "http://[::ffff:10.1.2.3]/"); /* refused for its spelling */
	expect_all(&p, URIVET_REJECT, "http://app-10-6-6-1.example.com/ http://10.1.2.3:8080/");
	expect_all(&p, URIVET_ACCEPT, "http://app-10-1-2-3.example.com/");
}

/* A denial matches every spelling of the number, whatever else is allowed. */
Test(lists, a_denied_address_however_spelled)
{
	struct urivet_address_rule rules[1];
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	static const char *const spelled[] = {
	    "http://192.0.2.1/",           "http://0xc0000201/",
	    "http://3221225985/",          "http://0300.0.2.1/",
	    "http://192.0.513/",           "http://192.0.2.1./",
	    "http://[::ffff:192.0.2.1]/",  "http://[2002:c000:201::]/",
	    "http://[64:ff9b::c000:201]/", "http://192.0.2.1.nip.io/"};
	add_address(&p, rules, "192.0.2.1", URIVET_DENY);
	for (size_t k = 0; k < sizeof spelled / sizeof spelled[0]; k++) {
		judge(&r, spelled[k], strlen(spelled[k]), &p);
		cr_expect(finding_in(&r, URIVET_F_ADDR_DENIED) != NULL && r.address_rule == rules,
			  "%s: %s", spelled[k], ids_of(&r));
	}
}

/* ---- Ports -------------------------------------------------------------------------------- */

#define BIT(scheme) (1u << URIVET_SCHEME_##scheme)

Test(lists, ports)
{
	static const struct urivet_port_rule ports[] = {{BIT(HTTP), 1, 65535, 1},
							{BIT(HTTPS), 6379, 6379, 2},
							{BIT(HTTP) | BIT(HTTPS), 8443, 8444, 3},
							{0, 81, 81, 4},
							{BIT(HTTPS), 90, 89, 5}};
	struct urivet_policy p = built_in(URIVET_STRICT);
	p.ports = ports;
	p.port_count = 5;
	expect_all(&p, URIVET_ACCEPT, "http://h:81/ http://h:65535/");
	expect_all(&p, URIVET_REJECT, "http://h:65536/ http://h:0/");
	expect_all(&p, URIVET_REJECT, "http://h:6379/"); /* a range never includes these */
	expect_all(&p, URIVET_REJECT, "http://h:25/");
	expect_all(&p, URIVET_ACCEPT, "https://h:6379/"); /* a rule for a single port does */
	expect_all(&p, URIVET_ACCEPT, "https://h:8443/");
	expect_all(&p, URIVET_REJECT, "https://h:8445/");
	expect_all(&p, URIVET_REJECT, "https://h:81/"); /* a rule without a scheme */
	expect_all(&p, URIVET_REJECT, "https://h:89/"); /* an invalid range */
	expect_all(&p, URIVET_REJECT, "https://h:90/ http://h:081/ https://h:80/");
	/* a scheme without a usual port has none that is unusual */
	p = with_waiver(URIVET_ANY, URIVET_F_PORT_ZERO);
	expect_all(&p, URIVET_ACCEPT, "x://h:0/");
}

/* ---- Unclassifiable hosts are refused ------------------------------------------------------ */

Test(lists, unclassified_hosts_are_refused)
{
	static const unsigned waived[] = {
	    URIVET_F_IPVFUTURE, URIVET_F_HOST_PERCENT_ENCODED, URIVET_F_ESCAPED_UNRESERVED, URIVET_F_HOST_ENCODED_DELIMITER, URIVET_F_HOST_NUMERIC_TLD,
	    URIVET_F_IPV4_OVERFLOW, URIVET_F_IPV4_TOO_MANY_PARTS, URIVET_F_IPV4_EMPTY_PART, URIVET_F_IPV4_SIGNED, URIVET_F_IPV4_OTHER_PREFIX, URIVET_F_IPV4_HEX,
	    URIVET_F_IPV4_OCTAL, URIVET_F_IPV4_SHORT, URIVET_F_IPV4_DECIMAL, URIVET_F_IPV4_MIXED, URIVET_F_IPV4_TRAILING_DOT, URIVET_F_HOST_SUBDELIM, URIVET_F_HOST_NONLDH,
	    URIVET_F_HOST_UNDERSCORE, URIVET_F_HOST_EMPTY_LABEL, URIVET_F_HOST_TRAILING_DOT, URIVET_F_HOST_EMPTY, URIVET_F_HOST_IPV4_PREFIX, URIVET_F_SCHEME_SLASH_EXCESS,
	};
	static const char *const unknown[] = {
	    "http://[v1.a]/", "x://[v1.fe80::1]/", "http://%6cocalhost/", "http://a%2eb.com/",
	    "http://%31%32%37.1/", "http://1.2.3.4.5/", "http://foo.0x4/",
	    "http://256.256.256.256/", "http://0x100000000/", "http://127..1/",
	    "http://+127.0.0.1/", "http://0o177.0.0.1/", "http://a$b.com/", "http://a~b.com/",
	    "x://a,b.com/", "x://a;b:80/", "http://./", "http://../", "http://localhost../",
	    "http:///a", "x:///a", "x://:80/", "http://a.com../", "http://1e2.0.0.1/",
	};
	static const char *const known[] = {
	    "http://0x7f.1/",
	    "http://2130706433/",
	    "http://0177.0.0.1/",
	    "http://127.0.0.1./",
	    "x://127.1/",
	    "http://localhost./",
	    "http://0xa9.254.0251.0xfe/",
	};
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	p.schemes |= BIT(OTHER);
	for (size_t k = 0; k < sizeof waived / sizeof waived[0]; k++)
		cr_assert(urivet_policy_waive(&p, waived[k]));
	expect_all_refused(unknown, sizeof unknown / sizeof unknown[0], &p, URIVET_F_ADDR_UNCLASSIFIED);
	for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
		expect_all(&p, URIVET_REJECT, known[k]);
	expect_all(&p, URIVET_ACCEPT, "http://a.com./");
	expect_all(&p, URIVET_ACCEPT, "http://0x8.0x8.8.8/"); /* known, global, all waived */
	expect_all(&p, URIVET_ACCEPT, "x://example.com:99/");
	/* each rule about where a host leads asks, also alone, and no other rule does */
	struct urivet_report r;
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++) {
		const bool asks = (id >= URIVET_F_HOST_LOCALHOST_NAME && id <= URIVET_F_HOST_KNOWN_LOOPBACK_NAME) ||
				  (id >= URIVET_F_ADDR_NOT_GLOBAL && id <= URIVET_F_NAT64_LOCAL_USE);
		p = with_waiver(URIVET_STRICT, URIVET_F_IPVFUTURE);
		if (!urivet_policy_raise(&p, id))
			continue;
		judge(&r, LITERAL("http://[v1.a]/"), &p);
		cr_expect((finding_in(&r, URIVET_F_ADDR_UNCLASSIFIED) != NULL) == asks, "%u: %s", id, ids_of(&r));
	}
	p = with_waiver(URIVET_STRICT, URIVET_F_ADDR_UNCLASSIFIED);
	cr_assert(urivet_policy_waive(&p, URIVET_F_IPVFUTURE));
	judge(&r, LITERAL("http://[v1.a]/"), &p);
	cr_expect(r.verdict == URIVET_ACCEPT && finding_in(&r, URIVET_F_ADDR_UNCLASSIFIED) != NULL, "%s", ids_of(&r));
	/* any rule that denies an address matches */
	const struct urivet_address_rule rules[] = {address_rule_of("192.0.2.0/24", URIVET_ALLOW), address_rule_of("10.0.0.0/8", URIVET_DENY)};
	p.addresses = (struct urivet_address_list){rules, 2, false};
	expect_all_refused(unknown, 1, &p, URIVET_F_ADDR_DENIED);
	/* but says nothing of what has no host, or is refused anyway */
	p.schemes |= BIT(OTHER);
	expect_all(&p, URIVET_ACCEPT, "x:a");
	p = with_addresses(URIVET_STRICT, rules, 2, false);
	cr_expect(judge(&r, LITERAL("http://[v1.a]/"), &p) == URIVET_REJECT && finding_in(&r, URIVET_F_ADDR_DENIED) == NULL, "%s", ids_of(&r));
	p = built_in(URIVET_PUBLIC);
	expect_all_refused(unknown, 1, &p, URIVET_F_ADDR_UNCLASSIFIED);
	/* where only listed hosts are allowed, a rule for the embedded address counts, but not for one that is only guessed */
	const struct urivet_address_rule allowed[] = {address_rule_of("10.0.0.1", URIVET_ALLOW), address_rule_of("64:ff9b:1:8::/64", URIVET_ALLOW)};
	p = with_addresses(URIVET_STRICT, allowed, 2, false);
	p.hosts.only = true;
	cr_assert(urivet_policy_waive(&p, URIVET_F_IPV4_MAPPED_IPV6) && urivet_policy_waive(&p, URIVET_F_NAT64_EMBEDDED_IPV4));
	expect_all(&p, URIVET_ACCEPT, "http://[::ffff:a00:1]/ http://[64:ff9b:1:8::a00:1]/ http://10.0.0.1/ http://10.0.0.1:80/");
	expect_all(&p, URIVET_REJECT, "http://[::ffff:a00:2]/ http://[64:ff9b:1:9::a00:1]/");
	cr_expect(judge(&r, LITERAL("http://[64:ff9b:1:8:zz]/"), &p) == URIVET_REJECT && finding_in(&r, URIVET_F_HOST_NOT_ALLOWED) != NULL, "%s", ids_of(&r)); /* no address */
	cr_expect(judge(&r, LITERAL("http://010.0.0.1/"), NULL) == URIVET_REJECT && r.address_row == NULL); /* which strict asks for in no reading */
	/* of a name that begins with an address, one to three digits are its end, and no letter is */
	const struct urivet_address_rule denied = address_rule_of("9.9.9.41", URIVET_DENY);
	p = with_addresses(URIVET_STRICT, &denied, 1, false);
	cr_assert(urivet_policy_waive(&p, URIVET_F_HOST_IPV4_PREFIX));
	expect_all(&p, URIVET_ACCEPT, "http://9.9.9.4a.com/ http://9.9.9.5.41.com/");
	expect_all(&p, URIVET_REJECT, "http://9.9.9.41.com/ http://9.9.9.413.com/ http://9.9.9.41a.com/");
}

/* ---- Reasons, and findings of higher layers -------------------------------------------------- */

Test(lists, reasons)
{
	static const struct {
		const char *uri;
		enum urivet_reason reason;
	} rows[] = {
	    {"http://example.com/", URIVET_REASON_ACCEPTED},
	    {"http://localhost/", URIVET_REASON_NOT_ALLOWED},
	    {"http://10.0.0.1/", URIVET_REASON_NOT_ALLOWED},
	    {"http://metadata.google.internal/", URIVET_REASON_NOT_ALLOWED},
	    {"http://example.com:8080/", URIVET_REASON_NOT_ALLOWED},
	    {"http://u@example.com/", URIVET_REASON_UNCLEAR},
	    {"ftp://example.com/", URIVET_REASON_NOT_ALLOWED},
	    {"http://denied.example/", URIVET_REASON_NOT_ALLOWED},
	    {"http://192.0.2.66/", URIVET_REASON_NOT_ALLOWED},
	    {"http://example.com/%00", URIVET_REASON_NOT_ALLOWED},
	    {"http://a b/", URIVET_REASON_UNCLEAR},
	    {"http://127.1/", URIVET_REASON_UNCLEAR},
	    {"http://[::ffff:10.0.0.1]/", URIVET_REASON_UNCLEAR},
	    {"http://example.com/a/../b", URIVET_REASON_UNCLEAR},
	    {"", URIVET_REASON_UNCLEAR},
	    {"http://example.com/0123456789012345678901234567890123456789", URIVET_REASON_UNCLEAR},
	};
	struct urivet_host_rule rules[1];
	struct urivet_address_rule addresses[1];
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	struct urivet_report r = {0};
	p.max_length = 50;
	add_host(&p, rules, "denied.example", URIVET_DENY);
	add_address(&p, addresses, "192.0.2.66", URIVET_DENY);
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		judge(&r, rows[k].uri, strlen(rows[k].uri), &p);
		cr_expect(urivet_reason(&r, &p) == rows[k].reason, "%s: %s", rows[k].uri,
			  ids_of(&r));
	}
	/* a waived spelling is not the reason */
	cr_assert(urivet_policy_waive(&p, URIVET_F_IPV4_SHORT));
	judge(&r, LITERAL("http://127.1/"), &p);
	cr_expect(urivet_reason(&r, &p) == URIVET_REASON_NOT_ALLOWED);
	r = (struct urivet_report){0};
	cr_expect(urivet_reason(&r, NULL) == URIVET_REASON_NOT_ALLOWED);
	cr_expect_str_eq(urivet_reason_name(URIVET_REASON_NOT_ALLOWED), "not-allowed");
	cr_expect_str_eq(urivet_reason_name(URIVET_REASON_ACCEPTED), "accepted");
	cr_expect_str_eq(urivet_reason_name(URIVET_REASON_UNCLEAR), "unclear");
	cr_expect(urivet_reason_name(3) == NULL && urivet_reason_name(UINT32_MAX) == NULL);
}

Test(lists, findings_from_above)
{
	static const char uri[] = "http://co.uk/";
	const struct urivet_span host = {7, 5};
	struct urivet_policy p = built_in(URIVET_STRICT);
	struct urivet_report r;
	judge(&r, LITERAL(uri), &p);
	cr_expect(r.verdict == URIVET_ACCEPT);
	cr_expect(urivet_add_finding(&r, URIVET_FINDING_LIMIT, URIVET_HOST, host, &p) == URIVET_ACCEPT &&
		  r.count == 0);
	cr_expect(urivet_add_finding(&r, URIVET_F_PATH_EMPTY, URIVET_PATH,
				     (struct urivet_span){12, 0},
				     &p) == URIVET_ACCEPT); /* a note */
	cr_expect(urivet_add_finding(&r, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST, host, &p) ==
		  URIVET_REJECT);
	cr_expect(r.verdict == URIVET_REJECT && r.count == 2);
	cr_expect(r.finding[0].id == URIVET_F_HOST_PUBLIC_SUFFIX && r.finding[0].span.offset == 7 &&
		  r.finding[0].span.length == 5 && r.finding[0].class_ == URIVET_POLICY);
	/* no added finding turns a refusal into an acceptance */
	cr_assert(urivet_policy_waive(&p, URIVET_F_HOST_PUBLIC_SUFFIX));
	cr_expect(urivet_add_finding(&r, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST, host, &p) ==
		  URIVET_REJECT);
	cr_expect(r.finding[0].count == 2);
	judge(&r, LITERAL(uri), &p);
	cr_expect(urivet_add_finding(&r, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST, host, &p) ==
		  URIVET_ACCEPT);
	judge(&r, LITERAL(uri), NULL); /* no policy means strict */
	cr_expect(urivet_add_finding(&r, URIVET_F_HOST_PUBLIC_SUFFIX, URIVET_HOST, host, NULL) == URIVET_REJECT);
}
