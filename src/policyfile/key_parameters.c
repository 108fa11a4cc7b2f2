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
	struct place at;        /* of its name */
	struct named file;  /* of its policy; path NULL: none, or a built-in policy */
	uint32_t has;           /* bits of the options that were read */
	bool bad;               /* a problem was reported */
};

/* The options: the flags, and then these. */
enum option {
	OPTION_DECODE = PARAMETER_FLAGS,
	OPTION_POLICY,
	OPTION_ALLOW,
	OPTION_VALUES,
	OPTIONS
};

#define ENTRY_PROBLEM(reader, entry, node, ...)                                                    \
	((entry)->bad = true, PROBLEM(reader, node, __VA_ARGS__))

static const char *option_name(unsigned option)
{
	static const char *const others[] = {"decode", "policy", "allow", "values"};

	return option < PARAMETER_FLAGS ? urivet_loader_parameter_flags[option]
					: others[option - PARAMETER_FLAGS];
}

/* ---- Values --------------------------------------------------------------------------- */

static void read_parameter_flag(struct reader *reader, struct entry *entry,
				const struct node *node, unsigned option)
{
	struct why why;

	if (!urivet_loader_flag(node, urivet_loader_parameter_flag(&entry->rule, option), &why))
		ENTRY_PROBLEM(reader, entry, node, "\"%s\" %s", option_name(option), why.text);
}

static void read_decode(struct reader *reader, struct entry *entry, const struct node *node)
{
	long long number = 0;
	struct why why;
	const enum value value = urivet_loader_number(node, &number, &why);

	if (value == VALUE_BAD)
		ENTRY_PROBLEM(reader, entry, node, "\"decode\": %s", why.text);
	else if (number != 1 && number != 2)
		ENTRY_PROBLEM(reader, entry, node,
			      "\"decode\" takes 1 or 2, how often the value is decoded, not %.100s",
			      node->text);
	else
		entry->rule.times = (uint8_t)number;
}

/* Reads the name of a built-in policy, or of a file, which is loaded later. */
static void read_value_policy(struct reader *reader, struct entry *entry, const struct node *node)
{
	const int base = urivet_policy_named(node->text, node->length);
	struct nearest nearest = urivet_loader_nearest(node->text);

	for (unsigned i = 0; i < URIVET_BASES; i++)
		urivet_loader_nearest_try(&nearest, urivet_policy_name(i));
	if (base >= 0)
		entry->value.by = urivet_load_built_in(base);
	else if (node->text[strcspn(node->text, "./")] == '\0')
		ENTRY_PROBLEM(reader, entry, node,
			      "no such policy: \"%.100s\"; write %s, or a file as ./%.100s",
			      node->text, nearest.best != NULL ? nearest.best : "public",
			      node->text);
	else if (reader->in_memory)
		ENTRY_PROBLEM(reader, entry, node, "there are no files here: name a built-in policy");
	else
		entry->file =
		    (struct named){urivet_loader_keep_text(reader, node->text), node->at};
	entry->value.name = urivet_loader_keep_text(reader, node->text);
	if (base >= 0 && entry->value.by == NULL)
		reader->problems->no_memory = true;
}

static void read_allowed_value(struct reader *reader, struct entry *entry, const struct node *node)
{
	const struct urivet_finding_row *info = urivet_loader_finding(reader, node);
	struct urivet_finding_set *allowed = &entry->rule.allowed;

	if (info == NULL)
		entry->bad = true;
	else if (in_set(allowed, info->id))
		ENTRY_PROBLEM(reader, entry, node, "finding \"%s\" is listed already", info->name);
	else if (!urivet_loader_parameter_may_allow(info->id))
		ENTRY_PROBLEM(reader, entry, node,
			      "finding \"%s\" cannot be allowed in the value of a parameter: it is "
			      "not about octets of a query or path, or hides where a path leads",
			      info->name);
	else
		put_in_set(allowed, info->id);
}

/* Reads a value that the parameter may have, decoded. */
static void read_listed_value(struct reader *reader, struct entry *entry, const struct node *node)
{
	if (node->length > 0 && !urivet_loader_is_text(node->text))
		ENTRY_PROBLEM(reader, entry, node, "a value is text without controls");
	else
		urivet_loader_add_text(reader, node);
}

static int order_texts(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	const int order = x->text == NULL || y->text == NULL ? 0 : strcmp(x->text, y->text);

	return order != 0 ? order : order_lists((uint64_t[]){x->at.line, x->at.column},
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
			ENTRY_PROBLEM(reader, entry, &node, "value \"%.100s\" is listed already",
				      text[i].text);
		else if (length > URIVET_PARAMETER_VALUES_MOST)
			ENTRY_PROBLEM(reader, entry, &node,
				      "the values of a parameter have more than %d octets",
				      URIVET_PARAMETER_VALUES_MOST);
		if (length > URIVET_PARAMETER_VALUES_MOST)
			return;
	}
	joined = malloc(length);
	for (size_t i = 0; joined != NULL && i < reader->texts; i++) {
		memcpy(joined + used, text[i].text, strlen(text[i].text));
		used += strlen(text[i].text);
		joined[used++] = '\n';
	}
	if (joined != NULL)
		entry->rule.values = urivet_loader_keep(&reader->loaded->strings, joined, length);
	entry->rule.values_length = (uint32_t)length;
	reader->problems->no_memory = entry->rule.values == NULL;
	free(joined);
}

