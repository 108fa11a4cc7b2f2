/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include "common/text/octets.h"
#include "common/load.h"

/* Reads everything that `reader` returns, up to `most` + 1 octets; a
 * length above `most` means that the input is too long. Allocates `room` octets at first. The
 * caller frees the content. Returns false, with errno, on errors. */
bool load_all(struct octets *content, load_reader *reader, void *context, size_t room, size_t most);

/* Reads a whole file ("-": standard input) of at most `most` octets. The caller frees the content.
 * Returns false after reporting an error. */
bool file_load(struct octets *content, const char *name, size_t most);

#endif
