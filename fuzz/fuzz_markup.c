/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with markup, converted to HTML with their links: each part of the HTML stands in the text
 * where its place says, targets are octets of the text, and what is no link is text. The first octet
 * selects the markup: d (Markdown, if the build reads it), a, b or s; of others, one of the last three. */
#include "cli/scan/markup.h"

#include "cli/scan/html.h"
#include "cli/scan/seen_text.h"

#include "built.h"

/* Freed memory that AddressSanitizer keeps, 256 MiB by default, makes each new process slow. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1";
}

enum { DOWN, ASCIIDOC, BBCODE, SLACK, FORMS };

/* Markdown is read by a process of its own, which takes a hundred times as long: it has to be asked for. */
static unsigned form_of(uint8_t first)
{
	const unsigned form = first % FORMS;
	return form == DOWN && first != 'd' ? ASCIIDOC : form;
}

/* Returns true if the build has the library. Asks once, since a build without it reports that. */
static bool has_library(bool (*is_built)(void), int *known)
{
	if (*known < 0)
		*known = !IS_MSAN && is_built();
	return *known > 0;
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

/* Elements with URLs, each written as an @, or as a % with an escape of CSS, and with words that are
 * none. */
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
    "<p style='background: url(%)'></p>",
    "<meta http-equiv='refresh' content='5; url=@'>",
    "<meta http-equiv='Refresh' content='0,@'>",
    "<meta content='5; url=k'>",
    "<a title='k' name='k'>k</a>",
    "<!-- <a href='k'></a> -->",
};

/* Links of each markup, written as an @, and what is none. */
static const char *const down[] = {
    "[k](@)",	  "![k](@ 'k')",  "<@>",       "[k]",          "*k* [k](<@>) ",	 "\n\n- [k](@)\n", "`[k](k)`",
    "\\[k](k) ", "\n\n> [k](@)\n", "[![k](@)](@)", "\n\n```\n<k>\n```\n", "[k] (k)", "\n\n| a |\n|---|\n| [k](@) |\n\n"};
static const char *const asciidoc[] = {" @[k] ",	 " link:@[k]",	 "\nimage::@[k]\n", " image:@[]", " link:++@++[k]",
				       " link:@[k,a=b]", " \\link:k[k]", " unlink:k[k]",	 " @[k^]",     " link: k[k]"};
static const char *const bbcode[] = {"[url]@[/url]",	   "[url=@]k[/url]", "[url=\"@\"]k[/url]", "[img]@[/img]", "[URL= @ ]k[/URL]",
				     "[code][url]k[/url][/code]", "[urls]k[/urls]", "[img=1x1]@[/img]"};
static const char *const slack[] = {"<@>", " <@|k>", "<!here>", "<#C1|k>", " k < k ", "<@|k k>", " <> "};

static const struct {
	const char *const *part;
	uint32_t count;
} parts_of[FORMS + 1] = {[DOWN] = {down, COUNT(down)},
			 [ASCIIDOC] = {asciidoc, COUNT(asciidoc)},
			 [BBCODE] = {bbcode, COUNT(bbcode)},
			 [SLACK] = {slack, COUNT(slack)},
			 [FORMS] = {elements, COUNT(elements)}};

/* Adds parts with numbered URLs. Returns how many URLs there are, and where each begins. */
static uint32_t add_parts(struct builder *b, struct dice *d, unsigned form, size_t at[64])
{
	uint32_t count = 0;
	for (uint32_t k = 1 + below(d, 8); k > 0; k--)
		for (const char *octet = parts_of[form].part[below(d, parts_of[form].count)]; *octet != '\0'; octet++) {
			char url[32];
			const int length = snprintf(url, sizeof url, "https://k.org/%s%02u", *octet == '@' ? "1" : "\\000031", count);
			if (*octet != '@' && *octet != '%') {
				add(b, octet, 1);
				continue;
			}
			at[count++] = b->length;
			add(b, url, (size_t)length);
		}
	return count;
}

/* Each URL of a document is found, in order and where it stands, and nothing else. `m` is NULL for
 * HTML as it is. */
