/* SPDX-License-Identifier: Apache-2.0 */
/* urivet completion: writes a shell script that completes the command line, from the tables of
 * commands and options. A script contains all names, so that it does not run the command at each key
 * press. */
#include "cli/commands/option_table.h"
#include "cli/text/emit.h"

/* ---- The scripts, without what the tables give ------------------------------------------ */

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

/* ---- Words --------------------------------------------------------------------------- */

/* Returns true if the value is a comma-separated list. */
static bool is_list(struct values values)
{
	return values.kind == VALUE_WAIVED || values.kind == VALUE_RAISED;
}

/* Returns true if a finding is a valid value: the policy strict can waive or raise it. */
static bool is_offered(enum value_kind kind, unsigned id)
{
	struct urivet_policy policy;

	(void)urivet_policy_init(&policy, sizeof policy, URIVET_STRICT);
	if (kind == VALUE_WAIVED)
		return urivet_policy_waive(&policy, id);
	return kind == VALUE_FINDING || urivet_policy_raise(&policy, id);
}

static void write_findings(struct output *out, enum value_kind kind)
{
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (info != NULL && is_offered(kind, id))
			emit(out, " ", info->name);
	}
}

/* Writes the names of all commands, including unlisted ones. */
static void write_commands(struct output *out)
{
	for (size_t i = 0; i < COMMANDS; i++)
		emit(out, " ", commands[i].name);
}

/* Writes the words that are valid values for this command. */
static void write_words(struct output *out, struct values values, const struct command *command)
{
	for (size_t i = 0; values.words != NULL && values.words[i] != NULL; i++) {
		if (values.kind != VALUE_READER ||
		    command_reads_by(command, (enum urivet_reader)i))
			emit(out, " ", values.words[i]);
	}
	if (values.kind == VALUE_COMMAND)
		write_commands(out);
	else if (values.kind == VALUE_FINDING || is_list(values))
		write_findings(out, values.kind);
}

/* Writes text for single quotes; a backslash is put before each character in `special`. */
static void write_quoted(struct output *out, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			output_string(out, "'\\'");
		else if (strchr(special, *text) != NULL)
			output_octet(out, '\\');
		output_octet(out, *text);
	}
}

/* ---- bash ---------------------------------------------------------------------------- */

/* Writes the action after a case pattern. */
static void bash_values(struct output *out, struct values values, const struct command *command)
{
	output_string(out, ") words='");
	write_words(out, values, command);
	emit(out, "'", values.kind == VALUE_FILE ? " files=1" : "",
	     is_list(values) ? " list=1" : "", " ;;\n");
}

/* Writes the patterns of an option: one for each command if its values depend on the command. */
static void bash_option(struct output *out, const struct option *option)
{
	const bool differs = option->values.kind == VALUE_READER;

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
		if (command_takes(command, option))
			emit(out, option_is_long(option) ? " --" : " -", option->name,
			     option->argument == ARGUMENT_REQUIRED ? "=" : "");
	}
	output_string(out, "' ;;\n");
	bash_operand(out, command, "/*/0", command->first);
	bash_operand(out, command, "/*", command->others);
}

static void bash_write(struct output *out)
{
	output_string(out, bash_head);
	write_commands(out);
	output_string(out, "' ;;\n");
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->argument == ARGUMENT_REQUIRED)
			bash_option(out, option);
	}
	output_string(out, bash_tail);
	for (size_t i = 0; i < COMMANDS; i++)
		bash_command(out, &commands[i]);
	output_string(out, bash_end);
}

/* ---- zsh ----------------------------------------------------------------------------- */

/* Writes an action for _arguments. */
static void zsh_values(struct output *out, struct values values, const struct command *command)
{
	static const struct {
		const char *before, *after;
	} frames[] = {{"(", ")"}, {"{_values -s , finding", "}"}, {"{_files; compadd --", "}"}};
	const size_t frame = is_list(values) ? 1 : values.kind == VALUE_FILE ? 2 : 0;

	if (values.kind == VALUE_ANY || (values.kind == VALUE_FILE && values.words == NULL)) {
		output_string(out, values.kind == VALUE_ANY ? " " : "_files");
		return;
	}
	output_string(out, frames[frame].before);
	write_words(out, values, command);
	output_string(out, frames[frame].after);
}

/* Writes one spelling of an option: "--name=[help]:value:(words)". */
static void zsh_spelling(struct output *out, const struct option *option, const char *name,
			 const char *equals, const struct command *command)
{
	emit(out, " \\\n\t\t\t", is_list(option->values) ? "'*-" : "'-", name, equals, "[");
	write_quoted(out, option->help, "[]\\:");
	output_string(out, "]");
	if (option->argument != ARGUMENT_NONE) {
		output_string(out, option->argument == ARGUMENT_OPTIONAL ? "::value:" : ":value:");
		zsh_values(out, option->values, command);
	}
	output_octet(out, '\'');
}

