/* SPDX-License-Identifier: Apache-2.0 */
/* Finds all attributes in HTML that contain URLs, with libgumbo. */
#include "cli/scan/html.h"
#include "common/text/output.h"
#include <errno.h>
#include <stdlib.h>

#define HTML_SPACE " \t\n\f\r"

struct octets html_trim(struct octets text)
{
	return text_trim(text, HTML_SPACE, HTML_SPACE);
}

static int compare_links(const void *one, const void *other)
{
	const struct html_link *a = one;
	const struct html_link *b = other;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	/* URLs of the same attribute are in order in memory */
	return a->text.data < b->text.data ? -1 : a->text.data > b->text.data;
}

void html_sort(struct html *html)
{
	if (html->links > 0)
		qsort(html->link, html->links, sizeof *html->link, compare_links);
}

#ifndef HAVE_GUMBO

bool html_is_built(void)
{
	return complain(
	    "this build reads no HTML: install the Debian package libgumbo-dev and build "
	    "again");
}

bool html_read(struct html *html, struct octets document, struct html_budget *budget,
	       const char *name)
{
	(void)document;
	(void)budget;
	(void)name;
	*html = (struct html){0};
	return html_is_built();
}

void html_free(struct html *html)
{
	*html = (struct html){0};
}

#else
#include "cli/scan/css.h"
#include <gumbo.h>
#include <setjmp.h>
#include <stdalign.h>
#include <strings.h>
#include <time.h>

bool html_is_built(void)
{
	return true;
}

/* ---- Memory ---------------------------------------------------------------------- */

/* The parser does not check for failed allocations, and frees its tree by recursion. So all its
 * memory is kept in a list. A failed allocation leaves the parser by longjmp(3), and the list is
 * freed as a whole. */
struct block {
	alignas(max_align_t) struct block *next;
	struct block *before;
	size_t size;
};

/* What malloc(3) adds to a block: its own header, and rounding. */
#define BLOCK_COST 16u

struct parse {
	struct block all; /* the head of a circular list of all blocks */
	struct html_budget *budget;
	size_t steps; /* number of allocations, and of octets of text read */
	clock_t end_of_time;
	jmp_buf failed;    /* where fail() continues */
	const char *lacks; /* why it failed; NULL: it did not */
	GumboOutput *output;
	struct html *html;
	size_t capacity; /* of the array of links */
	bool in_base;
	bool in_template;      /* its content is not in the document (HTML, 4.12.3) */
	bool is_document;      /* the current attribute is a document */
	bool is_image;         /* the current attribute is the source of an image */
	struct octets shown;   /* the link text of the current attribute */
	struct octets element; /* the start tag of the current element in the document */
	const char *start;
	const char *end;
};

/* Aborts the parse, which needs more than its budget has. */
static _Noreturn void fail(struct parse *parse, const char *lacks)
{
	parse->lacks = lacks;
	longjmp(parse->failed, 1);
}

/* Counts a step of work, and aborts the parse after its time limit. */
static void take_step(struct parse *parse)
{
	if (++parse->steps % 1024 == 0 && clock() >= parse->end_of_time)
		fail(parse, "takes too much time");
}

static void *take_block(void *context, size_t size)
{
	struct parse *parse = context;
	struct block *block = NULL;

	take_step(parse);
	size += sizeof *block + BLOCK_COST;
	if (size < HTML_MEMORY_MOST - parse->budget->memory)
		block = malloc(size - BLOCK_COST);
	if (block == NULL)
		fail(parse, "needs too much memory");
	*block = (struct block){.next = parse->all.next, .before = &parse->all, .size = size};
	block->next->before = block;
	parse->all.next = block;
	parse->budget->memory += size;
	return block + 1;
}

static void give_block(void *context, void *memory)
{
	struct parse *parse = context;
	struct block *block = memory;

	if (memory == NULL)
		return;
	block--;
	block->before->next = block->next;
	block->next->before = block->before;
	parse->budget->memory -= block->size;
	free(block);
}

/* ---- References in attributes ------------------------------------------------------ */

