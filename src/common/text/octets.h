/* SPDX-License-Identifier: Apache-2.0 */
/* A span of octets that the span does not own, and helpers for it. */
#ifndef COMMON_OCTETS_H
#define COMMON_OCTETS_H

#include "common/lower.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <urivet.h>

/* Vectors are off if the library was built without them. */
#if defined(__SSE2__) && defined(__GNUC__) && !(defined(URIVET_VECTORS) && !URIVET_VECTORS)
#define OCTETS_BY_16 1
#include <emmintrin.h>

static inline __m128i octets_16(const uint8_t *from)
{
	__m128i octets;

	memcpy(&octets, from, sizeof octets);
	return octets;
}
#else
#define OCTETS_BY_16 0
#endif

struct octets {
	const uint8_t *data;
	size_t length;
};

static inline struct octets text_at(const void *data, size_t length)
{
	return (struct octets){data, length};
}

/* Returns the text without its first `length` octets. */
static inline struct octets text_after(struct octets text, size_t length)
{
	return text_at(text.data + length, text.length - length);
}

static inline struct octets text_of(const char *string)
{
	return text_at(string, strlen(string));
}

static inline struct octets text_or_none(const char *string)
{
	return string != NULL ? text_of(string) : (struct octets){0};
}

static inline bool text_equals(struct octets a, struct octets b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

/* Compares octet by octet. Returns a number below, equal to or above 0, as memcmp(3) does. */
static inline int text_order(struct octets a, struct octets b)
{
	const size_t length = a.length < b.length ? a.length : b.length;
	const int sign = length > 0 ? memcmp(a.data, b.data, length) : 0;

	return sign != 0 ? sign : (a.length > b.length) - (a.length < b.length);
}

static inline uint64_t count_octets(struct octets text, uint8_t octet)
{
	const uint8_t *stop = text.data + text.length;
	uint64_t count = 0;

	for (const uint8_t *at = text.data; at < stop; at++, count++) {
		at = memchr(at, octet, (size_t)(stop - at));
		if (at == NULL)
			break;
	}
	return count;
}

/* FNV-1a. Not keyed: an attacker can produce collisions on purpose. */
static inline uint64_t text_hash(struct octets text)
{
	uint64_t hash = 0xCBF29CE484222325u;

	for (size_t i = 0; i < text.length; i++)
		hash = (hash ^ text.data[i]) * 0x100000001B3u;
	return hash;
}

/* Returns true if the texts are equal in any letter case. */
static inline bool text_equals_in_any_case(struct octets a, struct octets b)
{
	for (size_t i = 0; a.length == b.length && i < a.length; i++) {
		if (lower_case(a.data[i]) != lower_case(b.data[i]))
			return false;
	}
	return a.length == b.length;
}

/* Returns true if the text has this word at an offset, in any letter case. */
static inline bool text_has_at(struct octets text, size_t at, const char *word)
{
	const size_t length = strlen(word);

	return at <= text.length && length <= text.length - at &&
	       text_equals_in_any_case(text_at(text.data + at, length), text_at(word, length));
}

/* Returns true if the text ends in this word, in any letter case. */
static inline bool text_ends_in(struct octets text, const char *word)
{
	const size_t length = strlen(word);

	return text.length >= length && text_has_at(text, text.length - length, word);
}

/* Returns the text before an octet, or all of it, and moves *text behind that. */
static inline struct octets text_cut(struct octets *text, char octet)
{
	const uint8_t *end = text->length > 0 ? memchr(text->data, octet, text->length) : NULL;
	const struct octets before =
	    text_at(text->data, end != NULL ? (size_t)(end - text->data) : text->length);

	*text = text_after(*text, before.length + (end != NULL));
	return before;
}

/* Returns true if the octet is one of these, none of which is NUL. */
static inline bool is_one_of(uint8_t octet, const char *octets)
{
	return octet != '\0' && strchr(octets, octet) != NULL;
}

/* Returns the text without these octets at its start, and those at its end. */
static inline struct octets text_trim(struct octets text, const char *start, const char *end)
{
	while (text.length > 0 && is_one_of(text.data[0], start))
		text = text_after(text, 1);
	while (text.length > 0 && is_one_of(text.data[text.length - 1], end))
		text.length--;
	return text;
}

static inline bool is_ascii(struct octets text)
{
	size_t at = 0;

	while (at < text.length && text.data[at] < 0x80)
		at++;
	return at == text.length;
}

/* Converts eight octets at once: each upper-case letter gets bit 0x20. The additions to the low
 * seven bits set bit 7 of an octet that is at least 'A', and of one that is beyond 'Z'. */
static inline uint64_t lower_case_8(uint64_t octets)
{
	const uint64_t each = 0x0101010101010101u, seven = octets & each * 0x7F;
	const uint64_t from_a = seven + each * (0x80 - 'A'), beyond_z = seven + each * (0x7F - 'Z');

	return octets | (from_a & ~beyond_z & ~octets & each * 0x80) >> 2;
}

/* Writes the text in lower case to `to`, which has room for text.length octets. */
static inline void lower_copy(uint8_t *to, struct octets text)
{
	size_t at = 0;

	for (uint64_t octets; text.length - at >= sizeof octets; at += sizeof octets) {
		memcpy(&octets, text.data + at, sizeof octets);
		octets = lower_case_8(octets);
		memcpy(to + at, &octets, sizeof octets);
	}
	for (; at < text.length; at++)
		to[at] = lower_case(text.data[at]);
}

/* Converts between the spans of the command and of the library. */
static inline struct urivet_text to_library(struct octets text)
{
	return urivet_text_of(text.data, text.length);
}

static inline struct octets from_library(struct urivet_text text)
{
	return (struct octets){text.data, text.length};
}

/* Returns a component of a URI that was parsed from `text`. Data is NULL if it is absent. */
static inline struct octets part_of(const struct urivet_uri *uri, unsigned component,
				    struct octets text)
{
	return from_library(urivet_part(uri, (enum urivet_component)component, to_library(text),
					urivet_text_of(NULL, 0)));
}

#endif
