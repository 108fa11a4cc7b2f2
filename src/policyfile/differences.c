/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between two policies: each is written as a sorted list of lines, and the lists are
 * merged. Differences that follow from the bases are reported only as a difference of the bases. */
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/lower.h"
#include "common/rules.h"
#include "policyfile/loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups of lines, in the order of output. */
enum group {
	GROUP_BASE,
	GROUP_NAME,
	GROUP_MODE,
	GROUP_SCHEMES,
	GROUP_PORTS,
	GROUP_HOSTS,
	GROUP_URLS,
	GROUP_ADDRESSES,
	GROUP_NAT64,
	GROUP_ALLOW,
	GROUP_REFUSE,
	GROUP_LIMITS,
	GROUP_QUERY,
	GROUP_PROTECT,
	GROUP_PATHS,
	GROUP_STRIP,
	GROUP_PARAMETERS
};

struct entry {
	enum group group;
	const char *text; /* "hosts.deny: .example.com" */
	struct place at;
};

/* The lines of one policy. */
struct entries {
	const struct urivet_loaded *loaded;
	struct entry *entry;
	size_t count;
	size_t capacity;
	struct strings *strings;
	bool no_memory;
};

/* ---- Collecting ----------------------------------------------------------------- */

/* Adds "key: value". */
static void add(struct entries *all, enum group group, struct place at, const char *key,
		struct urivet_text value)
{
	const size_t before = strlen(key);
	char *line = malloc(before + 2 + value.length);

	if (line != NULL) {
		memcpy(line, key, before);
		memcpy(line + before, ": ", 2);
		if (value.length > 0)
			memcpy(line + before + 2, value.data, value.length);
	}
	if (line == NULL ||
	    !grow(&all->entry, &all->capacity, all->count + 1, sizeof *all->entry)) {
		all->no_memory = true;
		free(line);
		return;
	}
	all->entry[all->count].text =
	    urivet_loader_keep(&all->strings, line, before + 2 + value.length);
	all->entry[all->count].group = group;
	all->entry[all->count].at = at;
	free(line);
	if (all->entry[all->count].text == NULL)
		all->no_memory = true;
	else
		all->count++;
}

static void add_word(struct entries *all, enum group group, struct place at, const char *key,
		     const char *word)
{
	add(all, group, at, key, urivet_text_of(word, strlen(word)));
}

/* Adds a setting, which has no place but its file. */
static void add_setting(struct entries *all, enum group group, const char *key, const char *word)
{
	static const struct place nowhere;

	add_word(all, group, nowhere, key, word);
}

static void add_number(struct entries *all, const char *key, uint32_t number)
{
	char word[16];

	(void)snprintf(word, sizeof word, "%lu", (unsigned long)number);
	add_setting(all, GROUP_LIMITS, key, word);
}

/* Returns the place of a rule. */
static struct place place_of(const struct urivet_loaded *loaded, uint32_t tag)
{
	static const struct place nowhere;

	return tag < loaded->places ? loaded->place[tag] : nowhere;
}

/* ---- Settings ------------------------------------------------------------------- */

/* A policy with its base, and the other policy with its base. */
struct pair {
	struct urivet_policy base;
	struct urivet_policy other_base;
	const struct urivet_policy *policy;
	const struct urivet_policy *other;
};

/* Returns true if both policies have the values of their bases. The line about the bases covers
 * this. */
static bool is_of_bases(uint64_t policy, uint64_t base, uint64_t other, uint64_t other_base)
{
	return policy == base && other == other_base;
}

/* Adds the findings in a set of the policy, whose counterparts are those of pair's other policies. */
static void add_findings(struct entries *all, enum group group, const char *key,
			 const struct urivet_finding_set *policy,
			 const struct urivet_finding_set *base,
			 const struct urivet_finding_set *other,
			 const struct urivet_finding_set *other_base)
{
	for (EACH_IN_SET(id, policy))
		if (!is_of_bases(1, in_set(base, id), in_set(other, id), in_set(other_base, id)))
			add_setting(all, group, key, urivet_finding_info(id)->name);
}

static void add_schemes(struct entries *all, const struct pair *pair)
{
	char name[URIVET_SCHEME_NAMES];

	if (strcmp(pair->policy->scheme_names, pair->other->scheme_names) == 0 &&
	    is_of_bases(pair->policy->schemes, pair->base.schemes, pair->other->schemes,
			pair->other_base.schemes))
		return;
	for (const char *at = pair->policy->scheme_names; *at != '\0';) {
		at = urivet_loader_scheme_name(name, at);
		add_setting(all, GROUP_SCHEMES, "schemes", name);
	}
	for (size_t i = 0; i < POLICY_SCHEMES; i++)
		if ((pair->policy->schemes >> urivet_loader_schemes[i].scheme & 1) != 0)
			add_setting(all, GROUP_SCHEMES, "schemes", urivet_loader_schemes[i].name);
}

