/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the peer of a connection: families, lengths, zones, ports, translators, and the findings
 * that apply. tests/core/addresses compares millions of verdicts with urivet_check(). */
#include "support.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "policy/addr.h"

TestSuite(peer, .timeout = 30);

/* Judges an address given as text, with a port. */
static enum urivet_verdict judge_peer(struct urivet_report *r, const char *text, uint16_t port,
				      const struct urivet_policy *policy)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
		return urivet_check_peer(r, at_edge(&in, sizeof in), sizeof in, policy);
	cr_assert(inet_pton(AF_INET6, text, &in6.sin6_addr) == 1, "%s", text);
	return urivet_check_peer(r, at_edge(&in6, sizeof in6), sizeof in6, policy);
}

static const char *findings(const char *text, uint16_t port, const struct urivet_policy *policy)
{
	struct urivet_report r;
	judge_peer(&r, text, port, policy);
	return ids_of(&r);
}

static void expect_findings(const char *text, uint16_t port, const struct urivet_policy *policy,
			    const char *expected)
{
	const char *const found = findings(text, port, policy);
	cr_expect_str_eq(found, expected, "%s port %u: %s, not %s", text, port, found, expected);
}

/* ---- Invalid peers -------------------------------------------------------------- */

static void expect_unknown(const void *peer, size_t length)
{
	struct urivet_report r;
	const struct urivet_policy *const policies[] = {NULL, BY_STRICT,
							BY_PUBLIC, BY_ANY};
	for (size_t k = 0; k < sizeof policies / sizeof policies[0]; k++) {
		memset(&r, 0xff, sizeof r);
		cr_expect(urivet_check_peer(&r, peer, length, policies[k]) == URIVET_REJECT);
		cr_expect(!r.parsed && r.count == 1 && r.finding[0].id == URIVET_F_PEER_UNKNOWN);
		cr_expect(r.finding[0].span.offset == 0 && r.finding[0].span.length == 0);
		cr_expect(r.address_row == NULL && r.address_rule == NULL && r.port_rule == NULL &&
			  r.host_rule == NULL);
		cr_expect(urivet_reason(&r, policies[k]) == URIVET_REASON_NOT_ALLOWED);
	}
}

Test(peer, unknown_families_and_lengths)
{
	union {
		struct sockaddr_storage storage;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} u;
	for (unsigned family = 0; family < 512; family++) {
		memset(&u, 0, sizeof u);
		u.storage.ss_family = (sa_family_t)family;
		if (family != AF_INET && family != AF_INET6)
			expect_unknown(&u, sizeof u);
	}
	memset(&u, 0, sizeof u);
	u.un.sun_family = AF_UNIX;
	strcpy(u.un.sun_path, "/run/docker.sock");
	expect_unknown(&u, sizeof u.un);
	expect_unknown(NULL, 0);
	expect_unknown(NULL, sizeof u.in);
	/* it would be accepted if it were complete; nothing after its end is read */
	memset(&u, 0, sizeof u);
	u.in.sin_family = AF_INET;
	inet_pton(AF_INET, "8.8.8.8", &u.in.sin_addr);
	for (size_t length = 0; length < sizeof u.in; length++)
		expect_unknown(at_edge(&u, length), length);
	memset(&u, 0, sizeof u);
	u.in6.sin6_family = AF_INET6;
	inet_pton(AF_INET6, "2606:4700:4700::1111", &u.in6.sin6_addr);
	for (size_t length = 0; length < sizeof u.in6; length++)
		expect_unknown(at_edge(&u, length), length);
}

/* Addresses from accept(2) and getaddrinfo(3) may be longer, and have any alignment. */
Test(peer, longer_and_unaligned)
{
	unsigned char octets[sizeof(struct sockaddr_storage) + 8] = {0};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(443)};
	inet_pton(AF_INET, "8.8.8.8", &in.sin_addr);
	for (size_t k = 0; k < 8; k++) {
		struct urivet_report r;
		memcpy(octets + k, &in, sizeof in);
		cr_expect(urivet_check_peer(&r, (const struct sockaddr *)(const void *)(octets + k),
					    sizeof(struct sockaddr_storage),
					    BY_PUBLIC) == URIVET_ACCEPT);
		cr_expect(r.uri.port == 443 && r.uri.has_ipv4 && r.uri.present == 0 &&
			  r.uri.host_kind == URIVET_HOST_IPV4);
	}
}

