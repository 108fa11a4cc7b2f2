/* SPDX-License-Identifier: Apache-2.0 */
/* Finds every attribute of HTML that holds a URL, by libgumbo. */
#include "cli/commands/html.h"
#include "cli/records/file.h"
#include "cli/show/output.h"
#include <errno.h>
#include <stdlib.h>

#define HTML_SPACE " \t\n\f\r"

static bool is_space(uint8_t octet)
{
	return octet != '\0' && strchr(HTML_SPACE, octet) != NULL;
}

struct text html_trim(struct text text)
{
	while (text.length > 0 && is_space(text.data[0])) {
		text.data++;
		text.length--;
	}
	while (text.length > 0 && is_space(text.data[text.length - 1]))
		text.length--;
	return text;
}

/* ---- Files ---------------------------------------------------------------------- */

bool html_load(struct text *document, const char *name)
{
	char why[1024];

	if (file_load(document, name, HTML_MOST, why, sizeof why))
		return true;
	complain("%s", why);
	return false;
}

#ifndef HAVE_GUMBO

bool html_is_built(void)
{
	complain("this build reads no HTML: install the Debian package libgumbo-dev and build "
		 "again");
	return false;
}

bool html_read(struct html *html, struct text document, const char *name)
{
	(void)document;
	(void)name;
	*html = (struct html){0};
	return html_is_built();
}

void html_free(struct html *html)
{
	*html = (struct html){0};
}

#else
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

/* The parser does not check for failed allocations, and frees its tree by recursion. So its memory
 * is kept in a list: a failed allocation jumps out of the parser, and the list is freed as a
 * whole. */
struct block {
	alignas(max_align_t) struct block *next;
	struct block *before;
	size_t size;
};

enum { FAILED_MEMORY = 1, FAILED_TIME };

struct parse {
	struct block all; /* the head of the ring of all blocks */
	size_t used;
	size_t taken; /* blocks so far */
	clock_t end_of_time;
	jmp_buf failed; /* jumped to with FAILED_MEMORY or FAILED_TIME */
	GumboOutput *output;
	struct html *html;
	size_t capacity; /* of the list of links */
	bool in_base;
	const char *start;
	const char *end;
};

static void *take_block(void *context, size_t size)
{
	struct parse *parse = context;
	struct block *block = NULL;

	if (++parse->taken % 1024 == 0 && clock() >= parse->end_of_time)
		longjmp(parse->failed, FAILED_TIME);
	if (size < HTML_MEMORY_MOST - parse->used)
		block = malloc(sizeof *block + size);
	if (block == NULL)
		longjmp(parse->failed, FAILED_MEMORY);
	*block = (struct block){.next = parse->all.next, .before = &parse->all, .size = size};
	block->next->before = block;
	parse->all.next = block;
	parse->used += size;
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
	parse->used -= block->size;
	free(block);
}

/* ---- References in attributes ------------------------------------------------------ */

static void add_link(struct parse *parse, struct text text, const GumboAttribute *attribute)
{
	struct html *html = parse->html;
	const char *place = attribute->original_value.data;

	if (html->links == parse->capacity) {
		size_t capacity = parse->capacity * 2 + 64;
		struct html_link *grown = take_block(parse, capacity * sizeof *grown);

		if (html->links > 0)
			memcpy(grown, html->link, html->links * sizeof *grown);
		give_block(parse, html->link);
		html->link = grown;
		parse->capacity = capacity;
	}
	/* an attribute without a value has the place of its name */
	if (place == NULL || place < parse->start || place >= parse->end)
		place = attribute->original_name.data;
	else if (place[0] == '"' || place[0] == '\'')
		place++;
	html->link[html->links++] = (struct html_link){
	    .text = text, .offset = (size_t)(place - parse->start), .of_base = parse->in_base};
}

static void add_one(struct parse *parse, const GumboAttribute *attribute)
{
	add_link(parse, html_trim(text_of(attribute->value)), attribute);
}

/* URLs separated by white space. */
static void add_list(struct parse *parse, const GumboAttribute *attribute)
{
	const char *at = attribute->value + strspn(attribute->value, HTML_SPACE);

	while (*at != '\0') {
		size_t length = strcspn(at, HTML_SPACE);

		add_link(parse, (struct text){(const uint8_t *)at, length}, attribute);
		at += length;
		at += strspn(at, HTML_SPACE);
	}
}

/* The end of the descriptors of an image candidate: a comma outside parentheses. */
static const char *skip_descriptors(const char *at)
{
	bool inside = false;

	for (; *at != '\0' && (inside || *at != ','); at++) {
		if (*at == '(')
			inside = true;
		else if (*at == ')')
			inside = false;
	}
	return at;
}

/* Image candidates: URLs with descriptors, separated by commas. */
static void add_candidates(struct parse *parse, const GumboAttribute *attribute)
{
	const char *at = attribute->value + strspn(attribute->value, HTML_SPACE ",");

	while (*at != '\0') {
		size_t length = strcspn(at, HTML_SPACE);
		size_t url = length;

		while (url > 0 && at[url - 1] == ',')
			url--;
		add_link(parse, (struct text){(const uint8_t *)at, url}, attribute);
		at = url < length ? at + length : skip_descriptors(at + length);
		at += strspn(at, HTML_SPACE ",");
	}
}

/* "5; url='http://example.com/'", by the shared declarative refresh steps of HTML. */
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
		add_link(parse, html_trim((struct text){(const uint8_t *)at, length}), attribute);
}

/* ---- The tree ------------------------------------------------------------------------ */

/* Which attributes hold URLs, and how. There is a `tag` if the attribute means something else in
 * other elements. */
