/* SPDX-License-Identifier: Apache-2.0 */
/* Finds request targets in text such as access logs: METHOD SP TARGET SP HTTP/1.1. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "common/text/octets.h"
#include <stdbool.h>

/* A find, as offsets in the text. */
struct found_target {
	size_t method; /* start of the method, which has letters, digits, "-" and "_" */
	size_t method_length;
	size_t begin; /* start of the target */
	size_t end;   /* end of the target */
};

/* Finds the first complete target in text[from..). A target has no octets up to 0x20, and is a path
 * or contains a colon or a question mark, since in prose other words come before "HTTP/1.1".
 * Returns false if there is none. Runs in linear time. */
bool targets_find(struct octets text, size_t from, struct found_target *found);

/* Returns the offset of a target that may continue after the text. Targets of more than `most`
 * octets are ignored. */
size_t targets_unfinished(struct octets text, size_t most);

#endif
