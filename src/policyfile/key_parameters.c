/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rules for parameters. */
#include "common/finding_set.h"
#include "common/nearest.h"
#include "common/order.h"
#include "policyfile/parameters.h"
#include "policyfile/reader.h"
#include "policyfile/values.h"
#include <stdlib.h>
#include <string.h>

/* A rule while it is read. */
struct entry {
	struct urivet_parameter_rule rule;
	struct value_policy value;
	struct place at;   /* of its name */
	struct named file; /* of its policy; text NULL: none, or a built-in policy */
	bool any;          /* an option was read, and these: */
	bool has_decode;
	bool has_policy;
	bool has_allow;
};

/* ---- Options -------------------------------------------------------------------------- */

static void read_parameter_flag(struct reader *reader, const struct node *node)
{
	struct entry *entry = reader->group;
	unsigned flag = 0;

	entry->any = true;
	while (strcmp(urivet_loader_parameter_flags[flag], reader->key->name) != 0)
		flag++;
	urivet_loader_read_flag(reader, node, urivet_loader_parameter_flag(&entry->rule, flag));
}

static void read_decode(struct reader *reader, const struct node *node)
{
	struct entry *entry = reader->group;
	long long number = 0;
	struct why why;
	const enum value value = urivet_loader_number(node, &number, &why);

	entry->any = true;
	entry->has_decode = true;
	if (value == VALUE_BAD)
		PROBLEM(reader, node, "\"decode\": %s", why.text);
	else if (number != 1 && number != 2)
		PROBLEM(reader, node,
			"\"decode\" takes 1 or 2, how often the value is decoded, not %.100s",
			node->text);
	else
		entry->rule.times = (uint8_t)number;
}

/* Reads the name of a built-in policy, or of a file, which is loaded later. */
static void read_value_policy(struct reader *reader, const struct node *node)
{
	struct entry *entry = reader->group;
	const int base = urivet_policy_named(node->text, node->length);
	struct nearest nearest = urivet_loader_nearest(node->text);

	entry->any = true;
	entry->has_policy = true;
	for (unsigned i = 0; i < URIVET_BASES; i++)
		urivet_loader_nearest_try(&nearest, urivet_policy_name(i));
	if (base >= 0)
		entry->value.by = urivet_load_built_in(base);
	else if (node->text[strcspn(node->text, "./")] == '\0')
		PROBLEM(reader, node, "no such policy: \"%.100s\"; write %s, or a file as ./%.100s",
			node->text, nearest.best != NULL ? nearest.best : "public", node->text);
	else if (reader->in_memory)
		PROBLEM(reader, node, "there are no files here: name a built-in policy");
	else
		entry->file = (struct named){urivet_loader_keep_text(reader, node->text), node->at};
	entry->value.name = urivet_loader_keep_text(reader, node->text);
	reader->problems->no_memory |= base >= 0 && entry->value.by == NULL;
}

static void read_allowed_value(struct reader *reader, const struct node *node)
{
	struct entry *entry = reader->group;
	struct urivet_finding_set *allowed = &entry->rule.allowed;
	const struct urivet_finding_row *info = urivet_loader_finding(reader, node, allowed);

	entry->any = true;
	entry->has_allow = true;
	if (info == NULL)
		return;
	if (!urivet_loader_parameter_may_allow(info->id))
		PROBLEM(reader, node,
			"finding \"%s\" cannot be allowed in the value of a parameter: it is not "
			"about octets of a query or path, or hides where a path leads",
			info->name);
	else
		put_in_set(allowed, info->id);
}

/* Reads a value that the parameter may have, decoded. */
static void read_listed_value(struct reader *reader, const struct node *node)
{
	struct entry *entry = reader->group;

	entry->any = true;
	if (node->length > 0 && !urivet_loader_is_text(node->text))
		PROBLEM(reader, node, "a value is text without controls");
	else
		urivet_loader_add_text(reader, node);
}