/* Adds a link at an offset in the document. */
static void add_link_at(struct parse *parse, struct octets text, size_t offset)
{
	struct html *html = parse->html;

	if (html->links == parse->capacity) {
		size_t capacity = parse->capacity * 2 + 64;
		struct html_link *grown = take_block(parse, capacity * sizeof *grown);

		if (html->links > 0)
			memcpy(grown, html->link, html->links * sizeof *grown);
		give_block(parse, html->link);
		html->link = grown;
		parse->capacity = capacity;
	}
	html->link[html->links++] = (struct html_link){.text = text,
						       .offset = offset,
						       .of_base = parse->in_base,
						       .is_document = parse->is_document,
						       .is_image = parse->is_image,
						       .shown = parse->shown};
}

/* Returns a part of the document that libgumbo names. It is cut at the document's end, since the
 * length of a text node may be wrong; data is NULL if it begins outside the document. */
static struct octets source_of(const struct parse *parse, GumboStringPiece piece)
{
	size_t left;

	if (piece.data == NULL || piece.data < parse->start || piece.data >= parse->end)
		return (struct octets){0};
	left = (size_t)(parse->end - piece.data);
	return text_at(piece.data, piece.length < left ? piece.length : left);
}

/* Returns the part of the document that became an attribute's value, without quotes. An attribute
 * without a value is located by its name, and one that is not in the document by its element. */
static struct octets source_of_value(const struct parse *parse, const GumboAttribute *attribute)
{
	struct octets source = source_of(parse, attribute->original_value);

	if (source.length > 0 && (source.data[0] == '"' || source.data[0] == '\''))
		return text_after(source, 1);
	if (source.data == NULL)
		source = source_of(parse, attribute->original_name);
	return source.data != NULL ? source : parse->element;
}

static size_t offset_of(const struct parse *parse, struct octets source)
{
	return source.data != NULL ? (size_t)((const char *)source.data - parse->start) : 0;
}

static void add_link(struct parse *parse, struct octets text, const GumboAttribute *attribute)
{
	add_link_at(parse, text, offset_of(parse, source_of_value(parse, attribute)));
}

static void add_one(struct parse *parse, const GumboAttribute *attribute)
{
	add_link(parse, html_trim(text_of(attribute->value)), attribute);
}

/* Adds a document in an attribute. */
static void add_document(struct parse *parse, const GumboAttribute *attribute)
{
	parse->is_document = true;
	add_link(parse, text_of(attribute->value), attribute);
	parse->is_document = false;
}

/* A position in a decoded text, and in the part of the document that it was decoded from. */
struct pair {
	struct octets decoded;
	struct octets source;
	size_t at_decoded;
	size_t at_source;
	bool is_lost; /* a character was decoded, so that later ones cannot be located */
};

/* Returns the octet at an offset, -1 behind the end. */
static int octet_in(struct octets text, size_t at)
{
	return at < text.length ? text.data[at] : -1;
}

/* Moves forward to an offset in the decoded text. A CR, and a CR LF, were decoded to LF. */
static void pair_advance(struct pair *pair, size_t offset)
{
	while (!pair->is_lost && pair->at_decoded < offset) {
		const uint8_t octet = pair->decoded.data[pair->at_decoded];
		const int source = octet_in(pair->source, pair->at_source);

		if (octet == '\n' && source == '\r')
			pair->at_source += octet_in(pair->source, pair->at_source + 1) == '\n';
		else
			pair->is_lost = source != octet;
		pair->at_source++;
		pair->at_decoded++;
	}
}

/* Adds the URLs of a style sheet, which was decoded from `source`. URLs after a decoded character
 * are located by the start of the style sheet. */
static void add_css(struct parse *parse, struct octets css, struct octets source)
{
	struct pair pair = {.decoded = css, .source = source};
	struct octets raw;
	size_t at = 0;

	while (css_find(css, &at, &raw)) {
		uint8_t *decoded;

		if (raw.length == 0)
			continue;
		decoded = take_block(parse, raw.length * 2);
		pair_advance(&pair, (size_t)(raw.data - css.data));
		parse->is_image = true;
		add_link_at(parse, (struct octets){decoded, css_decode(decoded, raw)},
			    offset_of(parse, source) + (pair.is_lost ? 0 : pair.at_source));
		parse->is_image = false;
	}
}

static void add_style(struct parse *parse, const GumboAttribute *attribute)
{
	add_css(parse, text_of(attribute->value), source_of_value(parse, attribute));
}

