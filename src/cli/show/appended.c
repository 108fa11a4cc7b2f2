/* SPDX-License-Identifier: Apache-2.0 */
/* An appended value is a text, a number, a list, or absent. Each kind of table has its own format
 * for them. */
#include "cli/show/appended.h"
#include "cli/text/emit.h"

const char *const with_names[] = {[WITH_NUMBER] = "number",
				  [WITH_SCHEME] = "scheme",
				  [WITH_USERINFO] = "userinfo",
				  [WITH_HOST] = "host",
				  [WITH_PORT] = "port",
				  [WITH_PATH] = "path",
				  [WITH_QUERY] = "query",
				  [WITH_FRAGMENT] = "fragment",
				  [WITH_REGISTRABLE] = "registrable",
				  [WITH_CLASS] = "class",
				  [WITH_SUGGESTION] = "suggestion",
				  [WITH_REPAIRED] = "repaired",
				  NULL};

struct value {
	enum { ABSENT = 0, TEXT, NUMBER, LIST } kind;
	struct octets text;
	uint64_t number;
	const char *word[URIVET_MAX_FINDINGS];
	size_t words;
};

/* ---- Values --------------------------------------------------------------------------- */

static void set_text(struct value *value, struct octets text)
{
	if (text.data == NULL)
		return;
	value->kind = TEXT;
	value->text = text;
}

static void take_part(struct value *value, const struct item *item, enum urivet_component component)
{
	if (item->report->parsed)
		set_text(value, item_part(item, component));
}

static void take_number(struct value *value, uint64_t number)
{
	value->kind = NUMBER;
	value->number = number;
}

static void take_findings(struct value *value, const struct item *item)
{
	value->kind = LIST;
	for (uint32_t i = 0; i < item->report->count; i++)
		value->word[value->words++] =
		    urivet_finding_info(item->report->finding[i].id)->name;
}

static void take_classes(struct value *value, const struct item *item)
{
	unsigned seen = 0;

	value->kind = LIST;
	for (uint32_t i = 0; i < item->report->count; i++) {
		const unsigned class_ = item->report->finding[i].class_;

		if ((seen >> class_ & 1u) == 0)
			value->word[value->words++] = urivet_class_name(class_);
		seen |= 1u << class_;
	}
}

static void take(struct value *value, const struct item *item, enum with what)
{
	static const enum urivet_component part[WITHS] = {
	    [WITH_SCHEME] = URIVET_SCHEME, [WITH_USERINFO] = URIVET_USERINFO,
	    [WITH_HOST] = URIVET_HOST,     [WITH_PATH] = URIVET_PATH,
	    [WITH_QUERY] = URIVET_QUERY,   [WITH_FRAGMENT] = URIVET_FRAGMENT};
	const struct urivet_report *report = item->report;

	*value = (struct value){.kind = ABSENT};
	if (what == WITH_NUMBER)
		take_number(value, item->number);
	else if (what == WITH_CLASS)
		take_classes(value, item);
	else if (what == WITH_SUGGESTION)
		set_text(value, item->suggestion);
	else if (what == WITH_REPAIRED)
		set_text(value, report->verdict == URIVET_ACCEPT ? item->text : item->suggestion);
	else if (what == WITH_REGISTRABLE)
		set_text(value, item_registrable(item));
	else if (what == WITH_PORT && report->parsed && report->uri.port != URIVET_NO_PORT)
		take_number(value, report->uri.port);
	else if (what != WITH_PORT)
		take_part(value, item, part[what]);
}

/* ---- Formats --------------------------------------------------------------------------- */

/* Escapes a text as in TSV, and doubles its quotes. */
static void write_doubled(struct output *out, struct octets text)
{
	while (text.length > 0) {
		const uint8_t *quote = memchr(text.data, '"', text.length);
		const size_t length = quote != NULL ? (size_t)(quote - text.data) : text.length;

		output_escaped(out, text_at(text.data, length));
		if (quote == NULL)
			return;
		output_string(out, "\"\"");
		text = text_after(text, length + 1);
	}
}

/* Escapes the first octet if a spreadsheet would take the cell for a formula by it. Returns the rest. */
static struct octets guard_cell(struct output *out, struct octets text)
{
	if (text.length == 0 || text.data[0] == '\0' || strchr("=+-@", text.data[0]) == NULL)
		return text;
	output_hex(out, "\\x", text.data[0]);
	return text_after(text, 1);
}

