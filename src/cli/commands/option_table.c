/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options, and their functions. */
#include "cli/commands/option_table.h"
#include "cli/commands/hints.h"
#include "cli/show/appended.h"
#include "cli/text/nearest.h"
#include "common/finding_set.h"
#include "gateway/serve.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define ON(command) (1u << COMMAND_##command)
#define JUDGING                                                                                    \
	(ON(CHECK) | ON(FILTER) | ON(EXPLAIN) | ON(SUGGEST) | ON(RESOLVE) | ON(SCAN) | ON(REPORT))
#define READING    (ON(CHECK) | ON(FILTER) | ON(PARSE) | RESULTING)
#define RESULTING  (ON(SUGGEST) | ON(NORMALISE))
#define TARGETS    (ON(CHECK) | ON(FILTER) | ON(REPORT))
#define PARAMETERS (ON(CHECK) | ON(FILTER) | ON(EXPLAIN) | ON(SCAN) | ON(REPORT))
#define TABLES     (ON(CHECK) | ON(FILTER) | ON(REPORT) | ON(POLICY))
#define EVERY      ((1u << COMMANDS) - 1u)

/* How an option is set. _Generic checks the type of the member. */
/* clang-format off */
#define MEMBER(name, type)              _Generic(((struct options *)0)->name, type: offsetof(struct options, name))
#define CALL(function)                  {SETTING_CALL, 0, 0, 0, function, NULL}
#define FLAG(name)                      {SETTING_FLAG, 0, 0, MEMBER(name, bool), NULL, NULL}
#define STRING(name)                    ONCE(name, NULL)
#define ONCE(name, instead)             {SETTING_STRING, 0, 0, MEMBER(name, const char *), NULL, (instead)}
#define NUMBER(name, least, most)       {SETTING_NUMBER, least, most, MEMBER(name, uint32_t), NULL, NULL}
#define WORD(name, type, first, what)   {SETTING_WORD, first, 0, MEMBER(name, type), NULL, what}
#define CONSTANT(name, type, value, not_both) {SETTING_CONSTANT, value, 0, MEMBER(name, type), NULL, not_both}
#define FINDINGS(name)                  {SETTING_FINDINGS, 0, 0, MEMBER(name, struct urivet_finding_set), NULL, NULL}

/* Possible values. */
#define ANYTHING     {VALUE_ANY, NULL}
#define A_FILE       {VALUE_FILE, NULL}
#define ONE_OF(list) {VALUE_WORD, list}
/* clang-format on */

/* ---- The functions of options ---------------------------------------------- */

const char *const policy_names[] = {"strict", "public", "any", "gateway", NULL};
static const char *const formats[] = {"human", "tsv", "json", "sarif", NULL};
static const char *const colours[] = {"auto", "always", "never", NULL};
/* In the order of enum markup. */
static const char *const markups[] = {"markdown", "html",     "bbcode", "slack",
				      "asciidoc", "auto", NULL};
static const char *const levels[] = {
    [URIVET_LEVEL_SYNTAX] = "syntax", [URIVET_LEVEL_SCHEME] = "scheme", NULL};
static const char *const readers[] = {
#define EDITION(constant, number, name, ...) [number] = name,
#define READER(...)                          EDITION(__VA_ARGS__)
#include <urivet/readers.def>
    NULL};
#undef READER
#undef EDITION
static const char *const decodings[] = {"1", "2", NULL};
static const char *const methods[] = {"registered", "any", NULL};
static const char *const on_errors[] = {"continue", "stop", NULL};
static const char *const listener_schemes[] = {"http", "https", NULL};

/* Returns the index of a word in a list that ends with NULL, or -1 after reporting an error. */
static int choose(const char *const *list, const char *word, const char *what)
{
	struct nearest nearest = urivet_loader_nearest(word);

	for (int i = 0; list[i] != NULL; i++) {
		if (strcmp(list[i], word) == 0)
			return i;
		urivet_loader_nearest_try(&nearest, list[i]);
	}
	nearest_complain(&nearest, what);
	return -1;
}

static bool set_policy(struct options *options, const char *value)
{
	if (choose(policy_names, value, "no such policy:") < 0) {
		hint_at_policy(value);
		return false;
	}
	options->judging.policy_name = value;
	return true;
}

