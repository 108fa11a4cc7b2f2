/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of hosts filled in by a program: in any order, declared sorted or not, with any octets.
 * A wrong declaration must never let a host through. */
#include <urivet/rules.h>

#include "oracles.h"
#include "../tests/built_in.h"

#define MOST    12u
#define LONGEST 300u /* octets of a rule's name */

struct lists {
	struct urivet_host_rule given[MOST], in_order[MOST], dotted[MOST];
	char names[MOST][LONGEST + 1]; /* with a final dot added */
	uint32_t count;
};

/* Adds a rule. The first octet chooses its kind, the rest is the name. */
static void add_rule(struct lists *lists, const uint8_t *line, size_t length)
{
	const uint32_t k = lists->count;
	if (k == MOST || length == 0 || length > LONGEST)
		return;
	lists->given[k] = (struct urivet_host_rule){.name = (const char *)line + 1,
						    .length = (uint32_t)length - 1,
						    .scope = line[0] % 4,
						    .action = line[0] / 4 % 3,
						    .tag = k};
	lists->in_order[k] = lists->dotted[k] = lists->given[k];
	if (length > 1 && line[length - 1] != '.') {
		memcpy(lists->names[k], line + 1, length - 1);
		lists->names[k][length - 1] = '.';
		lists->dotted[k].name = lists->names[k];
		lists->dotted[k].length = (uint32_t)length;
	}
	lists->count++;
}

/* Reads one rule from each line and returns the text after the last line, which is judged. If
 * there is no rule, parts of that text become rules: from each dot or slash to the next slash. */
static const uint8_t *read_rules(struct lists *lists, const uint8_t *data, const uint8_t *end)
{
	const uint8_t *line;
	while ((line = memchr(data, '\n', (size_t)(end - data))) != NULL) {
		add_rule(lists, data, (size_t)(line - data));
		data = line + 1;
	}
	for (const uint8_t *at = data; lists->count == 0 && at < end; at++) {
		const uint8_t *slash = memchr(at + 1, '/', (size_t)(end - at - 1));
		for (; lists->count < MOST && at < end && slash != NULL && at < slash; at++)
			if (*at == '.' || *at == '/')
				add_rule(lists, at, (size_t)(slash - at));
	}
	return data;
}

static bool is_in_order(const struct urivet_host_rule *rules, uint32_t count)
{
	for (uint32_t k = 1; k < count; k++)
		if (urivet_order(URIVET_LIST_HOSTS)(&rules[k - 1], &rules[k]) > 0)
			return false;
	return true;
}

/* Returns true if the rule allows. A number that is no action denies. */
static bool allows(const struct urivet_host_rule *rule)
{
	return rule->action == URIVET_ALLOW;
}

static bool alike(const struct urivet_report *a, const struct urivet_report *b)
{
	if (a->verdict != b->verdict || a->count != b->count || a->dropped != b->dropped)
		return false;
	for (uint32_t k = 0; k < a->count; k++)
		if (a->finding[k].id != b->finding[k].id)
			return false;
	return (a->host_rule == NULL) == (b->host_rule == NULL) &&
	       (a->host_rule == NULL || allows(a->host_rule) == allows(b->host_rule));
}

/* Checks that a seal is none for a list that has one rule more, or for another index. The rule that
 * is added sorts before all others. */
static void expect_no_other_seal(const struct urivet_policy *sorted, struct urivet_text input,
				 const struct urivet_report *r)
{
	static uint64_t words[URIVET_INDEX_WORDS(MOST)], blank[URIVET_INDEX_WORDS(MOST)];
	const uint32_t n = sorted->hosts.count;
	struct urivet_policy grown = *sorted;
	struct urivet_host_rule rules[MOST];
	struct urivet_report s;
	if (n < 2)
		return;
	memcpy(rules, sorted->hosts.rule + 1, (n - 1) * sizeof rules[0]);
	rules[n - 1] = sorted->hosts.rule[0];
	grown.hosts.rule = rules;
	grown.hosts.count = n - 1;
	if (!urivet_policy_finish(&grown, NULL, 0))
		return;
	grown.hosts.count = n;
	urivet_check(&s, input.data, input.length, &grown);
	oracle(is_in_order(rules, n) ? alike(r, &s) : report_finding(&s, URIVET_F_POLICY_INVALID) != NULL,
	       "a seal is none for a longer list");
	grown = *sorted;
	if (!urivet_policy_finish(&grown, words, URIVET_INDEX_WORDS(MOST)))
		return;
	grown.index = blank;
	urivet_check(&s, input.data, input.length, &grown);
	oracle(report_finding(&s, URIVET_F_POLICY_INVALID) != NULL, "a seal is none for another index");
}

/* ---- Rules that mean nothing ------------------------------------------------------------- */

