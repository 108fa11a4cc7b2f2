/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What shells complete by: the tables of commands and options, written as source for each shell.
 * That source knows all by itself, so that no key press starts the command.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/options/option_table.h"
#include "cli/show/output.h"

void bash_write(struct output *out);
void zsh_write(struct output *out);
void fish_write(struct output *out);

/* ---- For these three ---------------------------------------------------------- */

/* A word with a space before it. */
void completion_word(struct output *out, const char *word);

/* Every command, those that are listed and those that are not. */
void completion_commands(struct output *out);

/* The words that a value may be for this command. */
void completion_words(struct output *out, struct values values, const struct command *command);

/* Text inside of single quotes; a backslash goes before each of `special`. */
void completion_quoted(struct output *out, const char *text, const char *special);

/* True for words with commas between them. */
static inline bool values_are_list(struct values values)
{
	return values.kind == VALUE_WAIVED || values.kind == VALUE_RAISED;
}

static inline bool option_is_long(const struct option *option)
{
	return option->name[1] != '\0';
}

#endif
