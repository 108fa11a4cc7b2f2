/* SPDX-License-Identifier: Apache-2.0 */
/* urivet completion: writes a shell script that completes the command line. The script asks
 * `urivet completion words -- WORD...` what the last word may be, which the tables of commands and
 * options answer. Each line is a word; a tab and a description may follow. The last line is "f" if a
 * file is possible too, "l" if the words are those of a list with commas, else "-". */
#include "cli/commands/option_table.h"
#include "cli/text/emit.h"
#include <stdio.h>

/* ---- The scripts ------------------------------------------------------------------------ */

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

/* clang-format off */
static const char *const scripts[] = {
    "# bash completion for urivet, written by: urivet completion bash\n"
    "_urivet()\n"
    "{\n"
    "\tlocal IFS=$'\\t' cur=${COMP_WORDS[COMP_CWORD]} words=() flags= word last value help i\n"
    "\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "\t\t# In --name=value the = is a word of its own, where COMP_WORDBREAKS has it.\n"
    "\t\tif ((i > 1)) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i-1]} == = ]]; then\n"
    "\t\t\tlast=$last${COMP_WORDS[i]}\n"
    "\t\t\twords[${#words[@]}-1]=$last\n"
    "\t\telse\n"
    "\t\t\tlast=${COMP_WORDS[i]}\n"
    "\t\t\twords+=(\"$last\")\n"
    "\t\tfi\n"
    "\tdone\n"
    "\t[[ $cur != = ]] || cur=\n"
    "\tCOMPREPLY=()\n"
    "\twhile read -r word help; do\n"
    "\t\tcase $word in\n"
    "\t\t- | f | l) flags=$word ;;\n"
    "\t\t*) COMPREPLY+=(\"${word:${#last}-${#cur}}\") ;;\n"
    "\t\tesac\n"
    "\tdone < <(urivet completion words -- \"${words[@]}\" 2>/dev/null)\n"
    "\tif [[ $flags == *f* ]]; then\n"
    "\t\tvalue=${last#--*=}\n"
    "\t\tIFS=$'\\n'\n"
    "\t\tCOMPREPLY+=($(compgen -P \"${cur%\"$value\"}\" -f -- \"$value\"))\n"
    "\t\tcompopt -o filenames 2>/dev/null\n"
    "\tfi\n"
    "\tif [[ $flags == *l* || ${COMPREPLY[0]} == --*= ]]; then\n"
    "\t\tcompopt -o nospace 2>/dev/null\n"
    "\tfi\n"
    "\treturn 0\n"
    "}\n"
    "complete -F _urivet urivet\n",

    "#compdef urivet\n"
    "# zsh completion for urivet, written by: urivet completion zsh\n"
    "_urivet() {\n"
    "\tlocal line word found=1\n"
    "\tlocal -a lines open closed\n"
    "\tlines=(\"${(@f)$(urivet completion words -- \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
    "\tfor line in $lines[1,-2]; do\n"
    "\t\tword=${${line%%$'\\t'*}//:/\\\\:}\n"
    "\t\t[[ $line != *$'\\t'* ]] || line=$word:${line#*$'\\t'}\n"
    "\t\tif [[ $word == *= || $lines[-1] == *l* ]]; then open+=($line); else closed+=($line); fi\n"
    "\tdone\n"
    "\t(( ! $#open )) || _describe word open -S '' && found=0\n"
    "\t(( ! $#closed )) || _describe word closed && found=0\n"
    "\tif [[ $lines[-1] == *f* ]]; then\n"
    "\t\tcompset -P '--*='\n"
    "\t\t_files && found=0\n"
    "\tfi\n"
    "\treturn found\n"
    "}\n"
    "if [[ $funcstack[1] == _urivet ]]; then\n"
    "\t_urivet \"$@\"\n"
    "else\n"
    "\tcompdef _urivet urivet\n"
    "fi\n",

    "# fish completion for urivet, written by: urivet completion fish\n"
    "function __urivet_offered -d 'what the last word may be'\n"
    "\tset -l words (commandline -opc)\n"
    "\tset -l token (commandline -ct)\n"
    "\tset -l lines (urivet completion words -- $words[2..-1] \"$token\" 2>/dev/null)\n"
    "\tset -q lines[1]; or return\n"
    "\tif string match -q -- '*f*' $lines[-1]\n"
    "\t\tset -l before (string match -r -- '^--[^=]*=' \"$token\")\n"
    "\t\tprintf '%s\\n' \"$before\"(__fish_complete_path (string replace -- \"$before\" '' \"$token\"))\n"
    "\tend\n"
    "\tset -e lines[-1]\n"
    "\tprintf '%s\\n' $lines\n"
    "end\n"
    "complete -c urivet -f -a '(__urivet_offered)'\n",
};
/* clang-format on */

/* ---- Words ------------------------------------------------------------------------------ */

/* What is typed: the last word, and how many of its first octets stay. */
struct typed {
	struct output *out;
	const char *word;
	size_t kept;
};

