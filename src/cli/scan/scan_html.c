/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the URLs in HTML. */
#include "cli/commands/base_uri.h"
#include "cli/scan/html.h"
#include "cli/scan/scan.h"
#include <stdlib.h>

/* Resolves a reference against the base. Returns the reference itself if it has a scheme, there is
 * no base, or it cannot be read. */
static struct text resolve(struct base_uri *target, const struct base_uri *base,
			   const struct html_link *link)
{
	struct urivet_uri uri;

	if (base->length == 0 || !urivet_parse(&uri, link->text.data, link->text.length, NULL) ||
	    urivet_has(&uri, URIVET_SCHEME) || !base_uri_resolve(target, base, link->text))
		return link->text;
	return (struct text){target->data, target->length};
}

/* The base of the document, and the outer base, against which the document's <base> is resolved. */
struct bases {
	struct base_uri outer;
	struct base_uri own;
};

static void show_links(struct scanner *scanner, const struct html *html, struct text document,
		       const struct bases *bases, const struct place *where)
{
	struct position position = {1, 1};
	struct base_uri target = {0};
	size_t counted = 0;

	for (size_t i = 0; i < html->links && scanner->worker.out.error == 0; i++) {
		const struct html_link *link = &html->link[i];
		struct place place = *where;

		place.text = link->text;
		place.kind = "uri";
		place.shown = link->shown;
		if (place.line == 0) {
			position_advance(&position, (struct text){document.data + counted,
								  link->offset - counted});
			counted = link->offset;
			place.line = position.line;
			place.column = position.column;
		}
		scan_judge(scanner,
			   resolve(&target, link->of_base ? &bases->outer : &bases->own, link),
			   &place);
	}
	base_uri_free(&target);
}

/* Sets the bases. If the document's own base cannot be read, there is no base. Otherwise a relative
 * reference would be resolved by a guess, and accepted. */
static void set_bases(struct bases *bases, const char *outer, const char *own)
{
	if (outer != NULL) {
		(void)base_uri_set(&bases->outer, text_of(outer), false);
		(void)base_uri_set(&bases->own, text_of(outer), false);
	}
	if (own != NULL)
		(void)base_uri_set(&bases->own, html_trim(text_of(own)), true);
}

bool scan_html(struct scanner *scanner, struct text document, const struct place *place,
	       const char *name)
{
	struct bases bases = {0};
	struct html html;

	if (!html_read(&html, document, name)) {
		scanner->trouble = true;
		return false;
	}
	set_bases(&bases, scanner->options.base, html.base);
	show_links(scanner, &html, document, &bases, place);
	html_free(&html);
	base_uri_free(&bases.outer);
	base_uri_free(&bases.own);
	return true;
}

/* Scans a document. After a read error the part before it is still judged. */
static bool scan_document(struct scanner *scanner, const char *name)
{
	const struct place place = {.file = name};
	struct text document;
	bool fits;

	if (!scan_load(scanner, &document, HTML_MOST))
		return false;
	fits = document.length <= HTML_MOST;
	if (fits)
		(void)scan_html(scanner, document, &place, name);
	else
		complain("'%s' is longer than %lu octets", name, (unsigned long)HTML_MOST);
	free((void *)(uintptr_t)document.data);
	return fits;
}

void scan_html_file(struct scanner *scanner, const char *name)
{
	const int fd = scan_open(scanner, name);

	if (fd < 0)
		return;
	scan_begin(scanner, fd, name);
	if (!scan_document(scanner, name))
		scanner->trouble = true;
	scan_end(scanner);
}
