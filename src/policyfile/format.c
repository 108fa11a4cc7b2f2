/* SPDX-License-Identifier: Apache-2.0 */
/* Formats policies as policy files, as JSON, and as lines to compare, by the same functions. */
#include "common/format.h"
#include "common/finding_set.h"
#include "common/grow.h"
#include "common/lower.h"
#include "common/parameter_rule.h"
#include "common/rules.h"
#include "common/utf8.h"
#include "policyfile/lines.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMENT_COLUMNS 90u

/* Maximum nesting: the policy, hosts, their list, a group in it, its exceptions. */
#define DEEP_MOST 5u

/* A group or list. It begins with its first member; without members a policy file has none. */
struct level {
	const char *key;     /* NULL: an element of a list */
	const char *comment; /* before it in a policy file; NULL: none */
	char bracket;
	bool names;   /* its keys, of elements in lines, are texts of the policy */
	bool in_line; /* in brackets also in a policy file, where others have a line for each member */
	bool begun;
	bool any; /* has members */
};

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
	const struct urivet_address_rule **address;
	bool json; /* or lines */
	/* Lines: of all settings and rules, except those that follow from the bases of both policies. */
	line_taker *on_line; /* NULL: no lines */
	void *context;
	const struct urivet_policy *other;
	struct urivet_policy other_base;
	size_t value;    /* offset of the value in the line, which has no space before an empty one */
	struct place at; /* of the rule that is written; line 0: unknown */
	const char *name; /* of a policy of values whose lines are written */
	bool no_memory;
	struct level level[DEEP_MOST]; /* the first one is the policy itself */
	unsigned depth;
};

/* ---- Text ----------------------------------------------------------------------- */

static void put_octets(struct show *show, const char *octets, size_t length)
{
	size_t room;

	if (show->on_line != NULL &&
	    !grow(&show->out, &show->capacity, show->length + length + 1, 1))
		show->no_memory = true;
	room = show->capacity > show->length ? show->capacity - show->length - 1 : 0;
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

	if (show->on_line != NULL) {
		put_octets(show, text.data, text.length);
		return;
	}
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

	if (show->on_line != NULL || (!show->json && word && !is_special(string)))
		put(show, string);
	else
		put_quoted_text(show, urivet_text_of(string, strlen(string)));
}

/* ---- Members of groups and lists ------------------------------------------------- */

/* Begins a member of a group, or of a list if the key is NULL. What it contains follows. */
static void begin_in(struct show *show, unsigned depth, const char *key, bool of_lines)
{
	struct level *level = &show->level[depth];
	/* the first key of a group in a list stands in the line of its "- " */
	const bool goes_on = depth > 0 && level->key == NULL && !level->any;

	if (level->any && show->json)
		put_octet(show, ',');
	else if (level->any && level->in_line)
		put(show, ", ");
	for (unsigned i = 0; !show->json && !level->in_line && !goes_on && i < depth; i++)
		put(show, "  ");
	if (!show->json && !level->in_line && level->bracket == '[')
		put(show, "- ");
	level->any = true;
	if (key == NULL)
		return;
	if (show->json || level->names)
		put_text(show, key);
	else
		put(show, key);
	put(show, show->json ? ":" : of_lines ? ":\n" : ": ");
}

static void comment(struct show *show, const char *text)
{
	if (show->json || text == NULL)
		return;
	put(show, "\n# ");
	put(show, text);
	put_octet(show, '\n');
}

/* Begins a line: "hosts.deny: ", "paths: /api/ allow ". */
static void begin_line(struct show *show, const char *key)
{
	const char *before = "", *next = ".";

	for (unsigned depth = 1; depth <= show->depth; depth++) {
		const struct level *level = &show->level[depth];

		put(show, before);
		put(show, level->key);
		before = level->names ? ": " : next;
		next = level->names ? " " : next;
	}
	if (key != NULL) {
		put(show, before);
		put(show, key);
	}
	put(show, next[0] == '.' ? ": " : next);
	show->value = show->length;
}

