/* SPDX-License-Identifier: Apache-2.0 */
/* Reads command lines by the table of options, and makes one policy of them. */
#include "cli/options/options.h"
#include "cli/options/reader_list.h"
#include "cli/show/finding_set.h"
#include "cli/options/nearest.h"
#include "cli/options/option_table.h"
#include <stdio.h>

static bool takes(const struct command *command, const struct option *option)
{
	return (option->commands >> (command - commands) & 1u) != 0;
}

static bool has_long_name(const struct option *option)
{
	return option->name[1] != '\0';
}

void options_describe(struct output *out, const struct command *command)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		size_t columns = strlen(option->shown);

		if (option->help == NULL || !takes(command, option))
			continue;
		output_string(out, "  ");
		output_string(out, option->shown);
		output_spaces(out, columns < 24 ? 24 - columns : 1);
		output_string(out, option->help);
		output_octet(out, '\n');
	}
}

/* ---- Reading a command line ----------------------------------------------------- */

/* The words behind the command's name, and the next one to read. */
struct words {
	char **word;
	int count;
	int at;
};

/* Says that there is no such option, and which one may have been meant. */
static bool unknown_option(const struct options *options, const char *word)
{
	char name[64];
	struct nearest nearest;

	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
	nearest = nearest_to(name);
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (takes(options->command, option) && has_long_name(option))
			nearest_try(&nearest, option->name);
	}
	if (nearest.best != NULL)
		complain("%s: no option '%s'; did you mean '--%s'?", options->command->name, word,
			 nearest.best);
	else
		complain("%s: no option '%s'", options->command->name, word);
	return false;
}

static bool unknown_letter(const struct options *options, char letter)
{
	complain("%s: no option '-%c'", options->command->name, letter);
	return false;
}

/* Does what an option says. `value` is NULL where the word has none. */
static bool obey(struct options *options, const struct option *option, const char *value,
		 struct words *words)
{
	const char *command = options->command->name;

	if (!takes(options->command, option)) {
		complain("%s takes no option '%s'", command, option->shown);
		return false;
	}
	if (value != NULL && option->argument == ARGUMENT_NONE) {
		complain("%s: option '%s' takes no value", command, option->shown);
		return false;
	}
	if (value == NULL && option->argument == ARGUMENT_REQUIRED) {
		if (words->at == words->count) {
			complain("%s: option '%s' needs a value", command, option->shown);
			return false;
		}
		value = words->word[words->at++];
	}
	return option->set(options, value);
}

/* --name or --name=value. */
static bool read_long(struct options *options, const char *word, struct words *words)
{
	size_t length = strcspn(word + 2, "=");
	const char *value = word[2 + length] == '=' ? word + 3 + length : NULL;

	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (has_long_name(option) && strlen(option->name) == length &&
		    memcmp(option->name, word + 2, length) == 0)
			return obey(options, option, value, words);
	}
	return unknown_option(options, word);
}

/* -0, -q, -q0: none of them takes a value. */
static bool read_letters(struct options *options, const char *word, struct words *words)
{
	for (size_t i = 1; word[i] != '\0'; i++) {
		const struct option *option = option_table;

		while (option->name != NULL && option->letter != word[i])
			option++;
		if (option->name == NULL)
			return unknown_letter(options, word[i]);
		if (!obey(options, option, NULL, words))
			return false;
	}
	return true;
}

/* Sorts the words into options, which are obeyed, and operands. */
static bool read_words(struct options *options, struct words *words)
{
	int operands = 0;
	bool ended = false;

	while (words->at < words->count) {
		char *word = words->word[words->at++];
		bool good = true;

		if (ended || word[0] != '-' || word[1] == '\0')
			words->word[operands++] = word;
		else if (word[1] != '-')
			good = read_letters(options, word, words);
		else if (word[2] == '\0')
			ended = true;
		else
			good = read_long(options, word, words);
		if (!good)
			return false;
	}
	options->operand = (const char *const *)words->word;
	options->operands = (size_t)operands;
	return true;
}

/* ---- What the options say together ------------------------------------------------ */

/* Waives and raises one finding as asked. */
static bool apply_finding(struct options *options, unsigned id)
{
	const char *name = urivet_finding_info(id)->name;
	bool allow = in_set(&options->allowed, id);
	bool refuse = in_set(&options->refused, id);

	if (allow && refuse) {
		complain("%s is both allowed and refused", name);
		return false;
	}
	if (allow && !urivet_policy_waive(&options->policy, id)) {
		complain("%s cannot be allowed", name);
		return false;
	}
	if (refuse && !urivet_policy_raise(&options->policy, id)) {
		complain("%s cannot be refused", name);
		return false;
	}
	options->plain_strict = options->plain_strict && !allow && !refuse;
	return true;
}

