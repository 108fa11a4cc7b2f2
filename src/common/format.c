/* SPDX-License-Identifier: Apache-2.0 */
/* Formats policies as policy files and as JSON, by the same functions. */
#include "common/format.h"
#include "common/finding_set.h"
#include "common/order.h"
#include "common/parameter_rule.h"
#include "common/rules.h"
#include "common/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMENT_COLUMNS 90u

/* Output state, with the rules in file order. */
struct show {
	char *out;
	size_t capacity;
	size_t length; /* octets of the whole text so far */
	const struct urivet_loaded *loaded;
	const struct urivet_policy *policy;
	struct urivet_policy base;
	const struct urivet_host_rule **host; /* pointers, as rules of a compiled policy cannot be
					       * copied */
	struct urivet_address_rule *address;
	bool json;
	bool begun;          /* the current group or list is not empty */
	const char *list;    /* key of a list that begins with its first element; NULL: none */
	const char *comment; /* ... and the comment before it; NULL: none */
};

/* ---- Text ----------------------------------------------------------------------- */

static void put_octets(struct show *show, const char *octets, size_t length)
{
	const size_t room = show->capacity > show->length ? show->capacity - show->length - 1 : 0;

	if (room > 0)
		memcpy(show->out + show->length, octets, length < room ? length : room);
	show->length += length;
}

static void put(struct show *show, const char *string)
{
	put_octets(show, string, strlen(string));
}

static void put_octet(struct show *show, char octet)
{
	put_octets(show, &octet, 1);
}

/* Writes an escape for a character outside ASCII; JSON uses surrogate pairs above U+FFFF. */
static void put_escape(struct show *show, uint32_t character)
{
	char text[16];

	if (character <= 0xFFFF || show->json) {
		put_octets(show, text, urivet_loader_json_escape(text, character));
		return;
	}
	(void)snprintf(text, sizeof text, "\\U%08X", (unsigned)character);
	put(show, text);
}

/* Writes a string in double quotes. Escapes prevent that it ends the string or line, or controls a
 * terminal. */
static void put_quoted_text(struct show *show, struct urivet_text text)
{
	const uint8_t *at = text.data;
	size_t left = text.length;

	put_octet(show, '"');
	while (left > 0) {
		uint32_t character = 0;
		size_t length = urivet_loader_utf8(at, left, &character);

		if (length == 0) { /* cannot happen: names are valid text */
			length = 1;
			character = 0xFFFD;
		}
		if (character == '"' || character == '\\')
			put_octet(show, '\\');
		if (character >= 0x20 && character < 0x7F)
			put_octet(show, (char)character);
		else
			put_escape(show, character);
		at += length;
		left -= length;
	}
	put_octet(show, '"');
}

static void put_quoted(struct show *show, const char *string)
{
	put_quoted_text(show, urivet_text_of(string, strlen(string)));
}

/* Returns true for words that some version of YAML does not read as text. */
static bool is_special(const char *word)
{
	static const char *const words[] = {"true", "false", "null", "yes", "no",
					    "on",   "off",   "y",    "n"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(word, words[i]) == 0)
			return true;
	}
	return false;
}

/* Writes a string, without quotes if it is a YAML word of lower-case letters, digits and
 * hyphens. */
