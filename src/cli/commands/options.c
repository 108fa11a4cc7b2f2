/* SPDX-License-Identifier: Apache-2.0 */
/* Parses command lines by the table of options, and makes the policy from them. */
#include "cli/commands/options.h"
#include "cli/commands/hints.h"
#include "cli/commands/option_table.h"
#include "cli/records/moment.h"
#include "cli/records/source.h"
#include "cli/text/emit.h"
#include "cli/text/nearest.h"
#include "common/finding_set.h"
#include "gateway/serve.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Readers ----------------------------------------------------------------------- */

static const bool follows_edition[URIVET_READERS] = {
#define EDITION(constant, number, ...) [number] = true,
#define READER(...)
#include <urivet/readers.def>
#undef READER
#undef EDITION
};

bool is_edition(int reader)
{
	return reader >= 0 && reader < URIVET_READERS && follows_edition[reader];
}

const char *reader_list(char list[READER_LIST], bool editions, const char *last)
{
	size_t used = 0;
	int left = 0;

	for (int i = 0; i < URIVET_READERS; i++)
		left += !editions || is_edition(i);
	list[0] = '\0';
	for (int i = 0; i < URIVET_READERS && used < READER_LIST; i++) {
		if (editions && !is_edition(i))
			continue;
		left--;
		used += (size_t)snprintf(list + used, READER_LIST - used, "%s%s",
					 urivet_reader_name((unsigned)i),
					 left > 1    ? ", "
					 : left == 1 ? last
						     : "");
	}
	return list;
}

void options_describe(struct output *out, const struct command *command)
{
	for (const struct option *option = option_table; option->name != NULL; option++) {
		size_t columns = strlen(option->shown);

		if (option->help == NULL || !command_takes(command, option))
			continue;
		emit(out, "  ", option->shown, spaces(columns < 24 ? 24 - columns : 1),
		     option->help, "\n");
	}
}

/* ---- Parsing a command line ------------------------------------------------------- */

/* The words after the command's name, and the position of the parser. */
struct words {
	char **word;
	int count;
	int at;
};

/* Reports an unknown option, and suggests the nearest one. */
static bool unknown_option(const struct options *options, const char *word)
{
	char name[64];
	struct nearest nearest;

	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
	nearest = urivet_loader_nearest(name);
	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (command_takes(options->command, option) && option_is_long(option))
			urivet_loader_nearest_try(&nearest, option->name);
	}
	if (nearest.best != NULL)
		complain("%s: no option '%s'; did you mean '--%s'?", options->command->name, word,
			 nearest.best);
	else
		complain("%s: no option '%s'", options->command->name, word);
	return false;
}

/* Sets an option. `value` is NULL if the word has none. */
static bool set_option(struct options *options, const struct option *option, const char *value,
		       struct words *words)
{
	const char *command = options->command->name;

	if (!command_takes(options->command, option))
		return complain("%s takes no option '%s'", command, option->shown);
	if (value != NULL && option->argument == ARGUMENT_NONE)
		return complain("%s: option '%s' takes no value", command, option->shown);
	if (value == NULL && option->argument == ARGUMENT_REQUIRED) {
		if (words == NULL || words->at == words->count)
			return complain("%s: option '%s' needs a value", command, option->shown);
		value = words->word[words->at++];
	}
	options->given[option - option_table] = true;
	return option_set(options, option, value);
}

const char *first_given(const struct options *options, const char *const names[])
{
	for (; *names != NULL; names++) {
		for (size_t i = 0; option_table[i].name != NULL; i++) {
			if (options->given[i] && strcmp(option_table[i].name, *names + 2) == 0)
				return *names;
		}
	}
	return NULL;
}

const struct option *option_named(const struct command *command, const char *name, size_t length)
{
	const struct option *found = NULL;

	for (const struct option *option = option_table; option->name != NULL; option++) {
		if (option_is_long(option) && strlen(option->name) == length &&
		    memcmp(option->name, name, length) == 0 &&
		    (found == NULL || command_takes(command, option)))
			found = option;
	}
	return found;
}

const struct option *option_of_letter(char letter)
{
	const struct option *option = option_table;

	while (option->name != NULL && option->letter != letter)
		option++;
	return option->name != NULL ? option : NULL;
}

/* Reads --name or --name=value. */
static bool read_long(struct options *options, const char *word, struct words *words)
{
	size_t length = strcspn(word + 2, "=");
	const char *value = word[2 + length] == '=' ? word + 3 + length : NULL;
	const struct option *option = strncmp(word + 2, "color", length) == 0 && length == 5
					  ? option_named(options->command, "colour", 6)
					  : option_named(options->command, word + 2, length);

	return option != NULL ? set_option(options, option, value, words)
			      : unknown_option(options, word);
}

