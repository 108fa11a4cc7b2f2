/* SPDX-License-Identifier: Apache-2.0 */
/* Hexadecimal digits. */
#ifndef COMMON_HEX_H
#define COMMON_HEX_H

#include <stdint.h>

/* Returns the value of a digit in either case, or 16. */
static inline unsigned hex_value(uint8_t octet)
{
	const uint8_t lower = octet | 0x20;

	if (octet >= '0' && octet <= '9')
		return octet - (unsigned)'0';
	return lower >= 'a' && lower <= 'f' ? lower - (unsigned)'a' + 10 : 16;
}

#endif
