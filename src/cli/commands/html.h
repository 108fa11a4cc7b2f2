/* SPDX-License-Identifier: Apache-2.0 */
/* The URLs in HTML, found by an HTML5 parser where the build has one. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Octets of a document, and what its parse may take: octets of memory. */
#define HTML_MOST        (64u << 20)
#define HTML_MEMORY_MOST ((size_t)2 << 30)
/* Seconds: the parser takes time quadratic in the depth of the tree. */
#define HTML_TIME_MOST 20

/* One reference, white space around it left out; it lives as long as the parse. */
struct html_link {
	struct text text; /* character references resolved */
	size_t offset;    /* of the attribute's value in the document */
	bool of_base;     /* of a <base>: not resolved against itself */
};

struct html {
	struct html_link *link; /* by their place in the document */
	size_t links;
	const char *base; /* the first <base href>, not trimmed; NULL: none */
	void *parse;      /* what all of that lives in */
};

/* False after saying that the build has no parser. */
bool html_is_built(void);

/* False after saying why not. */
bool html_read(struct html *html, struct text document, const char *name);
void html_free(struct html *html);

/* The text without the white space of HTML around it. */
struct text html_trim(struct text text);

/* Reads all of a file ("-": standard input) into memory of malloc; false after saying
 * why not. */
bool html_load(struct text *document, const char *name);

#endif