/* Reads one-letter options such as -0, -q or -q0, none of which takes a value. */
static bool read_letters(struct options *options, const char *word, struct words *words)
{
	for (size_t i = 1; word[i] != '\0'; i++) {
		const struct option *option = option_of_letter(word[i]);

		if (option == NULL)
			return complain("%s: no option '-%c'", options->command->name, word[i]);
		if (!set_option(options, option, NULL, words))
			return false;
	}
	return true;
}

/* Sets the options among the words, and moves the operands to their start. */
static bool read_words(struct options *options, struct words *words)
{
	bool ended = false;

	while (words->at < words->count) {
		char *word = words->word[words->at++];
		bool good = true;

		if (ended || word[0] != '-' || word[1] == '\0') {
			words->word[options->reading.operands++] = word;
			options->unguarded += !ended;
		} else if (word[1] != '-')
			good = read_letters(options, word, words);
		else if (word[2] == '\0')
			ended = true;
		else
			good = read_long(options, word, words);
		if (!good)
			return false;
	}
	options->reading.operand = (const char *const *)words->word;
	return true;
}

static bool set_row(void *options, const void *option, const char *value)
{
	return set_option(options, option, value, NULL);
}

/* Sets the options in the file of --config: those of the command that not every command has. */
static bool read_config(struct options *options)
{
	struct config config = {.set = set_row, .context = options};

	if (options->serve.config == NULL)
		return true;
	for (const struct option *option = option_table; option->name != NULL; option++)
		if (command_takes(options->command, option) && option_is_long(option) &&
		    !command_takes(&commands[COMMAND_HELP], option))
			config.options[config.count++] = (struct config_option){
			    option->name, option, option->argument == ARGUMENT_NONE,
			    options->given[option - option_table]};
	return config_read(&config, options->serve.config, complain_of_policy);
}

/* ---- How options combine ------------------------------------------------------------ */

/* Waives or raises a finding if the options ask for it. */
static bool apply_finding(struct options *options, unsigned id)
{
	struct judge_options *judging = &options->judging;
	const char *name = urivet_finding_info(id)->name;
	bool allow = in_set(&judging->allowed, id);
	bool refuse = in_set(&judging->refused, id);

	if (allow && refuse)
		return complain("%s is both allowed and refused", name);
	if (allow && !urivet_policy_waive(&judging->policy, id))
		return complain("%s cannot be allowed", name);
	if (refuse && !urivet_policy_raise(&judging->policy, id))
		return complain("%s cannot be refused", name);
	judging->judges = judging->judges || allow || refuse;
	judging->plain_strict = judging->plain_strict && !allow && !refuse;
	return true;
}

static bool is_command(const struct options *options, enum command_id id)
{
	return options->command == &commands[id];
}

size_t options_standard_inputs(const struct options *options)
{
	size_t count = 0;

	for (size_t i = 0; i < options->reading.inputs; i++)
		count += is_standard_input(options->reading.input_file[i]);
	return count;
}

/* Returns true if the operands are files to read. */
static bool takes_files(const struct options *options)
{
	return is_command(options, COMMAND_SCAN) || is_command(options, COMMAND_REPORT);
}

/* Returns true if standard input is read as input. */
static bool reads_standard_input(const struct options *options)
{
	if (options->reading.operands == 0)
		return options->command->reads_input &&
		       (options->reading.inputs == 0 || options_standard_inputs(options) > 0);
	for (size_t i = 0; takes_files(options) && i < options->reading.operands; i++) {
		if (is_standard_input(options->reading.operand[i]))
			return true;
	}
	return false;
}

void complain_of_policy(void *context, const struct urivet_message *message)
{
	char text[2 * PATH_MAX];

	(void)context;
	(void)urivet_format_message(text, sizeof text, message);
	complain("%s", text);
}

static bool load_policy(struct options *options)
{
	struct judge_options *judging = &options->judging;

	if (strcmp(judging->policy_path, "-") == 0 && reads_standard_input(options))
		return complain("%s: standard input cannot be policy and input at once",
				options->command->name);
	judging->loaded = urivet_load(judging->policy_path, complain_of_policy, NULL);
	options->is_well_formed = judging->loaded == NULL;
	if (judging->loaded == NULL)
		return false;
	judging->policy = *urivet_loaded_policy(judging->loaded);
	return true;
}

