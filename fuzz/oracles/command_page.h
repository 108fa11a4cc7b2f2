/* SPDX-License-Identifier: Apache-2.0 */
/* Oracles for HTML reports, for any input: they contain only elements that the command writes,
 * each element is closed where it should be, and attributes hold only letters, digits and a few
 * marks. */
#ifndef COMMAND_PAGE_H
#define COMMAND_PAGE_H

#include "command_oracles.h"

#define PAGE_DEPTH 64

struct page {
	struct octets left;
	struct octets open[PAGE_DEPTH];
	unsigned depth;
};

static bool is_element(struct octets name)
{
	static const char *const names[] = {
	    "html",    "head",   "meta",    "style", "title", "body",   "header",  "main",
	    "section", "footer", "article", "p",     "h1",    "h2",     "h3",      "b",
	    "span",    "div",    "code",    "mark",  "ul",    "li",     "a",       "table",
	    "thead",   "tbody",  "tr",      "th",    "td",    "figure", "details", "summary",
	    "dl",      "dt",     "dd",      "svg",   "rect",  "path",   "g",       "desc"};
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
		if (same(names[k], strlen(names[k]), name.data, name.length))
			return true;
	return false;
}

/* Takes the name of a tag, after < or </. */
static struct octets take_tag_name(struct page *page)
{
	struct octets name = {page->left.data, 0};
	while (name.length < page->left.length &&
	       ((name.data[name.length] | 0x20) >= 'a'
		    ? (name.data[name.length] | 0x20) <= 'z'
		    : name.data[name.length] >= '0' && name.data[name.length] <= '9'))
		name.length++;
	page->left = without(page->left, name.length);
	return name;
}

/* Takes ` name="value"`: no event handler, no style, and only links within the page. */
static bool take_attribute(struct page *page)
{
	struct octets name, value;
	if (!begins(page->left, " "))
		return false;
	page->left = without(page->left, 1);
	if (!take_piece(&page->left, '=', &name) || !begins(page->left, "\""))
		return false;
	page->left = without(page->left, 1);
	if (!take_piece(&page->left, '"', &value))
		return false;
	expect(!begins(name, "on") && !begins(name, "sr") && !begins(name, "st"),
	       "no attribute is a handler, a source or a style");
	expect(!begins(name, "href") || begins(value, "#f-"), "links lead into the page");
	expect(memchr(value.data, '<', value.length) == NULL, "attributes hold no markup");
	return true;
}

static void take_tag(struct page *page)
{
	const bool ends = begins(page->left, "/");
	struct octets name;
	page->left = without(page->left, ends ? 1 : 0);
	name = take_tag_name(page);
	expect(is_element(name), "the elements of a page are those that the command writes");
	if (ends) {
		expect(page->depth > 0 &&
			   same(page->open[page->depth - 1].data,
				page->open[page->depth - 1].length, name.data, name.length),
		       "what ends is what was begun last");
		page->depth--;
		return;
	}
	while (take_attribute(page))
		;
	if (begins(page->left, "/>"))
		return;
	expect(begins(page->left, ">") && page->depth < PAGE_DEPTH, "a tag ends");
	page->open[page->depth++] = name;
}

static void expect_page(const struct run *run)
{
	static const char start[] = "<!DOCTYPE html>\n";
	struct page page = {.left = run->out};
	struct octets text;
	if (run->out.length == 0)
		return;
	expect(begins(run->out, start), "a page says what it is");
	page.left = without(page.left, sizeof start - 1);
	while (take_piece(&page.left, '<', &text))
		take_tag(&page);
	expect(page.depth == 0, "all that is begun ends");
}

#endif
