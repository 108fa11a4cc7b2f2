/* SPDX-License-Identifier: Apache-2.0 */
/* Finds request targets by the protocol version after them, and reads backwards from there. */
#include "cli/scan/targets.h"

/* The maximum length of a method; the longest one of WebDAV has 17 octets. */
#define METHOD_MOST 32u

static const char protocol[] = "HTTP/";
#define PROTOCOL (sizeof protocol - 1)

static bool is_digit(uint8_t octet)
{
	return octet >= '0' && octet <= '9';
}

static bool is_of_method(uint8_t octet)
{
	const uint8_t letter = lower_case(octet);

	return (letter >= 'a' && letter <= 'z') || is_digit(octet) || octet == '-' || octet == '_';
}

static bool is_of_word(uint8_t octet)
{
	return octet > ' ';
}

static bool is_space(uint8_t octet)
{
	return octet == ' ';
}

/* Returns the start of the octets of a kind that end at `end`. */
static size_t before(bool (*is_of_kind)(uint8_t), struct octets text, size_t from, size_t end)
{
	while (end > from && is_of_kind(text.data[end - 1]))
		end--;
	return end;
}

/* Returns the offset of the next "HTTP/" with a digit after a space; text.length if there is
 * none. */
static size_t find_protocol(struct octets text, size_t from)
{
	while (from + PROTOCOL < text.length) {
		const uint8_t *at =
		    memchr(text.data + from, protocol[0], text.length - PROTOCOL - from);

		if (at == NULL)
			break;
		from = (size_t)(at - text.data);
		if (from > 0 && at[-1] == ' ' && memcmp(at, protocol, PROTOCOL) == 0 &&
		    is_digit(at[PROTOCOL]))
			return from;
		from++;
	}
	return text.length;
}

static bool is_target(const uint8_t *data, size_t length)
{
	return length > 0 &&
	       (data[0] == '/' || data[0] == '\\' || memchr(data, ':', length) != NULL ||
		memchr(data, '?', length) != NULL);
}

/* Reads backwards from the protocol at `at`, but not beyond `from`. */
static bool read_back(struct octets text, size_t from, size_t at, struct found_target *found)
{
	size_t end;

	found->end = before(is_space, text, from, at);
	found->begin = before(is_of_word, text, from, found->end);
	end = before(is_space, text, from, found->begin);
	found->method = before(is_of_method, text, from, end);
	found->method_length = end - found->method;
	return end < found->begin && found->method_length > 0 &&
	       found->method_length <= METHOD_MOST &&
	       is_target(text.data + found->begin, found->end - found->begin);
}

bool targets_find(struct octets text, size_t from, struct found_target *found)
{
	for (size_t seek = from;; seek++) {
		struct found_target got;

		seek = find_protocol(text, seek);
		if (seek == text.length)
			return false;
		if (read_back(text, from, seek, &got)) {
			*found = got;
			return true;
		}
	}
}

size_t targets_unfinished(struct octets text, size_t most)
{
	const size_t all = most + 2 * METHOD_MOST;
	const size_t from = text.length > all ? text.length - all : 0;
	size_t at = before(is_of_word, text, from,
			   text.length); /* start of the protocol or the word before it */

	at = before(is_of_word, text, from, before(is_space, text, from, at));
	return before(is_of_word, text, from, before(is_space, text, from, at));
}