static void add_limits(struct entries *all, const struct urivet_policy *policy)
{
	add_number(all, "limits.length", policy->max_length);
	add_number(all, "limits.host", policy->max_host);
	add_number(all, "limits.label", policy->max_label);
}

/* Adds the name if it was set. By default it is the name of the file or built-in policy. */
static void add_name(struct entries *all, const struct urivet_loaded *loaded,
		     const struct urivet_loaded *other)
{
	if (loaded->files > 0 && strcmp(loaded->policy.name, loaded->file[0]) != 0 &&
	    strcmp(loaded->policy.name, other->policy.name) != 0)
		add_setting(all, GROUP_NAME, "name", loaded->policy.name);
}

static void add_settings(struct entries *all, const struct urivet_loaded *loaded,
			 const struct urivet_loaded *other)
{
	struct pair pair = {.policy = &loaded->policy, .other = &other->policy};

	(void)urivet_policy_init(&pair.base, sizeof pair.base, loaded->base);
	(void)urivet_policy_init(&pair.other_base, sizeof pair.other_base, other->base);
	add_setting(all, GROUP_BASE, "base", urivet_policy_name((unsigned)loaded->base));
	add_name(all, loaded, other);
	add_setting(all, GROUP_MODE, "mode", loaded->observes ? "observe" : "enforce");
	add_schemes(all, &pair);
	add_findings(all, GROUP_ALLOW, "allow", &pair.policy->waived, &pair.base.waived,
		     &pair.other->waived, &pair.other_base.waived);
	add_findings(all, GROUP_REFUSE, "refuse", &pair.policy->raised, &pair.base.raised,
		     &pair.other->raised, &pair.other_base.raised);
	add_limits(all, &loaded->policy);
	if (!is_of_bases(pair.policy->opaque_query, pair.base.opaque_query,
			 pair.other->opaque_query, pair.other_base.opaque_query))
		add_setting(all, GROUP_QUERY, "opaque_query",
			    loaded->policy.opaque_query ? "true" : "false");
	for (uint32_t i = 0; i < loaded->policy.protect_count; i++)
		add_word(all, GROUP_PROTECT, loaded->place[loaded->shown[i]->name.tag], "protect",
			 urivet_loaded_protected(loaded, i));
}

/* ---- Rules ---------------------------------------------------------------------- */

static void add_hosts(struct entries *all, const struct urivet_loaded *loaded)
{
	static const char *const keys[] = {[URIVET_DENY] = "hosts.deny",
					   [URIVET_ALLOW] = "hosts.allow",
					   [URIVET_EXCEPT] = "hosts.deny.except"};
	char text[2 * POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < loaded->policy.hosts.count; i++) {
		const struct urivet_host_rule *rule = &loaded->policy.hosts.rule[i];
		const struct urivet_text name = urivet_host_rule_name(rule);

		urivet_loader_write_host(text, rule);
		if (rule->action == URIVET_EXCEPT)
			(void)snprintf(text + strlen(text), sizeof text - strlen(text), " in %.*s",
				       (int)rule->above,
				       (const char *)name.data + name.length - rule->above);
		/* names are case-insensitive */
		for (char *at = text; *at != '\0'; at++)
			*at = (char)lower_case((uint8_t)*at);
		add_word(all, GROUP_HOSTS, place_of(loaded, rule->tag), keys[rule->action],
			 text);
	}
}

static void add_addresses(struct entries *all, const struct urivet_loaded *loaded)
{
	char text[POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < loaded->policy.addresses.count; i++) {
		const struct urivet_address_rule *rule = &loaded->policy.addresses.rule[i];

		urivet_loader_write_network(text, &rule->network);
		add_word(all, GROUP_ADDRESSES, place_of(loaded, rule->tag),
			 rule->action == URIVET_ALLOW ? "addresses.allow" : "addresses.deny", text);
	}
	for (uint32_t i = 0; i < loaded->policy.nat64_count; i++) {
		urivet_loader_write_network(text, &loaded->policy.nat64[i]);
		add_word(all, GROUP_NAT64, loaded->nat64_place[i], "addresses.nat64", text);
	}
}