/* Does the same for the first `length` octets of a word. */
static int choose_part(const char *const *list, const char *word, size_t length, const char *what)
{
	char copy[64];

	(void)snprintf(copy, sizeof copy, "%.*s", (int)length, word);
	return choose(list, copy, what);
}

/* Returns the finding named by a word of `length` octets, or NULL after reporting an error. */
static const struct urivet_finding_row *finding_named(const char *word, size_t length)
{
#define FINDING_AS(policy, constant, number, id, ...) id,
#define FINDING(...)                                  FINDING_AS(strict, __VA_ARGS__)
	static const char *const names[] = {
#include <urivet/findings.def>
	    NULL};
#undef FINDING
#undef FINDING_AS
	const int chosen = choose_part(names, word, length, "no such finding:");

	return chosen < 0 ? NULL
			  : urivet_finding_info((unsigned)urivet_finding_named(word, length));
}

const struct urivet_finding_row *finding_by_word(const char *word)
{
	return finding_named(word, strlen(word));
}

/* Adds each finding of a comma-separated list to `set`. */
static bool add_findings(struct urivet_finding_set *set, const char *list)
{
	for (;;) {
		size_t length = strcspn(list, ",");
		const struct urivet_finding_row *info = finding_named(list, length);

		if (info == NULL)
			return false;
		put_in_set(set, info->id);
		if (list[length] == '\0')
			return true;
		list += length + 1;
	}
}

/* Parses a decimal number. Returns false after reporting an error. */
static bool read_number(uint32_t *number, const char *word, uint32_t least, uint32_t most,
			const char *option)
{
	bool good = word[0] != '\0';

	*number = 0;
	for (size_t i = 0; good && word[i] != '\0'; i++) {
		uint32_t digit = word[i] >= '0' && word[i] <= '9' ? (uint32_t)(word[i] - '0') : 10;

		good = digit < 10 && digit <= most && *number <= (most - digit) / 10;
		if (good)
			*number = *number * 10 + digit;
	}
	if (good && *number >= least)
		return true;
	return complain("--%s takes a number from %lu to %lu, not '%s'", option,
			(unsigned long)least, (unsigned long)most, word);
}

static bool set_target(struct options *options, const char *value)
{
	options->judging.target.given = true;
	options->judging.target.host = value;
	return true;
}

static bool set_method(struct options *options, const char *value)
{
	struct urivet_request request;

	options->judging.target.method = value;
	(void)urivet_request_init(&request, sizeof request);
	request.method = to_library(text_of(value));
	if (urivet_request_valid(&request))
		return true;
	return complain("--method takes a token (RFC 9110, 5.6.2), such as GET, not '%s'", value);
}

static bool set_input(struct options *options, const char *value)
{
	const char **grown =
	    realloc(options->reading.input_file,
		    (options->reading.inputs + 1) * sizeof *options->reading.input_file);

	if (grown == NULL)
		return complain("out of memory");
	options->reading.input_file = grown;
	options->reading.input_file[options->reading.inputs++] = value;
	return true;
}

/* Sets a member, unless it has another value than 0 already and this is an error. */
static bool set_constant(uint32_t *member, uint32_t value, const char *message)
{
	if (message != NULL && *member != 0 && *member != value)
		return complain("%s", message);
	*member = value;
	return true;
}

#define ONE_TABLE "--csv, --tsv-in and --json-field exclude each other"

/* Sets the field separator. Characters of names, numbers and quotes are rejected. */
static bool set_delimiter(struct options *options, const char *value)
{
	const bool tab =
	    strcmp(value, "tab") == 0 || strcmp(value, "\\t") == 0 || strcmp(value, "\t") == 0;
	const unsigned char octet = tab ? '\t' : (unsigned char)value[0];

	options->reading.table.separator = octet;
	if (tab || (ispunct(octet) && strchr("\"-_.", octet) == NULL && value[1] == '\0') ||
	    strcmp(value, " ") == 0)
		return true;
	return complain("--delimiter takes one sign, such as ';', or tab, not '%s'", value);
}

/* Reports an option that is given twice. If the last value won, the first one would not be
 * judged. */
static bool is_second(bool given, const char *option, const char *instead)
{
	if (given)
		complain("--%s is given twice: %s", option, instead);
	return given;
}