/* Adds URLs separated by white space. */
static void add_list(struct parse *parse, const GumboAttribute *attribute)
{
	const char *at = attribute->value + strspn(attribute->value, HTML_SPACE);

	while (*at != '\0') {
		size_t length = strcspn(at, HTML_SPACE);

		add_link(parse, (struct octets){(const uint8_t *)at, length}, attribute);
		at += length;
		at += strspn(at, HTML_SPACE);
	}
}

/* Returns the end of an image candidate's descriptors: a comma outside parentheses. */
static const char *skip_descriptors(const char *at)
{
	bool inside = false;

	for (; *at != '\0' && (inside || *at != ','); at++)
		inside = *at == '(' || (inside && *at != ')');
	return at;
}

/* Adds the URLs of image candidates, which are separated by commas and may have descriptors. */
static void add_candidates(struct parse *parse, const GumboAttribute *attribute)
{
	const char *at = attribute->value + strspn(attribute->value, HTML_SPACE ",");

	while (*at != '\0') {
		size_t length = strcspn(at, HTML_SPACE);
		size_t url = length;

		while (url > 0 && at[url - 1] == ',')
			url--;
		add_link(parse, (struct octets){(const uint8_t *)at, url}, attribute);
		at = url < length ? at + length : skip_descriptors(at + length);
		at += strspn(at, HTML_SPACE ",");
	}
}

/* Adds the URL of "5; url='http://example.com/'", by the shared declarative refresh steps of
 * HTML. */
static void add_refresh(struct parse *parse, const GumboAttribute *attribute)
{
	const char *at = attribute->value + strspn(attribute->value, HTML_SPACE);
	const char *digits = at;
	size_t length;

	at += strspn(at, "0123456789.");
	if (at == digits || (*at != '\0' && strchr(HTML_SPACE ";,", *at) == NULL))
		return;
	at += strspn(at, HTML_SPACE);
	at += *at == ';' || *at == ',';
	at += strspn(at, HTML_SPACE);
	if (strncasecmp(at, "url", 3) == 0) {
		const char *equals = at + 3 + strspn(at + 3, HTML_SPACE);

		if (*equals == '=')
			at = equals + 1 + strspn(equals + 1, HTML_SPACE);
	}
	length = strlen(at);
	if (*at == '\'' || *at == '"') {
		const char quote[] = {*at++, '\0'};

		length = strcspn(at, quote);
	}
	if (length > 0)
		add_link(parse, html_trim((struct octets){(const uint8_t *)at, length}), attribute);
}

/* ---- The tree ------------------------------------------------------------------------ */

static const GumboVector *children_of(const GumboNode *node)
{
	static const GumboVector none = {0};

	if (node->type == GUMBO_NODE_DOCUMENT)
		return &node->v.document.children;
	if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE)
		return &node->v.element.children;
	return &none;
}

/* Returns the next node in tree order after `node` and all its descendants, inside `top`, or
 * NULL. */
static const GumboNode *node_after(const GumboNode *node, const GumboNode *top)
{
	while (node != top && node->parent != NULL) {
		const GumboVector *children = children_of(node->parent);

		if (node->index_within_parent + 1 < children->length)
			return children->data[node->index_within_parent + 1];
		node = node->parent;
	}
	return NULL;
}

/* Returns the next node in tree order. Not recursive, since hostile trees are deep. */
static const GumboNode *next_node(const GumboNode *node, const GumboNode *top)
{
	const GumboVector *children = children_of(node);

	return children->length > 0 ? children->data[0] : node_after(node, top);
}

/* ---- The text of links ---------------------------------------------------------------- */

/* The text of a link while it is collected. */
struct visible {
	uint8_t text[HTML_SHOWN_MOST];
	size_t length;
	bool gap;       /* white space follows */
	bool ended;     /* it is more than a word, or the buffer is full */
	bool is_number; /* it may be a telephone number, which may have gaps */
};

static bool is_of_number(uint8_t octet)
{
	return (octet >= '0' && octet <= '9') || strchr("+-()./", octet) != NULL;
}

/* Returns the length of the invisible character at `at`, which is UTF-8: soft hyphens and zero-width
 * characters. Direction controls change what is seen. Returns 0 for other characters. */
