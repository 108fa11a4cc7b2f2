/* SPDX-License-Identifier: Apache-2.0 */
/* Processes the rows of a call: arguments, results and a shared buffer. */
#include "common/exact.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urivet/compiled.h>

struct api api;

bool fail(struct rows *rows, const char *message)
{
	api.scalar_function_set_error(rows->info, message);
	rows->failed = true;
	return false;
}

char *room(struct rows *rows, size_t octets)
{
	char *more;

	if (octets <= rows->capacity)
		return rows->buffer;
	more = realloc(rows->buffer, octets);
	if (more == NULL) {
		fail(rows, "urivet: there is no memory");
		return NULL;
	}
	rows->buffer = more;
	rows->capacity = octets;
	return more;
}

/* ---- Results ---- */

void put_null(vector out, uint64_t row)
{
	api.vector_ensure_validity_writable(out);
	api.vector_get_validity(out)[row / 64] &= ~((uint64_t)1 << row % 64);
}

bool put_text(vector out, uint64_t row, struct urivet_text text)
{
	if (text.data != NULL)
		api.vector_assign_string_element_len(out, row, text.data, text.length);
	return text.data != NULL;
}

bool put_string(vector out, uint64_t row, const char *string)
{
	const char *octets = string != NULL ? string : "";

	return put_text(out, row, urivet_text_of(octets, strlen(octets)));
}

bool put_boolean(vector out, uint64_t row, bool value)
{
	((bool *)api.vector_get_data(out))[row] = value;
	return true;
}

bool put_integer(vector out, uint64_t row, int32_t value)
{
	((int32_t *)api.vector_get_data(out))[row] = value;
	return true;
}

/* ---- Arguments ---- */

/* A column of arguments, of type VARCHAR or BLOB. */
struct column {
	const union api_string *value;
	const uint64_t *valid; /* validity bits; NULL: all rows are valid */
};

static struct column column_of(data_chunk in, unsigned number)
{
	vector v = api.data_chunk_get_vector(in, number);

	return (struct column){api.vector_get_data(v), api.vector_get_validity(v)};
}

/* Reads the text of a row. Returns false if it is NULL. */
static bool take_text(const struct column *column, uint64_t row, struct urivet_text *text)
{
	const union api_string *value = &column->value[row];

	if (column->valid != NULL && (column->valid[row / 64] >> row % 64 & 1) == 0)
		return false;
	*text = urivet_text_of(value->length <= INLINE_MOST ? value->in_place : value->octets,
			       value->length);
	return true;
}

/* Copies and verifies a policy. Returns false after reporting an error. */
static bool open_policy(struct rows *rows, struct urivet_text compiled)
{
	enum urivet_compiled_fault fault;
	char message[160];
	void *octets = realloc(rows->octets, compiled.length + 1);

	rows->opened_from = urivet_text_of(NULL, 0);
	if (octets == NULL)
		return fail(rows, "urivet: there is no memory");
	rows->octets = octets;
	memcpy(octets, compiled.data, compiled.length);
	fault = urivet_compiled_open(&rows->opened, sizeof rows->opened, rows->octets,
				     compiled.length, NULL);
	if (fault != URIVET_COMPILED_GOOD) {
		(void)snprintf(message, sizeof message, "urivet: this is no compiled policy: %s",
			       urivet_compiled_fault_text(fault));
		return fail(rows, message);
	}
	rows->opened_from = compiled;
	return true;
}

/* Sets the policy of the row. Returns false after reporting an error. A constant has the same
 * address in all rows of a chunk, so contents are rarely compared. */
static bool take_policy(struct rows *rows, const struct column *column)
{
	struct urivet_text compiled;

	if (!take_text(column, rows->row, &compiled))
		return fail(rows,
			    "urivet: the policy is NULL; by no policy nothing can be accepted");
	rows->policy = &rows->opened;
	if (rows->opened_from.data != NULL && compiled.length == rows->opened_from.length &&
	    (compiled.data == rows->opened_from.data ||
	     memcmp(compiled.data, rows->octets, compiled.length) == 0))
		return true;
	return open_policy(rows, compiled);
}

/* Computes the result of the current row. A policy is the column after the texts. */
static void answer_row(const struct function *function, struct rows *rows,
		       const struct column *columns, bool policy)
{
	bool null = false;

	if (policy && !take_policy(rows, &columns[function->texts]))
		return;
	for (unsigned k = 0; k < function->texts; k++) {
		struct urivet_text *text = &rows->text[k];

		if (take_text(&columns[k], rows->row, text))
			text->data =
			    exact_copy(&rows->exact[k], text->data, text->length, "duckdb");
		else
			null = true;
	}
	if (!null && function->answer(rows))
		return;
	for (unsigned k = 0; function->members != NULL && function->members[k].name != NULL; k++)
		put_null(api.struct_vector_get_child(rows->out, k), rows->row);
	put_null(rows->out, rows->row);
}

void answer_rows(function_info info, data_chunk in, vector out)
{
	const struct function *function = api.scalar_function_get_extra_info(info);
	const uint64_t count = api.data_chunk_get_size(in);
	const bool policy =
	    function->policy && api.data_chunk_get_column_count(in) > function->texts;
	struct column columns[TEXTS_MOST + 1] = {0};
	struct rows rows = {.info = info, .out = out};

	for (unsigned k = 0; k <= TEXTS_MOST && k < function->texts + policy; k++)
		columns[k] = column_of(in, k);
	for (; rows.row < count && !rows.failed; rows.row++)
		answer_row(function, &rows, columns, policy);
	free(rows.buffer);
	free(rows.octets);
	for (unsigned k = 0; k < TEXTS_MOST; k++)
		free(rows.exact[k]);
}
