/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of policy files: tables of their types and readers. */
#include "common/finding_set.h"
#include "common/nearest.h"
#include "common/rules.h"
#include "common/utf8.h"
#include "policyfile/reader.h"
#include "policyfile/values.h"
#include <stdio.h>
#include <string.h>

static const char *const shape_text[] = {
    [SHAPE_TEXT] = "a text",
    [SHAPE_NUMBER] = "a whole number",
    [SHAPE_FLAG] = "true or false",
    [SHAPE_TEXTS] = "a list of texts: [..., ...], or a line with \"- \" for each",
    [SHAPE_PORTS] = "a list of ports and ranges: [8080, 8000-8099]",
    [SHAPE_GROUPS] = "a list of groups: a line with \"- prefix: ...\" for each",
    [SHAPE_GROUP] = "a group: keys of its own, indented below it",
    [SHAPE_NAMES] = "a group of names: a line with \"NAME: {same_origin: true}\" for each",
};

/* ---- Names ---------------------------------------------------------------------- */

/* Reports for example: no such finding "scheme-plaintxt"; did you mean "scheme-plaintext"? */
static void complain_nearest(struct reader *reader, const struct node *node,
			     const struct nearest *nearest, const char *what)
{
	if (nearest->best != NULL)
		PROBLEM(reader, node, "%s \"%.100s\"; did you mean \"%s\"?", what, nearest->word,
			nearest->best);
	else
		PROBLEM(reader, node, "%s \"%.100s\"", what, nearest->word);
}

static void read_base(struct reader *reader, const struct node *node)
{
	const int base = urivet_policy_named(node->text, node->length);
	struct nearest nearest = urivet_loader_nearest(node->text);

	if (base >= 0) {
		reader->loaded->base = base;
		return;
	}
	for (unsigned i = 0; i < URIVET_BASES; i++)
		urivet_loader_nearest_try(&nearest, urivet_policy_name(i));
	if (strpbrk(node->text, "./") != NULL)
		PROBLEM(reader, node, "no built-in policy: for a file write \"include: [%.100s]\"",
			node->text);
	else
		complain_nearest(reader, node, &nearest, "no such policy to begin with:");
}

static void read_mode(struct reader *reader, const struct node *node)
{
	static const char *const modes[] = {"enforce", "observe"};
	struct nearest nearest = urivet_loader_nearest(node->text);

	reader->loaded->observes = strcmp(node->text, modes[1]) == 0;
	if (reader->loaded->observes || strcmp(node->text, modes[0]) == 0)
		return;
	urivet_loader_nearest_try(&nearest, modes[0]);
	urivet_loader_nearest_try(&nearest, modes[1]);
	if (nearest.best != NULL)
		complain_nearest(reader, node, &nearest, "no such mode:");
	else
		PROBLEM(reader, node, "no such mode: \"%.100s\"; write enforce or observe",
			node->text);
}

bool urivet_loader_is_text(const char *string)
{
	const uint8_t *at = (const uint8_t *)string;
	size_t left = strlen(string);

	while (left > 0) {
		uint32_t character;
		const size_t length = urivet_loader_utf8(at, left, &character);

		if (length == 0 || character < 0x20 || (character >= 0x7F && character < 0xA0))
			return false;
		at += length;
		left -= length;
	}
	return string[0] != '\0';
}

static void read_name(struct reader *reader, const struct node *node)
{
	if (urivet_loader_is_text(node->text))
		reader->loaded->policy.name = urivet_loader_keep_text(reader, node->text);
	else
		PROBLEM(reader, node,
			"\"name\" takes text without controls, and at least one character");
}

static void read_include(struct reader *reader, const struct node *node)
{
	if (reader->in_memory)
		PROBLEM(reader, node, "there are no files here to include");
	else if (node->length == 0)
		PROBLEM(reader, node, "\"include\" takes names of files");
	else if (strcmp(node->text, "-") == 0)
		PROBLEM(reader, node, "standard input cannot be included");
	else if (urivet_loader_room(reader, &reader->inclusion, reader->inclusions,
				    sizeof *reader->inclusion))
		reader->inclusion[reader->inclusions++] =
		    (struct named){urivet_loader_keep_text(reader, node->text), node->at};
}

