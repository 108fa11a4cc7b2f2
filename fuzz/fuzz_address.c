/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses: a peer is judged as the same literal is, and allowed addresses can be connected to. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <urivet/rules.h>

#include "../tests/built_in.h"
#include "oracles.h"
#include "policy/addr.h"

/* A port that both policies know. */
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

/* Makes lists of rules from the octets of the input: of octets of their own, or of those of the
 * address, which may differ in one bit. */
static struct urivet_policy with_lists(const uint8_t *data, size_t length, const uint8_t *address,
				       size_t octets, struct urivet_address_rule *rules,
				       size_t most)
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
		if ((data[4] & 4) == 0)
			continue;
		memcpy(rule->network.address, address, octets);
		rule->network.octets = (uint8_t)octets;
		rule->network.length = (uint8_t)(data[5] % (8 * octets + 1));
		if ((data[4] & 8) != 0)
			rule->network.address[data[0] % octets] ^= (uint8_t)(1u << data[1] % 8);
		for (unsigned bit = rule->network.length; bit < 8 * octets; bit++)
			rule->network.address[bit / 8] &= (uint8_t)~(0x80u >> bit % 8);
	}
	policy.addresses = (struct urivet_address_list){rules, count, false};
	return policy;
}

/* Returns true if the address is commonly known as internal, without using a table. */
static bool is_inside(const uint8_t *a, bool ipv6)
{
	if (ipv6)
		return (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && a[1] >= 0x80) || a[0] == 0xff ||
		       a[0] == 0;
	return a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224 ||
	       (a[0] == 169 && a[1] == 254) || (a[0] == 172 && a[1] / 16 == 1) ||
	       (a[0] == 192 && a[1] == 168) || (a[0] == 100 && a[1] / 64 == 1);
}

/* Returns true for 64:ff9b::/96, unless it leads to an internal IPv4 address. */
static bool is_well_known_nat64(const uint8_t *a)
{
	static const uint8_t prefix[12] = {0, 0x64, 0xff, 0x9b};
	return memcmp(a, prefix, sizeof prefix) == 0 && !is_inside(a + 12, false);
}

/* Compares bit by bit. Returns true if the reported row is the narrowest network that contains
 * the address. */
static bool is_narrowest(const uint8_t *a, size_t octets)
{
	const unsigned shown = urivet_address_info(a, octets)->network.length;
	const struct urivet_address_row *row;
	for (size_t k = 0; (row = urivet_address_row_at(k)) != NULL; k++) {
		const uint8_t *b = row->network.address;
		unsigned bit = 0;
		if (row->network.octets != octets)
			continue;
		while (bit < row->network.length &&
		       ((a[bit / 8] ^ b[bit / 8]) >> (7 - bit % 8) & 1) == 0)
			bit++;
		if (bit == row->network.length && bit > shown)
			return false;
	}
	return true;
}

static bool is_in_order(const struct urivet_address_list *list)
{
	for (uint32_t k = 1; k < list->count; k++)
		if (urivet_order(URIVET_LIST_ADDRESSES)(&list->rule[k - 1], &list->rule[k]) > 0)
			return false;
	return true;
}

/* ---- Addresses inside addresses ----------------------------------------------------------- */

/* Positions of an IPv4 address inside an IPv6 address (RFC 4291, 6052, 3056, 4380, 5214), and
 * the octets before it. */
static const struct embedding {
	uint8_t before[16];
	uint8_t at;
	bool inverted;
} embeddings[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 12, false},          /* mapped */
    {{0}, 12, false},                                                 /* compatible */
    {{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 12, false},                /* translated */
    {{0, 0x64, 0xff, 0x9b}, 12, false},                               /* NAT64 */
    {{0x20, 0x02}, 2, false},                                         /* 6to4 */
    {{0x20, 0x01, 0, 0, 8, 8, 8, 8}, 12, true},                       /* Teredo: the client */
    {{0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0x5e, 0xfe}, 12, false}, /* ISATAP */
    {{0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 2, 0, 0x5e, 0xfe}, 12, false},
};

static void embed(uint8_t address[16], const struct embedding *how, const uint8_t ipv4[4])
{
	memcpy(address, how->before, 16);
	for (unsigned k = 0; k < 4; k++)
		address[how->at + k] = how->inverted ? ipv4[k] ^ 0xff : ipv4[k];
}

static bool accepts_address(const uint8_t *address, size_t octets,
			    const struct urivet_policy *policy)
{
	struct urivet_report r;
	return urivet_check_address(&r, address, octets, PORT, policy) == URIVET_ACCEPT;
}

