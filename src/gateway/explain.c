/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the outcome of a request for operators of the gateway. */
#include "common/finding_set.h"
#include "common/hex.h"
#include "gateway/gate.h"

#include <string.h>

/* Maximum number of octets shown of the text at fault. */
#define PLACE_SHOWN 32

/* Output buffer. Octets that do not fit are counted in `length` but not stored. */
struct line {
	char *out;
	size_t capacity;
	size_t length;
};

static void put_octet(struct line *line, char octet)
{
	if (line->length < line->capacity)
		line->out[line->length] = octet;
	line->length++;
}

static void put_words(struct line *line, const char *words)
{
	for (; *words != '\0'; words++)
		put_octet(line, *words);
}

/* Terminates the text, cut if it did not fit. Returns its length as snprintf does. */
static size_t end_line(const struct line *line)
{
	if (line->capacity > 0)
		line->out[line->length < line->capacity ? line->length : line->capacity - 1] = '\0';
	return line->length;
}

/* ---- Names of findings --------------------------------------------------------- */

/* Writes the names of the findings, with the separator between them. */
static void put_names(struct line *line, const struct urivet_finding_set *findings,
		      const char *separator)
{
	const char *before = "";
	for (EACH_IN_SET(id, findings)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL)
			continue;
		put_words(line, before);
		put_words(line, row->name);
		before = separator;
	}
}

size_t gate_format_findings(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	struct line line = {out, capacity, 0};
	put_names(&line, &outcome->findings, ",");
	if (line.length == 0)
		put_octet(&line, '-');
	return end_line(&line);
}

/* ---- Log lines ----------------------------------------------------------------- */

/* Writes the text in quotes, with \xHH for octets that are not visible ASCII. */
static void put_quoted(struct line *line, struct urivet_text text)
{
	char escape[] = "\\xHH";
	const unsigned char *const octets = text.data;
	put_octet(line, '"');
	for (size_t i = 0; i < text.length && i < PLACE_SHOWN; i++) {
		const unsigned char c = octets[i];
		const bool plain = c > ' ' && c < 0x7f && c != '"' && c != '\\';
		(void)hex_escape(escape, "\\x", c, true);
		if (plain)
			put_octet(line, (char)c);
		else
			put_words(line, escape);
	}
	put_words(line, text.length > PLACE_SHOWN ? "...\"" : "\"");
}

static void put_place(struct line *line, const struct gate_place *place)
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

/* Adds the findings to those that a policy can waive, or to the others. `param-refused` is in
 * neither: the cause is a finding of its own, or the outcome is unexplained. */
static void split_waivable(const struct urivet_finding_set *found,
			   struct urivet_finding_set *waivable, struct urivet_finding_set *others)
{
	struct urivet_policy policy;
	const bool is_policy = urivet_policy_init(&policy, sizeof policy, URIVET_STRICT);
	for (EACH_IN_SET(id, found)) {
		if (id == URIVET_F_PARAM_REFUSED)
			continue;
		put_in_set(is_policy && urivet_policy_waive(&policy, id) ? waivable : others, id);
	}
}

static bool has_findings(const struct urivet_finding_set *set)
{
	return next_in_set(set, 0) < URIVET_FINDING_LIMIT;
}

/* Writes the names of the findings and their descriptions from the catalogue, while there is room. */
static void put_meanings(struct line *line, const struct urivet_finding_set *findings)
{
	for (EACH_IN_SET(id, findings)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row == NULL || line->length >= line->capacity)
			continue;
		put_words(line, " ");
		put_words(line, row->name);
		put_words(line, ": ");
		put_words(line, row->text);
	}
}

size_t gate_explain(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	struct urivet_finding_set waivable = {{0}}, others = {{0}};
	struct line line = {out, capacity, 0};
	split_waivable(&outcome->findings, &waivable, &others);
	split_waivable(&outcome->later, &waivable, &others);
	put_place(&line, &outcome->place);
	if (has_findings(&others)) {
		put_words(&line, "; no policy allows ");
		put_names(&line, &others, ", ");
	} else if (has_findings(&waivable) && outcome->unexplained) {
		put_words(&line, "; \"allow: [");
		put_names(&line, &waivable, ", ");
		put_words(&line, "]\" would not be enough, because a parameter is refused");
	} else if (has_findings(&waivable)) {
		put_words(&line, "; accepted where its policy says \"allow: [");
		put_names(&line, &waivable, ", ");
		put_words(&line, "]\", which opens:");
		put_meanings(&line, &waivable);
	}
	return end_line(&line);
}
