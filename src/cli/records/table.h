/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that are rows of a table: CSV, tab-separated fields, or one JSON object a line. One field
 * of each row is judged. The octets of a row are kept.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/records/csv.h"
#include "cli/records/json_row.h"
#include <stdlib.h>

enum table_kind { TABLE_NONE = 0, TABLE_CSV, TABLE_TSV, TABLE_JSON };

/* The default for --max-record, in octets. */
#define TABLE_RECORD_MOST 1048576u

/* Size of the buffer for a message about columns. */
#define TABLE_MESSAGE_MOST 512u

/* What can be appended besides the verdict and the findings. */
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
	WITH_REPAIRED,
	WITHS
};

/* What happens at a broken row. */
enum on_error { ON_ERROR_DEFAULT = 0, ON_ERROR_CONTINUE, ON_ERROR_STOP };

/* The options of the command line about tables. */
struct table {
	enum table_kind kind;
	const char *column; /* name or number; NULL: not given */
	size_t number;      /* number of the column, from 1; 0: it is given by name */
	uint8_t separator;  /* between fields; 0: not given */
	bool crlf;          /* TSV: a CR before the LF belongs to the line end */
	bool has_header;
	bool has_none;
	struct json_path path; /* JSON: the path to the field */
	const char *time;      /* name, number or path of the field with the time; NULL: none */
	size_t time_number;    /* from 1; 0: it is given by name */
	struct json_path time_path;
	enum on_error on_error;
	uint32_t record_most; /* maximum octets of a row; 0: not given */
	uint8_t with[WITHS];  /* enum with: what is appended, in this order */
	size_t withs;
};

/* What the first row of a file determines. */
struct table_head {
	size_t column; /* number of the judged column, from 1 */
	size_t time;   /* number of the column with the time; 0: none */
	size_t fields; /* number of fields in each row; 0: not known yet */
};

struct table_row {
	struct octets text; /* without the line end */
	size_t whole;       /* length with the line end */
	struct octets field; /* decoded */
	size_t field_at;     /* offset in the row of the field as written, without quotes */
	size_t field_length; /* ... and its length */
	bool unreadable;     /* it has no field that can be judged */
	const char *fault;   /* why the row is broken; NULL: it is not */
	const char *place;   /* "column" or "its octet"; NULL: no position */
	uint64_t fault_at;   /* the position, from 1 */
	uint64_t has, wants; /* numbers for the message; `wants` 0: none */
	size_t insert;       /* where columns or members are inserted */
	bool members;        /* JSON: the object has members */
};

static inline bool table_has_with(const struct table *table, enum with what)
{
	return table->withs > 0 && memchr(table->with, (int)what, table->withs) != NULL;
}

/* The fault of a row that is longer than --max-record. */
extern const char table_too_long[];

/* Memory for a decoded field. */
struct field_room {
	uint8_t *data;
	size_t size;
	bool failed; /* an allocation failed */
	void *exact; /* a row in a block of its size, in builds that have one */
};

static inline void field_room_free(struct field_room *room)
{
	free(room->data);
	free(room->exact);
}

/* Returns the format of CSV or TSV rows, with `column` as the wanted field. */
struct csv_form table_form(const struct table *table, size_t column);

/* What the first rows of all files determine. */
struct table_heads {
	struct table_head head; /* of the current file */
	struct octets header;   /* copy of the first file's header; data is NULL if none yet */
};

/* Removes the header from the first block of a file, if files have headers. *header gets the first
 * header of all, which is to be written; later ones give an empty text. Without headers, the first
 * row of all determines the number of columns. Returns NULL, or why the file cannot be read. */
const char *table_heads_take(struct table_heads *heads, const struct table *table,
			     struct octets *block, struct octets *header, bool begins);
void table_heads_free(struct table_heads *heads);

/* Parses the first row of a file into *row: its number of fields, and the wanted columns of a
 * header. Returns NULL, or a sentence about what is wrong. */
const char *table_head_read(struct table_head *head, struct csv_row *row, const struct table *table,
			    struct octets block);

/* Writes a list of the columns, and the delimiter that was probably meant. Returns false if `why`,
 * from table_head_read(), is not about a missing column. */
bool table_format_columns(char to[TABLE_MESSAGE_MOST], const struct table *table, const char *why,
			  struct octets block);

/* Takes the next row off the rest of a block. Returns false if none is left. */
bool table_next(struct table_row *row, const struct table *table, const struct table_head *head,
		struct octets *rest, struct field_room *room);

/* Returns the field with the time, as written. Data is NULL if the row has none. */
struct octets table_time(const struct table *table, const struct table_head *head,
			 const struct table_row *row);

/* Returns the number of rows in a block. */
uint64_t table_count(const struct table *table, struct octets block);

#endif
