/* SPDX-License-Identifier: Apache-2.0 */
/* Time stamps of log records. */
#ifndef CLI_MOMENT_H
#define CLI_MOMENT_H

#include "common/text/octets.h"

/* The maximum length of a time stamp and the blank after it. A longer stamp is not recognised. */
#define MOMENT_MOST 64u

/* Size of the buffer for moment_write(). */
#define MOMENT_CAPACITY 32u

/*
 * Reads the time stamp at the start of a text and stores it as seconds since 1970 in UTC. Returns
 * its length in octets, 0 if there is none. These forms are known:
 *   2026-11-24T13:55:36.123+01:00   RFC 3339; also a space for the T, no seconds, +0100, no zone
 *                                   (then UTC), or a date alone (ISO 8601)
 *   [24/Nov/2026:13:55:36 +0100]    the common log format
 *   1795528536.123                  seconds since 1970, up to 11 digits; 12 to 14 are milliseconds
 * Fractions of a second are dropped. The year is from 0 to 9999. A blank or the end of the text
 * must follow the stamp.
 */
size_t moment_read(int64_t *seconds, struct octets text);

/* Writes a time as "2026-11-24 13:55:36" in UTC, cut after the first `parts` (3 to 6) of its
 * numbers. */
void moment_write(char out[MOMENT_CAPACITY], int64_t seconds, unsigned parts);

#endif