/* Checks that an internal or denied IPv4 address is also internal or denied inside each
 * embedding. */
static void expect_unwrapped(const uint8_t ipv4[4])
{
	struct urivet_policy denying = built_in(URIVET_ANY);
	const struct urivet_address_rule rule = {
	    {{ipv4[0], ipv4[1], ipv4[2], ipv4[3]}, 4, 32}, URIVET_DENY, 0};
	denying.addresses = (struct urivet_address_list){&rule, 1, false};
	oracle(!accepts_address(ipv4, 4, &denying), "a denied address is refused");
	for (size_t k = 0; k < sizeof embeddings / sizeof embeddings[0]; k++) {
		uint8_t address[16];
		embed(address, &embeddings[k], ipv4);
		if (memcmp(address, in6addr_loopback.s6_addr, 15) == 0 && address[15] <= 1)
			continue; /* :: and ::1 embed no address */
		oracle(!accepts_address(address, 16, &denying),
		       "a denied address is refused inside of another");
		oracle(!is_inside(ipv4, false) || !accepts_address(address, 16, BY_PUBLIC),
		       "what lies inside is refused inside of another");
	}
}

/* Returns true for ISATAP addresses (RFC 5214, 6.1). With any prefix, they also hold the address
 * of a tunnel's end. */
static bool is_isatap(const uint8_t address[16])
{
	return (address[8] & 0xfd) == 0 && address[9] == 0 && address[10] == 0x5e &&
	       address[11] == 0xfe;
}

/* Embeds the address by RFC 6052, 2.2: its octets follow the prefix, and octet 8 is skipped. */
static void expect_translated(const uint8_t ipv4[4], unsigned length)
{
	struct urivet_network prefix = {{0x2a, 0x0a, 1, 2, 3, 4, 5, 6}, 16, (uint8_t)length};
	struct urivet_policy policy = built_in(URIVET_PUBLIC);
	uint8_t address[16] = {0};
	static const uint8_t local[6] = {0, 0x64, 0xff, 0x9b, 0, 1}; /* RFC 8215 */
	unsigned at = length / 8;
	if (length >= 48 && (ipv4[3] & 1) != 0)
		memcpy(prefix.address, local, sizeof local);
	memset(prefix.address + at, 0, 16 - at);
	memcpy(address, prefix.address, 16);
	if (at > 8)
		address[8] = prefix.address[8] = 0;
	for (unsigned k = 0; k < 4; k++) {
		at += at == 8;
		address[at++] = ipv4[k];
	}
	policy.nat64 = &prefix;
	policy.nat64_count = 1;
	oracle(is_valid(&policy), "a translator of RFC 6052 can be named");
	oracle(!accepts_address(address, 16, &policy) || accepts_address(ipv4, 4, BY_PUBLIC),
	       "behind a translator an address is accepted if what it leads to is");
	oracle(accepts_address(address, 16, &policy) || !accepts_address(ipv4, 4, BY_PUBLIC) ||
		   is_isatap(address),
	       "behind a translator an address is judged by what it leads to");
	const struct urivet_address_rule denied = {
	    {{ipv4[0], ipv4[1], ipv4[2], ipv4[3]}, 4, 32}, URIVET_DENY, 0};
	policy.addresses = (struct urivet_address_list){&denied, 1, true};
	oracle(!accepts_address(address, 16, &policy),
	       "a denied address is refused behind a translator");
}

/* ---- Peers --------------------------------------------------------------------------------- */

/* Checks that ports unknown to every policy, zones, and other address lengths are refused. */
static void expect_careful(const uint8_t *address, bool ipv6)
{
	struct sockaddr_in6 zoned = {
	    .sin6_family = AF_INET6, .sin6_port = htons(PORT), .sin6_scope_id = 1};
	struct urivet_report r;
	const size_t octets = ipv6 ? 16 : 4;
	const bool accepted = accepts_address(address, octets, BY_PUBLIC);
	oracle(urivet_check_address(&r, address, octets, 0, BY_PUBLIC) ==
		   (accepted ? URIVET_ACCEPT : URIVET_REJECT),
	       "a port that is not known changes nothing");
	oracle(urivet_check_address(&r, address, octets, 8080, BY_PUBLIC) == URIVET_REJECT &&
		   urivet_check_address(&r, address, octets, 21, BY_PUBLIC) == URIVET_REJECT &&
		   urivet_check_address(&r, address, octets, 65536, BY_PUBLIC) == URIVET_REJECT,
	       "a port of no scheme is refused");
	oracle(r.count == 1 && r.finding[0].id == URIVET_F_PEER_UNKNOWN && !r.parsed,
	       "a port above 65535 is none");
	oracle(urivet_check_address(&r, address, octets - 1, PORT, BY_ANY) == URIVET_REJECT,
	       "an address has 4 or 16 octets");
	if (!ipv6)
		return;
	memcpy(&zoned.sin6_addr, address, 16);
	oracle(urivet_check_peer(&r, (const struct sockaddr *)&zoned, sizeof zoned, BY_ANY) ==
		   URIVET_REJECT,
	       "a zone is refused");
	oracle(urivet_check_peer(&r, (const struct sockaddr *)&zoned, sizeof(struct sockaddr_in),
				 BY_ANY) == URIVET_REJECT,
	       "a peer that is cut short is refused");
}

