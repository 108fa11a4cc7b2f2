/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric IP addresses: the special block that contains one, and an embedded IPv4 address. */
#ifndef URIVET_ADDR_H
#define URIVET_ADDR_H

#include <stdbool.h>
#include <stdint.h>

#include <urivet/rules.h>

/*@ predicate address_of(uint8_t *address, integer octets) =
      (octets == 4 || octets == 16) && \valid_read(address + (0 .. octets - 1));
    predicate has_bits(uint8_t *address, integer length) =
      length > 0 ==> \valid_read(address + (0 .. (length - 1) / 8)); */

/* Returns true if the network contains the address, which is in network order. Returns false unless
 * `octets` is 4 or 16. */
/*@ requires \valid_read(network);
    requires octets == 4 || octets == 16 ==> address_of(address, octets);
    assigns \nothing;
    ensures \result ==> octets == network->octets && network->length <= 8 * octets; */
bool urivet_network_holds(const struct urivet_network *network, const uint8_t *address,
			  size_t octets);

/* Returns the row of the longest prefix that contains the address of 4 or 16 octets in network
 * order; NULL for another number of octets. */
/*@ requires octets == 4 || octets == 16 ==> address_of(address, octets);
    assigns \nothing;
    ensures octets == 4 || octets == 16 ==> \valid_read(\result); */
const struct urivet_address_row *urivet_address_info(const uint8_t *address, size_t octets);

/* Returns the row at the index, which starts at 0; NULL after the last row. */
/*@ assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_address_row *urivet_address_row_at(size_t index);

/* Returns true if the address is a cloud's metadata service or control plane. octets: 4 or 16. */
/*@ requires address_of(address, octets);
    assigns \nothing; */
bool urivet_is_metadata(const uint8_t *address, unsigned octets);

/* The number of ways to embed an IPv4 address in an IPv6 address. */
#define URIVET_EMBEDDINGS 8

/* Returns the finding of embedding number k if the address uses it, else URIVET_F_NONE. If the
 * position of the IPv4 address is known, sets *known and copies the IPv4 address to `ipv4`. */
/*@ requires address_of(address, 16) && \valid(known) && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), known, ipv4 + (0 .. 3));
    assigns *known, ipv4[0 .. 3];
    ensures \result < URIVET_FINDING_LIMIT; */
enum urivet_id urivet_embedded_ipv4(const uint8_t address[16], unsigned k, bool *known,
				    uint8_t ipv4[4]);

/* The number of layouts of an address in 64:ff9b:1::/48 (RFC 8215), whose prefix a network
 * chooses. */
#define URIVET_LOCAL_LAYOUTS 4

/* Extracts the IPv4 address from an address in 64:ff9b:1::/48 by layout number k: a prefix of 48,
 * 56, 64 or 96 bits. Returns false if the address cannot have that layout. */
/*@ requires address_of(address, 16) && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3]; */
bool urivet_local_nat64_ipv4(const uint8_t address[16], unsigned k, uint8_t ipv4[4]);

/*
 * Extracts the IPv4 address after a NAT64 prefix, whatever bits 64 to 71 are (RFC 6052, 2.3).
 * Returns false if the RFC has no prefix of that length.
 */
/*@ requires address_of(address, 16) && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3]; */
bool urivet_translated_ipv4(const uint8_t address[16], unsigned prefix_length, uint8_t ipv4[4]);

#endif
