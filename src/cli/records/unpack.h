/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses in steps with zlib and libzstd, so that memory is bounded whatever the input expands
 * to. A build without one of the libraries reports that.
 */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include "common/text/octets.h"
#include <stdbool.h>

struct unpacker {
	/* Decompresses octets from the start of `in`, which are removed, and writes at most `room`
	 * octets. Returns the number written. Sets `why` if the input is invalid. */
	size_t (*run)(struct unpacker *unpacker, struct octets *in, uint8_t *to, size_t room);
	void (*close)(struct unpacker *unpacker);
	void *state;
	bool complete;   /* all members or frames have ended: the file may end here */
	bool holds;      /* more output may be pending without further input */
	const char *why; /* an error message; NULL: no error */
};

/* Initialize for the start of a file. Return false, with `why`, if there is no memory or the build
 * lacks the library. */
bool unpack_gzip(struct unpacker *unpacker);
bool unpack_zstd(struct unpacker *unpacker);

#endif
