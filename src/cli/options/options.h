/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, and their options as read from the command line and checked. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/options/parameters.h"
#include "cli/options/protect.h"
#include "cli/records/table.h"
#include "cli/show/output.h"
#include "cli/show/paint.h"
#include <stdbool.h>
#include <urivet/policy.h>

/* Exit statuses. Trouble takes precedence over a refusal, because not all was judged. */
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

/* The most threads. */
#define JOBS_MOST 64u

enum format { FORMAT_UNSAID = 0, FORMAT_HUMAN, FORMAT_TSV, FORMAT_JSON };

enum progress_wish { PROGRESS_UNSAID = 0, PROGRESS_ON, PROGRESS_OFF };

struct options {
	const struct command *command;
	const char *const *operand;
	size_t operands;
	size_t unguarded; /* operands before "--": a hint may be given about these */

	const char *policy_name; /* NULL: strict, or the policy of the file */
	const char *policy_path; /* a policy file; NULL: none */
	const char *protect_path; /* names that others imitate; NULL: none but the policy's */
	struct urivet_finding_set allowed;
	struct urivet_finding_set refused;
	bool has_max_length; /* else the policy's own */
	uint32_t max_length;
	struct urivet_policy policy;      /* what the options above make together */
	struct urivet_loaded *loaded;     /* the policy of the file; NULL: there is none */
	struct urivet_suffixes *suffixes; /* NULL: nothing needs them, or there are none */
	bool judges_suffixes;             /* the policy has a rule that needs them */
	bool judges_links;                /* ... about the text of links in HTML */
	bool shows_registrable;           /* the output has registrable domains, by them */
	struct protect protect;           /* of the file of --protect */
	bool plain_strict; /* the policy is strict, so urivet_ok() tells the verdict */
	bool judges;       /* one of the options above was given */
	size_t limit;      /* a longer input is not read */

	enum urivet_reader reader;
	bool readings;    /* show what every reader reads */
	bool iri;         /* say what became of characters beyond ASCII */
	bool new_request; /* an empty reference resolves to the base */
	bool compatible;  /* a reference's scheme is ignored if it is the base's */
	bool no_fragment; /* fragments are not compared */
	enum urivet_level level;
	const char *redirects; /* file of URIs that redirect to one another; NULL: none */

	int count_by;     /* enum count_by: records are counted, and not shown one by one; -1: they are not */
	uint32_t top;     /* of the counts, the greatest; 0: all */
	uint32_t samples; /* examples of each */
	bool time_prefix; /* report: each record begins with a time stamp */

	enum format format;
	enum colour colour;
	bool quiet;
	bool show_secrets;
	bool is_well_formed; /* if something is wrong, it is not the command line */
	bool help;
	bool version;

	bool target;         /* the inputs are HTTP request targets */
	const char *host;    /* ... and this is their Host field, if not NULL */
	bool target_records; /* each input is a method, a Host field and a target */
	const char *method;  /* of the requests; NULL: not told */
	uint32_t scheme;     /* of the listener: enum urivet_scheme, or URIVET_SCHEME_NONE */
	uint32_t port;       /* ... and its port; 0: not told */
	struct urivet_request request; /* what the options above say of all targets */

	bool html;             /* scan: the files are HTML */
	bool mail;             /* scan: ... messages and mailboxes */
	const char *base;      /* scan: base of the documents; NULL: none */
	const char *content;   /* base: an HTML file */
	const char *header[2]; /* base: values of enum base_header */
	const char *enclosing; /* base: URIs of the outer layers */
	const char *retrieved; /* ... the last one given */
	const char *otherwise; /* ... the default */

	int from;                  /* serve: enum front; -1: not said */
	int speaker;               /* serve: enum speaker, whose lines are answered; -1: not said */
	const char *listen;        /* serve: where questions come */
	const char *metrics;       /* serve: where counts are told; NULL: nowhere */
	const char *params;        /* names of parameters that are judged, or "*"; NULL: none are */
	const char *params_policy; /* ... by this policy */
	uint32_t params_decode;    /* ... decoded so many times; 0: not said */
	bool same_origin;          /* ... and have to stay on the origin */
	struct parameter_options parameters; /* what these come to */
	bool observe;              /* refusals are told, not enforced */
	bool tell_findings;        /* serve: to the gateway that asks */
	bool check;                /* serve: shows question and answer for one URL */
	const char *log;           /* serve: a file for refusals; "-": standard output; NULL: none */
	uint32_t origin_scheme;    /* serve: of the server to its clients; NONE: not said */
	uint32_t origin_port;
	uint32_t connections;      /* serve: of a process, at most; 0: not said */
	uint32_t timeout;          /* serve: in seconds; 0: not said */

