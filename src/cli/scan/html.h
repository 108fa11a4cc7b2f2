/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the URLs in HTML by an HTML5 parser, if the build has one. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Limits: octets of a document, and octets of memory for parsing it. */
#define HTML_MOST        (64u << 20)
#define HTML_MEMORY_MOST ((size_t)2 << 30)
/* The parser needs time quadratic in the depth of the tree, which nothing but a parser can tell. So
 * it has so many seconds of the processor, at most HTML_TIME_MOST, some ten times what it needs for
 * flat documents. */
#define HTML_TIME_MOST       20u
#define HTML_TIME_OF(octets) (2u + ((octets) >> 20))

/* Octets of the text of a link, of which a longer one is cut. */
#define HTML_SHOWN_MOST 2048u

/* A reference without the white space around it; valid as long as the parse. */
struct html_link {
	struct text text; /* with character references resolved */
	size_t offset;    /* of the attribute's value in the document */
	bool of_base;     /* in a <base>, which is not resolved against itself */
	/* The visible text of an <a href>, if it can be a URL: its head where it is very long. No data:
	 * there is none, or it has white space inside. */
	struct text shown;
};

struct html {
	struct html_link *link; /* in the order of the document */
	size_t links;
	const char *base; /* the first <base href>, not trimmed; NULL: none */
	void *parse;      /* owns all of this */
};

/* Has the build an HTML parser? If not, it says so. */
bool html_is_built(void);

/* Finds the links of a document: false after saying why that failed. */
bool html_read(struct html *html, struct text document, const char *name);
void html_free(struct html *html);

/* The text without the white space of HTML around it. */
struct text html_trim(struct text text);

/* Reads all of a file ("-": standard input) into memory that the caller must free(); false after
 * saying why that failed. */
bool html_load(struct text *document, const char *name);

#endif
