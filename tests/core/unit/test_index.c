/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the index of a policy's lists: built, omitted, out of date. test_lists.c compares
 * verdicts with and without it. */
#include "support.h"

#include <stdlib.h>
#include <urivet/compiled.h>

#include "policy/index.h"

TestSuite(index, .timeout = 60);

/* the first one has eight octets, which are hashed at once */
static const struct urivet_host_rule hosts[] = {{{"a.denied"}, 8, URIVET_SCOPE_HOST, URIVET_DENY, 0, 0}, {{"b.example"}, 9, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0}, {{"org"}, 3, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0}};
static const struct urivet_address_rule addresses[] = {{{{10}, 4, 8}, URIVET_DENY, 0}, {{{192, 0, 2, 66}, 4, 32}, URIVET_DENY, 0}, {{{0x20, 1, 0xd, 0xb8}, 16, 32}, URIVET_DENY, 0}};

static uint64_t words[URIVET_INDEX_WORDS(6)];
#define WORDS (sizeof words / sizeof words[0])

static struct urivet_policy listed(void)
{
	struct urivet_policy p = with_hosts(URIVET_STRICT, hosts, 3, true, false);
	p.addresses = (struct urivet_address_list){addresses, 3, true};
	return p;
}

static void expect_judged(const struct urivet_policy *p)
{
	static const struct {
		const char *url, *ids;
	} rows[] = {
	    {"http://a.denied/", "host-denied"},
	    {"http://A.Denied/", "host-denied"},
	    {"http://x.a.denied/", ""},
	    {"https://a.denied/", "host-denied"},
	    {"http://b.example/", "host-denied"},
	    {"http://long-label-before.b.example/", "host-denied"},
	    {"http://bb.example/", ""},
	    {"http://example.org/", "host-denied"},
	    {"http://example.oRG/", "host-denied"},
	    {"http://example.net/", ""},
	    {"http://10.1.2.3/", "addr-denied"},
	    {"http://11.1.2.3/", ""},
	    {"http://192.0.2.66/", "addr-denied"},
	    {"http://192.0.2.67/", ""},
	    {"http://[2001:db8::1]/", "addr-denied"},
	    {"http://[2001:db9::1]/", ""},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		const bool denied = rows[k].ids[0] != '\0';
		cr_expect((judge(&r, rows[k].url, strlen(rows[k].url), p) == URIVET_REJECT) == denied, "%s: %s", rows[k].url, ids_of(&r));
		cr_expect(!denied || strstr(ids_of(&r), rows[k].ids) != NULL, "%s: %s", rows[k].url, ids_of(&r));
	}
}

static void expect_useless(const struct urivet_policy *p, const char *why)
{
	struct urivet_report r;
	cr_expect(!is_valid(p) && urivet_compiled_write(NULL, 0, p, urivet_text_of(NULL, 0)) == 0, "%s", why);
	cr_expect(urivet_check(&r, LITERAL("http://example.net/"), p) == URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "policy-invalid", "%s", why);
}

Test(index, made_and_used)
{
	struct urivet_policy p = listed();
	expect_judged(&p);
	cr_expect(urivet_policy_finish(&p, words, WORDS) && p.index == words && p.index_count == WORDS && p.seal != 0);
	cr_expect(is_valid(&p));
	expect_judged(&p);
	p.seal = 0; /* the index is checked by each judgement */
	expect_judged(&p);
	cr_expect(urivet_policy_finish(&p, NULL, 0) && p.index == words && p.seal != 0);
	expect_judged(&p);
	/* lists in any order */
	p.hosts.sorted = p.addresses.sorted = false;
	cr_expect(is_valid(&p));
	expect_judged(&p);
}

Test(index, not_made)
{
	struct urivet_policy p = listed();
	cr_expect(!urivet_policy_finish(NULL, words, WORDS));
	cr_expect(!urivet_policy_finish(&p, words, WORDS - 1) && p.index == NULL && p.index_count == 0 && p.seal == 0);
	cr_expect(urivet_policy_finish(&p, NULL, WORDS) && p.index == NULL && p.seal != 0);
	cr_expect(urivet_policy_finish(&p, words, WORDS) && p.index == words);
	p.hosts.rule = hosts + 1;
	p.hosts.count = 1;
	p.addresses.count = 0;
	cr_expect(!urivet_policy_finish(&p, NULL, 0)); /* the index is that of the other lists */
	cr_expect(urivet_policy_finish(&p, words, URIVET_INDEX_WORDS(1)) && p.index_count == URIVET_INDEX_WORDS(1));
	p.hosts.count = 0;
	cr_expect(urivet_policy_finish(&p, NULL, 0)); /* it lacks none of no rules */
	cr_expect(urivet_policy_finish(&p, words, 0) && p.index == NULL && p.index_count == 0 && is_valid(&p));
	p.index = words; /* of no words, which is no index */
	cr_expect(urivet_policy_waive(&p, URIVET_F_TEMPLATE_OR_GLOB) && !urivet_policy_finish(&p, NULL, 0));
	p.hosts.count = 1;
	p.hosts.rule = NULL;
	cr_expect(!urivet_policy_finish(&p, words, WORDS));
}

