/* SPDX-License-Identifier: Apache-2.0 */
/* Reads BBCode, the markup of Slack and AsciiDoc, as far as links need it. Time is linear: each
 * search for the end of a link remembers what it found, for the next one. */
#include "cli/scan/markup.h"

/* Maximum octets of a link: its target, and its text. */
#define TARGET_MOST 8192u
#define WORDS_MOST  4096u

/* What may end a link. Names the words in `ends`. */
enum end { END_URL = 0, END_IMAGE, END_CODE, END_PLUS, END_BRACKET, END_ANGLE, END_TARGET, ENDS };

static const char
    *const ends[ENDS] =
	{
	    [END_URL] = "[/url]", [END_IMAGE] = "[/img]", [END_CODE] = "[/code]",
	    [END_PLUS] = "++[",   [END_BRACKET] = "]",    [END_ANGLE] = ">",
	    [END_TARGET] = NULL, /* white space, brackets and quotes */
};

/* A text that is read, and the offset of what is not converted yet. */
struct reader {
	struct markup_html *markup;
	struct octets text;
	size_t done;
	struct {
		size_t from;
		size_t at; /* the first from `from` on */
		bool known;
	} next[ENDS];
};

static bool is_blank(uint8_t octet)
{
	return octet <= ' ' || octet == 0x7F;
}

/* Returns the offset of the octet from `at` on, within `most` octets; text.length if there is
 * none. */
static size_t find_octet(struct octets text, size_t at, uint8_t octet, size_t most)
{
	const size_t end = text.length - at > most ? at + most : text.length;
	const uint8_t *found = at < end ? memchr(text.data + at, octet, end - at) : NULL;

	return found != NULL ? (size_t)(found - text.data) : text.length;
}

static bool is_end(struct octets text, size_t at, enum end end)
{
	if (end != END_TARGET)
		return text_has_at(text, at, ends[end]);
	return is_blank(text.data[at]) || strchr("[]<>\"", text.data[at]) != NULL;
}

/* Returns the offset of the next end from `at` on, within `most` octets; text.length if there is
 * none. Searches from growing offsets take linear time together. */
static size_t find_end(struct reader *reader, enum end end, size_t at, size_t most)
{
	const struct octets text = reader->text;

	if (!reader->next[end].known || reader->next[end].from > at || reader->next[end].at < at) {
		size_t found = at;

		while (found < text.length && !is_end(text, found, end))
			found++;
		reader->next[end].from = at;
		reader->next[end].at = found;
		reader->next[end].known = true;
	}
	return reader->next[end].at - at <= most ? reader->next[end].at : text.length;
}

/* Returns the text from `begin` to `end`. */
static struct octets between(const struct reader *reader, size_t begin, size_t end)
{
	return text_at(reader->text.data + begin, end - begin);
}

/* Converts the text before a link as text. */
static void take_text(struct reader *reader, size_t end)
{
	if (end <= reader->done)
		return;
	markup_put_text(reader->markup, between(reader, reader->done, end), false);
	reader->done = end;
}

static void take_link(struct reader *reader, size_t begin, size_t end, struct octets target,
		      struct octets words)
{
	take_text(reader, begin);
	markup_open_link(reader->markup, target);
	if (words.length > 0)
		markup_put_text(reader->markup, words, false);
	markup_close_link(reader->markup);
	reader->done = end;
}

static void take_image(struct reader *reader, size_t begin, size_t end, struct octets target)
{
	take_text(reader, begin);
	markup_put_image(reader->markup, target);
	reader->done = end;
}

static struct octets trimmed(struct octets text)
{
	while (text.length > 0 && is_blank(text.data[0]))
		text = text_after(text, 1);
	while (text.length > 0 && is_blank(text.data[text.length - 1]))
		text.length--;
	return text;
}

/* ---- BBCode ------------------------------------------------------------------------------- */

/* A tag: "[url]", "[url=target]" or "[url target]". */
struct bbcode_tag {
	struct octets value; /* after the "=" */
	size_t end;          /* after the "]" */
	bool has_value;
};

/* Reads a tag of this name. Returns false if there is none. */
static bool read_tag(struct reader *reader, size_t at, const char *name, struct bbcode_tag *tag)
{
	const struct octets text = reader->text;
	const size_t after = at + strlen(name);
	size_t close;

	if (!text_has_at(text, at, name) || after >= text.length ||
	    strchr("]= ", text.data[after]) == NULL || text.data[after] == '\0')
		return false;
	close = find_end(reader, END_BRACKET, after, TARGET_MOST);
	if (close == text.length)
		return false;
	*tag = (struct bbcode_tag){trimmed(between(reader, after + (close > after), close)),
				   close + 1, text.data[after] == '='};
	if (tag->value.length >= 2 && is_one_of(tag->value.data[0], "\"'") &&
	    tag->value.data[tag->value.length - 1] == tag->value.data[0])
		tag->value = text_at(tag->value.data + 1, tag->value.length - 2);
	return true;
}

/* Converts "[url]target[/url]", "[url=target]text[/url]" and "[img]target[/img]"; without the closing
 * tag nothing. */
static bool take_bbcode(struct reader *reader, size_t at, bool image)
{
	struct bbcode_tag tag;
	struct octets inside;
	size_t close;

	if (!read_tag(reader, at, image ? "[img" : "[url", &tag))
		return false;
	close = find_end(reader, image ? END_IMAGE : END_URL, tag.end,
			 image ? TARGET_MOST : WORDS_MOST);
	if (close == reader->text.length)
		return false;
	inside = between(reader, tag.end, close);
	if (image)
		take_image(reader, at, close + 6, trimmed(inside));
	else
		take_link(reader, at, close + 6, tag.has_value ? tag.value : trimmed(inside),
			  inside);
	return true;
}

