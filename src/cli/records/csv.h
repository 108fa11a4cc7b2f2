/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses rows of CSV (RFC 4180) and of tab-separated fields, which have no quotes. The octets of
 * rows are kept. A broken row ends where a lenient parser would resume: at the next line end
 * outside quotes, where only a quote at the start of a field opens quotes.
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "common/text/octets.h"
#include <stdbool.h>

/* The state of a CSV scanner between two calls. */
struct csv_place {
	uint8_t separator;
	enum {
		CSV_FIELD_BEGINS = 0, /* perhaps a row, too */
		CSV_PLAIN,            /* in an unquoted field */
		CSV_QUOTED,
		CSV_QUOTE /* after a quote inside quotes, which closes them or is doubled */
	} at;
};

/* Returns the end (after the LF) of the last row in the text, or of the first row; NULL if no row
 * ends there. `place` becomes the state at the end of the text, or after the first row. */
const uint8_t *csv_row_end(struct csv_place *place, struct octets text, bool first);

/* Returns the length of the BOM at the start of the text: 3, or 0 if there is none. */
size_t csv_bom(struct octets text);

static inline struct octets without_bom(struct octets text)
{
	const size_t bom = csv_bom(text);

	return text_at(text.data + bom, text.length - bom);
}

enum csv_fault {
	CSV_GOOD = 0,
	CSV_STRAY_QUOTE,
	CSV_AFTER_QUOTE,
	CSV_OPEN_QUOTE,
	CSV_BARE_CR,
	CSV_NUL,
	CSV_FAULTS
};

/* The message for each fault. */
extern const char *const csv_faults[CSV_FAULTS];

struct csv_row;

/* The format of rows, and the wanted field. */
struct csv_form {
	uint8_t separator;
	bool quotes;  /* fields may be quoted */
	bool crlf;    /* a CR before the LF belongs to the line end */
	size_t field; /* number of the wanted field, from 1; 0: none */
	/* Called for each field; its number is row->fields. NULL: no callback. */
	void (*each)(void *context, const struct csv_row *row, struct octets field, bool doubled);
	void *context;
};

struct csv_row {
	struct octets text; /* without the line end */
	size_t whole;       /* length with the line end */
	size_t fields;
	struct octets
	    field;    /* the wanted field, without quotes; data is NULL if the row lacks it */
	bool doubled; /* ... it contains doubled quotes */
	enum csv_fault fault; /* the first fault */
	size_t fault_field;   /* number of the field with the fault, from 1 */
};

/* Parses the row at the start of a text. Returns false if the text is empty. */
bool csv_next(struct csv_row *row, const struct csv_form *form, struct octets text);

/* Returns the number of rows in a text. */
uint64_t csv_count(const struct csv_form *form, struct octets text);

/* Copies a field and replaces each doubled quote by one quote. Returns the length written. */
size_t csv_undouble(uint8_t *to, struct octets field);

#endif
