/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds-checked access to the input through octet() and the functions below. Positions are
 * offsets from the first octet of the whole input and only increase; narrowing a text moves
 * its end, never its beginning.
 */
#ifndef URIVET_TEXT_H
#define URIVET_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <urivet.h>

#include "text/chars.h"

/* Marks a function that is rarely called or needs much stack. It is never inlined, because that
 * would enlarge the stack frame of its caller. */
#if defined(__GNUC__)
#define COLD __attribute__((noinline))
#else
#define COLD
#endif

/* Forces inlining, where a call would cost more time than the function. */
#if defined(__GNUC__) && !defined(__wasm__)
#define INLINED static inline __attribute__((always_inline))
#else
#define INLINED static inline
#endif

struct text {
	const uint8_t *data;
	uint32_t end; /* octets that may be read */
};

/* Comments that begin with an at sign are contracts, which `make prove` verifies. */
/*@ predicate readable(struct text t) =
      t.end <= URIVET_MAX_LENGTH && \valid_read(t.data + (0 .. t.end - 1));
    predicate of_kind(integer c, integer kinds) = (urivet_kinds[c] & kinds) != 0;
    predicate stands(struct text t, integer at, integer kinds) =
      0 <= at < t.end && of_kind(t.data[at], kinds);
    // DIGIT = %x30-39 (RFC 5234, B.1), in octets and in the table of kinds, which a unit test reads
    predicate is_digit(uint8_t *data, integer at) = '0' <= data[at] <= '9';
    predicate digits_stand = \forall integer c; 0 <= c <= 255 ==>
      (of_kind(c, DIGIT) <==> '0' <= c <= '9');
    // the number that the octets first .. end - 1 are in base 10
    logic integer decimal(uint8_t *data, integer first, integer end) =
      end <= first ? 0 : decimal(data, first, end - 1) * 10 + (data[end - 1] - '0'); */

/* Returns the text data[0..length). This is the only place that trusts `data` to point to that many
 * octets: the proofs start here. */
/*@ requires length <= URIVET_MAX_LENGTH;
    assigns \nothing;
    ensures readable(\result) && \result.end == length; */
static inline struct text text_of(const void *data, uint32_t length)
{
	const struct text t = {data, length};
	return t;
}

/* The value of octet() at and after the end. It differs from every octet and is in no class. */
#define AT_END 256u

/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= AT_END;
    ensures at < t.end <==> \result < AT_END;
    ensures at < t.end ==> \result == t.data[at]; */
static inline unsigned octet(struct text t, uint32_t at)
{
	return at < t.end ? t.data[at] : AT_END;
}

/*@ requires readable(t);
    assigns \nothing;
    ensures at >= t.end ==> \result == 0;
    ensures at < t.end ==> \result == urivet_kinds[t.data[at]]; */
static inline uint32_t kind(struct text t, uint32_t at)
{
	return at < t.end ? urivet_kinds[octet(t, at)] : 0;
}

/*@ requires readable(t);
    assigns \nothing;
    ensures \result <==> stands(t, at, kinds);
    ensures \result ==> 0 <= t.data[at] <= 255; */
static inline bool is(struct text t, uint32_t at, uint32_t kinds)
{
	return (kind(t, at) & kinds) != 0;
}

/* Returns the text cut at offset `end`, if that is before its end. */
/*@ requires readable(t);
    assigns \nothing;
    ensures readable(\result) && \result.data == t.data;
    ensures \result.end == \min(end, t.end); */
static inline struct text until(struct text t, uint32_t end)
{
	struct text narrowed = {t.data, end < t.end ? end : t.end};
	return narrowed;
}

/* Returns the text cut at the end of the span. */
/*@ requires readable(t) && span.offset + span.length <= UINT32_MAX;
    assigns \nothing;
    ensures readable(\result) && \result.data == t.data;
    ensures \result.end == \min(span.offset + span.length, t.end); */
