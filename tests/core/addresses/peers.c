/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares urivet_check_peer() with urivet_check(): the findings for a peer must be those
 * for http://ADDRESS/, by any policy.
 *
 *   peers COUNT SEED
 *
 * Every border of every block, every address one bit away from one, and COUNT
 * random addresses near them, each under every policy below. Exit status 1 at the
 * first difference.
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <urivet.h>
#include <urivet/rules.h>

#include "../../built_in.h"
#include "policy/addr.h"

/* ---- Policies ----------------------------------------------------------------- */

#define MOST_RULES 32
static struct urivet_address_rule rules[MOST_RULES], in_order[MOST_RULES];
static struct urivet_network nat64[8];
static uint32_t rule_count, nat64_count;

static void need(bool good, const char *text)
{
	if (good)
		return;
	fprintf(stderr, "peers: %s\n", text);
	exit(2);
}

static void add_rule(const char *text, enum urivet_action action)
{
	struct urivet_address_rule *r = &rules[rule_count++];
	need(urivet_network_from(&r->network, text, strlen(text)), text);
	r->action = (uint8_t)action;
	r->tag = rule_count;
}

static void fill_lists(void)
{
	static const char *const prefixes[] = {"2600:1::/32",         "2600:1:100::/40",
					       "2600:1:122::/48",     "2600:1:122:300::/56",
					       "2600:1:122:344::/64", "2600:1:122:344::/96"};
	static const char *const allowed[] = {"10.0.0.0/8", "127.0.0.2",           "169.254.0.0/16",
					      "fd00::/8",   "2002::/16",           "::ffff:0:0/96",
					      "2001::/32",  "2600:1:122:344::/72", "ff02::1",
					      "0.0.0.0/1",  "64:ff9b:1::/48",      "4000::/3"};
	static const char *const denied[] = {"10.1.0.0/16",     "8.8.8.8",   "169.254.169.254",
					     "fd00:ec2::/32",   "2606::/16", "2002:808:808::/48",
					     "2001:0:0:1::/64", "::1",       "255.255.255.255"};
	for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++)
		need(urivet_network_from(&nat64[nat64_count++], prefixes[k], strlen(prefixes[k])),
		     prefixes[k]);
	for (size_t k = 0; k < sizeof allowed / sizeof allowed[0]; k++)
		add_rule(allowed[k], URIVET_ALLOW);
	for (size_t k = 0; k < sizeof denied / sizeof denied[0]; k++)
		add_rule(denied[k], URIVET_DENY);
	memcpy(in_order, rules, sizeof rules);
	qsort(in_order, rule_count, sizeof in_order[0], urivet_order(URIVET_LIST_ADDRESSES));
}

#define POLICIES 6
static struct urivet_policy policies[POLICIES];

static void make_policies(void)
{
	fill_lists();
	policies[0] = built_in(URIVET_STRICT);
	policies[1] = built_in(URIVET_PUBLIC);
	policies[2] = built_in(URIVET_ANY);
	policies[3] = built_in(URIVET_PUBLIC);
	policies[3].addresses = (struct urivet_address_list){rules, rule_count, false};
	policies[3].nat64 = nat64;
	policies[3].nat64_count = nat64_count;
	policies[4] = policies[3];
	policies[4].addresses = (struct urivet_address_list){in_order, rule_count, true};
	policies[5] = policies[4];
	need(urivet_policy_waive(&policies[5], URIVET_F_ADDR_PRIVATE) &&
		 urivet_policy_waive(&policies[5], URIVET_F_IPV4_MAPPED_IPV6) &&
		 urivet_policy_raise(&policies[5], URIVET_F_NAT64_EMBEDDED_IPV4),
	     "a finding that cannot be waived");
}

/* ---- One address ------------------------------------------------------------------ */

static unsigned long compared, accepted;

static enum urivet_verdict as_peer(struct urivet_report *r, const uint8_t *address, size_t octets,
				   const struct urivet_policy *policy)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(80)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(80)};
	if (octets == 4) {
		memcpy(&in.sin_addr, address, 4);
		return urivet_check_peer(r, (const struct sockaddr *)&in, sizeof in, policy);
	}
	memcpy(&in6.sin6_addr, address, 16);
	return urivet_check_peer(r, (const struct sockaddr *)&in6, sizeof in6, policy);
}

/* Returns true if both reports have the same set of findings; their order by offset and number
 * does not matter, because all lie at one place. */
static bool same_findings(const struct urivet_report *a, const struct urivet_report *b)
{
	struct urivet_finding_set x = {{0}}, y = {{0}};
	for (uint32_t k = 0; k < a->count; k++)
		x.bits[a->finding[k].id / 64] |= (uint64_t)1 << a->finding[k].id % 64;
	for (uint32_t k = 0; k < b->count; k++)
		y.bits[b->finding[k].id / 64] |= (uint64_t)1 << b->finding[k].id % 64;
	return memcmp(&x, &y, sizeof x) == 0;
}

