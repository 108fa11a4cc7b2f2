/* SPDX-License-Identifier: Apache-2.0 */
/* Parses rows and extracts the field that is judged. */
#include "cli/records/table.h"
#include "cli/records/cursor.h"
#include "cli/records/names.h"
#include "common/exact.h"
#include "common/grow.h"
#include <errno.h>
#include <stdlib.h>

const char table_too_long[] = "it is longer than --max-record, and was not read";

static uint8_t *make_room(struct field_room *room, size_t size)
{
	if (grow(&room->data, &room->size, size, 1))
		return room->data;
	room->failed = true;
	return NULL;
}

static const char lacks_column[] = "its header lacks the name of --column";
static const char lacks_time[] = "its header lacks the name of --time-field";
static const char too_few[] = "its first row has fewer columns than --column says";
static const char too_few_for_time[] = "its first row has fewer columns than --time-field says";

/* The maximum length of a column name in a message. */
#define NAME_MOST 40u

/* ---- The first row ------------------------------------------------------------------------------- */

struct csv_form table_form(const struct table *table, size_t column)
{
	const bool csv = table->kind == TABLE_CSV;

	/* RFC 4180 ends rows in CR LF; in TSV a CR may belong to the last field */
	return (struct csv_form){.separator = table->separator,
				 .quotes = csv,
				 .crlf = csv || table->crlf,
				 .field = column};
}

/* Takes a code point off a column's name in which quotes are doubled. */
static uint32_t take_doubled(struct octets *rest)
{
	const uint32_t point = take_point(rest);

	if (point == '"')
		(void)take_point(rest);
	return point;
}

/* Compares a column's name, which may contain doubled quotes, with a name; if not `whole`, compares
 * only its start. */
static enum likeness compare_column(struct octets field, bool doubled, struct octets name,
				    bool whole)
{
	return compare_names(field, doubled ? take_doubled : take_point, name, whole);
}

/* Returns a column's name without the white space around it, which some decoders remove. */
static struct octets trim(struct octets field)
{
	return text_trim(field, " \t", " \t");
}

/* Compares a column with a name that is looked for, unless that is given by number. */
static enum likeness compare_sought(const char *name, size_t number, struct octets field,
				    bool doubled)
{
	if (name == NULL || number > 0)
		return OTHER;
	if (compare_column(field, doubled, text_of(name), true) == SAME)
		return SAME;
	return compare_column(trim(field), doubled, trim(text_of(name)), true) != OTHER ? LIKE
											: OTHER;
}

/* A column that is looked for by its name. */
struct sought {
	const char *name;
	size_t number; /* of the option; 0: the column is given by name */
	size_t column; /* its number; 0: not found yet */
	size_t alike;  /* columns that decoders may take for it */
};

/* The state of the search for columns in a header. */
struct search {
	struct sought column;
	struct sought time;
	const char *fault;
};

static void seek(struct sought *sought, size_t number, struct octets field, bool doubled)
{
	const enum likeness likeness = compare_sought(sought->name, sought->number, field, doubled);

	sought->alike += likeness != OTHER;
	if (likeness == SAME)
		sought->column = number;
}

static void look_at_name(void *context, const struct csv_row *row, struct octets field,
			 bool doubled)
{
	struct search *search = context;

	if (compare_column(trim(field), doubled, text_of("urivet_"), false) != OTHER)
		search->fault = "its header has a name that begins with urivet_";
	seek(&search->column, row->fields, field, doubled);
	seek(&search->time, row->fields, field, doubled);
	if (search->column.column > 0 && search->column.alike > 1)
		search->fault = "its header has the name of --column twice";
	else if (search->time.column > 0 && search->time.alike > 1)
		search->fault = "its header has the name of --time-field twice";
}

const char *table_head_read(struct table_head *head, struct csv_row *row, const struct table *table,
			    struct octets block)
{
	const size_t bom = table->has_header ? csv_bom(block) : 0;
	struct search search = {{table->column, table->number, table->number, 0},
				{table->time, table->time_number, table->time_number, 0},
				NULL};
	struct csv_form form = table_form(table, 0);