/* Begins the groups and lists around the next member that have not begun. */
static void begin_levels(struct show *show)
{
	for (unsigned depth = 1; depth <= show->depth; depth++) {
		struct level *level = &show->level[depth];
		const bool brackets = show->json || level->in_line;

		if (level->begun)
			continue;
		comment(show, level->comment);
		begin_in(show, depth - 1, level->key, !brackets);
		if (brackets)
			put_octet(show, level->bracket);
		level->begun = true;
	}
}

static void begin_member(struct show *show, const char *key)
{
	if (show->on_line != NULL) {
		begin_line(show, key);
		return;
	}
	begin_levels(show);
	begin_in(show, show->depth, key, false);
}

static void end_member(struct show *show)
{
	if (show->on_line != NULL) {
		show->length -= show->length == show->value;
		if (!show->no_memory)
			show->on_line(show->context, show->at, show->out, show->length);
		show->length = 0;
	} else if (!show->json && !show->level[show->depth].in_line)
		put_octet(show, '\n');
}

/* Enters a group or list. Its bracket is '{' or '['. */
static void enter(struct show *show, const char *key, char bracket, const char *text)
{
	const bool in_line = show->level[show->depth].in_line;

	if (show->depth == 0)
		show->at = (struct place){0};
	show->level[++show->depth] = (struct level){
	    .key = key, .comment = text, .bracket = bracket, .in_line = in_line};
}

/* Enters a group or list that stands in one line. */
static void enter_in_line(struct show *show, const char *key, char bracket)
{
	enter(show, key, bracket, NULL);
	show->level[show->depth].in_line = true;
}

/* Leaves a group or list. At top level JSON has it even if it is empty. */
static void leave(struct show *show)
{
	const struct level *level = &show->level[show->depth];
	const bool brackets = show->json || level->in_line;

	if (show->json && show->depth == 1 && show->on_line == NULL)
		begin_levels(show);
	show->depth--;
	if (!level->begun || !brackets)
		return;
	put_octet(show, level->bracket == '[' ? ']' : '}');
	end_member(show);
}

/* Writes a member that is a text. */
static void show_text(struct show *show, const char *key, const char *value)
{
	begin_member(show, key);
	put_text(show, value);
	end_member(show);
}

/* Writes a member that is a text in quotes. */
static void show_quoted(struct show *show, const char *key, struct urivet_text value)
{
	begin_member(show, key);
	put_quoted_text(show, value);
	end_member(show);
}

/* Writes a member that is a number or a flag. */
static void show_plain(struct show *show, const char *key, const char *value)
{
	begin_member(show, key);
	put(show, value);
	end_member(show);
}

/* Writes a member that is true. */
static void show_flag(struct show *show, const char *key)
{
	show_plain(show, key, show->on_line == NULL ? "true" : "");
}

static void show_number(struct show *show, const char *key, uint32_t value)
{
	char text[16];

	(void)snprintf(text, sizeof text, "%lu", (unsigned long)value);
	show_plain(show, key, text);
}

/* Sets the place of the rule that is written. */
static void set_place(struct show *show, uint32_t tag)
{
	show->at = tag < show->loaded->places ? show->loaded->place[tag] : (struct place){0};
}

/* Returns true if a line is left out: both policies have the values of their bases. */
static bool is_of_bases(const struct show *show, uint64_t policy, uint64_t base, uint64_t other,
			uint64_t other_base)
{
	return show->on_line != NULL && policy == base && other == other_base;
}

/* ---- Settings and rules --------------------------------------------------------- */

/* Writes the name; in lines if it was set: by default it is that of the file or built-in policy. */
static void show_name(struct show *show)
{
	const char *const name = show->policy->name;

	if (show->on_line == NULL ||
	    (show->loaded->files > 0 && strcmp(name, show->loaded->file[0]) != 0 &&
	     strcmp(name, show->other->name) != 0))
		show_text(show, "name", name);
}

