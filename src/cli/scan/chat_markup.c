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

/* A part of the text. */
struct part {
	size_t begin;
	size_t end;
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

/* Converts the text before a link as text. */
static void take_text(struct reader *reader, size_t end)
{
	if (end > reader->done)
		markup_put_text(reader->markup, reader->done, end - reader->done);
	if (end > reader->done)
		reader->done = end;
}

static void take_link(struct reader *reader, size_t begin, size_t end, struct part target,
		      struct part words)
{
	take_text(reader, begin);
	markup_open_link(reader->markup, target.begin, target.end - target.begin);
	if (words.end > words.begin)
		markup_put_text(reader->markup, words.begin, words.end - words.begin);
	markup_close_link(reader->markup);
	reader->done = end;
}

static void take_image(struct reader *reader, size_t begin, size_t end, struct part target)
{
	take_text(reader, begin);
	markup_put_image(reader->markup, target.begin, target.end - target.begin);
	reader->done = end;
}

static struct part trimmed(struct octets text, struct part part)
{
	while (part.begin < part.end && is_blank(text.data[part.begin]))
		part.begin++;
	while (part.end > part.begin && is_blank(text.data[part.end - 1]))
		part.end--;
	return part;
}

/* ---- BBCode ------------------------------------------------------------------------------- */

/* A tag: "[url]", "[url=target]" or "[url target]". */
struct bbcode_tag {
	struct part value; /* after the "=" */
	size_t end;        /* after the "]" */
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
	*tag = (struct bbcode_tag){{after + 1, close}, close + 1, text.data[after] == '='};
	if (tag->has_value) {
		tag->value = trimmed(text, tag->value);
		if (tag->value.end - tag->value.begin >= 2 &&
		    (text.data[tag->value.begin] == '"' || text.data[tag->value.begin] == '\'') &&
		    text.data[tag->value.end - 1] == text.data[tag->value.begin]) {
			tag->value.begin++;
			tag->value.end--;
		}
	}
	return true;
}

/* Converts "[url]target[/url]" and "[url=target]text[/url]"; without the closing tag nothing. */
static bool take_bbcode_link(struct reader *reader, size_t at)
{
	const struct octets text = reader->text;
	struct bbcode_tag tag;
	struct part inside;
	size_t close;

	if (!read_tag(reader, at, "[url", &tag))
		return false;
	close = find_end(reader, END_URL, tag.end, WORDS_MOST);
	if (close == text.length)
		return false;
	inside = (struct part){tag.end, close};
	take_link(reader, at, close + 6, tag.has_value ? tag.value : trimmed(text, inside), inside);
	return true;
}

static bool take_bbcode_image(struct reader *reader, size_t at)
{
	const struct octets text = reader->text;
	struct bbcode_tag tag;
	size_t close;

	if (!read_tag(reader, at, "[img", &tag))
		return false;
	close = find_end(reader, END_IMAGE, tag.end, TARGET_MOST);
	if (close == text.length)
		return false;
	take_image(reader, at, close + 6, trimmed(text, (struct part){tag.end, close}));
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

	while ((at = find_octet(reader.text, at, '[', SIZE_MAX)) < reader.text.length) {
		if (take_bbcode_link(&reader, at) || take_bbcode_image(&reader, at) ||
		    skip_bbcode_code(&reader, at))
			at = reader.done;
		else
			at++;
	}
	take_text(&reader, reader.text.length);
}

/* ---- Slack ----------------------------------------------------------------------------------- */

/* Converts "<target>" and "<target|text>". Mentions, as "<@U1>", are no links. */
static bool take_slack_link(struct reader *reader, size_t at)
{
	const struct octets text = reader->text;
	const size_t close = find_end(reader, END_ANGLE, at, TARGET_MOST + WORDS_MOST);
	struct part target = {at + 1, close};
	struct part words = {close, close};
	size_t bar;

	if (close == text.length || close == at + 1 ||
	    find_octet(text, at + 1, '<', close - at - 1) < close)
		return false;
	if (strchr("@#!", text.data[at + 1]) != NULL && text.data[at + 1] != '\0') {
		take_text(reader, at);
		reader->done = close + 1;
		return true;
	}
	bar = find_octet(text, at + 1, '|', close - at - 1);
	if (bar < close) {
		target.end = bar;
		words.begin = bar + 1;
	} else {
		words = target;
	}
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
static size_t asciidoc_target(struct reader *reader, size_t at, struct part *target)
{
	const struct octets text = reader->text;

	if (text_has_at(text, at, "++")) {
		const size_t close = find_end(reader, END_PLUS, at + 2, TARGET_MOST);

		*target = (struct part){at + 2, close};
		return close < text.length ? close + 2 : close;
	}
	*target = (struct part){at, find_end(reader, END_TARGET, at, TARGET_MOST)};
	return target->end < text.length && text.data[target->end] == '[' ? target->end
									  : text.length;
}

/* Returns the text of a macro without its named attributes: "text,window=_blank". */
static struct part asciidoc_words(struct octets text, struct part words)
{
	if (words.end > words.begin && text.data[words.begin] == '"') {
		const size_t quote =
		    find_octet(text, words.begin + 1, '"', words.end - words.begin - 1);

		if (quote < words.end)
			return (struct part){words.begin + 1, quote};
	}
	if (find_octet(text, words.begin, '=', words.end - words.begin) < words.end)
		words.end = find_octet(text, words.begin, ',', words.end - words.begin);
	else if (words.end > words.begin && text.data[words.end - 1] == '^')
		words.end--;
	return words;
}

static bool take_macro(struct reader *reader, size_t at, size_t which)
{
	const struct octets text = reader->text;
	struct part target;
	size_t open = asciidoc_target(reader, at + macros[which].dropped, &target);
	size_t close;

	if (open == text.length || target.end == target.begin)
		return false;
	close = find_end(reader, END_BRACKET, open, WORDS_MOST);
	if (close == text.length)
		return false;
	if (macros[which].is_image) {
		take_image(reader, at, close + 1, target);
	} else {
		struct part words = {open + 1, close};

		words = asciidoc_words(text, words);
		if (words.end > close)
			words.end = close;
		take_link(reader, at, close + 1, target, words.end > words.begin ? words : target);
	}
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

	while (at < reader.text.length) {
		if (may_be_macro(reader.text, at) && take_asciidoc_link(&reader, at))
			at = reader.done;
		else
			at++;
	}
	take_text(&reader, reader.text.length);
}
