/* SPDX-License-Identifier: Apache-2.0 */
/* Is a text UTF-8, and which characters does it hold? By RFC 3629, 4: no overlong sequence, no
 * surrogate, nothing above U+10FFFF. */
#ifndef CLI_IS_UTF8_H
#define CLI_IS_UTF8_H

#include "cli/records/octets.h"
#include <stdbool.h>

bool is_utf8(struct text text);

/* How many octets the character has that a text of one octet or more begins with, and its code
 * point; 0 if the text does not begin with a character. */
size_t utf8_character(struct text text, uint32_t *code_point);

#endif