static void show_mode(struct show *show)
{
	if (!show->json && !urivet_loaded_observes(show->loaded))
		return;
	comment(show, "Log refusals, do not enforce them.");
	show_text(show, "mode", urivet_loaded_observes(show->loaded) ? "observe" : "enforce");
}

/* Writes names that are each followed by a space as elements. */
static void show_names(struct show *show, const char *names)
{
	char name[URIVET_SCHEME_NAMES];

	for (; *names != '\0'; names += strlen(name) + 1) {
		(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(names, " "), names);
		show_text(show, NULL, name);
	}
}

static void show_schemes(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	if (show->on_line != NULL &&
	    strcmp(policy->scheme_names, show->other->scheme_names) == 0 &&
	    is_of_bases(show, policy->schemes, show->base.schemes, show->other->schemes,
			show->other_base.schemes))
		return;
	enter(show, "schemes", '[',
	      "Schemes; other is every one that is none of http, https, ws, wss and ftp.");
	for (size_t i = 0; i < POLICY_SCHEMES; i++) {
		if ((show->policy->schemes >> urivet_loader_schemes[i].scheme & 1u) != 0)
			show_text(show, NULL, urivet_loader_schemes[i].name);
	}
	show_names(show, show->policy->scheme_names);
	leave(show);
}

static void show_ports_of(struct show *show, const struct policy_scheme *scheme)
{
	char text[POLICY_RULE_TEXT];

	enter(show, scheme->name, '[', NULL);
	for (uint32_t i = 0; i < show->policy->port_count; i++) {
		const struct urivet_port_rule *rule = &show->policy->ports[i];

		if ((rule->schemes >> scheme->scheme & 1u) == 0)
			continue;
		set_place(show, rule->tag);
		urivet_loader_write_ports(text, rule);
		if (rule->first == rule->last)
			show_plain(show, NULL, text);
		else
			show_text(show, NULL, text);
	}
	leave(show);
}

static void show_ports(struct show *show)
{
	enter(show, "ports", '{', "Ports beside that of the scheme.");
	for (size_t i = 0; i < POLICY_SCHEMES; i++)
		show_ports_of(show, &urivet_loader_schemes[i]);
	leave(show);
}

/* Writes the text of a rule. In lines it is in lower case, and an exception names its denial. */
static void write_host(struct show *show, char text[2 * POLICY_RULE_TEXT],
		       const struct urivet_host_rule *rule)
{
	const struct urivet_text name = urivet_host_rule_name(rule);

	urivet_loader_write_host(text, rule);
	set_place(show, rule->tag);
	if (show->on_line == NULL)
		return;
	if (rule->action == URIVET_EXCEPT)
		(void)snprintf(text + strlen(text), POLICY_RULE_TEXT, " in %.*s", (int)rule->above,
			       (const char *)name.data + name.length - rule->above);
	for (; *text != '\0'; text++)
		*text = (char)lower_case((uint8_t)*text);
}

/* Writes a rule for hosts as an element. Rules that are groups have a name and a second key. Returns
 * the index of the last of its exceptions, which follow it in the file. */
static uint32_t show_host(struct show *show, uint32_t i)
{
	const uint32_t count = show->policy->hosts.count;
	const bool excepts = i + 1 < count && show->host[i + 1]->action == URIVET_EXCEPT;
	char text[2 * POLICY_RULE_TEXT];
	bool group;

	write_host(show, text, show->host[i]);
	group = show->on_line == NULL && (excepts || show->at.shared);
	if (group) {
		enter_in_line(show, NULL, '{');
		show_quoted(show, "name", urivet_text_of(text, strlen(text)));
		if (!excepts)
			show_flag(show, "shared");
	} else {
		show_text(show, NULL, text);
	}
	enter(show, "except", '[', NULL);
	for (; i + 1 < count && show->host[i + 1]->action == URIVET_EXCEPT; i++) {
		write_host(show, text, show->host[i + 1]);
		show_quoted(show, NULL, urivet_text_of(text, strlen(text)));
	}
	leave(show);
	if (group)
		leave(show);
	return i;
}