static bool set_json_field(struct options *options, const char *value)
{
	if (is_second(options->reading.table.kind == TABLE_JSON, "json-field",
		      "one member is judged"))
		return false;
	if (json_path_read(&options->reading.table.path, value))
		return set_constant((uint32_t *)&options->reading.table.kind, TABLE_JSON,
				    ONE_TABLE);
	return complain("--json-field takes a name, or at most %u with dots between, not '%s'",
			JSON_PATH_MOST, value);
}

/* Parses a column. A number is an index from 1; anything else is a name. */
static bool read_column(size_t *number, const char *value, const char *option)
{
	uint32_t read = 0;

	if (value[0] != '\0' && value[strspn(value, "0123456789")] == '\0' &&
	    !read_number(&read, value, 1, 1000000, option))
		return false;
	*number = read;
	return true;
}

static bool set_column(struct options *options, const char *value)
{
	if (is_second(options->reading.table.column != NULL, "column", "one column is judged"))
		return false;
	options->reading.table.column = value;
	return read_column(&options->reading.table.number, value, "column");
}

static bool set_time_field(struct options *options, const char *value)
{
	options->reading.table.time = value;
	return read_column(&options->reading.table.time_number, value, "time-field");
}

static bool set_with(struct options *options, const char *value)
{
	struct table *table = &options->reading.table;

	for (;;) {
		const size_t length = strcspn(value, ",");
		const int column = choose_part(with_names, value, length, "--with knows no");

		if (column < 0)
			return false;
		if (memchr(table->with, column, table->withs) != NULL)
			return complain("--with: '%s' is given twice", with_names[column]);
		table->with[table->withs++] = (uint8_t)column;
		if (value[length] == '\0')
			return true;
		value += length + 1;
	}
}

/* ---- For base and scan ------------------------------------------------------ */

/* Stores the value of a header field that gives a base URI. */
static bool set_header(struct options *options, const char *value)
{
	static const char *const fields[] = {
	    [HEADER_CONTENT_BASE] = "content-base", [HEADER_CONTENT_LOCATION] = "content-location"};
	size_t name = strcspn(value, ": \t\r\n");
	size_t colon = name + strspn(value + name, " \t");

	if (name == 0 || value[colon] != ':')
		return complain("--header takes 'FIELD: VALUE', not '%s'", value);
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		if (strlen(fields[i]) != name || strncasecmp(fields[i], value, name) != 0)
			continue;
		if (options->layers.header[i] != NULL)
			return complain("--header: '%.*s' is given twice", (int)name, value);
		options->layers.header[i] = value + colon + 1;
	}
	return true;
}

/* ---- For serve ------------------------------------------------------------------ */

#define ONE_SPEAKER "--squid and --apache exclude each other"

/* Sets the public origin of the server: a scheme, a host and an optional port. */
static bool set_origin(struct options *options, const char *value)
{
	if (gate_read_origin(&options->serve.origin_scheme, &options->serve.origin_port,
			     to_library(text_of(value))))
		return true;
	return complain("--origin takes a scheme, a host and perhaps a port, as in "
			"https://shop.example:8443, not '%s'",
			value);
}

/* Sets the member to the number of the word among the values of the option. */
static bool set_word(uint32_t *member, const struct option *option, const char *value)
{
	const int chosen = choose(option->values.words, value, option->setting.message);

	if (chosen >= 0)
		*member = option->setting.least + (uint32_t)chosen;
	return chosen >= 0;
}

bool option_set(struct options *options, const struct option *option, const char *value)
{
	const struct setting *setting = &option->setting;
	void *const member = (char *)options + setting->member;

	switch (setting->kind) {
	case SETTING_FLAG:
		return *(bool *)member = true;
	case SETTING_STRING:
		if (setting->message != NULL &&
		    is_second(*(const char **)member != NULL, option->name, setting->message))
			return false;
		*(const char **)member = value;
		return true;
	case SETTING_NUMBER:
		return read_number(member, value, setting->least, setting->most, option->name);
	case SETTING_WORD:
		return set_word(member, option, value);
	case SETTING_CONSTANT:
		return set_constant(member, setting->least, setting->message);
	case SETTING_FINDINGS:
		return add_findings(member, value);
	default:
		return setting->call(options, value);
	}
}

/* ---- The table --------------------------------------------------------------- */

const struct option option_table[] = {
#include "cli/commands/options.def"
	{NULL, 0, ARGUMENT_NONE, NULL, 0, CALL(NULL), NULL, ANYTHING},
};
