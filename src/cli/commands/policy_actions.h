/* SPDX-License-Identifier: Apache-2.0 */
/* What urivet policy can do, beside checking and showing. */
#ifndef CLI_POLICY_ACTIONS_H
#define CLI_POLICY_ACTIONS_H

#include "cli/options/options.h"

/* Opens a file, or a built-in policy as if it were a file that sets only its base. NULL after
 * saying why not. */
struct urivet_loaded *policy_open(const char *name);

enum status policy_compile(const struct options *options);
enum status policy_diff(const struct options *options);

/* The records of the input that only one of the two accepts. */
enum status policy_diff_records(const struct options *options, const struct urivet_loaded *a,
				const struct urivet_loaded *b);

#endif
