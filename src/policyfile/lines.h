/* SPDX-License-Identifier: Apache-2.0 */
/* Policies as lines, to compare them. */
#ifndef LOADER_LINES_H
#define LOADER_LINES_H

#include "policyfile/loaded.h"

/* Takes a line: "hosts.deny: .example.com". Its place is that of the rule; line 0: none. */
typedef void line_taker(void *context, struct place at, const char *text, size_t length);

/* Writes a line for each setting and rule, except those by which neither this policy nor the other one
 * differs from its base. Returns false if memory is short. */
bool urivet_loader_lines(const struct urivet_loaded *loaded, const struct urivet_loaded *other,
			 line_taker *on_line, void *context);

#endif