/* Offers a word if what is typed begins as it does. */
static void offer(const struct typed *typed, const char *word, const char *description)
{
	const char *begun = typed->word + typed->kept;

	if (strncmp(word, begun, strlen(begun)) != 0)
		return;
	emit(typed->out, raw_text((struct octets){(const uint8_t *)typed->word, typed->kept}), word,
	     description != NULL ? "\t" : "", description != NULL ? description : "", "\n");
}

static void offer_commands(const struct typed *typed)
{
	for (size_t i = 0; i < COMMANDS; i++)
		offer(typed, commands[i].name, commands[i].summary);
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

static void offer_findings(const struct typed *typed, enum value_kind kind)
{
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		const struct urivet_finding_row *info = urivet_finding_info(id);

		if (info != NULL && is_offered(kind, id))
			offer(typed, info->name, NULL);
	}
}

/* Offers the valid values, and returns the flags. */
static const char *offer_values(struct typed typed, struct values values,
				const struct command *command)
{
	const bool lists = values.kind == VALUE_WAIVED || values.kind == VALUE_RAISED;
	const char *comma = strrchr(typed.word, ',');

	if (lists && comma != NULL)
		typed.kept = (size_t)(comma + 1 - typed.word);
	for (size_t i = 0; values.words != NULL && values.words[i] != NULL; i++) {
		if (values.kind != VALUE_READER || command_reads_by(command, (enum urivet_reader)i))
			offer(&typed, values.words[i], NULL);
	}
	if (values.kind == VALUE_COMMAND)
		offer_commands(&typed);
	else if (values.kind == VALUE_FINDING || lists)
		offer_findings(&typed, values.kind);
	return lists ? "l" : values.kind == VALUE_FILE ? "f" : "-";
}

static void offer_options(const struct typed *typed, const struct command *command)
{
	char name[40];

	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option->help == NULL || !command_takes(command, option))
			continue;
		(void)snprintf(name, sizeof name, "%s%s%s", option_is_long(option) ? "--" : "-",
			       option->name, option->argument == ARGUMENT_REQUIRED ? "=" : "");
		offer(typed, name, option->help);
	}
}

/* Returns the option of the command that a word names up to "=", or NULL. */
static const struct option *option_of(const char *word, const struct command *command)
{
	const struct option *option = NULL;

	if (word[1] == '-')
		option = option_named(command, word + 2, strcspn(word + 2, "="));
	else if (word[1] != '\0' && word[2] == '\0')
		option = option_of_letter(word[1]);
	return option != NULL && command_takes(command, option) ? option : NULL;
}

/* Offers what the last of the words after a command's name may be, and returns the flags. */
static const char *offer_after(struct typed typed, const struct command *command,
			       const char *const *words, size_t count)
{
	const struct option *option = NULL; /* whose value is next */
	const char *equals = strchr(typed.word, '=');
	size_t operands = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		if (option != NULL) {
			option = NULL;
		} else if (words[i][0] != '-') {
			operands++;
		} else {
			option = option_of(words[i], command);
			if (option != NULL && (option->argument != ARGUMENT_REQUIRED ||
					       strchr(words[i], '=') != NULL))
				option = NULL;
		}
	}
	if (option == NULL && typed.word[0] == '-') {
		if (equals == NULL) {
			offer_options(&typed, command);
			return "-";
		}
		option = option_of(typed.word, command);
		if (option == NULL || option->argument == ARGUMENT_NONE)
			return "-";
		typed.kept = (size_t)(equals + 1 - typed.word);
	}
	return offer_values(typed,
			    option != NULL  ? option->values
			    : operands == 0 ? command->first
					    : command->others,
			    command);
}

/* Answers a script. */
static void offer_words(struct output *out, const char *const *words, size_t count)
{
	const struct typed typed = {out, count > 0 ? words[count - 1] : "", 0};
	const char *flags = "-";

	if (count < 2) {
		offer_commands(&typed);
		offer(&typed, "--help", "describe the commands");
		offer(&typed, "--version", "the version");
	}
	for (size_t i = 0; count > 1 && i < COMMANDS; i++) {
		if (strcmp(commands[i].name, words[0]) == 0)
			flags = offer_after(typed, &commands[i], words + 1, count - 1);
	}
	emit(out, flags, "\n");
}

/* ---- The command --------------------------------------------------------------------- */

enum status run_completion(const struct options *options)
{
	const struct read_options *reading = &options->reading;
	const bool asks = strcmp(reading->operand[0], "words") == 0;
	struct output out;
	size_t shell = 0;

	while (completion_shells[shell] != NULL &&
	       strcmp(completion_shells[shell], reading->operand[0]) != 0)
		shell++;
	if (!asks && completion_shells[shell] == NULL)
		return trouble("completion: no such shell: '%s'; there are bash, zsh and fish",
			       reading->operand[0]);
	if (!asks && reading->operands > 1)
		return trouble("completion: one argument too many: '%s'", reading->operand[1]);
	if (options->showing.quiet)
		return STATUS_ACCEPTED;
	if (!paint_open(&out, COLOUR_NEVER))
		return STATUS_TROUBLE;
	if (asks)
		offer_words(&out, reading->operand + 1, reading->operands - 1);
	else
		output_string(&out, scripts[shell]);
	return output_finish(&out) ? STATUS_ACCEPTED : STATUS_TROUBLE;
}
