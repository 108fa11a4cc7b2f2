/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options, used to read, describe and complete them. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/options/options.h"

enum argument { ARGUMENT_NONE = 0, ARGUMENT_REQUIRED, ARGUMENT_OPTIONAL };

/* How an option is set. */
struct setting {
	/* Returns false after reporting an error. `value` is NULL if none is given. A NULL `call`
	 * means that only a member is set. */
	bool (*call)(struct options *options, const char *value);
	size_t member; /* offset in struct options: a bool without a value, else a string */
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

static inline bool command_takes(const struct command *command, const struct option *option)
{
	return (option->commands >> (command - commands) & 1u) != 0;
}

#endif