static bool is_command(const struct options *options, enum command_id id)
{
	return options->command == &commands[id];
}

/* True if the inputs come from standard input as well. */
static bool reads_standard_input(const struct options *options)
{
	if (options->operands == 0)
		return options->command->reads_input &&
		       (options->input == NULL || strcmp(options->input, "-") == 0);
	for (size_t i = 0; is_command(options, COMMAND_SCAN) && i < options->operands; i++) {
		if (strcmp(options->operand[i], "-") == 0)
			return true;
	}
	return false;
}

static bool load_policy(struct options *options)
{
	if (options->policy_name != NULL) {
		complain("%s: --policy and --policy-file exclude each other",
			 options->command->name);
		return false;
	}
	if (strcmp(options->policy_path, "-") == 0 && reads_standard_input(options)) {
		complain("%s: standard input cannot be policy and input at once",
			 options->command->name);
		return false;
	}
	options->is_well_formed = true;
	if (!policy_file_load(&options->policy_file, options->policy_path))
		return false;
	options->is_well_formed = false;
	options->policy = options->policy_file.policy;
	return true;
}

/* The list of public suffixes, where the policy has a rule that needs it. */
static bool load_suffixes(struct options *options)
{
	if (!in_set(&options->policy.raised, URIVET_F_HOST_PUBLIC_SUFFIX) &&
	    !in_set(&options->policy.waived, URIVET_F_HOST_PUBLIC_SUFFIX))
		return true;
	options->suffixes = suffixes_open();
	options->is_well_formed = options->suffixes == NULL;
	return options->suffixes != NULL;
}

static bool settle_policy(struct options *options)
{
	const char *name = options->policy_name != NULL ? options->policy_name : "strict";

	options->policy = *urivet_policy_named(name);
	if (options->policy_path != NULL && !load_policy(options))
		return false;
	options->plain_strict =
	    !options->has_max_length && options->policy_path == NULL && strcmp(name, "strict") == 0;
	if (options->has_max_length)
		options->policy.max_length = options->max_length;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		if (urivet_finding_info(id) != NULL && !apply_finding(options, id))
			return false;
	}
	if (!load_suffixes(options))
		return false;
	options->limit = options->policy.max_length;
	/* Reading knows no policy: only the library's own limit. */
	if (is_command(options, COMMAND_PARSE) || is_command(options, COMMAND_NORMALISE))
		options->limit = URIVET_MAX_LENGTH;
	return true;
}

/* A reader that is no edition reads, and does nothing else. */
static bool settle_reader(const struct options *options)
{
	char list[READER_LIST];

	if (is_command(options, COMMAND_PARSE) || is_edition((int)options->reader))
		return true;
	complain("%s: reader '%s' follows no edition of the standard: use %s",
		 options->command->name, urivet_reader_name(options->reader),
		 reader_list(list, true, " or "));
	return false;
}

/* Readings are of URIs, and more than a line of columns holds. */
static bool settle_readings(const struct options *options)
{
	if (!options->readings)
		return true;
	if (options->target) {
		complain("%s: --readings and --target exclude each other", options->command->name);
		return false;
	}
	if (options->format == FORMAT_TSV) {
		complain("%s: --readings needs --format=human or --format=json",
			 options->command->name);
		return false;
	}
	return true;
}

static bool settle_operands(const struct options *options)
{
	const struct command *command = options->command;

	if (options->operands > 0 && options->input != NULL) {
		complain("%s: '%s' and --input exclude each other", command->name,
			 options->operand[0]);
		return false;
	}
	if (options->operands > command->most) {
		complain("%s: one argument too many: '%s'", command->name,
			 options->operand[command->most]);
		return false;
	}
	if (options->operands < command->least) {
		complain("%s: %s is missing", command->name, command->arguments);
		return false;
	}
	return true;
}

static bool settle(struct options *options)
{
	if (!settle_operands(options) || !settle_policy(options) || !settle_reader(options))
		return false;
	if (options->crlf && options->null) {
		complain("%s: --crlf and --null exclude each other", options->command->name);
		return false;
	}
	if (options->format == FORMAT_UNSAID)
		options->format = options->operands == 0 && options->command->reads_input
				      ? FORMAT_TSV
				      : FORMAT_HUMAN;
	return settle_readings(options);
}

bool options_read(struct options *options, const struct command *command, int argc, char **argv)
{
	struct words words = {.word = argv, .count = argc};

	*options = (struct options){.command = command, .jobs = 1};
	if (!read_words(options, &words))
		return false;
	/* Who asks for help is not told what else is wrong. */
	return options->help || options->version || settle(options);
}

void options_free(struct options *options)
{
	policy_file_free(&options->policy_file);
	suffixes_close(options->suffixes);
	options->suffixes = NULL;
}
