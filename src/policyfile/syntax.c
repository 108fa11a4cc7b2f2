/* SPDX-License-Identifier: Apache-2.0 */
/* Explains YAML errors in terms of policy files. */
#ifdef HAVE_LIBYAML
#include "policyfile/syntax.h"
#include "common/text/octets.h"
#include <string.h>

/* Maximum number of octets shown of the file. */
#define SHOWN 100

#define REPORT(error, spot, ...) urivet_loader_problem(problems, (error)->spot.at, __VA_ARGS__)

/* Returns the octet at this offset; NUL after the last one. */
static uint8_t octet_at(const struct source *source, size_t octet)
{
	return octet < source->length ? source->data[octet] : '\0';
}

/* Returns the number of octets before the first one in `ends`, at most SHOWN. */
static int length_up_to(const struct source *source, size_t octet, const char *ends)
{
	int length = 0;

	while (length < SHOWN && octet_at(source, octet + (size_t)length) != '\0' &&
	       !is_one_of(octet_at(source, octet + (size_t)length), ends))
		length++;
	return length;
}

static size_t line_start(const struct source *source, size_t octet)
{
	octet = octet < source->length ? octet : source->length;
	while (octet > 0 && source->data[octet - 1] != '\n')
		octet--;
	return octet;
}

/* Returns the length of a `key:` that is directly followed by its value, after white space and "-
 * ", and stores its offset in *start. Returns 0 if there is none. */
static int length_of_tight_key(const struct source *source, size_t *start)
{
	int length;

	while (is_one_of(octet_at(source, *start), " -"))
		(*start)++;
	length = length_up_to(source, *start, " \t\r\n:\"'[]{},#/.");
	if (length == 0 || octet_at(source, *start + (size_t)length) != ':' ||
	    is_one_of(octet_at(source, *start + (size_t)length + 1), " \t\r\n/:") ||
	    octet_at(source, *start + (size_t)length + 1) == '\0')
		return 0;
	return length + 1;
}

/* Reports a missing space after a colon in this line or the line before. Returns false if none is
 * missing. */
static bool report_tight_key(struct problems *problems, const struct syntax_error *error)
{
	struct place at = error->spot.at;
	size_t line = line_start(error->source, error->spot.octet);

	for (unsigned lines = 0; lines < 2 && at.line > 0; lines++) {
		size_t start = line;
		const int length = length_of_tight_key(error->source, &start);

		if (length > 0) {
			at.column = (uint32_t)(start - line) + 1;
			urivet_loader_problem(problems, at, "a space is due after \"%.*s\"", length,
					      (const char *)error->source->data + start);
			return true;
		}
		if (line == 0)
			break;
		line = line_start(error->source, line - 1);
		at.line--;
	}
	return false;
}

void urivet_loader_report_alias(struct problems *problems, const struct source *source,
				struct spot spot)
{
	const int length = length_up_to(source, spot.octet, " \t\r\n,]}");
	const char *word = (const char *)source->data + spot.octet;

	if (length > 2 && word[1] == '.')
		urivet_loader_problem(
		    problems, spot.at,
		    "\"*\" begins an alias in YAML: put \"%.*s\" in quotes; %.*s, "
		    "which needs none, is that and the domain itself",
		    length, word, length - 1, word + 1);
	else
		urivet_loader_problem(problems, spot.at,
				      "\"*\" begins an alias in YAML, which policy files do not "
				      "have: put \"%.*s\" in quotes",
				      length, word);
}

void urivet_loader_report_word(struct problems *problems, const struct source *source,
			       struct spot spot)
{
	size_t start = spot.octet;
	const int length = length_of_tight_key(source, &start);

	if (length > 0)
		urivet_loader_problem(problems, spot.at, "a space is due after \"%.*s\"", length,
				      (const char *)source->data + start);
	else
		urivet_loader_problem(problems, spot.at,
				      "a key is due, and \": \" after it, as in base: public");
}

void urivet_loader_report_lines(struct problems *problems, const struct source *source,
				struct spot spot)
{
	size_t start = spot.octet;

	if (length_of_tight_key(source, &start) > 0)
		urivet_loader_report_word(problems, source, spot);
	else
		urivet_loader_problem(
		    problems, spot.at,
		    "a text that goes on in another line: write each value in a "
		    "line of its own, after its key or \"- \", and put it in quotes "
		    "if it is one");
}

/* ---- Errors one by one ---------------------------------------------------------------- */

static void report_start(struct problems *problems, const struct syntax_error *error)
{
	const uint8_t octet = octet_at(error->source, error->spot.octet);

	if (octet == '\t')
		REPORT(error, spot, "a tab: YAML is indented by spaces");
	else
		REPORT(error, spot, "\"%c\" cannot begin a text in YAML: put it in quotes", octet);
}

static void report_alias(struct problems *problems, const struct syntax_error *error)
{
	urivet_loader_report_alias(problems, error->source, error->began);
}

static void report_value(struct problems *problems, const struct syntax_error *error)
{
	if (!report_tight_key(problems, error))
		REPORT(
		    error, spot,
		    "a value begins at this colon, where none may: keys of one group are indented "
		    "alike, one in a line; text with a colon and a space in it needs quotes");
}

static void report_no_colon(struct problems *problems, const struct syntax_error *error)
{
	size_t start = error->began.octet;
	const char *word = (const char *)error->source->data + start;
	const int length = length_up_to(error->source, start, "\r\n");

	if (length_of_tight_key(error->source, &start) > 0)
		urivet_loader_report_word(problems, error->source, error->began);
	else
		REPORT(
		    error, began,
		    "\": \" and a value are due after the key \"%.*s\", or \"- \" before it where "
		    "it is a value of a list",
		    length, word);
}

