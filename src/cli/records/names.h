/* SPDX-License-Identifier: Apache-2.0 */
/* Compares names as decoders that ignore letter case do. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "common/text/octets.h"

/* How a name in the input compares with a name that is looked for. LIKE: some decoders take it for
 * that name, as those of Go, which fold letters by Unicode. */
enum likeness { OTHER = 0, LIKE, SAME };

/* Octets that are not UTF-8 count from here on. */
#define NO_POINT 0x110000u

/* Takes the first code point off a text that is not empty. */
uint32_t take_point(struct octets *rest);

/* Compares a key with a name; if not `whole`, compares only the start of the key. `take` takes the
 * next code point off the rest of the key: 0 where some decoders end the key. */
enum likeness compare_names(struct octets key, uint32_t (*take)(struct octets *rest),
			    struct octets name, bool whole);

#endif