/* clang-format off */
static const struct key option_keys[] = {
	{.name = "same_origin", .path = "same_origin", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_parameter_flag},
	{.name = "rooted", .path = "rooted", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_parameter_flag},
	{.name = "absolute", .path = "absolute", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_parameter_flag},
	{.name = "any_case", .path = "any_case", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_parameter_flag},
	{.name = "semicolons", .path = "semicolons", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_parameter_flag},
	{.name = "required", .path = "required", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_parameter_flag},
	{.name = "decode", .path = "decode", .often = ONCE_IN_GROUP, .read = read_decode, .takes = "1 or 2"},
	{.name = "policy", .path = "policy", .often = ONCE_IN_GROUP, .read = read_value_policy, .takes = "the name of a policy"},
	{.name = "allow", .path = "allow", .shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = read_allowed_value,
	 .takes = "a list of findings: [escaped-crlf]"},
	{.name = "values", .path = "values", .shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = read_listed_value,
	 .takes = "a list of values: [view, edit]"},
	{0},
};
/* clang-format on */

/* ---- Rules ---------------------------------------------------------------------------- */

static int order_texts(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	const int order = x->text == NULL || y->text == NULL ? 0 : strcmp(x->text, y->text);

	return order != 0 ? order
			  : order_lists((uint64_t[]){x->at.line, x->at.column},
					(uint64_t[]){y->at.line, y->at.column}, 2);
}

/* Makes the values that were read those of the rule, in order. */
static void keep_values(struct reader *reader, struct entry *entry)
{
	const struct named *text = reader->text;
	size_t length = 0, used = 0;
	char *joined;

	if (reader->texts == 0 || reader->problems->no_memory)
		return;
	qsort(reader->text, reader->texts, sizeof *text, order_texts);
	for (size_t i = 0; i < reader->texts; i++) {
		const struct node node = {.at = text[i].at};

		length += strlen(text[i].text) + 1;
		if (i > 0 && strcmp(text[i - 1].text, text[i].text) == 0)
			PROBLEM(reader, &node, "value \"%.100s\" is listed already", text[i].text);
		else if (length > URIVET_PARAMETER_VALUES_MOST)
			PROBLEM(reader, &node, "the values of a parameter have more than %d octets",
				URIVET_PARAMETER_VALUES_MOST);
		if (length > URIVET_PARAMETER_VALUES_MOST)
			return;
	}
	entry->rule.values = joined = urivet_loader_keep(reader->strings, NULL, length);
	for (size_t i = 0; joined != NULL && i < reader->texts; i++) {
		memcpy(joined + used, text[i].text, strlen(text[i].text));
		used += strlen(text[i].text);
		joined[used++] = '\n';
	}
	entry->rule.values_length = (uint32_t)length;
	reader->problems->no_memory = joined == NULL;
}

/* Reports options that contradict each other. */
static void check_entry(struct reader *reader, const struct entry *entry, bool good)
{
	const struct urivet_parameter_rule *rule = &entry->rule;
	const struct node node = {.at = entry->at};

	if (!entry->any && good)
		PROBLEM(reader, &node,
			"\"%.100s\" is empty: write what its value has to be, as "
			"{same_origin: true} or {policy: public}",
			rule->name);
	if (rule->rooted && rule->absolute)
		PROBLEM(reader, &node,
			"\"rooted\" and \"absolute\" exclude each other: a value begins with "
			"a slash or with a scheme");
	if (entry->has_allow && !urivet_loader_parameter_is_plain(rule->name))
		PROBLEM(reader, &node,
			"\"allow\" is for parameters named in letters, digits, -._~ and "
			"brackets, not \"%.100s\"%s",
			rule->name,
			strcmp(rule->name, "*") == 0 ? ": for all, use the \"allow\" of the policy"
						     : "");
	for (EACH_IN_SET(id, &rule->allowed))
		if (!rule->judges && urivet_finding_info(id)->component == URIVET_PATH)
			PROBLEM(reader, &node,
				"finding \"%s\" is about paths: the value has none, as it "
				"is not judged as a URL; add \"policy\"",
				urivet_finding_info(id)->name);
	if (!rule->judges && !rule->required && rule->values_length == 0 &&
	    (rule->any_case || rule->semicolons))
		PROBLEM(reader, &node,
			"\"%s\" has no effect: with \"allow\" alone, the value is not judged "
			"as a URL; add \"policy\"",
			rule->any_case ? "any_case" : "semicolons");
	if ((rule->required || rule->values_length > 0) && strcmp(rule->name, "*") == 0)
		PROBLEM(reader, &node, "\"%s\" is for a parameter with a name, not for \"*\"",
			rule->required ? "required" : "values");
}

