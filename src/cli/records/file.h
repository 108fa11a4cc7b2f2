/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Reads all of a file ("-": standard input), at most `most` octets, into memory of
 * malloc. False, and why not in `why`, which has `size` octets; errno is EFBIG where there
 * are more. */
bool file_load(struct text *content, const char *name, size_t most, char *why, size_t size);

#endif