static bool shows_registrable(const struct options *options)
{
	if (is_command(options, COMMAND_REPORT))
		return true;
	return !options->showing.quiet &&
	       (table_has_with(&options->reading.table, WITH_REGISTRABLE) ||
		is_command(options, COMMAND_EXPLAIN) ||
		(options->showing.format == FORMAT_JSON &&
		 (is_command(options, COMMAND_CHECK) || is_command(options, COMMAND_SCAN) ||
		  is_command(options, COMMAND_PARSE))));
}

/* Opens the list of public suffixes, once for all threads, if the policy or the output needs it. A
 * missing list is an error only for rules and options that require it; other output is left out. */
static bool load_suffixes(struct options *options)
{
	struct judge_options *judging = &options->judging;
	urivet_on_message *on_message = NULL;
	const bool lacks_suffixes = has_rule(&judging->policy, URIVET_F_HOST_PUBLIC_SUFFIX) &&
				    judging->policy.suffix_count == 0;

	judging->judges_links =
	    (options->scan.html || options->scan.mail || options->scan.markup > 0) &&
	    has_rule(&judging->policy, URIVET_F_LINK_TEXT_MISMATCH);
	judging->shows_registrable = shows_registrable(options);
	if (lacks_suffixes || options->count.by == COUNT_REGISTRABLE ||
	    table_has_with(&options->reading.table, WITH_REGISTRABLE))
		on_message = complain_of_policy;
	else if (!judging->judges_links && !judging->shows_registrable)
		return true;
	judging->suffixes = urivet_suffixes_open(on_message, NULL);
	if (judging->suffixes == NULL && on_message == NULL && errno == ENOMEM)
		return complain("%s", strerror(ENOMEM));
	if (lacks_suffixes)
		urivet_suffixes_set(judging->suffixes, &judging->policy);
	options->is_well_formed = on_message != NULL && judging->suffixes == NULL;
	return !options->is_well_formed;
}

/* Loads the file of --protect, which cannot be standard input. */
static bool load_protected(struct options *options)
{
	struct judge_options *judging = &options->judging;

	if (strcmp(judging->protect_path, "-") == 0)
		return complain("%s: --protect takes the name of a file, not standard input",
				options->command->name);
	options->is_well_formed =
	    !protect_load(&judging->protect, &judging->policy, judging->protect_path);
	return !options->is_well_formed;
}

/* Makes the rules for parameters. serve makes its own, each time it loads its policy. */
static bool settle_parameters(struct options *options)
{
	struct parameter_options *asked = &options->judging.parameters;

	if (asked->list == NULL && !is_command(options, COMMAND_RESOLVE) &&
	    (asked->same_origin || asked->policy != NULL || asked->decode != 0))
		return complain(
		    "%s: --same-origin, --params-policy and --params-decode need --params",
		    options->command->name);
	if (asked->list == NULL || is_command(options, COMMAND_SERVE))
		return true;
	if (!parameters_name(asked, options->command->name))
		return false;
	options->is_well_formed = !parameters_load(asked, complain_of_policy);
	asked->rules.times = asked->decode == 2 ? 2 : 1;
	asked->rules.same_origin = asked->same_origin;
	return !options->is_well_formed;
}

static bool settle_policy(struct options *options)
{
	struct judge_options *judging = &options->judging;
	const char *name = judging->policy_name != NULL ? judging->policy_name : "strict";
	const bool judges_length = judging->max_length != UINT32_MAX;

	(void)urivet_policy_init(&judging->policy, sizeof judging->policy,
				 urivet_policy_named(name, strlen(name)));
	if (judging->policy_path != NULL && !load_policy(options))
		return false;
	if (judging->protect_path != NULL && !load_protected(options))
		return false;
	judging->judges = judging->policy_name != NULL || judging->policy_path != NULL ||
			  judging->protect_path != NULL || judges_length ||
			  judging->parameters.same_origin;
	judging->plain_strict = !judges_length && judging->policy_path == NULL &&
				judging->protect_path == NULL && judging->parameters.list == NULL &&
				strcmp(name, "strict") == 0 && !judges_targets(&options->judging);
	if (judges_length)
		judging->policy.max_length = judging->max_length;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		if (urivet_finding_info(id) != NULL && !apply_finding(options, id))
			return false;
	}
	if (!settle_parameters(options) || !load_suffixes(options))
		return false;
	(void)urivet_policy_finish(&judging->policy, NULL, 0);
	judging->spelling = judging->policy;
	judging->spelling.parameter_count = 0;
	(void)urivet_policy_finish(&judging->spelling, NULL, 0);
	options->reading.limit = judging->policy.max_length;
	if (judging->target.records)
		options->reading.limit += TARGET_ROOM;
	if (options->time_prefix)
		options->reading.limit += MOMENT_MOST;
	/* these two do not judge, so only the limit of the library applies */
	if (is_command(options, COMMAND_PARSE) || is_command(options, COMMAND_NORMALISE))
		options->reading.limit = URIVET_MAX_LENGTH;
	return true;
}

