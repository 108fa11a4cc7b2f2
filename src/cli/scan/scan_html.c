/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the URLs in HTML, and in texts with markup that are converted to HTML. */
#include "cli/records/packing.h"
#include "cli/scan/base_uri.h"
#include "cli/scan/html.h"
#include "cli/scan/markup.h"
#include "cli/scan/scan.h"
#include "common/exact.h"
#include <errno.h>
#include <stdlib.h>

/* Resolves a reference against the base. Returns the reference itself if it has a scheme, there is
 * no base, or it cannot be read. */
static struct octets resolve(struct base_uri *target, const struct base_uri *base,
			     const struct html_link *link)
{
	struct urivet_uri uri;

	if (base->length == 0 || !urivet_parse(&uri, link->text.data, link->text.length, NULL) ||
	    urivet_has(&uri, URIVET_SCHEME) || !base_uri_resolve(target, base, link->text))
		return link->text;
	return (struct octets){target->data, target->length};
}

/* The base of the document, and the outer base, against which the document's <base> is resolved. */
struct bases {
	struct base_uri outer;
	struct base_uri own;
};

/* The maximum depth of documents inside each other. */
#define INNER_MOST 4u

/* A document whose links are shown. */
struct view {
	struct scanner *scanner;
	const char *name;          /* in messages */
	unsigned depth;            /* 0: it is in no other document */
	struct octets source;      /* what places are counted in */
	const struct place *where; /* the place of all links, if its line is not 0 */
	struct position position;  /* of the octet `counted` */
	size_t counted;
	struct urivet_scan scan; /* of the text without markup */
	struct urivet_found found;
	size_t length;
	bool is_markup; /* `source` is text with markup, not HTML */
	bool is_found;  /* `found` is the next URL in it */
};

static struct place place_of(struct view *view, size_t offset)
{
	struct place place = *view->where;

	if (place.line == 0) {
		position_advance(
		    &view->position,
		    (struct octets){view->source.data + view->counted, offset - view->counted},
		    sarif_is_written(view->scanner->worker.showing));
		view->counted = offset;
		place.line = view->position.line;
		place.column = view->position.column;
		place.further = view->position.further;
	}
	return place;
}

static void find_next(struct view *view)
{
	struct scanner *scanner = view->scanner;

	view->is_found = urivet_scan_next(&view->scan, SIZE_MAX, &view->found,
					  (char *)scanner->text, scanner->capacity, &view->length);
}

/* Judges the URLs without markup before an offset. */
static void show_plain(struct view *view, size_t until)
{
	while (view->is_found && view->found.offset < until &&
	       view->scanner->worker.out.error == 0) {
		const struct urivet_found *found = &view->found;
		const size_t most = view->scanner->capacity;
		struct place place = place_of(view, found->offset);

		place.is_verbatim = true;
		scan_judge_found(view->scanner, view->source, found,
				 view->length < most ? view->length : most - 1, &place);
		find_next(view);
	}
}

static bool show_document(struct view *view, struct octets document,
			  const struct markup_html *markup, const struct base_uri *outer);

/* Judges the links of a document that is in an attribute. They have the place of the attribute. */
static void show_inner(struct view *view, const struct html_link *link, const struct place *place,
		       const struct base_uri *base)
{
	struct view inner = {.scanner = view->scanner,
			     .name = view->name,
			     .source = link->text,
			     .where = place,
			     .position = {1, 1, 0},
			     .depth = view->depth + 1};

	if (inner.depth <= INNER_MOST) {
		(void)show_document(&inner, link->text, NULL, base);
		return;
	}
	view->scanner->trouble = !complain(
	    "%s:%llu:%llu: more than %u documents are inside each other in srcdoc", view->name,
	    (unsigned long long)place->line, (unsigned long long)place->column, INNER_MOST);
}

/* Returns true if the octets of a link stand in the text at its place. */
static bool is_verbatim(const struct view *view, const struct html_link *link)
{
	const struct octets source = view->source;

	return view->where->line == 0 && link->offset <= source.length &&
	       link->text.length <= source.length - link->offset &&
	       memcmp(source.data + link->offset, link->text.data, link->text.length) == 0;
}

/* Ends the run with an error if a base or a target is unknown. Returns false then. */
static bool has_memory(struct view *view, const struct base_uri *uri)
{
	if (uri->no_memory)
		view->scanner->worker.out.error = ENOMEM;
	return !uri->no_memory;
}

static void show_links(struct view *view, const struct html *html, const struct bases *bases)
{
	struct base_uri target = {0};

	for (size_t i = 0; i < html->links && view->scanner->worker.out.error == 0; i++) {
		const struct html_link *link = &html->link[i];
		struct place place;
		struct octets url;

		show_plain(view, link->offset);
		place = place_of(view, link->offset);
		if (link->is_document) {
			show_inner(view, link, &place, &bases->own);
			continue;
		}
		place.text = link->text;
		place.kind = link->is_image ? "image" : "uri";
		place.shown = link->shown;
		place.is_verbatim = is_verbatim(view, link);
		if (view->is_markup)
			scan_note_hidden(view->source, link->offset, link->offset, &place);
		url = resolve(&target, link->of_base ? &bases->outer : &bases->own, link);
		if (has_memory(view, &target))
			scan_judge(view->scanner, url, &place);
	}
	show_plain(view, SIZE_MAX);
	base_uri_free(&target);
}

