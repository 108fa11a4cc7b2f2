/* SPDX-License-Identifier: Apache-2.0 */
/* Detects compressed files, archives and UTF-16 by their first octets. */
#ifndef CLI_PACKING_H
#define CLI_PACKING_H

#include "common/text/octets.h"
#include <stdbool.h>

enum packed { PACKED_GZIP = 0, PACKED_ZSTD, PACKED_OTHERWISE };

struct packing {
	uint8_t any; /* mask of the first octet's bits that may have any value */
	const char *start;
	size_t length;
	size_t second_at; /* position of a second pattern; NULL: there is none */
	const char *second;
	const char *what;
	const char *reader; /* the command that converts it to text */
	enum packed kind;
};

/* No format needs more octets than this to be detected. */
#define PACKING_MOST 16u

/* Returns the format with this start, or NULL if none is detected. */
const struct packing *packing_of(struct octets start);

/* Like packing_of(), for a file. Also detects UTF-16 without a BOM, by NULs in every other octet,
 * unless records end in NUL. */
const struct packing *packing_of_file(struct octets start, bool nul_ends);

/* Returns true if more octets could still match a format. */
bool packing_is_open(struct octets start);

/* Returns true if no format was detected. Otherwise reports how to make text of the file. */
bool is_unpacked(const char *name, const struct packing *packing);

/* Hints that an input is in a format other than text, and how to convert it. */
void hint_at_packing(const char *name, struct octets start);

#endif