static void put_text(struct show *show, const char *string)
{
	const bool word = string[0] >= 'a' && string[0] <= 'z' &&
			  string[strspn(string, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';

	if (!show->json && word && !is_special(string))
		put(show, string);
	else
		put_quoted(show, string);
}

static void put_number(struct show *show, uint32_t number)
{
	char text[16];

	(void)snprintf(text, sizeof text, "%lu", (unsigned long)number);
	put(show, text);
}

/* ---- Elements of both formats --------------------------------------------------- */

static void indent(struct show *show, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		put(show, "  ");
}

/* Writes the key of a member, at top level or in a group (depth 1). Its value follows. */
static void put_key(struct show *show, const char *key, unsigned depth)
{
	if (show->json) {
		if (show->begun)
			put_octet(show, ',');
		put_quoted(show, key);
	} else {
		indent(show, depth);
		put(show, key);
	}
	put_octet(show, ':');
	show->begun = true;
}

/* Separates a value from its key on the same line. */
static void begin_value(struct show *show)
{
	if (!show->json)
		put_octet(show, ' ');
}

static void end_value(struct show *show)
{
	if (!show->json)
		put_octet(show, '\n');
}

/* Begins a group or list. */
static void begin_all(struct show *show, const char *key, unsigned depth, char bracket)
{
	put_key(show, key, depth);
	put_octet(show, (char)(show->json ? bracket : '\n'));
	show->begun = false;
}

static void end_all(struct show *show, char bracket)
{
	if (show->json)
		put_octet(show, bracket);
	show->begun = true;
}

static void comment(struct show *show, const char *text)
{
	if (show->json)
		return;
	put(show, "\n# ");
	put(show, text);
	put_octet(show, '\n');
}

/* Begins a list that is written only if it has an element; `text` is a comment before it, or NULL. */
static void begin_list(struct show *show, const char *key, const char *text)
{
	show->list = key;
	show->comment = text;
}

/* Begins a list at top level that JSON has even if it is empty. */
static void begin_always(struct show *show, const char *key, const char *text)
{
	if (show->json)
		begin_all(show, key, 0, '[');
	else
		begin_list(show, key, text);
}

static void end_list(struct show *show)
{
	if (show->list == NULL)
		end_all(show, ']');
	show->list = NULL;
}

/* Begins an element. In a policy file it has a line of its own. */
static void begin_element(struct show *show, unsigned depth)
{
	if (show->list != NULL) {
		if (show->comment != NULL)
			comment(show, show->comment);
		begin_all(show, show->list, depth, '[');
		show->list = NULL;
	}
	if (!show->json) {
		indent(show, depth + 1);
		put(show, "- ");
	} else if (show->begun) {
		put_octet(show, ',');
	}
	show->begun = true;
}

static void put_element(struct show *show, unsigned depth, const char *text)
{
	begin_element(show, depth);
	put_text(show, text);
	end_value(show);
}

static void show_text(struct show *show, const char *key, const char *value)
{
	put_key(show, key, 0);
	begin_value(show);
	put_text(show, value);
	end_value(show);
}

static void show_number(struct show *show, const char *key, uint32_t value)
{
	put_key(show, key, 1);
	begin_value(show);
	put_number(show, value);
	end_value(show);
}

/* ---- Settings and rules --------------------------------------------------------- */

static void show_mode(struct show *show)
{
	if (!show->json && !urivet_loaded_observes(show->loaded))
		return;
	comment(show, "Log refusals, do not enforce them.");
	show_text(show, "mode", urivet_loaded_observes(show->loaded) ? "observe" : "enforce");
}

/* Writes names that are each followed by a space as elements. */
static void put_names(struct show *show, unsigned depth, const char *names)
{
	char name[URIVET_SCHEME_NAMES];

	while (*names != '\0') {
		names = urivet_loader_scheme_name(name, names);
		put_element(show, depth, name);
	}
}

static void show_schemes(struct show *show)
{
	comment(show, "Schemes; other is every one that is none of http, https, ws, wss and ftp.");
	begin_all(show, "schemes", 0, '[');
	for (size_t i = 0; i < POLICY_SCHEMES; i++) {
		if ((show->policy->schemes >> urivet_loader_schemes[i].scheme & 1u) != 0)
			put_element(show, 0, urivet_loader_schemes[i].name);
	}
	put_names(show, 0, show->policy->scheme_names);
	end_all(show, ']');
}

static void show_port(struct show *show, const struct urivet_port_rule *rule)
{
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_ports(text, rule);
	begin_element(show, 1);
	if (rule->first == rule->last)
		put(show, text);
	else
		put_quoted(show, text);
	end_value(show);
}

static void show_ports_of(struct show *show, const struct policy_scheme *scheme)
{
	begin_list(show, scheme->name, NULL);
	for (uint32_t i = 0; i < show->policy->port_count; i++) {
		if ((show->policy->ports[i].schemes >> scheme->scheme & 1u) != 0)
			show_port(show, &show->policy->ports[i]);
	}
	end_list(show);
}

static void show_ports(struct show *show)
{
	if (show->policy->port_count == 0 && !show->json)
		return;
	comment(show, "Ports beside that of the scheme.");
	begin_all(show, "ports", 0, '{');
	for (size_t i = 0; i < POLICY_SCHEMES; i++)
		show_ports_of(show, &urivet_loader_schemes[i]);
	end_all(show, '}');
}

/* Begins a rule that is a group, up to its second key. */
static void begin_host_group(struct show *show, const char *name)
{
	begin_element(show, 1);
	put(show, show->json ? "{\"name\":" : "{name: ");
	put_quoted(show, name);
	put(show, show->json ? "," : ", ");
}

/* Writes a rule that others may register below. */
static void put_shared(struct show *show, const char *text)
{
	begin_host_group(show, text);
	put(show, show->json ? "\"shared\":true}" : "shared: true}");
	end_value(show);
}

/* Writes a denial and its exceptions, which follow it in the file. Returns the index of the last. */
static uint32_t put_excepted(struct show *show, const char *text, uint32_t i)
{
	const uint32_t first = i + 1;

	begin_host_group(show, text);
	put(show, show->json ? "\"except\":[" : "except: [");
	for (; i + 1 < show->policy->hosts.count && show->host[i + 1]->action == URIVET_EXCEPT; i++) {
		char name[POLICY_RULE_TEXT];

		urivet_loader_write_host(name, show->host[i + 1]);
		if (i + 1 > first)
			put(show, show->json ? "," : ", ");
		put_quoted(show, name);
	}
	put(show, "]}");
	end_value(show);
	return i;
}

static void show_hosts_of(struct show *show, const char *key, unsigned action)
{
	begin_list(show, key, NULL);
	for (uint32_t i = 0; i < show->policy->hosts.count; i++) {
		char text[POLICY_RULE_TEXT];

		if (show->host[i]->action != action)
			continue;
		urivet_loader_write_host(text, show->host[i]);
		if (i + 1 < show->policy->hosts.count &&
		    show->host[i + 1]->action == URIVET_EXCEPT)
			i = put_excepted(show, text, i);
		else if (urivet_loader_is_shared(show->loaded, show->host[i]->tag))
			put_shared(show, text);
		else
			put_element(show, 1, text);
	}
	end_list(show);
}

static void show_hosts(struct show *show)
{
	if (show->policy->hosts.count == 0 && !show->json)
		return;
	comment(show, show->policy->hosts.only
			  ? "Hosts: these and no others, and of these none that is denied."
			  : "Hosts that are refused.");
	begin_all(show, "hosts", 0, '{');
	show_hosts_of(show, "allow", URIVET_ALLOW);
	show_hosts_of(show, "deny", URIVET_DENY);
	end_all(show, '}');
}

static void show_urls(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	if (policy->url_count == 0 && !show->json)
		return;
	comment(show, policy->urls_also     ? "URLs that are allowed beside what the rest allows."
		      : policy->hosts.only ? "URLs that are allowed, beside these hosts."
					   : "URLs: these and no others.");
	begin_all(show, "urls", 0, '{');
	begin_list(show, policy->urls_also ? "also" : "allow", NULL);
	for (uint32_t i = 0; i < policy->url_count; i++) {
		begin_element(show, 1);
		put_quoted_text(show, urivet_url_rule_text(&policy->urls[i]));
		end_value(show);
	}
	end_list(show);
	begin_list(show, "forbid_parameters", NULL);
	put_names(show, 1, policy->forbidden_parameters);
	end_list(show);
	end_all(show, '}');
}

static void put_network(struct show *show, const struct urivet_network *network)
{
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_network(text, network);
	put_element(show, 1, text);
}

static void show_addresses_of(struct show *show, const char *key, unsigned action)
{
	begin_list(show, key, NULL);
	for (uint32_t i = 0; i < show->policy->addresses.count; i++) {
		if (show->address[i].action == action)
			put_network(show, &show->address[i].network);
	}
	end_list(show);
}

static void show_addresses(struct show *show)
{
	if (show->policy->addresses.count == 0 && show->policy->nat64_count == 0 && !show->json)
		return;
	comment(show, "Addresses: what is denied stays denied, what is allowed may lie in any "
		      "block.");
	begin_all(show, "addresses", 0, '{');
	show_addresses_of(show, "allow", URIVET_ALLOW);
	show_addresses_of(show, "deny", URIVET_DENY);
	begin_list(show, "nat64", NULL);
	for (uint32_t i = 0; i < show->policy->nat64_count; i++)
		put_network(show, &show->policy->nat64[i]);
	end_list(show);
	end_all(show, '}');
}

/* ---- Findings ------------------------------------------------------------------- */

/* Writes the findings in `set` that are not in `without`. */
static void show_findings(struct show *show, const char *key, const char *what,
			  const struct urivet_finding_set *set,
			  const struct urivet_finding_set *without)
{
	begin_always(show, key, what);
	for (EACH_IN_SET(id, set)) {
		if (!in_set(without, id))
			put_element(show, 0, urivet_finding_info(id)->name);
	}
	end_list(show);
}

/* Writes a comment with the findings that both the base and the policy raise or waive. */
static void show_base_rules(struct show *show, const char *what,
			    const struct urivet_finding_set *base,
			    const struct urivet_finding_set *policy)
{
	size_t column = COMMENT_COLUMNS;
	bool any = false;

	for (EACH_IN_SET(id, base)) {
		const char *const name = urivet_finding_info(id)->name;

		if (show->json || !in_set(policy, id))
			continue;
		if (!any)
			comment(show, what);
		if (any)
			put_octet(show, ',');
		if (column + strlen(name) + 2 > COMMENT_COLUMNS) {
			put(show, any ? "\n#  " : "#  ");
			column = 3;
		}
		put_octet(show, ' ');
		put(show, name);
		column += strlen(name) + 2;
		any = true;
	}
	if (any)
		put_octet(show, '\n');
}

static void show_limits(struct show *show)
{
	comment(show, "Octets of a URI, of a host name and of one of its labels, at most.");
	begin_all(show, "limits", 0, '{');
	show_number(show, "length", show->policy->max_length);
	show_number(show, "host", show->policy->max_host);
	show_number(show, "label", show->policy->max_label);
	end_all(show, '}');
}

/* Writes `opaque_query`; in a policy file only if policy or base set it. */
static void show_opaque_query(struct show *show)
{
	const bool opaque = show->policy->opaque_query;

	if (!show->json && !opaque && !show->base.opaque_query)
		return;
	comment(show, "Set this if no server routes by the query; only control characters in it are then refused.");
	put_key(show, "opaque_query", 0);
	begin_value(show);
	put(show, opaque ? "true" : "false");
	end_value(show);
}

static void show_protected(struct show *show)
{
	begin_always(show, "protect", "Names that others must not look like.");
	for (uint32_t i = 0; i < show->policy->protect_count; i++)
		put_element(show, 0, urivet_loaded_protected(show->loaded, i));
	end_list(show);
}

/* Writes "methods: [GET, HEAD]" of a rule whose text has methods. */
static void show_methods(struct show *show, const struct urivet_path_rule *rule)
{
	const char *at = urivet_path_rule_text(rule).data;
	const char *const end = at + rule->path;

	if (at == end)
		return;
	put(show, show->json ? ",\"methods\":[" : "    methods: [");
	while (at < end) {
		const size_t length = strcspn(at, ", ");

		put_quoted_text(show, urivet_text_of(at, length));
		at += length + 1;
		if (at < end)
			put(show, show->json ? "," : ", ");
	}
	put(show, show->json ? "]" : "]\n");
}

/* Writes the findings that a rule allows, in brackets. */
static void put_allowed(struct show *show, const struct urivet_finding_set *allowed)
{
	bool any = false;

	put_octet(show, '[');
	for (EACH_IN_SET(id, allowed)) {
		if (any)
			put(show, show->json ? "," : ", ");
		put_text(show, urivet_finding_info(id)->name);
		any = true;
	}
	put_octet(show, ']');
}

static void show_path(struct show *show, const struct urivet_path_rule *rule)
{
	const struct urivet_text text = urivet_path_rule_text(rule);

	begin_element(show, 0);
	put(show, show->json ? "{\"prefix\":" : "prefix: ");
	put_quoted_text(show, urivet_text_of((const char *)text.data + rule->path,
					     text.length - rule->path));
	end_value(show);
	show_methods(show, rule);
	put(show, show->json ? ",\"allow\":" : "    allow: ");
	put_allowed(show, &rule->waived);
	put(show, show->json ? "}" : "\n");
}

static void show_paths(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	begin_always(show, "paths", "Findings that do not refuse below a prefix.");
	for (uint32_t i = 0; i < policy->path_count; i++)
		if (!policy->paths[i].strips)
			show_path(show, &policy->paths[i]);
	end_list(show);
	begin_always(show, "strip_prefix", "What remains after these is judged as a path, too.");
	for (uint32_t i = 0; i < policy->path_count; i++) {
		if (!policy->paths[i].strips)
			continue;
		begin_element(show, 0);
		put_quoted_text(show, urivet_path_rule_text(&policy->paths[i]));
		end_value(show);
	}
	end_list(show);
}

/* Begins an option of a rule for a parameter. */
static void put_option(struct show *show, const char *name, bool *any)
{
	if (*any)
		put(show, show->json ? "," : ", ");
	if (show->json)
		put_quoted(show, name);
	else
		put(show, name);
	put(show, show->json ? ":" : ": ");
	*any = true;
}

/* Writes values, each of which ends with a line feed, in brackets. */
static void put_values(struct show *show, struct urivet_text values)
{
	const char *at = values.data, *const end = at + values.length;

	put_octet(show, '[');
	while (at < end) {
		const size_t length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at);

		put_quoted_text(show, urivet_text_of(at, length));
		at += length + 1;
		if (at < end)
			put(show, show->json ? "," : ", ");
	}
	put_octet(show, ']');
}

/* Writes the options of a rule in braces. */
static void put_options(struct show *show, const struct urivet_parameter_rule *rule,
			const char *policy)
{
	struct urivet_parameter_rule copy = *rule;
	bool any = false;

	put_octet(show, '{');
	if (rule->judges) {
		put_option(show, "policy", &any);
		put_text(show, policy);
	}
	for (unsigned flag = 0; flag < PARAMETER_FLAGS; flag++) {
		if (!*urivet_loader_parameter_flag(&copy, flag))
			continue;
		put_option(show, urivet_loader_parameter_flags[flag], &any);
		put(show, "true");
	}
	if (rule->times == 2) {
		put_option(show, "decode", &any);
		put_number(show, 2);
	}
	if (urivet_loader_parameter_allows(rule)) {
		put_option(show, "allow", &any);
		put_allowed(show, &rule->allowed);
	}
	if (rule->values_length > 0) {
		put_option(show, "values", &any);
		put_values(show, urivet_parameter_rule_values(rule));
	}
	put_octet(show, '}');
}

static void show_parameters(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	if (policy->parameter_count == 0 && !show->json)
		return;
	comment(show, "Parameters, and what their values have to be.");
	begin_all(show, "parameters", 0, '{');
	for (uint32_t i = 0; i < policy->parameter_count; i++) {
		const struct urivet_parameter_rule *rule = &policy->parameters[i];

		if (show->json) {
			put_key(show, parameter_name(rule), 1);
		} else {
			indent(show, 1);
			put_text(show, parameter_name(rule));
			put_octet(show, ':');
		}
		begin_value(show);
		put_options(show, rule, urivet_loader_parameter_policy(show->loaded, i));
		end_value(show);
	}
	end_all(show, '}');
}

static void show_all(struct show *show)
{
	const struct urivet_policy *policy = show->policy;
	const struct urivet_policy *base = &show->base;

	if (show->json)
		put_octet(show, '{');
	else
		put(show,
		    "# What the policy comes to, as a policy file: see urivet-policy(5).\n\n");
	show_text(show, "base", base->name);
	show_text(show, "name", policy->name);
	show_mode(show);
	show_schemes(show);
	show_ports(show);
	show_hosts(show);
	show_urls(show);
	show_addresses(show);
	show_base_rules(show, "The base has these rules:", &base->raised, &policy->raised);
	show_base_rules(show, "The base lets these findings stand:", &base->waived,
			&policy->waived);
	show_findings(show, "allow", "Findings that do not refuse, though they do in the base.",
		      &policy->waived, &base->waived);
	show_findings(show, "refuse", "Findings that refuse, though they do not in the base.",
		      &policy->raised, &base->raised);
	show_limits(show);
	show_opaque_query(show);
	show_protected(show);
	show_paths(show);
	show_parameters(show);
	if (show->json)
		put(show, "}\n");
}

/* ---- Sorting -------------------------------------------------------------------- */

static int order_hosts(const void *a, const void *b)
{
	const struct urivet_host_rule *x = *(const struct urivet_host_rule *const *)a;
	const struct urivet_host_rule *y = *(const struct urivet_host_rule *const *)b;

	return order_numbers(x->tag, y->tag);
}

static int order_addresses(const void *a, const void *b)
{
	const struct urivet_address_rule *x = a;
	const struct urivet_address_rule *y = b;

	return order_numbers(x->tag, y->tag);
}

static bool put_in_order(struct show *show)
{
	const size_t hosts = show->policy->hosts.count;
	const size_t addresses = show->policy->addresses.count;

	show->host = malloc((hosts + 1) * sizeof *show->host);
	show->address = malloc((addresses + 1) * sizeof *show->address);
	if (show->host == NULL || show->address == NULL)
		return false;
	if (hosts > 0) {
		for (size_t i = 0; i < hosts; i++)
			show->host[i] = &show->policy->hosts.rule[i];
		qsort(show->host, hosts, sizeof *show->host, order_hosts);
	}
	if (addresses > 0) {
		memcpy(show->address, show->policy->addresses.rule,
		       addresses * sizeof *show->address);
		qsort(show->address, addresses, sizeof *show->address, order_addresses);
	}
	return true;
}

static size_t format(char *out, size_t capacity, const struct urivet_loaded *loaded, bool json)
{
	struct show show = {.out = out,
			    .capacity = capacity,
			    .loaded = loaded,
			    .policy = urivet_loaded_policy(loaded),
			    .json = json};
	const bool good = put_in_order(&show);

	(void)urivet_policy_init(&show.base, sizeof show.base, urivet_loaded_base(loaded));
	if (good)
		show_all(&show);
	if (capacity > 0)
		out[show.length < capacity ? show.length : capacity - 1] = '\0';
	free(show.host);
	free(show.address);
	return good ? show.length : SIZE_MAX;
}

size_t urivet_loaded_format(char *out, size_t capacity, const struct urivet_loaded *loaded)
{
	return format(out, capacity, loaded, false);
}

size_t urivet_loader_format_json(char *out, size_t capacity, const struct urivet_loaded *loaded)
{
	return format(out, capacity, loaded, true);
}
