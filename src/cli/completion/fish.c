/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the completion script for fish. */
#include "cli/completion/completion.h"
#include "cli/show/emit.h"

/* clang-format off */
static const char fish_head[] =
    "# fish completion for urivet, written by: urivet completion fish\n"
    "function __urivet_is -d 'is it one of these commands?'\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -q words[2]; and contains -- $words[2] $argv\n"
    "end\n"
    "function __urivet_first -d 'no operand yet?'\n"
    "\tset -l words (commandline -opc)\n"
    "\ttest (count (string match -v -- '-*' $words[3..-1])) -eq 0\n"
    "end\n"
    "function __urivet_list -d 'words after those that a comma ends'\n"
    "\tset -l token (commandline -ct | string replace -r -- '^--[^=]*=' '')\n"
    "\tprintf '%s\\n' (string replace -r -- '[^,]*$' '' \"$token\")$argv\n"
    "end\n"
    "function __urivet_alone -d 'no command yet?'\n"
    "\ttest (count (commandline -opc)) -eq 1\n"
    "end\n"
    "complete -c urivet -f\n"
    "complete -c urivet -n __urivet_alone -l help -d 'describe the commands'\n"
    "complete -c urivet -n __urivet_alone -l version -d 'the version'\n";
/* clang-format on */

static void fish_values(struct output *out, struct values values, const struct command *command)
{
	if (values.kind == VALUE_FILE)
		output_string(out, " -F");
	if (values.kind == VALUE_ANY || (values.kind == VALUE_FILE && values.words == NULL))
		return;
	output_string(out, values_are_list(values) ? " -a '(__urivet_list" : " -a '");
	completion_words(out, values, command);
	output_string(out, values_are_list(values) ? ")'" : "'");
}

/* Starts a line for all commands that take an option, or for `only` if it is not NULL. */
static void fish_begin(struct output *out, const struct option *option, const struct command *only)
{
	output_string(out, "complete -c urivet -n '__urivet_is");
	for (size_t i = 0; i < COMMANDS; i++) {
		if (only == NULL ? command_takes(&commands[i], option) : only == &commands[i])
			completion_word(out, commands[i].name);
	}
}

static void fish_option(struct output *out, const struct option *option, const struct command *only)
{
	fish_begin(out, option, only);
	output_octet(out, '\'');
	if (option_is_long(option))
		emit(out, " -l ", option->name);
	if (option->letter != '\0') {
		output_string(out, " -s ");
		output_octet(out, option->letter);
	}
	if (option->argument == ARGUMENT_REQUIRED) {
		output_string(out, option->values.kind == VALUE_FILE ? " -r" : " -x");
		fish_values(out, option->values, only != NULL ? only : &commands[0]);
	}
	output_string(out, " -d '");
	completion_quoted(out, option->help, "\\");
	output_string(out, "'\n");
}

static void fish_command(struct output *out, const struct command *command)
{
	emit(out, "complete -c urivet -n __urivet_alone -a ", command->name);
	if (command->summary != NULL) {
		output_string(out, " -d '");
		completion_quoted(out, command->summary, "\\");
		output_octet(out, '\'');
	}
	output_octet(out, '\n');
	if (command->first.kind != VALUE_ANY) {
		fish_begin(out, NULL, command);
		output_string(out, "; and __urivet_first'");
		fish_values(out, command->first, command);
		output_octet(out, '\n');
	}
	if (command->others.kind != VALUE_ANY) {
		fish_begin(out, NULL, command);
		output_string(out, "; and not __urivet_first'");
		fish_values(out, command->others, command);
		output_octet(out, '\n');
	}
}

void fish_write(struct output *out)
{
	output_string(out, fish_head);
	for (size_t i = 0; i < COMMANDS; i++)
		fish_command(out, &commands[i]);
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->values.kind != VALUE_READER) {
			fish_option(out, option, NULL);
			continue;
		}
		for (size_t i = 0; i < COMMANDS; i++) {
			if (command_takes(&commands[i], option))
				fish_option(out, option, &commands[i]);
		}
	}
}