/* Checks that a seal is none for a list that has one rule more. The rule that is added sorts before
 * all others. */
static void expect_no_other_seal(const struct urivet_policy *in_order, const uint8_t *address,
				 size_t octets, enum urivet_verdict verdict)
{
	struct urivet_address_rule rules[4];
	struct urivet_policy grown = *in_order;
	const uint32_t n = in_order->addresses.count;
	struct urivet_report r;
	if (n < 2)
		return;
	memcpy(rules, in_order->addresses.rule + 1, (n - 1) * sizeof rules[0]);
	rules[n - 1] = in_order->addresses.rule[0];
	grown.addresses = (struct urivet_address_list){rules, n - 1, true};
	if (!urivet_policy_finish(&grown, NULL, 0))
		return;
	grown.addresses.count = n;
	oracle(urivet_check_address(&r, address, octets, PORT, &grown) ==
		   (is_in_order(&grown.addresses) ? verdict : URIVET_REJECT),
	       "a seal is none for a longer list");
}

static void expect_inside_out(const uint8_t *data, size_t octets)
{
	static const unsigned lengths[] = {32, 40, 48, 56, 64, 96};
	expect_unwrapped(data + octets - 4);
	expect_careful(data, octets == 16);
	for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
		expect_translated(data, lengths[k]);
}

/* Checks that a text that is no rule changes nothing. */
static void expect_no_rule(const char *text, size_t length)
{
	union {
		struct urivet_host_rule host;
		struct urivet_url_rule url;
		struct urivet_path_rule path;
		struct urivet_protected protected;
		struct urivet_network network;
	} rule, before;
	memset(&before, 0xaa, sizeof before);
	for (unsigned k = 0; k < 5; k++) {
		memcpy(&rule, &before, sizeof rule);
		const bool is = k == 0
				    ? urivet_host_rule_from(&rule.host, text, length, URIVET_DENY)
				: k == 1 ? urivet_url_rule_from(&rule.url, text, length)
				: k == 2 ? urivet_path_rule_from(&rule.path, text, length)
				: k == 3 ? urivet_protected_from(&rule.protected, text, length)
					 : urivet_network_from(&rule.network, text, length);
		oracle(is || memcmp(&rule, &before, sizeof rule) == 0,
		       "what is no rule changes nothing");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct urivet_address_rule rules[4], sorted[4];
	struct urivet_policy lists, in_order, claimed;
	const struct urivet_policy *const policies[] = {BY_STRICT, BY_PUBLIC, BY_ANY,
							&lists,    &in_order, &claimed};
	const bool ipv6 = length >= 16;
	const size_t octets = ipv6 ? 16 : 4;
	expect_no_rule((const char *)data, length);
	if (length < 4)
		return -1;
	lists = with_lists(data + octets, length - octets, data, octets, rules, 4);
	in_order = lists;
	memcpy(sorted, rules, sizeof sorted);
	qsort(sorted, lists.addresses.count, sizeof sorted[0], urivet_order(URIVET_LIST_ADDRESSES));
	in_order.addresses = (struct urivet_address_list){sorted, lists.addresses.count, true};
	claimed = lists; /* declared as sorted, and possibly not */
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
	expect_inside_out(data, octets);
	oracle(is_narrowest(data, octets), "an address is in the narrowest block that holds it");
	oracle(verdict[1] == URIVET_REJECT || urivet_address_info(data, octets)->reachable,
	       "what public accepts is globally reachable");
	oracle(verdict[1] == URIVET_REJECT || !is_inside(data, ipv6) ||
		   (ipv6 && is_well_known_nat64(data)),
	       "public accepts nothing inside");
	oracle(verdict[3] == verdict[4], "the order of a list changes nothing");
	expect_no_other_seal(&in_order, data, octets, verdict[4]);
	oracle(verdict[5] == (is_in_order(&lists.addresses) ? verdict[3] : URIVET_REJECT),
	       "a list that says it is sorted lets nothing more through");
	return 0;
}
