/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the URLs in style sheets. */
#ifndef CLI_CSS_H
#define CLI_CSS_H

#include "common/text/octets.h"

/* Finds the next url() or @import from *at on, and moves *at behind it (CSS Syntax 3, 4.3.6). *url
 * keeps its escapes. Comments and other strings are skipped. Returns false if there is none. */
bool css_find(struct octets css, size_t *at, struct octets *url);

/* Decodes the escapes of a URL. `out` has room for two times `raw`. Returns the length. */
size_t css_decode(uint8_t *out, struct octets raw);

#endif
