/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of others in this process. Each reads a copy of the record whose NUL is the last
 * octet before memory that nobody may touch: one octet too many is seen whether or not the
 * library was compiled with a sanitizer. What goes wrong is an incident of that reader: it is
 * written down, and the run goes on, or is to be started again.
 *
 * The environment names what is run, and how:
 *     DIFFERENTIAL_READERS   shared objects by spaces, each NAME.so with read_NAME() (reader.h)
 *     DIFFERENTIAL_OUT       the folder that is written to; none: nothing is written
 *     DIFFERENTIAL_HANG      seconds after which a reader hangs, 1 to 3600 (10)
 *     DIFFERENTIAL_GUARD     "off": the copy lies amid memory that may be read, as a control
 */
#ifndef DIFFERENTIAL_READERS_H
#define DIFFERENTIAL_READERS_H

#include "../zoo/reading.h"
#include <stdint.h>

#define READERS_MOST   32
#define LONGEST_RECORD 4096 /* octets */
/* The process ended because a reader did what leaves it in no state to go on. */
#define STATUS_STOPPED 77

/* What became of a record with a reader. */
enum fate {
	FATE_REFUSED,
	FATE_READ,
	FATE_OVER_READ, /* it read beyond the NUL; the call was given up */
	FATE_ABORT,     /* it called abort(), as assert() does; likewise */
};

typedef bool read_function(const char *data, size_t length, struct reading *reading);

struct reader {
	char name[32];
	read_function *read;
	const char *(*version)(void);
};

/* Those that are named by the environment. The first call loads them; ends the program
 * with status 2 and a message where one cannot be loaded. */
const struct reader *readers(size_t *count);

/* What is done with a reading while it is good, under the same guard as the reader. */
typedef void use_function(const struct reading *reading, void *context);

/*
 * Has one reader read data[0..length): at most LONGEST_RECORD octets, no NUL among them.
 * `use` is called if it reads the record. A crash elsewhere or a hang ends the process with
 * STATUS_STOPPED once it is written down, since nobody knows what is left of its memory.
 */
enum fate read_by(const struct reader *reader, const char *data, size_t length, use_function *use,
		  void *context);

/* Appends a record and its NUL to DIFFERENTIAL_OUT/name, in one write. */
void append_record(const char *name, const char *data, size_t length);

#endif