void urivet_loader_add_name(struct reader *reader, const struct node *node, char *names, size_t size,
			    const char *what)
{
	const size_t used = strlen(names), length = strlen(node->text);
	const char *at = names;

	for (; *at != '\0'; at = strchr(at, ' ') + 1)
		if (strncmp(at, node->text, length) == 0 && at[length] == ' ')
			PROBLEM(reader, node, "%s \"%s\" is listed already", what, node->text);
	if (used + length + 2 > size) {
		PROBLEM(reader, node, "too many %ss: their names may have %zu octets in all", what,
			size - 1);
		return;
	}
	memcpy(names + used, node->text, length);
	memcpy(names + used + length, " ", 2);
}

static void read_forbidden(struct reader *reader, const struct node *node)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.~!$'()*,:@/-";

	if (node->length == 0 || node->text[strspn(node->text, letters)] != '\0')
		PROBLEM(reader, node,
			"\"%.100s\" is no name of a parameter: write it decoded, without what follows "
			"a [",
			node->text);
	else
		urivet_loader_add_name(reader, node, reader->forbidden, sizeof reader->forbidden,
				       "parameter");
}

static void read_scheme(struct reader *reader, const struct node *node)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789+-."; /* RFC 3986, 3.1 */
	struct nearest nearest = urivet_loader_nearest(node->text);

	for (size_t i = 0; i < POLICY_SCHEMES; i++) {
		const struct policy_scheme *scheme = &urivet_loader_schemes[i];
		const uint32_t bit = 1u << scheme->scheme;

		/* short names would resemble many existing schemes */
		if (strlen(scheme->name) > 3)
			urivet_loader_nearest_try(&nearest, scheme->name);
		if (strcmp(node->text, scheme->name) != 0)
			continue;
		if ((reader->schemes & bit) != 0)
			PROBLEM(reader, node, "scheme \"%s\" is listed already", node->text);
		reader->schemes |= bit;
		return;
	}
	if (nearest.best != NULL && nearest.distance == 1)
		complain_nearest(reader, node, &nearest, "no such scheme:");
	else if (node->text[0] >= 'a' && node->text[0] <= 'z' &&
		 node->text[strspn(node->text, letters)] == '\0')
		urivet_loader_add_name(reader, node, reader->scheme_names,
				       sizeof reader->scheme_names, "scheme");
	else
		PROBLEM(reader, node, "no scheme \"%.100s\" to list: a name such as https or mailto, "
			"in lower case and without the colon, or other, which stands for all but "
			"http, https, ws, wss and ftp", node->text);
}

const struct urivet_finding_row *urivet_loader_finding(struct reader *reader,
						       const struct node *node,
						       const struct urivet_finding_set *set)
{
	const struct urivet_finding_row *info =
	    urivet_finding_info((unsigned)urivet_finding_named(node->text, node->length));
	struct nearest nearest = urivet_loader_nearest(node->text);

	if (info != NULL && in_set(set, info->id))
		PROBLEM(reader, node, "finding \"%s\" is listed already", info->name);
	if (info != NULL)
		return in_set(set, info->id) ? NULL : info;
	/* no suggestions for problems that will not be printed */
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT && reader->problems->kept < PROBLEMS_SHOWN;
	     id++) {
		if (urivet_finding_info(id) != NULL)
			urivet_loader_nearest_try(&nearest, urivet_finding_info(id)->name);
	}
	complain_nearest(reader, node, &nearest, "no such finding:");
	return NULL;
}

/* Returns true if a policy can waive the finding. */
static bool can_be_allowed(unsigned finding)
{
	struct urivet_policy policy;

	return urivet_policy_init(&policy, sizeof policy, URIVET_STRICT) &&
	       urivet_policy_waive(&policy, finding);
}

/* Reads an element of `allow` or `refuse`. Each finding may occur once in both lists together. */
static void read_finding(struct reader *reader, const struct node *node)
{
	const bool allow = urivet_loader_reads(reader, "allow");
	struct urivet_finding_set *set = allow ? &reader->allowed : &reader->refused;
	const struct urivet_finding_set *other = allow ? &reader->refused : &reader->allowed;
	const struct urivet_finding_row *info = urivet_loader_finding(reader, node, set);

	if (info == NULL)
		return;
	if (in_set(other, info->id))
		PROBLEM(reader, node, "finding \"%s\" is both allowed and refused", info->name);
	else if (allow && !can_be_allowed(info->id))
		PROBLEM(reader, node, "finding \"%s\" cannot be allowed", info->name);
	put_in_set(set, info->id);
	(void)urivet_loader_place(reader, node, &reader->finding_tag[info->id]);
}