static void add_ports(struct entries *all, const struct urivet_loaded *loaded)
{
	char key[32], text[POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < loaded->policy.port_count; i++) {
		const struct urivet_port_rule *rule = &loaded->policy.ports[i];

		urivet_loader_write_ports(text, rule);
		for (size_t k = 0; k < POLICY_SCHEMES; k++) {
			if ((rule->schemes >> urivet_loader_schemes[k].scheme & 1) == 0)
				continue;
			(void)snprintf(key, sizeof key, "ports.%s", urivet_loader_schemes[k].name);
			add_word(all, GROUP_PORTS, place_of(loaded, rule->tag), key, text);
		}
	}
}

static void add_urls(struct entries *all, const struct urivet_loaded *loaded)
{
	char name[URIVET_SCHEME_NAMES];

	for (uint32_t i = 0; i < loaded->policy.url_count; i++) {
		const struct urivet_url_rule *rule = &loaded->policy.urls[i];

		add(all, GROUP_URLS, place_of(loaded, rule->tag),
		    loaded->policy.urls_also ? "urls.also" : "urls.allow",
		    urivet_url_rule_text(rule));
	}
	for (const char *at = loaded->policy.forbidden_parameters; *at != '\0';) {
		at = urivet_loader_scheme_name(name, at);
		add_setting(all, GROUP_URLS, "urls.forbid_parameters", name);
	}
}

/* Adds a line for each finding of a rule for paths: "paths: /api/ allow escaped-slash". */
static void add_paths(struct entries *all, const struct urivet_loaded *loaded)
{
	char line[URIVET_PATH_RULE_MOST + 100];

	for (uint32_t i = 0; i < loaded->policy.path_count; i++) {
		const struct urivet_path_rule *rule = &loaded->policy.paths[i];
		const struct urivet_text text = urivet_path_rule_text(rule);
		const struct place at = place_of(loaded, rule->tag);

		if (rule->strips)
			add(all, GROUP_STRIP, at, "strip_prefix", text);
		for (EACH_IN_SET(id, &rule->waived)) {
			(void)snprintf(line, sizeof line, "%.*s allow %s", (int)text.length,
				       (const char *)text.data, urivet_finding_info(id)->name);
			add_word(all, GROUP_PATHS, at, "paths", line);
		}
	}
}

/* Adds a line for an option of a rule: "parameters: next same_origin". */
static void add_option(struct entries *all, const struct urivet_loaded *loaded,
		       const struct urivet_parameter_rule *rule, const char *option,
		       const char *value)
{
	const char *name = parameter_name(rule);
	const size_t size = strlen(name) + strlen(option) + strlen(value) + 3;
	char *line = malloc(size);

	if (line != NULL) {
		(void)snprintf(line, size, "%s %s%s%s", name, option,
			       value[0] != '\0' ? " " : "", value);
		add_word(all, GROUP_PARAMETERS, place_of(loaded, rule->tag), "parameters", line);
	}
	all->no_memory = all->no_memory || line == NULL;
	free(line);
}

/* Adds a line for each value that the rule lists. */
static void add_values(struct entries *all, const struct urivet_loaded *loaded,
		       const struct urivet_parameter_rule *rule)
{
	const struct urivet_text values = urivet_parameter_rule_values(rule);
	char *copy = malloc(values.length + 1);
	char *at = copy, *end;

	all->no_memory = all->no_memory || copy == NULL;
	if (copy != NULL && values.length > 0)
		memcpy(copy, values.data, values.length);
	for (; copy != NULL && at < copy + values.length; at = end + 1) {
		end = memchr(at, '\n', (size_t)(copy + values.length - at));
		*end = '\0';
		add_option(all, loaded, rule, "value", at);
	}
	free(copy);
}

static bool collect(struct entries *all, const struct urivet_loaded *loaded,
		    const struct urivet_loaded *other);
static void let_go(struct entries *all);

/* Adds a line for the policy of values, and one for each of its settings and rules if it is a file,
 * whose content may differ under the same name. Such a policy has no parameters, so recursion ends
 * here. */
static void add_value_policy(struct entries *all, const struct urivet_loaded *loaded,
			     const struct urivet_parameter_rule *rule,
			     const struct value_policy *value)
{
	struct entries inner = {.count = 0};

	add_option(all, loaded, rule, "policy", value->name);
	if (urivet_policy_named(value->name, strlen(value->name)) < 0)
		all->no_memory = !collect(&inner, value->by, value->by) || all->no_memory;
	for (size_t i = 0; i < inner.count; i++)
		add_option(all, loaded, rule, value->name, inner.entry[i].text);
	let_go(&inner);
}

