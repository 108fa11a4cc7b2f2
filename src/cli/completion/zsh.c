/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the completion script for zsh. */
#include "cli/completion/completion.h"
#include "cli/show/emit.h"

/* clang-format off */
static const char zsh_head[] =
    "#compdef urivet\n"
    "# zsh completion for urivet, written by: urivet completion zsh\n"
    "_urivet() {\n"
    "\tlocal -a commands\n"
    "\tcommands=(\n";

static const char zsh_middle[] =
    "\t)\n"
    "\tif (( CURRENT == 2 )); then\n"
    "\t\t_describe -t commands command commands\n"
    "\t\t_arguments '--help[describe the commands]' '--version[the version]'\n"
    "\t\treturn\n"
    "\tfi\n"
    "\tshift words\n"
    "\t(( CURRENT-- ))\n"
    "\tcase $words[1] in\n";

static const char zsh_end[] =
    "\tesac\n"
    "}\n"
    "if [[ $funcstack[1] == _urivet ]]; then\n"
    "\t_urivet \"$@\"\n"
    "else\n"
    "\tcompdef _urivet urivet\n"
    "fi\n";
/* clang-format on */

/* Writes an action for _arguments. */
static void zsh_values(struct output *out, struct values values, const struct command *command)
{
	if (values_are_list(values)) {
		output_string(out, "{_values -s , finding");
		completion_words(out, values, command);
		output_octet(out, '}');
	} else if (values.kind == VALUE_FILE) {
		output_string(out, values.words == NULL ? "_files" : "{_files; compadd --");
		completion_words(out, values, command);
		output_string(out, values.words == NULL ? "" : "}");
	} else if (values.kind != VALUE_ANY) {
		output_octet(out, '(');
		completion_words(out, values, command);
		output_octet(out, ')');
	} else
		output_octet(out, ' ');
}

static void zsh_option(struct output *out, const struct option *option,
		       const struct command *command)
{
	output_string(out, " \\\n\t\t\t");
	if (option->letter != '\0' && option_is_long(option)) {
		output_string(out, "'-");
		output_octet(out, option->letter);
		output_octet(out, '[');
		completion_quoted(out, option->help, "[]\\:");
		output_octet(out, ']');
		if (option->argument == ARGUMENT_REQUIRED) {
			output_string(out, ":value:");
			zsh_values(out, option->values, command);
		}
		output_string(out, "' \\\n\t\t\t");
	}
	emit(out, values_are_list(option->values) ? "'*-" : "'-", option_is_long(option) ? "-" : "",
	     option->name,
	     option->argument == ARGUMENT_REQUIRED   ? "="
	     : option->argument == ARGUMENT_OPTIONAL ? "=-"
						     : "",
	     "[");
	completion_quoted(out, option->help, "[]\\:");
	output_octet(out, ']');
	if (option->argument != ARGUMENT_NONE) {
		output_string(out, option->argument == ARGUMENT_OPTIONAL ? "::value:" : ":value:");
		zsh_values(out, option->values, command);
	}
	output_octet(out, '\'');
}

static void zsh_operand(struct output *out, const struct command *command, const char *spec,
			struct values values)
{
	if (values.kind == VALUE_ANY)
		return;
	emit(out, " \\\n\t\t\t'", spec);
	zsh_values(out, values, command);
	output_octet(out, '\'');
}

static void zsh_command(struct output *out, const struct command *command)
{
	emit(out, "\t", command->name, ")\n\t\t_arguments -s -S");
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (command_takes(command, option))
			zsh_option(out, option, command);
	}
	zsh_operand(out, command, ":argument:", command->first);
	zsh_operand(out, command, "*:argument:", command->others);
	output_string(out, "\n\t\t;;\n");
}

void zsh_write(struct output *out)
{
	output_string(out, zsh_head);
	for (size_t i = 0; i < COMMANDS; i++) {
		emit(out, "\t\t'", commands[i].name);
		if (commands[i].summary != NULL) {
			output_octet(out, ':');
			completion_quoted(out, commands[i].summary, "\\:");
		}
		output_string(out, "'\n");
	}
	output_string(out, zsh_middle);
	for (size_t i = 0; i < COMMANDS; i++)
		zsh_command(out, &commands[i]);
	output_string(out, zsh_end);
}
