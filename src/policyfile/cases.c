/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of cases, by which policies are tested. */
#include "common/cases.h"
#include "common/grow.h"
#include "common/nearest.h"
#include "policyfile/source.h"
#include "policyfile/values.h"
#include <stdlib.h>
#include <string.h>

/* Maximum octets of all inputs of a file. */
#define CASES_MOST (64u << 20)

enum case_key { CASE_POLICY = 0, CASE_REQUEST, CASE_CASES, CASE_NAME, CASE_ACCEPT, CASE_REFUSE };

#define CASE_KEYS 6u

static const char *const key_names[CASE_KEYS] = {"policy", "request", "cases",
						 "name",   "accept",  "refuse"};

struct case_reader {
	struct policy_cases *cases;
	struct problems *problems;
	struct yaml *yaml;
	const char *path;
};

#define WRONG(reader, node, ...) urivet_loader_problem((reader)->problems, (node)->at, __VA_ARGS__)

static const char *keep(struct case_reader *reader, const char *octets, size_t length)
{
	const char *copy = urivet_loader_keep(&reader->cases->strings, octets, length);

	reader->problems->no_memory = reader->problems->no_memory || copy == NULL;
	return copy;
}

/* Skips a value. Returns false if the rest cannot be read. */
static bool skip_value(struct case_reader *reader)
{
	struct node node;

	return urivet_loader_yaml_next(reader->yaml, &node) &&
	       urivet_loader_yaml_skip(reader->yaml, &node);
}

/* Reads the start of a value. Another type is a problem, and *good is false then. Returns false if
 * the rest cannot be read. */
static bool begin_value(struct case_reader *reader, const char *key, enum node_kind kind,
			struct node *node, bool *good)
{
	static const char *const what[] = {[NODE_TEXT] = "a text",
					   [NODE_LIST] = "a list: a line with \"- \" for each value",
					   [NODE_GROUP] = "a group of keys"};

	if (!urivet_loader_yaml_next(reader->yaml, node))
		return false;
	*good = node->kind == kind && (kind != NODE_TEXT || node->length > 0);
	if (*good)
		return true;
	WRONG(reader, node, "\"%.100s\" takes %s", key, what[kind]);
	return urivet_loader_yaml_skip(reader->yaml, node);
}

/* ---- Inputs ----------------------------------------------------------------------- */

/* Returns the length of "{x*n}" at the text, or 0. Sets what is repeated and how often. */
static size_t repetition(const char *text, size_t *length, unsigned long *times)
{
	const char *star = text[0] == '{' ? strchr(text, '*') : NULL;
	char *end;

	if (star == NULL || star == text + 1 || star[1] < '0' || star[1] > '9' ||
	    memchr(text, '}', (size_t)(star - text)) != NULL)
		return 0;
	*length = (size_t)(star - text) - 1;
	*times = strtoul(star + 1, &end, 10);
	return *end == '}' ? (size_t)(end - text) + 1 : 0;
}

/* Returns the length of the text with its repetitions written out, and writes it unless `out` is
 * NULL. Returns SIZE_MAX if it is too long. */
static size_t expand(char *out, const char *text)
{
	size_t used = 0;

	while (*text != '\0') {
		unsigned long times = 1;
		size_t length = 1;
		const size_t all = repetition(text, &length, &times);
		const char *what = all > 0 ? text + 1 : text;

		if (times > CASES_MOST || times * length > CASES_MOST - used)
			return SIZE_MAX;
		for (; times > 0; times--, used += length)
			if (out != NULL)
				memcpy(out + used, what, length);
		text += all > 0 ? all : 1;
	}
	return used;
}

/* Adds a case. */
static void add_case(struct case_reader *reader, const struct node *node, unsigned finding)
{
	struct policy_cases *cases = reader->cases;
	struct policy_case made = {.finding = finding, .line = node->at.line,
				   .column = node->at.column};
	const size_t length = expand(NULL, node->text);
	char *text;

	if (length > CASES_MOST - cases->octets) {
		WRONG(reader, node, "the inputs have more than %u octets", CASES_MOST);
		return;
	}
	cases->octets += length;
	text = malloc(length + 1);
	if (text != NULL) {
		made.length = expand(text, node->text);
		made.text = keep(reader, text, length);
	}
	free(text);
	if (made.text != NULL &&
	    grow(&cases->list, &cases->capacity, cases->count + 1, sizeof made))
		cases->list[cases->count++] = made;
	else
		reader->problems->no_memory = true;
}