/* ---- Numbers and flags ------------------------------------------------------------ */

static void read_limit(struct reader *reader, const struct node *node)
{
	const struct key *key = reader->key;
	long long number;
	struct why why;

	if (urivet_loader_number(node, &number, &why) == VALUE_GOOD && number >= 1 &&
	    number <= key->most)
		reader->limits[key->index] = (uint32_t)number;
	else if (urivet_loader_number(node, &number, &why) == VALUE_BAD)
		PROBLEM(reader, node, "\"%s\": %s", key->path, why.text);
	else if (urivet_loader_number(node, &number, &why) == VALUE_NONE)
		PROBLEM(reader, node, "\"%s\" takes a whole number, not \"%.100s\"", key->path,
			node->text);
	else
		PROBLEM(reader, node, "\"%s\" takes a number from 1 to %lu, not %.100s", key->path,
			(unsigned long)key->most, node->text);
}

void urivet_loader_read_flag(struct reader *reader, const struct node *node, bool *flag)
{
	struct why why;

	if (!urivet_loader_flag(node, flag, &why))
		PROBLEM(reader, node, "\"%s\" %s", reader->key->path, why.text);
}

static void read_opaque_query(struct reader *reader, const struct node *node)
{
	urivet_loader_read_flag(reader, node, &reader->opaque_query);
}

/* ---- Keys ----------------------------------------------------------------------- */

/* clang-format off */
static const struct key port_keys[] = {
	{"http",  "ports.http",  SHAPE_PORTS, ONCE_IN_EACH, NULL, urivet_loader_key_port, NULL, 0, 0, NULL, false},
	{"https", "ports.https", SHAPE_PORTS, ONCE_IN_EACH, NULL, urivet_loader_key_port, NULL, 0, 0, NULL, false},
	{"ws",    "ports.ws",    SHAPE_PORTS, ONCE_IN_EACH, NULL, urivet_loader_key_port, NULL, 0, 0, NULL, false},
	{"wss",   "ports.wss",   SHAPE_PORTS, ONCE_IN_EACH, NULL, urivet_loader_key_port, NULL, 0, 0, NULL, false},
	{"ftp",   "ports.ftp",   SHAPE_PORTS, ONCE_IN_EACH, NULL, urivet_loader_key_port, NULL, 0, 0, NULL, false},
	{0},
};
static const struct key host_keys[] = {
	{"allow", "hosts.allow", SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_host, urivet_loader_read_host_group, 0, 0, NULL, false},
	{"deny",  "hosts.deny",  SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_host, urivet_loader_read_host_group, 0, 0, NULL, false},
	{0},
};
static const struct key url_keys[] = {
	{"allow", "urls.allow", SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_url, NULL, 0, 0, NULL, false},
	{"also",  "urls.also",  SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_url, NULL, 0, 0, NULL, false},
	{"forbid_parameters", "urls.forbid_parameters", SHAPE_TEXTS, ONCE_IN_EACH, NULL, read_forbidden, NULL, 0, 0, NULL, false},
	{0},
};
static const struct key address_keys[] = {
	{"allow", "addresses.allow", SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_address, NULL, 0, 0, NULL, false},
	{"deny",  "addresses.deny",  SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_address, NULL, 0, 0, NULL, false},
	{"nat64", "addresses.nat64", SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_nat64, NULL, 0, 0, NULL, false},
	{0},
};
static const struct key limit_keys[] = {
	{"length", "limits.length", SHAPE_NUMBER, ONCE_IN_ALL, NULL, read_limit, NULL, 0, URIVET_MAX_LENGTH, NULL, false},
	{"host",   "limits.host",   SHAPE_NUMBER, ONCE_IN_ALL, NULL, read_limit, NULL, 1, 253, NULL, false},
	{"label",  "limits.label",  SHAPE_NUMBER, ONCE_IN_ALL, NULL, read_limit, NULL, 2, 63, NULL, false},
	{0},
};
static const struct key keys[] = {
	{"base",      "base",      SHAPE_TEXT,  ONCE_IN_FIRST, NULL, read_base, NULL, 0, 0, NULL, false},
	{"name",      "name",      SHAPE_TEXT,  ONCE_IN_FIRST, NULL, read_name, NULL, 0, 0, NULL, false},
	{"mode",      "mode",      SHAPE_TEXT,  ONCE_IN_FIRST, NULL, read_mode, NULL, 0, 0, NULL, false},
	{"include",   "include",   SHAPE_TEXTS, ONCE_IN_EACH,  NULL, read_include, NULL, 0, 0, NULL, false},
	{"schemes",   "schemes",   SHAPE_TEXTS, ONCE_IN_EACH,  NULL, read_scheme, NULL, 0, 0, NULL, false},
	{"ports",     "ports",     SHAPE_GROUP, ONCE_IN_EACH,  port_keys, NULL, NULL, 0, 0, NULL, false},
	{"hosts",     "hosts",     SHAPE_GROUP, ONCE_IN_EACH,  host_keys, NULL, NULL, 0, 0, NULL, false},
	{"urls",      "urls",      SHAPE_GROUP, ONCE_IN_EACH,  url_keys, NULL, NULL, 0, 0, NULL, false},
	{"addresses", "addresses", SHAPE_GROUP, ONCE_IN_EACH,  address_keys, NULL, NULL, 0, 0, NULL, false},
	{"allow",     "allow",     SHAPE_TEXTS, ONCE_IN_EACH,  NULL, read_finding, NULL, 0, 0, NULL, false},
	{"refuse",    "refuse",    SHAPE_TEXTS, ONCE_IN_EACH,  NULL, read_finding, NULL, 0, 0, NULL, false},
	{"limits",    "limits",    SHAPE_GROUP, ONCE_IN_EACH,  limit_keys, NULL, NULL, 0, 0, NULL, false},
	{"opaque_query", "opaque_query", SHAPE_FLAG, ONCE_IN_ALL, NULL, read_opaque_query, NULL, 0, 0, NULL, false},
	{"protect",   "protect",   SHAPE_TEXTS, ONCE_IN_EACH,  NULL, urivet_loader_key_protected, NULL, 0, 0, NULL, false},
	{"paths",     "paths",     SHAPE_GROUPS, ONCE_IN_EACH, NULL, NULL, urivet_loader_read_path_group, 0, 0, NULL, false},
	{"strip_prefix", "strip_prefix", SHAPE_TEXTS, ONCE_IN_EACH, NULL, urivet_loader_key_strip, NULL, 0, 0, NULL, false},
	{"parameters", "parameters", SHAPE_NAMES, ONCE_IN_EACH, NULL, NULL, urivet_loader_read_parameters, 0, 0, NULL, false},
	{0},
};
/* clang-format on */