bool needs_quotes(struct octets text, uint8_t separator)
{
	return text.length > 0 && (memchr(text.data, separator, text.length) != NULL ||
				   memchr(text.data, '"', text.length) != NULL);
}

static void write_words(struct output *out, const struct value *value, const char *between)
{
	for (size_t i = 0; i < value->words; i++) {
		if (i > 0)
			output_string(out, between);
		output_string(out, value->word[i]);
	}
}

static void write_csv(struct output *out, const struct value *value, uint8_t separator)
{
	const bool quoted = value->kind == LIST
				? value->words > 1
				: value->kind == TEXT && needs_quotes(value->text, separator);

	if (quoted)
		output_octet(out, '"');
	if (value->kind == TEXT)
		write_doubled(out, guard_cell(out, value->text));
	else if (value->kind == LIST)
		write_words(out, value, ",");
	else if (value->kind == NUMBER)
		output_number(out, value->number);
	if (quoted)
		output_octet(out, '"');
}

static void write_tsv(struct output *out, const struct value *value)
{
	if (value->kind == TEXT)
		output_escaped(out, guard_cell(out, value->text));
	else if (value->kind == NUMBER)
		output_number(out, value->number);
	else if (value->kind == ABSENT)
		output_string(out, "\\N");
	else if (value->words == 0)
		output_octet(out, '-');
	else
		write_words(out, value, ",");
}

static void write_json(struct output *out, const struct value *value)
{
	if (value->kind == TEXT) {
		output_json_string(out, value->text, false);
	} else if (value->kind == NUMBER) {
		output_number(out, value->number);
	} else if (value->kind == ABSENT) {
		output_string(out, "null");
	} else {
		output_string(out, value->words > 0 ? "[\"" : "[");
		write_words(out, value, "\",\"");
		output_string(out, value->words > 0 ? "\"]" : "]");
	}
}

/* ---- Rows --------------------------------------------------------------------------- */

/* Writes the separator before a value; in JSON, also its name. */
static void write_separator(struct output *out, const struct table *table, const char *name,
			    bool first)
{
	if (table->kind != TABLE_JSON) {
		output_octet(out, (char)table->separator);
		return;
	}
	emit(out, first ? "\"urivet_" : ",\"urivet_", name, "\":");
}

static void write_value(struct output *out, const struct table *table, const struct value *value)
{
	if (table->kind == TABLE_CSV)
		write_csv(out, value, table->separator);
	else if (table->kind == TABLE_TSV)
		write_tsv(out, value);
	else
		write_json(out, value);
}

static void write_all(struct output *out, const struct table *table, const struct table_row *row,
		      const struct item *item)
{
	const bool accepted = item->report->verdict == URIVET_ACCEPT;
	struct value value = {.kind = TEXT, .text = text_of(accepted ? "accept" : "reject")};

	write_separator(out, table, "verdict", !row->members);
	write_value(out, table, &value);
	value = (struct value){.kind = ABSENT};
	take_findings(&value, item);
	write_separator(out, table, "findings", false);
	write_value(out, table, &value);
	for (size_t i = 0; i < table->withs; i++) {
		take(&value, item, (enum with)table->with[i]);
		write_separator(out, table, with_names[table->with[i]], false);
		write_value(out, table, &value);
	}
}

void appended_write(struct output *out, const struct table *table, const struct table_row *row,
		    const struct item *item)
{
	output_text(out, text_at(row->text.data, row->insert));
	write_all(out, table, row, item);
	output_text(out, text_at(row->text.data + row->insert, row->whole - row->insert));
}

/* Returns the length of the header without its line end. */
static size_t text_length(const struct table *table, struct octets header)
{
	size_t length = header.length;

	if (length > 0 && header.data[length - 1] == '\n')
		length--;
	if (length > 0 && length < header.length && (table->kind == TABLE_CSV || table->crlf) &&
	    header.data[length - 1] == '\r')
		length--;
	return length;
}

void appended_write_names(struct output *out, const struct table *table, struct octets header)
{
	static const char *const always[] = {"verdict", "findings"};
	const size_t length = text_length(table, header);

	output_text(out, text_at(header.data, length));
	for (size_t i = 0; i < 2 + table->withs; i++) {
		output_octet(out, (char)table->separator);
		emit(out, "urivet_", i < 2 ? always[i] : with_names[table->with[i - 2]]);
	}
	output_text(out, text_after(header, length));
}
