/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rules for paths below a prefix: `paths` and `strip_prefix`. */
#include "common/finding_set.h"
#include "common/nearest.h"
#include "common/rules.h"
#include "policyfile/reader.h"
#include <string.h>

/* A group of `paths` while it is read. */
struct path_group {
	struct place at;          /* of its prefix, or of the group */
	char prefix[URIVET_PATH_RULE_MOST + 1];
	char methods[256];        /* "GET,HEAD " */
	struct urivet_finding_set allowed;
	bool has[3];              /* the keys that were read */
	bool bad;                 /* a problem was reported */
};

enum path_key { PATH_PREFIX = 0, PATH_METHODS, PATH_ALLOW, PATH_KEYS };

static const char *const path_keys[PATH_KEYS] = {"prefix", "methods", "allow"};

#define GROUP_PROBLEM(reader, group, node, ...)                                                    \
	((group)->bad = true, PROBLEM(reader, node, __VA_ARGS__))

/* ---- Rules -------------------------------------------------------------------------- */

/* Adds a rule with the given text. */
static void keep_path_rule(struct reader *reader, const struct node *node, const char *text,
			   const struct urivet_finding_set *waived, bool strips)
{
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.path_count;
	struct urivet_path_rule rule;
	struct why why;

	if (!urivet_loader_read_path(&rule, text, &why)) {
		PROBLEM(reader, node, "%s", why.text);
		return;
	}
	if (*count == URIVET_PATH_RULES_MOST) {
		if (!reader->many_paths)
			PROBLEM(reader, node,
				"more than %d rules for paths: write a prefix that several of them "
				"have in common",
				URIVET_PATH_RULES_MOST);
		reader->many_paths = true;
		return;
	}
	if (!urivet_loader_room(reader, &loaded->path, *count, sizeof rule) ||
	    !urivet_loader_place(reader, node, &rule.tag))
		return;
	rule.text = urivet_loader_keep_text(reader, text);
	rule.waived = *waived;
	rule.strips = strips;
	loaded->path[*count] = rule;
	*count += rule.text != NULL;
}

void urivet_loader_key_strip(struct reader *reader, const struct node *node)
{
	static const struct urivet_finding_set nothing;

	if (node->length > 0 && node->text[node->length - 1] == '$')
		PROBLEM(reader, node, "\"strip_prefix\" takes prefixes, which do not end with \"$\"");
	else if (node->text[0] != '/')
		PROBLEM(reader, node, "\"%.100s\" is no prefix: write \"/%.100s\"", node->text,
			node->text);
	else
		keep_path_rule(reader, node, node->text, &nothing, true);
}

/* ---- Groups of `paths` ---------------------------------------------------------------- */

static void read_prefix(struct reader *reader, struct path_group *group, const struct node *node)
{
	struct urivet_path_rule rule;
	struct why why;

	group->at = node->at;
	if (node->length > URIVET_PATH_RULE_MOST || node->text[0] != '/' ||
	    !urivet_loader_read_path(&rule, node->text, &why)) {
		(void)urivet_loader_read_path(&rule, node->text[0] != '/' ? "" : node->text, &why);
		if (node->text[0] != '/' && node->length > 0)
			GROUP_PROBLEM(reader, group, node, "\"%.100s\" is no prefix: write \"/%.100s\"",
				      node->text, node->text);
		else
			GROUP_PROBLEM(reader, group, node, "%s", why.text);
		return;
	}
	memcpy(group->prefix, node->text, node->length + 1);
}

/* Returns true if the methods, each followed by a comma, contain the node's text. */
static bool is_listed(const char *methods, const struct node *node)
{
	for (; *methods != '\0'; methods = strchr(methods, ',') + 1)
		if (strncmp(methods, node->text, node->length) == 0 && methods[node->length] == ',')
			return true;
	return false;
}

static void read_method(struct reader *reader, struct path_group *group, const struct node *node)
{
	const size_t used = strlen(group->methods);
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-";

	if (node->length == 0 || node->text[strspn(node->text, capitals)] != '\0')
		GROUP_PROBLEM(reader, group, node,
			      "\"%.100s\" is no method to list: write it in capitals, as GET",
			      node->text);
	else if (is_listed(group->methods, node))
		GROUP_PROBLEM(reader, group, node, "method \"%s\" is listed already", node->text);
	else if (used + node->length + 2 > sizeof group->methods)
		GROUP_PROBLEM(reader, group, node, "too many methods");
	else {
		memcpy(group->methods + used, node->text, node->length);
		memcpy(group->methods + used + node->length, ",", 2);
	}
}

