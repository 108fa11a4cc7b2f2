/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands, and their help. */
#include "cli/commands/options.h"
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include "cli/text/nearest.h"

#include <stdio.h>
#include <string.h>

static const char *const actions[] = {"check", "show", "compile", "diff", "test", "explain", "learn", "import", NULL};

/* clang-format off */
/* Possible operands, for completion. */
#define NOTHING {VALUE_ANY, NULL}
#define FILES   {VALUE_FILE, NULL}

const struct command commands[COMMANDS] = {
	[COMMAND_CHECK] = {"check", "[URI...]", "judges URIs",
	 "Judges each URI; without arguments each line of standard input or of --input.\n"
	 "Human output explains every finding; TSV has ten columns: verdict, findings, scheme,\n"
	 "userinfo, host, port, path, query, fragment, effective port; \\N is absent, \\xHH an octet.\n",
	 0, SIZE_MAX, true, NOTHING, NOTHING, run_check, "urivet-check(1)"},
	[COMMAND_FILTER] = {"filter", "", "copies what is accepted",
	 "Copies the accepted records of the input to standard output as they are, and with\n"
	 "--repair others in a spelling that the policy accepts.\n"
	 "Refused ones go to --rejects: the ten columns of check, the record's number from 1 and\n"
	 "the record itself.\n",
	 0, 0, true, NOTHING, NOTHING, run_filter, "urivet-filter(1)"},
	[COMMAND_PARSE] = {"parse", "[URI...]", "takes URIs apart",
	 "Takes any URI reference apart as --reader does, and judges nothing. The readers are\n"
	 "{readers}.\n",
	 0, SIZE_MAX, true, NOTHING, NOTHING, run_parse, "urivet-parse(1)"},
	[COMMAND_EXPLAIN] = {"explain", "URI...", "says everything about a URI",
	 "Shows the components, what each reader reads and connects to, every finding under its\n"
	 "place, and the spelling that is accepted. Passwords and tokens are masked with one * for\n"
	 "each octet.\n",
	 1, SIZE_MAX, false, NOTHING, NOTHING, run_explain, "urivet-explain(1)"},
	[COMMAND_SUGGEST] = {"suggest", "[URI...]", "writes the spelling that is accepted",
	 "Writes the equivalent spelling that the policy accepts, one line per input. Nothing is\n"
	 "guessed: where there is none, nothing is written and the exit status is 1.\n",
	 0, SIZE_MAX, true, NOTHING, NOTHING, run_suggest, "urivet-suggest(1)"},
	[COMMAND_RESOLVE] = {"resolve", "BASE REFERENCE", "resolves a reference against a base",
	 "Writes the target of a reference as --reader resolves it:\n"
	 "{editions}. '(current document)' stands for the document that the reference is\n"
	 "in. With an option of policy the target is judged: exit status 1 if it is refused.\n",
	 2, 2, false, NOTHING, NOTHING, run_resolve, "urivet-resolve(1)"},
	[COMMAND_NORMALISE] = {"normalise", "[URI...]", "writes the normal form",
	 "Writes the normal form of any URI reference, one line per input, by the rules of --reader:\n"
	 "{editions}. Nothing is judged; where the input\n"
	 "cannot be read, nothing is written and the exit status is 1.\n",
	 0, SIZE_MAX, true, NOTHING, NOTHING, run_normalise, "urivet-normalise(1)"},
	[COMMAND_COMPARE] = {"compare", "A B", "compares two URIs",
	 "Writes the first of these that holds: identical; syntax, equal in their normal form;\n"
	 "scheme, also by the defaults of their scheme; protocol, known by --redirects to redirect\n"
	 "to one another; different, with exit status 1.\n",
	 2, 2, false, NOTHING, NOTHING, run_compare, "urivet-compare(1)"},
	[COMMAND_FINDINGS] = {"findings", "[ID]", "shows the catalogue of findings",
	 "Lists every finding, or says everything about one. TSV has seven columns: id, number,\n"
	 "class, component, reference, text, next.\n",
	 0, 1, false, {VALUE_FINDING, NULL}, NOTHING, run_findings, "urivet-findings(1)"},
	[COMMAND_BASE] = {"base", "", "says what relative references are resolved against",
	 "Writes the base URI and the reason: the innermost of the layers content (HTML, then\n"
	 "Content-Base, then Content-Location), enclosing entity, retrieval and default that is\n"
	 "there. A relative one of the content is resolved against the layer below it.\n",
	 0, 0, false, NOTHING, NOTHING, run_base, "urivet-base(1)"},
	[COMMAND_SCAN] = {"scan", "[FILE...]", "finds URIs in text, markup or mail and judges them",
	 "Finds URIs in angle brackets, in double quotes and standing free, and abbreviated ones\n"
	 "such as www.example.com/x, which are judged as a guess. TSV: the ten columns of check,\n"
	 "then file, line, column in octets from 1, the text found, uri, image or abbreviated; of mail\n"
	 "the message, the part and the header field as well; field: readers differ in it.\n"
	 "With --params the request targets of access logs are found, too, and are of the kind target.\n",
	 0, SIZE_MAX, true, FILES, FILES, run_scan, "urivet-scan(1)"},
	[COMMAND_REPORT] = {"report", "[FILE...] -o OUT", "writes a page about a list of URIs",
	 "Judges each line of the files, or of standard input, and writes one HTML page: totals,\n"
	 "findings by class with examples, hosts, schemes, ports, lengths, and a timeline where\n"
	 "records have times. The page needs neither network nor scripts; secrets are masked.\n"
	 "Exit status as check; nothing is written where an input could not be read to its end.\n",
	 0, SIZE_MAX, true, FILES, FILES, run_report, "urivet-report(1)"},
	[COMMAND_POLICY] = {"policy", "check FILE | show FILE|NAME | compile FILE|NAME -o OUT | diff [--input=FILE] A B | test FILE | explain FILE|NAME URL | learn --input=FILE | import --from=LIST FILE",
	 "checks, shows, compiles, compares, tests, explains, learns or imports policies",
	 "check says whether a policy file is good, and every fault of it by file and line.\n"
	 "show writes what a policy comes to as a policy file: that of a file, or strict, public,\n"
	 "any or gateway. compile writes it as octets, which --policy-file and the library take.\n"
	 "diff writes what only one of two policies has, - of A and + of B: exit status 1 if there\n"
	 "is anything. TSV: sign, key, value, file, line. With --input it writes which records of a\n"
	 "file only one of them accepts; TSV: sign, findings by A, by B, number, record. test judges\n"
	 "the inputs of FILE, and says which end otherwise than FILE says: exit status 1 if there is\n"
	 "any. explain writes which rules are about URL, which decided, and which keys and values to\n"
	 "add to FILE for the other verdict. learn writes a policy with what the requests of a\n"
	 "log need, each below a prefix of the path. import writes one from a list of another program,\n"
	 "and a comment for each line that cannot be translated. Policy files are described in urivet-policy(5), files of cases in urivet-policy-test(5).\n",
	 0, 3, false, {VALUE_WORD, actions}, {VALUE_FILE, policy_names}, run_policy, "urivet-policy(1)"},
	[COMMAND_SERVE] = {"serve", "[URL]", "answers gateways that ask about requests",
	 "Answers over HTTP, for gateways that ask before they hand a request on: 200 for one that\n"
	 "may go on, 403 for any other. --from names the gateway, and so the fields that\n"
	 "describe the request. --squid and --apache answer lines on standard input. SIGHUP loads the policy\n"
	 "again, SIGTERM ends. The policy is gateway where nothing is said. With --check it shows\n"
	 "what the gateway would ask about URL, and what it would be answered.\n",
	 0, 1, false, NOTHING, NOTHING, run_serve, "urivet-serve(8)"},
	[COMMAND_HELP] = {"help", "[COMMAND]", "describes a command",
	 "Describes a command, or lists them.\n",
	 0, 1, false, {VALUE_COMMAND, NULL}, NOTHING, run_help, "urivet(1)"},
	[COMMAND_COMPLETION] = {"completion", "bash|zsh|fish", NULL,
	 "Writes what completes commands, options and values in that shell, as source for it.\n",
	 1, SIZE_MAX, false, {VALUE_WORD, completion_shells}, NOTHING, run_completion, "urivet(1)"},
};
/* clang-format on */

