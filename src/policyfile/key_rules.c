/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rules of policy files, and completes the policy at the end. */
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/order.h"
#include "common/rules.h"
#include "policyfile/overlaps.h"
#include "policyfile/reader.h"
#include "policyfile/suffix.h"
#include "policyfile/values.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory --------------------------------------------------------------------- */

/* Copies octets, and records if memory is short. */
static const char *keep(struct reader *reader, const char *text, size_t length)
{
	const char *copy = urivet_loader_keep(reader->strings, text, length);

	reader->problems->no_memory |= copy == NULL;
	return copy;
}

const char *urivet_loader_keep_text(struct reader *reader, const char *text)
{
	return keep(reader, text, strlen(text));
}

#define ROOM_FIRST 64u

bool urivet_loader_room(struct reader *reader, void *array, size_t count, size_t size)
{
	size_t capacity = count;
	const bool full = count == 0 || (count >= ROOM_FIRST && (count & (count - 1)) == 0);
	const bool good =
	    !full || grow(array, &capacity, count > 0 ? 2 * count : ROOM_FIRST, size);

	reader->problems->no_memory |= !good;
	return good;
}

void urivet_loader_add_text(struct reader *reader, const struct node *node)
{
	if (urivet_loader_room(reader, &reader->text, reader->texts, sizeof *reader->text))
		reader->text[reader->texts++] =
		    (struct named){urivet_loader_keep_text(reader, node->text), node->at};
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
	const char *copy = keep(reader, text, length);

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
	    urivet_loader_reads(reader, "hosts.allow") ? URIVET_ALLOW : URIVET_DENY;
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

static void read_shared(struct reader *reader, const struct node *node)
{
	urivet_loader_read_flag(reader, node, &reader->shared);
}

static void read_host_name(struct reader *reader, const struct node *node)
{
	reader->host = (struct named){urivet_loader_keep_text(reader, node->text), node->at};
}

/* clang-format off */
static const struct key shared_keys[] = {
	{.name = "name", .path = "hosts.allow.name", .often = ONCE_IN_GROUP, .read = read_host_name},
	{.name = "shared", .path = "hosts.allow.shared", .shape = SHAPE_FLAG, .often = ONCE_IN_GROUP, .read = read_shared},
	{0},
};
static const struct key except_keys[] = {
	{.name = "name", .path = "hosts.deny.name", .often = ONCE_IN_GROUP, .read = read_host_name},
	{.name = "except", .path = "hosts.deny.except", .shape = SHAPE_TEXTS, .often = ONCE_IN_GROUP, .read = urivet_loader_add_text,
	 .takes = "a list of names: [ok.example.com]"},
	{0},
};
/* clang-format on */

/* Returns true if the denial denies the name of the exception and all names that it stands for. */
static bool is_exception_of(const struct urivet_host_rule *rule,
			    const struct urivet_host_rule *denial)
{
	if (denial->scope == URIVET_SCOPE_HOST || !urivet_loader_is_below(rule, denial))
		return false;
	return denial->scope != URIVET_SCOPE_LABEL ||
	       (rule->scope == URIVET_SCOPE_HOST &&
		memchr(rule->name, '.', rule->length - denial->length - 1) == NULL);
}

/* Adds an exception from a denial, which is the rule at `denial`. */
static void add_exception(struct reader *reader, const struct named *from, uint32_t denial)
{
	struct urivet_loaded *loaded = reader->loaded;
	const struct node node = {.at = from->at};
	uint32_t *count = &loaded->policy.hosts.count;
	struct urivet_host_rule rule;
	struct why why;

	if (from->text == NULL ||
	    !urivet_loader_room(reader, &loaded->host, *count, sizeof rule))
		return;
	if (!urivet_loader_read_host(&rule, from->text, URIVET_EXCEPT, &why)) {
		PROBLEM(reader, &node, "%s", why.text);
		return;
	}
	if (!is_exception_of(&rule, &loaded->host[denial])) {
		PROBLEM(reader, &node,
			"\"%s\" is no exception: it is not among the names below \"%.*s\" that "
			"are denied",
			from->text, (int)loaded->host[denial].length, loaded->host[denial].name);
		return;
	}
	rule.above = (uint8_t)loaded->host[denial].length;
	if (urivet_loader_place(reader, &node, &rule.tag))
		loaded->host[(*count)++] = rule;
	loaded->place[loaded->host[denial].tag].excepts = true;
}

/* Adds the rule of a group that was read, and its exceptions. */
static void finish_host_group(struct reader *reader)
{
	const bool allow = urivet_loader_reads(reader, "hosts.allow");
	const uint32_t before = reader->loaded->policy.hosts.count;
	const struct node name = {.text = reader->host.text, .at = reader->host.at};

	if (name.text == NULL || (!allow && reader->texts == 0))
		PROBLEM(reader, &name, "a group of \"%s\" has a name, and %s", reader->key->path,
			allow ? "shared: true" : "except: [ok.example.com]");
	else
		urivet_loader_key_host(reader, &name);
	for (size_t i = 0; i < reader->texts && before < reader->loaded->policy.hosts.count; i++)
		add_exception(reader, &reader->text[i], before);
}

bool urivet_loader_read_host_group(struct reader *reader, struct place at)
{
	const struct key *const key = reader->key;
	const size_t problems = reader->problems->count;

	reader->host = (struct named){NULL, at};
	reader->texts = 0;
	if (!urivet_loader_read_group(
		reader, urivet_loader_reads(reader, "hosts.allow") ? shared_keys : except_keys,
		key->path, at))
		return false;
	reader->key = key;
	if (reader->problems->count == problems)
		finish_host_group(reader);
	reader->shared = false;
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
	    .action = urivet_loader_reads(reader, "addresses.allow") ? URIVET_ALLOW : URIVET_DENY};
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

/* Reports keys about hosts and URLs that contradict each other. */
static void settle_lists(struct reader *reader)
{
	const struct place also = *urivet_loader_seen(reader, "urls.also");
	const struct place forbid = *urivet_loader_seen(reader, "urls.forbid_parameters");
	const bool allows = urivet_loader_seen(reader, "urls.allow")->line != 0;

	if (also.line != 0 && allows)
		urivet_loader_problem(reader->problems, also,
				      "\"urls.also\" adds to what is allowed without rules about "
				      "URLs; with \"urls.allow\", write its rules there");
	if (forbid.line != 0 && also.line == 0 && !allows)
		urivet_loader_problem(reader->problems, forbid,
				      "\"urls.forbid_parameters\" is for URLs that \"urls.allow\" or "
				      "\"urls.also\" lists, which are not there");
	if (in_set(&reader->allowed, URIVET_F_HOST_NOT_ALLOWED) && reader->loaded->only.line != 0)
		urivet_loader_problem(reader->problems, reader->loaded->place[reader->finding_tag[URIVET_F_HOST_NOT_ALLOWED]],
				      "host-not-allowed switches \"hosts.allow\" off: write the host "
				      "there, or the URL in \"urls.also\" or \"urls.allow\"");
	if (in_set(&reader->allowed, URIVET_F_URL_NOT_ALLOWED) && allows)
		urivet_loader_problem(reader->problems, reader->loaded->place[reader->finding_tag[URIVET_F_URL_NOT_ALLOWED]],
				      "url-not-allowed switches \"urls.allow\" off: write the URL there");
}

/* Makes the public suffixes a table of the policy, if it needs them. */
static void settle_suffixes(struct reader *reader)
{
	struct urivet_loaded *loaded = reader->loaded;

	if (!has_rule(&loaded->policy, URIVET_F_HOST_PUBLIC_SUFFIX)) {
		urivet_suffixes_close(loaded->suffixes);
		loaded->suffixes = NULL;
	} else if (suffixes_of(reader) == NULL) {
		urivet_loader_problem(reader->problems, *urivet_loader_seen(reader, "refuse"),
				      "\"host-public-suffix\" needs the list of public suffixes, "
				      "which is not here: install the Debian package publicsuffix");
	} else {
		urivet_suffixes_set(loaded->suffixes, &loaded->policy);
	}
}

static uint64_t rank(const struct urivet_host_rule *rule)
{
	return (uint64_t)(rule->scope << 16 | rule->action << 8 | rule->above) << 32 | rule->tag;
}

/* Sorts rules of hosts; those of one name as in a compiled policy, so that both are shown alike. */
static int order_hosts(const void *a, const void *b)
{
	const int order = urivet_order(URIVET_LIST_HOSTS)(a, b);

	return order != 0 ? order : order_numbers(rank(a), rank(b));
}

/* Sorts protected names; equal names by place. */
static int order_protected(const void *a, const void *b)
{
	const int order = urivet_order(URIVET_LIST_PROTECTED)(a, b);

	return order != 0 ? order : order_numbers(rank(a), rank(b)); /* the name comes first */
}

void urivet_loader_settle(struct reader *reader)
{
	struct urivet_loaded *loaded = reader->loaded;
	struct urivet_policy *policy = &loaded->policy;
	const struct urivet_policy read = *policy;

	(void)urivet_policy_init(policy, sizeof *policy, loaded->base);
	policy->name = read.name;
	if (urivet_loader_seen(reader, "schemes")->line != 0)
		policy->schemes = reader->schemes;
	memcpy(policy->scheme_names, reader->scheme_names, sizeof policy->scheme_names);
	policy->max_length = reader->limits[0] != 0 ? reader->limits[0] : policy->max_length;
	policy->max_host = reader->limits[1] != 0 ? reader->limits[1] : policy->max_host;
	policy->max_label = reader->limits[2] != 0 ? reader->limits[2] : policy->max_label;
	if (urivet_loader_seen(reader, "opaque_query")->line != 0)
		policy->opaque_query = reader->opaque_query;
	memcpy(policy->forbidden_parameters, reader->forbidden, sizeof reader->forbidden);
	policy->urls_also = urivet_loader_seen(reader, "urls.also")->line != 0;
	settle_lists(reader);
	settle_findings(reader);
	settle_suffixes(reader);
	policy->hosts =
	    (struct urivet_host_list){loaded->host, read.hosts.count, true, loaded->only.line != 0};
	policy->addresses = (struct urivet_address_list){loaded->address, read.addresses.count, true};
	policy->ports = loaded->port;
	policy->port_count = read.port_count;
	policy->urls = loaded->url;
	policy->url_count = read.url_count;
	policy->paths = loaded->path;
	policy->path_count = read.path_count;
	policy->nat64 = loaded->nat64;
	policy->nat64_count = read.nat64_count;
	if (read.hosts.count > 0)
		qsort(loaded->host, read.hosts.count, sizeof *loaded->host, order_hosts);
	policy->protect = loaded->protect;
	policy->protect_count = read.protect_count;
	if (read.protect_count > 0)
		qsort(loaded->protect, read.protect_count, sizeof *loaded->protect, order_protected);
	reader->problems->no_memory |= !urivet_loader_show_protected(loaded);
	if (read.addresses.count > 0)
		qsort(loaded->address, read.addresses.count, sizeof *loaded->address,
		      urivet_order(URIVET_LIST_ADDRESSES));
}
