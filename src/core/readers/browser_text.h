/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding and encoding of octets by the WHATWG URL Standard, for all components: removal of tabs
 * and line breaks, UTF-8 decoding, percent-decoding and percent-encoding. */
#ifndef URIVET_BROWSER_TEXT_H
#define URIVET_BROWSER_TEXT_H

#include "text/out.h"
#include "text/text.h"

/* Octets that are ignored everywhere. */
#define REMOVED (TAB | CRLF)
/* A backslash is a slash in special schemes, the only ones that are read. */
#define SLASHES (SLASH | BACKSLASH)

/* Returns the offset of the character after the ASCII character at `at`. */
static inline uint32_t step(struct text t, uint32_t at)
{
	return skip(t, at + 1, REMOVED);
}

/* The percent-encode sets. Each includes all octets above 0x7F. */
enum percent_encode_set { FRAGMENT_SET, SPECIAL_QUERY_SET, PATH_SET, USERINFO_SET, SETS };

/* Returns the octet at `at`, percent-decoded if a triplet begins there. `next` does not skip
 * ignored octets after a raw octet, as its UTF-8 sequence may continue. */
struct unit urivet_percent_decode(struct text t, uint32_t at);

void urivet_percent_encode(struct out *o, unsigned c);

/* Returns the code point at *at, percent-decoded, and advances *at. */
uint32_t urivet_next_point(struct text t, uint32_t *at);

/* Writes the code point at `at`, whose first octet is above 0x7F, raw or percent-encoded. Returns
 * the offset of the next code point. */
uint32_t urivet_utf8_percent_encode(struct out *o, struct text t, uint32_t at);

/* Writes the text from `at` to the end of t, with octets of the set percent-encoded. */
void urivet_put_encoded(struct out *o, struct text t, uint32_t at, enum percent_encode_set set);

#endif
