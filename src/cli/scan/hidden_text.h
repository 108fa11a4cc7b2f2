/* SPDX-License-Identifier: Apache-2.0 */
/* Finds invisible characters around a URL in text, which hide instructions or turn text around. */
#ifndef CLI_HIDDEN_TEXT_H
#define CLI_HIDDEN_TEXT_H

#include "common/text/octets.h"

/* The number of octets before and after a URL that are searched, in its line. */
#define HIDDEN_TEXT_NEAR 128u

/* Finds the first of these characters in the URL at [begin, end) or near it: a tag character, except
 * in flags; two invisible characters in a row; a control that turns text around. Returns false if
 * there is none. */
bool hidden_text_find(struct octets text, size_t begin, size_t end, size_t *offset);

#endif
