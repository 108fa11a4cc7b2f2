/* SPDX-License-Identifier: Apache-2.0 */
/* Finds invisible characters around a URL in text.
 *
 * Single joiners belong to Persian and Indic words and to emoji, single marks to text from right to
 * left, and isolates to names in chats: they are not reported. */
#include "cli/scan/hidden_text.h"
#include "cli/scan/seen_text.h"

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
		const uint32_t point = text_next_point(text, &next);

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
	while (at < begin && (text.data[at] & 0xC0) == 0x80)
		at++;
	if (at > least || at == 0)
		return at;
	for (size_t tags = 0; tags < FLAG_TAGS && at < begin; tags++) {
		size_t next = at;

		if (!is_tag(text_next_point(text, &next)))
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
		const uint32_t point = text_next_point(near, &next);
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
