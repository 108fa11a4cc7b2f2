/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files of cases, by which policies are tested. */
#include "common/cases.h"
#include "common/grow.h"
#include "policyfile/reader.h"
#include "policyfile/values.h"
#include <stdlib.h>
#include <string.h>

/* Maximum octets of all inputs of a file. */
#define CASES_MOST (64u << 20)

#define LIST_OF_INPUTS "a list: a line with \"- \" for each value"
#define GROUP_OF_KEYS  "a group of keys"

/* A group of cases while it is read, or the whole file. */
struct case_group {
	struct policy_cases *cases;
	const char *name;
	struct urivet_request request;
	unsigned finding; /* of the list that is read; 0: it is `accept` */
};

/* ---- Inputs ----------------------------------------------------------------------- */

/* Returns the length of "{x*n}" at the text, or 0. Sets what is repeated and how often. */
static size_t repetition(const char *text, size_t *length, unsigned long *times)
{
	const char *star = text[0] == '{' ? strchr(text, '*') : NULL;
	const size_t digits = star != NULL ? strspn(star + 1, "0123456789") : 0;

	if (digits == 0 || star == text + 1 || star[1 + digits] != '}' ||
	    memchr(text, '}', (size_t)(star - text)) != NULL)
		return 0;
	*length = (size_t)(star - text) - 1;
	*times = strtoul(star + 1, NULL, 10);
	return (size_t)(star - text) + 1 + digits + 1;
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
static void read_input(struct reader *reader, const struct node *node)
{
	const struct case_group *group = reader->group;
	struct policy_cases *cases = group->cases;
	struct policy_case made = {.finding = group->finding, .line = node->at.line,
				   .column = node->at.column};
	const size_t length = expand(NULL, node->text);
	char *text;

	if (length > CASES_MOST - cases->octets) {
		PROBLEM(reader, node, "the inputs have more than %u octets", CASES_MOST);
		return;
	}
	cases->octets += length;
	made.text = text = urivet_loader_keep(&cases->strings, NULL, length);
	made.length = text != NULL ? expand(text, node->text) : 0;
	if (text != NULL &&
	    grow(&cases->list, &cases->capacity, cases->count + 1, sizeof made))
		cases->list[cases->count++] = made;
	else
		reader->problems->no_memory = true;
}

/* Reads `refuse`: for each finding a list of inputs. */
static bool read_refused(struct reader *reader, struct place at)
{
	struct case_group *group = reader->group;
	struct node node;

	(void)at;
	for (;;) {
		const struct urivet_finding_row *info;
		struct key key = {.shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = read_input,
				  .takes = LIST_OF_INPUTS, .may_be_empty = true};

		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		info = urivet_loader_finding(reader, &node, &(struct urivet_finding_set){{0}});
		group->finding = info != NULL ? info->id : 0;
		key.path = info != NULL ? info->name : NULL;
		if (!(info != NULL ? urivet_loader_read_key(reader, &key, node.at)
				   : urivet_loader_skip_value(reader)))
			return false;
	}
	group->finding = 0;
	return true;
}

/* ---- Requests ----------------------------------------------------------------------- */

/* Reads `method` or `host`. */
static void read_request_text(struct reader *reader, const struct node *node)
{
	struct urivet_request *request = &((struct case_group *)reader->group)->request;
	const bool is_host = strcmp(reader->key->name, "host") == 0;

	*(is_host ? &request->host : &request->method) =
	    urivet_text_of(urivet_loader_keep_text(reader, node->text), node->length);
	if (!is_host && !urivet_request_valid(request))
		PROBLEM(reader, node, "the method of \"request\" is no method: GET, POST, ...");
}

static void read_scheme(struct reader *reader, const struct node *node)
{
	struct case_group *group = reader->group;
	const bool https = strcmp(node->text, "https") == 0;

	if (https || strcmp(node->text, "http") == 0)
		group->request.scheme = https ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	else
		PROBLEM(reader, node, "\"scheme\" takes http or https, not \"%.100s\"", node->text);
}

static void read_port(struct reader *reader, const struct node *node)
{
	struct case_group *group = reader->group;
	long long number;
	struct why why;

	if (urivet_loader_number(node, &number, &why) == VALUE_GOOD && number > 0 &&
	    number <= UINT16_MAX)
		group->request.port = (uint32_t)number;
	else
		PROBLEM(reader, node, "\"port\" takes a number from 1 to 65535");
}

static const struct key request_keys[] = {
    {.name = "method", .path = "request.method", .often = ONCE_IN_GROUP, .read = read_request_text},
    {.name = "host", .path = "request.host", .often = ONCE_IN_GROUP, .read = read_request_text},
    {.name = "scheme", .path = "request.scheme", .often = ONCE_IN_GROUP, .read = read_scheme},
    {.name = "port", .path = "request.port", .often = ONCE_IN_GROUP, .read = read_port},
    {0},
};

/* Reads `request`: method, Host field and listener of the targets. */
static bool read_request(struct reader *reader, struct place at)
{
	struct case_group *group = reader->group;

	(void)urivet_request_init(&group->request, sizeof group->request);
	return urivet_loader_read_group(reader, request_keys, "request", at);
}

/* ---- Groups --------------------------------------------------------------------------- */

/* Reads `policy` or `name`. */
static void read_case_text(struct reader *reader, const struct node *node)
{
	struct case_group *group = reader->group;
	const bool names = strcmp(reader->key->name, "name") == 0;

	if (node->length == 0)
		PROBLEM(reader, node, "\"%s\" takes a text", reader->key->path);
	*(names ? &group->name : &group->cases->policy) =
	    urivet_loader_keep_text(reader, node->text);
}

/* Reads a group of cases, or the whole file. Cases are of the innermost group that has a name or a
 * request. */
static bool read_cases_of(struct reader *reader, const struct key *keys, struct policy_cases *cases,
			  struct place at)
{
	const size_t before = cases->count;
	struct case_group group = {.cases = cases};

	reader->group = &group;
	if (!urivet_loader_read_group(reader, keys, "", at))
		return false;
	for (size_t i = before; i < cases->count; i++) {
		struct policy_case *made = &cases->list[i];

		if (made->group == NULL)
			made->group = group.name;
		if (made->request.size == 0)
			made->request = group.request;
	}
	return true;
}

static bool read_case_group(struct reader *reader, struct place at);

/* clang-format off */
#define KEYS_OF_GROUPS                                                                                                                  \
	{.name = "request", .path = "request", .shape = SHAPE_GROUP, .often = ONCE_IN_GROUP, .read_group = read_request, .takes = GROUP_OF_KEYS}, \
	{.name = "accept", .path = "accept", .shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = read_input, .takes = LIST_OF_INPUTS, .may_be_empty = true}, \
	{.name = "refuse", .path = "refuse", .shape = SHAPE_NAMES, .often = ONCE_IN_GROUP, .read_group = read_refused, .takes = GROUP_OF_KEYS}

static const struct key group_keys[] = {
	{.name = "name", .path = "name", .often = ONCE_IN_GROUP, .read = read_case_text},
	KEYS_OF_GROUPS,
	{0},
};
static const struct key file_keys[] = {
	{.name = "policy", .path = "policy", .often = ONCE_IN_GROUP, .read = read_case_text},
	KEYS_OF_GROUPS,
	{.name = "cases", .path = "cases", .shape = SHAPE_GROUPS, .often = ONCE_IN_GROUP, .read_group = read_case_group,
	 .takes = "a list of groups of keys: name, request, accept, refuse", .may_be_empty = true},
	{0},
};
/* clang-format on */

/* Reads a group of `cases`. */
static bool read_case_group(struct reader *reader, struct place at)
{
	struct case_group *const outer = reader->group;
	const bool good = read_cases_of(reader, group_keys, outer->cases, at);

	reader->group = outer;
	return good;
}

/* ---- Files ---------------------------------------------------------------------------- */

/* Returns the policy's path as seen from the directory of the file of cases. */
static const char *policy_path(struct policy_cases *cases, const char *path)
{
	return urivet_policy_named(cases->policy, strlen(cases->policy)) >= 0
		   ? cases->policy
		   : urivet_loader_path(&cases->strings, path, cases->policy);
}

/* Reads the cases, and reports that there are none, or no policy. */
static void read_cases(struct reader *reader, struct policy_cases *cases, const char *path,
		       struct source *source)
{
	static const struct place start = {.line = 1, .column = 1};
	bool good = urivet_loader_open(reader, source);

	good = good && read_cases_of(reader, file_keys, cases, start);
	if (!urivet_loader_close(reader, good) || reader->problems->count > 0 ||
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
	cases->policy = policy_path(cases, path);
	reader->problems->no_memory = cases->policy == NULL;
}

bool urivet_loader_cases(struct policy_cases *cases, const char *path,
			 urivet_on_message *on_message, void *context)
{
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct problems problems = {0};
	struct reader reader = {.problems = &problems, .strings = &cases->strings};
	struct source source = {0};
	uint8_t *data = NULL;
	char why[1024];
	bool good;

	*cases = (struct policy_cases){0};
	if (!urivet_loader_read(&data, &source.length, path, SOURCE_FIRST, SOURCE_MOST, why,
				sizeof why)) {
		urivet_loader_problem(&problems, (struct place){0}, "%s", why);
	} else {
		source.data = data;
		read_cases(&reader, cases, path, &source);
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
