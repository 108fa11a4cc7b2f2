/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the lines of format=flowed text. */
#include "cli/scan/flowed.h"

/* A line without its quote marks, its stuffed space and its line end. */
struct line {
	const uint8_t *data;
	size_t length;
	size_t depth;
	bool is_soft; /* the next line continues it */
};

/* Reads the line at `at` and returns the start of the next line (RFC 3676, 4.3 to 4.5). */
static size_t read_line(struct line *line, const uint8_t *text, size_t at, size_t length)
{
	const uint8_t *feed = memchr(text + at, '\n', length - at);
	size_t end = feed != NULL ? (size_t)(feed - text) : length;
	size_t next = feed != NULL ? end + 1 : end;

	if (feed != NULL && end > at && text[end - 1] == '\r')
		end--;
	line->depth = 0;
	while (at < end && text[at] == '>') {
		at++;
		line->depth++;
	}
	if (at < end && text[at] == ' ')
		at++;
	line->data = text + at;
	line->length = end - at;
	line->is_soft = line->length > 0 && line->data[line->length - 1] == ' ' &&
			!(line->length == 3 && memcmp(line->data, "-- ", 3) == 0);
	return next;
}

size_t flowed_join(uint8_t *text, size_t length, bool deletes)
{
	struct line line = {.is_soft = false};
	size_t written = 0;
	size_t at = 0;

	while (at < length) {
		bool goes_on = line.is_soft;
		size_t depth = line.depth;
		size_t next = read_line(&line, text, at, length);
		bool is_signature = line.length == 3 && memcmp(line.data, "-- ", 3) == 0;

		if (at > 0 && !(goes_on && depth == line.depth && !is_signature))
			text[written++] = '\n';
		at = next;
		if (line.is_soft && deletes)
			line.length--;
		memmove(text + written, line.data, line.length);
		written += line.length;
	}
	return written;
}
