/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how a text looks: folds look-alikes of ASCII (UTS 39).
 *
 * The table has letters of which readers see no difference, in both cases, and what separates the
 * parts of a URL. The library's rules ask which names are similar: they fold more letters, such as
 * those with accents, and lower case only. */
#include "cli/scan/seen_text.h"

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

uint32_t text_next_point(struct octets text, size_t *at)
{
	const uint8_t first = text.data[*at];
	const size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
	uint32_t point = more > 0 ? first & (0x3Fu >> more) : first;

	if ((first >= 0x80 && more == 0) || more >= text.length - *at) {
		++*at;
		return first < 0x80 ? first : NO_CODE_POINT;
	}
	for (size_t i = 1; i <= more; i++) {
		if ((text.data[*at + i] & 0xC0) != 0x80) {
			++*at;
			return NO_CODE_POINT;
		}
		point = point << 6 | (text.data[*at + i] & 0x3F);
	}
	*at += more + 1;
	return point;
}

size_t seen_text(uint8_t out[SEEN_TEXT_MOST], struct octets text, bool right_to_left)
{
	uint32_t point[SEEN_TEXT_MOST];
	size_t count = 0;
	size_t at = 0;

	if (text.length > SEEN_TEXT_MOST)
		text.length = SEEN_TEXT_MOST;
	while (at < text.length) {
		point[count] = text_next_point(text, &at);
		if (is_displayed(point[count]) && ascii_of(point[count]) >= 0x80)
			return 0;
		count++;
	}
	count = display_order(point, count, right_to_left);
	for (size_t i = 0; i < count; i++)
		out[i] = (uint8_t)ascii_of(point[i]);
	return count;
}

size_t text_without_controls(uint8_t out[SEEN_TEXT_MOST], struct octets text)
{
	size_t length = 0;
	size_t at = 0;

	if (text.length > SEEN_TEXT_MOST)
		text.length = SEEN_TEXT_MOST;
	while (at < text.length) {
		size_t next = at;

		if (!is_direction_control(text_next_point(text, &next))) {
			memcpy(out + length, text.data + at, next - at);
			length += next - at;
		}
		at = next;
	}
	return length;
}
