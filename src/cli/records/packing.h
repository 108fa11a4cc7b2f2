/* SPDX-License-Identifier: Apache-2.0 */
/* How files begin whose octets are no records as they stand. */
#ifndef CLI_PACKING_H
#define CLI_PACKING_H

#include "cli/records/octets.h"
#include <stdbool.h>

enum packed { PACKED_GZIP = 0, PACKED_ZSTD, PACKED_OTHERWISE };

struct packing {
	uint8_t any; /* bits of the first octet that may be anything */
	const char *start;
	size_t length;
	size_t second_at; /* what else it begins with, and where; NULL: nothing */
	const char *second;
	const char *what;
	const char *reader; /* the command that makes text of it */
	enum packed kind;
};

/* No file has to be read further to know what it is. */
#define PACKING_MOST 16u

/* What begins so; NULL: text, as far as can be told. */
const struct packing *packing_of(struct text start);

/* The same for a file, in which every other octet may not be NUL either, unless records end in it. */
const struct packing *packing_of_file(struct text start, bool nul_ends);

/* Could more octets make of the text what begins as some packing does? */
bool packing_is_open(struct text start);

#endif