static void show_hosts_of(struct show *show, const char *key, unsigned action)
{
	enter(show, key, '[', NULL);
	for (uint32_t i = 0; i < show->policy->hosts.count; i++)
		if (show->host[i]->action == action)
			i = show_host(show, i);
	leave(show);
}

static void show_hosts(struct show *show)
{
	enter(show, "hosts", '{',
	      show->policy->hosts.only
		  ? "Hosts: these and no others, and of these none that is denied."
		  : "Hosts that are refused.");
	show_hosts_of(show, "allow", URIVET_ALLOW);
	show_hosts_of(show, "deny", URIVET_DENY);
	leave(show);
}

static void show_urls(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	enter(show, "urls", '{',
	      policy->urls_also     ? "URLs that are allowed beside what the rest allows."
	      : policy->hosts.only ? "URLs that are allowed, beside these hosts."
				   : "URLs: these and no others.");
	enter(show, policy->urls_also ? "also" : "allow", '[', NULL);
	for (uint32_t i = 0; i < policy->url_count; i++) {
		set_place(show, policy->urls[i].tag);
		show_quoted(show, NULL, urivet_url_rule_text(&policy->urls[i]));
	}
	leave(show);
	show->at = (struct place){0};
	enter(show, "forbid_parameters", '[', NULL);
	show_names(show, policy->forbidden_parameters);
	leave(show);
	leave(show);
}

static void show_network(struct show *show, const struct urivet_network *network)
{
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_network(text, network);
	show_text(show, NULL, text);
}

static void show_addresses_of(struct show *show, const char *key, unsigned action)
{
	enter(show, key, '[', NULL);
	for (uint32_t i = 0; i < show->policy->addresses.count; i++) {
		if (show->address[i]->action != action)
			continue;
		set_place(show, show->address[i]->tag);
		show_network(show, &show->address[i]->network);
	}
	leave(show);
}

static void show_addresses(struct show *show)
{
	enter(show, "addresses", '{',
	      "Addresses: what is denied stays denied, what is allowed may lie in any block.");
	show_addresses_of(show, "allow", URIVET_ALLOW);
	show_addresses_of(show, "deny", URIVET_DENY);
	enter(show, "nat64", '[', NULL);
	for (uint32_t i = 0; i < show->policy->nat64_count; i++) {
		show->at = show->loaded->nat64_place[i];
		show_network(show, &show->policy->nat64[i]);
	}
	leave(show);
	leave(show);
}

/* ---- Findings ------------------------------------------------------------------- */

/* Returns the findings in a set of the base that are left out; in lines, if the other policy has what
 * its base has. */
static struct urivet_finding_set of_base(const struct show *show,
					 const struct urivet_finding_set *base,
					 const struct urivet_finding_set *other,
					 const struct urivet_finding_set *other_base)
{
	struct urivet_finding_set set = {{0}};

	for (EACH_IN_SET(id, base))
		if (show->on_line == NULL || in_set(other, id) == in_set(other_base, id))
			put_in_set(&set, id);
	return set;
}

/* Writes the findings in `set` that are not in `without`, and leaves their list. */
static void show_findings(struct show *show, const struct urivet_finding_set *set,
			  const struct urivet_finding_set *without)
{
	for (EACH_IN_SET(id, set)) {
		if (!in_set(without, id))
			show_text(show, NULL, urivet_finding_info(id)->name);
	}
	leave(show);
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
	enter(show, "limits", '{',
	      "Octets of a URI, of a host name and of one of its labels, at most.");
	show_number(show, "length", show->policy->max_length);
	show_number(show, "host", show->policy->max_host);
	show_number(show, "label", show->policy->max_label);
	leave(show);
}

