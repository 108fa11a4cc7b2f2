/* SPDX-License-Identifier: Apache-2.0 */
/* IP addresses as numbers: the block that one lies in, and an IPv4 address inside of it. */
#ifndef URIVET_ADDR_H
#define URIVET_ADDR_H

#include <stdbool.h>
#include <stdint.h>

#include <urivet.h>

/*@ predicate address_of(uint8_t *address, integer octets) =
      (octets == 4 || octets == 16) && \valid_read(address + (0 .. octets - 1));
    predicate has_bits(uint8_t *address, integer length) =
      length > 0 ==> \valid_read(address + (0 .. (length - 1) / 8)); */

/*@ requires \valid_read(network);
    requires octets == 4 || octets == 16 ==> address_of(address, octets);
    assigns \nothing;
    ensures \result ==> octets == network->octets && network->length <= 8 * octets; */
bool urivet_network_holds(const struct urivet_network *network, const uint8_t *address,
			  size_t octets);

/*@ requires octets == 4 || octets == 16 ==> address_of(address, octets);
    assigns \nothing;
    ensures octets == 4 || octets == 16 ==> \valid_read(\result); */
const struct urivet_address_row *urivet_address_info(const uint8_t *address, size_t octets);

/* Is the address a cloud's metadata service or control plane? Of 4 or 16 octets. */
/*@ requires address_of(address, octets);
    assigns \nothing; */
bool urivet_is_metadata(const uint8_t *address, unsigned octets);

/* The ways to carry an IPv4 address inside an IPv6 one. */
#define URIVET_EMBEDDINGS 8

/* The finding of the k-th way if the address uses it, else URIVET_F_NONE. If it is known where
 * the IPv4 address stands, *known is set and the address written to ipv4. */
/*@ requires address_of(address, 16) && \valid(known) && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), known, ipv4 + (0 .. 3));
    assigns *known, ipv4[0 .. 3];
    ensures \result < URIVET_FINDING_LIMIT; */
enum urivet_id urivet_embedded_ipv4(const uint8_t address[16], unsigned k, bool *known,
				    uint8_t ipv4[4]);

/* The layouts of an address of 64:ff9b:1::/48 (RFC 8215), whose prefix a network chooses. */
#define URIVET_LOCAL_LAYOUTS 4

/* The IPv4 address inside an address of 64:ff9b:1::/48, if the address can have the k-th layout:
 * a prefix of 48, 56, 64 or 96 bits. */
/*@ requires address_of(address, 16) && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3]; */
bool urivet_local_nat64_ipv4(const uint8_t address[16], unsigned k, uint8_t ipv4[4]);

/*
 * The IPv4 address that follows a translator's prefix (RFC 6052, 2.2). False if the
 * RFC has no prefix of that length, or if the octet that must be zero (bits 64-71)
 * is not.
 */
/*@ requires address_of(address, 16) && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3]; */
bool urivet_translated_ipv4(const uint8_t address[16], unsigned prefix_length, uint8_t ipv4[4]);

#endif
