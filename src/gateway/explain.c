/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the outcome of a request for operators of the gateway. */
#include "common/finding_set.h"
#include "gateway/gate.h"
#include "gateway/line.h"
#include <string.h>

/* Maximum number of octets shown of the text at fault. */
#define PLACE_SHOWN 32

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
		put(line, "%s%s", before, row->name);
		before = separator;
	}
}

size_t gate_format_findings(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	struct line line = {out, capacity, 0};
	put_names(&line, &outcome->findings, ",");
	if (line.length == 0)
		put(&line, "-");
	return line.length;
}

/* ---- Log lines ----------------------------------------------------------------- */

/* Writes the text in quotes, with \xHH for octets that are not visible ASCII. */
static void put_quoted(struct line *line, struct urivet_text text)
{
	const unsigned char *const octets = text.data;
	put(line, " \"");
	for (size_t i = 0; i < text.length && i < PLACE_SHOWN; i++) {
		const unsigned char c = octets[i];
		const bool plain = c > ' ' && c < 0x7f && c != '"' && c != '\\';
		put(line, plain ? "%c" : "\\x%02x", c);
	}
	put(line, text.length > PLACE_SHOWN ? "...\"" : "\"");
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

/* Writes the names of the findings and their descriptions from the catalogue, while there is room. */
static void put_meanings(struct line *line, const struct urivet_finding_set *findings)
{
	for (EACH_IN_SET(id, findings)) {
		const struct urivet_finding_row *row = urivet_finding_info(id);
		if (row != NULL && line->length < line->capacity)
			put(line, " %s: %s", row->name, row->text);
	}
}

size_t gate_explain(char *out, size_t capacity, const struct gate_outcome *outcome)
{
	struct urivet_finding_set waivable = {{0}}, others = {{0}};
	const struct gate_place *const place = &outcome->place;
	struct line line = {out, capacity, 0};
	split_waivable(&outcome->findings, &waivable, &others);
	split_waivable(&outcome->later, &waivable, &others);
	put(&line, "%s%s", place->component != NULL ? "; in the " : "",
	    place->component != NULL ? place->component : "");
	if (place->component != NULL && place->text.length > 0)
		put_quoted(&line, place->text);
	if (!is_empty_set(&others)) {
		put(&line, "; no policy allows ");
		put_names(&line, &others, ", ");
	} else if (!is_empty_set(&waivable)) {
		put(&line, outcome->unexplained ? "; \"allow: ["
						: "; accepted where its policy says \"allow: [");
		put_names(&line, &waivable, ", ");
		put(&line, outcome->unexplained
			       ? "]\" would not be enough, because a parameter is refused"
			       : "]\", which opens:");
		if (!outcome->unexplained)
			put_meanings(&line, &waivable);
	}
	if (line.length >= capacity && capacity >= sizeof "...")
		memcpy(out + capacity - sizeof "...", "...", sizeof "...");
	return line.length;
}