static inline struct text within(struct text t, struct urivet_span span)
{
	return until(t, span.offset + span.length);
}

/* Returns the first offset from `at` on whose octet is not in `kinds`. */
/*@ requires readable(t);
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end);
    ensures stands(t, at, kinds) ==> at < \result; */
static inline uint32_t skip(struct text t, uint32_t at, uint32_t kinds)
{
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop invariant stands(t, \at(at, Pre), kinds) && at == \at(at, Pre) ==> stands(t, at, kinds);
	    loop assigns at;
	    loop variant t.end - at; */
	while (is(t, at, kinds))
		at++;
	return at;
}

/* Returns the first offset from `at` on whose octet is in `kinds`, or the end. */
/*@ requires readable(t);
    assigns \nothing;
    ensures at <= \result <= \max(at, t.end);
    ensures stands(t, \result, kinds) || \result == \max(at, t.end); */
static inline uint32_t find(struct text t, uint32_t at, uint32_t kinds)
{
	/*@ loop invariant \at(at, Pre) <= at <= \max(\at(at, Pre), t.end);
	    loop assigns at;
	    loop variant t.end - at; */
	while (at < t.end && !is(t, at, kinds))
		at++;
	return at;
}

/* Reads eight octets from `at` on, in native byte order. Returns false if there are fewer. */
/*@ requires readable(t) && \valid(octets) && \separated(octets, t.data + (0 .. t.end - 1));
    assigns *octets;
    ensures \result ==> at + 8 <= t.end; */
static inline bool load_8(struct text t, uint32_t at, uint64_t *octets)
{
	if (t.end < 8 || at > t.end - 8)
		return false;
	memcpy(octets, t.data + at, sizeof *octets);
	return true;
}

/* Returns the octet, with ASCII letters in lower case. */
/*@ assigns \nothing;
    ensures \result == c || ('A' <= c <= 'Z' && \result == c + 32);
    ensures c <= AT_END ==> \result <= AT_END; */