/* Reads the list of findings or of values. Returns false if the rest cannot be read. */
static bool read_entry_list(struct reader *reader, struct entry *entry, unsigned option,
			    const struct node *list)
{
	const char *const name = option_name(option);
	struct node node;
	bool any = false;

	reader->texts = 0;
	if (list->kind != NODE_LIST) {
		ENTRY_PROBLEM(reader, entry, list, "\"%s\" takes a list of %s", name,
			      option == OPTION_ALLOW ? "findings: [escaped-crlf]"
						     : "values: [view, edit]");
		return urivet_loader_yaml_skip(reader->yaml, list);
	}
	for (;; any = true) {
		if (!urivet_loader_yaml_next(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		if (node.kind != NODE_TEXT)
			ENTRY_PROBLEM(reader, entry, &node, "\"%s\" takes %s", name,
				      option == OPTION_ALLOW ? "names of findings" : "texts");
		else if (option == OPTION_ALLOW)
			read_allowed_value(reader, entry, &node);
		else
			read_listed_value(reader, entry, &node);
		if (!urivet_loader_yaml_skip(reader->yaml, &node))
			return false;
	}
	if (!any)
		ENTRY_PROBLEM(reader, entry, list, "\"%s\" is empty; leave it out", name);
	keep_values(reader, entry);
	return true;
}

/* ---- Options -------------------------------------------------------------------------- */

/* Returns the option, or OPTIONS after reporting that it is none or repeated. */
static unsigned option_of(struct reader *reader, struct entry *entry, const struct node *node)
{
	struct nearest nearest = urivet_loader_nearest(node->text);
	unsigned option = 0;

	while (option < OPTIONS && strcmp(option_name(option), node->text) != 0)
		urivet_loader_nearest_try(&nearest, option_name(option++));
	if (option == OPTIONS && nearest.best != NULL)
		ENTRY_PROBLEM(reader, entry, node,
			      "unknown key \"%.100s\" of parameter \"%.100s\"; did you mean "
			      "\"%s\"?",
			      node->text, entry->rule.name, nearest.best);
	else if (option == OPTIONS)
		ENTRY_PROBLEM(reader, entry, node,
			      "unknown key \"%.100s\" of parameter \"%.100s\": it has same_origin, "
			      "rooted, absolute, any_case, semicolons, required, decode, policy, "
			      "allow and values",
			      node->text, entry->rule.name);
	else if ((entry->has >> option & 1) != 0) {
		ENTRY_PROBLEM(reader, entry, node, "\"%s\" is there for the second time",
			      node->text);
		option = OPTIONS;
	} else {
		entry->has |= 1u << option;
	}
	return option;
}

/* Reads the value of an option. Returns false if the rest cannot be read. */
static bool read_option(struct reader *reader, struct entry *entry, unsigned option)
{
	struct node node;

	if (!urivet_loader_yaml_next(reader->yaml, &node))
		return false;
	if (option == OPTION_ALLOW || option == OPTION_VALUES)
		return read_entry_list(reader, entry, option, &node);
	if (option < OPTIONS && node.kind != NODE_TEXT)
		ENTRY_PROBLEM(reader, entry, &node, "\"%s\" takes %s", option_name(option),
			      option == OPTION_POLICY   ? "the name of a policy"
			      : option == OPTION_DECODE ? "1 or 2"
							: "true or false");
	else if (option < PARAMETER_FLAGS)
		read_parameter_flag(reader, entry, &node, option);
	else if (option == OPTION_DECODE)
		read_decode(reader, entry, &node);
	else if (option == OPTION_POLICY)
		read_value_policy(reader, entry, &node);
	return urivet_loader_yaml_skip(reader->yaml, &node);
}

/* ---- Rules ---------------------------------------------------------------------------- */

/* Reports options that contradict each other. */
static void check_entry(struct reader *reader, struct entry *entry)
{
	const struct urivet_parameter_rule *rule = &entry->rule;
	const struct node node = {.at = entry->at};
	const bool allows = (entry->has >> OPTION_ALLOW & 1) != 0;

	if (entry->has == 0 && !entry->bad)
		ENTRY_PROBLEM(reader, entry, &node,
			      "\"%.100s\" is empty: write what its value has to be, as "
			      "{same_origin: true} or {policy: public}",
			      rule->name);
	if (rule->rooted && rule->absolute)
		ENTRY_PROBLEM(reader, entry, &node,
			      "\"rooted\" and \"absolute\" exclude each other: a value begins with "
			      "a slash or with a scheme");
	if (allows && !urivet_loader_parameter_is_plain(rule->name))
		ENTRY_PROBLEM(reader, entry, &node,
			      "\"allow\" is for parameters named in letters, digits, -._~ and "
			      "brackets, not \"%.100s\"%s",
			      rule->name,
			      strcmp(rule->name, "*") == 0
				  ? ": for all, use the \"allow\" of the policy"
				  : "");
	for (EACH_IN_SET(id, &rule->allowed))
		if (!rule->judges && urivet_finding_info(id)->component == URIVET_PATH)
			ENTRY_PROBLEM(reader, entry, &node,
				      "finding \"%s\" is about paths: the value has none, as it "
				      "is not judged as a URL; add \"policy\"",
				      urivet_finding_info(id)->name);
	if (!rule->judges && !rule->required && rule->values_length == 0 &&
	    (rule->any_case || rule->semicolons))
		ENTRY_PROBLEM(reader, entry, &node,
			      "\"%s\" has no effect: with \"allow\" alone, the value is not judged "
			      "as a URL; add \"policy\"",
			      rule->any_case ? "any_case" : "semicolons");
	if ((rule->required || rule->values_length > 0) && strcmp(rule->name, "*") == 0)
		ENTRY_PROBLEM(reader, entry, &node,
			      "\"%s\" is for a parameter with a name, not for \"*\"",
			      rule->required ? "required" : "values");
}

/* Adds the rule. */
static void keep_entry(struct reader *reader, struct entry *entry)
{
	struct urivet_loaded *loaded = reader->loaded;
	const struct node node = {.at = entry->at};
	const uint32_t count = loaded->parameters;

	if (loaded->parameters == URIVET_PARAMETER_RULES_MOST) {
		ENTRY_PROBLEM(reader, entry, &node, "more than %u rules for parameters",
			      URIVET_PARAMETER_RULES_MOST);
	} else if (!entry->bad &&
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

/* Completes a rule and adds it. */
static void finish_entry(struct reader *reader, struct entry *entry)
{
	struct urivet_parameter_rule *rule = &entry->rule;

	rule->judges = rule->same_origin || rule->rooted || rule->absolute ||
		       (entry->has & 1u << OPTION_POLICY) != 0 ||
		       ((entry->has & 1u << OPTION_DECODE) != 0 && rule->values_length == 0) ||
		       (!rule->required && rule->values_length == 0 &&
			(entry->has & 1u << OPTION_ALLOW) == 0);
	check_entry(reader, entry);
	if (rule->judges && !entry->bad && entry->value.name == NULL) {
		entry->value.name = urivet_policy_name(URIVET_PUBLIC);
		entry->value.by = urivet_load_built_in(URIVET_PUBLIC);
		reader->problems->no_memory =
		    reader->problems->no_memory || entry->value.by == NULL;
	}
	keep_entry(reader, entry);
}

/* Reports a name that has a rule already. */
static void check_name(struct reader *reader, struct entry *entry, const struct node *node)
{
	const struct urivet_loaded *loaded = reader->loaded;

	if (!urivet_loader_is_text(node->text))
		ENTRY_PROBLEM(reader, entry, node,
			      "the name of a parameter has at least one character, and no controls");
	for (uint32_t i = 0; i < loaded->parameters; i++) {
		const struct place at = loaded->place[loaded->parameter[i].tag];

		if (strcmp(loaded->parameter[i].name, node->text) == 0)
			ENTRY_PROBLEM(reader, entry, node,
				      "parameter \"%.100s\" stands in %.300s:%lu already", node->text,
				      loaded->file[at.file], (unsigned long)at.line);
	}
}

/* Reads the options of a parameter. Returns false if the rest cannot be read. */
static bool read_entry(struct reader *reader, struct entry *entry)
{
	struct node node;

	if (!urivet_loader_yaml_next(reader->yaml, &node))
		return false;
	if (node.kind != NODE_GROUP) {
		ENTRY_PROBLEM(reader, entry, &node,
			      "\"%.100s\" takes a group of keys: {same_origin: true}",
			      entry->rule.name);
		return urivet_loader_yaml_skip(reader->yaml, &node);
	}
	for (;;) {
		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			return true;
		if (!read_option(reader, entry, option_of(reader, entry, &node)))
			return false;
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
		struct entry entry = {.has = 0, .rule.times = 1};
		bool good;

		if (!urivet_loader_yaml_key(reader->yaml, &node))
			return false;
		if (node.kind == NODE_END)
			break;
		entry.at = node.at;
		entry.rule.name = urivet_loader_keep_text(reader, node.text);
		if (entry.rule.name == NULL)
			return false;
		entry.rule.length = (uint32_t)strlen(entry.rule.name);
		check_name(reader, &entry, &node);
		good = read_entry(reader, &entry);
		if (!good)
			urivet_loaded_release(entry.value.by);
		if (!good)
			return false;
		finish_entry(reader, &entry);
	}
	if (!any)
		urivet_loader_problem(reader->problems, at, "\"parameters\" is empty; leave it out");
	return true;
}