	if (table->has_header) {
		form.each = look_at_name;
		form.context = &search;
	}
	*row = (struct csv_row){0};
	(void)csv_next(row, &form, text_after(block, bom));
	*head = (struct table_head){
	    .column = search.column.column, .time = search.time.column, .fields = row->fields};
	row->text = text_at(block.data, row->text.length + bom);
	row->whole += bom;
	if (row->text.length > table->record_most && table->has_header)
		return table_too_long;
	if (row->fault != CSV_GOOD && table->has_header)
		return csv_faults[row->fault];
	if (search.fault != NULL)
		return search.fault;
	if (head->column == 0)
		return lacks_column;
	if (table->time != NULL && head->time == 0)
		return lacks_time;
	if (head->time > head->fields)
		return too_few_for_time;
	return head->column > head->fields ? too_few : NULL;
}

/* A message, truncated at the size of its buffer. */
struct message {
	char *to;
	size_t used;
};

static void say(struct message *message, const void *text, size_t length)
{
	const size_t room = TABLE_MESSAGE_MOST - 1 - message->used;

	if (length > room)
		length = room;
	memcpy(message->to + message->used, text, length);
	message->used += length;
	message->to[message->used] = '\0';
}

static void say_words(struct message *message, const char *words)
{
	say(message, words, strlen(words));
}

static void say_name(void *context, const struct csv_row *row, struct octets field, bool doubled)
{
	(void)doubled;
	say_words(context, row->fields > 1 ? ", '" : "'");
	say(context, field.data, field.length < NAME_MOST ? field.length : NAME_MOST);
	say_words(context, "'");
}

/* Suggests another delimiter if the whole row is one field. */
static void say_delimiter(struct message *message, const struct table *table, struct octets row)
{
	static const struct {
		char octet;
		const char *option;
	} usual[] = {{';', "--csv --delimiter=';'"},
		     {'|', "--csv --delimiter='|'"},
		     {'\t', "--tsv-in"},
		     {',', "--csv"}};

	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
		if (usual[i].octet == (char)table->separator || row.length == 0 ||
		    memchr(row.data, usual[i].octet, row.length) == NULL)
			continue;
		say_words(message, "; did you mean ");
		say_words(message, usual[i].option);
		say_words(message, "?");
		return;
	}
}

bool table_format_columns(char to[TABLE_MESSAGE_MOST], const struct table *table, const char *why,
			  struct octets block)
{
	struct message message = {.to = to};
	struct csv_form form = table_form(table, 0);
	struct csv_row row;

	if (why != lacks_column && why != lacks_time && why != too_few && why != too_few_for_time)
		return false;
	form.each = say_name;
	form.context = &message;
	say_words(&message, "its columns: ");
	if (!csv_next(&row, &form, without_bom(block)))
		return false;
	if (row.fields == 1)
		say_delimiter(&message, table, row.text);
	return true;
}

/* ---- The headers of all files: the same, since the same columns are appended to all rows ------ */

/* Keeps the first header. Returns an error if a later header differs from it. */
static const char *keep_header(struct table_heads *heads, struct octets header, bool *first)
{
	const struct octets names = without_bom(header);
	uint8_t *copy;

	*first = heads->header.data == NULL;
	if (!*first)
		return text_equals(names, heads->header)
			   ? NULL
			   : "its header is not that of the first file";
	copy = malloc(names.length + 1);
	if (copy == NULL)
		return strerror(ENOMEM);
	memcpy(copy, names.data, names.length);
	heads->header = text_at(copy, names.length);
	return NULL;
}

static const char *take_header(struct table_heads *heads, const struct table *table,
			       struct octets *block, struct octets *header)
{
	struct table_head head;
	struct csv_row row;
	bool first = false;
	const char *why = table_head_read(&head, &row, table, *block);

	if (why == NULL)
		why = keep_header(heads, row.text, &first);
	if (why != NULL)
		return why;
	heads->head = head;
	*header = text_at(block->data, first ? row.whole : 0);
	*block = text_after(*block, row.whole);
	return NULL;
}

const char *table_heads_take(struct table_heads *heads, const struct table *table,
			     struct octets *block, struct octets *header, bool begins)
{
	struct csv_row row;

	if (table->has_header && begins)
		return take_header(heads, table, block, header);
	return heads->head.fields == 0 ? table_head_read(&heads->head, &row, table, *block) : NULL;
}

void table_heads_free(struct table_heads *heads)
{
	free((void *)(uintptr_t)heads->header.data);
	heads->header = (struct octets){0};
}

/* ---- Rows ------------------------------------------------------------------------------------------ */

static void break_row(struct table_row *row, const char *fault, const char *place, uint64_t at)
{
	row->unreadable = true;
	row->fault = fault;
	row->place = place;
	row->fault_at = at;
	row->wants = 0; /* the fields were counted, but this fault is reported instead */
}

