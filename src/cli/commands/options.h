/* SPDX-License-Identifier: Apache-2.0 */
/* Commands, and their options after parsing and validation. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/commands/cmd_base.h"
#include "cli/commands/cmd_serve.h"
#include "cli/commands/policy_options.h"
#include "cli/commands/redirects.h"
#include "cli/judge/batch.h"
#include "cli/scan/scan_options.h"
#include "cli/show/census_table.h"
#include <stdbool.h>
#include <urivet/policy.h>
#include <urivet/reference.h>

enum command_id {
	COMMAND_CHECK = 0,
	COMMAND_FILTER,
	COMMAND_PARSE,
	COMMAND_EXPLAIN,
	COMMAND_SUGGEST,
	COMMAND_RESOLVE,
	COMMAND_NORMALISE,
	COMMAND_COMPARE,
	COMMAND_FINDINGS,
	COMMAND_BASE,
	COMMAND_SCAN,
	COMMAND_REPORT,
	COMMAND_POLICY,
	COMMAND_SERVE,
	COMMAND_HELP,
	COMMAND_COMPLETION,
	COMMANDS
};

struct options {
	const struct command *command;
	size_t unguarded;    /* operands before "--", for which a hint may be given */
	bool is_well_formed; /* an error is not in the command line itself */
	bool help;
	bool version;

	/* What several commands share. */
	struct read_options reading;
	struct judge_options judging;
	struct show_options showing;
	struct count_options count;
	enum urivet_reader reader;
	const char *base;   /* scan, policy learn */
	const char *output; /* policy compile, report: output file; "-": stdout; NULL: not given */
	bool readings;      /* check, explain: show the result of every reader */

	/* What one command has. */
	struct action_options action;
	struct base_layers layers;
	struct compare_options compare;
	struct scan_options scan;
	struct serve_options serve;
	bool iri;          /* suggest: show the conversion of non-ASCII characters */
	bool new_request;  /* resolve: an empty reference resolves to the base */
	bool compatible;   /* resolve: ignore a reference's scheme if it is that of the base */
	bool show_secrets; /* explain */
	bool time_prefix;  /* report: each record begins with a time stamp */
	enum urivet_level level; /* normalise */
};

/* The possible values of an option or operand, for completion. */
enum value_kind {
	VALUE_ANY = 0,
	VALUE_WORD,    /* one of the words */
	VALUE_FILE,    /* ... or a file */
	VALUE_READER,  /* a reader that the command supports */
	VALUE_FINDING, /* the name of a finding */
	VALUE_WAIVED,  /* comma-separated findings that can be waived */
	VALUE_RAISED,  /* comma-separated findings that can be raised */
	VALUE_COMMAND
};

struct values {
	enum value_kind kind;
	const char *const *words; /* ends with NULL; NULL: no words */
};

struct command {
	const char *name;
	const char *arguments; /* in the usage line */
	const char *summary;   /* NULL: the command is not listed */
	const char *text;      /* the rest of its help */
	size_t least;          /* minimum and maximum number of operands */
	size_t most;
	bool reads_input;    /* if there are no operands */
	struct values first; /* operand */
	struct values others;
	enum status (*run)(const struct options *options);
	const char *page; /* the man page that describes it, as "urivet(1)" */
};

extern const struct command commands[COMMANDS];

/* The built-in policies; ends with NULL. */
extern const char *const policy_names[];

/* The maximum octets of a record of --target-records besides its target: the method, the Host field
 * and two spaces. */
#define TARGET_ROOM 1024u

/* Returns what a task is run by. */
static inline struct run_options run_by(const struct options *options)
{
	return (struct run_options){&options->reading, &options->judging, &options->showing, options};
}

/* Returns how often --input names standard input. */
size_t options_standard_inputs(const struct options *options);

/* Returns the finding with that name, or NULL after reporting that there is none. */
const struct urivet_finding_row *finding_by_word(const char *word);

/* Returns the command with that name, or NULL after reporting that there is none. */
const struct command *command_named(const char *name);

/* Returns true if the command supports this --reader. */
bool command_reads_by(const struct command *command, enum urivet_reader reader);

/* Parses argv[0..argc), the words after the command's name. Moves the operands to the start of
 * argv. Returns false after reporting an error. */
bool options_read(struct options *options, const struct command *command, int argc, char **argv);

/* Frees what options_read() allocated, even if it failed. */
void options_free(struct options *options);

/* Reports an error in a policy or in the list of public suffixes. */
void complain_of_policy(void *context, const struct urivet_message *message);

/* Writes the usage of one command, or of all commands (NULL). */
void help_write(struct output *out, const struct command *command);

/* Writes the help lines of the options that `command` takes. */
void options_describe(struct output *out, const struct command *command);

/* The functions that run commands. */
enum status run_check(const struct options *options);
enum status run_filter(const struct options *options);
enum status run_parse(const struct options *options);
enum status run_explain(const struct options *options);
enum status run_suggest(const struct options *options);
enum status run_resolve(const struct options *options);
enum status run_normalise(const struct options *options);
enum status run_compare(const struct options *options);
enum status run_findings(const struct options *options);
enum status run_base(const struct options *options);
enum status run_scan(const struct options *options);
enum status run_report(const struct options *options);
enum status run_policy(const struct options *options);
enum status run_serve(const struct options *options);
enum status run_help(const struct options *options);
/* The lists that policy import reads; ends with NULL. */
extern const char *const import_sources[];
/* The supported shells; ends with NULL. */
extern const char *const completion_shells[];
enum status run_completion(const struct options *options);

#endif
