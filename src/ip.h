/* SPDX-License-Identifier: Apache-2.0 */
/* IP addresses: strict, as inet_aton(3) reads them, and as text. */
#ifndef URIVET_IP_H
#define URIVET_IP_H

#include "out.h"
#include "text.h"

/* One part of a dotted number, up to a dot or the end. */
enum number_base { BASE_NONE = 0, BASE_DECIMAL, BASE_OCTAL, BASE_HEXADECIMAL };

struct number {
	uint8_t base;   /* enum number_base; BASE_NONE: no number */
	bool bad_digit; /* 8 or 9 behind a leading zero */
	bool small;     /* a single digit 0-7, the same in every base */
	uint64_t value; /* at most 2^32: saturated */
	uint32_t next;  /* offset of the dot or the end */
};

/* What a whole host looks like when its labels are read as numbers. */
struct dotted_number {
	bool numeric;   /* every label that is not empty is a number, and there is one */
	bool canonical; /* IPv4address of RFC 3986 */
	bool has_value; /* one to four parts that fit: an address for inet_aton(3) */
	bool octal, hex, mixed, overflow, empty_part, trailing_dot;
	uint32_t parts; /* labels that are not empty */
	uint32_t value;
};

/* IPv4address = dec-octet 3( "." dec-octet ), all of t from `at` on. */
bool urivet_ipv4_address(struct text t, uint32_t at, uint8_t address[4]);

/* dec-octet at `at`, without leading zeros: its end, or `at` if there is none. */
uint32_t urivet_dec_octet(struct text t, uint32_t at, uint8_t *value);

struct number urivet_number(struct text t, uint32_t at);
struct dotted_number urivet_dotted_number(struct text t, uint32_t at);

/* IPv6address of RFC 3986, 3.2.2, all of t from `at` on. *dotted says whether
 * it ends in a dotted quad. */
bool urivet_ipv6_address(struct text t, uint32_t at, uint8_t address[16], bool *dotted);

/* Is the text from `at` on what urivet_put_ipv6 writes, letter case aside? */
bool urivet_ipv6_canonical(struct text t, uint32_t at, const uint8_t address[16]);

void urivet_put_ipv4(struct out *o, const uint8_t address[4]);
/* RFC 5952, 4.1-4.3, hexadecimal groups only. */
void urivet_put_ipv6(struct out *o, const uint8_t address[16]);

#endif