static void say(const char *who, const struct urivet_report *r)
{
	fprintf(stderr, "  %s: %s", who, r->verdict == URIVET_ACCEPT ? "accept" : "reject");
	for (uint32_t k = 0; k < r->count; k++)
		fprintf(stderr, " %s", urivet_finding_info(r->finding[k].id)->name);
	fputc('\n', stderr);
}

static void compare(const uint8_t *address, size_t octets)
{
	struct urivet_uri host = {.host_kind = octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6,
				  .has_ipv4 = octets == 4};
	char text[64], uri[80];
	int length;
	memcpy(host.address, address, octets);
	urivet_format_address(text, sizeof text, &host);
	length = snprintf(uri, sizeof uri, octets == 4 ? "http://%s/" : "http://[%s]/", text);
	for (unsigned k = 0; k < POLICIES; k++) {
		struct urivet_report of_uri, of_peer;
		urivet_check(&of_uri, uri, (size_t)length, &policies[k]);
		as_peer(&of_peer, address, octets, &policies[k]);
		compared++;
		accepted += of_peer.verdict == URIVET_ACCEPT;
		if (of_uri.verdict == of_peer.verdict && same_findings(&of_uri, &of_peer) &&
		    of_uri.address_rule == of_peer.address_rule &&
		    of_uri.address_row == of_peer.address_row &&
		    memcmp(of_uri.uri.address, of_peer.uri.address, octets) == 0 &&
		    of_uri.uri.port == of_peer.uri.port &&
		    of_uri.uri.host_kind == of_peer.uri.host_kind)
			continue;
		fprintf(stderr, "peers: %s, policy %u\n", uri, k);
		say("uri", &of_uri);
		say("peer", &of_peer);
		exit(1);
	}
}

/* ---- Addresses --------------------------------------------------------------------- */

static uint64_t state;

static uint64_t dice(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Writes the first address of a block; last_of() writes the last one. */
static void first_of(const struct urivet_network *n, uint8_t *address)
{
	memcpy(address, n->address, 16);
}

static void last_of(const struct urivet_network *n, uint8_t *address)
{
	memcpy(address, n->address, 16);
	for (unsigned bit = n->length; bit < 8u * n->octets; bit++)
		address[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
}

/* Moves to the next address above or below, with wrap-around. */
static void step(uint8_t *address, size_t octets, bool up)
{
	for (size_t k = octets; k-- > 0;) {
		address[k] = (uint8_t)(address[k] + (up ? 1 : -1));
		if (address[k] != (up ? 0 : 0xff))
			return;
	}
}

static void compare_around(const uint8_t *address, size_t octets)
{
	uint8_t near[16];
	compare(address, octets);
	for (unsigned up = 0; up < 2; up++) {
		memcpy(near, address, 16);
		step(near, octets, up);
		compare(near, octets);
	}
	for (unsigned bit = 0; bit < 8 * octets; bit++) {
		memcpy(near, address, 16);
		near[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
		compare(near, octets);
	}
}

static const struct urivet_network *networks[128];
static unsigned network_count;

static void collect(void)
{
	const struct urivet_address_row *row;
	for (size_t k = 0; (row = urivet_address_row_at(k)) != NULL && network_count < 96; k++)
		networks[network_count++] = &row->network;
	for (uint32_t k = 0; k < rule_count; k++)
		networks[network_count++] = &rules[k].network;
	for (uint32_t k = 0; k < nat64_count; k++)
		networks[network_count++] = &nat64[k];
}

/* Writes a random address in or near a block, sometimes with an IPv4 border embedded. */
static size_t random_address(uint8_t *address)
{
	const struct urivet_network *n = networks[dice() % network_count];
	const struct urivet_network *inside = networks[dice() % network_count];
	first_of(n, address);
	for (unsigned bit = n->length; bit < 8u * n->octets; bit++)
		if (dice() & 1)
			address[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	if (n->octets == 16 && inside->octets == 4) {
		const unsigned at = (unsigned)(dice() % 12) + 1;
		memcpy(address + at, inside->address, 4);
		if (dice() % 4 == 0)
			memcpy(address + 8, "\0\0\x5e\xfe", 4);
		if (at <= 8 && dice() % 2 == 0)
			address[8] = 0;
	}
	if (dice() % 4 == 0) {
		const unsigned bit = (unsigned)(dice() % (8u * n->octets));
		address[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
	}
	return n->octets;
}

int main(int argc, char **argv)
{
	const unsigned long count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	uint8_t address[16] = {0};
	if (count == 0) {
		fputs("usage: peers COUNT SEED\n", stderr);
		return 2;
	}
	state = strtoull(argv[2], NULL, 10) * 2654435769u + 88172645463325252u;
	make_policies();
	collect();
	for (unsigned k = 0; k < network_count; k++) {
		first_of(networks[k], address);
		compare_around(address, networks[k]->octets);
		last_of(networks[k], address);
		compare_around(address, networks[k]->octets);
	}
	for (unsigned long k = 0; k < count; k++) {
		const size_t octets = random_address(address);
		compare(address, octets);
	}
	printf("peers: %lu judged both ways (%u policies), %lu accepted, 0 differences\n", compared,
	       POLICIES, accepted);
	return 0;
}
