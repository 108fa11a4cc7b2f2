/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses: a peer is judged as the literal is; what is allowed is reachable. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "oracles.h"
#include "../tests/built_in.h"

/* A port, so that both have one that their policy knows. */
#define PORT 80

static size_t literal(char *text, size_t room, const uint8_t *octets, bool ipv6)
{
	struct urivet_uri uri = {.host_kind = ipv6 ? URIVET_HOST_IPV6 : URIVET_HOST_IPV4,
				 .has_ipv4 = !ipv6};
	char address[48];
	memcpy(uri.address, octets, ipv6 ? 16 : 4);
	urivet_format_address(address, sizeof address, &uri);
	return (size_t)snprintf(text, room, ipv6 ? "http://[%s]/" : "http://%s/", address);
}

static void peer(struct urivet_report *r, const uint8_t *octets, bool ipv6,
		 const struct urivet_policy *policy)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(PORT)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(PORT)};
	memcpy(&in.sin_addr, octets, 4);
	if (ipv6)
		memcpy(&in6.sin6_addr, octets, 16);
	if (ipv6)
		urivet_check_peer(r, (const struct sockaddr *)&in6, sizeof in6, policy);
	else
		urivet_check_peer(r, (const struct sockaddr *)&in, sizeof in, policy);
}

/* Lists of rules that octets of the input fill. */
static struct urivet_policy with_lists(const uint8_t *data, size_t length,
				       struct urivet_address_rule *rules, size_t most)
{
	struct urivet_policy policy = built_in(URIVET_PUBLIC);
	uint32_t count = 0;
	for (; count < most && length >= 6; count++, data += 6, length -= 6) {
		struct urivet_address_rule *rule = &rules[count];
		memset(rule, 0, sizeof *rule);
		memcpy(rule->network.address, data, 4);
		rule->network.octets = data[4] & 1 ? 16 : 4;
		rule->network.length = (uint8_t)(data[5] % (data[4] & 1 ? 33u : 25u));
		rule->action = data[4] & 2 ? URIVET_ALLOW : URIVET_DENY;
	}
	policy.addresses = (struct urivet_address_list){rules, count, false};
	return policy;
}

/* What everybody knows to lie inside, told without a table. */
static bool is_inside(const uint8_t *a, bool ipv6)
{
	if (ipv6)
		return (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && a[1] >= 0x80) || a[0] == 0xff ||
		       a[0] == 0;
	return a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224 ||
	       (a[0] == 169 && a[1] == 254) || (a[0] == 172 && a[1] / 16 == 1) ||
	       (a[0] == 192 && a[1] == 168) || (a[0] == 100 && a[1] / 64 == 1);
}

/* 64:ff9b::/96 leads to the IPv4 address after it. */
static bool is_well_known_nat64(const uint8_t *a)
{
	static const uint8_t prefix[12] = {0, 0x64, 0xff, 0x9b};
	return memcmp(a, prefix, sizeof prefix) == 0 && !is_inside(a + 12, false);
}

/* Does no row that holds the address lie inside the one that is told of it? Bit by bit. */
static bool is_narrowest(const uint8_t *a, size_t octets)
{
	const unsigned told = urivet_address_info(a, octets)->network.length;
	const struct urivet_address_row *row;
	for (size_t k = 0; (row = urivet_address_row_at(k)) != NULL; k++) {
		const uint8_t *b = row->network.address;
		unsigned bit = 0;
		if (row->network.octets != octets)
			continue;
		while (bit < row->network.length &&
		       ((a[bit / 8] ^ b[bit / 8]) >> (7 - bit % 8) & 1) == 0)
			bit++;
		if (bit == row->network.length && bit > told)
			return false;
	}
	return true;
}

static bool is_in_order(const struct urivet_address_list *list)
{
	for (uint32_t k = 1; k < list->count; k++)
		if (urivet_order_addresses(&list->rule[k - 1], &list->rule[k]) > 0)
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct urivet_address_rule rules[4], sorted[4];
	struct urivet_policy lists, in_order, claimed;
	const struct urivet_policy *const policies[] = {
	    BY_STRICT, BY_PUBLIC, BY_ANY, &lists, &in_order, &claimed};
	const bool ipv6 = length >= 16;
	const size_t octets = ipv6 ? 16 : 4;
	if (length < 4)
		return -1;
	lists = with_lists(data + octets, length - octets, rules, 4);
	in_order = lists;
	memcpy(sorted, rules, sizeof sorted);
	qsort(sorted, lists.addresses.count, sizeof sorted[0], urivet_order_addresses);
	in_order.addresses = (struct urivet_address_list){sorted, lists.addresses.count, true};
	claimed = lists; /* in order by word, and perhaps not */
	claimed.addresses.sorted = true;
	enum urivet_verdict verdict[6];
	for (unsigned k = 0; k < 6; k++) {
		struct urivet_report ours, theirs;
		char text[64];
		verdict[k] =
		    urivet_check(&ours, text, literal(text, sizeof text, data, ipv6), policies[k]);
		peer(&theirs, data, ipv6, policies[k]);
		oracle(ours.verdict == theirs.verdict && ours.count == theirs.count,
		       "a peer is judged as the literal");
	}
	oracle(is_narrowest(data, octets), "an address is in the narrowest block that holds it");
	oracle(verdict[1] == URIVET_REJECT || urivet_address_info(data, octets)->reachable,
	       "what public accepts is globally reachable");
	oracle(verdict[1] == URIVET_REJECT || !is_inside(data, ipv6) ||
		   (ipv6 && is_well_known_nat64(data)),
	       "public accepts nothing inside");
	oracle(verdict[3] == verdict[4], "the order of a list changes nothing");
	oracle(verdict[5] == (is_in_order(&lists.addresses) ? verdict[3] : URIVET_REJECT),
	       "a list that says it is sorted lets nothing more through");
	return 0;
}