/* A row with more or fewer fields than the first would shift the appended columns, so that its
 * author could forge the verdict. */
static void check_fields(struct table_row *row, const struct csv_row *csv,
			 const struct table_head *head)
{
	if (csv->fault != CSV_GOOD) {
		break_row(row, csv_faults[csv->fault], "column", csv->fault_field);
	} else if (csv->fields != head->fields) {
		break_row(row, "its number of fields is not that of the first row", NULL, 0);
		row->has = csv->fields;
		row->wants = head->fields;
	}
}

static bool next_csv(struct table_row *row, const struct table *table,
		     const struct table_head *head, struct octets *rest, struct field_room *room)
{
	const struct csv_form form = table_form(table, head->column);
	const struct octets block = *rest;
	const uint8_t *start = block.data;
	struct csv_row csv;
	uint8_t *decoded;

	if (!csv_next(&csv, &form, block))
		return false;
	if (EXACT_BUFFERS) {
		(void)csv_next(
		    &csv, &form,
		    text_at(exact_copy(&room->exact, block.data, csv.whole, "row"), csv.whole));
		start = csv.text.data;
		csv.text.data = block.data;
	}
	*row = (struct table_row){
	    .text = csv.text, .whole = csv.whole, .field = csv.field, .insert = csv.text.length};
	if (csv.field.data != NULL) {
		row->field_at = (size_t)(csv.field.data - start);
		row->field_length = csv.field.length;
	}
	check_fields(row, &csv, head);
	if (!row->unreadable && csv.doubled) {
		decoded = make_room(room, csv.field.length);
		row->unreadable = decoded == NULL;
		if (decoded != NULL)
			row->field = text_at(decoded, csv_undouble(decoded, csv.field));
	}
	return true;
}

static void read_json_field(struct table_row *row, const struct json_row *json, const uint8_t *start,
			    struct field_room *room)
{
	uint8_t *decoded;

	row->unreadable = json->ambiguous || json->field.data == NULL;
	row->field = json->field;
	if (row->unreadable)
		return;
	row->field_at = (size_t)(json->field.data - start);
	row->field_length = json->field.length;
	if (!json->escaped)
		return;
	decoded = make_room(room, json->field.length);
	row->field.data = decoded;
	row->unreadable = decoded == NULL || !json_decode(decoded, &row->field.length, json->field);
}

static bool next_json(struct table_row *row, const struct table *table, struct octets *rest,
		      struct field_room *room)
{
	struct cursor cursor = cursor_over(*rest, '\n', true);
	const uint8_t *start;
	struct json_row json;
	struct octets line;

	if (!cursor_next(&cursor, &line))
		return false;
	start = exact_copy(&room->exact, line.data, line.length, "row");
	json_row_read(&json, &table->path, text_at(start, line.length));
	*row = (struct table_row){.text = line,
				  .whole = (size_t)(cursor.at - line.data),
				  .insert = json.close,
				  .members = json.members};
	if (json.fault != NULL)
		break_row(row, json.fault, "its octet", json.fault_at + 1);
	else
		read_json_field(row, &json, start, room);
	return true;
}

bool table_next(struct table_row *row, const struct table *table, const struct table_head *head,
		struct octets *rest, struct field_room *room)
{
	if (!(table->kind == TABLE_JSON ? next_json(row, table, rest, room)
					: next_csv(row, table, head, rest, room)))
		return false;
	if (row->text.length > table->record_most)
		break_row(row, table_too_long, NULL, 0);
	*rest = text_after(*rest, row->whole);
	if (row->unreadable)
		row->field = text_at(row->text.data, 0);
	return true;
}

/* Returns the member with the time: a string, or a number of seconds. */
static struct octets json_time(const struct table *table, const struct table_row *row)
{
	struct json_row json;

	json_row_read(&json, &table->time_path, row->text);
	if (json.fault != NULL || json.ambiguous || json.escaped)
		return (struct octets){0};
	return json.field.data != NULL ? json.field : json.number;
}

struct octets table_time(const struct table *table, const struct table_head *head,
			 const struct table_row *row)
{
	const struct csv_form form = table_form(table, head->time);
	struct csv_row csv;

	if (table->kind == TABLE_JSON)
		return json_time(table, row);
	return csv_next(&csv, &form, row->text) && !csv.doubled ? csv.field : (struct octets){0};
}

uint64_t table_count(const struct table *table, struct octets block)
{
	const struct csv_form form = table_form(table, 0);

	return csv_count(&form, block);
}
