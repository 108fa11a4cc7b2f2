/* SPDX-License-Identifier: Apache-2.0 */
/* Commands, and their options after parsing and validation. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/options/parameters.h"
#include "cli/options/protect.h"
#include "cli/records/table.h"
#include "common/text/output.h"
#include "cli/text/paint.h"
#include <stdbool.h>
#include <urivet/policy.h>
#include <urivet/reference.h>

/* Exit statuses. Trouble takes precedence over a refusal, since some input was not judged. */
enum status { STATUS_ACCEPTED = 0, STATUS_REFUSED = 1, STATUS_TROUBLE = 2 };

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

/* The maximum number of threads. */
#define JOBS_MOST 64u

enum format { FORMAT_DEFAULT = 0, FORMAT_HUMAN, FORMAT_TSV, FORMAT_JSON, FORMAT_SARIF };

enum progress_mode { PROGRESS_DEFAULT = 0, PROGRESS_ON, PROGRESS_OFF };

struct options {
	const struct command *command;
	const char *const *operand;
	size_t operands;
	size_t unguarded; /* operands before "--", for which a hint may be given */

	const char *policy_name; /* NULL: strict, or the policy of the file */
	const char *policy_path; /* a policy file; NULL: none */
	const char *protect_path; /* a file of protected names; NULL: only those of the policy */
	struct urivet_finding_set allowed;
	struct urivet_finding_set refused;
	uint32_t max_length; /* UINT32_MAX: that of the policy applies */
	struct urivet_policy policy;      /* the result of the options above */
	struct urivet_policy spelling;    /* ... without rules for parameters, for suggestions */
	struct urivet_loaded *loaded;     /* the policy of the file; NULL: no file */
	struct urivet_suffixes *suffixes; /* NULL: not needed, or not available */
	bool judges_links;                /* ... about the text of links in HTML */
	bool shows_registrable;           /* output shows registrable domains, by suffixes */
	struct protect protect;           /* from --protect */
	bool plain_strict; /* the policy is strict, so urivet_ok() alone decides */
	bool judges;       /* one of the options above was given */
	size_t limit;      /* maximum octets of an input that is read */

	enum urivet_reader reader;
	bool readings;    /* show the result of every reader */
	bool iri;         /* show the conversion of non-ASCII characters */
	bool new_request; /* an empty reference resolves to the base */
	bool compatible;  /* ignore a reference's scheme if it is that of the base */
	bool no_fragment; /* ignore fragments in comparisons */
	enum urivet_level level;
	const char *redirects; /* file of known redirects; NULL: none */

	int count_by;     /* enum count_by: write counts instead of records; -1: no */
	uint32_t top;     /* show only the greatest counts; 0: all */
	uint32_t samples; /* examples of each count */
	bool time_prefix; /* report: each record begins with a time stamp */

	enum format format;
	enum colour colour;
	bool quiet;
	bool show_secrets;
	bool is_well_formed; /* an error is not in the command line itself */
	bool help;
	bool version;

	bool target;         /* inputs are HTTP request targets */
	const char *host;    /* ... with this Host field; NULL: unknown */
	bool target_records; /* each input is a method, a Host field and a target */
	const char *method;  /* of the requests; NULL: unknown */
	uint32_t scheme;     /* of the listener: enum urivet_scheme, or URIVET_SCHEME_NONE */
	uint32_t port;       /* ... and its port; 0: unknown */
	struct urivet_request request; /* the request as described by the options above */

	bool html;             /* scan: the files are HTML */
	bool mail;             /* scan: the files are messages and mailboxes */
	int markup;            /* scan: enum markup of the files */
	const char *base;      /* scan: base of the documents; NULL: none */
	const char *content;   /* base: an HTML file */
	const char *header[2]; /* base: values of enum base_header */
	const char *enclosing; /* base: URI of the enclosing entity */
	const char *retrieved; /* ... the URI of the retrieval */
	const char *otherwise; /* ... the default base */

	int from;                  /* serve: enum front; -1: not given */
	int speaker;               /* serve: enum speaker, the line protocol; 0: not given */
	const char *listen;        /* serve: the address to listen on */
	const char *metrics;       /* serve: the address for metrics; NULL: none */
	const char *params;        /* names of judged parameters, or "*"; NULL: none */
	const char *params_policy; /* ... by this policy */
	uint32_t params_decode;    /* ... decoded this many times; 0: not given */
	bool same_origin;          /* ... and must stay on the origin */
	struct parameter_options parameters; /* the result of the options above */
	int source;                /* policy import: the kind of list, from 1; 0: not given */
	const char *accept;        /* policy learn: the share to accept; NULL: 99.9 */
	bool observe;              /* refusals are reported, not enforced */
	bool tell_findings;        /* serve: send findings to the gateway */
	bool check;                /* serve: show question and answer for one URL */
	const char *log;           /* serve: file for refusals; "-": standard output; NULL: none */
	uint32_t origin_scheme;    /* serve: the server's public scheme; NONE: not given */
	uint32_t origin_port;
	uint32_t connections;      /* serve: maximum of a process; 0: not given */
	uint32_t timeout;          /* serve: in seconds; 0: not given */

	const char **input_file; /* files of --input; "-": standard input */
	size_t inputs;           /* number of files; 0: standard input */
	bool decompress;         /* standard input may be compressed */
	const char *output;  /* policy compile, report: output file; "-": stdout; NULL: not given */
	const char *rejects; /* file for refused records; NULL: none, "-": standard error */
	struct table table;  /* the table format, if records are rows */
	bool null;           /* records end in NUL instead of LF */
	bool crlf;
	enum progress_mode progress;
	uint32_t jobs;
};

/* The property by which records are counted. */
enum count_by {
	COUNT_FINDING = 0,
	COUNT_HOST,
	COUNT_REGISTRABLE,
	COUNT_CLASS,
	COUNT_VERDICT,
	COUNT_SCHEME
};

/* The names of enum count_by, in order; ends with NULL. */
extern const char *const count_names[];

/* The names of enum with, in order; ends with NULL. */
extern const char *const with_names[];

/* The header fields that give a base URI. */
enum base_header { HEADER_CONTENT_BASE = 0, HEADER_CONTENT_LOCATION };

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

/* Returns true if the inputs are request targets. */
static inline bool judges_targets(const struct options *options)
{
	return options->target || options->target_records;
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

/* Returns true if refusals are reported but not enforced. */
static inline bool options_observe(const struct options *options)
{
	return options->observe ||
	       (options->loaded != NULL && urivet_loaded_observes(options->loaded));
}

/* Returns the exit status for at least one refused input. */
static inline enum status refused_status(const struct options *options)
{
	return options_observe(options) ? STATUS_ACCEPTED : STATUS_REFUSED;
}

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
