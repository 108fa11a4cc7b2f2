/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes completion scripts for shells from the tables of commands and options. A script contains
 * all names, so that it does not run the command at each key press.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/options/option_table.h"
#include "cli/show/output.h"

void bash_write(struct output *out);
void zsh_write(struct output *out);
void fish_write(struct output *out);

/* ---- Helpers for the three scripts ----------------------------------------------- */

/* Writes a space and a word. */
void completion_word(struct output *out, const char *word);

/* Writes the names of all commands, including unlisted ones. */
void completion_commands(struct output *out);

/* Writes the words that are valid values for this command. */
void completion_words(struct output *out, struct values values, const struct command *command);

/* Writes text for single quotes; a backslash is put before each character in `special`. */
void completion_quoted(struct output *out, const char *text, const char *special);

/* Returns true if the value is a comma-separated list. */
static inline bool values_are_list(struct values values)
{
	return values.kind == VALUE_WAIVED || values.kind == VALUE_RAISED;
}

static inline bool option_is_long(const struct option *option)
{
	return option->name[1] != '\0';
}

#endif
