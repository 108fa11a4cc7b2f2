/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the outcome of a request for operators of the gateway. */
#include "gateway/gate.h"
#include "loader/finding_set.h"

#include <string.h>

/* Maximum number of octets shown of the text at fault. */
#define PLACE_SHOWN 32

/* Output buffer. Octets that do not fit are counted in `length` but not stored. */
struct names {
	char *out;
	size_t capacity;
	size_t length;
};

static void put_octet(struct names *names, char octet)
{
	if (names->length < names->capacity)
		names->out[names->length] = octet;
	names->length++;
}

static void put_name(struct names *names, const char *name)
{
	if (names->length > 0)
		put_octet(names, ',');
	for (; *name != '\0'; name++)
		put_octet(names, *name);
}

unsigned gate_next(const struct urivet_finding_set *set, unsigned from)
{
	while (from < URIVET_FINDING_LIMIT && !in_set(set, from))
		from = set->bits[from / 64] >> from % 64 == 0 ? (from / 64 + 1) * 64 : from + 1;
	return from;
}

size_t gate_format_findings(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	struct names names = {out, capacity, 0};
	for (unsigned id = gate_next(&outcome->findings, 0); id < URIVET_FINDING_LIMIT;
	     id = gate_next(&outcome->findings, id + 1)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row != NULL)
			put_name(&names, row->name);
	}
	if (names.length == 0)
		put_octet(&names, '-');
	if (capacity > 0)
		out[names.length < capacity ? names.length : capacity - 1] = '\0';
	return names.length;
}

/* ---- Log lines ----------------------------------------------------------------- */

static void put_words(struct names *line, const char *words)
{
	for (; *words != '\0'; words++)
		put_octet(line, *words);
}

/* Writes the text in quotes, with \xHH for octets that are not visible ASCII. */
static void put_quoted(struct names *line, struct urivet_text text)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *const octets = text.data;
	put_octet(line, '"');
	for (size_t i = 0; i < text.length && i < PLACE_SHOWN; i++) {
		const unsigned char c = octets[i];
		if (c > ' ' && c < 0x7f && c != '"' && c != '\\') {
			put_octet(line, (char)c);
			continue;
		}
		put_words(line, "\\x");
		put_octet(line, digits[c >> 4]);
		put_octet(line, digits[c & 15]);
	}
	put_words(line, text.length > PLACE_SHOWN ? "...\"" : "\"");
}

static void put_place(struct names *line, const struct gate_place *place)
{
	if (place->component == NULL)
		return;
	put_words(line, "; in the ");
	put_words(line, place->component);
	if (place->text.data == NULL || place->text.length == 0)
		return;
	put_octet(line, ' ');
	put_quoted(line, place->text);
}

/* Adds the findings that a policy can waive. `param-refused` is left out: the cause of a refused
 * parameter is a finding of its own. */
static void find_waivable(struct urivet_finding_set *waivable, const struct urivet_finding_set *found)
{
	struct urivet_policy policy;
	if (!urivet_policy_init(&policy, sizeof policy, URIVET_STRICT))
		return;
	for (unsigned id = gate_next(found, 0); id < URIVET_FINDING_LIMIT; id = gate_next(found, id + 1))
		if (id != URIVET_F_PARAM_REFUSED && urivet_policy_waive(&policy, id))
			put_in_set(waivable, id);
}

/* Writes the names of `findings` without those in `but`, separated by commas. Returns their
 * number. */
static unsigned put_findings(struct names *line, const struct urivet_finding_set *findings,
			     const struct urivet_finding_set *but)
{
	unsigned count = 0;
	for (unsigned id = gate_next(findings, 0); id < URIVET_FINDING_LIMIT;
	     id = gate_next(findings, id + 1)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL || id == URIVET_F_PARAM_REFUSED || in_set(but, id))
			continue;
		put_words(line, count++ > 0 ? ", " : "");
		put_words(line, row->name);
	}
	return count;
}

/* Writes the names of the findings and their descriptions from the catalogue. */
static void put_meanings(struct names *line, const struct urivet_finding_set *findings)
{
	for (unsigned id = gate_next(findings, 0); id < URIVET_FINDING_LIMIT && line->length < line->capacity;
	     id = gate_next(findings, id + 1)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL)
			continue;
		put_words(line, " ");
		put_words(line, row->name);
		put_words(line, ": ");
		put_words(line, row->text);
	}
}

size_t gate_explain(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	static const struct urivet_finding_set none;
	struct urivet_finding_set waivable = none;
	struct names line = {out, capacity, 0};
	size_t before;
	find_waivable(&waivable, &outcome->findings);
	put_place(&line, &outcome->place);
	before = line.length;
	put_words(&line, "; no policy allows ");
	if (put_findings(&line, &outcome->findings, &waivable) == 0) {
		line.length = before;
		put_words(&line, "; accepted where its policy says \"allow: [");
		if (put_findings(&line, &waivable, &none) > 0) {
			put_words(&line, "]\", which opens:");
			put_meanings(&line, &waivable);
		} else {
			line.length = before;
		}
	}
	if (capacity > 0)
		out[line.length < capacity ? line.length : capacity - 1] = '\0';
	return line.length;
}
