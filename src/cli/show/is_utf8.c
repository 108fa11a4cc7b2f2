/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of RFC 3629, section 4, as a table of first octets. */
#include "cli/show/is_utf8.h"

/* Sequences of two to four octets: the ranges of the first and the second octet, and the number of
 * octets after the first. */
static const struct {
	uint8_t first;
	uint8_t last;
	uint8_t second_low;
	uint8_t second_high;
	uint8_t tail;
} sequence[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 1}, {0xE0, 0xE0, 0xA0, 0xBF, 2}, {0xE1, 0xEC, 0x80, 0xBF, 2},
    {0xED, 0xED, 0x80, 0x9F, 2}, {0xEE, 0xEF, 0x80, 0xBF, 2}, {0xF0, 0xF0, 0x90, 0xBF, 3},
    {0xF1, 0xF3, 0x80, 0xBF, 3}, {0xF4, 0xF4, 0x80, 0x8F, 3},
};

/* Does what utf8_character() does, for a first octet above 0x7F. */
static size_t take_sequence(struct text text, uint32_t *code_point)
{
	const uint8_t *data = text.data;
	size_t row = 0;

	while (row < sizeof sequence / sizeof sequence[0] && data[0] > sequence[row].last)
		row++;
	if (row == sizeof sequence / sizeof sequence[0] || data[0] < sequence[row].first ||
	    text.length <= sequence[row].tail)
		return 0;
	if (data[1] < sequence[row].second_low || data[1] > sequence[row].second_high)
		return 0;
	/* the first octet has five bits of a sequence of two, four of three, three of four */
	*code_point = data[0] & (0x3Fu >> sequence[row].tail);
	for (size_t i = 1; i <= sequence[row].tail; i++) {
		if ((data[i] & 0xC0) != 0x80)
			return 0;
		*code_point = *code_point << 6 | (data[i] & 0x3Fu);
	}
	return sequence[row].tail + 1u;
}

size_t utf8_character(struct text text, uint32_t *code_point)
{
	if (text.data[0] > 0x7F)
		return take_sequence(text, code_point);
	*code_point = text.data[0];
	return 1;
}

#if OCTETS_BY_16
#define STRIDE 16u

static bool is_ascii_stride(const uint8_t *from)
{
	return _mm_movemask_epi8(octets_16(from)) == 0;
}
#else
#define HIGHS  0x8080808080808080u
#define STRIDE 8u

static bool is_ascii_stride(const uint8_t *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof word);
	return (word & HIGHS) == 0;
}
#endif

/* Returns the number of leading ASCII octets, in whole strides. The last stride may overlap the one
 * before. */
static size_t ascii_strides(struct text text)
{
	size_t at = 0;

	while (text.length - at >= STRIDE && is_ascii_stride(text.data + at))
		at += STRIDE;
	return at > 0 && text.length - at < STRIDE &&
		       is_ascii_stride(text.data + text.length - STRIDE)
		   ? text.length
		   : at;
}

bool is_utf8(struct text text)
{
	size_t at = ascii_strides(text);
	uint32_t code_point;

	while (at < text.length) {
		struct text rest = {text.data + at, text.length - at};
		size_t taken = utf8_character(rest, &code_point);

		if (taken == 0)
			return false;
		at += taken;
	}
	return true;
}