/* Writes `opaque_query`; in a policy file only if policy or base set it. */
static void show_opaque_query(struct show *show)
{
	const bool opaque = show->policy->opaque_query;

	if ((!show->json && !opaque && !show->base.opaque_query) ||
	    (show->on_line != NULL &&
	     is_of_bases(show, opaque, show->base.opaque_query, show->other->opaque_query,
			 show->other_base.opaque_query)))
		return;
	show->at = (struct place){0};
	comment(show, "Set this if no server routes by the query; only control characters in it are then refused.");
	show_plain(show, "opaque_query", opaque ? "true" : "false");
}

static void show_protected(struct show *show)
{
	enter(show, "protect", '[', "Names that others must not look like.");
	for (uint32_t i = 0; i < show->policy->protect_count; i++) {
		set_place(show, show->loaded->shown[i]->name.tag);
		show_text(show, NULL, urivet_loaded_protected(show->loaded, i));
	}
	leave(show);
}

/* Writes texts that each end with one of these octets as a list in one line. */
static void show_list(struct show *show, const char *key, struct urivet_text texts, const char *ends)
{
	const char *at = texts.data, *const end = at + texts.length;

	enter_in_line(show, key, '[');
	while (at < end) {
		const size_t length = strcspn(at, ends);

		show_quoted(show, NULL, urivet_text_of(at, length));
		at += length + 1;
	}
	leave(show);
}

static void show_path(struct show *show, const struct urivet_path_rule *rule)
{
	const struct urivet_text text = urivet_path_rule_text(rule);

	set_place(show, rule->tag);
	enter(show, show->on_line != NULL ? text.data : NULL, '{', NULL);
	if (show->on_line == NULL) {
		show_quoted(show, "prefix", urivet_text_of((const char *)text.data + rule->path,
							   text.length - rule->path));
		show_list(show, "methods", urivet_text_of(text.data, rule->path), ", ");
	}
	enter_in_line(show, "allow", '[');
	show_findings(show, &rule->waived, &(struct urivet_finding_set){{0}});
	leave(show);
}

static void show_paths(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	enter(show, "paths", '[', "Findings that do not refuse below a prefix.");
	show->level[show->depth].names = true;
	for (uint32_t i = 0; i < policy->path_count; i++)
		if (!policy->paths[i].strips)
			show_path(show, &policy->paths[i]);
	leave(show);
	enter(show, "strip_prefix", '[', "What remains after these is judged as a path, too.");
	for (uint32_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].strips) {
			set_place(show, policy->paths[i].tag);
			show_quoted(show, NULL, urivet_path_rule_text(&policy->paths[i]));
		}
	leave(show);
}

/* Writes a line of a policy of values. */
static void show_value_line(void *context, struct place at, const char *text, size_t length)
{
	struct show *show = context;

	(void)at;
	show_quoted(show, show->name, urivet_text_of(text, length));
}

/* Writes the policy of values; in lines a file without its folder, and also what it comes to, which may
 * differ under the same name. Such a policy has no parameters, so recursion ends here. */
static void show_value_policy(struct show *show, const struct value_policy *value)
{
	const char *const slash = show->on_line != NULL ? strrchr(value->name, '/') : NULL;

	show->name = slash != NULL ? slash + 1 : value->name;
	show_text(show, "policy", show->name);
	if (show->on_line == NULL || urivet_policy_named(value->name, strlen(value->name)) >= 0)
		return;
	show->no_memory |= !urivet_loader_lines(value->by, value->by, show_value_line, show);
}

static void show_options(struct show *show, const struct urivet_parameter_rule *rule,
			 const struct value_policy *value)
{
	struct urivet_parameter_rule copy = *rule;

	if (rule->judges)
		show_value_policy(show, value);
	for (unsigned flag = 0; flag < PARAMETER_FLAGS; flag++)
		if (*urivet_loader_parameter_flag(&copy, flag))
			show_flag(show, urivet_loader_parameter_flags[flag]);
	if (rule->times == 2)
		show_number(show, "decode", 2);
	enter(show, "allow", '[', NULL);
	show_findings(show, &rule->allowed, &(struct urivet_finding_set){{0}});
	if (rule->values_length > 0)
		show_list(show, show->on_line != NULL ? "value" : "values",
			  urivet_parameter_values(rule), "\n");
}