/* Returns true if the command supports the reader. Readers that are not editions of the standard
 * can only parse. */
bool command_reads_by(const struct command *command, enum urivet_reader reader)
{
	return command == &commands[COMMAND_PARSE] || is_edition((int)reader);
}

static bool settle_reader(const struct options *options)
{
	char list[READER_LIST];

	if (command_reads_by(options->command, options->reader))
		return true;
	return complain("%s: reader '%s' follows no edition of the standard: use %s",
			options->command->name, urivet_reader_name(options->reader),
			reader_list(list, true, " or "));
}

static bool exclude_each_other(const struct options *options, const char *one, const char *other)
{
	return complain("%s: %s and %s exclude each other", options->command->name, one, other);
}

/* Makes the description of requests. It requires request targets; with --target-records, target and
 * method come from each record instead of options. */
static void settle_request(struct options *options)
{
	struct target_options *target = &options->judging.target;
	struct urivet_request *request = &target->request;

	(void)urivet_request_init(request, sizeof *request);
	request->scheme = target->scheme;
	request->port = target->port != 0 ? target->port : URIVET_NO_PORT;
	if (target->method != NULL)
		request->method = to_library(text_of(target->method));
	request->host_unknown = target->host == NULL && !target->records;
	if (target->host != NULL)
		request->host = to_library(text_of(target->host));
}

/* Returns true if a column is given by name. */
static bool has_name(const struct table *table)
{
	return table->number == 0 || (table->time != NULL && table->time_number == 0);
}

/* Checks --column and --header: a name requires a header. */
static bool settle_column(struct options *options)
{
	struct table *table = &options->reading.table;
	const char *command = options->command->name;

	if (table->column == NULL)
		complain("%s: --column has to say which column is judged", command);
	else if (table->has_none && has_name(table))
		complain("%s: --no-header leaves no name: %s takes a number", command,
			 table->number == 0 ? "--column" : "--time-field");
	else {
		table->has_header = table->has_header || has_name(table);
		return true;
	}
	return false;
}

/* Parses the path to the member with the time. */
static bool settle_time_path(struct options *options)
{
	struct table *table = &options->reading.table;

	if (table->time == NULL || json_path_read(&table->time_path, table->time))
		return true;
	return complain("%s: --time-field takes a name, or at most %u with dots between, not '%s'",
			options->command->name, JSON_PATH_MOST, table->time);
}

/* Returns an option that conflicts with the kind of table, else NULL. Its output is the input with
 * more columns. */
static const char *option_against_table(const struct options *options)
{
	static const char *const of_columns[] = {"--column", "--header", "--no-header", NULL};
	static const char *const others[] = {"--readings", "--time-prefix", "--target-records",
					     "--null", NULL};
	const struct table *table = &options->reading.table;
	const char *against = NULL;

	if (table->kind != TABLE_CSV && table->separator != 0)
		return "--delimiter";
	if (table->kind != TABLE_TSV && options->reading.crlf)
		return "--crlf";
	if (table->kind == TABLE_JSON)
		against = first_given(options, of_columns);
	if (against == NULL)
		against = first_given(options, others);
	return against == NULL && options->showing.format != FORMAT_DEFAULT && options->count.by < 0
		   ? "--format"
		   : against;
}

static bool settle_table(struct options *options)
{
	struct table *table = &options->reading.table;
	const char *word = table->kind == TABLE_CSV   ? "--csv"
			   : table->kind == TABLE_TSV ? "--tsv-in"
						      : "--json-field";
	const char *against;

	if (table->kind == TABLE_NONE)
		return true;
	against = option_against_table(options);
	if (against != NULL)
		return exclude_each_other(options, against, word);
	if (options->reading.operands > 0 && !takes_files(options) &&
	    !is_command(options, COMMAND_POLICY))
		return complain("%s: '%s' and %s exclude each other", options->command->name,
				options->reading.operand[0], word);
	if (table->record_most == 0)
		table->record_most = TABLE_RECORD_MOST;
	table->crlf = options->reading.crlf;
	if (table->separator == 0 && table->kind != TABLE_JSON)
		table->separator = table->kind == TABLE_CSV ? ',' : '\t';
	return table->kind == TABLE_JSON ? settle_time_path(options) : settle_column(options);
}

