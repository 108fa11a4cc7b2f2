/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of RFC 3629, section 4, as a table of leading octets. */
#include "cli/show/is_utf8.h"

/* Sequences of two to four octets: the range of the first, the range of the second, and how many
 * octets follow the first. */
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

/* The length of the sequence at data[0..length), whose first octet is above 0x7F; 0 if it is not
 * valid. */
static size_t sequence_length(const uint8_t *data, size_t length)
{
	size_t row = 0;

	while (row < sizeof sequence / sizeof sequence[0] && data[0] > sequence[row].last)
		row++;
	if (row == sizeof sequence / sizeof sequence[0] || data[0] < sequence[row].first ||
	    length <= sequence[row].tail)
		return 0;
	if (data[1] < sequence[row].second_low || data[1] > sequence[row].second_high)
		return 0;
	for (size_t i = 2; i <= sequence[row].tail; i++) {
		if ((data[i] & 0xC0) != 0x80)
			return 0;
	}
	return sequence[row].tail + 1u;
}

bool is_utf8(struct text text)
{
	size_t at = 0;

	while (at < text.length) {
		size_t taken = 1;

		if (text.data[at] > 0x7F)
			taken = sequence_length(text.data + at, text.length - at);
		if (taken == 0)
			return false;
		at += taken;
	}
	return true;
}
