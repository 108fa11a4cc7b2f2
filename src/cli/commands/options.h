/* SPDX-License-Identifier: Apache-2.0 */
/* Commands, and their options after parsing and validation. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/judge/batch.h"
#include "cli/scan/markup.h"
#include "cli/text/paint.h"
#include "gateway/network.h"
#include <stdbool.h>
#include <urivet/policy.h>
#include <urivet/readers.h>
#include <urivet/reference.h>

/* The commands, in the order of the help. */
#define EACH_COMMAND(X)                                                                            \
	X(CHECK, check)                                                                            \
	X(FILTER, filter)                                                                          \
	X(PARSE, parse)                                                                            \
	X(EXPLAIN, explain)                                                                        \
	X(SUGGEST, suggest)                                                                        \
	X(RESOLVE, resolve)                                                                        \
	X(NORMALISE, normalise)                                                                    \
	X(COMPARE, compare)                                                                        \
	X(FINDINGS, findings)                                                                      \
	X(BASE, base)                                                                              \
	X(SCAN, scan)                                                                              \
	X(REPORT, report)                                                                          \
	X(POLICY, policy)                                                                          \
	X(SERVE, serve)                                                                            \
	X(HELP, help)                                                                              \
	X(COMPLETION, completion)

#define COMMAND_NUMBER(id, name) COMMAND_##id,
enum command_id { EACH_COMMAND(COMMAND_NUMBER) COMMANDS };
#undef COMMAND_NUMBER

/* The property by which records are counted. */
enum count_by {
	COUNT_FINDING = 0,
	COUNT_HOST,
	COUNT_REGISTRABLE,
	COUNT_CLASS,
	COUNT_VERDICT,
	COUNT_SCHEME
};

struct count_options {
	int by;           /* enum count_by: write counts instead of records; -1: no */
	uint32_t top;     /* show only the greatest counts; 0: all */
	uint32_t samples; /* examples of each count */
};

/* The maximum number of options of all commands. */
#define OPTIONS_MOST 128u

/* The options of single commands. */
struct compare_options {
	const char *redirects; /* file of known redirects; NULL: none */
	bool no_fragment;      /* ignore fragments in comparisons */
};

struct action_options {
	int source;         /* policy import: the kind of list, from 1; 0: not given */
	const char *part;   /* policy import: the directive or service; NULL: not given */
	const char *share;  /* policy learn: the least share for a rule; NULL: 2 */
	uint32_t clients;   /* policy learn: the least number for a rule; UINT32_MAX: not given */
};

struct serve_options {
	int from;               /* enum front; -1: not given */
	int speaker;            /* enum speaker, the line protocol; 0: not given */
	const char *listen;     /* the address to listen on */
	const char *metrics;    /* the address for metrics; NULL: none */
	bool send_findings;     /* send findings to the gateway */
	int methods;            /* 0: registered ones, 1: any */
	bool check;             /* show question and answer for one URL */
	const char *log;        /* file for refusals; "-": standard output; NULL: none */
	uint32_t origin_scheme; /* the server's public scheme; NONE: not given */
	uint32_t origin_port;
	uint32_t connections; /* maximum of a process; 0: the default */
	uint32_t timeout;     /* in seconds; 0: the default */
	struct network network;
	const char *config; /* file of options; NULL: none */
};

/* The header fields that give a base URI. */
enum base_header { HEADER_CONTENT_BASE = 0, HEADER_CONTENT_LOCATION };

struct base_layers {
	const char *content;   /* an HTML file */
	const char *header[2]; /* values of enum base_header */
	const char *enclosing; /* URI of the enclosing entity */
	const char *retrieved; /* ... the URI of the retrieval */
	const char *otherwise; /* ... the default base */
};

struct options {
	const struct command *command;
	size_t unguarded;    /* operands before "--", for which a hint may be given */
	bool is_well_formed; /* an error is not in the command line itself */
	bool help;
	bool version;
	bool given[OPTIONS_MOST]; /* by the index in the table of options */

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
	bool repair;       /* filter: write another spelling where one is accepted */
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

/* Returns the first of the options that was given, NULL if there is none. The names, with their
 * hyphens, end with NULL. */
const char *first_given(const struct options *options, const char *const names[]);

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
enum status help_write(const struct command *command);

/* Writes the help lines of the options that `command` takes. */
void options_describe(struct output *out, const struct command *command);

/* The functions that run commands. */
#define COMMAND_RUN(id, name) enum status run_##name(const struct options *options);
EACH_COMMAND(COMMAND_RUN)
#undef COMMAND_RUN

/* Reports an error, and returns the status for it. */
#define trouble(...) (complain(__VA_ARGS__), STATUS_TROUBLE)

/* The names of enum count_by, in order; ends with NULL. */
extern const char *const count_names[];

/* check: judges the arguments or the input, and writes counts instead of records. */
enum status count_records(const struct options *options);

/* The lists that policy import reads; ends with NULL. */
extern const char *const import_sources[];
/* The supported shells; ends with NULL. */
extern const char *const completion_shells[];

/* Size of the buffer for the names of all readers, with separators. */
#define READER_LIST 512u

/* Returns true if the reader follows an edition of the standard. Only these can resolve and
 * normalise. */
bool is_edition(int reader);

/* Writes "rfc3986, uri-2003 or uri-1997": the editions, or all readers. `last` is the last
 * separator, as " or ". Returns `list`. */
const char *reader_list(char list[READER_LIST], bool editions, const char *last);

#endif
