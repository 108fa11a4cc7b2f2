/* SPDX-License-Identifier: Apache-2.0 */
/* urivet check --count-by: counts records by finding, host, verdict and so on. */
#ifndef CLI_COUNTING_H
#define CLI_COUNTING_H

#include "cli/commands/options.h"

/* Judges the arguments or the input, and writes counts instead of records. */
enum status count_records(const struct options *options);

#endif