static size_t unseen(const char *at)
{
	const uint8_t *octet = (const uint8_t *)at;

	if (octet[0] == 0xC2 && octet[1] == 0xAD)
		return 2;
	if (octet[0] == 0xE2 &&
	    ((octet[1] == 0x80 && octet[2] >= 0x8B && octet[2] <= 0x8D) ||
	     (octet[1] == 0x81 && ((octet[2] >= 0xA0 && octet[2] <= 0xA4) || octet[2] >= 0xAA) &&
	      octet[2] <= 0xAF)))
		return 3;
	return octet[0] == 0xEF && octet[1] == 0xBB && octet[2] == 0xBF ? 3 : 0;
}

/* Returns the length of the white space at `at`, including a no-break space, or 0. */
static size_t white(const char *at)
{
	return is_one_of((uint8_t)*at, HTML_SPACE) ? 1 : at[0] == '\xC2' && at[1] == '\xA0' ? 2 : 0;
}

static void add_octet(struct visible *visible, uint8_t octet)
{
	if (visible->length == 0)
		visible->is_number = true;
	visible->is_number = visible->is_number && is_of_number(octet);
	if (visible->gap && visible->is_number && visible->length < sizeof visible->text) {
		visible->text[visible->length++] = ' ';
		visible->gap = false;
	}
	visible->ended = visible->gap || visible->length == sizeof visible->text;
	if (!visible->ended)
		visible->text[visible->length++] = octet;
}

static void add_text(struct parse *parse, struct visible *visible, const char *at)
{
	while (*at != '\0' && !visible->ended) {
		size_t skipped = unseen(at) + white(at);

		take_step(parse);
		if (white(at) > 0)
			visible->gap = visible->length > 0;
		else if (skipped == 0)
			add_octet(visible, (uint8_t)*at);
		at += skipped > 0 ? skipped : 1;
	}
}

/* Returns true if the element starts a new line and ends with one. */
static bool is_block(const GumboNode *node)
{
	static const GumboTag tags[] = {
	    GUMBO_TAG_BR,      GUMBO_TAG_DIV,     GUMBO_TAG_P,          GUMBO_TAG_H1,
	    GUMBO_TAG_H2,      GUMBO_TAG_H3,      GUMBO_TAG_H4,         GUMBO_TAG_H5,
	    GUMBO_TAG_H6,      GUMBO_TAG_HR,      GUMBO_TAG_UL,         GUMBO_TAG_OL,
	    GUMBO_TAG_LI,      GUMBO_TAG_DL,      GUMBO_TAG_DT,         GUMBO_TAG_DD,
	    GUMBO_TAG_PRE,     GUMBO_TAG_TABLE,   GUMBO_TAG_TR,         GUMBO_TAG_TD,
	    GUMBO_TAG_TH,      GUMBO_TAG_SECTION, GUMBO_TAG_HEADER,     GUMBO_TAG_FOOTER,
	    GUMBO_TAG_ARTICLE, GUMBO_TAG_FIGURE,  GUMBO_TAG_FIGCAPTION,
	};

	if (node->type != GUMBO_NODE_ELEMENT)
		return false;
	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
		if (node->v.element.tag == tags[i])
			return true;
	}
	return false;
}

/* Returns true if a line break comes before the node: it or its preceding sibling is a block. */
static bool breaks_line(const GumboNode *node)
{
	const GumboVector *siblings = children_of(node->parent);

	return is_block(node) ||
	       (node->index_within_parent > 0 && node->index_within_parent <= siblings->length &&
		is_block(siblings->data[node->index_within_parent - 1]));
}

static bool is_shown(const GumboNode *node)
{
	return node->type != GUMBO_NODE_TEMPLATE &&
	       (node->type != GUMBO_NODE_ELEMENT || (node->v.element.tag != GUMBO_TAG_SCRIPT &&
						     node->v.element.tag != GUMBO_TAG_STYLE));
}

/* Returns true if the text may be a URL, a mail address or a telephone number: it is one word with
 * a dot, a slash, a colon or a character beyond ASCII, which may look like one, or a number. */
static bool can_be_url(const struct visible *visible)
{
	if (visible->ended && visible->gap)
		return false;
	for (size_t i = 0; i < visible->length; i++) {
		if (is_one_of(visible->text[i], "./:") || visible->text[i] >= 0x80)
			return true;
	}
	return visible->is_number;
}

/* Returns the visible text of a link if it may be a URL. Data is NULL if not. */
static struct octets read_visible(struct parse *parse, const GumboNode *top)
{
	struct visible visible = {.length = 0};
	const GumboNode *node = next_node(top, top);
	uint8_t *kept;

