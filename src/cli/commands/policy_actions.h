/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands of urivet policy in files of their own. */
#ifndef CLI_POLICY_ACTIONS_H
#define CLI_POLICY_ACTIONS_H

#include "cli/commands/options.h"

/* Opens a policy file, or a built-in policy as if it were a file that sets only its base. Returns
 * NULL after reporting the error. */
struct urivet_loaded *policy_open(const char *name);

enum status policy_diff(const struct options *options);
enum status policy_import(const struct options *options);
enum status policy_learn(const struct options *options);
enum status policy_test(const struct options *options);
enum status policy_explain(const struct options *options);

/* Writes the records of the input that only one of the two policies accepts. */
enum status policy_diff_records(const struct options *options, const struct urivet_loaded *a,
				const struct urivet_loaded *b);

#endif
