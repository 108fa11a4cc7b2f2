/* SPDX-License-Identifier: Apache-2.0 */
/* Oracles for the output that the command writes for people. */
#ifndef COMMAND_HUMAN_H
#define COMMAND_HUMAN_H

#include "command_oracles.h"

/* Removes a number and the text `after` it from the start of `text`. Returns the number, or 0 if
 * there is none. */
static uint64_t take_number(struct octets *text, const char *after)
{
	struct octets left = *text;
	uint64_t n = 0;
	while (left.length > 0 && left.data[0] >= '0' && left.data[0] <= '9') {
		n = n * 10 + (left.data[0] - 0x30u);
		left = without(left, 1);
	}
	if (left.length == text->length || !begins(left, after))
		return 0;
	*text = without(left, strlen(after));
	return n;
}

/* The head line of a finding: "<stdin>:3:8: refused: ...". */
struct head {
	uint64_t number, offset; /* both count from 1 */
	bool refused;
};

static bool read_head(struct head *head, const struct line *line, struct octets text)
{
	const char *source = has_letter(line, 'i') ? NAME_IN ":" : "<stdin>:";
	if (!line->is_operand) {
		if (!begins(text, source))
			return false;
		text = without(text, strlen(source));
	}
	head->number = take_number(&text, ":");
	head->offset = head->number > 0 ? take_number(&text, ": ") : 0;
	head->refused = begins(text, "refused: ") || begins(text, "not read: ");
	return head->offset > 0 &&
	       (head->refused || begins(text, "allowed: ") || begins(text, "note: "));
}

/* Returns true if the excerpt is a part of the text, with or without dots for what was left out. */
static bool is_excerpt(struct octets shown, struct octets whole)
{
	const size_t dots = strlen("...");
	char *room = room_for(shown.length);
	bool is = false;
	for (unsigned cut = 0; cut < 4 && !is; cut++) {
		struct octets inner = shown;
		if (inner.length >= dots && (cut & 1) && begins(inner, "..."))
			inner = without(inner, dots);
		if (inner.length >= dots && (cut & 2))
			inner.length -= dots;
		if (inner.length > 0 && inner.data[inner.length - 1] == '\\')
			continue;
		is = occurs_in(unescaped(inner, room), whole);
	}
	free(room);
	return is;
}

/* Checks the two lines after a head line: an excerpt of the text, and carets under some of it. */
static void expect_excerpt(const struct view *v, const struct head *head, struct octets *left)
{
	struct octets shown, carets, whole = v->uri;
	size_t label = strlen("    "), first = 0;
	const bool both = take_piece(left, '\n', &shown) && take_piece(left, '\n', &carets) &&
			  begins(shown, "    ");
	expect(both, "a finding has an excerpt and carets");
	if (!both)
		return;
	if (begins(shown, "    Host: ")) {
		label = strlen("    Host: ");
		whole = v->host;
	}
	expect(head->offset - 1 <= whole.length, "a finding's place lies in the text shown");
	expect(is_excerpt(without(shown, label), whole), "an excerpt is of the text shown");
	while (first < carets.length && carets.data[first] == ' ')
		first++;
	expect(first >= label && first < carets.length && carets.data[first] == '^',
	       "a caret stands below each excerpt");
	expect(first <= shown.length &&
		   (carets.length == first + 1 || carets.length <= shown.length),
	       "a caret stands below its excerpt");
}

/* Returns true if the line reports an accepted record. Only `check` writes such lines. */
static bool is_accepted_line(struct octets text)
{
	return begins(text, "accept  ");
}

/* Checks the output of `check`: each record is accepted or has a reason. */
static void expect_human(const struct line *line, const struct run *run, struct octets out)
{
	struct records records = records_of(line);
	struct octets text;
	struct view v;
	struct head head;
	unsigned refused = 0, accepted = 0, number = 0;
	char *room = room_for(out.length);
	(void)next_record(&records);
	while (take_piece(&out, '\n', &text)) {
		if (is_accepted_line(text)) {
			accepted++;
			continue;
		}
		if (!read_head(&head, line, text))
			continue;
		expect(head.number >= records.number, "findings are in the order of the records");
		while (records.number < head.number && next_record(&records))
			;
		expect(records.number == head.number && records.record.data != NULL,
		       "a finding is of a record");
		refused += head.refused && number != head.number;
		number = head.refused ? (unsigned)head.number : number;
		v = view_of(line, records.record);
		expect_excerpt(&v, &head, &out);
	}
	records = records_of(line);
	while (next_record(&records))
		;
	expect(accepted + refused == records.number - 1, "each record is accepted or refused");
	expect_status(run, refused);
	free(room);
}

/* Checks the output of `suggest` and `normalise`: only the results. */
static void expect_human_results(const struct line *line, const struct run *run, struct octets out)
{
	struct records records = records_of(line);
	struct octets text;
	unsigned lines = 0, count = 0;
	while (next_record(&records))
		count++;
	while (take_piece(&out, '\n', &text))
		lines++;
	expect(lines <= count && out.length == 0, "a result has one line");
	expect_status(run, count - lines);
}

/* Copies the text without colour sequences into `room`. The rest must be printable. */
static struct octets uncoloured(struct octets text, char *room)
{
	struct builder b = {room, 0};
	for (size_t k = 0; k < text.length; k++) {
		size_t end = k;
		if (text.data[k] == 0x1B) {
			end = k + 1;
			while (end < text.length && strchr("[;0123456789", text.data[end]) != NULL)
				end++;
		}
		if (end > k && end < text.length && text.data[end] == 'm')
			k = end;
		else
			add(&b, text.data + k, 1);
	}
	return (struct octets){(const uint8_t *)room, b.length};
}

static bool is_printable(struct octets text, bool tabs)
{
	for (size_t k = 0; k < text.length; k++)
		if ((text.data[k] < 0x20 || text.data[k] > 0x7E) && text.data[k] != '\n' &&
		    !(tabs && text.data[k] == '\t'))
			return false;
	return text.length == 0 || text.data[text.length - 1] == '\n';
}

#endif
