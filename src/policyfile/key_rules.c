/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rules of policy files, and completes the policy at the end. */
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/order.h"
#include "common/rules.h"
#include "policyfile/reader.h"
#include "policyfile/suffix.h"
#include "policyfile/values.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory --------------------------------------------------------------------- */

const char *urivet_loader_keep_text(struct reader *reader, const char *text)
{
	const char *copy = urivet_loader_keep(&reader->loaded->strings, text, strlen(text));

	if (copy == NULL)
		reader->problems->no_memory = true;
	return copy;
}

#define ROOM_FIRST 64u

bool urivet_loader_room(struct reader *reader, void *array, size_t count, size_t size)
{
	size_t capacity = count;
	const bool full = count == 0 || (count >= ROOM_FIRST && (count & (count - 1)) == 0);
	const bool good =
	    !full || grow(array, &capacity, count > 0 ? 2 * count : ROOM_FIRST, size);

	reader->problems->no_memory = reader->problems->no_memory || !good;
	return good;
}

bool urivet_loader_place(struct reader *reader, const struct node *node, uint32_t *tag)
{
	struct urivet_loaded *loaded = reader->loaded;

	if (!urivet_loader_room(reader, &loaded->place, loaded->places, sizeof *loaded->place))
		return false;
	loaded->place[loaded->places] = node->at;
	*tag = loaded->places++;
	return true;
}

/* Copies the text of a rule, and records its place as its tag. Returns NULL if memory is short. */
static const char *keep_rule(struct reader *reader, const struct node *node, const char *text,
			     size_t length, uint32_t *tag)
{
	const char *copy = urivet_loader_keep(&reader->loaded->strings, text, length);

	if (copy == NULL)
		reader->problems->no_memory = true;
	return copy != NULL && urivet_loader_place(reader, node, tag) ? copy : NULL;
}

/* ---- Rules ---------------------------------------------------------------------- */

/* Returns the list of public suffixes, opened at first use; NULL if there is none. */
static const struct urivet_suffixes *suffixes_of(struct reader *reader)
{
	struct urivet_loaded *loaded = reader->loaded;

	if (loaded->suffixes == NULL && !reader->no_suffixes) {
		loaded->suffixes = urivet_suffixes_open(NULL, NULL);
		reader->problems->no_memory |= loaded->suffixes == NULL && errno == ENOMEM;
	}
	reader->no_suffixes = loaded->suffixes == NULL;
	return loaded->suffixes;
}

/* Returns true if the rule allows all names below a public suffix, such as "com". That is certainly
 * a mistake. */
static bool is_too_wide(struct reader *reader, const struct urivet_host_rule *rule)
{
	const struct urivet_suffixes *suffixes;

	if (rule->action != URIVET_ALLOW || rule->scope == URIVET_SCOPE_HOST)
		return false;
	suffixes = suffixes_of(reader);
	if (suffixes != NULL)
		return urivet_loader_is_suffix(suffixes, urivet_text_of(rule->name, rule->length));
	/* without the list, only a single label is known to be too wide */
	return memchr(rule->name, '.', rule->length) == NULL;
}

void urivet_loader_key_host(struct reader *reader, const struct node *node)
{
	const enum urivet_action action =
	    reader->key->id == KEY_HOSTS_ALLOW ? URIVET_ALLOW : URIVET_DENY;
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.hosts.count;
	struct urivet_host_rule *rule;
	struct why why;

	if (!urivet_loader_room(reader, &loaded->host, *count, sizeof *rule))
		return;
	rule = &loaded->host[*count];
	if (!urivet_loader_read_host(rule, node->text, action, &why)) {
		PROBLEM(reader, node, "%s", why.text);
		return;
	}
	if (!reader->shared && is_too_wide(reader, rule)) {
		PROBLEM(reader, node,
			"allow \"%s\" is wider than anybody's own domain: \"%.*s\" is a public "
			"suffix; if that is on purpose, write {name: \"%s\", shared: true}",
			node->text, (int)rule->length, rule->name, node->text);
		return;
	}
	rule->name = keep_rule(reader, node, rule->name, rule->length, &rule->tag);
	if (rule->name != NULL)
		loaded->place[rule->tag].shared = reader->shared;
	*count += rule->name != NULL;
}

