/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 characters by RFC 3629, 4: no overlong sequences, no surrogates, nothing above U+10FFFF. */
#ifndef LOADER_UTF8_H
#define LOADER_UTF8_H

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

#endif
