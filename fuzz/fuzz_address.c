/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses: a peer is judged as the literal is; what is allowed is reachable. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "oracles.h"

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
	struct urivet_policy policy = urivet_policy_public;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct urivet_address_rule rules[4], sorted[4];
	struct urivet_policy lists, in_order;
	const struct urivet_policy *const policies[] = {
	    &urivet_policy_strict, &urivet_policy_public, &urivet_policy_any, &lists, &in_order};
	const bool ipv6 = length >= 16;
	const size_t octets = ipv6 ? 16 : 4;
	if (length < 4)
		return -1;
	lists = with_lists(data + octets, length - octets, rules, 4);
	in_order = lists;
	memcpy(sorted, rules, sizeof sorted);
	qsort(sorted, lists.addresses.count, sizeof sorted[0], urivet_order_addresses);
	in_order.addresses = (struct urivet_address_list){sorted, lists.addresses.count, true};
	enum urivet_verdict verdict[5];
	for (unsigned k = 0; k < 5; k++) {
		struct urivet_report ours, theirs;
		char text[64];
		verdict[k] =
		    urivet_check(&ours, text, literal(text, sizeof text, data, ipv6), policies[k]);
		peer(&theirs, data, ipv6, policies[k]);
		oracle(ours.verdict == theirs.verdict && ours.count == theirs.count,
		       "a peer is judged as the literal");
	}
	oracle(verdict[1] == URIVET_REJECT || urivet_address_info(data, octets)->reachable,
	       "what public accepts is globally reachable");
	oracle(verdict[3] == verdict[4], "the order of a list changes nothing");
	return 0;
}
