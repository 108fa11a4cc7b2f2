/* SPDX-License-Identifier: Apache-2.0 */
/* When something happened, as logs write it. */
#ifndef CLI_MOMENT_H
#define CLI_MOMENT_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* The most octets of a time stamp and the blanks after it; what is longer is none. */
#define MOMENT_MOST 64u

/* Room for what moment_write() writes. */
#define MOMENT_CAPACITY 32u

/*
 * Reads the time stamp that a text begins with, as seconds since 1970 in UTC; returns how many octets
 * it has, 0 if there is none. A stamp is one of
 *   2026-11-24T13:55:36.123+01:00   RFC 3339; a space for the T, no seconds, +0100, no zone (then UTC)
 *                                   and a date alone are taken too (ISO 8601)
 *   [24/Nov/2026:13:55:36 +0100]    the common log format
 *   1795528536.123                  seconds since 1970, up to 11 digits; 12 to 14 are milliseconds
 * Fractions of a second are left out. The year is from 0 to 9999. A text that goes on with a letter,
 * a digit or the like has no stamp.
 */
size_t moment_read(int64_t *seconds, struct text text);

/* The first `seconds` of UTC as "2026-11-24 13:55:36": `parts` of its six numbers, 3 to 6. */
void moment_write(char out[MOMENT_CAPACITY], int64_t seconds, unsigned parts);

#endif
