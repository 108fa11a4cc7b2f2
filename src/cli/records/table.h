/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that are rows of a table, of which one field is judged: CSV, fields with tabs between, or
 * one JSON object a line. The octets of a row are kept.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/records/csv.h"
#include "cli/records/json_row.h"

enum table_kind { TABLE_NONE = 0, TABLE_CSV, TABLE_TSV, TABLE_JSON };

/* The most octets of a row where nothing is said. */
#define TABLE_RECORD_MOST 1048576u

/* Octets of a message about columns. */
#define TABLE_MESSAGE_MOST 512u

/* What can be appended beside the verdict and the findings. */
enum with {
	WITH_NUMBER = 0,
	WITH_SCHEME,
	WITH_USERINFO,
	WITH_HOST,
	WITH_PORT,
	WITH_PATH,
	WITH_QUERY,
	WITH_FRAGMENT,
	WITH_REGISTRABLE,
	WITH_CLASS,
	WITH_SUGGESTION,
	WITHS
};

/* What the command line says of it. */
struct table {
	enum table_kind kind;
	const char *column; /* name or number; NULL: not said */
	size_t number;      /* of the column, from 1; 0: it is named */
	uint8_t separator;  /* between fields; 0: not said */
	bool crlf;          /* TSV: a CR before the LF belongs to the row's end */
	bool has_header;
	bool has_none;
	struct json_path path; /* of JSON */
	const char *time; /* name or number of the column with the time, or its path; NULL: none */
	size_t time_number; /* from 1; 0: it is named */
	struct json_path time_path;
	bool says_on_error;
	bool stops;           /* at the first row that is broken */
	uint32_t record_most; /* octets of a row; 0: not said */
	uint8_t with[WITHS];  /* enum with: what is appended, in order */
	size_t withs;
};

/* What the first row tells of the others. */
struct table_head {
	size_t column; /* the one that is judged, from 1 */
	size_t time;   /* the one with the time; 0: none */
	size_t fields; /* of each row; 0: not known yet */
};

struct table_row {
	struct text text; /* without the row's end */
	size_t whole;     /* with it */
	struct text field;
	bool unreadable;     /* there is no field that could be judged */
	const char *fault;   /* the row itself is broken; NULL: it is not */
	const char *place;   /* "column" or "its octet"; NULL: none is told */
	uint64_t fault_at;   /* from 1 */
	uint64_t has, wants; /* numbers to the fault; `wants` 0: none are told */
	size_t insert;       /* where columns or members are put in */
	bool members;        /* JSON: the object has some */
};

static inline bool table_has_with(const struct table *table, enum with what)
{
	return table->withs > 0 && memchr(table->with, (int)what, table->withs) != NULL;
}

/* What is wrong with a row of more octets than --max-record. */
extern const char table_too_long[];

/* Memory for a field that has to be decoded. */
struct field_room {
	uint8_t *data;
	size_t size;
	bool failed; /* there was no memory */
};

/* Fields of a row of CSV or TSV, the wanted one being `column`. */
struct csv_form table_form(const struct table *table, size_t column);

/* What the first rows of all files tell. */
struct table_heads {
	struct table_head head; /* of the rows that come next */
	struct text header;     /* of the first file with one, a copy; no data: none yet */
};

/* Takes the header off a block with which a file begins, if files have headers: *header gets it where it
 * is to be written, the first time, else no octets. Without headers, the first row of all counts the
 * columns. Why the file cannot be read, or NULL. */
const char *table_heads_take(struct table_heads *heads, const struct table *table,
			     struct text *block, struct text *header, bool begins);
void table_heads_free(struct table_heads *heads);

/* Reads the first row of a file: its number of fields, and where a header has the wanted column. A
 * sentence about what is wrong, or NULL; *row has the row. */
const char *table_head_read(struct table_head *head, struct csv_row *row, const struct table *table,
			    struct text block);

/* Writes which columns there are, and the delimiter that seems to be meant; false if `why`, of
 * table_head_read(), is not that one is missing. */
bool table_tell_columns(char to[TABLE_MESSAGE_MOST], const struct table *table, const char *why,
			struct text block);

/* Takes the next row off the rest of a block; false if there is none. */
bool table_next(struct table_row *row, const struct table *table, const struct table_head *head,
		struct text *rest, struct field_room *room);

/* The field with the time, as written; no data: the row has none. */
struct text table_time(const struct table *table, const struct table_head *head,
		       const struct table_row *row);

/* How many rows a block has. */
uint64_t table_count(const struct table *table, struct text block);

#endif