/* An index that would hide a denial is detected, like an unsorted list. */
Test(index, out_of_date)
{
	static const struct urivet_host_rule others[] = {{{"a.denied"}, 8, URIVET_SCOPE_HOST, URIVET_DENY, 0, 0}, {{"c.example"}, 9, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0}, {{"net"}, 3, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0}};
	static const struct urivet_address_rule shorter[] = {{{{10}, 4, 7}, URIVET_DENY, 0}, {{{192, 0, 2, 66}, 4, 32}, URIVET_DENY, 0}, {{{0x20, 1, 0xd, 0xb8}, 16, 32}, URIVET_DENY, 0}};
	for (unsigned way = 0; way < 4; way++) { /* sealed or not, sorted or not */
		struct urivet_policy p = listed(), q;
		p.hosts.sorted = p.addresses.sorted = way < 2;
		cr_assert(urivet_policy_finish(&p, words, WORDS));
		p.seal = way % 2 ? p.seal : 0;
		q = p;
		q.hosts.rule = others;
		expect_useless(&q, "other hosts");
		q = p;
		q.addresses.rule = shorter;
		expect_useless(&q, "other networks");
		q = p;
		q.hosts.count = 2;
		expect_useless(&q, "an index of another size");
		q = p;
		q.index_count = 0;
		expect_useless(&q, "an index of no size");
		q = p;
		q.index_count = 5;
		expect_useless(&q, "an index without a map");
	}
}

/* Clearing a bit either hides a rule, or the bit was redundant. */
Test(index, each_bit_is_needed)
{
	struct urivet_policy p = listed();
	unsigned needed = 0;
	cr_assert(urivet_policy_finish(&p, words, WORDS));
	p.seal = 0;
	for (size_t k = 0; k < WORDS; k++)
		for (unsigned bit = 0; bit < 64; bit++) {
			const uint64_t before = words[k];
			words[k] &= ~(UINT64_C(1) << bit);
			if (words[k] != before) {
				needed++;
				expect_useless(&p, "a bit less");
			}
			words[k] = before;
		}
	/* two numbers of labels, two lengths of IPv4 and one of IPv6, at most three for each rule */
	cr_expect(needed > 5 + 6 && needed <= 5 + 3 * 6, "%u", needed);
	memset(words, 0xff, sizeof words);
	cr_expect(is_valid(&p)); /* an empty index rules nothing out */
	expect_judged(&p);
}

/* Such policies are never used for judging. If it is queried all the same, an index without a
 * map rules nothing out, and networks of length 0 need not be in it. */
Test(index, without_a_map)
{
	static const uint8_t address[16] = {10};
	static const struct urivet_address_rule odd[] = {{{{1}, 5, 8}, URIVET_DENY, 0}, {{{1}, 4, 33}, URIVET_DENY, 0}, {{{1}, 16, 129}, URIVET_DENY, 0}};
	const struct text name = text_of("example.net", 11);
	struct urivet_policy p = listed();
	cr_assert(urivet_policy_finish(&p, words, WORDS));
	cr_expect(!urivet_index_has_name(&p, name, 0) && !urivet_index_has_name(&p, name, 11));
	cr_expect(!urivet_index_has_address(&p, address + 1, 4));
	cr_expect(urivet_index_holds(&p));
	p.addresses.rule = odd;
	cr_expect(urivet_index_holds(&p));
	p.index_count = 5;
	cr_expect(urivet_index_has_name(&p, name, 0) && urivet_index_has_address(&p, address, 4));
	cr_expect(!urivet_index_holds(&p));
}

#define MANY 600

static uint64_t many_words[URIVET_INDEX_WORDS(MANY)];

/* Names of all lengths that differ in one octet: those with a rule are found in any letter case,
 * and almost none of the others. */
Test(index, distinguishes_names)
{
	static char names[MANY][40];
	static struct urivet_host_rule rules[MANY];
	struct urivet_policy p = with_hosts(URIVET_STRICT, rules, MANY, false, false);
	unsigned found = 0, asked = 0;
	for (unsigned k = 0; k < MANY; k++) {
		const size_t length = 3 + k % 30;
		memset(names[k], 'a', length);
		names[k][k / 30 % length] = (char)('b' + k / 30 % 20);
		names[k][length - 1] = 'z';
		rules[k] = (struct urivet_host_rule){{names[k]}, (uint32_t)length, URIVET_SCOPE_HOST, URIVET_DENY, 0, 0};
	}
	cr_assert(urivet_policy_finish(&p, many_words, URIVET_INDEX_WORDS(MANY)));
	for (unsigned k = 0; k < MANY; k++) {
		char other[40];
		const uint32_t length = rules[k].length;
		for (uint32_t i = 0; i < length; i++)
			other[i] = (char)(names[k][i] - 'a' + 'A');
		cr_expect(urivet_index_has_name(&p, text_of(other, length), 0), "%s", names[k]);
		for (uint32_t i = 0; i < length; i++) {
			memcpy(other, names[k], length);
			other[i] = (char)('0' + k % 10);
			asked++;
			found += urivet_index_has_name(&p, text_of(other, length), 0);
		}
	}
	cr_expect(asked > 10000 && found < asked / 50, "%u of %u", found, asked);
}

