/* SPDX-License-Identifier: Apache-2.0 */
/* Tests address blocks bit by bit, and that no more octets are written than an address has. */

#include "support.h"

#include "policy/addr.h"

TestSuite(addr, .timeout = 10);

/* A block contains an address unless one of the block's first bits differs. */
Test(addr, every_length_and_bit)
{
	static const uint8_t pattern[16] = {0xa5, 0x3c, 0xf0, 0x0f, 0x96, 0x69, 0x5a, 0xc3,
					    0x00, 0xff, 0x81, 0x7e, 0x42, 0xbd, 0x18, 0xe7};
	for (unsigned octets = 4; octets <= 16; octets += 12)
		for (unsigned length = 0; length <= 255; length++) {
			struct urivet_network n = {{0}, (uint8_t)octets, (uint8_t)length};
			memcpy(n.address, pattern, octets);
			for (unsigned bit = 0; bit < 8 * octets; bit++) {
				uint8_t address[16];
				memcpy(address, pattern, sizeof address);
				address[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
				cr_assert(urivet_network_holds(&n, at_edge(address, octets),
							       octets) == (length <= bit),
					  "/%u, bit %u", length, bit);
			}
			cr_assert(urivet_network_holds(&n, at_edge(pattern, octets), octets) ==
				  (length <= 8 * octets));
			for (size_t other = 0; other <= 20; other++)
				cr_assert(other == octets ||
					  !urivet_network_holds(&n, pattern, other));
		}
}

/* RFC 6052, 2.2 to 2.4; the octets after the four are left unchanged. Bits 64 to 71 are taken out
 * whatever they are. */
Test(addr, four_octets_and_no_more)
{
	static const struct {
		uint8_t address[16];
		unsigned length;
	} rows[] = {
	    {{0x20, 0x01, 0x0d, 0xb8, 192, 0, 2, 33}, 32},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 192, 0, 2, 0, 33}, 40},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 192, 0, 2, 0xff, 33, 1}, 40},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 0x22, 192, 0, 0, 2, 33}, 48},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 0x22, 3, 192, 0, 0, 2, 33}, 56},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 0x22, 3, 0x44, 0, 192, 0, 2, 33}, 64},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 0x22, 3, 0x44, 0, 0, 0, 0, 192, 0, 2, 33}, 96},
	};
	static const uint8_t want[8] = {192, 0, 2, 33, '#', '#', '#', '#'};
	uint8_t ipv4[8];
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		memset(ipv4, '#', sizeof ipv4);
		cr_expect(urivet_translated_ipv4(rows[k].address, rows[k].length, ipv4));
		cr_expect(memcmp(ipv4, want, sizeof ipv4) == 0, "/%u", rows[k].length);
	}
	for (unsigned length = 0; length <= 128; length++) {
		const bool known =
		    (length >= 32 && length <= 64 && length % 8 == 0) || length == 96;
		cr_expect(urivet_translated_ipv4(rows[4].address, length, ipv4) == known, "/%u",
			  length);
		cr_expect(memcmp(ipv4 + 4, want + 4, 4) == 0, "/%u", length);
	}
	for (unsigned k = 0; k < URIVET_EMBEDDINGS; k++) {
		static const uint8_t mapped[16] = {0, 0, 0,    0,    0,   0, 0, 0,
						   0, 0, 0xff, 0xff, 192, 0, 2, 33};
		bool known;
		memset(ipv4, '#', sizeof ipv4);
		if (urivet_embedded_ipv4(mapped, k, &known, ipv4) == URIVET_F_NONE)
			continue;
		cr_expect(known && memcmp(ipv4, want, sizeof ipv4) == 0);
	}
}

/* The report names the block that contains the address, or the embedded address, by its registry
 * name; a policy without rules on addresses does not look it up. */
Test(addr, row_of_the_report)
{
	static const struct {
		const char *host, *name;
	} rows[] = {
	    {"1.1.1.1", "Unicast"}, {"10.0.0.1", "Private-Use"}, {"224.0.0.1", "Multicast"},
	    {"[ff00::]", "Multicast"}, {"[0:2:1::]", "Unallocated"},
	    {"0", "\"This host on this network\""},
	    {"192.0.0.9", "Port Control Protocol Anycast"},
	    {"192.0.0.170", "NAT64/DNS64 Discovery"}, {"192.0.0.171", "NAT64/DNS64 Discovery"},
	    {"192.0.0.172", "IETF Protocol Assignments"}, {"[::1]", "Loopback Address"},
	    {"[::]", "Unspecified Address"}, {"[2606::1]", "Global Unicast"},
	    {"[fe80::1]", "Link-Local Unicast"}, {"[::ffff:10.0.0.1]", "IPv4-mapped Address"},
	    {"[64:ff9b::10.0.0.1]", "Private-Use"}, {"[64:ff9b::1.1.1.1]", "Unicast"},
	    {"[64:ff9b:1::10.0.0.1]", "IPv4-IPv6 Translat."}, {"[2002:a00:1::]", "6to4"},
	    {"[2002:101:101::1]", "6to4"}, {"[2001:0:a00:1::]", "TEREDO"},
	    {"[2606::5efe:10.0.0.1]", "Private-Use"}, {"[2606::5efe:1.1.1.1]", "Unicast"},
	    {"a.example", NULL},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct urivet_report r;
		char uri[64];
		const size_t n = (size_t)snprintf(uri, sizeof uri, "http://%s/", rows[k].host);
		judge(&r, uri, n, BY_PUBLIC);
		cr_expect((r.address_row == NULL) == (rows[k].name == NULL), "%s", uri);
		if (r.address_row != NULL && rows[k].name != NULL)
			cr_expect_str_eq(r.address_row->name, rows[k].name, "%s: %s", uri,
			                 r.address_row->name);
		judge(&r, uri, n, NULL);
		cr_expect(r.address_row == NULL, "%s", uri);
		/* a policy with rules on other things only does not look it up either */
		struct urivet_policy other = built_in(URIVET_STRICT);
		cr_assert(urivet_policy_raise(&other, URIVET_F_QUERY_SECRET));
		judge(&r, uri, n, &other);
		cr_expect(r.address_row == NULL, "%s", uri);
	}
}

/* A waiver alone makes a policy classify addresses, and reports the address that it accepts. */
Test(addr, waived_is_reported)
{
	struct urivet_policy p = with_waiver(URIVET_STRICT, URIVET_F_ADDR_PRIVATE);
	struct urivet_report r;
	cr_expect(judge(&r, LITERAL("http://10.0.0.1/"), &p) == URIVET_ACCEPT);
	cr_expect(finding_in(&r, URIVET_F_ADDR_PRIVATE) != NULL, "%s", ids_of(&r));
	/* findings of another class than policy are reported where they stand, and once */
	p = built_in(URIVET_PUBLIC);
	cr_assert(urivet_policy_waive(&p, URIVET_F_IPV4_COMPATIBLE_IPV6));
	judge(&r, LITERAL("http://[::2]/"), &p);
	cr_expect(finding_in(&r, URIVET_F_IPV4_COMPATIBLE_IPV6)->count == 1);
}
