/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the ends of rows outside quotes, and the fields of a row. */
#include "cli/records/csv.h"

const char *const csv_faults[CSV_FAULTS] = {
    [CSV_GOOD] = "",
    [CSV_STRAY_QUOTE] = "a quote stands in a field that does not begin with one",
    [CSV_AFTER_QUOTE] = "octets follow the quote that closes the field",
    [CSV_OPEN_QUOTE] = "a quote is not closed",
    [CSV_BARE_CR] = "a CR that ends no row stands outside quotes",
    [CSV_NUL] = "a NUL stands in it"};

size_t csv_bom(struct octets text)
{
	return text.length >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* ---- Ends of rows ---------------------------------------------------------------------------- */

/* Returns the position after the last LF, or the first one; NULL if there is no LF. */
static const uint8_t *line_end(const uint8_t *from, const uint8_t *stop, bool first)
{
	if (first) {
		const uint8_t *end = memchr(from, '\n', (size_t)(stop - from));

		return end != NULL ? end + 1 : NULL;
	}
	for (size_t length = (size_t)(stop - from); length > 0; length--) {
		if (from[length - 1] == '\n')
			return from + length;
	}
	return NULL;
}

static bool begins_field(const struct csv_place *place, uint8_t before)
{
	return before == place->separator || before == '\n';
}

/* Skips octets outside quotes. Returns the position after the next quote that opens a field, or
 * `stop`. */
static const uint8_t *pass_plain(struct csv_place *place, const uint8_t *at, const uint8_t *stop)
{
	while (at < stop) {
		const uint8_t *quote = memchr(at, '"', (size_t)(stop - at));
		const uint8_t *end = quote != NULL ? quote : stop;

		if (end > at)
			place->at = begins_field(place, end[-1]) ? CSV_FIELD_BEGINS : CSV_PLAIN;
		if (quote == NULL)
			return stop;
		at = quote + 1;
		if (place->at == CSV_FIELD_BEGINS) {
			place->at = CSV_QUOTED;
			return at;
		}
	}
	return stop;
}

/* Skips octets inside quotes. Returns the position after the closing quote, or `stop`. */
static const uint8_t *pass_quoted(struct csv_place *place, const uint8_t *at, const uint8_t *stop)
{
	while (at < stop) {
		if (place->at == CSV_QUOTE) {
			place->at = *at == '"' ? CSV_QUOTED : CSV_PLAIN;
			if (place->at == CSV_PLAIN)
				return at;
			at++;
			continue;
		}
		at = memchr(at, '"', (size_t)(stop - at));
		if (at == NULL)
			return stop;
		at++;
		place->at = CSV_QUOTE;
	}
	return stop;
}

/* Moves over octets outside of quotes, from *at on, after those inside quotes. Returns their start. */
static const uint8_t *next_plain(struct csv_place *place, const uint8_t **at, const uint8_t *stop)
{
	const uint8_t *plain;

	if (place->at == CSV_QUOTED || place->at == CSV_QUOTE)
		*at = pass_quoted(place, *at, stop);
	plain = *at;
	*at = pass_plain(place, plain, stop);
	return plain;
}

const uint8_t *csv_row_end(struct csv_place *place, struct octets text, bool first)
{
	const uint8_t *at = text.data;
	const uint8_t *stop = text.data + text.length;
	const uint8_t *found = NULL;

	while (at < stop) {
		const uint8_t *plain = next_plain(place, &at, stop);
		const uint8_t *end = line_end(plain, at, first);

		if (end != NULL && first) {
			place->at = CSV_FIELD_BEGINS;
			return end;
		}
		if (end != NULL)
			found = end;
	}
	return found;
}

/* Returns the number of LFs outside quotes. *ends is true if the last octet is one of them. */
static uint64_t count_ends(uint8_t separator, struct octets text, bool *ends)
{
	struct csv_place place = {.separator = separator};
	const uint8_t *at = text.data;
	const uint8_t *stop = text.data + text.length;
	uint64_t count = 0;

	*ends = false;
	while (at < stop) {
		const uint8_t *plain = next_plain(&place, &at, stop);

		count += count_octets(text_at(plain, (size_t)(at - plain)), '\n');
		*ends = at == stop && at > plain && stop[-1] == '\n';
	}
	return count;
}

uint64_t csv_count(const struct csv_form *form, struct octets text)
{
	bool ends = text.length > 0 && text.data[text.length - 1] == '\n';
	uint64_t count =
	    form->quotes ? count_ends(form->separator, text, &ends) : count_octets(text, '\n');

	return count + (text.length > 0 && !ends);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* The state of parsing a row. */
struct reading {
	struct csv_row *row;
	const struct csv_form *form;
	const uint8_t *at;
	const uint8_t *stop;
};

static void find_fault(struct reading *reading, enum csv_fault fault)
{
	if (reading->row->fault != CSV_GOOD)
		return;
	reading->row->fault = fault;
	reading->row->fault_field = reading->row->fields;
}

/* Returns true for octets that have a meaning in an unquoted field. */
static bool is_special(uint8_t octet, uint8_t separator)
{
	return octet == separator || octet == '\n' || octet == '"' || octet == '\r' || octet == 0;
}

/* Returns true if the CR starts the line end. */
static bool ends_row(const struct reading *reading, const uint8_t *cr)
{
	return reading->form->crlf && cr + 1 < reading->stop && cr[1] == '\n';
}

/* Skips the rest of an unquoted field. Returns the position of its separator or of the line end. */
static const uint8_t *read_plain(struct reading *reading)
{
	const struct csv_form *form = reading->form;
	const uint8_t *at = reading->at;

	for (;; at++) {
		while (at < reading->stop && !is_special(*at, form->separator))
			at++;
		if (at == reading->stop || *at == form->separator || *at == '\n')
			return at;
		if (*at == 0)
			find_fault(reading, CSV_NUL);
		else if (*at == '"' && form->quotes)
			find_fault(reading, CSV_STRAY_QUOTE);
		else if (*at == '\r' && ends_row(reading, at))
			return at;
		else if (*at == '\r' && form->quotes)
			find_fault(reading, CSV_BARE_CR);
	}
}

/* Returns the quote that closes the field that starts at `from`, or NULL if there is none. */
static const uint8_t *closing_quote(struct reading *reading, const uint8_t *from, bool *doubled)
{
	const uint8_t *at = from;

	for (;; at += 2) {
		at = memchr(at, '"', (size_t)(reading->stop - at));
		if (at == NULL || at + 1 == reading->stop || at[1] != '"')
			return at;
		*doubled = true;
	}
}

/* Returns the content of a quoted field. Octets between the closing quote and the separator are a
 * fault. */
static struct octets read_quoted(struct reading *reading, bool *doubled)
{
	const uint8_t *from = reading->at + 1;
	const uint8_t *end = closing_quote(reading, from, doubled);
	const uint8_t *after;

	if (end == NULL)
		find_fault(reading, CSV_OPEN_QUOTE);
	reading->at = end != NULL ? end + 1 : reading->stop;
	if (end == NULL)
		end = reading->stop;
	if (end > from && memchr(from, 0, (size_t)(end - from)) != NULL)
		find_fault(reading, CSV_NUL);
	after = reading->at;
	if (after < reading->stop && *after != reading->form->separator && *after != '\n' &&
	    !(*after == '\r' && ends_row(reading, after))) {
		find_fault(reading, CSV_AFTER_QUOTE);
		reading->at = read_plain(reading);
	}
	return text_at(from, (size_t)(end - from));
}

static void read_field(struct reading *reading)
{
	struct csv_row *row = reading->row;
	struct octets field;
	bool doubled = false;

	row->fields++;
	if (reading->form->quotes && reading->at < reading->stop && *reading->at == '"') {
		field = read_quoted(reading, &doubled);
	} else {
		const uint8_t *from = reading->at;

		reading->at = read_plain(reading);
		field = text_at(from, (size_t)(reading->at - from));
	}
	if (reading->form->each != NULL)
		reading->form->each(reading->form->context, row, field, doubled);
	if (row->fields != reading->form->field)
		return;
	row->field = field;
	row->doubled = doubled;
}

bool csv_next(struct csv_row *row, const struct csv_form *form, struct octets text)
{
	struct reading reading = {
	    .row = row, .form = form, .at = text.data, .stop = text.data + text.length};
	const uint8_t *end;

	if (text.length == 0)
		return false;
	*row = (struct csv_row){0};
	for (;; reading.at++) {
		read_field(&reading);
		if (reading.at == reading.stop || *reading.at != form->separator)
			break;
	}
	end = reading.at;
	if (reading.at < reading.stop)
		reading.at += *reading.at == '\r' ? 2 : 1;
	row->text = text_at(text.data, (size_t)(end - text.data));
	row->whole = (size_t)(reading.at - text.data);
	return true;
}

size_t csv_undouble(uint8_t *to, struct octets field)
{
	size_t length = 0;

	for (size_t i = 0; i < field.length; i++) {
		to[length++] = field.data[i];
		i += field.data[i] == '"';
	}
	return length;
}