	while (node != NULL && !visible.ended) {
		take_step(parse);
		visible.gap = visible.gap || (visible.length > 0 && breaks_line(node));
		if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA ||
		    node->type == GUMBO_NODE_WHITESPACE)
			add_text(parse, &visible, node->v.text.text);
		node = is_shown(node) ? next_node(node, top) : node_after(node, top);
	}
	/* do not cut inside a character */
	while (visible.ended && visible.length > 0 && visible.text[visible.length - 1] >= 0x80)
		visible.length--;
	if (visible.length == 0 || !can_be_url(&visible))
		return (struct octets){0};
	kept = take_block(parse, visible.length);
	memcpy(kept, visible.text, visible.length);
	return (struct octets){kept, visible.length};
}

/* ---- Elements ---------------------------------------------------------------------------- */

/* The attributes that contain URLs, and their format; the first row that fits counts. `tag` is set if
 * an attribute means something else in other elements. An image is loaded without a click. */
static const struct {
	const char *name;
	GumboTag tag; /* GUMBO_TAG_LAST: any */
	void (*add)(struct parse *parse, const GumboAttribute *attribute);
	bool is_image;
} url_attributes[] = {
    {"href", GUMBO_TAG_IMAGE, add_one, true},
    {"href", GUMBO_TAG_LAST, add_one, false},
    {"src", GUMBO_TAG_IMG, add_one, true},
    {"src", GUMBO_TAG_INPUT, add_one, true},
    {"src", GUMBO_TAG_LAST, add_one, false},
    {"action", GUMBO_TAG_LAST, add_one, false},
    {"formaction", GUMBO_TAG_LAST, add_one, false},
    {"cite", GUMBO_TAG_LAST, add_one, false},
    {"poster", GUMBO_TAG_LAST, add_one, true},
    {"background", GUMBO_TAG_LAST, add_one, true},
    {"longdesc", GUMBO_TAG_LAST, add_one, false},
    {"manifest", GUMBO_TAG_HTML, add_one, false},
    {"data", GUMBO_TAG_OBJECT, add_one, false},
    {"codebase", GUMBO_TAG_LAST, add_one, false},
    {"profile", GUMBO_TAG_HEAD, add_one, false},
    {"lowsrc", GUMBO_TAG_LAST, add_one, true},
    {"dynsrc", GUMBO_TAG_LAST, add_one, true},
    {"ping", GUMBO_TAG_LAST, add_list, false},
    {"srcset", GUMBO_TAG_LAST, add_candidates, true},
    {"imagesrcset", GUMBO_TAG_LAST, add_candidates, true},
    {"srcdoc", GUMBO_TAG_IFRAME, add_document, false},
    {"style", GUMBO_TAG_LAST, add_style, false},
};

static void read_attribute(struct parse *parse, GumboTag tag, const GumboAttribute *attribute)
{
	for (size_t i = 0; i < sizeof url_attributes / sizeof url_attributes[0]; i++) {
		if (strcasecmp(attribute->name, url_attributes[i].name) != 0 ||
		    (url_attributes[i].tag != GUMBO_TAG_LAST && url_attributes[i].tag != tag))
			continue;
		parse->is_image = url_attributes[i].is_image;
		url_attributes[i].add(parse, attribute);
		parse->is_image = false;
		return;
	}
}

/* Returns true if the attribute is the first href of an <a>, to which the link text belongs. */
static bool is_link(const GumboElement *element, const GumboAttribute *attribute)
{
	return element->tag == GUMBO_TAG_A &&
	       attribute == gumbo_get_attribute(&element->attributes, "href");
}

/* Adds the URLs of a <style>. */
static void read_style(struct parse *parse, const GumboNode *node)
{
	const GumboVector *children = children_of(node);
	const uint8_t *tag_end = text_after(parse->element, parse->element.length).data;

	for (unsigned i = 0; i < children->length; i++) {
		const GumboNode *child = children->data[i];
		struct octets source;

		if (child->type != GUMBO_NODE_TEXT && child->type != GUMBO_NODE_CDATA)
			continue;
		source = source_of(parse, child->v.text.original_text);
		/* libgumbo skips the first octet of an invalid character at the start */
		if (i == 0 && source.data != NULL && source.data - 1 == tag_end)
			source = text_at(tag_end, source.length + 1);
		add_css(parse, text_of(child->v.text.text),
			source.data != NULL ? source : parse->element);
	}
}

