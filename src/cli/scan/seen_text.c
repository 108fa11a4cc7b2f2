/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how a text looks: folds look-alikes of ASCII (UTS 39).
 *
 * The table has letters of which readers see no difference, in both cases, and what separates the
 * parts of a URL. The library's rules ask which names are similar: they fold more letters, such as
 * those with accents, and lower case only. */
#include "cli/scan/seen_text.h"
#include "cli/records/names.h"

/* Runs of characters that look like runs of ASCII. */
static const struct {
	uint32_t first;
	uint32_t last;
	uint32_t ascii;
	uint32_t period; /* the run repeats after this number; 0: it does not */
} runs[] = {
    {0xFF01, 0xFF5E, '!', 0}, /* full-width */
    {0x24B6, 0x24CF, 'A', 0}, /* circled */
    {0x24D0, 0x24E9, 'a', 0},
    {0x1D7CE, 0x1D7FF, '0', 10}, /* mathematical digits */
};

/* Single characters, each before its ASCII. Letters are those of which readers see no difference. */
static const struct {
	uint16_t point;
	char ascii;
} singles[] = {
    {0x2024, '.'}, {0x3002, '.'}, {0xFE52, '.'}, {0xFF61, '.'}, {0xA4F8, '.'}, {0x0701, '.'},
    {0x0702, '.'}, {0x2044, '/'}, {0x2215, '/'}, {0x29F8, '/'}, {0x2571, '/'}, {0x2236, ':'},
    {0xA789, ':'}, {0xFE55, ':'}, {0x02D0, ':'}, {0xFE6B, '@'}, {0x2010, '-'}, {0x2011, '-'},
    {0x2012, '-'}, {0x2212, '-'}, {0xFE63, '-'}, {0x0430, 'a'}, {0x0410, 'A'}, {0x0435, 'e'},
    {0x0415, 'E'}, {0x043E, 'o'}, {0x041E, 'O'}, {0x0440, 'p'}, {0x0420, 'P'}, {0x0441, 'c'},
    {0x0421, 'C'}, {0x0443, 'y'}, {0x0423, 'Y'}, {0x0445, 'x'}, {0x0425, 'X'}, {0x0456, 'i'},
    {0x0406, 'I'}, {0x0458, 'j'}, {0x0408, 'J'}, {0x0455, 's'}, {0x0405, 'S'}, {0x0501, 'd'},
    {0x04BB, 'h'}, {0x04CF, 'l'}, {0x04C0, 'l'}, {0x051B, 'q'}, {0x051D, 'w'}, {0x0475, 'v'},
    {0x0412, 'B'}, {0x041A, 'K'}, {0x041C, 'M'}, {0x041D, 'H'}, {0x0422, 'T'}, {0x03BF, 'o'},
    {0x039F, 'O'}, {0x03BD, 'v'}, {0x03C1, 'p'}, {0x03B1, 'a'}, {0x03B9, 'i'}, {0x0391, 'A'},
    {0x0392, 'B'}, {0x0395, 'E'}, {0x0396, 'Z'}, {0x0397, 'H'}, {0x0399, 'I'}, {0x039A, 'K'},
    {0x039C, 'M'}, {0x039D, 'N'}, {0x03A1, 'P'}, {0x03A4, 'T'}, {0x03A5, 'Y'}, {0x03A7, 'X'},
    {0x0585, 'o'}, {0x057D, 'u'}, {0x0578, 'n'}, {0x0581, 'g'}, {0x0570, 'h'}, {0x0131, 'i'},
    {0x0261, 'g'}, {0x0251, 'a'}, {0x01C0, 'l'}, {0x217C, 'l'}, {0x2170, 'i'}, {0x2113, 'l'},
};

static uint32_t ascii_of(uint32_t point)
{
	if (point < 0x80)
		return point;
	if (point >= 0x1D400 && point <= 0x1D6A3) /* mathematical letters */
		return (point - 0x1D400) % 52 < 26 ? 'A' + (point - 0x1D400) % 52
						   : 'a' + (point - 0x1D400) % 52 - 26;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		const uint32_t at = point - runs[i].first;

		if (point >= runs[i].first && point <= runs[i].last)
			return runs[i].ascii + (runs[i].period > 0 ? at % runs[i].period : at);
	}
	for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
		if (point == singles[i].point)
			return (uint8_t)singles[i].ascii;
	}
	return point;
}

/* Reads a character of UTF-8 at *at and moves *at behind it. */
static uint32_t next_point(struct octets text, size_t *at)
{
	struct octets rest = text_after(text, *at);
	const uint32_t point = take_point(&rest);

	*at = (size_t)(rest.data - text.data);
	return point;
}

static bool is_in(uint8_t octet, char least, char most)
{
	return octet >= least && octet <= most;
}

/* Returns true if the order in which the characters are seen is that in which they stand, or they are
 * words in any order. From right to left, what is before the first letter, or after the last letter
 * and its digits, moves to the other side. */
static bool is_in_order(const uint32_t *point, size_t count, bool right_to_left)
{
	uint8_t first = 0, last = 0;
	bool has_letters = false, has_marks = false, has_others = false;

	for (size_t i = 0; i < count; i++) {
		if (is_direction_control(point[i]) || point[i] == 0x0701 || point[i] == 0x0702)
			return false;
		if (!is_displayed(point[i]))
			continue;
		last = (uint8_t)ascii_of(point[i]);
		first = first == 0 ? last : first;
		has_letters = has_letters || is_in(lower_case(last), 'a', 'z');
		has_marks = has_marks || is_one_of(last, ".:/\\%");
		has_others = has_others || !is_in(last, '0', '9');
	}
	return !right_to_left || (has_letters ? !has_marks : !has_others) ||
	       (is_in(lower_case(first), 'a', 'z') &&
		(is_in(lower_case(last), 'a', 'z') || is_in(last, '0', '9')));
}

