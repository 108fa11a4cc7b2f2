/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the URLs in HTML with an HTML5 parser (optional dependency). */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include "common/text/octets.h"
#include <stdbool.h>
#include <time.h>

/* Limits in octets: of a document, and of the memory for parsing all documents that are open. */
#define HTML_MOST        (64u << 20)
#define HTML_MEMORY_MOST ((size_t)2 << 30)
/* The parser's run time is quadratic in the depth of the tree, which is not known before. So its
 * processor time is limited to HTML_TIME_OF seconds for all documents of a file, and to
 * HTML_TIME_MOST for each. This is about ten times what flat documents need. */
#define HTML_TIME_MOST       20u
#define HTML_TIME_OF(octets) (2u + ((octets) >> 20))

/* Maximum octets of a link's text; a longer text is truncated. */
#define HTML_SHOWN_MOST 2048u

/* A reference, without the white space around it. It is valid as long as the struct html. */
struct html_link {
	struct octets text; /* with character references resolved */
	size_t offset;      /* of the attribute's value (or its name) in the document */
	bool of_base;       /* it is in a <base>, which is not resolved against itself */
	bool is_image;      /* it is loaded as an image, without a click */
	bool is_document;   /* it is a document itself (srcdoc), which is not trimmed */
	/* The visible text of an <a href> if it may be a URL, a mail address or a telephone number,
	 * truncated if it is very long. It has no white space unless it is a number, and may have
	 * the controls U+202C and U+202E. Data is NULL if there is no such text. */
	struct octets shown;
};

struct html {
	struct html_link *link; /* in the order of the document */
	size_t links;
	const char *base; /* the first <base href>, not trimmed; NULL: none */
	void *parse;      /* owns all memory of the links */
};

/* What the documents of a file, and those in them, have used of the limits. Zeroed for each file. */
struct html_budget {
	size_t memory; /* octets of blocks that are not freed */
	size_t octets; /* ... and of documents */
	clock_t spent; /* processor time for parsing */
};

/* Returns true if the build has an HTML parser. Otherwise reports that it has none. */
bool html_is_built(void);

/* Finds the links of a document within the budget, which is kept until html_free(). Returns false
 * after reporting an error. */
bool html_read(struct html *html, struct octets document, struct html_budget *budget,
	       const char *name);
void html_free(struct html *html);

/* Sorts the links by their offsets. */
void html_sort(struct html *html);

/* Returns the text without the white space around it, as HTML defines it. */
struct octets html_trim(struct octets text);

#endif
