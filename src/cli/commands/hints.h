/* SPDX-License-Identifier: Apache-2.0 */
/* Hints about probable mistakes on the command line. They go to standard error, and change neither
 * the output nor the exit status. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "cli/commands/options.h"

/* Hints that a word in place of a command may be a URI, or a file of URIs. */
void hint_at_command(const char *word);

/* Hints that an operand that names a file, or is "-", may be meant as input. Operands after "--"
 * are not checked, since they are deliberate and may come from an attacker. */
void hint_at_operands(const struct options *options);

/* Hints that the value of --policy may be a file. */
void hint_at_policy(const char *value);

/* Lists the findings that start with this prefix, after an unknown name. */
void hint_at_findings(const char *prefix);

#endif
