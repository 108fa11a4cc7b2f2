/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Third-party readers in this process. Each reads a copy of the record whose NUL is the last octet
 * before inaccessible memory. So one octet too many is detected even if the library was compiled
 * without a sanitizer. Each error is an incident of that reader: it is recorded, and the run
 * continues, or has to be restarted.
 *
 * Environment variables:
 *     DIFFERENTIAL_READERS   shared objects separated by spaces, each NAME.so with read_NAME() (reader.h)
 *     DIFFERENTIAL_OUT       the output folder; unset: nothing is written
 *     DIFFERENTIAL_HANG      seconds after which a reader hangs, 1 to 3600 (10)
 *     DIFFERENTIAL_GUARD     "off": accessible memory around the copy, as a negative control
 */
#ifndef DIFFERENTIAL_READERS_H
#define DIFFERENTIAL_READERS_H

#include "../zoo/reading.h"
#include <stdint.h>

#define READERS_MOST   32
#define LONGEST_RECORD 4096 /* octets */
/* Exit status of a process that cannot continue after a reader's error. */
#define STATUS_STOPPED 77

/* The result of a reader for a record. */
enum fate {
	FATE_REFUSED,
	FATE_READ,
	FATE_OVER_READ, /* it read beyond the NUL; the call was abandoned */
	FATE_ABORT,     /* it called abort(), as assert() does; the call was abandoned */
};

typedef bool read_function(const char *data, size_t length, struct reading *reading);

struct reader {
	char name[32];
	read_function *read;
	const char *(*version)(void);
};

/* Returns the readers that the environment names. The first call loads them. Ends the program
 * with status 2 and a message if one cannot be loaded. */
const struct reader *readers(size_t *count);

/* Uses a reading while it is valid, under the same guard as the reader. */
typedef void use_function(const struct reading *reading, void *context);

/*
 * Lets one reader read data[0..length): at most LONGEST_RECORD octets, without NUL. Calls `use` if
 * it reads the record. Any other crash or a hang is recorded and ends the process with
 * STATUS_STOPPED, because its memory may be corrupt.
 */
enum fate read_by(const struct reader *reader, const char *data, size_t length, use_function *use,
		  void *context);

/* Appends a record and its NUL to DIFFERENTIAL_OUT/name, in one write. */
void append_record(const char *name, const char *data, size_t length);

#endif