/* The members of a peer's report: address and port, like those of a URI. */
Test(peer, facts)
{
	struct urivet_report r;
	judge_peer(&r, "8.8.4.4", 443, NULL);
	cr_expect(r.uri.has_ipv4 == 1 && r.uri.host_kind == URIVET_HOST_IPV4 && r.uri.port == 443);
	cr_expect(memcmp(r.uri.address, (uint8_t[]){8, 8, 4, 4}, 4) == 0);
}

Test(peer, policy_of_another_size)
{
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	struct urivet_report r;
	memset(&r, 0xff, sizeof r);
	p.size--;
	cr_expect(judge_peer(&r, "8.8.8.8", 443, &p) == URIVET_REJECT);
	cr_expect(r.count == 1 && r.finding[0].id == URIVET_F_POLICY_INVALID);
	cr_expect(urivet_reason(&r, &p) == URIVET_REASON_NOT_ALLOWED);
	p.size = 0;
	cr_expect(judge_peer(&r, "8.8.8.8", 443, &p) == URIVET_REJECT);
}

/* A peer has no text, so no length limit applies. */
Test(peer, limit_of_length)
{
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	p.max_length = 0;
	expect_findings("8.8.8.8", 443, &p, "-");
	expect_findings("2606::1", 443, &p, "-");
}

/* ---- Zones and spellings ---------------------------------------------------------- */

Test(peer, zones)
{
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_scope_id = 1};
	struct urivet_report r;
	inet_pton(AF_INET6, "2606:4700:4700::1111", &in6.sin6_addr);
	cr_expect(urivet_check_peer(&r, (struct sockaddr *)&in6, sizeof in6, NULL) ==
		  URIVET_REJECT);
	cr_expect_str_eq(ids_of(&r), "ipv6-zone");
	cr_expect(r.finding[0].span.offset == 0 && r.finding[0].span.length == 0);
	cr_expect(urivet_reason(&r, NULL) == URIVET_REASON_NOT_ALLOWED);
	inet_pton(AF_INET6, "fe80::1", &in6.sin6_addr);
	urivet_check_peer(&r, (struct sockaddr *)&in6, sizeof in6, BY_PUBLIC);
	cr_expect_str_eq(ids_of(&r), "ipv6-zone,addr-not-global,addr6-link-local");
	in6.sin6_scope_id = 0;
	in6.sin6_flowinfo = htonl(5);
	inet_pton(AF_INET6, "2606:4700:4700::1111", &in6.sin6_addr);
	cr_expect(urivet_check_peer(&r, (struct sockaddr *)&in6, sizeof in6,
				    BY_PUBLIC) == URIVET_ACCEPT);
}

/* A peer has no spelling, so no finding about spelling is reported. */
Test(peer, reasons)
{
	static const char *const refused[] = {"127.0.0.1",          "::ffff:8.8.8.8", "::8.8.8.8",
					      "2600::5efe:808:808", "10.0.0.1",       "fd00::1"};
	struct urivet_report r;
	for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
		cr_expect(judge_peer(&r, refused[k], 80, BY_PUBLIC) == URIVET_REJECT);
		cr_expect(urivet_reason(&r, BY_PUBLIC) == URIVET_REASON_NOT_ALLOWED,
			  "%s", refused[k]);
	}
	judge_peer(&r, "8.8.8.8", 80, BY_PUBLIC);
	cr_expect(urivet_reason(&r, BY_PUBLIC) == URIVET_REASON_ACCEPTED);
}

/* ---- Ports ----------------------------------------------------------------------- */

#define BIT(scheme) (1u << URIVET_SCHEME_##scheme)

Test(peer, ports)
{
	static const struct urivet_port_rule ports[] = {
	    {BIT(HTTP), 8000, 9300, 0}, {BIT(HTTPS), 25, 25, 0}, {BIT(FTP), 2121, 2121, 0}};
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	expect_findings("8.8.8.8", 0, &p, "-"); /* unknown port */
	expect_findings("8.8.8.8", 80, &p, "-");
	expect_findings("8.8.8.8", 443, &p, "-");
	expect_findings("8.8.8.8", 8080, &p, "port-nondefault");
	expect_findings("8.8.8.8", 21, &p, "port-nondefault,port-blocked");
	expect_findings("8.8.8.8", 25, NULL, "port-nondefault,port-blocked");
	expect_findings("2606::1", 6379, NULL, "port-nondefault,port-blocked");
	expect_findings("8.8.8.8", 65535, &p, "port-nondefault");
	p.ports = ports;
	p.port_count = 3;
	expect_findings("8.8.8.8", 8000, &p, "-");
	expect_findings("8.8.8.8", 7999, &p, "port-nondefault");
	expect_findings("8.8.8.8", 9200, &p, "port-blocked"); /* a range does not allow these */
	expect_findings("8.8.8.8", 25, &p, "-");
	expect_findings("8.8.8.8", 2121, &p, "port-nondefault"); /* ftp itself is not allowed */
	p.schemes |= BIT(FTP);
	expect_findings("8.8.8.8", 2121, &p, "-");
	expect_findings("8.8.8.8", 21, &p, "-");
	p.schemes = BIT(HTTPS);
	expect_findings("8.8.8.8", 80, &p, "port-nondefault");
	expect_findings("8.8.8.8", 443, &p, "-");
	/* a scheme without a default: any port may belong to it */
	expect_findings("8.8.8.8", 25, BY_ANY, "-");
}

