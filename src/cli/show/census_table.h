/* SPDX-License-Identifier: Apache-2.0 */
/* Counts as a table, the greatest first. */
#ifndef CLI_CENSUS_TABLE_H
#define CLI_CENSUS_TABLE_H

#include "cli/options/options.h"
#include "cli/records/census.h"

/* Writes the counts in the format of the options; false after saying what failed. */
bool census_write(const struct census *counts, const struct options *options);

#endif
