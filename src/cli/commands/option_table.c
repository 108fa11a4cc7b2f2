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

/* clang-format off */
const struct option option_table[] = {
	{"policy", 0, ARGUMENT_REQUIRED, "--policy=NAME", JUDGING | ON(SERVE), CALL(set_policy),
	 "judge by this policy: strict (the default), public, any or gateway", ONE_OF(policy_names)},
	{"policy-file", 0, ARGUMENT_REQUIRED, "--policy-file=FILE", JUDGING | ON(SERVE), STRING(judging.policy_path),
	 "judge by the policy in this file; see urivet-policy(5)", A_FILE},
	{"allow", 0, ARGUMENT_REQUIRED, "--allow=ID[,ID...]", JUDGING, FINDINGS(judging.allowed),
	 "let these findings stand without refusing", {VALUE_WAIVED, NULL}},
	{"refuse", 0, ARGUMENT_REQUIRED, "--refuse=ID[,ID...]", JUDGING, FINDINGS(judging.refused),
	 "refuse for these notes, switch on these rules", {VALUE_RAISED, NULL}},
	{"protect", 0, ARGUMENT_REQUIRED, "--protect=FILE", JUDGING, STRING(judging.protect_path),
	 "refuse names that look like those in this file, one a line", A_FILE},
	{"max-length", 0, ARGUMENT_REQUIRED, "--max-length=N", JUDGING, NUMBER(judging.max_length, 0, URIVET_MAX_LENGTH),
	 "refuse what is longer than N octets (8192)", ANYTHING},
	{"target", 0, ARGUMENT_OPTIONAL, "--target[=HOST]", TARGETS, CALL(set_target),
	 "the inputs are HTTP request targets, HOST their Host field", ANYTHING},
	{"target-records", 0, ARGUMENT_NONE, "--target-records", TARGETS, FLAG(judging.target.records),
	 "each input is METHOD HOST TARGET, one space between them", ANYTHING},
	{"method", 0, ARGUMENT_REQUIRED, "--method=NAME", TARGETS, CALL(set_method),
	 "the method of the requests (default: any except CONNECT and OPTIONS)", ANYTHING},
	{"scheme", 0, ARGUMENT_REQUIRED, "--scheme=SCHEME", TARGETS, WORD(judging.target.scheme, uint32_t, URIVET_SCHEME_HTTP, "--scheme takes http or https, not"),
	 "the targets came to a listener for http or https", ONE_OF(listener_schemes)},
	{"port", 0, ARGUMENT_REQUIRED, "--port=N", TARGETS, NUMBER(judging.target.port, 1, UINT16_MAX),
	 "... on this port, which the Host field may name", ANYTHING},
	{"reader", 0, ARGUMENT_REQUIRED, "--reader=NAME", ON(PARSE) | ON(RESOLVE) | ON(NORMALISE),
	 WORD(reader, enum urivet_reader, 0, "no such reader:"), "read as this reader does: rfc3986 (the default) or another of the above",
	 {VALUE_READER, readers}},
	{"readings", 0, ARGUMENT_NONE, "--readings", ON(CHECK) | ON(EXPLAIN), FLAG(readings),
	 "show what every reader reads (not in TSV)", ANYTHING},
	{"iri", 0, ARGUMENT_NONE, "--iri", ON(SUGGEST), FLAG(iri),
	 "say which characters stand in the way of one ASCII spelling", ANYTHING},
	{"compatible", 0, ARGUMENT_NONE, "--compatible", ON(RESOLVE), FLAG(compatible),
	 "ignore the scheme of a reference if it is the base's, as old readers do", ANYTHING},
	{"new-request", 0, ARGUMENT_NONE, "--new-request", ON(RESOLVE), FLAG(new_request),
	 "an empty reference is the base, as where forms are sent", ANYTHING},
	{"level", 0, ARGUMENT_REQUIRED, "--level=LEVEL", ON(NORMALISE), WORD(level, enum urivet_level, 0, "no such level:"),
	 "syntax (the default), or scheme: default port and empty path too", ONE_OF(levels)},
	{"redirects", 0, ARGUMENT_REQUIRED, "--redirects=FILE", ON(COMPARE), STRING(compare.redirects),
	 "two URIs a line, of which the first redirects to the second", A_FILE},
	{"no-fragment", 0, ARGUMENT_NONE, "--no-fragment", ON(COMPARE), FLAG(compare.no_fragment),
	 "what is compared are requests: fragments do not count", ANYTHING},
	{"show-secrets", 0, ARGUMENT_NONE, "--show-secrets", ON(EXPLAIN), FLAG(show_secrets),
	 "mask nothing", ANYTHING},
	{"format", 0, ARGUMENT_REQUIRED, "--format=FORMAT",
	 ON(CHECK) | ON(PARSE) | RESULTING | ON(FINDINGS) | ON(BASE) | ON(SCAN) | ON(POLICY), WORD(showing.format, enum format, FORMAT_HUMAN, "no such format:"),
	 "write human, tsv or json; scan also sarif", ONE_OF(formats)},
	{"count-by", 0, ARGUMENT_REQUIRED, "--count-by=WHAT", ON(CHECK), WORD(count.by, int, 0, "--count-by knows no"),
	 "count records by finding, host, registrable, class, verdict or scheme", ONE_OF(count_names)},
	{"top", 0, ARGUMENT_REQUIRED, "--top=N", ON(CHECK) | ON(REPORT), NUMBER(count.top, 1, 1000000),
	 "show the N greatest counts alone (check: all; report: 50)", ANYTHING},
	{"sample", 0, ARGUMENT_REQUIRED, "--sample=N", ON(CHECK) | ON(REPORT), NUMBER(count.samples, 1, 100),
	 "show the first N records with each count (check: none; report: 3)", ANYTHING},
	{"time-prefix", 0, ARGUMENT_NONE, "--time-prefix", ON(REPORT), FLAG(time_prefix),
	 "each record begins with a time stamp and a space, for a timeline", ANYTHING},
	{"time-field", 0, ARGUMENT_REQUIRED, "--time-field=NAME|N", ON(REPORT), CALL(set_time_field),
	 "... or that column of the table, or member of the JSON objects, is one", ANYTHING},
	{"html", 0, ARGUMENT_NONE, "--html", ON(SCAN), FLAG(scan.html),
	 "the files are HTML: judge every attribute that holds a URL", ANYTHING},
	{"markup", 0, ARGUMENT_REQUIRED, "--markup=NAME", ON(SCAN),
	 WORD(scan.markup, enum markup, 1, "--markup knows no"),
	 "the files have this markup; auto: what their names end in", ONE_OF(markups)},
	{"mail", 0, ARGUMENT_NONE, "--mail", ON(SCAN), FLAG(scan.mail),
	 "the files are messages, mailboxes (mbox) or folders of a Maildir", ANYTHING},
	{"base", 0, ARGUMENT_REQUIRED, "--base=URI", ON(SCAN) | ON(POLICY), STRING(base),
	 "the base URI of HTML that does not name its own; policy learn: a built-in policy", ANYTHING},
	{"min-share", 0, ARGUMENT_REQUIRED, "--min-share=PERCENT", ON(POLICY), STRING(action.share),
	 "policy learn: the least share of requests, and of clients below its prefix, that a rule needs (1)", ANYTHING},
	{"min-clients", 0, ARGUMENT_REQUIRED, "--min-clients=N", ON(POLICY), NUMBER(action.clients, 0, 16),
	 "policy learn: the least number of clients that a rule needs (3); 0: any", ANYTHING},
	{"content", 0, ARGUMENT_REQUIRED, "--content=FILE.html", ON(BASE), STRING(layers.content),
	 "the content: HTML that may name its base", A_FILE},
	{"header", 0, ARGUMENT_REQUIRED, "--header='FIELD: VALUE'", ON(BASE), CALL(set_header),
	 "a header field of the content: Content-Base, Content-Location; others are ignored",
	 ANYTHING},
	{"enclosing", 0, ARGUMENT_REQUIRED, "--enclosing=URI", ON(BASE), STRING(layers.enclosing),
	 "the base URI of the entity around it", ANYTHING},
	{"retrieved", 0, ARGUMENT_REQUIRED, "--retrieved=URI", ON(BASE), STRING(layers.retrieved),
	 "the URI it was retrieved by; after redirects the last one given counts", ANYTHING},
	{"default", 0, ARGUMENT_REQUIRED, "--default=URI", ON(BASE), STRING(layers.otherwise),
	 "the base URI of documents that declare none", ANYTHING},
	{"from", 0, ARGUMENT_REQUIRED, "--from=NAME", ON(SERVE), WORD(serve.from, int, 0, "--from knows no"),
	 "the gateway that asks: nginx, haproxy, traefik, caddy, envoy, or path: in the question",
	 ONE_OF(front_names)},
	{"from", 0, ARGUMENT_REQUIRED, "--from=LIST", ON(POLICY), WORD(action.source, int, 1, "--from takes adblock, allow-list, csp, deny-list, dnsmasq, hosts, no-proxy or smokescreen, not"),
	 "policy import: what the list is: adblock, allow-list, csp, deny-list, dnsmasq, hosts, no-proxy or smokescreen", ONE_OF(import_sources)},
	{"part", 0, ARGUMENT_REQUIRED, "--part=NAME", ON(POLICY), STRING(action.part),
	 "policy import: this directive of csp, or service of smokescreen", ANYTHING},
	{"config", 0, ARGUMENT_REQUIRED, "--config=FILE", ON(SERVE), ONCE(serve.config, "one file is read"),
	 "more options: a YAML file with lines such as listen: 127.0.0.1:8099", A_FILE},
	{"squid", 0, ARGUMENT_NONE, "--squid", ON(SERVE), CONSTANT(serve.speaker, int, SPEAKER_SQUID, ONE_SPEAKER),
	 "answer lines on standard input: [ID] [METHOD] URL, as %>rm %#>ru write them", ANYTHING},
	{"apache", 0, ARGUMENT_NONE, "--apache", ON(SERVE), CONSTANT(serve.speaker, int, SPEAKER_APACHE, ONE_SPEAKER),
	 "answer lines on standard input: SCHEME HOST METHOD TARGET VERSION, for a RewriteMap", ANYTHING},
	{"listen", 0, ARGUMENT_REQUIRED, "--listen=WHERE", ON(SERVE), STRING(serve.listen),
	 "unix:/path, 127.0.0.1:PORT, [::1]:PORT, or systemd", ANYTHING},
	{"public", 0, ARGUMENT_NONE, "--public", ON(SERVE), FLAG(serve.network.public),
	 "listen to any address that --listen and --metrics name, as 0.0.0.0:8099", ANYTHING},
	{"tls-cert", 0, ARGUMENT_REQUIRED, "--tls-cert=FILE", ON(SERVE), STRING(serve.network.certificate),
	 "speak TLS with this certificate and its chain (PEM)", A_FILE},
	{"tls-key", 0, ARGUMENT_REQUIRED, "--tls-key=FILE", ON(SERVE), STRING(serve.network.key),
	 "... and this key (PEM)", A_FILE},
	{"tls-client-ca", 0, ARGUMENT_REQUIRED, "--tls-client-ca=FILE", ON(SERVE), STRING(serve.network.client_ca),
	 "... with clients that have a certificate of these authorities (PEM)", A_FILE},
	{"client-connections", 0, ARGUMENT_REQUIRED, "--client-connections=N", ON(SERVE), NUMBER(serve.network.per_client, 1, 100000),
	 "--public: of one client address to each process, at most (half of --connections)", ANYTHING},
	{"client-rate", 0, ARGUMENT_REQUIRED, "--client-rate=N", ON(SERVE), NUMBER(serve.network.rate, 1, 1000000),
	 "--public: questions a second of one client address to each process, at most", ANYTHING},
	{"drain", 0, ARGUMENT_REQUIRED, "--drain=SECONDS", ON(SERVE), NUMBER(serve.network.drain, 1, 3600),
	 "how long SIGTERM leaves to answer connections that are open (2)", ANYTHING},
	{"metrics", 0, ARGUMENT_REQUIRED, "--metrics=WHERE", ON(SERVE), STRING(serve.metrics),
	 "serve /metrics, /healthz and /readyz there", ANYTHING},
	{"origin", 0, ARGUMENT_REQUIRED, "--origin=URL", ON(SERVE), CALL(set_origin),
	 "scheme and port that clients know the server by, as in https://shop.example:8443", ANYTHING},
	{"params", 0, ARGUMENT_REQUIRED, "--params=NAME[,NAME...]", PARAMETERS | ON(SERVE), ONCE(judging.parameters.list, "it takes names with commas between, or *"),
	 "judge these parameters, each time they occur; *: what looks like a URL or a path", ANYTHING},
	{"params-decode", 0, ARGUMENT_REQUIRED, "--params-decode=TIMES", PARAMETERS | ON(SERVE), NUMBER(judging.parameters.decode, 1, 2),
	 "... decoded once (1, the default) or twice (2)", ONE_OF(decodings)},
	{"params-policy", 0, ARGUMENT_REQUIRED, "--params-policy=NAME|FILE", PARAMETERS | ON(SERVE), STRING(judging.parameters.policy),
	 "... by this policy (public)", {VALUE_FILE, policy_names}},
	{"same-origin", 0, ARGUMENT_NONE, "--same-origin", PARAMETERS | ON(RESOLVE) | ON(SERVE), FLAG(judging.parameters.same_origin),
	 "parameters, or the target of a reference, have to stay on the origin", ANYTHING},
	{"observe", 0, ARGUMENT_NONE, "--observe", JUDGING | ON(SERVE), FLAG(judging.observe),
	 "report refusals and enforce none: exit status 0, filter copies all, requests pass", ANYTHING},
	{"log", 0, ARGUMENT_REQUIRED, "--log=FILE", ON(SERVE), STRING(serve.log),
	 "write refusals there, as lines of JSON with secrets masked (-: standard output)", A_FILE},
	{"check", 0, ARGUMENT_NONE, "--check", ON(SERVE), FLAG(serve.check),
	 "show what the gateway asks about URL, and the answer: exit status 0 or 1", ANYTHING},
	{"tell-findings", 0, ARGUMENT_NONE, "--tell-findings", ON(SERVE), FLAG(serve.send_findings),
	 "name the findings in the field X-Urivet-Findings, which gateways may hand to clients", ANYTHING},
	{"methods", 0, ARGUMENT_REQUIRED, "--methods=WHICH", ON(SERVE), WORD(serve.methods, int, 0, "--methods takes registered or any, not"),
	 "envoy, path: the methods that may go on: registered (the default), or any", ONE_OF(methods)},
	{"connections", 0, ARGUMENT_REQUIRED, "--connections=N", ON(SERVE), NUMBER(serve.connections, 1, 100000),
	 "of each process, at most (1024)", ANYTHING},
	{"timeout", 0, ARGUMENT_REQUIRED, "--timeout=SECONDS", ON(SERVE), NUMBER(serve.timeout, 1, 3600),
	 "how long a connection may be idle, or a question take (10)", ANYTHING},
	{"input", 0, ARGUMENT_REQUIRED, "--input=FILE", READING | ON(POLICY), CALL(set_input),
	 "read records from FILE, not from standard input (-); policy diff: judge these by both", A_FILE},
	{"decompress", 0, ARGUMENT_NONE, "--decompress", READING | ON(SCAN) | ON(POLICY) | ON(REPORT), FLAG(reading.decompress),
	 "standard input too may be compressed by gzip or zstd, as files may", ANYTHING},
	{"csv", 0, ARGUMENT_NONE, "--csv", TABLES, CONSTANT(reading.table.kind, enum table_kind, TABLE_CSV, ONE_TABLE),
	 "records are rows of CSV (RFC 4180): judge one column, append the verdict", ANYTHING},
	{"tsv-in", 0, ARGUMENT_NONE, "--tsv-in", TABLES, CONSTANT(reading.table.kind, enum table_kind, TABLE_TSV, ONE_TABLE),
	 "records have fields with tabs between: the same", ANYTHING},
	{"delimiter", 0, ARGUMENT_REQUIRED, "--delimiter=CHAR", TABLES, CALL(set_delimiter),
	 "... of CSV: what stands between fields, such as ';' (,)", ANYTHING},
	{"column", 0, ARGUMENT_REQUIRED, "--column=NAME|N", TABLES, CALL(set_column),
	 "... the column to judge: its name in the header, or its number from 1", ANYTHING},
	{"header", 0, ARGUMENT_NONE, "--header", TABLES, FLAG(reading.table.has_header),
	 "... the first row of each file has names (the default with a name)", ANYTHING},
	{"no-header", 0, ARGUMENT_NONE, "--no-header", TABLES, FLAG(reading.table.has_none),
	 "... it has none (the default with a number)", ANYTHING},
	{"json-field", 0, ARGUMENT_REQUIRED, "--json-field=NAME[.NAME]", TABLES, CALL(set_json_field),
	 "records are JSON objects: judge this member, insert the verdict", ANYTHING},
	{"with", 0, ARGUMENT_REQUIRED, "--with=WHAT[,WHAT...]", ON(CHECK), CALL(set_with),
	 "... and these: number, host, suggestion and others", ONE_OF(with_names)},
	{"on-error", 0, ARGUMENT_REQUIRED, "--on-error=WHAT", TABLES, WORD(reading.table.on_error, enum on_error, ON_ERROR_CONTINUE, "--on-error takes no"),
	 "at a row that is broken: report it and continue (the default), or stop", ONE_OF(on_errors)},
	{"max-record", 0, ARGUMENT_REQUIRED, "--max-record=N", TABLES, NUMBER(reading.table.record_most, 1, URIVET_MAX_LENGTH),
	 "a row of more than N octets is broken, and not read (1048576)", ANYTHING},
	{"rejects", 0, ARGUMENT_REQUIRED, "--rejects=FILE", ON(FILTER), STRING(reading.rejects),
	 "write refused records there (-: standard error)", A_FILE},
	{"repair", 0, ARGUMENT_NONE, "--repair", ON(FILTER), FLAG(repair),
	 "write refused URLs in the spelling that is accepted, where there is one", ANYTHING},
	{"repaired", 0, ARGUMENT_REQUIRED, "--repaired=FILE", ON(FILTER), STRING(reading.repaired),
	 "... and what was changed there: number, before, after (-: standard error)", A_FILE},
	{"output", 'o', ARGUMENT_REQUIRED, "-o, --output=FILE", ON(POLICY) | ON(REPORT), STRING(output),
	 "policy compile, report: write there (-: standard output), all or nothing", A_FILE},
	{"null", '0', ARGUMENT_NONE, "-0, --null", READING | ON(POLICY) | ON(REPORT), FLAG(reading.null),
	 "records of the input end in NUL, not in LF", ANYTHING},
	{"crlf", 0, ARGUMENT_NONE, "--crlf", READING | ON(POLICY) | ON(REPORT), FLAG(reading.crlf),
	 "a CR before the LF belongs to the line's end", ANYTHING},
	{"jobs", 0, ARGUMENT_REQUIRED, "--jobs=N", READING | ON(POLICY) | ON(REPORT) | ON(SERVE), NUMBER(reading.jobs, 1, JOBS_MOST),
	 "work in N threads (1), the order is kept; serve: in N processes (one a processor)", ANYTHING},
	{"progress", 0, ARGUMENT_NONE, "--progress", READING | ON(POLICY) | ON(REPORT), CONSTANT(reading.progress, enum progress_mode, PROGRESS_ON, NULL),
	 "show counts on standard error (the default on a terminal for files)", ANYTHING},
	{"no-progress", 0, ARGUMENT_NONE, "--no-progress", READING | ON(POLICY) | ON(REPORT), CONSTANT(reading.progress, enum progress_mode, PROGRESS_OFF, NULL),
	 "show none", ANYTHING},
	{"colour", 0, ARGUMENT_REQUIRED, "--colour=WHEN", EVERY, WORD(showing.colour, enum colour, COLOUR_AUTO, "--colour takes no"),
	 "auto (the default), always or never", ONE_OF(colours)},
	{"q", 'q', ARGUMENT_NONE, "-q", EVERY & ~ON(HELP), FLAG(showing.quiet),
	 "nothing on standard output", ANYTHING},
	{"help", 0, ARGUMENT_NONE, "--help", EVERY, FLAG(help),
	 "this text", ANYTHING},
	{"version", 0, ARGUMENT_NONE, "--version", EVERY, FLAG(version),
	 "the version", ANYTHING},
	{NULL, 0, ARGUMENT_NONE, NULL, 0, CALL(NULL), NULL, ANYTHING},
};
/* clang-format on */
