/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of tables as they stand in the input, with what was found appended to them: columns of CSV or
 * TSV, or members of a JSON object. */
#ifndef CLI_APPENDED_H
#define CLI_APPENDED_H

#include "cli/options/options.h"
#include "cli/show/item.h"

/* The row, its end included, with the verdict, the findings, and what --with asks for. */
void appended_write(struct output *out, const struct table *table, const struct table_row *row,
		    const struct item *item);

/* A header, its end included, with the names of these columns. */
void appended_write_names(struct output *out, const struct table *table, struct text header);

#endif
