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

/* Reports an error, which ends the query. Returns false. */
bool fail(struct rows *rows, const char *message);

/* Returns a buffer of at least `octets`, valid until the next call. Returns NULL after reporting an
 * error. */
char *room(struct rows *rows, size_t octets);

/* Makes the row NULL. */
void put_null(vector out, uint64_t row);

/* Write a value and return true. A text without data is not written: put_text() returns false. */
bool put_text(vector out, uint64_t row, struct urivet_text text);
bool put_string(vector out, uint64_t row, const char *string); /* NULL becomes an empty string */
bool put_boolean(vector out, uint64_t row, bool value);
bool put_integer(vector out, uint64_t row, int32_t value);

/* A type is a type_id, or LIST_OF and that of the elements. */
#define LIST_OF 256

struct member {
	int type;
	const char *name;
};

/* A function of `texts` arguments of VARCHAR; if it has a policy, also with a BLOB after them. */
struct function {
	const char *name;
	int returns;
	const struct member *members; /* of the struct that it returns, up to a NULL name */
	unsigned texts;
	bool policy;
	bool (*answer)(struct rows *rows); /* false: the result is NULL, or there was an error */
};

/* Computes all rows of a chunk with the function stored as extra info. A NULL text gives NULL; a
 * NULL policy is an error. */
void answer_rows(function_info info, data_chunk in, vector out);

#endif
