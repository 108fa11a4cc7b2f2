/* SPDX-License-Identifier: Apache-2.0 */
/* Request targets in text, as access logs have them: METHOD SP TARGET SP HTTP/1.1. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* One find, by offsets in the text. */
struct found_target {
	size_t method; /* where the method begins; it is of letters, digits, "-" and "_" */
	size_t method_length;
	size_t begin; /* of the target, */
	size_t end;   /* ... and the octet after it */
};

/* Finds the first target in text[from..), which has all of it. A target has no octet up to 0x20, and
 * is a path or has a colon or a question mark: prose has words before "HTTP/1.1", too. False at the
 * end of the text. Linear. */
bool targets_find(struct text text, size_t from, struct found_target *found);

/* Where one may begin that goes on after the text. One of more than `most` octets is not looked for. */
size_t targets_unfinished(struct text text, size_t most);

#endif