Test(peer, says_which_port_rule)
{
	static const struct urivet_port_rule ports[] = {{BIT(HTTP), 8000, 8099, 7},
							{BIT(HTTP), 8080, 8080, 8}};
	struct urivet_policy p = built_in(URIVET_PUBLIC);
	struct urivet_report r;
	p.ports = ports;
	p.port_count = 2;
	judge_peer(&r, "8.8.8.8", 8001, &p);
	cr_expect(r.port_rule == &ports[0]);
	judge_peer(&r, "8.8.8.8", 8080, &p);
	cr_expect(r.port_rule == &ports[1]);
	judge_peer(&r, "8.8.8.8", 80, &p);
	cr_expect(r.port_rule == NULL);
}

/* ---- Lists -------------------------------------------------------------------------- */

/* `only` concerns the hosts of URIs: the addresses of an allowed name must stay reachable. */
Test(peer, lists_of_hosts_do_not_hold)
{
	struct urivet_host_rule rule = host_rule_of("example.com", URIVET_ALLOW);
	struct urivet_policy p = with_hosts(URIVET_PUBLIC, &rule, 1, true, true);
	expect_findings("8.8.8.8", 443, &p, "-");
	expect_findings("10.0.0.1", 443, &p, "addr-not-global,addr-private");
	urivet_policy_raise(&p, URIVET_F_HOST_IS_ADDRESS);
	expect_findings("8.8.8.8", 443, &p, "-");
}

/* ---- Translators: RFC 6052 ------------------------------------------------------------ */

