/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric IP addresses: the special block that contains one, and an embedded IPv4 address. */
#include <urivet/rules.h>

#include "policy/addr.h"

#define BOTH_OCTETS(group) (uint8_t)((group) >> 8), (uint8_t)((group)&255)
#define GROUPS(a, b, c, d, e, f, g, h)                                                             \
	{                                                                                          \
		BOTH_OCTETS(a), BOTH_OCTETS(b), BOTH_OCTETS(c), BOTH_OCTETS(d), BOTH_OCTETS(e),    \
		    BOTH_OCTETS(f), BOTH_OCTETS(g), BOTH_OCTETS(h)                                 \
	}
#define REACHABLE_YES true
#define REACHABLE_NO  false
#define REACHABLE_NA  false

#define METADATA4(...)
#define METADATA6(...)
#define SPECIAL4(a, b, c, d, length, finding, reachable, name, reference)                          \
	{{{a, b, c, d}, 4, length}, REACHABLE_##reachable, URIVET_F_##finding, name, reference},
#define SPECIAL6(a, b, c, d, e, f, g, h, length, finding, reachable, name, reference)              \
	{{GROUPS(a, b, c, d, e, f, g, h), 16, length},                                             \
	 REACHABLE_##reachable,                                                                    \
	 URIVET_F_##finding,                                                                       \
	 name,                                                                                     \
	 reference},
static const struct urivet_address_row special_blocks[] = {
#include "policy/special.def"
};
#undef METADATA4
#undef METADATA6
#undef SPECIAL4
#undef SPECIAL6

#define SPECIAL4(...)
#define SPECIAL6(...)
#define METADATA4(a, b, c, d, who)             {{a, b, c, d}, 4, 32},
#define METADATA6(a, b, c, d, e, f, g, h, who) {GROUPS(a, b, c, d, e, f, g, h), 16, 128},
static const struct urivet_network metadata[] = {
#include "policy/special.def"
};
#undef METADATA4
#undef METADATA6
#undef SPECIAL4
#undef SPECIAL6

/* Both tables begin with the IPv4 rows. These constants count them. */
#define SPECIAL4(...)  +1
#define METADATA4(...) +0
#define SPECIAL6(...)
#define METADATA6(...)
enum {
	ROWS4 =
#include "policy/special.def"
};
#undef METADATA4
#undef SPECIAL4
#define SPECIAL4(...)  +0
#define METADATA4(...) +1
enum {
	METADATAS4 =
#include "policy/special.def"
};
#undef METADATA4
#undef METADATA6
#undef SPECIAL4
#undef SPECIAL6

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Blocks ------------------------------------------------------------------ */

/* Returns true if the first `length` bits are equal. Both arrays must have that many bits. */
/*@ requires has_bits(a, length) && has_bits(b, length);
    assigns \nothing; */
static bool same_bits(const uint8_t *a, const uint8_t *b, unsigned length)
{
	const unsigned whole = length / 8, rest = length % 8;
	/*@ loop invariant k <= whole;
	    loop assigns k;
	    loop variant whole - k; */
	for (unsigned k = 0; k < whole; k++)
		if (a[k] != b[k])
			return false;
	return rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0;
}

bool urivet_network_holds(const struct urivet_network *network, const uint8_t *address,
			  size_t octets)
{
	return (octets == 4 || octets == 16) && network->octets == octets &&
	       network->length <= 8 * octets &&
	       same_bits(network->address, address, network->length);
}

/* Returns true if the network may contain the address, judging by the first octet. It rules out
 * most networks. */
/*@ requires \valid_read(network) && \valid_read(address);
    assigns \nothing; */
static bool may_hold(const struct urivet_network *network, const uint8_t *address)
{
	return network->address[0] == address[0] || network->length < 8;
}

const struct urivet_address_row *urivet_address_info(const uint8_t *address, size_t octets)
{
	/* the last row of a family matches all its addresses */
	const unsigned last = (octets == 4 ? ROWS4 : COUNT(special_blocks)) - 1;
	unsigned longest = last;
	if (octets != 4 && octets != 16)
		return NULL;
	/*@ loop invariant k <= last && longest <= last;
	    loop assigns k, longest;
	    loop variant last - k; */
	for (unsigned k = octets == 4 ? 0 : ROWS4; k < last; k++)
		if (may_hold(&special_blocks[k].network, address) &&
		    special_blocks[k].network.length > special_blocks[longest].network.length &&
		    urivet_network_holds(&special_blocks[k].network, address, octets))
			longest = k;
	return &special_blocks[longest];
}

const struct urivet_address_row *urivet_address_row_at(size_t index)
{
	return index < COUNT(special_blocks) ? &special_blocks[index] : NULL;
}

bool urivet_is_metadata(const uint8_t *address, unsigned octets)
{
	const unsigned end = octets == 4 ? METADATAS4 : COUNT(metadata);
	/*@ loop invariant k <= end;
	    loop assigns k;
	    loop variant end - k; */
	for (unsigned k = octets == 4 ? 0 : METADATAS4; k < end; k++)
		if (may_hold(&metadata[k], address) &&
		    urivet_network_holds(&metadata[k], address, octets))
			return true;
	return false;
}

/* ---- IPv4 inside IPv6 ---------------------------------------------------------- */

/* The position of the embedded IPv4 address. */
enum ipv4_place {
	PLACE_UNKNOWN, /* depends on the translator's prefix length */
	PLACE_END,     /* bits 96-127 */
	PLACE_6TO4,    /* bits 16-47 */
	PLACE_TEREDO   /* bits 96-127, each inverted */
};

/* An IPv6 address uses this embedding if its octets from `from` on equal `prefix`. */
static const struct embedding {
	enum urivet_id id;
	enum ipv4_place place;
	uint8_t from, octets;
	uint8_t prefix[12];
} embeddings[URIVET_EMBEDDINGS] = {
    {URIVET_F_IPV4_MAPPED_IPV6, PLACE_END, 0, 12, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}},
    {URIVET_F_IPV4_COMPATIBLE_IPV6, PLACE_END, 0, 12, {0}},
    {URIVET_F_IPV4_TRANSLATED_IPV6, PLACE_END, 0, 12, {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0}},
    {URIVET_F_NAT64_EMBEDDED_IPV4, PLACE_END, 0, 12, {0, 0x64, 0xff, 0x9b}},
    {URIVET_F_NAT64_EMBEDDED_IPV4, PLACE_UNKNOWN, 0, 6, {0, 0x64, 0xff, 0x9b, 0, 1}},
    {URIVET_F_SIXTOFOUR_EMBEDDED_IPV4, PLACE_6TO4, 0, 2, {0x20, 0x02}},
    {URIVET_F_TEREDO_EMBEDDED_IPV4, PLACE_TEREDO, 0, 4, {0x20, 0x01, 0, 0}},
    /* interface identifier, whose "u" bit may be set: RFC 5214, 6.1 */
    {URIVET_F_ISATAP_EMBEDDED_IPV4, PLACE_END, 8, 4, {0, 0, 0x5e, 0xfe}},
};