/* Reads `shared`. Returns false after reporting that it is no flag. */
static bool read_shared(struct reader *reader, const struct node *node, bool *shared)
{
	struct why why = {"takes true or false"};

	if (node->kind == NODE_TEXT && urivet_loader_flag(node, shared, &why))
		return true;
	PROBLEM(reader, node, "\"shared\" %s", why.text);
	return false;
}

/* Adds the rule of a group that was read. */
static void finish_host_group(struct reader *reader, const struct node *name, bool shared)
{
	if (name->text == NULL) {
		PROBLEM(reader, name, "a group of \"hosts.allow\" has a name, and shared: true");
		return;
	}
	reader->shared = shared;
	urivet_loader_key_host(reader, name);
	reader->shared = false;
}

bool urivet_loader_read_host_group(struct reader *reader, struct place at)
{
	struct node key, value, name = {.at = at};
	bool shared = false, good = true, seen[2] = {false, false};

	for (;;) {
		bool is_name, is_flag;

		if (!urivet_loader_yaml_key(reader->yaml, &key))
			return false;
		if (key.kind == NODE_END)
			break;
		is_name = strcmp(key.text, "name") == 0;
		is_flag = strcmp(key.text, "shared") == 0;
		if (!is_name && !is_flag)
			PROBLEM(reader, &key,
				"unknown key \"hosts.allow.%.100s\": it has name and shared",
				key.text);
		else if (seen[is_flag])
			PROBLEM(reader, &key, "\"hosts.allow.%s\" is there for the second time",
				key.text);
		good = good && (is_name || is_flag) && !seen[is_flag];
		if (is_name || is_flag)
			seen[is_flag] = true;
		if (!urivet_loader_yaml_next(reader->yaml, &value))
			return false;
		if (is_flag)
			good = read_shared(reader, &value, &shared) && good;
		if (is_name && value.kind == NODE_TEXT) {
			name = value;
			name.text = urivet_loader_keep_text(reader, value.text);
		}
		if (!urivet_loader_yaml_skip(reader->yaml, &value))
			return false;
	}
	if (good)
		finish_host_group(reader, &name, shared);
	return true;
}

void urivet_loader_key_url(struct reader *reader, const struct node *node)
{
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.url_count;
	struct urivet_host_rule host;
	struct urivet_url_rule *rule;
	struct why why;

	if (!urivet_loader_room(reader, &loaded->url, *count, sizeof *rule))
		return;
	rule = &loaded->url[*count];
	if (!urivet_loader_read_url(rule, node->text, &why)) {
		PROBLEM(reader, node, "%s", why.text);
		return;
	}
	host = (struct urivet_host_rule){.name = rule->text + rule->host,
					 .length = rule->host_length,
					 .scope = rule->scope,
					 .action = URIVET_ALLOW};
	if (rule->kind == URIVET_URL_NAME && is_too_wide(reader, &host)) {
		PROBLEM(reader, node,
			"allow \"%.200s\" is wider than anybody's own domain: \"%.*s\" is a public "
			"suffix",
			node->text, (int)host.length, host.name);
		return;
	}
	rule->text = keep_rule(reader, node, node->text, node->length, &rule->tag);
	*count += rule->text != NULL;
}

