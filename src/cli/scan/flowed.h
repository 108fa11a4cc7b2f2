/* SPDX-License-Identifier: Apache-2.0 */
/* Text of format=flowed (RFC 3676). */
#ifndef CLI_FLOWED_H
#define CLI_FLOWED_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Joins, in place, the lines that a sender's program has broken: a line that ends in a space goes on
 * in the next one of the same depth of quotation, but for "-- ". `deletes` is DelSp=yes: that space
 * is none of the text. Returns the new length, which is not greater. */
size_t flowed_join(uint8_t *text, size_t length, bool deletes);

#endif