static void zsh_option(struct output *out, const struct option *option,
		       const struct command *command)
{
	static const char *const equals[] = {
	    [ARGUMENT_NONE] = "", [ARGUMENT_REQUIRED] = "=", [ARGUMENT_OPTIONAL] = "=-"};
	const char letter[] = {option->letter, '\0'};
	char name[32] = "-";

	if (letter[0] != '\0' && option_is_long(option))
		zsh_spelling(out, option, letter, "", command);
	zsh_spelling(out, option,
		     option_is_long(option) ? strncat(name, option->name, 30) : option->name,
		     equals[option->argument], command);
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

static void zsh_write(struct output *out)
{
	output_string(out, zsh_head);
	for (size_t i = 0; i < COMMANDS; i++) {
		emit(out, "\t\t'", commands[i].name, commands[i].summary != NULL ? ":" : "");
		write_quoted(out, commands[i].summary != NULL ? commands[i].summary : "", "\\:");
		output_string(out, "'\n");
	}
	output_string(out, zsh_middle);
	for (size_t i = 0; i < COMMANDS; i++)
		zsh_command(out, &commands[i]);
	output_string(out, zsh_end);
}

/* ---- fish ---------------------------------------------------------------------------- */

static void fish_values(struct output *out, struct values values, const struct command *command)
{
	output_string(out, values.kind == VALUE_FILE ? " -F" : "");
	if (values.kind == VALUE_ANY || (values.kind == VALUE_FILE && values.words == NULL))
		return;
	output_string(out, is_list(values) ? " -a '(__urivet_list" : " -a '");
	write_words(out, values, command);
	output_string(out, is_list(values) ? ")'" : "'");
}

static void fish_description(struct output *out, const char *text)
{
	output_string(out, " -d '");
	write_quoted(out, text, "\\");
	output_octet(out, '\'');
}

/* Writes the line of an option for all commands that take it, or for `only` if it is not NULL. */
static void fish_option(struct output *out, const struct option *option, const struct command *only)
{
	const char letter[] = {option->letter, '\0'};

	output_string(out, "complete -c urivet -n '__urivet_is");
	for (size_t i = 0; i < COMMANDS; i++) {
		if (only == NULL ? command_takes(&commands[i], option) : only == &commands[i])
			emit(out, " ", commands[i].name);
	}
	emit(out, "'", option_is_long(option) ? " -l " : "",
	     option_is_long(option) ? option->name : "", letter[0] != '\0' ? " -s " : "", letter);
	if (option->argument == ARGUMENT_REQUIRED) {
		output_string(out, option->values.kind == VALUE_FILE ? " -r" : " -x");
		fish_values(out, option->values, only != NULL ? only : &commands[0]);
	}
	fish_description(out, option->help);
	output_octet(out, '\n');
}

static void fish_operand(struct output *out, const struct command *command, const char *condition,
			 struct values values)
{
	if (values.kind == VALUE_ANY)
		return;
	emit(out, "complete -c urivet -n '__urivet_is ", command->name, condition);
	fish_values(out, values, command);
	output_octet(out, '\n');
}

static void fish_command(struct output *out, const struct command *command)
{
	emit(out, "complete -c urivet -n __urivet_alone -a ", command->name);
	if (command->summary != NULL)
		fish_description(out, command->summary);
	output_octet(out, '\n');
	fish_operand(out, command, "; and __urivet_first'", command->first);
	fish_operand(out, command, "; and not __urivet_first'", command->others);
}

static void fish_write(struct output *out)
{
	output_string(out, fish_head);
	for (size_t i = 0; i < COMMANDS; i++)
		fish_command(out, &commands[i]);
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->values.kind != VALUE_READER)
			fish_option(out, option, NULL);
		for (size_t i = 0; option->values.kind == VALUE_READER && i < COMMANDS; i++) {
			if (command_takes(&commands[i], option))
				fish_option(out, option, &commands[i]);
		}
	}
}

/* ---- The command --------------------------------------------------------------------- */

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

enum status run_completion(const struct options *options)
{
	static void (*const write[])(struct output *) = {bash_write, zsh_write, fish_write};
	const char *shell = options->reading.operand[0];
	struct output out;

	for (size_t i = 0; completion_shells[i] != NULL; i++) {
		if (strcmp(completion_shells[i], shell) != 0)
			continue;
		if (options->showing.quiet)
			return STATUS_ACCEPTED;
		if (!paint_open(&out, COLOUR_NEVER))
			return STATUS_TROUBLE;
		write[i](&out);
		return output_finish(&out) ? STATUS_ACCEPTED : STATUS_TROUBLE;
	}
	return trouble("completion: no such shell: '%s'; there are bash, zsh and fish", shell);
}
