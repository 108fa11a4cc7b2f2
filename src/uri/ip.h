/* SPDX-License-Identifier: Apache-2.0 */
/* IP addresses: strict, as inet_aton(3) reads them, and as text. */
#ifndef URIVET_IP_H
#define URIVET_IP_H

#include "text/out.h"
#include "text/text.h"

/* One part of a dotted number, up to a dot or the end. */
enum number_base { BASE_NONE = 0, BASE_DECIMAL, BASE_OCTAL, BASE_HEXADECIMAL };

struct number {
	uint8_t base;   /* enum number_base; BASE_NONE: no number */
	bool bad_digit; /* an 8 or 9 after a leading zero */
	bool small;     /* a single digit 0-7, the same in every base */
	uint64_t value; /* 2^32 stands for all that is above */
	uint32_t next;  /* offset of the dot or the end */
};

/* What a whole host looks like when its labels are read as numbers. */
struct dotted_number {
	bool numeric;   /* every label that is not empty is a number, and there is one */
	bool canonical; /* IPv4address of RFC 3986 */
	bool has_value; /* one to four parts in range: inet_aton(3) makes an address of it */
	bool octal, hex, mixed, overflow, empty_part, trailing_dot;
	uint32_t parts; /* labels that are not empty */
	uint32_t value;
};

/*@ predicate fills(struct text t, integer at, integer next) =
      at <= next <= \max(at, t.end); */

/* IPv4address = dec-octet 3( "." dec-octet ), all of t from `at` on. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(address + (0 .. 3));
    assigns address[0 .. 3]; */
bool urivet_ipv4_address(struct text t, uint32_t at, uint8_t address[4]);

/* dec-octet at `at`, without leading zeros: its end, or `at` if there is none. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH + 1 && \valid(value);
    assigns *value;
    ensures fills(t, at, \result) && \result <= at + 3; */
uint32_t urivet_dec_octet(struct text t, uint32_t at, uint8_t *value);

/* The part at `at`. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures BASE_NONE <= \result.base <= BASE_HEXADECIMAL;
    ensures \result.value <= 0x100000000;
    ensures fills(t, at, \result.next);
    ensures \result.base != BASE_NONE ==> at < \result.next; */
struct number urivet_number(struct text t, uint32_t at);

/* All of t from `at` on, part by part, in linear time. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures at + \result.parts <= \max(at, t.end); */
struct dotted_number urivet_dotted_number(struct text t, uint32_t at);

/* IPv6address of RFC 3986, 3.2.2, all of t from `at` on. *dotted says whether
 * it ends in a dotted quad. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    requires \valid(address + (0 .. 15)) && \valid(dotted);
    requires \separated(address + (0 .. 15), dotted);
    assigns address[0 .. 15], *dotted; */
bool urivet_ipv6_address(struct text t, uint32_t at, uint8_t address[16], bool *dotted);

/* The same with another octet than ":" between the groups. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && colon < AT_END;
    requires \valid(address + (0 .. 15)) && \valid(dotted);
    requires \separated(address + (0 .. 15), dotted);
    assigns address[0 .. 15], *dotted; */
bool urivet_ipv6_parted_by(unsigned colon, struct text t, uint32_t at, uint8_t address[16],
			   bool *dotted);

/* Is the text from `at` on what urivet_put_ipv6() writes, in either letter case? */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid_read(address + (0 .. 15));
    assigns \nothing; */
bool urivet_ipv6_canonical(struct text t, uint32_t at, const uint8_t address[16]);

/*@ requires writable(o) && o->length + 15 <= MAX_PUT && \valid_read(address + (0 .. 3));
    requires \separated(o, address + (0 .. 3), o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) + 7 <= o->length <= \old(o->length) + 15; */
void urivet_put_ipv4(struct out *o, const uint8_t address[4]);
/* RFC 5952, 4.1-4.3, hexadecimal groups only. */
/*@ requires writable(o) && o->length + 48 <= MAX_PUT && \valid_read(address + (0 .. 15));
    requires \separated(o, address + (0 .. 15), o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 48; */
void urivet_put_ipv6(struct out *o, const uint8_t address[16]);

#endif