/* The table of its section 2.4: 192.0.2.33 after prefixes of each length. */
Test(peer, examples_of_rfc_6052)
{
	static const struct {
		const char *prefix, *address;
	} rows[] = {
	    {"2001:db8::/32", "2001:db8:c000:221::"},
	    {"2001:db8:100::/40", "2001:db8:1c0:2:21::"},
	    {"2001:db8:122::/48", "2001:db8:122:c000:2:2100::"},
	    {"2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"},
	    {"2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"},
	    {"2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy p = built_in(URIVET_PUBLIC);
		struct urivet_network nat64 = network(rows[k].prefix);
		struct urivet_address_rule rule = address_rule_of("192.0.2.33", URIVET_DENY);
		struct urivet_report r;
		p.nat64 = &nat64;
		p.nat64_count = 1;
		expect_findings(rows[k].address, 80, &p,
				"nat64-embedded-ipv4,addr-not-global,addr-documentation");
		/* a rule for the same address */
		p.addresses = (struct urivet_address_list){&rule, 1, true};
		expect_findings(rows[k].address, 80, &p,
				"nat64-embedded-ipv4,addr-not-global,addr-documentation,"
				"addr-denied");
		rule.action = URIVET_ALLOW;
		cr_expect(judge_peer(&r, rows[k].address, 80, &p) == URIVET_ACCEPT, "%s: %s",
			  rows[k].address, ids_of(&r));
		cr_expect(r.address_rule == &rule);
	}
}

/* Bits 64 to 71 must be zero; otherwise the embedded address is unknown. */
Test(peer, reserved_octet)
{
	static const char *const rows[][2] = {
	    {"2600:1::/32", "2600:1:808:808:100::"},
	    {"2600:1:100::/40", "2600:1:108:808:108::"},
	    {"2600:1:122::/48", "2600:1:122:808:ff08:800::"},
	    {"2600:1:122:300::/56", "2600:1:122:308:8008:808::"},
	    {"2600:1:122:344::/64", "2600:1:122:344:108:808:800:0"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_policy p = built_in(URIVET_PUBLIC);
		struct urivet_network nat64 = network(rows[k][0]);
		p.nat64 = &nat64;
		p.nat64_count = 1;
		expect_findings(rows[k][1], 80, &p, "nat64-embedded-ipv4,addr-unclassified");
		p.nat64_count = 0; /* without a translator: an ordinary address */
		expect_findings(rows[k][1], 80, &p, "-");
	}
}

/* With a prefix length that the RFC does not define, the embedded address is unknown. */
Test(peer, prefix_of_no_layout)
{
	static const char *const prefixes[] = {"2600:1::/33",  "2600:1::/31", "2600:1::/72",
					       "2600:1::/128", "2600:1::/24", "::/0"};
	for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++) {
		struct urivet_policy p = built_in(URIVET_PUBLIC);
		struct urivet_network nat64;
		if (!urivet_network_from(&nat64, prefixes[k], strlen(prefixes[k])))
			continue; /* bits after the prefix */
		p.nat64 = &nat64;
		p.nat64_count = 1;
		expect_findings("2600:1::", 80, &p, "nat64-embedded-ipv4,addr-unclassified");
	}
}

/* ---- Waiving a class ---------------------------------------------------------------- */

Test(peer, waiving_one_class)
{
	struct urivet_policy p = with_waiver(URIVET_PUBLIC, URIVET_F_ADDR_PRIVATE);
	struct urivet_report r;
	cr_expect(judge_peer(&r, "10.0.0.1", 80, &p) == URIVET_ACCEPT);
	cr_expect_str_eq(ids_of(&r), "addr-private");
	cr_expect(judge_peer(&r, "64:ff9b::10.0.0.1", 80, &p) == URIVET_ACCEPT);
	/* a refused block with a private address inside stays refused */
	cr_expect(judge_peer(&r, "2002:a00:1::", 80, &p) == URIVET_REJECT);
	cr_expect(judge_peer(&r, "127.0.0.1", 80, &p) == URIVET_REJECT);
	cr_expect(judge_peer(&r, "fd00::1", 80, &p) == URIVET_REJECT);
	cr_assert(urivet_policy_waive(&p, URIVET_F_ADDR_SHARED_CGNAT));
	cr_assert(urivet_policy_waive(&p, URIVET_F_ADDR_LINK_LOCAL));
	cr_assert(urivet_policy_waive(&p, URIVET_F_ADDR6_UNIQUE_LOCAL));
	cr_expect(judge_peer(&r, "100.64.0.1", 80, &p) == URIVET_ACCEPT);
	cr_expect(judge_peer(&r, "169.254.1.1", 80, &p) == URIVET_ACCEPT);
	/* but never addresses that issue credentials */
	cr_expect(judge_peer(&r, "100.100.100.200", 80, &p) == URIVET_REJECT);
	cr_expect(judge_peer(&r, "169.254.169.254", 80, &p) == URIVET_REJECT);
	cr_expect(judge_peer(&r, "fd00:ec2::254", 80, &p) == URIVET_REJECT);
	cr_assert(urivet_policy_waive(&p, URIVET_F_ADDR_METADATA));
	cr_expect(judge_peer(&r, "169.254.169.254", 80, &p) == URIVET_ACCEPT);
}

/* A waiver of addr-not-global does not accept the class of the address. */
Test(peer, waiving_the_general_finding)
{
	struct urivet_policy p = with_waiver(URIVET_PUBLIC, URIVET_F_ADDR_NOT_GLOBAL);
	struct urivet_report r;
	cr_expect(judge_peer(&r, "10.0.0.1", 80, &p) == URIVET_REJECT);
	cr_expect(judge_peer(&r, "::1", 80, &p) == URIVET_REJECT);
	cr_expect(judge_peer(&r, "4000::", 80, &p) == URIVET_REJECT);
}

/* ---- Addresses without a socket address ------------------------------------------- */

/* Checks that the same octets as a socket address give the same report, in every member. */
static void expect_same_report(const char *text, uint16_t port, const struct urivet_policy *policy)
{
	struct urivet_report r, peer;
	uint8_t octets[16];
	const size_t n = inet_pton(AF_INET, text, octets) == 1 ? 4 : 16;
	cr_assert(n == 4 || inet_pton(AF_INET6, text, octets) == 1, "%s", text);
	memset(&r, 0x5a, sizeof r);
	memset(&peer, 0x5a, sizeof peer);
	judge_peer(&peer, text, port, policy);
	cr_expect(urivet_check_address(&r, at_edge(octets, n), n, port, policy) == peer.verdict);
	cr_expect(memcmp(&r, &peer, sizeof r) == 0, "%s port %u", text, port);
}

Test(peer, addresses_are_judged_as_peers)
{
	static const char *const texts[] = {"8.8.8.8", "10.0.0.1", "2606:4700::1", "::1", "::ffff:10.0.0.1",
					    "64:ff9b::10.0.0.1", "169.254.169.254"};
	static const uint16_t ports[] = {0, 21, 80, 443, 8080, 22, 65535};
	struct urivet_policy unsound = built_in(URIVET_PUBLIC);
	unsound.size = 3;
	for (unsigned k = 0; k < sizeof texts / sizeof texts[0]; k++)
		for (unsigned i = 0; i < sizeof ports / sizeof ports[0]; i++) {
			expect_same_report(texts[k], ports[i], NULL);
			expect_same_report(texts[k], ports[i], BY_PUBLIC);
			expect_same_report(texts[k], ports[i], BY_ANY);
			expect_same_report(texts[k], ports[i], &unsound);
		}
}

Test(peer, what_is_no_address)
{
	static const uint8_t octets[16] = {8, 8, 8, 8};
	const size_t least = URIVET_REPORT_OCTETS;
	static const uint32_t ports[] = {65536, 65616 /* 80 after truncation to 16 bits */, UINT32_MAX};
	struct urivet_report r;
	for (size_t n = 0; n <= 20; n++) {
		urivet_check_address(&r, octets, n, 80, BY_PUBLIC);
		cr_expect(r.parsed == (n == 4 || n == 16), "%zu", n);
		cr_expect(n == 16 || (r.verdict == URIVET_ACCEPT) == (n == 4), "%zu", n);
		cr_expect(n == 4 || n == 16 || strcmp(ids_of(&r), "peer-unknown") == 0, "%zu", n);
	}
	cr_expect(urivet_check_address(&r, octets, SIZE_MAX, 80, NULL) == URIVET_REJECT);
	for (size_t n = 0; n <= 20; n++) {
		cr_expect(urivet_check_address(&r, NULL, n, 80, BY_PUBLIC) == URIVET_REJECT);
		cr_expect(!r.parsed && strcmp(ids_of(&r), "peer-unknown") == 0);
	}
	for (unsigned k = 0; k < sizeof ports / sizeof ports[0]; k++) {
		cr_expect(urivet_check_address(&r, octets, 4, ports[k], BY_ANY) == URIVET_REJECT);
		cr_expect(!r.parsed && strcmp(ids_of(&r), "peer-unknown") == 0);
	}
	cr_expect(urivet_check_address(&r, octets, 4, 65535, BY_ANY) == URIVET_ACCEPT);
	cr_expect(urivet_check_address(NULL, octets, 4, 80, NULL) == URIVET_REJECT);
	cr_expect(urivet_check_address_sized(&r, least - 1, octets, 4, 80, NULL) == URIVET_REJECT);
	cr_expect(r.count == 0 && !r.parsed); /* zeroed */
}

/* ---- The table ----------------------------------------------------------------------- */

Test(peer, rows_of_the_table)
{
	static const uint8_t address[16] = {127, 0, 0, 1};
	const struct urivet_address_row *row;
	size_t count = 0;
	cr_expect(urivet_address_info(address, 4)->finding == URIVET_F_ADDR_LOOPBACK);
	for (size_t octets = 0; octets < 20; octets++)
		cr_expect((urivet_address_info(address, octets) != NULL) ==
			      (octets == 4 || octets == 16),
			  "%zu", octets);
	while ((row = urivet_address_row_at(count)) != NULL) {
		const struct urivet_network *n = &row->network;
		cr_expect(urivet_network_holds(n, n->address, n->octets));
		cr_expect(urivet_address_info(n->address, n->octets)->network.length >= n->length);
		cr_expect(row->reachable == (row->finding == URIVET_F_NONE), "%s", row->name);
		cr_expect(row->name[0] != '\0' && strncmp(row->reference, "RFC ", 4) == 0);
		for (unsigned bit = n->length; bit < 128; bit++)
			cr_expect((n->address[bit / 8] >> (7 - bit % 8) & 1) == 0, "%s", row->name);
		count++;
	}
	cr_expect(count == 59, "%zu", count);
	cr_expect(urivet_address_row_at(SIZE_MAX) == NULL);
}
