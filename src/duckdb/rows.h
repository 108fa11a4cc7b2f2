/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a call: what is asked of each, and room for the answer. */
#ifndef DUCKDB_ROWS_H
#define DUCKDB_ROWS_H

#include "api.h"

#include <urivet.h>

#define TEXTS_MOST 2

/* Octets that functions without a policy read: a longer text has no parts and no spelling. */
#define PIECES_MOST (1024 * 1024)

/* A call for the rows of a chunk. */
struct rows {
	function_info info;
	vector out;
	uint64_t row;
	struct urivet_text text[TEXTS_MOST];
	const struct urivet_policy *policy; /* NULL: strict */
	char *buffer;                       /* what room() gave */
	size_t capacity;
	bool failed; /* an error was said */
	/* the policy that was opened last, and the octets that it was opened from */
	struct urivet_policy opened;
	struct urivet_text opened_from;
	void *octets;
};

/* Says an error, which ends the query. */
void fail(struct rows *rows, const char *message);

/* Room for so many octets until it is asked again; NULL after saying an error: there is none. */
char *room(struct rows *rows, size_t octets);

/* Makes the row of a vector NULL. */
void put_null(vector out, uint64_t row);

void put_text(vector out, uint64_t row, struct urivet_text text);
void put_string(vector out, uint64_t row, const char *string); /* NULL: an empty one */
void put_boolean(vector out, uint64_t row, bool value);
void put_integer(vector out, uint64_t row, int32_t value);

/* Room for `count` more elements of a list, which becomes the row's: the index of the first one in
 * the child vector, UINT64_MAX after saying an error. */
uint64_t put_list(struct rows *rows, vector out, uint64_t count);

/* One function, as it is called: `texts` of VARCHAR, then a BLOB if it has a policy. */
struct function {
	const char *name;
	const char *returns; /* "b", "i", "t"; "T" a list of texts; "r" a report, "e" an endpoint */
	unsigned texts;
	bool policy;
	void (*answer)(struct rows *rows);
};

/* Answers every row of a chunk by the function of its extra information. A text of NULL gives NULL, a
 * policy of NULL is an error. */
void answer_rows(function_info info, data_chunk in, vector out);

#endif