/* Adds the rule, unless it has problems. */
static void keep_entry(struct reader *reader, struct entry *entry, bool good)
{
	struct urivet_loaded *loaded = reader->loaded;
	const struct node node = {.at = entry->at};
	const uint32_t count = loaded->parameters;

	if (loaded->parameters == URIVET_PARAMETER_RULES_MOST) {
		PROBLEM(reader, &node, "more than %u rules for parameters",
			URIVET_PARAMETER_RULES_MOST);
	} else if (good &&
		   urivet_loader_room(reader, &loaded->parameter, count,
				      sizeof *loaded->parameter) &&
		   urivet_loader_room(reader, &loaded->value, count, sizeof *loaded->value) &&
		   urivet_loader_room(reader, &reader->value_policy, count,
				      sizeof *reader->value_policy) &&
		   urivet_loader_place(reader, &node, &entry->rule.tag)) {
		reader->value_policy[count] = entry->file;
		loaded->parameter[count] = entry->rule;
		loaded->value[count] = entry->value;
		loaded->parameters++;
		return;
	}
	urivet_loaded_release(entry->value.by);
}

/* Completes a rule and adds it. `problems` is how many there were before its name. */
static void finish_entry(struct reader *reader, struct entry *entry, size_t problems)
{
	struct urivet_parameter_rule *rule = &entry->rule;

	keep_values(reader, entry);
	rule->judges = rule->same_origin || rule->rooted || rule->absolute || entry->has_policy ||
		       (entry->has_decode && rule->values_length == 0) ||
		       (!rule->required && rule->values_length == 0 && !entry->has_allow);
	check_entry(reader, entry, reader->problems->count == problems);
	if (rule->judges && reader->problems->count == problems && entry->value.name == NULL) {
		entry->value.name = urivet_policy_name(URIVET_PUBLIC);
		entry->value.by = urivet_load_built_in(URIVET_PUBLIC);
		reader->problems->no_memory |= entry->value.by == NULL;
	}
	keep_entry(reader, entry, reader->problems->count == problems);
}

/* Reports a name that has a rule already. */
static void check_name(struct reader *reader, const struct node *node)
{
	const struct urivet_loaded *loaded = reader->loaded;

	if (!urivet_loader_is_text(node->text))
		PROBLEM(reader, node,
			"the name of a parameter has at least one character, and no controls");
	for (uint32_t i = 0; i < loaded->parameters; i++) {
		const struct place at = loaded->place[loaded->parameter[i].tag];

		if (strcmp(loaded->parameter[i].name, node->text) == 0)
			PROBLEM(reader, node, "parameter \"%.100s\" stands in %.300s:%lu already",
				node->text, loaded->file[at.file], (unsigned long)at.line);
	}
}

bool urivet_loader_read_parameters(struct reader *reader, struct place at)
{
	struct node node;
	bool any = false;

	if (reader->for_values)
		urivet_loader_problem(reader->problems, at,
				      "\"parameters\" has no effect in a policy for values of "
				      "parameters, whose own queries are not judged: remove it");
	for (;; any = true) {
		const size_t problems = reader->problems->count;
		struct entry entry = {.rule.times = 1};
		struct key key = {.shape = SHAPE_GROUP,
				  .often = ONCE_IN_GROUP,
				  .members = option_keys,
				  .takes = "a group of keys: {same_origin: true}"};

		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		entry.at = node.at;
		entry.rule.name = urivet_loader_keep_text(reader, node.text);
		if (entry.rule.name == NULL)
			return false;
		entry.rule.length = (uint32_t)strlen(entry.rule.name);
		check_name(reader, &node);
		key.path = entry.rule.name;
		reader->group = &entry;
		reader->texts = 0;
		if (!urivet_loader_read_key(reader, &key, node.at)) {
			urivet_loaded_release(entry.value.by);
			return false;
		}
		finish_entry(reader, &entry, problems);
	}
	if (!any)
		urivet_loader_problem(reader->problems, at,
				      "\"parameters\" is empty; leave it out");
	return true;
}
