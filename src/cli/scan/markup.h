/* SPDX-License-Identifier: Apache-2.0 */
/* Converts texts with light markup to HTML that has their links only, and notes where each part
 * stands in the text. The HTML is then read like any other document. */
#ifndef CLI_MARKUP_H
#define CLI_MARKUP_H

#include "common/text/octets.h"

enum markup {
	MARKUP_NONE = 0,
	MARKUP_MARKDOWN,
	MARKUP_HTML,
	MARKUP_BBCODE,
	MARKUP_SLACK,
	MARKUP_ASCIIDOC,
	MARKUP_AUTO
};

/* The options of urivet scan. */
struct scan_options {
	bool html;          /* the files are HTML */
	bool mail;          /* the files are messages and mailboxes */
	enum markup markup; /* of the files */
};

/* The part of the HTML from `at` to the next place stands at `offset` in the source. The first
 * `length` octets are octets of the source. */
struct markup_place {
	size_t at;
	size_t offset;
	size_t length;
};

struct markup_html {
	struct octets source;
	uint8_t *html;
	size_t length;
	size_t capacity;
	struct markup_place *place; /* in the order of `at` */
	size_t places;
	size_t places_capacity;
	/* The source with spaces for everything that is no text: URLs in it have no markup. */
	uint8_t *plain;
	bool has_html;       /* the text contains HTML, so all text is copied */
	bool has_references; /* the text contains character references of HTML */
	unsigned in_link;    /* open links, whose text is copied */
	int failed;          /* errno if there is no memory, EFBIG if the HTML is too long */
};

/* Starts a conversion. Returns false with `failed` set if there is no memory. */
bool markup_open(struct markup_html *markup, struct octets source);
void markup_close(struct markup_html *markup);

/* Append HTML, which stands at an offset in the source: as it is, or with its special characters
 * escaped. */
void markup_put(struct markup_html *markup, struct octets html, size_t offset);
void markup_put_escaped(struct markup_html *markup, struct octets text, size_t offset);

/* Appends HTML that is not in the source. */
void markup_put_string(struct markup_html *markup, const char *html);

/* Appends text of the source that people read, if it may belong to a link, and copies it to `plain`
 * unless it is the text of a link. Text with references is HTML already. */
void markup_put_text(struct markup_html *markup, struct octets text, bool is_html);

/* Append the start and end of a link, or an image. The target is octets of the source. */
void markup_open_link(struct markup_html *markup, struct octets target);
void markup_close_link(struct markup_html *markup);
void markup_put_image(struct markup_html *markup, struct octets target);

/* Returns the offset in the source of an offset in the HTML. */
size_t markup_offset(const struct markup_html *markup, size_t at);

/* Returns the markup that a file name ends in, as "notes.md" or "notes.md.gz"; MARKUP_NONE if it is
 * another. */
enum markup markup_of_name(const char *name);

/* Returns true if this build reads the markup. Otherwise reports which library it lacks. */
bool markup_is_built(enum markup markup);

/* Convert a text. Return false after reporting an error, in which `name` is the file. */
bool markdown_convert(struct markup_html *markup, const char *name);
bool markdown_is_built(void);
void bbcode_convert(struct markup_html *markup);
void slack_convert(struct markup_html *markup);
void asciidoc_convert(struct markup_html *markup);

#endif
