/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the HTML of a text with light markup, and the places of its parts. */
#include "cli/scan/markup.h"
#include "cli/scan/html.h"
#include "cli/show/html_page.h"
#include "common/grow.h"
#include <errno.h>
#include <stdlib.h>

bool markup_open(struct markup_html *markup, struct octets source)
{
	*markup = (struct markup_html){.source = source};
	markup->plain = malloc(source.length + 1);
	if (markup->plain == NULL) {
		markup->failed = ENOMEM;
		return false;
	}
	memset(markup->plain, ' ', source.length);
	return true;
}

void markup_close(struct markup_html *markup)
{
	free(markup->html);
	free(markup->place);
	free(markup->plain);
	*markup = (struct markup_html){0};
}

/* Appends octets. After a failure nothing is appended. */
static void append(struct markup_html *markup, const void *octets, size_t length)
{
	if (markup->failed != 0 || length == 0)
		return;
	if (length > HTML_MOST - markup->length) {
		markup->failed = EFBIG;
		return;
	}
	if (!grow(&markup->html, &markup->capacity, markup->length + length, 1)) {
		markup->failed = ENOMEM;
		return;
	}
	memcpy(markup->html + markup->length, octets, length);
	markup->length += length;
}

/* Notes that what is appended next stands at an offset in the source. */
static void note_place(struct markup_html *markup, size_t offset, size_t length)
{
	if (markup->failed != 0)
		return;
	if (!grow(&markup->place, &markup->places_capacity, markup->places + 1,
		  sizeof *markup->place)) {
		markup->failed = ENOMEM;
		return;
	}
	markup->place[markup->places++] = (struct markup_place){markup->length, offset, length};
}

void markup_put_string(struct markup_html *markup, const char *html)
{
	append(markup, html, strlen(html));
}

void markup_put(struct markup_html *markup, struct octets html, size_t offset)
{
	const struct octets source = markup->source;
	const bool stands = html.length > 0 && html.length <= source.length - offset &&
			    memcmp(source.data + offset, html.data, html.length) == 0;

	note_place(markup, offset, stands ? html.length : 0);
	append(markup, html.data, html.length);
}

/* Returns what stands for an octet of text in HTML; NULL: the octet itself. */
static const char *escape_of(uint8_t octet)
{
	return octet == '\0' ? "\xEF\xBF\xBD" : octet != '\'' ? html_reference(octet) : NULL;
}

void markup_put_escaped(struct markup_html *markup, struct octets text, size_t offset)
{
	size_t from = 0;

	note_place(markup, offset, 0);
	for (size_t at = 0; at < text.length; at++) {
		const char *escape = escape_of(text.data[at]);

		if (escape == NULL || (text.data[at] == '&' && markup->has_references))
			continue;
		append(markup, text.data + from, at - from);
		markup_put_string(markup, escape);
		from = at + 1;
	}
	append(markup, text.data + from, text.length - from);
}

void markup_put_text(struct markup_html *markup, struct octets text, bool is_html)
{
	const size_t offset = (size_t)(text.data - markup->source.data);

	if (markup->in_link > 0 || markup->has_html)
		(is_html ? markup_put : markup_put_escaped)(markup, text, offset);
	if (markup->in_link == 0)
		memcpy(markup->plain + offset, text.data, text.length);
}

static void put_target(struct markup_html *markup, const char *start, struct octets target)
{
	markup_put_string(markup, start);
	markup_put_escaped(markup, target, (size_t)(target.data - markup->source.data));
	markup_put_string(markup, "\">");
}

void markup_open_link(struct markup_html *markup, struct octets target)
{
	put_target(markup, "<a href=\"", target);
	markup->in_link++;
}

void markup_close_link(struct markup_html *markup)
{
	markup_put_string(markup, "</a>\n");
	markup->in_link--;
}

void markup_put_image(struct markup_html *markup, struct octets target)
{
	put_target(markup, "<img src=\"", target);
}

size_t markup_offset(const struct markup_html *markup, size_t at)
{
	size_t low = 0;
	size_t high = markup->places;
	const struct markup_place *place;
	size_t beyond;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (markup->place[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	place = &markup->place[low - 1];
	beyond = at - place->at;
	return place->offset + (beyond < place->length ? beyond : place->length);
}

/* ---- Names ------------------------------------------------------------------------------- */

enum markup markup_of_name(const char *name)
{
	static const struct {
		const char *ending;
		enum markup markup;
	} names[] = {
	    {".md", MARKUP_MARKDOWN},       {".markdown", MARKUP_MARKDOWN},
	    {".mdown", MARKUP_MARKDOWN},    {".mkd", MARKUP_MARKDOWN},
	    {".mdx", MARKUP_MARKDOWN},      {".html", MARKUP_HTML},
	    {".htm", MARKUP_HTML},          {".xhtml", MARKUP_HTML},
	    {".svg", MARKUP_HTML},          {".bbcode", MARKUP_BBCODE},
	    {".bb", MARKUP_BBCODE},         {".mrkdwn", MARKUP_SLACK},
	    {".slack", MARKUP_SLACK},       {".adoc", MARKUP_ASCIIDOC},
	    {".asciidoc", MARKUP_ASCIIDOC},
	};
	const char *slash = strrchr(name, '/');
	struct octets whole = text_of(slash != NULL ? slash + 1 : name);

	if (text_ends_in(whole, ".gz"))
		whole.length -= 3;
	else if (text_ends_in(whole, ".zst"))
		whole.length -= 4;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		/* an ending alone is a name */
		if (whole.length > strlen(names[i].ending) && text_ends_in(whole, names[i].ending))
			return names[i].markup;
	}
	return MARKUP_NONE;
}

bool markup_is_built(enum markup markup)
{
	const bool is_markdown = markup == MARKUP_MARKDOWN || markup == MARKUP_AUTO;

	return markup == MARKUP_NONE || ((!is_markdown || markdown_is_built()) && html_is_built());
}
