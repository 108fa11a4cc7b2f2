/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include "cli/records/octets.h"
#include <stdbool.h>
#include <sys/types.h>

/* Reads all that `reader`, which is like read(2), gives, or one octet more than `most`: then it is longer.
 * `room` octets are asked for at first. The caller must free() them. False, with errno, if that fails. */
bool load_all(struct text *content, ssize_t (*reader)(void *context, uint8_t *to, size_t size),
	      void *context, size_t room, size_t most);

/* Reads all of a file ("-": standard input), at most `most` octets, into memory that the caller
 * must free(). False if that fails, with the reason in `why`, a buffer of `size` octets; errno
 * is EFBIG if the file is longer. */
bool file_load(struct text *content, const char *name, size_t most, char *why, size_t size);

#endif
