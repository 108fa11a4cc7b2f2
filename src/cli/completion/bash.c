/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the completion script for bash. */
#include "cli/completion/completion.h"
#include "cli/show/emit.h"

/* clang-format off */
static const char bash_head[] =
    "# bash completion for urivet, written by: urivet completion bash\n"
    "_urivet()\n"
    "{\n"
    "\tlocal IFS=$' \\t\\n' cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "\tlocal command=${COMP_WORDS[1]} option= equals= prefix= words= files= list= operand=0 i\n"
    "\tCOMPREPLY=()\n"
    "\t# In --name=value the = is a word of its own, where COMP_WORDBREAKS has it.\n"
    "\tif [[ $cur == = ]]; then\n"
    "\t\toption=$before equals=1 cur=\n"
    "\telif [[ $before == = ]]; then\n"
    "\t\toption=${COMP_WORDS[COMP_CWORD-2]} equals=1\n"
    "\telif [[ $cur == --*=* ]]; then\n"
    "\t\toption=${cur%%=*} equals=1 prefix=${cur%%=*}= cur=${cur#*=}\n"
    "\telif [[ $before == --* ]]; then\n"
    "\t\toption=$before\n"
    "\tfi\n"
    "\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
    "\t\tcase ${COMP_WORDS[i]} in\n"
    "\t\t=) ((i++)) ;;\n"
    "\t\t-*) ;;\n"
    "\t\t*) ((operand++)) ;;\n"
    "\t\tesac\n"
    "\tdone\n"
    "\tcase $COMP_CWORD/$command/$option in\n"
    "\t1/*) words='--help --version";

static const char bash_tail[] =
    "\t*)\n"
    "\t\t[[ -z $equals ]] || return 0\n"
    "\t\tcase $command/$cur/$operand in\n";

static const char bash_end[] =
    "\t\tesac\n"
    "\t\t;;\n"
    "\tesac\n"
    "\tif [[ -n $list && $cur == *,* ]]; then\n"
    "\t\tprefix=$prefix${cur%,*}, cur=${cur##*,}\n"
    "\tfi\n"
    "\tCOMPREPLY=($(compgen -P \"$prefix\" -W \"$words\" -- \"$cur\"))\n"
    "\tif [[ -n $files ]]; then\n"
    "\t\tIFS=$'\\n'\n"
    "\t\tCOMPREPLY+=($(compgen -P \"$prefix\" -f -- \"$cur\"))\n"
    "\t\tcompopt -o filenames 2>/dev/null\n"
    "\tfi\n"
    "\tif [[ -n $list || ${COMPREPLY[0]} == --*= ]]; then\n"
    "\t\tcompopt -o nospace 2>/dev/null\n"
    "\tfi\n"
    "\treturn 0\n"
    "}\n"
    "complete -F _urivet urivet\n";
/* clang-format on */

/* Writes the action after a case pattern. */
static void bash_values(struct output *out, struct values values, const struct command *command)
{
	output_string(out, ") words='");
	completion_words(out, values, command);
	emit(out, "'", values.kind == VALUE_FILE ? " files=1" : "",
	     values_are_list(values) ? " list=1" : "", " ;;\n");
}

/* Writes the patterns of an option: one for each command if its values depend on the command. */
static void bash_option(struct output *out, const struct option *option)
{
	bool differs = option->values.kind == VALUE_READER;

	if (option->argument != ARGUMENT_REQUIRED)
		return;
	for (size_t i = 0; i < (differs ? COMMANDS : 1); i++) {
		if (differs && !command_takes(&commands[i], option))
			continue;
		emit(out, "\t*/", differs ? commands[i].name : "*", "/--", option->name);
		bash_values(out, option->values, &commands[i]);
	}
}

static void bash_operand(struct output *out, const struct command *command, const char *pattern,
			 struct values values)
{
	if (values.kind == VALUE_ANY && command->first.kind == VALUE_ANY)
		return;
	emit(out, "\t\t", command->name, pattern);
	bash_values(out, values, command);
}

/* Writes the names of the options that a command takes, and its operands. */
static void bash_command(struct output *out, const struct command *command)
{
	emit(out, "\t\t", command->name, "/-*) words='");
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (!command_takes(command, option))
			continue;
		emit(out, option_is_long(option) ? " --" : " -", option->name,
		     option->argument == ARGUMENT_REQUIRED ? "=" : "");
	}
	output_string(out, "' ;;\n");
	bash_operand(out, command, "/*/0", command->first);
	bash_operand(out, command, "/*", command->others);
}

void bash_write(struct output *out)
{
	output_string(out, bash_head);
	completion_commands(out);
	output_string(out, "' ;;\n");
	for (const struct option *option = option_table; option->name != NULL; option++)
		bash_option(out, option);
	output_string(out, bash_tail);
	for (size_t i = 0; i < COMMANDS; i++)
		bash_command(out, &commands[i]);
	output_string(out, bash_end);
}