static inline unsigned lower(unsigned c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* Returns the value of a decimal digit; for other octets, some number below 16. */
/*@ assigns \nothing;
    ensures \result <= 15;
    ensures '0' <= digit <= '9' ==> \result == digit - '0'; */
static inline unsigned digit_value(unsigned digit)
{
	return digit % 16;
}

/* Returns the value of a hexadecimal digit; for other octets, some number below 16. */
/*@ assigns \nothing;
    ensures \result <= 15;
    ensures '0' <= digit <= '9' ==> \result == digit - '0';
    ensures 'A' <= digit <= 'F' ==> \result == digit - 'A' + 10;
    ensures 'a' <= digit <= 'f' ==> \result == digit - 'a' + 10; */
static inline unsigned hex_value(unsigned digit)
{
	return (digit % 16 + (digit > '9' ? 9 : 0)) % 16;
}

/* What read_triplet() adds for lower-case digits, and returns if there is no triplet. */
enum { LOWER_TRIPLET = 0x100, NO_TRIPLET = 0x200 };

/* Returns the octet that the triplet at `at` encodes: pct-encoded = "%" HEXDIG HEXDIG. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result <= NO_TRIPLET && (\result < NO_TRIPLET ==> at + 3 <= t.end); */
static inline unsigned read_triplet(struct text t, uint32_t at)
{
	const uint8_t *digits;
	unsigned high, low;
	if (octet(t, at) != '%' || at + 2 >= t.end)
		return NO_TRIPLET;
	digits = t.data + at + 1;
	high = urivet_digits[digits[0]];
	low = urivet_digits[digits[1]];
	if ((high | low) >= NO_DIGIT)
		return NO_TRIPLET;
	return high % 16 * 16 + low % 16 + ((high | low) >= LOWER_DIGIT ? LOWER_TRIPLET : 0u);
}

/* Returns true if there is a triplet at `at`. */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result ==> at + 3 <= t.end; */
static inline bool is_triplet(struct text t, uint32_t at)
{
	return read_triplet(t, at) != NO_TRIPLET;
}

/* Returns the octet that the triplet at `at` encodes. */
/*@ requires readable(t) && at + 3 <= t.end;
    assigns \nothing;
    ensures \result <= 255; */
static inline unsigned triplet(struct text t, uint32_t at)
{
	return urivet_digits[octet(t, at + 1)] % 16u * 16 + urivet_digits[octet(t, at + 2)] % 16u;
}

/* One unit of percent-decoding: the octet at `at`, or the octet that a triplet there encodes, and
 * the offset of the next unit. At the end: AT_END and `at`. */
struct unit {
	unsigned value;
	uint32_t next;
	bool escaped;
};

/*@ predicate decoded(struct text t, integer at, struct unit u) =
      (at < t.end ==> at < u.next <= t.end && u.value < AT_END) &&
      (at >= t.end ==> u.next == at && u.value == AT_END && !u.escaped); */
/*@ requires readable(t);
    assigns \nothing;
    ensures \result.value <= AT_END && decoded(t, at, \result);
    ensures \result.escaped ==> \result.next == at + 3; */
static inline struct unit decode(struct text t, uint32_t at)
{
	struct unit u = {octet(t, at), at, false};
	const unsigned escaped = read_triplet(t, at);
	if (escaped != NO_TRIPLET) {
		u.value = escaped % LOWER_TRIPLET;
		u.next = at + 3;
		u.escaped = true;
	} else if (u.value != AT_END) {
		u.next = at + 1;
	}
	return u;
}

#define NO_WORD UINT32_MAX

/* Returns the offset after `word` if it is at `at`, in any letter case, else NO_WORD. The word is
 * given in lower case, and ends at a NUL or after `size` octets. */
/*@ requires readable(t) && \valid_read(word + (0 .. size - 1)) && at <= URIVET_MAX_LENGTH;
    requires size <= 128;
    assigns \nothing;
    ensures \result != NO_WORD ==> at <= \result <= at + size;
    ensures \result != NO_WORD ==> \result <= \max(at, t.end);
    ensures size > 0 && word[0] != 0 && \result != NO_WORD ==> at < \result <= t.end; */
static inline uint32_t after_octets(struct text t, uint32_t at, const char *word, uint32_t size)
{
	uint32_t i = 0;
	/*@ loop invariant 0 <= i <= size;
	    loop invariant i > 0 ==> at + i <= t.end;
	    loop assigns i;
	    loop variant size - i; */
	while (i < size && word[i] != '\0' && lower(octet(t, at + i)) == (unsigned char)word[i])
		i++;
	return i == size || word[i] == '\0' ? at + i : NO_WORD;
}

/* Returns true if the text from `at` to the end equals `word`, in any letter case. */
/*@ requires readable(t) && \valid_read(word + (0 .. size - 1)) && at <= URIVET_MAX_LENGTH;
    requires size <= 128;
    assigns \nothing; */
static inline bool is_octets(struct text t, uint32_t at, const char *word, uint32_t size)
{
	const uint32_t end = after_octets(t, at, word, size);
	return end != NO_WORD && end >= t.end;
}

/* The size of a string literal or an array. Does not compile for a pointer. */
#if defined(__FRAMAC__) || defined(__TINYC__) /* tcc does not accept arrays here */
#define ARRAY_SIZE(a) sizeof(a)
#else
#define ARRAY_SIZE(a)                                                                              \
	_Generic(&(a), char(*)[sizeof(a)] : sizeof(a), const char(*)[sizeof(a)] : sizeof(a))
#endif

/* after_octets() and is_octets() for string literals and arrays. */
#define after_word(t, at, word) after_octets(t, at, word, ARRAY_SIZE(word))
#define has_word(t, at, word)   (after_word(t, at, word) != NO_WORD)
#define is_word(t, at, word)    is_octets(t, at, word, ARRAY_SIZE(word))

#endif
