/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check --count-by: how many records have a finding, a host, a verdict. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include "cli/options/options.h"

/* Judges the arguments or the input, and writes the counts in place of the records. */
enum status count_records(const struct options *options);

#endif
