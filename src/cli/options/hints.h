/* SPDX-License-Identifier: Apache-2.0 */
/* Hints for who meant something else than what the command line says. They go to standard error, and
 * change neither the output nor the exit status. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "cli/options/options.h"

/* A word stands where a command should: perhaps a URI, or a file of URIs. */
void hint_at_command(const char *word);

/* Operands are URIs; one that names a file, or is "-", was perhaps meant as input. What stands after
 * "--" is never looked up: who writes that knows what it is, and it may be hostile. */
void hint_at_operands(const struct options *options);

/* --policy takes a name; this value may be that of a file. */
void hint_at_policy(const char *value);

/* There is no finding of that name: tells those that begin so. */
void hint_at_findings(const char *prefix);

/* An input begins like no text: tells what it is, and what makes text of it. */
void hint_at_packing(const char *name, struct text start);

#endif