static void show_parameters(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	enter(show, "parameters", '{', "Parameters, and what their values have to be.");
	show->level[show->depth].names = true;
	for (uint32_t i = 0; i < policy->parameter_count; i++) {
		const struct urivet_parameter_rule *rule = &policy->parameters[i];

		enter_in_line(show, parameter_name(rule), '{');
		set_place(show, rule->tag);
		show_options(show, rule, &show->loaded->value[i]);
		leave(show);
	}
	leave(show);
}

static void show_all(struct show *show)
{
	const struct urivet_policy *policy = show->policy;
	const struct urivet_policy *base = &show->base;
	struct urivet_finding_set without;

	if (show->on_line == NULL && show->json)
		put_octet(show, '{');
	else if (show->on_line == NULL)
		put(show,
		    "# What the policy comes to, as a policy file: see urivet-policy(5).\n\n");
	show_text(show, "base", base->name);
	show_name(show);
	show_mode(show);
	show_schemes(show);
	show_ports(show);
	show_hosts(show);
	show_urls(show);
	show_addresses(show);
	show_base_rules(show, "The base has these rules:", &base->raised, &policy->raised);
	show_base_rules(show, "The base lets these findings stand:", &base->waived,
			&policy->waived);
	enter(show, "allow", '[', "Findings that do not refuse, though they do in the base.");
	without = of_base(show, &base->waived, &show->other->waived, &show->other_base.waived);
	show_findings(show, &policy->waived, &without);
	enter(show, "refuse", '[', "Findings that refuse, though they do not in the base.");
	without = of_base(show, &base->raised, &show->other->raised, &show->other_base.raised);
	show_findings(show, &policy->raised, &without);
	show_limits(show);
	show_opaque_query(show);
	show_protected(show);
	show_paths(show);
	show_parameters(show);
	if (show->on_line == NULL && show->json)
		put(show, "}\n");
}

/* ---- Output --------------------------------------------------------------------- */

/* Writes the policy. Returns false if memory is short. */
static bool write_policy(struct show *show)
{
	const struct urivet_policy *policy = &show->loaded->policy;

	show->policy = policy;
	(void)urivet_policy_init(&show->base, sizeof show->base, show->loaded->base);
	show->host = urivet_loader_by_tag(policy->hosts.rule, policy->hosts.count,
					  sizeof *policy->hosts.rule,
					  offsetof(struct urivet_host_rule, tag));
	show->address = urivet_loader_by_tag(policy->addresses.rule, policy->addresses.count,
					     sizeof *policy->addresses.rule,
					     offsetof(struct urivet_address_rule, tag));
	show->no_memory = show->host == NULL || show->address == NULL;
	if (!show->no_memory)
		show_all(show);
	free(show->host);
	free(show->address);
	return !show->no_memory;
}

static size_t format(char *out, size_t capacity, const struct urivet_loaded *loaded, bool json)
{
	struct show show = {.out = out,
			    .capacity = capacity,
			    .loaded = loaded,
			    .other = &loaded->policy,
			    .json = json,
			    .level[0] = {.bracket = '{', .begun = true}};
	const bool good = write_policy(&show);

	if (capacity > 0)
		out[show.length < capacity ? show.length : capacity - 1] = '\0';
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

bool urivet_loader_lines(const struct urivet_loaded *loaded, const struct urivet_loaded *other,
			 line_taker *on_line, void *context)
{
	struct show show = {.loaded = loaded,
			    .other = &other->policy,
			    .on_line = on_line,
			    .context = context,
			    .json = true};
	bool good;

	(void)urivet_policy_init(&show.other_base, sizeof show.other_base, other->base);
	good = write_policy(&show);
	free(show.out);
	return good;
}