void urivet_loader_key_address(struct reader *reader, const struct node *node)
{
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.addresses.count;
	struct urivet_address_rule rule = {
	    .action = reader->key->id == KEY_ADDRESSES_ALLOW ? URIVET_ALLOW : URIVET_DENY};
	struct why why;

	if (!urivet_loader_room(reader, &loaded->address, *count, sizeof rule))
		return;
	if (!urivet_loader_read_network(&rule.network, node->text, &why))
		PROBLEM(reader, node, "%s", why.text);
	else if (urivet_loader_place(reader, node, &rule.tag))
		loaded->address[(*count)++] = rule;
}

void urivet_loader_key_nat64(struct reader *reader, const struct node *node)
{
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.nat64_count;
	struct why why;

	if (!urivet_loader_room(reader, &loaded->nat64, *count, sizeof *loaded->nat64) ||
	    !urivet_loader_room(reader, &loaded->nat64_place, *count, sizeof node->at))
		return;
	if (!urivet_loader_read_nat64(&loaded->nat64[*count], node->text, &why))
		PROBLEM(reader, node, "%s", why.text);
	else
		loaded->nat64_place[(*count)++] = node->at;
}

/* Reads a port or a range of ports for the scheme of the list. */
static bool take_port(const struct policy_scheme *scheme, struct urivet_port_rule *rule,
		      const struct node *node, struct why *why)
{
	long long number;

	switch (urivet_loader_number(node, &number, why)) {
	case VALUE_GOOD:
		return urivet_loader_read_port(rule, number, scheme, why);
	case VALUE_BAD:
		return false;
	default:
		return urivet_loader_read_range(rule, node->text, scheme, why);
	}
}

void urivet_loader_key_port(struct reader *reader, const struct node *node)
{
	const struct policy_scheme *scheme = urivet_loader_schemes;
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.port_count;
	struct urivet_port_rule rule;
	struct why why;

	while (strcmp(scheme->name, reader->key->name) != 0)
		scheme++;
	if (!urivet_loader_room(reader, &loaded->port, *count, sizeof rule))
		return;
	if (!take_port(scheme, &rule, node, &why))
		PROBLEM(reader, node, "%s", why.text);
	else if (urivet_loader_place(reader, node, &rule.tag))
		loaded->port[(*count)++] = rule;
}

void urivet_loader_key_protected(struct reader *reader, const struct node *node)
{
	struct urivet_loaded *loaded = reader->loaded;
	uint32_t *count = &loaded->policy.protect_count;
	struct urivet_host_rule rule;
	struct why why;

	if (!urivet_loader_room(reader, &loaded->protect, *count, sizeof *loaded->protect))
		return;
	if (!urivet_loader_read_host(&rule, node->text, URIVET_DENY, &why)) {
		PROBLEM(reader, node, "%s", why.text);
		return;
	}
	if (rule.scope != URIVET_SCOPE_HOST) {
		PROBLEM(reader, node, "\"protect\" takes names alone: write \"%.*s\"",
			(int)rule.length, rule.name);
		return;
	}
	rule.name = keep_rule(reader, node, rule.name, rule.length, &rule.tag);
	if (rule.name == NULL ||
	    !urivet_protected_from(&loaded->protect[*count], rule.name, rule.length))
		return;
	loaded->protect[(*count)++].name.tag = rule.tag;
}

/* ---- Completing the policy ---------------------------------------------------------- */

static void settle_findings(struct reader *reader)
{
	struct urivet_policy *policy = &reader->loaded->policy;

	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		if (in_set(&reader->allowed, id))
			(void)urivet_policy_waive(policy, id);
		if (in_set(&reader->refused, id))
			(void)urivet_policy_raise(policy, id);
	}
}

/* Reports keys about URLs that contradict each other. */
static void settle_urls(struct reader *reader)
{
	const struct place also = reader->seen[KEY_URLS_ALSO];
	const struct place forbid = reader->seen[KEY_URLS_FORBID_PARAMETERS];
	const bool allows = reader->seen[KEY_URLS_ALLOW].line != 0;

	if (also.line != 0 && allows)
		urivet_loader_problem(reader->problems, also,
				      "\"urls.also\" adds to what is allowed without rules about "
				      "URLs; with \"urls.allow\", write its rules there");
	if (forbid.line != 0 && also.line == 0 && !allows)
		urivet_loader_problem(reader->problems, forbid,
				      "\"urls.forbid_parameters\" is for URLs that \"urls.allow\" or "
				      "\"urls.also\" lists, which are not there");
}