static const struct {
	const char *name;
	GumboTag tag; /* GUMBO_TAG_LAST: any */
	void (*add)(struct parse *parse, const GumboAttribute *attribute);
} url_attributes[] = {
    {"href", GUMBO_TAG_LAST, add_one},
    {"src", GUMBO_TAG_LAST, add_one},
    {"action", GUMBO_TAG_LAST, add_one},
    {"formaction", GUMBO_TAG_LAST, add_one},
    {"cite", GUMBO_TAG_LAST, add_one},
    {"poster", GUMBO_TAG_LAST, add_one},
    {"background", GUMBO_TAG_LAST, add_one},
    {"longdesc", GUMBO_TAG_LAST, add_one},
    {"manifest", GUMBO_TAG_HTML, add_one},
    {"data", GUMBO_TAG_OBJECT, add_one},
    {"codebase", GUMBO_TAG_LAST, add_one},
    {"profile", GUMBO_TAG_HEAD, add_one},
    {"lowsrc", GUMBO_TAG_LAST, add_one},
    {"dynsrc", GUMBO_TAG_LAST, add_one},
    {"ping", GUMBO_TAG_LAST, add_list},
    {"srcset", GUMBO_TAG_LAST, add_candidates},
    {"imagesrcset", GUMBO_TAG_LAST, add_candidates},
};

static void read_attribute(struct parse *parse, GumboTag tag, const GumboAttribute *attribute)
{
	for (size_t i = 0; i < sizeof url_attributes / sizeof url_attributes[0]; i++) {
		if (strcasecmp(attribute->name, url_attributes[i].name) == 0 &&
		    (url_attributes[i].tag == GUMBO_TAG_LAST || url_attributes[i].tag == tag))
			url_attributes[i].add(parse, attribute);
	}
}

static void read_element(struct parse *parse, const GumboElement *element)
{
	const GumboVector *attributes = &element->attributes;
	const GumboAttribute *content = gumbo_get_attribute(attributes, "content");
	const GumboAttribute *equiv = gumbo_get_attribute(attributes, "http-equiv");
	const GumboAttribute *href = gumbo_get_attribute(attributes, "href");

	parse->in_base = element->tag == GUMBO_TAG_BASE;
	for (unsigned i = 0; i < attributes->length; i++)
		read_attribute(parse, element->tag, attributes->data[i]);
	if (element->tag == GUMBO_TAG_META && content != NULL && equiv != NULL &&
	    strcasecmp(equiv->value, "refresh") == 0)
		add_refresh(parse, content);
	if (parse->in_base && href != NULL && parse->html->base == NULL)
		parse->html->base = href->value;
}

static const GumboVector *children_of(const GumboNode *node)
{
	static const GumboVector none = {0};

	if (node->type == GUMBO_NODE_DOCUMENT)
		return &node->v.document.children;
	if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE)
		return &node->v.element.children;
	return &none;
}

/* The node after `node` in the order of the tree; without recursion, because hostile trees are
 * deep. */
static const GumboNode *next_node(const GumboNode *node)
{
	const GumboVector *children = children_of(node);

	if (children->length > 0)
		return children->data[0];
	while (node->parent != NULL) {
		children = children_of(node->parent);
		if (node->index_within_parent + 1 < children->length)
			return children->data[node->index_within_parent + 1];
		node = node->parent;
	}
	return NULL;
}

/* Is it a copy that the parser made to repair the nesting? Then its links are known. */
static bool is_copy(const GumboNode *node)
{
	return (node->parse_flags & (GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT |
				     GUMBO_INSERTION_ADOPTION_AGENCY_CLONED)) != 0;
}

static int compare_links(const void *one, const void *other)
{
	const struct html_link *a = one;
	const struct html_link *b = other;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	/* the parts of one attribute are one after the other in memory */
	return a->text.data < b->text.data ? -1 : a->text.data > b->text.data;
}

static void read_tree(struct parse *parse)
{
	const GumboNode *node = parse->output->document;

	for (; node != NULL; node = next_node(node)) {
		if ((node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) &&
		    !is_copy(node))
			read_element(parse, &node->v.element);
	}
	if (parse->html->links > 0)
		qsort(parse->html->link, parse->html->links, sizeof *parse->html->link,
		      compare_links);
}

static void run_parse(struct parse *parse, struct text document)
{
	GumboOptions options = kGumboDefaultOptions;

	options.allocator = take_block;
	options.deallocator = give_block;
	options.userdata = parse;
	options.max_errors = 0;
	parse->start = (const char *)document.data;
	parse->end = parse->start + document.length;
	parse->output = gumbo_parse_with_options(&options, parse->start, document.length);
	read_tree(parse);
}

static clock_t time_for(struct text document)
{
	size_t seconds = HTML_TIME_OF(document.length);

	return (clock_t)(seconds < HTML_TIME_MOST ? seconds : HTML_TIME_MOST) * CLOCKS_PER_SEC;
}

bool html_read(struct html *html, struct text document, const char *name)
{
	struct parse *parse = malloc(sizeof *parse);

	*html = (struct html){.parse = parse};
	if (parse == NULL) {
		complain("%s", strerror(ENOMEM));
		return false;
	}
	*parse = (struct parse){.html = html, .end_of_time = clock() + time_for(document)};
	parse->all.next = &parse->all;
	parse->all.before = &parse->all;
	switch (setjmp(parse->failed)) {
	case 0:
		run_parse(parse, document);
		return true;
	case FAILED_TIME:
		complain("'%s' takes too much time to be read as HTML", name);
		break;
	default:
		complain("'%s' needs too much memory to be read as HTML", name);
	}
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