static void expect_found(struct builder *b, const struct markup_html *m, uint32_t count, const size_t at[64])
{
	const struct octets text = {(const uint8_t *)b->text, b->length};
	struct html_budget budget = {0};
	struct html html;
	if (!html_read(&html, m == NULL ? text : (struct octets){m->html, m->length}, &budget, "html"))
		abort();
	for (uint32_t k = 0; k < html.links && m != NULL; k++)
		html.link[k].offset = markup_offset(m, html.link[k].offset);
	html_sort(&html);
	for (uint32_t k = 0; k < html.links && k < count; k++) {
		char url[32];
		const struct octets found = html.link[k].text;
		const int length = snprintf(url, sizeof url, "https://k.org/1%02u", k);
		const bool is_url = same(found.data, found.length, url, (size_t)length);
		if (!is_url)
			fprintf(stderr, "%.*s\n", (int)b->length, b->text);
		oracle(is_url, "a URL of a document is found");
		/* of a list of images, the attribute has the place */
		oracle(m == NULL ? html.link[k].offset <= at[k] : html.link[k].offset == at[k], "a URL is found where it stands");
	}
	if (html.links != count)
		fprintf(stderr, "%u links, %u URLs: %.*s\n", (unsigned)html.links, count, (int)b->length, b->text);
	oracle(html.links == count, "every URL of a document is found, and nothing else");
	html_free(&html);
}

static void expect_document(struct dice *d, bool reads_markdown)
{
	char text[8192];
	size_t at[64];
	struct builder b = {text, 0};
	struct markup_html m;
	const unsigned form = reads_markdown && below(d, 16) == 0 ? DOWN : 1 + below(d, FORMS);
	const uint32_t count = add_parts(&b, d, form, at);
	if (form == FORMS) {
		expect_found(&b, NULL, count, at);
		return;
	}
	oracle(markup_open(&m, (struct octets){(const uint8_t *)text, b.length}), "there is memory");
	if (form == DOWN)
		oracle(markdown_convert(&m, "text"), "short Markdown is read in time");
	else
		(form == ASCIIDOC ? asciidoc_convert : form == BBCODE ? bbcode_convert : slack_convert)(&m);
	expect_found(&b, &m, count, at);
	markup_close(&m);
}

/* ---- Texts as people see them ----------------------------------------------------------------- */

/* Reverses the runs of at least this level. */
static void reverse_runs(uint32_t *point, uint8_t *levels, size_t count, unsigned level)
{
	for (size_t from = 0, to; from < count; from = to + 1) {
		for (to = from; to < count && levels[to] >= level; to++)
			continue;
		for (size_t a = from, b = to; a + 1 < b; a++, b--) {
			const uint32_t octet = point[a];
			const uint8_t of = levels[a];
			point[a] = point[b - 1];
			levels[a] = levels[b - 1];
			point[b - 1] = octet;
			levels[b - 1] = of;
		}
	}
}

/* Returns the direction of a letter or digit that neutrals beside it take: 1 from right to left. */
static unsigned side_of(char kind)
{
	return kind != 'L';
}

/* A text in a paragraph of that direction. Its kinds: letters, marks and dots of both directions (T: Arabic), digits (A: Arabic),
 * neutral characters (:, - and white space). */
struct line {
	uint32_t point[SEEN_TEXT_MOST];
	char kind[SEEN_TEXT_MOST];
	size_t count;
	unsigned base;
};

static void make_line(struct dice *d, struct line *line)
{
	static const uint32_t points[] = {'a', 'z', 0x200F, 0x200F, 0x0701, 0x0702, '1', '7', '2', '9', ':', ' ', ' ', '-'};
	static const char kinds[] = "LLRRTTEEEE:  -";
	line->base = below(d, 2);
	line->count = below(d, 40);
	for (size_t k = 0; k < line->count; k++) {
		const uint32_t which = below(d, COUNT(points));
		line->point[k] = points[which];
		line->kind[k] = kinds[which];
	}
}

/* W2 to W4 and W7. */
static void resolve_line(struct line *line)
{
	char *kind = line->kind, strong = line->base == 0 ? 'L' : 'R';
	for (size_t k = 0; k < line->count; k++) {
		strong = memchr("LRT", kind[k], 3) != NULL ? kind[k] : strong;
		if (kind[k] == 'E' && strong == 'T')
			kind[k] = 'A';
	}
	for (size_t k = 1; k + 1 < line->count; k++)
		if (kind[k - 1] == kind[k + 1] && ((kind[k] == ':' && kind[k - 1] == 'A') ||
						   ((kind[k] == ':' || kind[k] == '-') && kind[k - 1] == 'E')))
			kind[k] = kind[k - 1];
	strong = line->base == 0 ? 'L' : 'R';
	for (size_t k = 0; k < line->count; k++) {
		kind[k] = kind[k] == ':' || kind[k] == '-' ? ' ' : kind[k] == 'T' ? 'R' : kind[k];
		strong = kind[k] == 'L' || kind[k] == 'R' ? kind[k] : strong;
		if (kind[k] == 'E' && strong == 'L')
			kind[k] = 'L';
	}
}

