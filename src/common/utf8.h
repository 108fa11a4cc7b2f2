/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 characters by RFC 3629, 4: no overlong sequences, no surrogates, nothing above U+10FFFF. */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include "common/hex.h"
#include <stddef.h>
#include <stdint.h>

/* Decodes the first character of a text of at least one octet. Returns its length in octets, or 0
 * if it is invalid. */
static inline size_t urivet_loader_utf8(const uint8_t *at, size_t left, uint32_t *character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const uint8_t first = at[0];
	const size_t length = first < 0x80   ? 1
			      : first < 0xC0 ? 0
			      : first < 0xE0 ? 2
			      : first < 0xF0 ? 3
			      : first < 0xF8 ? 4
					     : 0;

	if (length == 0 || length > left)
		return 0;
	*character = length == 1 ? first : first & (0xFFu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xC0) != 0x80)
			return 0;
		*character = *character << 6 | (at[i] & 0x3Fu);
	}
	if (*character < least[length] || *character > 0x10FFFF ||
	    (*character >= 0xD800 && *character <= 0xDFFF))
		return 0;
	return length;
}

/* Writes a character of at most 21 bits in UTF-8. Returns the length. */
static inline size_t urivet_loader_put_utf8(uint8_t *to, uint32_t character)
{
	const size_t more = character < 0x80      ? 0
			    : character < 0x800   ? 1
			    : character < 0x10000 ? 2
						  : 3;
	static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};

	to[0] = (uint8_t)(lead[more] | character >> 6 * more);
	for (size_t i = 1; i <= more; i++)
		to[i] = (uint8_t)(0x80 | (character >> 6 * (more - i) & 0x3F));
	return more + 1;
}

/* Writes a character as \uXXXX, or as two surrogates above U+FFFF, as JSON does. Returns the length,
 * at most 12. */
static inline size_t urivet_loader_json_escape(char *to, uint32_t character)
{
	const uint32_t units[] = {character > 0xFFFF ? 0xD7C0 + (character >> 10) : character,
				  0xDC00 + (character & 0x3FF)};
	const size_t count = character > 0xFFFF ? 2 : 1;
	char *at = to;

	for (size_t i = 0; i < count; i++) {
		*at++ = '\\';
		*at++ = 'u';
		for (int shift = 12; shift >= 0; shift -= 4)
			*at++ = hex_digit(units[i] >> shift);
	}
	return (size_t)(at - to);
}

#endif