static void add_parameters(struct entries *all, const struct urivet_loaded *loaded)
{
	for (uint32_t i = 0; i < loaded->policy.parameter_count; i++) {
		const struct urivet_parameter_rule *rule = &loaded->policy.parameters[i];
		struct urivet_parameter_rule copy = *rule;

		if (rule->judges)
			add_value_policy(all, loaded, rule, &loaded->value[i]);
		for (unsigned flag = 0; flag < PARAMETER_FLAGS; flag++)
			if (*urivet_loader_parameter_flag(&copy, flag))
				add_option(all, loaded, rule, urivet_loader_parameter_flags[flag],
					   "");
		if (rule->times == 2)
			add_option(all, loaded, rule, "decode", "2");
		for (EACH_IN_SET(id, &rule->allowed))
			add_option(all, loaded, rule, "allow", urivet_finding_info(id)->name);
		add_values(all, loaded, rule);
	}
}

static void add_rules(struct entries *all, const struct urivet_loaded *loaded)
{
	add_ports(all, loaded);
	add_hosts(all, loaded);
	add_urls(all, loaded);
	add_addresses(all, loaded);
	add_paths(all, loaded);
	add_parameters(all, loaded);
}

/* ---- Comparing ------------------------------------------------------------------ */

static int order(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return strcmp(x->text, y->text);
}

static bool collect(struct entries *all, const struct urivet_loaded *loaded,
		    const struct urivet_loaded *other)
{
	*all = (struct entries){.loaded = loaded};
	add_settings(all, loaded, other);
	add_rules(all, loaded);
	if (!all->no_memory)
		qsort(all->entry, all->count, sizeof all->entry[0], order);
	return !all->no_memory;
}

static void let_go(struct entries *all)
{
	free(all->entry);
	urivet_loader_free_strings(all->strings);
}

/* Reports one line with its sign. Returns false if memory is short. */
static bool report_entry(const struct entries *all, const struct entry *entry, const char *sign,
			 urivet_on_message *on_message, void *context)
{
	const struct urivet_loaded *loaded = all->loaded;
	const size_t size = strlen(entry->text) + 3;
	struct urivet_message message = {.line = entry->at.line, .column = entry->at.column};
	char *text = malloc(size);

	if (text == NULL)
		return false;
	(void)snprintf(text, size, "%s %s", sign, entry->text);
	message.file =
	    entry->at.file < loaded->files ? loaded->file[entry->at.file] : loaded->policy.name;
	message.text = text;
	on_message(context, &message);
	free(text);
	return true;
}

/* Returns true if both lines are values of one setting. The old value is reported first. */
static bool is_same_setting(const struct entry *x, const struct entry *y)
{
	static const uint32_t single = 1u << GROUP_BASE | 1u << GROUP_NAME | 1u << GROUP_MODE |
				       1u << GROUP_LIMITS | 1u << GROUP_QUERY;
	const size_t key = strcspn(x->text, ":");

	return x->group == y->group && (single >> x->group & 1) != 0 &&
	       strncmp(x->text, y->text, key + 1) == 0;
}

/* Merges the sorted lists, and reports lines that only one has. Returns their number, or SIZE_MAX if
 * memory is short. */
static size_t merge(const struct entries *a, const struct entries *b, urivet_on_message *on_message,
		    void *context)
{
	size_t i = 0, k = 0, count = 0;

	while (i < a->count || k < b->count) {
		int by = i == a->count ? 1 : k == b->count ? -1 : order(&a->entry[i], &b->entry[k]);

		if (by > 0 && i < a->count && is_same_setting(&a->entry[i], &b->entry[k]))
			by = -1;
		if (by != 0 && on_message != NULL &&
		    !report_entry(by < 0 ? a : b, by < 0 ? &a->entry[i] : &b->entry[k],
				  by < 0 ? "-" : "+", on_message, context))
			return SIZE_MAX;
		count += by != 0;
		i += by <= 0;
		k += by >= 0;
	}
	return count;
}

size_t urivet_loaded_differences(const struct urivet_loaded *a, const struct urivet_loaded *b,
				 urivet_on_message *on_message, void *context)
{
	struct entries in_a, in_b;
	size_t count = SIZE_MAX;
	const bool good_a = collect(&in_a, a, b), good_b = collect(&in_b, b, a);

	if (good_a && good_b)
		count = merge(&in_a, &in_b, on_message, context);
	let_go(&in_a);
	let_go(&in_b);
	return count;
}
