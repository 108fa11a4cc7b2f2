/* SPDX-License-Identifier: Apache-2.0 */
/* Is a text UTF-8? */
#ifndef CLI_IS_UTF8_H
#define CLI_IS_UTF8_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* By RFC 3629, 4: no overlong sequence, no surrogate, nothing above U+10FFFF. */
bool is_utf8(struct text text);

#endif
