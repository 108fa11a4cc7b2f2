/* SPDX-License-Identifier: Apache-2.0 */
/* Writes rows of a table unchanged, with results appended: columns of CSV or TSV, or members of a
 * JSON object. */
#ifndef CLI_APPENDED_H
#define CLI_APPENDED_H

#include "cli/judge/item.h"
#include "cli/records/table.h"

/* The names of enum with, in order; ends with NULL. */
extern const char *const with_names[];

/* Returns true if a field of CSV or TSV with this text needs quotes. */
bool needs_quotes(struct octets text, uint8_t separator);

/* Writes the row and its line end, with the verdict, the findings, and what --with selects. */
void appended_write(struct output *out, const struct table *table, const struct table_row *row,
		    const struct item *item);

/* Writes the header and its line end, with the names of these columns. */
void appended_write_names(struct output *out, const struct table *table, struct octets header);

#endif
