/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one reader of input: octet() alone dereferences it. Positions are
 * offsets from the first octet of the whole input and only go forward;
 * narrowing a text moves its end, never its beginning.
 */
#ifndef URIVET_TEXT_H
#define URIVET_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <urivet.h>

#include "chars.h"

struct text {
	const uint8_t *data;
	uint32_t end; /* octets that may be read */
};

/* What octet() gives at and behind the end; no octet, in no class. */
#define AT_END 256u

static inline unsigned octet(struct text t, uint32_t at)
{
	return at < t.end ? t.data[at] : AT_END;
}

static inline uint32_t kind(struct text t, uint32_t at)
{
	return urivet_kinds[octet(t, at)];
}

static inline bool is(struct text t, uint32_t at, uint32_t kinds)
{
	return (kind(t, at) & kinds) != 0;
}

/* The text up to offset `end`, which never widens it. */
static inline struct text until(struct text t, uint32_t end)
{
	struct text narrowed = {t.data, end < t.end ? end : t.end};
	return narrowed;
}

/* The text that ends where the span does. */
static inline struct text within(struct text t, struct urivet_span span)
{
	return until(t, span.offset + span.length);
}

/* The first offset from `at` on whose octet is not in `kinds`. */
static inline uint32_t skip(struct text t, uint32_t at, uint32_t kinds)
{
	while (is(t, at, kinds))
		at++;
	return at;
}

/* The first offset from `at` on whose octet is in `kinds`, or the end. */
static inline uint32_t find(struct text t, uint32_t at, uint32_t kinds)
{
	while (at < t.end && !is(t, at, kinds))
		at++;
	return at;
}

/* An octet with letters in lower case. */
static inline unsigned lower(unsigned c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* The value of a hexadecimal digit. */
static inline unsigned hex_value(unsigned digit)
{
	return digit <= '9' ? digit - '0' : lower(digit) - 'a' + 10;
}

/* pct-encoded = "%" HEXDIG HEXDIG: is there one at `at`? */
static inline bool is_triplet(struct text t, uint32_t at)
{
	return octet(t, at) == '%' && is(t, at + 1, HEXDIG) && is(t, at + 2, HEXDIG);
}

/* The octet that the triplet at `at` stands for. */
static inline unsigned triplet(struct text t, uint32_t at)
{
	return hex_value(octet(t, at + 1)) * 16 + hex_value(octet(t, at + 2));
}

/* One unit of percent-decoding: the octet at `at`, its triplet resolved, and
 * where the next begins. At the end: AT_END and `at`. */
struct unit {
	unsigned value;
	uint32_t next;
	bool escaped;
};

static inline struct unit decode(struct text t, uint32_t at)
{
	struct unit u = {octet(t, at), at, false};
	if (is_triplet(t, at)) {
		u.value = triplet(t, at);
		u.next = at + 3;
		u.escaped = true;
	} else if (u.value != AT_END) {
		u.next = at + 1;
	}
	return u;
}

#define NO_WORD UINT32_MAX

/* The offset behind `word` (lower case, NUL-terminated), if it stands at `at`,
 * letter case aside; else NO_WORD. */
static inline uint32_t after_word(struct text t, uint32_t at, const char *word)
{
	uint32_t i = 0;
	while (word[i] != '\0' && lower(octet(t, at + i)) == (unsigned char)word[i])
		i++;
	return word[i] == '\0' ? at + i : NO_WORD;
}

/* Does it stand at `at`? */
static inline bool has_word(struct text t, uint32_t at, const char *word)
{
	return after_word(t, at, word) != NO_WORD;
}

/* Is it all that stands from `at` to the end? */
static inline bool is_word(struct text t, uint32_t at, const char *word)
{
	const uint32_t end = after_word(t, at, word);
	return end != NO_WORD && end >= t.end;
}

#endif