/* Other spellings of commands, which are not listed. */
static const struct {
	const char *name;
	enum command_id command;
} aliases[] = {{"normalize", COMMAND_NORMALISE}, {"canonicalize", COMMAND_NORMALISE}};

const struct command *command_named(const char *name)
{
	struct nearest nearest = urivet_loader_nearest(name);

	for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
		if (strcmp(aliases[i].name, name) == 0)
			return &commands[aliases[i].command];
	}
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
		urivet_loader_nearest_try(&nearest, commands[i].name);
	}
	nearest_complain(&nearest, "no such command:");
	return NULL;
}

#define COLUMNS 91u
#define TEXT    512u /* the maximum length of a text with a placeholder */

/* Replaces the placeholder in the text, if there is one, by the list. */
static void fill_in(char filled[TEXT + READER_LIST], const char *text, const char *mark,
		    const char *list)
{
	const char *at = strstr(text, mark);
	const size_t before = at != NULL ? (size_t)(at - text) : strlen(text);

	(void)snprintf(filled, TEXT + READER_LIST, "%.*s%s%s", (int)before, text,
		       at != NULL ? list : "", at != NULL ? at + strlen(mark) : "");
}

/* Writes the help of a command. {readers} and {editions} are placeholders for their names. */
static void write_text(struct output *out, const char *text)
{
	char list[READER_LIST], once[TEXT + READER_LIST];

	if (strlen(text) >= TEXT || strchr(text, '{') == NULL) {
		output_string(out, text);
		return;
	}
	if (strstr(text, "{readers}") != NULL)
		fill_in(once, text, "{readers}", reader_list(list, false, " and "));
	else
		fill_in(once, text, "{editions}", reader_list(list, true, " or "));
	for (char *at = strchr(once, '\n'); at != NULL; at = strchr(at, '\n'))
		*at = ' ';
	out->width = COLUMNS; /* lines have another length with the list */
	human_write_wrapped(out, once, 0, STYLE_PLAIN);
}