	const char **input_file; /* files to read, of --input; "-": standard input */
	size_t inputs;           /* how many; 0: standard input */
	bool decompress;         /* standard input may be compressed */
	const char *output;  /* policy compile, report: file to write; "-": standard output; NULL: not said */
	const char *rejects; /* file for refused records; NULL: none, "-": standard error */
	struct table table;  /* what records are rows of */
	bool null;           /* records end in NUL, else in LF */
	bool crlf;
	enum progress_wish progress;
	uint32_t jobs;
};

/* What records are counted by. */
enum count_by {
	COUNT_FINDING = 0,
	COUNT_HOST,
	COUNT_REGISTRABLE,
	COUNT_CLASS,
	COUNT_VERDICT,
	COUNT_SCHEME
};

/* Their names, in order; NULL ends them. */
extern const char *const count_names[];

/* The names of what --with appends, by enum with; NULL ends them. */
extern const char *const with_names[];

/* The header fields that give a base URI. */
enum base_header { HEADER_CONTENT_BASE = 0, HEADER_CONTENT_LOCATION };

/* What the value of an option, or an operand, may be: shells complete it. */
enum value_kind {
	VALUE_ANY = 0,
	VALUE_WORD,    /* one of the words */
	VALUE_FILE,    /* ... or a file */
	VALUE_READER,  /* one that the command reads by */
	VALUE_FINDING, /* an id */
	VALUE_WAIVED,  /* ids that can be waived, with commas */
	VALUE_RAISED,  /* ids that can be raised, with commas */
	VALUE_COMMAND
};

struct values {
	enum value_kind kind;
	const char *const *words; /* end with NULL; NULL: none */
};

struct command {
	const char *name;
	const char *arguments; /* for the usage line */
	const char *summary;   /* NULL: not listed */
	const char *text;      /* for its help, after the summary */
	size_t least;          /* operands */
	size_t most;
	bool reads_input;    /* if there are no operands */
	struct values first; /* operand */
	struct values others;
	enum status (*run)(const struct options *options);
	const char *page; /* the man page that describes it, as "urivet(1)" */
};

extern const struct command commands[COMMANDS];

/* The policies that are built in; NULL ends them. */
extern const char *const policy_names[];

/* Octets that a record of --target-records may have beside its target: for the method, the Host
 * field and the two spaces. No more is held of a longer record than is needed for these. */
#define TARGET_ROOM 1024u

/* Are the inputs request targets, in whatever form? */
static inline bool judges_targets(const struct options *options)
{
	return options->target || options->target_records;
}

/* How often --input names standard input. */
size_t options_standard_inputs(const struct options *options);

/* The finding of that name; NULL after saying that there is none. */
const struct urivet_finding_row *finding_by_word(const char *word);

/* The command of that name; NULL after saying that there is none. */
const struct command *command_named(const char *name);

/* Can the command's --reader be this one? */
bool command_reads_by(const struct command *command, enum urivet_reader reader);

/* Reads argv[0..argc), the words after the command's name; operands are moved to the front
 * of argv. False after saying what is wrong. */
bool options_read(struct options *options, const struct command *command, int argc, char **argv);

/* Releases what options_read() allocated, whatever it returned. */
void options_free(struct options *options);

/* Are refusals told and not enforced? */
static inline bool options_observe(const struct options *options)
{
	return options->observe ||
	       (options->loaded != NULL && urivet_loaded_observes(options->loaded));
}

/* The status where at least one input is refused. */
static inline enum status refused_status(const struct options *options)
{
	return options_observe(options) ? STATUS_ACCEPTED : STATUS_REFUSED;
}

/* Says what is wrong with a policy, or with the list of public suffixes. */
void complain_of_policy(void *context, const struct urivet_message *message);

/* Writes the usage of one command, or of all (NULL). */
void help_write(struct output *out, const struct command *command);

/* Writes the help lines of the options that `command` takes. */
void options_describe(struct output *out, const struct command *command);

/* The commands. */
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
/* The shells that it writes for; NULL ends them. */
extern const char *const completion_shells[];
enum status run_completion(const struct options *options);

#endif