/* Reports an error in a list or group in brackets. */
static void report_bracket(struct problems *problems, const struct syntax_error *error)
{
	const bool list = strstr(error->context, "sequence") != NULL;
	const char end = list ? ']' : '}', *what = list ? "list" : "group";

	if (error->spot.octet >= error->source->length)
		REPORT(error, began, "'%c' is missing for the %s that begins here", end, what);
	else
		REPORT(error, spot, "a comma or '%c' is due in the %s that begins in line %lu", end,
		       what, (unsigned long)error->began.at.line);
}

static void report_content(struct problems *problems, const struct syntax_error *error)
{
	const uint8_t octet = octet_at(error->source, error->spot.octet);

	if (octet == '\0')
		REPORT(error, spot, "the file ends here, in the middle of a list or group");
	else if (is_one_of(octet, "]}"))
		REPORT(error, spot, "'%c' closes nothing", octet);
	else if (octet == ',')
		REPORT(error, spot, "a value is due before the comma");
	else if (octet == ':')
		REPORT(error, spot,
		       "a colon in front is no text in brackets: put \"%.*s\" in quotes",
		       length_up_to(error->source, error->spot.octet, " \t\r\n,]}"),
		       (const char *)error->source->data + error->spot.octet);
	else
		REPORT(error, spot, "a value is due here");
}

static void report_key(struct problems *problems, const struct syntax_error *error)
{
	const uint8_t octet = octet_at(error->source, error->spot.octet);
	const size_t start = line_start(error->source, error->spot.octet);
	size_t before = error->spot.octet;

	while (before > start && is_one_of(octet_at(error->source, before - 1), " \t"))
		before--;
	if (before > start && octet == ';')
		REPORT(error, spot, "a line ends after its value: YAML has no semicolons");
	else if (before > start)
		REPORT(error, spot,
		       "a value ends before this: put all of it in quotes, or begin a line");
	else if (octet == '-')
		REPORT(error, spot, "\"- \" is not indented as the other values of its list are");
	else
		REPORT(error, spot, "a key is due, indented as the one in line %lu",
		       (unsigned long)error->began.at.line);
}

static void report_dash(struct problems *problems, const struct syntax_error *error)
{
	REPORT(error, spot, "\"- \" and a value are due, indented as in line %lu",
	       (unsigned long)error->began.at.line);
}

/* The messages of libyaml and our replacements. The first row that matches both texts is used. */
static const struct {
	const char *context; /* prefix of the context */
	const char *what;
	const char *text; /* the message, at the start of the context if `began`; NULL: report() */
	bool began;
	void (*report)(struct problems *problems, const struct syntax_error *error);
} rows[] = {
    {"while scanning an alias", "", NULL, false, report_alias},
    {"while scanning an anchor", "", "\"&\" begins an anchor in YAML: put the text in quotes", true,
     NULL},
    {"while scanning a tag", "", "\"!\" begins a tag in YAML: put the text in quotes", true, NULL},
    {"while parsing a tag", "", "\"!\" begins a tag in YAML: put the text in quotes", true, NULL},
    {"while parsing a node", "", "\"!\" begins a tag in YAML: put the text in quotes", true, NULL},
    {"", "found character that cannot start any token", NULL, false, report_start},
    {"while scanning a quoted scalar", "found unexpected", "a text in quotes that does not end",
     true, NULL},
    {"while parsing a quoted scalar", "",
     "an escape that YAML does not have: write \"\\\\\" for a backslash, or use single quotes, "
     "where it means itself",
     false, NULL},
    {"", "mapping values are not allowed", NULL, false, report_value},
    {"", "mapping keys are not allowed", "\"? \" begins a key in YAML: put the text in quotes",
     false, NULL},
    {"", "block sequence entries are not allowed",
     "a list begins in a line of its own, below its key; text that begins with \"- \" needs "
     "quotes",
     false, NULL},
    {"while scanning a simple key", "", NULL, false, report_no_colon},
    {"", "did not find expected node content", NULL, false, report_content},
    {"while parsing a flow ", "", NULL, false, report_bracket},
    {"while parsing a block mapping", "", NULL, false, report_key},
    {"while parsing a block collection", "", NULL, false, report_dash},
    {"while scanning a block scalar", "found a tab", "a tab: YAML is indented by spaces", false,
     NULL},
    {"while scanning a block scalar", "",
     "\"|\" and \">\" begin texts of many lines in YAML: put it in quotes", true, NULL},
    {"while scanning a plain scalar", "found a tab", "a tab: YAML is indented by spaces", false,
     NULL},
    {"while scanning a plain scalar", "",
     "a colon at the end of a text in brackets: put it in quotes", false, NULL},
    {"", "did not find expected <document start>",
     "the policy ends before this: nothing may stand after it", false, NULL},
};

static bool begins_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

void urivet_loader_report_syntax(struct problems *problems, const struct syntax_error *error)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (!begins_with(error->context, rows[i].context) ||
		    !begins_with(error->what, rows[i].what))
			continue;
		if (rows[i].report != NULL)
			rows[i].report(problems, error);
		else
			urivet_loader_problem(problems,
					      rows[i].began ? error->began.at : error->spot.at,
					      "%s", rows[i].text);
		return;
	}
	REPORT(error, spot, "no YAML: %s %s", error->what, error->context);
}

#else
/* ISO C requires at least one declaration per file */
typedef int urivet_loader_no_syntax;
#endif