/* Makes the public suffixes a table of the policy, if it needs them. */
static void settle_suffixes(struct reader *reader)
{
	struct urivet_loaded *loaded = reader->loaded;
	const struct place at = reader->seen[KEY_REFUSE];

	if (!has_rule(&loaded->policy, URIVET_F_HOST_PUBLIC_SUFFIX)) {
		urivet_suffixes_close(loaded->suffixes);
		loaded->suffixes = NULL;
	} else if (suffixes_of(reader) == NULL) {
		urivet_loader_problem(reader->problems, at,
				      "\"host-public-suffix\" needs the list of public suffixes, "
				      "which is not here: install the Debian package "
				      "publicsuffix");
	} else {
		urivet_suffixes_set(loaded->suffixes, &loaded->policy);
	}
}

/* Sorts protected names; equal names by place. */
static int order_protected(const void *a, const void *b)
{
	const struct urivet_protected *x = a;
	const struct urivet_protected *y = b;
	const int order = urivet_order(URIVET_LIST_PROTECTED)(x, y);

	return order != 0 ? order : order_numbers(x->name.tag, y->name.tag);
}

void urivet_loader_settle(struct reader *reader)
{
	struct urivet_loaded *loaded = reader->loaded;
	struct urivet_policy *policy = &loaded->policy;
	const struct urivet_policy read = *policy;

	(void)urivet_policy_init(policy, sizeof *policy, loaded->base);
	policy->name = read.name;
	if (reader->seen[KEY_SCHEMES].line != 0)
		policy->schemes = reader->schemes;
	memcpy(policy->scheme_names, reader->scheme_names, sizeof policy->scheme_names);
	policy->max_length = reader->limits[0] != 0 ? reader->limits[0] : policy->max_length;
	policy->max_host = reader->limits[1] != 0 ? reader->limits[1] : policy->max_host;
	policy->max_label = reader->limits[2] != 0 ? reader->limits[2] : policy->max_label;
	if (reader->seen[KEY_OPAQUE_QUERY].line != 0)
		policy->opaque_query = reader->opaque_query;
	memcpy(policy->forbidden_parameters, reader->forbidden, sizeof reader->forbidden);
	policy->urls_also = reader->seen[KEY_URLS_ALSO].line != 0;
	settle_urls(reader);
	settle_findings(reader);
	settle_suffixes(reader);
	policy->hosts =
	    (struct urivet_host_list){loaded->host, read.hosts.count, true, loaded->only.line != 0};
	policy->addresses =
	    (struct urivet_address_list){loaded->address, read.addresses.count, true};
	policy->ports = loaded->port;
	policy->port_count = read.port_count;
	policy->urls = loaded->url;
	policy->url_count = read.url_count;
	policy->paths = loaded->path;
	policy->path_count = read.path_count;
	policy->nat64 = loaded->nat64;
	policy->nat64_count = read.nat64_count;
	if (read.hosts.count > 0)
		qsort(loaded->host, read.hosts.count, sizeof *loaded->host, urivet_order(URIVET_LIST_HOSTS));
	policy->protect = loaded->protect;
	policy->protect_count = read.protect_count;
	if (read.protect_count > 0)
		qsort(loaded->protect, read.protect_count, sizeof *loaded->protect,
		      order_protected);
	if (!urivet_loader_show_protected(loaded))
		reader->problems->no_memory = true;
	if (read.addresses.count > 0)
		qsort(loaded->address, read.addresses.count, sizeof *loaded->address,
		      urivet_order(URIVET_LIST_ADDRESSES));
}