static void read_allowed(struct reader *reader, struct path_group *group, const struct node *node)
{
	const struct urivet_finding_row *info = urivet_loader_finding(reader, node);

	if (info == NULL)
		group->bad = true;
	else if (in_set(&group->allowed, info->id))
		GROUP_PROBLEM(reader, group, node, "finding \"%s\" is listed already", info->name);
	else if (!info->by_path_rule)
		GROUP_PROBLEM(reader, group, node,
			      "finding \"%s\" cannot be allowed below a prefix: it is not about "
			      "path or query, or lets a path lead out of the prefix",
			      info->name);
	else
		put_in_set(&group->allowed, info->id);
}

/* Reads a list of methods or findings. Returns false if the rest cannot be read. */
static bool read_texts(struct reader *reader, struct path_group *group, enum path_key key)
{
	struct node node;
	bool any = false;

	if (!urivet_loader_yaml_next(reader->yaml, &node))
		return false;
	if (node.kind != NODE_LIST) {
		if (node.kind == NODE_TEXT && node.length > 0)
			GROUP_PROBLEM(reader, group, &node,
				      "\"paths.%s\" takes a list of texts; here that is [%.100s]",
				      path_keys[key], node.text);
		else
			GROUP_PROBLEM(reader, group, &node, "\"paths.%s\" takes a list of texts",
				      path_keys[key]);
		return urivet_loader_yaml_skip(reader->yaml, &node);
	}
	for (;; any = true) {
		const struct place at = node.at;

		if (!urivet_loader_yaml_next(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END) {
			if (!any) {
				node.at = at;
				GROUP_PROBLEM(reader, group, &node,
					      "\"paths.%s\" is empty; leave it out", path_keys[key]);
			}
			return true;
		}
		if (node.kind != NODE_TEXT) {
			GROUP_PROBLEM(reader, group, &node, "\"paths.%s\" takes a list of texts",
				      path_keys[key]);
			if (!urivet_loader_yaml_skip(reader->yaml, &node))
				return false;
		} else if (key == PATH_METHODS) {
			read_method(reader, group, &node);
		} else {
			read_allowed(reader, group, &node);
		}
	}
}

/* Reads the value of a key. Returns false if the rest cannot be read. */
static bool read_path_value(struct reader *reader, struct path_group *group, unsigned key)
{
	struct node node;

	if (key == PATH_METHODS || key == PATH_ALLOW)
		return read_texts(reader, group, key);
	if (!urivet_loader_yaml_next(reader->yaml, &node))
		return false;
	if (key == PATH_PREFIX && node.kind == NODE_TEXT)
		read_prefix(reader, group, &node);
	else if (key == PATH_PREFIX)
		GROUP_PROBLEM(reader, group, &node, "\"paths.prefix\" takes a text, such as /api/");
	return urivet_loader_yaml_skip(reader->yaml, &node);
}

/* Returns the key, or PATH_KEYS after reporting that it is none or repeated. */
static unsigned path_key_of(struct reader *reader, struct path_group *group,
			    const struct node *node)
{
	struct nearest nearest = urivet_loader_nearest(node->text);
	unsigned key = 0;

	while (key < PATH_KEYS && strcmp(path_keys[key], node->text) != 0)
		urivet_loader_nearest_try(&nearest, path_keys[key++]);
	if (key == PATH_KEYS && nearest.best != NULL)
		GROUP_PROBLEM(reader, group, node,
			      "unknown key \"paths.%.100s\"; did you mean \"paths.%s\"?", node->text,
			      nearest.best);
	else if (key == PATH_KEYS)
		GROUP_PROBLEM(reader, group, node,
			      "unknown key \"paths.%.100s\": it has prefix, methods and allow",
			      node->text);
	else if (group->has[key]) {
		GROUP_PROBLEM(reader, group, node, "\"paths.%s\" is there for the second time",
			      node->text);
		key = PATH_KEYS;
	} else {
		group->has[key] = true;
	}
	return key;
}

/* Adds the rule that a group makes. */
static void finish_group(struct reader *reader, struct path_group *group)
{
	const struct node node = {.at = group->at};
	const size_t methods = strlen(group->methods);
	char text[sizeof group->methods + sizeof group->prefix];

	if (group->bad)
		return;
	if (!group->has[PATH_PREFIX])
		PROBLEM(reader, &node, "\"paths.prefix\" is missing: write what the path begins with");
	else if (!group->has[PATH_ALLOW])
		PROBLEM(reader, &node, "\"paths.allow\" is missing: list the findings that do not "
				       "refuse below the prefix");
	else {
		memcpy(text, group->methods, methods);
		if (methods > 0)
			text[methods - 1] = ' ';
		memcpy(text + methods, group->prefix, strlen(group->prefix) + 1);
		keep_path_rule(reader, &node, text, &group->allowed, false);
	}
}

bool urivet_loader_read_path_group(struct reader *reader, struct place at)
{
	struct path_group group = {.at = at};
	struct node node;

	for (;;) {
		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		if (!read_path_value(reader, &group, path_key_of(reader, &group, &node)))
			return false;
	}
	finish_group(reader, &group);
	return true;
}
