/* SPDX-License-Identifier: Apache-2.0 */
/* Validates and decodes UTF-8 by RFC 3629, 4: no overlong sequences, no surrogates, nothing above
 * U+10FFFF. */
#ifndef CLI_IS_UTF8_H
#define CLI_IS_UTF8_H

#include "cli/records/octets.h"
#include <stdbool.h>

bool is_utf8(struct text text);

/* Returns the length of the first character of a non-empty text, and stores its code point. Returns
 * 0 if it is not a valid character. */
size_t utf8_character(struct text text, uint32_t *code_point);

#endif
