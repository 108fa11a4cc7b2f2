/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the URL Standard of the WHATWG does to octets in every component: tabs
 * and line breaks removed, UTF-8 decoded, percent-decoded and percent-encoded.
 */
#ifndef URIVET_BROWSER_TEXT_H
#define URIVET_BROWSER_TEXT_H

#include "text/out.h"
#include "text/text.h"

/* Octets that are ignored wherever they stand. */
#define REMOVED (TAB | CRLF)
/* In special schemes, and others are not read, a backslash is a slash. */
#define SLASHES (SLASH | BACKSLASH)

/* The offset of the character after the ASCII character at `at`. */
static inline uint32_t step(struct text t, uint32_t at)
{
	return skip(t, at + 1, REMOVED);
}

/* The percent-encode sets; all of them include what is not ASCII. */
enum percent_encode_set { FRAGMENT_SET, SPECIAL_QUERY_SET, PATH_SET, USERINFO_SET, SETS };

/* The octet at `at`, percent-decoded if a triplet stands there. After a raw octet nothing is
 * skipped yet, because the code point may continue there. */
struct unit urivet_percent_decode(struct text t, uint32_t at);

void urivet_percent_encode(struct out *o, unsigned c);

/* The code point at *at, percent-decoded, and *at moved to the next one. */
uint32_t urivet_next_point(struct text t, uint32_t *at);

/* Writes the code point that begins at `at` with an octet above 0x7F, raw or
 * percent-encoded, and returns the offset of the next one. */
uint32_t urivet_utf8_percent_encode(struct out *o, struct text t, uint32_t at);

/* Writes what stands from `at` to the end of t. */
void urivet_put_encoded(struct out *o, struct text t, uint32_t at, enum percent_encode_set set);

#endif
