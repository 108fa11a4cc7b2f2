/* SPDX-License-Identifier: Apache-2.0 */
/* IP addresses: strict parsing, parsing as inet_aton(3) does, and formatting. */
#ifndef URIVET_IP_H
#define URIVET_IP_H

#include "text/out.h"
#include "text/text.h"

/* One part of a dotted number, up to a dot or the end. */
enum number_base { BASE_NONE = 0, BASE_DECIMAL, BASE_OCTAL, BASE_HEXADECIMAL };

struct number {
	uint8_t base;   /* enum number_base; BASE_NONE: not a number */
	bool bad_digit; /* an 8 or 9 after a leading zero */
	bool small;     /* a single digit 0-7, the same in every base */
	uint64_t value; /* capped at 2^32 */
	uint32_t next;  /* offset of the dot or the end */
};

/* The result of parsing the labels of a host as numbers. */
struct dotted_number {
	bool numeric;   /* every label that is not empty is a number, and there is at least one */
	bool canonical; /* IPv4address of RFC 3986 */
	bool has_value; /* one to four parts in range: inet_aton(3) accepts it as an address */
	bool octal, hex, mixed, overflow, empty_part, trailing_dot;
	uint32_t parts; /* labels that are not empty */
	uint32_t value;
};

/*@ predicate fills(struct text t, integer at, integer next) =
      at <= next <= \max(at, t.end); */

/* Returns true if t from `at` on is IPv4address = dec-octet 3( "." dec-octet ). */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(address + (0 .. 3));
    assigns address[0 .. 3];
    ensures \result ==> at + 7 <= t.end; */
bool urivet_ipv4_address(struct text t, uint32_t at, uint8_t address[4]);

/* Returns the address as a number. */
/*@ requires \valid_read(address + (0 .. 3));
    assigns \nothing; */
static inline uint32_t urivet_ipv4_value(const uint8_t address[4])
{
	return address[0] * 0x1000000u + address[1] * 0x10000u + address[2] * 0x100u + address[3];
}

/*@ // DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35 (RFC 3986, 3.2.2)
    predicate dec_octet(uint8_t *data, integer at, integer end) =
      at < end <= at + 3 && (\forall integer k; at <= k < end ==> is_digit(data, k)) &&
      decimal(data, at, end) <= 255 && (end > at + 1 ==> data[at] != '0'); */
/* Parses the dec-octet that the digits at `at` are, without leading zeros. Returns its end, or `at`
 * if they are none. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH + 1 && \valid(value);
    assigns *value;
    ensures fills(t, at, \result) && \result <= at + 3;
    ensures digits_stand && \result > at ==>
      dec_octet{Pre}(t.data, at, \result) && *value == decimal{Pre}(t.data, at, \result) &&
      (\result == t.end || !is_digit{Pre}(t.data, \result));
    ensures digits_stand && \result == at ==>
      \forall integer end; at < end <= t.end && dec_octet{Pre}(t.data, at, end) ==>
        end < t.end && is_digit{Pre}(t.data, end); */
uint32_t urivet_dec_octet(struct text t, uint32_t at, uint8_t *value);

/* Parses the part at `at`. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures BASE_NONE <= \result.base <= BASE_HEXADECIMAL;
    ensures \result.value <= 0x100000000;
    ensures fills(t, at, \result.next);
    ensures \result.base != BASE_NONE ==> at < \result.next; */
struct number urivet_number(struct text t, uint32_t at);

/* Parses all of t from `at` on, in linear time. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures at + \result.parts <= \max(at, t.end); */
struct dotted_number urivet_dotted_number(struct text t, uint32_t at);

/* Returns true if t from `at` on is IPv6address of RFC 3986, 3.2.2. *dotted is set if it ends in a
 * dotted quad. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH;
    requires \valid(address + (0 .. 15)) && \valid(dotted);
    requires \separated(address + (0 .. 15), dotted);
    assigns address[0 .. 15], *dotted; */
bool urivet_ipv6_address(struct text t, uint32_t at, uint8_t address[16], bool *dotted);

/* As urivet_ipv6_address(), with the octet `colon` between the groups. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && colon < AT_END;
    requires \valid(address + (0 .. 15)) && \valid(dotted);
    requires \separated(address + (0 .. 15), dotted);
    assigns address[0 .. 15], *dotted; */
bool urivet_ipv6_parted_by(unsigned colon, struct text t, uint32_t at, uint8_t address[16],
			   bool *dotted);

/* Returns true if the text from `at` on is what urivet_put_ipv6() writes, in any letter case. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid_read(address + (0 .. 15));
    assigns \nothing; */
bool urivet_ipv6_canonical(struct text t, uint32_t at, const uint8_t address[16]);

/*@ requires writable(o) && o->length + 15 <= MAX_PUT && \valid_read(address + (0 .. 3));
    requires \separated(o, address + (0 .. 3), o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) + 7 <= o->length <= \old(o->length) + 15; */
void urivet_put_ipv4(struct out *o, const uint8_t address[4]);
/* Writes the address by RFC 5952, 4.1-4.3, with hexadecimal groups only. */
/*@ requires writable(o) && o->length + 48 <= MAX_PUT && \valid_read(address + (0 .. 15));
    requires \separated(o, address + (0 .. 15), o->data + (0 .. o->capacity - 1));
    assigns WRITTEN(o);
    ensures writable(o) && \old(o->length) <= o->length <= \old(o->length) + 48; */
void urivet_put_ipv6(struct out *o, const uint8_t address[16]);

#endif