/* Skips "[code]", in which there are no links. */
static bool skip_bbcode_code(struct reader *reader, size_t at)
{
	size_t close;

	if (!text_has_at(reader->text, at, "[code]"))
		return false;
	close = find_end(reader, END_CODE, at, SIZE_MAX);
	if (close == reader->text.length)
		return false;
	take_text(reader, at);
	reader->done = close + 7;
	return true;
}

void bbcode_convert(struct markup_html *markup)
{
	struct reader reader = {.markup = markup, .text = markup->source};
	size_t at = 0;

	while ((at = find_octet(reader.text, at, '[', SIZE_MAX)) < reader.text.length)
		at = take_bbcode(&reader, at, false) || take_bbcode(&reader, at, true) ||
			     skip_bbcode_code(&reader, at)
			 ? reader.done
			 : at + 1;
	take_text(&reader, reader.text.length);
}

/* ---- Slack ----------------------------------------------------------------------------------- */

/* Converts "<target>" and "<target|text>". Mentions, as "<@U1>", are no links. */
static bool take_slack_link(struct reader *reader, size_t at)
{
	const struct octets text = reader->text;
	const size_t close = find_end(reader, END_ANGLE, at, TARGET_MOST + WORDS_MOST);
	struct octets target, words;
	size_t bar;

	if (close == text.length || close == at + 1 ||
	    find_octet(text, at + 1, '<', close - at - 1) < close)
		return false;
	if (is_one_of(text.data[at + 1], "@#!")) {
		take_text(reader, at);
		reader->done = close + 1;
		return true;
	}
	bar = find_octet(text, at + 1, '|', close - at - 1);
	target = between(reader, at + 1, bar < close ? bar : close);
	words = bar < close ? between(reader, bar + 1, close) : target;
	take_link(reader, at, close + 1, target, words);
	return true;
}

void slack_convert(struct markup_html *markup)
{
	struct reader reader = {.markup = markup, .text = markup->source};
	size_t at = 0;

	markup->has_references = true;
	while ((at = find_octet(reader.text, at, '<', SIZE_MAX)) < reader.text.length)
		at = take_slack_link(&reader, at) ? reader.done : at + 1;
	take_text(&reader, reader.text.length);
}

/* ---- AsciiDoc ---------------------------------------------------------------------------------- */

/* Words that begin a macro with a target, and how many of their octets are not a part of it. */
static const struct {
	const char *word;
	size_t dropped;
	bool is_image;
} macros[] = {
    {"link:", 5, false},  {"image::", 7, true},   {"image:", 6, true},   {"video::", 7, true},
    {"audio::", 7, true}, {"https://", 0, false}, {"http://", 0, false}, {"ftp://", 0, false},
    {"irc://", 0, false}, {"mailto:", 0, false},
};

/* Returns the end of the target at `at`, which has no white space: the "[" of its text; text.length
 * if there is none. A target between "++" may contain brackets. */
static size_t asciidoc_target(struct reader *reader, size_t at, struct octets *target)
{
	const struct octets text = reader->text;
	size_t end;

	if (text_has_at(text, at, "++")) {
		end = find_end(reader, END_PLUS, at + 2, TARGET_MOST);
		*target = between(reader, at + 2, end);
		return end < text.length ? end + 2 : end;
	}
	end = find_end(reader, END_TARGET, at, TARGET_MOST);
	*target = between(reader, at, end);
	return end < text.length && text.data[end] == '[' ? end : text.length;
}

/* Returns the text of a macro without its named attributes: "text,window=_blank". */
static struct octets asciidoc_words(struct octets words)
{
	size_t end = words.length;

	if (words.length > 0 && words.data[0] == '"') {
		const struct octets quoted = text_after(words, 1);
		const size_t quote = find_octet(quoted, 0, '"', SIZE_MAX);

		if (quote < quoted.length)
			return text_at(quoted.data, quote);
	}
	if (find_octet(words, 0, '=', SIZE_MAX) < words.length)
		end = find_octet(words, 0, ',', SIZE_MAX);
	else if (words.length > 0 && words.data[words.length - 1] == '^')
		end--;
	return text_at(words.data, end);
}

static bool take_macro(struct reader *reader, size_t at, size_t which)
{
	const struct octets text = reader->text;
	struct octets target, words;
	size_t open = asciidoc_target(reader, at + macros[which].dropped, &target);
	size_t close;

	if (open == text.length || target.length == 0)
		return false;
	close = find_end(reader, END_BRACKET, open, WORDS_MOST);
	if (close == text.length)
		return false;
	words = asciidoc_words(between(reader, open + 1, close));
	if (macros[which].is_image)
		take_image(reader, at, close + 1, target);
	else
		take_link(reader, at, close + 1, target, words.length > 0 ? words : target);
	return true;
}

/* Returns true if a macro may begin here: not inside a word, and not after a backslash. */
static bool may_be_macro(struct octets text, size_t at)
{
	const uint8_t before = at > 0 ? text.data[at - 1] : ' ';

	return before != '\\' && !(before >= '0' && before <= '9') && before < 0x80 &&
	       !((before | 0x20) >= 'a' && (before | 0x20) <= 'z');
}

static bool take_asciidoc_link(struct reader *reader, size_t at)
{
	for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++) {
		if (text_has_at(reader->text, at, macros[i].word))
			return take_macro(reader, at, i);
	}
	return false;
}

void asciidoc_convert(struct markup_html *markup)
{
	struct reader reader = {.markup = markup, .text = markup->source};
	size_t at = 0;

	while (at < reader.text.length)
		at = may_be_macro(reader.text, at) && take_asciidoc_link(&reader, at) ? reader.done
										      : at + 1;
	take_text(&reader, reader.text.length);
}
