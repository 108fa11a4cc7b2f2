/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rules for paths below a prefix: `paths` and `strip_prefix`. */
#include "common/finding_set.h"
#include "common/rules.h"
#include "policyfile/reader.h"
#include <string.h>

/* A group of `paths` while it is read. */
struct path_group {
	struct place at;          /* of its prefix, or of the group */
	char prefix[URIVET_PATH_RULE_MOST + 1];
	char methods[256];        /* "GET HEAD " */
	struct urivet_finding_set allowed;
	bool has_allowed;
};

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

static bool is_prefix(struct reader *reader, const struct node *node)
{
	return node->text[0] == '/' ||
	       PROBLEM(reader, node, "\"%.100s\" is no prefix: write \"/%.100s\"", node->text,
		       node->text);
}

void urivet_loader_key_strip(struct reader *reader, const struct node *node)
{
	if (node->length > 0 && node->text[node->length - 1] == '$')
		PROBLEM(reader, node, "\"strip_prefix\" takes prefixes, which do not end with \"$\"");
	else if (is_prefix(reader, node))
		keep_path_rule(reader, node, node->text, &(struct urivet_finding_set){{0}}, true);
}

/* ---- Groups of `paths` ---------------------------------------------------------------- */

static void read_prefix(struct reader *reader, const struct node *node)
{
	struct path_group *group = reader->group;
	const char *const slash = strrchr(node->text, '/');
	struct urivet_path_rule rule;
	struct why why;

	group->at = node->at;
	if (node->length > 0 && !is_prefix(reader, node))
		return;
	if (!urivet_loader_read_path(&rule, node->text, &why))
		PROBLEM(reader, node, "%s", why.text);
	else if (slash[1] != '\0' && slash[1 + strspn(slash + 1, "_~!&'()+,=:@-")] == '\0')
		PROBLEM(reader, node, "a prefix covers whole segments: write \"%.100s/\"",
			node->text);
	else
		memcpy(group->prefix, node->text, node->length + 1);
}

static void read_method(struct reader *reader, const struct node *node)
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-";
	struct path_group *group = reader->group;

	if (node->length == 0 || node->text[strspn(node->text, capitals)] != '\0')
		PROBLEM(reader, node, "\"%.100s\" is no method to list: write it in capitals, as GET",
			node->text);
	else
		urivet_loader_add_name(reader, node, group->methods, sizeof group->methods, "method");
}

static void read_allowed(struct reader *reader, const struct node *node)
{
	struct path_group *group = reader->group;
	const struct urivet_finding_row *info =
	    urivet_loader_finding(reader, node, &group->allowed);

	group->has_allowed = true;
	if (info == NULL)
		return;
	if (!info->by_path_rule)
		PROBLEM(reader, node,
			"finding \"%s\" cannot be allowed below a prefix: it is not about "
			"path or query, or lets a path lead out of the prefix",
			info->name);
	else
		put_in_set(&group->allowed, info->id);
}

/* clang-format off */
static const struct key path_keys[] = {
	{.name = "prefix", .path = "paths.prefix", .often = ONCE_IN_GROUP, .read = read_prefix, .takes = "a text, such as /api/"},
	{.name = "methods", .path = "paths.methods", .shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = read_method},
	{.name = "allow", .path = "paths.allow", .shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = read_allowed},
	{0},
};
/* clang-format on */

/* Adds the rule that a group makes. */
static void finish_group(struct reader *reader, const struct path_group *group)
{
	const struct node node = {.at = group->at};
	const size_t methods = strlen(group->methods);
	char text[sizeof group->methods + sizeof group->prefix];

	if (group->prefix[0] == '\0') {
		PROBLEM(reader, &node, "\"paths.prefix\" is missing: write what the path begins with");
		return;
	}
	if (!group->has_allowed) {
		PROBLEM(reader, &node, "\"paths.allow\" is missing: list the findings that do not "
				       "refuse below the prefix");
		return;
	}
	for (size_t i = 0; i + 1 < methods; i++)
		text[i] = (char)(group->methods[i] == ' ' ? ',' : group->methods[i]);
	if (methods > 0)
		text[methods - 1] = ' ';
	memcpy(text + methods, group->prefix, strlen(group->prefix) + 1);
	keep_path_rule(reader, &node, text, &group->allowed, false);
}

bool urivet_loader_read_path_group(struct reader *reader, struct place at)
{
	const size_t problems = reader->problems->count;
	struct path_group group = {.at = at};

	reader->group = &group;
	if (!urivet_loader_read_group(reader, path_keys, "paths", at))
		return false;
	if (reader->problems->count == problems)
		finish_group(reader, &group);
	return true;
}
