/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Reads all of a file ("-": standard input), at most `most` octets, into memory that the caller
 * must free(). False if that fails, with the reason in `why`, a buffer of `size` octets; errno
 * is EFBIG if the file is longer. */
bool file_load(struct text *content, const char *name, size_t most, char *why, size_t size);

#endif