/* Reports an empty list. It has no effect, or allows nothing if it is an allowlist. */
static void complain_empty(struct reader *reader, const struct key *key, struct place at)
{
	static const char *const rows[][2] = {
	    {"hosts.allow", ", which would refuse every host; leave it out to allow all"},
	    {"urls.allow", ", which would refuse every URL; leave it out to allow all"},
	    {"schemes", ", which would refuse everything"},
	    {NULL, "; leave it out"}};
	size_t i = 0;

	while (rows[i][0] != NULL && strcmp(rows[i][0], key->path) != 0)
		i++;
	urivet_loader_problem(reader->problems, at, "\"%s\" is empty%s", key->path, rows[i][1]);
}

/* Returns true if YAML reads the value as null. Keys of groups in a list take it for text. */
static bool is_null(const struct key *key, const struct node *node)
{
	return key->often != ONCE_IN_GROUP && node->kind == NODE_TEXT && node->plain &&
	       (node->length == 0 || strcmp(node->text, "~") == 0 ||
		strcmp(node->text, "null") == 0 || strcmp(node->text, "Null") == 0 ||
		strcmp(node->text, "NULL") == 0);
}

/* Returns how messages call the type of a key. */
static const char *type_of(const struct key *key)
{
	return key->takes != NULL ? key->takes : shape_text[key->shape];
}

/* Reports a value of the wrong type. */
static void complain_shape(struct reader *reader, const struct key *key, const struct node *node,
			   bool element)
{
	const bool list = key->shape == SHAPE_TEXTS || key->shape == SHAPE_PORTS;

	if (list && !element && node->kind == NODE_TEXT && node->length < 100)
		PROBLEM(reader, node, "\"%s\" takes %s; here that is [\"%s\"]", key->path,
			type_of(key), node->text);
	else if (element && node->kind != NODE_TEXT && key->shape != SHAPE_GROUPS)
		PROBLEM(reader, node,
			"\"%s\" takes %s; a text that begins with %s or holds \": \" needs quotes",
			key->path, type_of(key), node->kind == NODE_LIST ? "[" : "{");
	else
		PROBLEM(reader, node, "\"%.100s\" takes %s", key->path, type_of(key));
}