/* Checks that no two options were given that exclude each other, and none without the one that it
 * needs. */
static bool settle_others(const struct options *options)
{
	static const char *const pairs[][2] = {{"--policy", "--policy-file"},
					       {"--target-records", "--target"},
					       {"--target-records", "--method"},
					       {"--readings", "--target"},
					       {"--readings", "--target-records"},
					       {"--repair", "--target"},
					       {"--repair", "--target-records"},
					       {"--count-by", "--readings"},
					       {"--count-by", "--with"},
					       {"--header", "--no-header"},
					       {"--crlf", "--null"}};
	const struct {
		bool applies;
		const char *needs[9];
		const char *one_of[4];
		const char *words;
	} rules[] = {{true,
		      {"--method", "--scheme", "--port"},
		      {"--target", "--target-records"},
		      "--target or --target-records"},
		     {!is_command(options, COMMAND_SERVE) && !is_command(options, COMMAND_RESOLVE),
		      {"--params-policy", "--params-decode", "--same-origin"},
		      {"--params"},
		      "--params"},
		     {!is_command(options, COMMAND_REPORT),
		      {"--top", "--sample"},
		      {"--count-by"},
		      "--count-by"},
		     {true, {"--repaired"}, {"--repair"}, "--repair"},
		     {!is_command(options, COMMAND_BASE),
		      {"--column", "--delimiter", "--header", "--no-header", "--time-field",
		       "--with", "--on-error", "--max-record"},
		      {"--csv", "--tsv-in", "--json-field"},
		      "--csv, --tsv-in or --json-field"}};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		const char *const one[] = {pairs[i][0], NULL}, *const other[] = {pairs[i][1], NULL};

		if (first_given(options, one) != NULL && first_given(options, other) != NULL)
			return exclude_each_other(options, one[0], other[0]);
	}
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const char *given = first_given(options, rules[i].needs);

		if (rules[i].applies && given != NULL &&
		    first_given(options, rules[i].one_of) == NULL)
			return complain("%s: %s needs %s", options->command->name, given,
					rules[i].words);
	}
	return true;
}

static bool settle_operands(const struct options *options)
{
	const struct command *command = options->command;

	if (options->reading.operands > 0 && options->reading.inputs > 0 && command->reads_input)
		return complain("%s: '%s' and --input exclude each other", command->name,
				options->reading.operand[0]);
	if (options_standard_inputs(options) > 1)
		return complain("%s: --input=- is given twice, and standard input is read once",
				command->name);
	if (options->reading.operands > command->most)
		return complain("%s: one argument too many: '%s'", command->name,
				options->reading.operand[command->most]);
	if (options->reading.operands < command->least)
		return complain("%s: %s is missing", command->name, command->arguments);
	return true;
}

static bool settle(struct options *options)
{
	if (!settle_operands(options) || !settle_others(options) || !settle_table(options))
		return false;
	settle_request(options);
	if (!settle_policy(options) || !settle_reader(options))
		return false;
	if (options->showing.format == FORMAT_DEFAULT)
		options->showing.format =
		    options->reading.operands == 0 && options->command->reads_input ? FORMAT_TSV
										    : FORMAT_HUMAN;
	if (options->showing.format == FORMAT_SARIF && !is_command(options, COMMAND_SCAN))
		return complain("%s: --format=sarif is for scan alone", options->command->name);
	if (options->showing.format == FORMAT_TSV && options->readings)
		return complain("%s: --readings needs --format=human or --format=json",
				options->command->name);
	hint_at_operands(options);
	return true;
}

bool options_read(struct options *options, const struct command *command, int argc, char **argv)
{
	struct words words = {.word = argv, .count = argc};

	*options = (struct options){.command = command,
				    .serve.from = -1,
				    .count.by = -1,
				    .judging.max_length = UINT32_MAX,
				    .action.clients = UINT32_MAX};
	if (!read_words(options, &words))
		return false;
	/* --help and --version work despite other errors in the command line */
	return options->help || options->version || (read_config(options) && settle(options));
}

void options_free(struct options *options)
{
	urivet_loaded_release(options->judging.loaded);
	urivet_suffixes_close(options->judging.suffixes);
	protect_free(&options->judging.protect);
	parameters_free(&options->judging.parameters);
	free(options->reading.input_file);
	options->reading.input_file = NULL;
	options->judging.loaded = NULL;
	options->judging.suffixes = NULL;
}