bool seen_text(uint8_t out[SEEN_TEXT_MOST], size_t *length, struct octets text, bool right_to_left)
{
	uint32_t point[SEEN_TEXT_MOST];
	size_t count = 0;
	size_t at = 0;

	*length = 0;
	if (text.length > SEEN_TEXT_MOST)
		text.length = SEEN_TEXT_MOST;
	while (at < text.length) {
		point[count] = next_point(text, &at);
		if (is_displayed(point[count]) && ascii_of(point[count]) >= 0x80)
			return true;
		count++;
	}
	if (!is_in_order(point, count, right_to_left) &&
	    !display_order(point, &count, right_to_left))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (is_displayed(point[i]))
			out[(*length)++] = (uint8_t)ascii_of(point[i]);
	}
	return true;
}

size_t text_without_controls(uint8_t out[SEEN_TEXT_MOST], struct octets text)
{
	size_t length = 0;
	size_t at = 0;

	if (text.length > SEEN_TEXT_MOST)
		text.length = SEEN_TEXT_MOST;
	while (at < text.length) {
		size_t next = at;

		if (!is_direction_control(next_point(text, &next))) {
			memcpy(out + length, text.data + at, next - at);
			length += next - at;
		}
		at = next;
	}
	return length;
}

/* ---- Invisible characters ------------------------------------------------------------------ */

/* Single joiners belong to Persian and Indic words and to emoji, single marks to text from right to
 * left, and isolates to names in chats: they are not reported. */
#define BLACK_FLAG 0x1F3F4u
#define CANCEL_TAG 0xE007Fu
/* Maximum tags of a flag: a region of ISO 3166-2 and the end (UTS 51, ED-14a). */
#define FLAG_TAGS 7u

enum hidden { HIDDEN_NONE = 0, HIDDEN_ALONE, HIDDEN_IN_RUNS };

static const struct {
	uint32_t first;
	uint32_t last;
	enum hidden hidden;
} hidden_points[] = {
    {0x00AD, 0x00AD, HIDDEN_IN_RUNS}, {0x034F, 0x034F, HIDDEN_IN_RUNS},
    {0x180E, 0x180E, HIDDEN_IN_RUNS}, {0x200B, 0x200F, HIDDEN_IN_RUNS},
    {0x202A, 0x202B, HIDDEN_ALONE},   {0x202D, 0x202E, HIDDEN_ALONE},
    {0x2060, 0x2064, HIDDEN_IN_RUNS}, {0x2066, 0x2067, HIDDEN_ALONE},
    {0xFE00, 0xFE0D, HIDDEN_IN_RUNS}, {0xFEFF, 0xFEFF, HIDDEN_IN_RUNS},
    {0xE0000, 0xE007F, HIDDEN_ALONE}, {0xE0100, 0xE01EF, HIDDEN_IN_RUNS},
};

static enum hidden hidden_of(uint32_t point)
{
	for (size_t i = 0; i < sizeof hidden_points / sizeof hidden_points[0]; i++) {
		if (point >= hidden_points[i].first && point <= hidden_points[i].last)
			return hidden_points[i].hidden;
	}
	return HIDDEN_NONE;
}

static bool is_tag(uint32_t point)
{
	return point >= 0xE0020 && point <= CANCEL_TAG;
}

/* Returns the end of the flag whose tags begin at `at`, or `at` if they do not end as those of a
 * flag. */
static size_t flag_end(struct octets text, size_t at)
{
	size_t next = at;

	for (unsigned tags = 0; tags < FLAG_TAGS && next < text.length; tags++) {
		const uint32_t point = next_point(text, &next);

		if (point == CANCEL_TAG)
			return next;
		if (!is_tag(point))
			return at;
	}
	return at;
}

/* Returns the start of the text before a URL that is searched: in its line, and not in the tags of a
 * flag. */
static size_t near_start(struct octets text, size_t begin)
{
	const size_t least = begin > HIDDEN_TEXT_NEAR ? begin - HIDDEN_TEXT_NEAR : 0;
	size_t at = begin;

	while (at > least && text.data[at - 1] != '\n')
		at--;
	if (at > least || at == 0)
		return at;
	while (at < begin && (text.data[at] & 0xC0) == 0x80)
		at++;
	for (size_t tags = 0; tags < FLAG_TAGS && at < begin; tags++) {
		size_t next = at;

		if (!is_tag(next_point(text, &next)))
			return at;
		at = next;
	}
	return at;
}

static size_t near_end(struct octets text, size_t end)
{
	const size_t most =
	    text.length - end > HIDDEN_TEXT_NEAR ? end + HIDDEN_TEXT_NEAR : text.length;

	while (end < most && text.data[end] != '\n')
		end++;
	return end;
}

bool hidden_text_find(struct octets text, size_t begin, size_t end, size_t *offset)
{
	const struct octets near = {text.data, near_end(text, end)};
	size_t at = near_start(text, begin);
	size_t run = 0; /* invisible characters in a row */

	while (at < near.length) {
		size_t next = at;
		const uint32_t point = next_point(near, &next);
		const enum hidden hidden = hidden_of(point);

		if (run == 0)
			*offset = at;
		run = hidden != HIDDEN_NONE ? run + 1 : 0;
		if (hidden == HIDDEN_ALONE || run == 2)
			return true;
		at = point == BLACK_FLAG ? flag_end(near, next) : next;
	}
	return false;
}
