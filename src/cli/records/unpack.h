/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes text of compressed octets, a piece at a time: memory is bounded whatever they expand to. The
 * work is that of zlib and libzstd; a build without one of them says so.
 */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include "cli/records/octets.h"
#include <stdbool.h>

struct unpacker {
	/* Takes octets of `in` off it, and puts at most `room` octets there: how many they are. With
	 * `why` set something is wrong with the octets. */
	size_t (*run)(struct unpacker *unpacker, struct text *in, uint8_t *to, size_t room);
	void (*close)(struct unpacker *unpacker);
	void *state;
	bool complete;   /* all that was begun has ended: the file may end here */
	bool holds;      /* there may be more to put out without another octet */
	const char *why; /* a sentence; NULL: all is well */
};

/* Prepare to read from the beginning of a file. False, with `why`, if there is no memory or this
 * build lacks the library. */
bool unpack_gzip(struct unpacker *unpacker);
bool unpack_zstd(struct unpacker *unpacker);

#endif
