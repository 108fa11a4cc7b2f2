/* SPDX-License-Identifier: Apache-2.0 */
/* Processes the rows of a call: arguments, results and a shared buffer. */
#ifndef DUCKDB_ROWS_H
#define DUCKDB_ROWS_H

#include "api.h"

#include <urivet.h>

#define TEXTS_MOST 2

/* Maximum length in octets for functions without a policy. They return NULL for longer texts. */
#define PIECES_MOST (1024 * 1024)

/* A call for the rows of a chunk. */
struct rows {
	function_info info;
	vector out;
	uint64_t row;
	struct urivet_text text[TEXTS_MOST];
	const struct urivet_policy *policy; /* NULL: strict */
	char *buffer;                       /* allocated by room() */
	size_t capacity;
	bool failed; /* an error was reported */
	/* the policy opened last, and the octets it was opened from */
	struct urivet_policy opened;
	struct urivet_text opened_from;
	void *octets;
	void *exact[TEXTS_MOST]; /* the texts in blocks of their size, in builds that have them */
};

/* Reports an error, which ends the query. */
void fail(struct rows *rows, const char *message);

/* Returns a buffer of at least `octets`, valid until the next call. Returns NULL after reporting an
 * error. */
char *room(struct rows *rows, size_t octets);

/* Makes the row NULL. */
void put_null(vector out, uint64_t row);

/* Makes the result of the row NULL, with all its members. */
void put_nulls(struct rows *rows, unsigned members);

/* Returns the number of members of the struct that a function returns, 0 if it returns none. */
unsigned members_of(const char *returns);

void put_text(vector out, uint64_t row, struct urivet_text text);
void put_string(vector out, uint64_t row, const char *string); /* NULL becomes an empty string */
void put_boolean(vector out, uint64_t row, bool value);
void put_integer(vector out, uint64_t row, int32_t value);

/* Appends `count` elements to the child vector as the list of the row. Returns the index of the
 * first one, or UINT64_MAX after reporting an error. */
uint64_t put_list(struct rows *rows, vector out, uint64_t count);

/* A function: it takes `texts` arguments of VARCHAR, then a BLOB if it has a policy. */
struct function {
	const char *name;
	const char *returns; /* "b" boolean, "i" integer, "t" text, "B" blob, "T" list of texts, "r"
			      * report, "e" endpoint */
	unsigned texts;
	bool policy;
	void (*answer)(struct rows *rows);
};

/* Computes all rows of a chunk with the function stored as extra info. A NULL text gives NULL; a
 * NULL policy is an error. */
void answer_rows(function_info info, data_chunk in, vector out);

#endif
