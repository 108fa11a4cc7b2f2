/* SPDX-License-Identifier: Apache-2.0 */
/* Hexadecimal digits. */
#ifndef COMMON_HEX_H
#define COMMON_HEX_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns the value of a digit in either case, or 16. */
static inline unsigned hex_value(uint8_t octet)
{
	const uint8_t lower = octet | 0x20;

	if (octet >= '0' && octet <= '9')
		return octet - (unsigned)'0';
	return lower >= 'a' && lower <= 'f' ? lower - (unsigned)'a' + 10 : 16;
}

/* Returns the upper-case digit of the low four bits. */
static inline char hex_digit(unsigned value)
{
	return "0123456789ABCDEF"[value & 15];
}

/* Writes a prefix and the two digits of an octet. Returns the length. */
static inline size_t hex_escape(void *to, const char *prefix, uint8_t octet, bool lower)
{
	const int letter = lower ? 0x20 : 0; /* digits have this bit anyway */
	const size_t length = strlen(prefix);

	memcpy(to, prefix, length);
	((char *)to)[length] = (char)(hex_digit(octet >> 4u) | letter);
	((char *)to)[length + 1] = (char)(hex_digit(octet) | letter);
	return length + 2;
}

#endif
