/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the lines of format=flowed text (RFC 3676). */
#ifndef CLI_FLOWED_H
#define CLI_FLOWED_H

#include "common/text/octets.h"
#include <stdbool.h>

/* Joins wrapped lines in place: a line that ends in a space, except "-- ", continues in the next
 * line of the same quote depth. `deletes` is DelSp=yes: that space is removed. Returns the new
 * length, which is never greater. */
size_t flowed_join(uint8_t *text, size_t length, bool deletes);

#endif