/* Sets the bases. If the document's own base cannot be read, there is no base. Otherwise a relative
 * reference would be resolved by a guess, and accepted. */
static void set_bases(struct bases *bases, struct octets outer, const char *own)
{
	if (outer.length > 0) {
		(void)base_uri_set(&bases->outer, outer, false);
		(void)base_uri_set(&bases->own, outer, false);
	}
	if (own != NULL)
		(void)base_uri_set(&bases->own, html_trim(text_of(own)), true);
}

/* Reads a document and judges its links. `markup` has the text that it was made of; NULL: it is the
 * text itself. */
static bool show_document(struct view *view, struct octets document,
			  const struct markup_html *markup, const struct base_uri *outer)
{
	struct bases bases = {0};
	struct html html;

	if (!html_read(&html, document, &view->scanner->html_budget, view->name)) {
		view->scanner->trouble = true;
		return false;
	}
	set_bases(&bases,
		  outer != NULL ? text_at(outer->data, outer->length)
				: text_or_none(view->scanner->base),
		  html.base);
	if (markup != NULL) {
		for (size_t i = 0; i < html.links; i++)
			html.link[i].offset = markup_offset(markup, html.link[i].offset);
		html_sort(&html);
		view->is_markup = true;
		view->scan = (struct urivet_scan){markup->plain, markup->source.length, 0};
		find_next(view);
	}
	if (has_memory(view, &bases.outer) && has_memory(view, &bases.own))
		show_links(view, &html, &bases);
	html_free(&html);
	base_uri_free(&bases.outer);
	base_uri_free(&bases.own);
	return true;
}

bool scan_html(struct scanner *scanner, struct octets document, const struct place *place,
	       const char *name)
{
	struct view view = {.scanner = scanner,
			    .name = name,
			    .source = document,
			    .where = place,
			    .position = {1, 1, 0}};

	return show_document(&view, document, NULL, NULL);
}

static bool convert(struct markup_html *html, enum markup markup, const char *name)
{
	static void (*const convert_by[])(struct markup_html *) = {[MARKUP_BBCODE] = bbcode_convert,
								   [MARKUP_SLACK] = slack_convert,
								   [MARKUP_ASCIIDOC] =
								       asciidoc_convert};

	if (markup == MARKUP_MARKDOWN)
		return markdown_convert(html, name);
	convert_by[markup](html);
	if (html->failed != 0)
		complain("cannot read '%s': %s", name, strerror(html->failed));
	return html->failed == 0;
}

/* Scans a text with markup that is converted to HTML. */
static bool scan_converted(struct scanner *scanner, struct octets text, enum markup markup,
			   const char *name)
{
	const struct place place = {.file = name};
	struct view view = {
	    .scanner = scanner, .name = name, .source = text, .where = &place, .position = {1, 1, 0}};
	struct markup_html html;
	void *exact = NULL;
	bool good;

	if (!markup_open(&html, text))
		return complain("%s", strerror(html.failed));
	good =
	    convert(&html, markup, name) &&
	    show_document(
		&view, text_at(exact_copy(&exact, html.html, html.length, "markup"), html.length),
		&html, NULL);
	free(exact);
	markup_close(&html);
	return good;
}

/* Scans a document. After a read error the part before it is still judged. */
static bool scan_document(struct scanner *scanner, enum markup markup, const char *name)
{
	const struct place place = {.file = name};
	struct octets document;
	bool good = false;

	if (!scan_load(scanner, &document, HTML_MOST))
		return false;
	if (document.length > HTML_MOST)
		complain("'%s' is longer than %lu octets", name, (unsigned long)HTML_MOST);
	else if (!is_unpacked(name, packing_of_file(document, false)))
		good = false;
	else if (markup == MARKUP_HTML)
		good = scan_html(scanner, document, &place, name);
	else
		good = scan_converted(scanner, document, markup, name);
	free((void *)(uintptr_t)document.data);
	return good;
}

static void scan_document_file(struct scanner *scanner, enum markup markup, const char *name)
{
	const int fd = scan_open(scanner, name);

	if (fd < 0)
		return;
	scan_begin(scanner, fd, name);
	if (!scan_document(scanner, markup, name))
		scanner->trouble = true;
	scan_end(scanner);
}

void scan_markup_file(struct scanner *scanner, const char *name)
{
	enum markup markup = scanner->scan.html ? MARKUP_HTML : scanner->scan.markup;

	if (markup == MARKUP_AUTO)
		markup = markup_of_name(name);
	if (markup == MARKUP_NONE)
		scan_text_file(scanner, name);
	else
		scan_document_file(scanner, markup, name);
}
