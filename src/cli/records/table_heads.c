/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that all files have the same header, since the same columns are appended to all rows. */
#include "cli/records/table.h"
#include <errno.h>
#include <stdlib.h>

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
