/* SPDX-License-Identifier: Apache-2.0 */
/* What an option is, for the files that read, describe and complete options. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/options/options.h"

enum argument { ARGUMENT_NONE = 0, ARGUMENT_REQUIRED, ARGUMENT_OPTIONAL };

/* How an option is set. */
struct setting {
	/* False after saying what is wrong. The value is NULL if none is given. NULL: all there is to do
	 * is to set a member. */
	bool (*call)(struct options *options, const char *value);
	size_t member; /* offset in struct options: a bool if no value is taken, else a string */
};

struct option {
	const char *name; /* if of one letter, there is no long name */
	char letter;      /* 0: none */
	enum argument argument;
	const char *shown; /* in the help */
	unsigned commands; /* the commands that take it: bit 1u << enum command_id */
	struct setting setting;
	const char *help; /* NULL: not shown, because this build lacks what it needs */
	struct values values;
};

/* The last row has no name. */
extern const struct option option_table[];

static inline bool command_takes(const struct command *command, const struct option *option)
{
	return (option->commands >> (command - commands) & 1u) != 0;
}

#endif