/* The same for networks of each length, in each octet. */
Test(index, distinguishes_networks)
{
	static struct urivet_address_rule rules[MANY];
	for (unsigned octets = 4; octets <= 16; octets += 12)
		for (unsigned length = 12; length <= 8 * octets; length += 4) {
			unsigned found = 0, asked = 0;
			memset(rules, 0, sizeof rules);
			for (unsigned k = 0; k < MANY; k++) {
				struct urivet_network *const n = &rules[k].network;
				n->octets = (uint8_t)octets;
				n->length = (uint8_t)length;
				n->address[0] = (uint8_t)(k % 200);
				n->address[1] = (uint8_t)(k / 200 * 16);
			}
			struct urivet_policy p = with_addresses(URIVET_STRICT, rules, MANY, false);
			cr_assert(urivet_policy_finish(&p, many_words, URIVET_INDEX_WORDS(MANY)));
			for (unsigned k = 0; k < MANY; k++)
				for (unsigned i = 0; i < length; i++) {
					uint8_t address[16];
					memcpy(address, rules[k].network.address, 16);
					cr_assert(urivet_index_has_address(&p, address, octets));
					address[i / 8] ^= (uint8_t)(0x80 >> i % 8);
					if (i >= 12) { /* no rule has these bits */
						asked++;
						found += urivet_index_has_address(&p, address, octets);
					}
				}
			cr_expect(found <= asked / 20, "%u of %u, /%u", found, asked, length);
		}
}

/* The seal covers the index. */
Test(index, seals)
{
	struct urivet_policy p = listed(), q;
	cr_assert(urivet_policy_finish(&p, words, WORDS));
	q = p;
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal == p.seal);
	q.index = NULL; /* the seal becomes invalid */
	expect_judged(&q);
	cr_expect(urivet_policy_finish(&q, NULL, 0) && q.seal != p.seal && q.seal != 0);
	memset(words, 0, sizeof words); /* as urivet_policy_finish() warns: the index is not checked again */
	cr_expect(urivet_verdict_of(LITERAL("http://a.denied/"), &p, NULL) == URIVET_ACCEPT);
	/* but it is by what opens all of a policy, also of one that judges values */
	const struct urivet_parameter_rule rule = {.name = "a", .length = 1, .times = 1, .judges = true, .policy = &p};
	q = built_in(URIVET_STRICT);
	q.parameters = &rule;
	q.parameter_count = 1;
	cr_expect(urivet_compiled_write(NULL, 0, &q, urivet_text_of(NULL, 0)) == 0);
	cr_expect(!is_valid(&p) && urivet_policy_finish(&p, words, WORDS));
	expect_judged(&p);
}

/* Denied names of many labels, up to the maximum and above, with an exception for what is below b, which
 * only lifts the denial of a name of at most 64 labels. */
Test(index, many_labels)
{
	static const unsigned labels[] = {1, 2, 3, 62, 63, 64, 65, 66, 100, 126};
	for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
		char name[300] = "b.", url[600];
		const uint32_t octets = 2 * labels[k] - 1;
		struct urivet_host_rule rules[] = {{{name + 2}, octets, URIVET_SCOPE_TREE, URIVET_DENY, 0, 0}, {{name}, octets + 2, URIVET_SCOPE_TREE, URIVET_EXCEPT, 0, (uint8_t)octets}};
		struct urivet_policy p = with_hosts(URIVET_STRICT, rules, 2, false, false);
		struct urivet_report r;
		for (unsigned n = 0; n < labels[k]; n++)
			strcat(name, n + 1 < labels[k] ? "a." : "a");
		cr_assert(urivet_policy_finish(&p, words, URIVET_INDEX_WORDS(2)));
		for (unsigned before = 0; before + labels[k] <= 126; before++) {
			size_t length = (size_t)sprintf(url, "http://");
			for (unsigned n = 0; n < before; n++)
				length += (size_t)sprintf(url + length, "b.");
			length += (size_t)sprintf(url + length, "%s/", name + 2);
			judge(&r, url, length, &p);
			cr_assert(r.host_rule == (before > 0 && labels[k] <= 64 ? NULL : &rules[0]), "%u labels before %u", before, labels[k]);
		}
	}
}