static void read_element(struct parse *parse, const GumboNode *node)
{
	const GumboElement *element = &node->v.element;
	const GumboVector *attributes = &element->attributes;
	const GumboAttribute *content = gumbo_get_attribute(attributes, "content");
	const GumboAttribute *equiv = gumbo_get_attribute(attributes, "http-equiv");
	const GumboAttribute *href = gumbo_get_attribute(attributes, "href");

	parse->in_base = element->tag == GUMBO_TAG_BASE;
	parse->element = source_of(parse, element->original_tag);
	for (unsigned i = 0; i < attributes->length; i++) {
		if (is_link(element, attributes->data[i]))
			parse->shown = read_visible(parse, node);
		read_attribute(parse, element->tag, attributes->data[i]);
		parse->shown = (struct octets){0};
	}
	if (element->tag == GUMBO_TAG_META && content != NULL && equiv != NULL &&
	    strcasecmp(equiv->value, "refresh") == 0)
		add_refresh(parse, content);
	if (element->tag == GUMBO_TAG_STYLE)
		read_style(parse, node);
	if (parse->in_base && element->tag_namespace == GUMBO_NAMESPACE_HTML &&
	    !parse->in_template && href != NULL && parse->html->base == NULL)
		parse->html->base = href->value;
}

/* Returns true if the parser made the node as a copy to repair nesting. Its links were already
 * added. */
static bool is_copy(const GumboNode *node)
{
	return (node->parse_flags & (GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT |
				     GUMBO_INSERTION_ADOPTION_AGENCY_CLONED)) != 0;
}

static void read_tree(struct parse *parse)
{
	const GumboNode *const top = parse->output->document, *after = NULL;

	for (const GumboNode *node = top; node != NULL; node = next_node(node, top)) {
		parse->in_template = parse->in_template && node != after;
		if ((node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) &&
		    !is_copy(node))
			read_element(parse, node);
		if (node->type == GUMBO_NODE_TEMPLATE && !parse->in_template) {
			parse->in_template = true;
			after = node_after(node, top);
		}
	}
	html_sort(parse->html);
}

static void run_parse(struct parse *parse, struct octets document)
{
	GumboOptions options = kGumboDefaultOptions;

	options.allocator = take_block;
	options.deallocator = give_block;
	options.userdata = parse;
	options.max_errors = 0;
	parse->start = document.length > 0 ? (const char *)document.data : "";
	parse->end = parse->start + document.length;
	parse->output = gumbo_parse_with_options(&options, parse->start, document.length);
	read_tree(parse);
}

/* Returns the processor time that the file has left for a document. */
static clock_t time_for(const struct html_budget *budget, struct octets document)
{
	const size_t seconds = HTML_TIME_OF(document.length);
	const clock_t most =
	    (clock_t)(seconds < HTML_TIME_MOST ? seconds : HTML_TIME_MOST) * CLOCKS_PER_SEC;
	const clock_t left = (clock_t)HTML_TIME_OF(budget->octets) * CLOCKS_PER_SEC - budget->spent;

	return left < most ? left : most;
}

/* Parses the document. Returns NULL or what it needs too much of. */
static const char *try_parse(struct parse *parse, struct octets document)
{
	const clock_t begun = clock();

	parse->end_of_time = begun + time_for(parse->budget, document);
	if (setjmp(parse->failed) == 0)
		run_parse(parse, document);
	parse->budget->spent += clock() - begun;
	return parse->lacks;
}

bool html_read(struct html *html, struct octets document, struct html_budget *budget,
	       const char *name)
{
	struct parse *parse = malloc(sizeof *parse);
	const char *lacks;

	*html = (struct html){.parse = parse};
	if (parse == NULL)
		return complain("%s", strerror(ENOMEM));
	*parse = (struct parse){.html = html, .budget = budget};
	parse->all.next = &parse->all;
	parse->all.before = &parse->all;
	budget->octets += document.length;
	lacks = try_parse(parse, document);
	if (lacks == NULL)
		return true;
	complain("'%s' %s to be read as HTML", name, lacks);
	html_free(html);
	return false;
}

void html_free(struct html *html)
{
	struct parse *parse = html->parse;

	while (parse != NULL && parse->all.next != &parse->all)
		give_block(parse, parse->all.next + 1);
	free(parse);
	*html = (struct html){0};
}

#endif
