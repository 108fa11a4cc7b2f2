/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options, used to read, describe and complete them. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/commands/options.h"

enum argument { ARGUMENT_NONE = 0, ARGUMENT_REQUIRED, ARGUMENT_OPTIONAL };

/* How an option is set: by a function, or in a member of struct options. */
enum setting_kind {
	SETTING_CALL = 0,
	SETTING_FLAG,     /* a bool becomes true */
	SETTING_STRING,   /* the value itself */
	SETTING_NUMBER,   /* from `least` to `most` */
	SETTING_WORD,     /* the index of the word among the values of the option, plus `least` */
	SETTING_CONSTANT, /* `least` */
	SETTING_FINDINGS, /* adds comma-separated findings to a set */
};

struct setting {
	enum setting_kind kind;
	uint32_t least;
	uint32_t most;
	size_t member; /* offset in struct options */
	/* Returns false after reporting an error. `value` is NULL if none is given. */
	bool (*call)(struct options *options, const char *value);
	/* SETTING_WORD: starts the message about an unknown word. SETTING_CONSTANT: the message if
	 * the member has another value than 0 already; NULL: the last option wins. */
	const char *message;
};

struct option {
	const char *name; /* one letter: there is no long name */
	char letter;      /* 0: none */
	enum argument argument;
	const char *shown; /* as shown in the help */
	unsigned commands; /* the commands that take it: bit 1u << enum command_id */
	struct setting setting;
	const char *help; /* NULL: hidden, since this build does not support it */
	struct values values;
};

/* Ends with a row without a name. */
extern const struct option option_table[];

static inline bool option_is_long(const struct option *option)
{
	return option->name[1] != '\0';
}

/* Returns the option with that long name, or NULL. If several have it, that of this command. */
const struct option *option_named(const struct command *command, const char *name, size_t length);

/* Returns the first option with that letter, or NULL. */
const struct option *option_of_letter(char letter);

/* Sets an option. `value` is NULL if none is given. Returns false after reporting an error. */
bool option_set(struct options *options, const struct option *option, const char *value);

static inline bool command_takes(const struct command *command, const struct option *option)
{
	return (option->commands >> (command - commands) & 1u) != 0;
}

#endif
