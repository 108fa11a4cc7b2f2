/* SPDX-License-Identifier: Apache-2.0 */
/* Validates UTF-8 by RFC 3629, 4. */
#ifndef CLI_IS_UTF8_H
#define CLI_IS_UTF8_H

#include "cli/records/octets.h"
#include "common/utf8.h"

bool is_utf8(struct octets text);

#endif