/*@ requires address_of(address, 16) && \valid_read(e);
    requires 0 < e->octets <= 12 && e->from + e->octets <= 16;
    assigns \nothing; */
static bool is_embedded_by(const uint8_t address[16], const struct embedding *e)
{
	const uint8_t ignored = e->id == URIVET_F_ISATAP_EMBEDDED_IPV4 ? 2 : 0;
	if ((address[e->from] & ~ignored) != e->prefix[0])
		return false;
	/*@ loop invariant 1 <= k <= e->octets;
	    loop assigns k;
	    loop variant e->octets - k; */
	for (unsigned k = 1; k < e->octets; k++)
		if (address[e->from + k] != e->prefix[k])
			return false;
	return true;
}

/* Returns true for :: and ::1, which embed no IPv4 address. */
/*@ requires address_of(address, 16);
    assigns \nothing; */
static bool is_unspecified_or_loopback(const uint8_t address[16])
{
	/*@ loop invariant k <= 15;
	    loop assigns k;
	    loop variant 15 - k; */
	for (unsigned k = 0; k < 15; k++)
		if (address[k] != 0)
			return false;
	return address[15] <= 1;
}

enum urivet_id urivet_embedded_ipv4(const uint8_t address[16], unsigned k, bool *known,
				    uint8_t ipv4[4])
{
	const struct embedding *e = &embeddings[k % URIVET_EMBEDDINGS];
	const unsigned first = e->place == PLACE_6TO4 ? 2 : 12;
	const uint8_t turned = e->place == PLACE_TEREDO ? 0xff : 0;
	*known = false;
	if (!is_embedded_by(address, e) || is_unspecified_or_loopback(address))
		return URIVET_F_NONE;
	*known = e->place != PLACE_UNKNOWN;
	/*@ loop invariant i <= 4;
	    loop assigns i, ipv4[0 .. 3];
	    loop variant 4 - i; */
	for (unsigned i = 0; i < 4; i++)
		ipv4[i] = address[first + i] ^ turned;
	return e->id;
}

bool urivet_translated_ipv4(const uint8_t address[16], unsigned prefix_length, uint8_t ipv4[4])
{
	unsigned at = prefix_length > 64 ? 12 : prefix_length / 8;
	/*@ loop invariant k <= 4 && at <= 12 + k;
	    loop assigns k, at, ipv4[0 .. 3];
	    loop variant 4 - k; */
	for (unsigned k = 0; k < 4; k++) {
		at += at == 8; /* should be zero; receivers take it out as it is */
		ipv4[k] = address[at++];
	}
	return prefix_length == 96 ||
	       (prefix_length % 8 == 0 && prefix_length >= 32 && prefix_length <= 64);
}

/* Returns true if the octets from `at` on are zero. */
/*@ requires address_of(address, 16);
    assigns \nothing; */
static bool ends_in_zeros(const uint8_t address[16], unsigned at)
{
	/*@ loop assigns at;
	    loop variant 16 - at; */
	while (at < 16 && address[at] == 0)
		at++;
	return at >= 16;
}

/* Returns true if the address can have this layout. The octets after the IPv4 address should be
 * zero, but receivers must ignore other values (RFC 6052, 2.2). With other values, an IPv4 address
 * in 0.0.0.0/8 does not count. */
/*@ requires address_of(address, 16) && prefix_length <= 64 && \valid(ipv4 + (0 .. 3));
    requires \separated(address + (0 .. 15), ipv4 + (0 .. 3));
    assigns ipv4[0 .. 3]; */
static bool has_layout(const uint8_t address[16], unsigned prefix_length, uint8_t ipv4[4])
{
	(void)urivet_translated_ipv4(address, prefix_length, ipv4);
	return address[8] == 0 &&
	       (ipv4[0] != 0 || ends_in_zeros(address, prefix_length / 8 + 5));
}

bool urivet_local_nat64_ipv4(const uint8_t address[16], unsigned k, uint8_t ipv4[4])
{
	if (k < URIVET_LOCAL_LAYOUTS - 1)
		return has_layout(address, 48 + 8 * k, ipv4);
	(void)urivet_translated_ipv4(address, 96, ipv4);
	return !ends_in_zeros(address, 12) || address[8] != 0;
}
