/* SPDX-License-Identifier: Apache-2.0 */
/* ASCII letters in lower case, whatever the locale. */
#ifndef COMMON_LOWER_H
#define COMMON_LOWER_H

#include <stdint.h>

/* Returns an ASCII letter in lower case, any other octet unchanged. */
static inline uint8_t lower_case(uint8_t octet)
{
	return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
}

#endif
