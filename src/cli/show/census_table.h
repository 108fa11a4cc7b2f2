/* SPDX-License-Identifier: Apache-2.0 */
/* Writes counts as a table in descending order. */
#ifndef CLI_CENSUS_TABLE_H
#define CLI_CENSUS_TABLE_H

#include "cli/options/options.h"
#include "cli/records/census.h"

/* Writes the counts in the output format. Returns false after reporting an error. */
bool census_write(const struct census *counts, const struct options *options);

#endif
