/* SPDX-License-Identifier: Apache-2.0 */
/* Validates UTF-8 by RFC 3629, 4. */
#ifndef COMMON_IS_UTF8_H
#define COMMON_IS_UTF8_H

#include "common/text/octets.h"
#include "common/utf8.h"

bool is_utf8(struct octets text);

#endif
