/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of CSV (RFC 4180), and of fields with tabs between, which know no quotes. Rows keep their
 * octets; one that is broken is found to end where a reader would resume that forgives: at the next
 * line end outside quotes, where a quote opens only at the beginning of a field.
 */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* Where octets of CSV stand that come next. */
struct csv_place {
	uint8_t separator;
	enum {
		CSV_FIELD_BEGINS = 0, /* and a row perhaps */
		CSV_PLAIN,            /* in a field without quotes */
		CSV_QUOTED,
		CSV_QUOTE /* after a quote within quotes: it closes them, or another one follows */
	} at;
};

/* After the end of the last row in the text, or of the first one; NULL: none ends there. The place
 * becomes that of what follows the text, or the first row. */
const uint8_t *csv_row_end(struct csv_place *place, struct text text, bool first);

/* How many octets a BOM has that the text begins with: 3, or 0 for none. */
size_t csv_bom(struct text text);

static inline struct text without_bom(struct text text)
{
	const size_t bom = csv_bom(text);

	return (struct text){text.data + bom, text.length - bom};
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

/* What a fault is, in words. */
extern const char *const csv_faults[CSV_FAULTS];

struct csv_row;

/* What rows look like, and which field is wanted. */
struct csv_form {
	uint8_t separator;
	bool quotes;  /* fields may stand in quotes */
	bool crlf;    /* a CR before the LF belongs to the row's end */
	size_t field; /* from 1; 0: none is wanted */
	/* Called for each field, whose number is row->fields; NULL: nothing is to be done. */
	void (*each)(void *context, const struct csv_row *row, struct text field, bool doubled);
	void *context;
};

struct csv_row {
	struct text text; /* without the row's end */
	size_t whole;     /* with it */
	size_t fields;
	struct text
	    field;    /* the wanted one, without the quotes around it; no data: the row lacks it */
	bool doubled; /* ... in which quotes are doubled */
	enum csv_fault fault; /* the first one */
	size_t fault_field;   /* from 1 */
};

/* Reads the row that a text begins with; false if it is empty. */
bool csv_next(struct csv_row *row, const struct csv_form *form, struct text text);

/* How many rows a text has. */
uint64_t csv_count(const struct csv_form *form, struct text text);

/* Writes a field, of which quotes are doubled, with each of them once: how many octets. */
size_t csv_undouble(uint8_t *to, struct text field);

#endif
