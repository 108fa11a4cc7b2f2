/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks bit by bit, and that no more is written than an address has octets. */
#include "support.h"

#include "addr.h"

TestSuite(addr, .timeout = 10);

/* A block holds an address unless one of its first bits differs. */
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

/* RFC 6052, 2.2 and 2.4; the octets behind the four stay as they are. */
Test(addr, four_octets_and_no_more)
{
	static const struct {
		uint8_t address[16];
		unsigned length;
	} rows[] = {
	    {{0x20, 0x01, 0x0d, 0xb8, 192, 0, 2, 33}, 32},
	    {{0x20, 0x01, 0x0d, 0xb8, 1, 192, 0, 2, 0, 33}, 40},
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