/* Reads the list of inputs of `accept`, or of one finding. */
static bool read_inputs(struct case_reader *reader, const char *key, unsigned finding)
{
	struct node node;
	bool good;

	if (!begin_value(reader, key, NODE_LIST, &node, &good))
		return false;
	while (good) {
		if (!urivet_loader_yaml_next(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		if (node.kind == NODE_TEXT) {
			add_case(reader, &node, finding);
			continue;
		}
		WRONG(reader, &node, "an input is a text; one that begins with %s needs quotes",
		      node.kind == NODE_LIST ? "[" : "{");
		if (!urivet_loader_yaml_skip(reader->yaml, &node))
			return false;
	}
	return true;
}

/* Returns the finding that the key names, or 0 after reporting that it is none. */
static unsigned finding_of(struct case_reader *reader, const struct node *node)
{
	const int id = urivet_finding_named(node->text, node->length);
	struct nearest nearest = urivet_loader_nearest(node->text);

	if (id > 0)
		return (unsigned)id;
	for (unsigned k = 1; k < URIVET_FINDING_LIMIT; k++)
		if (urivet_finding_info(k) != NULL)
			urivet_loader_nearest_try(&nearest, urivet_finding_info(k)->name);
	if (nearest.best != NULL)
		WRONG(reader, node, "no such finding: \"%.100s\"; did you mean \"%s\"?", node->text,
		      nearest.best);
	else
		WRONG(reader, node,
		      "no such finding: \"%.100s\"; \"refuse\" has findings as keys, each with a "
		      "list of inputs",
		      node->text);
	return 0;
}

/* Reads `refuse`: for each finding a list of inputs. */
static bool read_refused(struct case_reader *reader)
{
	struct node node;
	bool good;

	if (!begin_value(reader, "refuse", NODE_GROUP, &node, &good))
		return false;
	while (good) {
		char key[64];
		unsigned finding;

		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		finding = finding_of(reader, &node);
		strncpy(key, node.text, sizeof key - 1);
		key[sizeof key - 1] = '\0';
		if (finding == 0 ? !skip_value(reader) : !read_inputs(reader, key, finding))
			return false;
	}
	return true;
}

/* ---- Requests ----------------------------------------------------------------------- */

/* Reads one key of `request`. */
static void read_request_key(struct case_reader *reader, struct urivet_request *request,
			     const struct node *key, const struct node *node)
{
	static const char *const words[] = {"method", "host", "scheme", "port"};
	struct nearest nearest = urivet_loader_nearest(key->text);
	const struct urivet_text text = {node->text, node->length};
	const bool https = strcmp(node->text, "https") == 0;
	long long number;
	struct why why;

	for (size_t i = 0; i < 4; i++)
		urivet_loader_nearest_try(&nearest, words[i]);
	if (strcmp(key->text, "method") == 0)
		request->method = text;
	else if (strcmp(key->text, "host") == 0)
		request->host = text;
	else if (strcmp(key->text, "scheme") == 0 && (https || strcmp(node->text, "http") == 0))
		request->scheme = https ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	else if (strcmp(key->text, "scheme") == 0)
		WRONG(reader, node, "\"scheme\" takes http or https, not \"%.100s\"", node->text);
	else if (strcmp(key->text, "port") == 0 &&
		 urivet_loader_number(node, &number, &why) == VALUE_GOOD && number > 0 &&
		 number <= UINT16_MAX)
		request->port = (uint32_t)number;
	else if (strcmp(key->text, "port") == 0)
		WRONG(reader, node, "\"port\" takes a number from 1 to 65535");
	else if (nearest.best != NULL)
		WRONG(reader, key, "unknown key \"request.%.100s\"; did you mean \"request.%s\"?",
		      key->text, nearest.best);
	else
		WRONG(reader, key, "unknown key \"request.%.100s\": it has method, host, scheme and port",
		      key->text);
}

/* Reads `request`: method, Host field and listener of the targets. */
static bool read_request(struct case_reader *reader, struct urivet_request *request)
{
	struct node key, value;
	bool good;

	if (!begin_value(reader, "request", NODE_GROUP, &key, &good))
		return false;
	(void)urivet_request_init(request, sizeof *request);
	while (good) {
		if (!urivet_loader_yaml_key(reader->yaml, &key))
			return false;
		if (key.kind == NODE_END)
			break;
		key.text = keep(reader, key.text, key.length);
		if (!urivet_loader_yaml_next(reader->yaml, &value))
			return false;
		value.text = value.kind == NODE_TEXT ? keep(reader, value.text, value.length) : NULL;
		if (key.text != NULL && value.text != NULL)
			read_request_key(reader, request, &key, &value);
		else if (value.kind != NODE_TEXT)
			WRONG(reader, &value, "a value of \"request\" is a text or a number");
		if (!urivet_loader_yaml_skip(reader->yaml, &value))
			return false;
	}
	if (good && !urivet_request_valid(request))
		WRONG(reader, &key, "the method of \"request\" is no method: GET, POST, ...");
	return true;
}

/* ---- Groups --------------------------------------------------------------------------- */

static bool read_group(struct case_reader *reader, bool inside);

/* Reads `cases`: a list of groups. Recursion ends here, since groups inside have no `cases`. */
static bool read_groups(struct case_reader *reader)
{
	struct node node;
	bool good;

	if (!begin_value(reader, "cases", NODE_LIST, &node, &good))
		return false;
	while (good) {
		if (!urivet_loader_yaml_next(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		if (node.kind == NODE_GROUP) {
			if (!read_group(reader, true))
				return false;
			continue;
		}
		WRONG(reader, &node,
		      "a value of \"cases\" is a group of keys: name, request, accept, refuse");
		if (!urivet_loader_yaml_skip(reader->yaml, &node))
			return false;
	}
	return true;
}

static bool read_text(struct case_reader *reader, const char *key, const char **text)
{
	struct node node;
	bool good;

	if (!begin_value(reader, key, NODE_TEXT, &node, &good))
		return false;
	if (good)
		*text = keep(reader, node.text, node.length);
	return true;
}

/* What a group says about its own cases. */
struct case_group {
	const char *name;
	struct urivet_request request;
};

static bool read_value(struct case_reader *reader, enum case_key key, struct case_group *group)
{
	switch (key) {
	case CASE_POLICY:
		return read_text(reader, "policy", &reader->cases->policy);
	case CASE_REQUEST:
		return read_request(reader, &group->request);
	case CASE_CASES:
		return read_groups(reader);
	case CASE_NAME:
		return read_text(reader, "name", &group->name);
	case CASE_ACCEPT:
		return read_inputs(reader, "accept", 0);
	default:
		return read_refused(reader);
	}
}

/* Returns the key in a file, or in a group inside; CASE_KEYS after reporting that there is none. */
static unsigned key_of(struct case_reader *reader, const struct node *node, bool inside)
{
	struct nearest nearest = urivet_loader_nearest(node->text);

	for (unsigned key = 0; key < CASE_KEYS; key++) {
		/* `request` is a key of both, `name` of groups inside only */
		const bool fits = key == CASE_REQUEST ||
				  (inside ? key >= CASE_NAME : key != CASE_NAME);

		if (fits && strcmp(key_names[key], node->text) == 0)
			return key;
		if (fits)
			urivet_loader_nearest_try(&nearest, key_names[key]);
	}
	if (nearest.best != NULL)
		WRONG(reader, node, "unknown key \"%.100s\"; did you mean \"%s\"?", node->text,
		      nearest.best);
	else
		WRONG(reader, node, "unknown key \"%.100s\": %s", node->text,
		      inside ? "a group of cases has name, request, accept and refuse"
			     : "a file of cases has policy, request, accept, refuse and cases");
	return CASE_KEYS;
}

/* Reads the keys of a group of cases, or of the whole file, up to its end. */
static bool read_group(struct case_reader *reader, bool inside)
{
	const size_t before = reader->cases->count;
	uint32_t seen[CASE_KEYS] = {0};
	struct case_group group = {0};
	struct node node;

	for (;;) {
		unsigned key;

		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		key = key_of(reader, &node, inside);
		if (key < CASE_KEYS && seen[key] > 0) {
			WRONG(reader, &node,
			      "\"%s\" is there for the second time: it stands in line %lu already",
			      key_names[key], (unsigned long)seen[key]);
			key = CASE_KEYS;
		} else if (key < CASE_KEYS) {
			seen[key] = node.at.line;
		}
		if (key >= CASE_KEYS ? !skip_value(reader) : !read_value(reader, key, &group))
			return false;
	}
	for (size_t i = before; i < reader->cases->count; i++) {
		struct policy_case *made = &reader->cases->list[i];

		if (made->group == NULL)
			made->group = group.name;
		if (made->request.size == 0)
			made->request = group.request;
	}
	return true;
}

/* ---- Files ---------------------------------------------------------------------------- */

/* Returns the policy's path as seen from the directory of the file of cases. */
static const char *policy_path(struct policy_cases *cases, const char *path)
{
	char *whole;

	if (urivet_policy_named(cases->policy, strlen(cases->policy)) >= 0)
		return cases->policy;
	whole = urivet_loader_path(path, cases->policy);
	if (whole == NULL)
		return NULL;
	path = urivet_loader_keep(&cases->strings, whole, strlen(whole));
	free(whole);
	return path;
}

/* Reads the content of a file of cases, without its last checks. */
static bool read_content(struct case_reader *reader, struct source *source)
{
	size_t values = 0;
	bool good;

	if (!urivet_loader_check_octets(source, reader->problems))
		return false;
	reader->yaml = urivet_loader_yaml_open(source, reader->problems, &values);
	if (reader->yaml == NULL)
		return false;
	good = urivet_loader_yaml_begin(reader->yaml) && read_group(reader, false) &&
	       urivet_loader_yaml_end(reader->yaml);
	urivet_loader_yaml_close(reader->yaml);
	return good;
}

/* Reads the cases, and reports that there are none, or no policy. */
static void read_cases(struct case_reader *reader, struct source *source)
{
	static const struct place start = {.line = 1, .column = 1};
	struct policy_cases *cases = reader->cases;

	if (!read_content(reader, source) || reader->problems->count > 0 ||
	    reader->problems->no_memory)
		return;
	if (cases->policy == NULL) {
		urivet_loader_problem(reader->problems, start,
				      "\"policy\" is missing: write the name of the policy file, "
				      "as seen from this file");
		return;
	}
	if (cases->count == 0)
		urivet_loader_problem(reader->problems, start,
				      "there are no cases: write lists below \"accept\" or "
				      "\"refuse\"");
	cases->policy = policy_path(cases, reader->path);
	reader->problems->no_memory = cases->policy == NULL;
}

bool urivet_loader_cases(struct policy_cases *cases, const char *path,
			 urivet_on_message *on_message, void *context)
{
	static const struct place nowhere = {0};
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct problems problems = {0};
	struct case_reader reader = {.cases = cases, .problems = &problems, .path = path};
	struct source source = {0};
	uint8_t *data = NULL;
	char why[1024];
	bool good;

	*cases = (struct policy_cases){0};
	if (!urivet_loader_has_yaml()) {
		urivet_loader_problem(&problems, nowhere,
				      "this build reads no files of cases: install the Debian "
				      "package libyaml-dev and build again");
	} else if (!urivet_loader_read(&data, &source.length, path, SOURCE_FIRST, SOURCE_MOST, why,
				       sizeof why)) {
		urivet_loader_problem(&problems, nowhere, "%s", why);
	} else {
		source.data = data;
		read_cases(&reader, &source);
	}
	free(data);
	good = problems.count == 0 && !problems.no_memory;
	if (!good)
		urivet_loader_report_all(&problems, &name, name, on_message, context);
	urivet_loader_free_problems(&problems);
	return good;
}

void urivet_loader_free_cases(struct policy_cases *cases)
{
	free(cases->list);
	urivet_loader_free_strings(cases->strings);
	*cases = (struct policy_cases){0};
}
