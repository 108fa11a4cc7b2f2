/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with markup, converted to HTML with their links: each part of the HTML stands in the text
 * where its place says, targets are octets of the text, and what is no link is text. The first octet
 * selects the markup: d (Markdown, if the build reads it), a, b or s. */
#include "cli/scan/markup.h"

#include "cli/scan/html.h"

#include "built.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define IS_MSAN 1 /* the library is not instrumented */
#endif
#endif

enum { DOWN, ASCIIDOC, BBCODE, SLACK, FORMS };

/* Returns true if the build has the library. Asks once, since a build without it reports that. */
static bool has_library(bool (*is_built)(void), int *known)
{
#ifdef IS_MSAN
	(void)is_built;
	(void)known;
	return false;
#else
	if (*known < 0)
		*known = is_built();
	return *known > 0;
#endif
}

/* Returns how an octet of the text is written in HTML. */
static struct urivet_text written_as(const struct markup_html *m, size_t offset)
{
	const uint8_t *at = m->source.data + offset;
	static const char *const escapes[] = {
	    ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
	if (*at == '\0')
		return urivet_text_of("\xEF\xBF\xBD", 3);
	if (*at < sizeof escapes / sizeof escapes[0] && escapes[*at] != NULL &&
	    (*at != '&' || !m->has_references))
		return urivet_text_of(escapes[*at], strlen(escapes[*at]));
	return urivet_text_of(at, 1);
}

/* Checks that the HTML from `at` up to a double quote or a "<" is the text from its place on. A
 * target is a whole attribute. */
static void expect_copied(const struct markup_html *m, size_t at, bool is_target)
{
	size_t offset = markup_offset(m, at);
	while (at < m->length && m->html[at] != '"' && m->html[at] != '<') {
		oracle(offset < m->source.length, "a target lies in the text");
		const struct urivet_text want = written_as(m, offset);
		oracle(want.length <= m->length - at &&
			   memcmp(m->html + at, want.data, want.length) == 0,
		       "a target is written as the text has it");
		at += want.length;
		offset++;
	}
	oracle(!is_target || (m->length - at >= 2 && memcmp(m->html + at, "\">", 2) == 0),
	       "a target does not leave its attribute");
}

static void expect_targets(const struct markup_html *m)
{
	static const char *const starts[] = {"<a href=\"", "<img src=\"", "\">"};
	for (size_t at = 0; at < m->length; at++)
		for (size_t k = 0; k < 3; k++) {
			const size_t length = strlen(starts[k]);
			if (length <= m->length - at &&
			    memcmp(m->html + at, starts[k], length) == 0)
				expect_copied(m, at + length, k < 2);
		}
}

static void expect_places(const struct markup_html *m)
{
	for (size_t k = 0; k < m->places; k++) {
		const struct markup_place *place = &m->place[k];
		oracle(place->at <= m->length && place->offset <= m->source.length &&
			   place->length <= m->source.length - place->offset,
		       "a place lies in the text");
		oracle(k == 0 || place[-1].at <= place->at, "places are in order");
		oracle(place->length <= m->length - place->at &&
			   same(m->html + place->at, place->length, m->source.data + place->offset,
				place->length),
		       "octets of the text stand in it");
	}
	for (size_t at = 0; at <= m->length; at++)
		oracle(markup_offset(m, at) <= m->source.length, "HTML has a place in the text");
}

/* Checks the text without markup, which has no URL that the whole text has not. */
static void expect_plain(const struct markup_html *m, bool has_links)
{
	size_t kept = 0;
	for (size_t at = 0; at < m->source.length; at++) {
		oracle(m->plain[at] == ' ' || m->plain[at] == m->source.data[at],
		       "text without markup is text or space");
		kept += m->plain[at] == m->source.data[at];
	}
	oracle(has_links || kept == m->source.length, "what has no markup is text");
}

/* ---- HTML whose URLs are known ---------------------------------------------------------------- */

/* Elements with URLs, each written as an @, and with words that are none. */
static const char *const elements[] = {
    "<a href='@'>k</a>",
    "<a href=' @ ' ping='@ @'>k</a>",
    "<img src='@' srcset='@, @ 2x'>",
    "<img srcset='@ 1x, @'>",
    "<img srcset='@ 2x, @ 3x,@ (k,k), @,'>",
    "<img srcset=' ,@ , @'>",
    "<form action='@'><button formaction='@'></button></form>",
    "<object data='@'></object>",
    "<p data='k' cite='@'></p>",
    "<iframe src='@'></iframe>",
    "<video poster='@' src='@'></video>",
    "<p style='background: url(@)'></p>",
    "<meta http-equiv='refresh' content='5; url=@'>",
    "<meta http-equiv='Refresh' content='0,@'>",
    "<meta content='5; url=k'>",
    "<a title='k' name='k'>k</a>",
    "<!-- <a href='k'></a> -->",
};

/* Each URL of a document is found, in order, and nothing else. */
static void expect_html(struct dice *d)
{
	char text[8192];
	struct builder b = {text, 0};
	struct html html;
	uint32_t count = 0;
	for (uint32_t k = 1 + below(d, 8); k > 0; k--)
		for (const char *at = elements[below(d, COUNT(elements))]; *at != '\0'; at++) {
			char url[16];
			if (*at == '@')
				add(&b, url, (size_t)snprintf(url, sizeof url, "//k.org/%u", count++));
			else
				add(&b, at, 1);
		}
	if (!html_read(&html, (struct octets){(const uint8_t *)text, b.length}, "html"))
		abort();
	html_sort(&html);
	for (uint32_t k = 0; k < html.links && k < count; k++) {
		char url[16];
		const int length = snprintf(url, sizeof url, "//k.org/%u", k);
		if (!same(html.link[k].text.data, html.link[k].text.length, url, (size_t)length))
			fprintf(stderr, "%.*s\n", (int)b.length, text);
		oracle(same(html.link[k].text.data, html.link[k].text.length, url, (size_t)length), "a URL of HTML is found");
	}
	oracle(html.links == count, "every URL of HTML is found, and nothing else");
	html_free(&html);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static int reads_html = -1, reads_markdown = -1;
	struct markup_html m;
	const unsigned form = length > 0 ? data[0] % FORMS : DOWN;
	const struct octets source = {length > 0 ? data + 1 : data, length > 0 ? length - 1 : 0};
	struct dice d = dice_of(data, length);
	uint8_t *copy;
	if (has_library(html_is_built, &reads_html))
		expect_html(&d);
	if (form == DOWN && !has_library(markdown_is_built, &reads_markdown))
		return 0;
	copy = room_for(source.length);
	memcpy(copy, source.data, source.length);
	oracle(markup_open(&m, (struct octets){copy, source.length}), "there is memory");
	if (form == DOWN) {
		oracle(markdown_convert(&m, "text"), "short Markdown is read in time");
	} else {
		static const char marks[FORMS] = {[BBCODE] = '[', [SLACK] = '<'};
		(form == ASCIIDOC ? asciidoc_convert
		 : form == BBCODE ? bbcode_convert
				  : slack_convert)(&m);
		expect_targets(&m);
		oracle(m.in_link == 0 && m.failed == 0, "each link is closed");
		oracle(m.length <= 16 * source.length, "HTML has a linear length");
		expect_plain(&m, form == ASCIIDOC
				     ? m.length > 0
				     : memchr(copy, marks[form], source.length) != NULL);
	}
	expect_plain(&m, true);
	expect_places(&m);
	markup_close(&m);
	free(copy);
	return 0;
}