/* Returns true if the address has no bit after the prefix. */
static bool is_cut(const struct urivet_network *n)
{
	for (unsigned bit = n->length; bit < 8u * n->octets && bit < 128; bit++)
		if ((n->address[bit / 8] & 0x80u >> bit % 8) != 0)
			return false;
	return true;
}

/* Rules filled in by a program are valid if urivet/rules.h says that they mean something: networks, the
 * prefixes of translators (RFC 6052, 2.2), and ranges of ports. */
static void expect_meaning(const uint8_t *data, size_t length)
{
	uint8_t octets[24] = {0};
	struct urivet_policy policy = built_in(URIVET_ANY);
	struct urivet_network network;
	struct urivet_address_rule address;
	struct urivet_port_rule port;
	bool whole;
	memcpy(octets, data, length < sizeof octets ? length : sizeof octets);
	memcpy(network.address, octets + 6, sizeof network.address);
	network.octets = octets[0] % 8 == 0 ? octets[1] : octets[0] % 2 == 0 ? 4 : 16;
	network.length = octets[2] % 136;
	for (unsigned bit = network.length; bit < 128 && octets[3] % 4 != 0; bit++)
		network.address[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
	whole = (network.octets == 4 || network.octets == 16) && network.length <= 8 * network.octets && is_cut(&network);
	address = (struct urivet_address_rule){network, octets[4] % 3, 0};
	policy.addresses = (struct urivet_address_list){&address, 1, false};
	oracle(is_valid(&policy) == (whole && address.action <= URIVET_ALLOW), "a rule for addresses is a network and an action");
	policy.addresses.count = 0;
	policy.nat64 = &network;
	policy.nat64_count = 1;
	oracle(is_valid(&policy) == (whole && network.octets == 16 &&
				     (network.length == 32 || network.length == 40 || network.length == 48 || network.length == 56 ||
				      network.length == 64 || network.length == 96)),
	       "a translator has a prefix of RFC 6052");
	policy.nat64_count = 0;
	port = (struct urivet_port_rule){1u << URIVET_SCHEME_HTTP, octets[4], octets[5], 0};
	policy.ports = &port;
	policy.port_count = 1;
	oracle(is_valid(&policy) == (octets[4] <= octets[5]), "a range of ports ends behind its beginning");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static uint64_t words[URIVET_INDEX_WORDS(MOST)];
	struct lists lists = {.count = 0};
	struct urivet_policy plain = built_in(URIVET_ANY), claimed, sorted, dotted, again;
	struct urivet_report r, s;
	const uint8_t *const end = data + length, *const input = read_rules(&lists, data, end);
	const size_t rest = (size_t)(end - input);
	const uint32_t n = lists.count;
	expect_meaning(data, length);
	plain.hosts = (struct urivet_host_list){lists.given, n, false, length % 2 != 0};
	claimed = sorted = dotted = plain;
	claimed.hosts.sorted = true;
	qsort(lists.in_order, n, sizeof lists.in_order[0], urivet_order(URIVET_LIST_HOSTS));
	sorted.hosts.rule = lists.in_order;
	sorted.hosts.sorted = true;
	dotted.hosts.rule = lists.dotted;

	urivet_check(&r, input, rest, &plain);
	urivet_check(&s, input, rest, &claimed);
	oracle(r.verdict == URIVET_ACCEPT || s.verdict == URIVET_REJECT,
	       "a list that says it is sorted lets nothing more through");
	if (is_in_order(lists.given, n))
		oracle(alike(&r, &s), "a list in its order is searched as one that is not");
	else
		oracle(report_finding(&s, URIVET_F_POLICY_INVALID) != NULL && !is_valid(&claimed),
		       "a list that is not in its order is found out");
	urivet_check(&s, input, rest, &sorted);
	oracle(alike(&r, &s), "the order of a list changes nothing");
	urivet_check(&s, input, rest, &dotted);
	oracle(alike(&r, &s), "a final dot of a rule changes nothing");
	again = sorted;
	oracle(urivet_policy_finish(&again, NULL, 0) == is_valid(&plain),
	       "what is valid can be sealed, and nothing else");
	urivet_check(&s, input, rest, &again);
	oracle(alike(&r, &s), "a seal changes nothing");
	if (urivet_policy_finish(&again, words, URIVET_INDEX_WORDS(MOST)))
		oracle(is_valid(&again), "an index is valid");
	urivet_check(&s, input, rest, &again);
	oracle(alike(&r, &s), "an index changes nothing");
	again.hosts.rule = lists.given;
	urivet_check(&s, input, rest, &again);
	oracle(r.verdict == URIVET_ACCEPT || s.verdict == URIVET_REJECT,
	       "a seal is none for another list");
	expect_no_other_seal(&sorted, urivet_text_of(input, rest), &r);
	return 0;
}