/* Puts the points into the order of UAX 9: W2 to W4, W7, N1, N2, I1, I2, L1 and L2. */
static void order_line(struct line *line)
{
	uint8_t levels[SEEN_TEXT_MOST];
	const char *kind = line->kind;
	const unsigned base = line->base;
	resolve_line(line);
	for (size_t k = 0; k < line->count; k++) {
		size_t before = k, after = k;
		while (before > 0 && kind[before - 1] == ' ')
			before--;
		while (after < line->count && kind[after] == ' ')
			after++;
		const unsigned left = before > 0 ? side_of(kind[before - 1]) : base,
			       right = after < line->count ? side_of(kind[after]) : base;
		const unsigned side = kind[k] != ' ' ? side_of(kind[k]) : left == right ? left : base;
		levels[k] = (uint8_t)(kind[k] == 'E' || kind[k] == 'A' ? 2 : side == base ? base : base + 1);
		if (kind[k] == ' ' && after == line->count)
			levels[k] = (uint8_t)base;
	}
	for (unsigned level = 2; level > 0; level--)
		reverse_runs(line->point, levels, line->count, level);
}

/* Orders a text with an isolate in it, which for the text around it is one neutral character. Marks are not seen. */
static void expect_order(struct dice *d)
{
	struct line around, inside;
	uint32_t seen[SEEN_TEXT_MOST], want[SEEN_TEXT_MOST];
	size_t count = 0, wanted = 0, shown = 0;
	make_line(d, &around);
	make_line(d, &inside);
	const size_t at = below(d, (uint32_t)around.count + 1);
	uint32_t mark = 0x2066 + inside.base;
	if (below(d, 2) == 0) { /* its first letter gives the direction: P2, P3 */
		mark = 0x2068;
		inside.base = 0;
		for (size_t k = inside.count; k > 0; k--)
			if (memchr("LRT", inside.kind[k - 1], 3) != NULL)
				inside.base = side_of(inside.kind[k - 1]);
	}
	for (size_t k = 0; k <= around.count; k++) {
		if (k == at) {
			seen[count++] = mark;
			memcpy(seen + count, inside.point, inside.count * sizeof *seen);
			count += inside.count;
			if (k < around.count || below(d, 2) == 0)
				seen[count++] = 0x2069;
		}
		if (k < around.count)
			seen[count++] = around.point[k];
	}
	memmove(around.point + at + 1, around.point + at, (around.count - at) * sizeof *seen);
	memmove(around.kind + at + 1, around.kind + at, around.count - at);
	around.point[at] = mark;
	around.kind[at] = ' ';
	around.count++;
	order_line(&around);
	order_line(&inside);
	for (size_t k = 0; k < around.count; k++) {
		const bool is_isolate = around.point[k] == mark;
		memcpy(want + wanted, is_isolate ? inside.point : around.point + k, (is_isolate ? inside.count : 1) * sizeof *want);
		wanted += is_isolate ? inside.count : 1;
	}
	for (size_t k = 0; k < wanted; k++)
		if (want[k] != 0x200F)
			want[shown++] = want[k];
	if (display_order(seen, &count, around.base == 1)) /* the library is there */
		oracle(count == shown && memcmp(seen, want, shown * sizeof *seen) == 0, "a text is seen in the order of UAX 9");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static int reads_html = -1, reads_markdown = -1;
	struct markup_html m;
	const unsigned form = length > 0 ? form_of(data[0]) : DOWN;
	const struct octets source = {length > 0 ? data + 1 : data, length > 0 ? length - 1 : 0};
	struct dice d = dice_of(data, length);
	uint8_t *copy;
	if (!IS_MSAN)
		expect_order(&d);
	if (has_library(html_is_built, &reads_html))
		expect_document(&d, has_library(markdown_is_built, &reads_markdown));
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