static void write_usage(struct output *out, const struct command *command)
{
	emit(out, "usage: urivet ", command->name, " [OPTIONS]",
	     command->arguments[0] != '\0' ? " " : "", command->arguments, "\n\n");
	write_text(out, command->text);
	output_string(out, "\nOptions:\n");
	options_describe(out, command);
	emit(out, "\nManual page: ", command->page, "\n");
}

static void write_overview(struct output *out)
{
	output_string(out,
		      "usage: urivet COMMAND [OPTIONS] [ARGUMENTS]\n\n"
		      "urivet vets URIs: it accepts what every reader reads alike and what is not\n"
		      "dangerous in itself, and explains every refusal.\n\n"
		      "Commands:\n");
	for (size_t i = 0; i < COMMANDS; i++) {
		if (commands[i].summary == NULL)
			continue;
		emit(out, "  ", commands[i].name, spaces(12 - strlen(commands[i].name)),
		     commands[i].summary, "\n");
	}
	output_string(out, "\nurivet COMMAND --help describes a command and its options.\n"
			   "Exit status: 0 all accepted, 1 some refused, 2 trouble.\n");
}

enum status help_write(const struct command *command)
{
	struct output out;

	if (!paint_open(&out, COLOUR_NEVER))
		return STATUS_TROUBLE;
	if (command != NULL)
		write_usage(&out, command);
	else
		write_overview(&out);
	return output_finish(&out) ? STATUS_ACCEPTED : STATUS_TROUBLE;
}

enum status run_help(const struct options *options)
{
	const struct command *command = NULL;

	if (options->reading.operands > 0) {
		command = command_named(options->reading.operand[0]);
		if (command == NULL)
			return STATUS_TROUBLE;
	}
	return help_write(command);
}