/* Reads an element of a list. Returns false if the rest of the file cannot be read. */
static bool read_element(struct reader *reader, const struct key *key, const struct node *node)
{
	if (is_null(key, node)) {
		PROBLEM(reader, node, "a value of \"%s\" is missing%s", key->path,
			node->length > 0 ? ": YAML takes this word for none, without quotes" : "");
		return true;
	}
	reader->key = key;
	if (node->kind == NODE_GROUP && key->read_group != NULL)
		return key->read_group(reader, node->at);
	if (node->kind == NODE_TEXT && key->read != NULL) {
		key->read(reader, node);
		return true;
	}
	complain_shape(reader, key, node, true);
	return urivet_loader_yaml_skip(reader->yaml, node);
}

/* Reads a list. Returns false if the rest of the file cannot be read. */
static bool read_list(struct reader *reader, const struct key *key, struct place at)
{
	struct node node;
	bool any = false;

	for (;; any = true) {
		if (!urivet_loader_yaml_next(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		if (!read_element(reader, key, &node))
			return false;
	}
	if (!any && !key->may_be_empty)
		complain_empty(reader, key, at);
	return true;
}

#define NAMES_MOST (24u * GROUP_KEYS_MOST)

/* Writes the names of keys: ": it has prefix, methods and allow". */
static void write_names(char text[NAMES_MOST], const struct key *list)
{
	const char *before = ": it has ";
	int used = 0;

	for (; list->name != NULL; list++) {
		used += snprintf(text + used, NAMES_MOST - (size_t)used, "%s%s", before, list->name);
		before = list[1].name != NULL && list[2].name != NULL ? ", " : " and ";
	}
}

static void unknown_key(struct reader *reader, const struct key *list, const struct node *node,
			const char *group)
{
	static const char *const absent[][3] = {
	    {"ports", "other", "schemes other than http, https, ws, wss and ftp may have any port"},
	    {"urls", "deny", "a path has more spellings than rules could list: deny hosts"}};
	struct nearest nearest = urivet_loader_nearest(node->text);
	const char *dot = group[0] != '\0' ? "." : "";
	char names[NAMES_MOST] = "";

	for (size_t i = 0; i < 2; i++)
		if (strcmp(group, absent[i][0]) == 0 && strcmp(nearest.word, absent[i][1]) == 0) {
			PROBLEM(reader, node, "unknown key \"%s.%s\": %s", group, nearest.word,
				absent[i][2]);
			return;
		}
	for (const struct key *key = list; key->name != NULL; key++)
		urivet_loader_nearest_try(&nearest, key->name);
	if (list->often == ONCE_IN_GROUP)
		write_names(names, list);
	if (nearest.best != NULL)
		PROBLEM(reader, node, "unknown key \"%.100s%s%.100s\"; did you mean \"%.100s%s%s\"?",
			group, dot, nearest.word, group, dot, nearest.best);
	else
		PROBLEM(reader, node, "unknown key \"%.100s%s%.100s\"%s%s", group, dot, nearest.word,
			names,
			strncmp(group, "hosts.", 6) == 0 ? "; a text that holds \": \" needs quotes" : "");
}

struct place *urivet_loader_seen(struct reader *reader, const char *path)
{
	struct named *seen = reader->seen;

	while (seen->text != NULL && strcmp(seen->text, path) != 0)
		seen++;
	seen->text = path;
	return &seen->at;
}

bool urivet_loader_reads(const struct reader *reader, const char *path)
{
	return strcmp(reader->key->path, path) == 0;
}

/* Records that a key occurs, `here` if it may occur again in another group. Returns false, after
 * reporting it, if it may not occur. */
static bool note_key(struct reader *reader, const struct key *key, const struct node *node,
		     struct place *here)
{
	struct place *seen =
	    key->often == ONCE_IN_GROUP ? here : urivet_loader_seen(reader, key->path);
	const struct place before = *seen;

	*seen = node->at;
	if (key->often == ONCE_IN_FIRST && reader->file > 0)
		PROBLEM(reader, node, "\"%s\" is set in the policy file alone, not in one that it "
			"includes", key->path);
	else if (before.line != 0 && before.file == reader->file)
		PROBLEM(reader, node, "\"%s\" is there for the second time: it stands in line %lu "
			"already", key->path, (unsigned long)before.line);
	else if (before.line != 0 && key->often == ONCE_IN_ALL)
		PROBLEM(reader, node, "\"%s\" is there for the second time: it stands in %.300s:%lu "
			"already", key->path, reader->loaded->file[before.file],
			(unsigned long)before.line);
	else
		return true;
	return false;
}

bool urivet_loader_skip_value(struct reader *reader)
{
	struct node node;

	return urivet_loader_yaml_next(reader->yaml, &node) &&
	       urivet_loader_yaml_skip(reader->yaml, &node);
}

bool urivet_loader_read_group(struct reader *reader, const struct key *list, const char *path,
			      struct place at)
{
	struct place here[GROUP_KEYS_MOST] = {0};
	struct node node;
	bool any = false;

	for (;; any = true) {
		const struct key *key = list;
		bool is_read;

		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		while (key->name != NULL && strcmp(key->name, node.text) != 0)
			key++;
		is_read = key->name != NULL && note_key(reader, key, &node, &here[key - list]);
		if (key->name == NULL)
			unknown_key(reader, list, &node, path);
		if (!(is_read ? urivet_loader_read_key(reader, key, node.at)
			      : urivet_loader_skip_value(reader)))
			return false;
	}
	if (any || list->often == ONCE_IN_GROUP)
		return true;
	if (path[0] == '\0')
		urivet_loader_problem(reader->problems, at,
				      "nothing is set here; a policy file has at least one key, "
				      "such as base: public");
	else
		urivet_loader_problem(reader->problems, at, "\"%s\" is empty; leave it out", path);
	return true;
}

/* Recursion is limited, as groups contain no groups. */
bool urivet_loader_read_key(struct reader *reader, const struct key *key, struct place at)
{
	const bool list = key->shape == SHAPE_TEXTS || key->shape == SHAPE_PORTS ||
			  key->shape == SHAPE_GROUPS;
	struct node node;

	if (!urivet_loader_yaml_next(reader->yaml, &node))
		return false;
	reader->key = key;
	if (is_null(key, &node)) {
		urivet_loader_problem(reader->problems, at, "\"%.100s\" has no value: it takes %s",
				      key->path, type_of(key));
		return true;
	}
	if (urivet_loader_reads(reader, "hosts.allow") && reader->loaded->only.line == 0)
		reader->loaded->only = at;
	if (urivet_loader_reads(reader, "urls.allow") && reader->loaded->only_urls.line == 0)
		reader->loaded->only_urls = at;
	if (list && node.kind == NODE_LIST)
		return read_list(reader, key, at);
	if (!list && key->read_group != NULL && node.kind == NODE_GROUP)
		return key->read_group(reader, at);
	if (key->shape == SHAPE_GROUP && node.kind == NODE_GROUP)
		return urivet_loader_read_group(reader, key->members, key->path, at);
	if (list || key->shape >= SHAPE_GROUP || node.kind != NODE_TEXT) {
		complain_shape(reader, key, &node, false);
		return urivet_loader_yaml_skip(reader->yaml, &node);
	}
	key->read(reader, &node);
	return true;
}

/* ---- Texts ---------------------------------------------------------------------- */

bool urivet_loader_open(struct reader *reader, struct source *source)
{
	if (!YAML_IS_READ)
		return urivet_loader_problem(reader->problems, (struct place){0},
					     "this build reads no policy files: install the Debian "
					     "package libyaml-dev and build again");
	if (!urivet_loader_check_octets(source, reader->problems))
		return false;
	reader->yaml = urivet_loader_yaml_open(source, reader->problems, &reader->values);
	return reader->yaml != NULL && urivet_loader_yaml_begin(reader->yaml);
}

bool urivet_loader_close(struct reader *reader, bool good)
{
	good = good && urivet_loader_yaml_end(reader->yaml);
	if (reader->yaml != NULL)
		urivet_loader_yaml_close(reader->yaml);
	reader->yaml = NULL;
	return good;
}

bool urivet_loader_read_keys(struct reader *reader, struct source *source)
{
	const struct place start = {.file = reader->file, .line = 1, .column = 1};
	const bool good = urivet_loader_open(reader, source) &&
			  urivet_loader_read_group(reader, keys, "", start);

	return urivet_loader_close(reader, good);
}
