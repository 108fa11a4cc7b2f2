/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy import: writes a policy file from a list of another program. What cannot be said is
 * a comment with its line. */
#include "cli/commands/policy_actions.h"
#include "cli/records/keyed.h"
#include "cli/show/emit.h"
#include "common/grow.h"
#include "common/load.h"
#include "common/order.h"
#include "common/rules.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_MOST 20 /* of processor time, until the policy is one */
#define IMPORT_MOST  (16u << 20)

/* The lists of a policy file that entries go to, and what is not translated. */
enum target {
	TO_HOSTS_ALLOW,
	TO_HOSTS_DENY,
	TO_URLS,
	TO_ADDRESSES_DENY,
	TO_PATHS,
	TO_WAIVERS,
	TO_NONE
};

struct entry {
	enum target target;
	char *text;         /* the value, or what is not translated */
	const char *note;   /* why not, or what is lost; NULL: nothing */
	const char *waives; /* below the path: the name of a finding */
	uint32_t line;      /* of the source */
	bool shared;        /* others can register names below it */
	char *fault;        /* why the policy cannot have it; NULL: it can */
	size_t first;       /* the first entry of its path */
	size_t next;        /* ... and the next one; 0: none */
	size_t last;        /* ... and the last one, if it is the first */
};

struct import {
	struct entry *entry;
	size_t count;
	size_t capacity;
	struct keyed known; /* entries by their texts */
	struct keyed paths; /* the first entry of each path */
	struct urivet_suffixes *suffixes;
	bool allows;     /* the source lists what is allowed */
	bool in_allowed; /* smokescreen: the list that a line is in */
	bool in_denied;
	bool no_memory;
};

/* ---- Entries ---------------------------------------------------------------------------- */

static char *copy_of(const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	if (copy != NULL) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

/* The entries that a text is compared with. */
struct compared {
	const struct import *import;
	const struct entry *entry;
};

static bool is_known(const void *context, struct octets text, size_t number)
{
	const struct compared *compared = context;
	const struct entry *known = &compared->import->entry[number];

	return number < compared->import->count && known->target == compared->entry->target &&
	       known->waives == compared->entry->waives && text_equals(text_of(known->text), text);
}

static bool is_path(const void *context, struct octets text, size_t number)
{
	const struct compared *compared = context;

	return number < compared->import->count &&
	       text_equals(text_of(compared->import->entry[number].text), text);
}

/* Adds the last entry to those of its path. Returns false if memory is short. */
static bool join_path(struct import *import)
{
	const size_t last = import->count - 1;
	const struct octets path = text_of(import->entry[last].text);
	const struct compared compared = {import, &import->entry[last]};
	const size_t first = keyed_find(&import->paths, path, last, is_path, &compared);

	if (first == KEYED_FAILED)
		return false;
	import->entry[last].first = first;
	if (first != last)
		import->entry[import->entry[first].last].next = last;
	import->entry[first].last = last;
	return true;
}

static void add_waiver(struct import *import, enum target target, const char *text, size_t length,
		       const char *waives, uint32_t line, const char *note)
{
	struct entry entry = {.target = target, .note = note, .waives = waives, .line = line};
	const struct compared compared = {import, &entry};

	if (target != TO_NONE) {
		const size_t number = keyed_find(&import->known, text_at(text, length),
						 import->count, is_known, &compared);

		import->no_memory = import->no_memory || number == KEYED_FAILED;
		if (number != import->count)
			return;
	}
	entry.text = copy_of(text, length);
	if (entry.text == NULL ||
	    !grow(&import->entry, &import->capacity, import->count + 1, sizeof entry)) {
		free(entry.text);
		import->no_memory = true;
		return;
	}
	import->entry[import->count++] = entry;
	if (target == TO_PATHS && !join_path(import))
		import->no_memory = true;
}

static void add(struct import *import, enum target target, const char *text, size_t length,
		uint32_t line, const char *note)
{
	add_waiver(import, target, text, length, NULL, line, note);
}

/* Returns true if a rule about the names below this one is about a public suffix. */
static bool is_suffix(const struct import *import, const struct urivet_host_rule *rule)
{
	char domain[URIVET_REGISTRABLE_CAPACITY];

	if (rule->scope == URIVET_SCOPE_HOST)
		return false;
	if (import->suffixes == NULL)
		return memchr(rule->name, '.', rule->length) == NULL;
	return urivet_suffixes_registrable(domain, sizeof domain, import->suffixes,
					   urivet_text_of(rule->name, rule->length)) == 0;
}

/* Adds an address that is allowed as a URL, since a list of addresses alone refuses no others. */
static void add_address(struct import *import, const char *address, uint32_t line)
{
	char url[600];

	(void)snprintf(url, sizeof url,
		       strchr(address, ':') != NULL ? "https://[%s]/" : "https://%s/", address);
	if (strchr(address, '/') != NULL)
		add(import, TO_NONE, address, strlen(address), line,
		    "a network that is allowed needs hosts.allow beside it: write it below "
		    "addresses");
	else
		add(import, TO_URLS, url, strlen(url), line, NULL);
}

/* Adds a host name or an address, as it is or with its network. */
static void add_host(struct import *import, bool allow, const char *text, size_t length,
		     uint32_t line, const char *note)
{
	char host[512];
	struct urivet_network network;
	struct urivet_host_rule rule;
	struct why why;

	if (length >= sizeof host) {
		add(import, TO_NONE, text, length, line, "it is too long");
		return;
	}
	(void)snprintf(host, sizeof host, "%.*s", (int)length, text);
	if (urivet_loader_read_network(&network, host, &why) && allow) {
		add_address(import, host, line);
	} else if (urivet_loader_read_network(&network, host, &why)) {
		add(import, TO_ADDRESSES_DENY, host, length, line, note);
	} else if (urivet_loader_read_host(&rule, host, allow ? URIVET_ALLOW : URIVET_DENY, &why)) {
		add(import, allow ? TO_HOSTS_ALLOW : TO_HOSTS_DENY, host, length, line, note);
		if (allow && import->count > 0 && is_suffix(import, &rule))
			import->entry[import->count - 1].shared = true;
	} else {
		add(import, TO_NONE, text, length, line, "it is neither a name nor an address");
	}
}

/* Adds a host with a port, as a URL of https (and http for port 80). */
static void add_host_and_port(struct import *import, const char *host, size_t length, unsigned port,
			      uint32_t line)
{
	char url[600];

	if (port == 443 || port == 80) {
		(void)snprintf(url, sizeof url, "%s://%.*s/", port == 443 ? "https" : "http",
			       (int)length, host);
	} else {
		(void)snprintf(url, sizeof url, "https://%.*s:%u/", (int)length, host, port);
	}
	add(import, TO_URLS, url, strlen(url), line, NULL);
}

/* Splits "host:port". Returns the port, 0 if there is none, and sets the length of the host. */
static unsigned port_of(const char *text, size_t length, size_t *host)
{
	size_t at = length;
	unsigned port = 0;

	*host = length;
	while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	if (at == length || at == 0 || text[at - 1] != ':' || length - at > 5 ||
	    memchr(text, ':', at - 1) != NULL)
		return 0;
	for (size_t i = at; i < length; i++)
		port = port * 10 + (unsigned)(text[i] - '0');
	*host = port > 0 && port <= UINT16_MAX ? at - 1 : length;
	return port <= UINT16_MAX ? port : 0;
}

/* ---- The sources -------------------------------------------------------------------------- */

/* The next word of a line, between spaces, tabs and octets of `more`. */
static bool next_word(struct octets *line, const char *more, struct octets *word)
{
	size_t at = 0, end;

	while (at < line->length && (line->data[at] <= ' ' || strchr(more, line->data[at]) != NULL))
		at++;
	for (end = at; end < line->length && line->data[end] > ' ' &&
		       (line->data[end] == 0 || strchr(more, line->data[end]) == NULL);
	     end++)
		continue;
	*word = text_at(line->data + at, end - at);
	*line = text_after(*line, end);
	return word->length > 0;
}

static bool is_word(struct octets text, const char *word)
{
	return text_equals(text, text_of(word));
}

/* The longest source that is read, in octets. */
#define SOURCE_MOST 2048

/* Reads a source that is no host. Returns false if it is one. */
static bool import_keyword(struct import *import, struct octets source, uint32_t line)
{
	const char *text = (const char *)source.data;
	const bool any = is_word(source, "*");

	if (source.data[0] == '\'') {
		if (!is_word(source, "'none'"))
			add(import, TO_NONE, text, source.length, line,
			    is_word(source, "'self'") ? "write the site's own origin instead"
						      : "it is about scripts in the page");
		return true;
	}
	if (source.length <= SOURCE_MOST && !any && source.data[source.length - 1] != ':')
		return false;
	add(import, TO_NONE, text, source.length, line,
	    any ? "it allows every host" : "it allows every host of a scheme");
	return true;
}

/* Reads a source of a Content-Security-Policy. */
static void import_source(struct import *import, struct octets source, uint32_t line)
{
	const char *text = (const char *)source.data;
	const char *scheme = NULL;
	size_t skip = 0, authority, host;
	unsigned port;
	char url[2 * SOURCE_MOST];

	if (import_keyword(import, source, line))
		return;
	for (; skip + 3 <= source.length && memcmp(text + skip, "://", 3) != 0; skip++)
		continue;
	scheme = skip + 3 <= source.length ? text : NULL;
	text = scheme != NULL ? text + skip + 3 : text;
	authority = source.length - (size_t)(text - (const char *)source.data);
	for (host = 0; host < authority && text[host] != '/'; host++)
		continue;
	port = port_of(text, host, &host);
	if (port == 0 && host > 0 && text[0] != '[' && memchr(text, ':', host) != NULL) {
		add(import, TO_NONE, (const char *)source.data, source.length, line,
		    "a port cannot be any port");
		return;
	}
	if (scheme == NULL && host == authority) {
		add_host(import, true, text, host, line, NULL);
		return;
	}
	/* a path without a final slash is that path alone in a Content-Security-Policy */
	(void)snprintf(url, sizeof url, "%.*s://%.*s%s%s", scheme != NULL ? (int)skip : 5,
		       scheme != NULL ? scheme : "https", (int)authority, text,
		       memchr(text, '/', authority) == NULL ? "/" : "",
		       memchr(text, '/', authority) != NULL && text[authority - 1] != '/' ? "$"
											  : "");
	add(import, TO_URLS, url, strlen(url), line,
	    url[strlen(url) - 1] == '$' ? "without a query" : NULL);
}

/* Reads a header field or a policy, in one line or several. */
static void import_csp(struct import *import, struct octets line, uint32_t number)
{
	struct octets word, directive;

	import->allows = true;
	while (line.length > 0) {
		const uint8_t *end = memchr(line.data, ';', line.length);
		const size_t length = end != NULL ? (size_t)(end - line.data) : line.length;

		directive = text_at(line.data, length);
		line = text_after(line, length + (end != NULL));
		if (!next_word(&directive, "", &word))
			continue;
		if (word.data[word.length - 1] == ':' && !next_word(&directive, "", &word))
			continue;
		if (word.length < 4 || memcmp(word.data + word.length - 4, "-src", 4) != 0) {
			add(import, TO_NONE, (const char *)word.data, word.length, number,
			    "it is no list of sources");
			continue;
		}
		while (next_word(&directive, "", &word))
			import_source(import, word, number);
	}
}

/* Reads a line of hosts(5), whose names are denied, or NAME:PORT, which is allowed. */
static void import_hosts(struct import *import, struct octets line, uint32_t number)
{
	const uint8_t *comment = line.length > 0 ? memchr(line.data, '#', line.length) : NULL;
	struct urivet_network network;
	struct why why;
	struct octets word;
	char first[64];
	size_t host;
	bool sink;

	line.length = comment != NULL ? (size_t)(comment - line.data) : line.length;
	if (!next_word(&line, "", &word))
		return;
	(void)snprintf(first, sizeof first, "%.*s", (int)word.length, (const char *)word.data);
	if (word.length >= sizeof first || !urivet_loader_read_network(&network, first, &why)) {
		const unsigned port = port_of((const char *)word.data, word.length, &host);

		import->allows = import->allows || port > 0;
		if (port > 0)
			add_host_and_port(import, (const char *)word.data, host, port, number);
		else
			add(import, TO_NONE, (const char *)word.data, word.length, number,
			    "it has neither an address before it nor a port");
		return;
	}
	sink = strcmp(first, "0.0.0.0") == 0 || strncmp(first, "127.", 4) == 0 ||
	       strcmp(first, "::") == 0 || strcmp(first, "::1") == 0;
	while (next_word(&line, "", &word)) {
		if (!sink)
			add(import, TO_NONE, (const char *)word.data, word.length, number,
			    "it gives the name an address, and denies nothing");
		else if (memchr(word.data, '.', word.length) != NULL && !is_word(word, "0.0.0.0"))
			add_host(import, false, (const char *)word.data, word.length, number, NULL);
	}
}

/* Reads NO_PROXY: what is reached directly, and so lies inside. */
static void import_no_proxy(struct import *import, struct octets line, uint32_t number)
{
	struct octets word;
	size_t host;

	while (next_word(&line, ",", &word)) {
		const char *text = (const char *)word.data;
		const char *equals = memchr(text, '=', word.length);

		if (equals != NULL) { /* NO_PROXY=... */
			word = text_after(word, (size_t)(equals - text) + 1);
			text = (const char *)word.data;
		}
		if (word.length == 0)
			continue;
		if (is_word(word, "*"))
			add(import, TO_NONE, text, word.length, number, "it is every host");
		else if (port_of(text, word.length, &host) > 0)
			add_host(import, false, text, host, number, "with any port");
		else if (text[0] == '[' && text[word.length - 1] == ']')
			add_host(import, false, text + 1, word.length - 2, number, NULL);
		else
			add_host(import, false, text, word.length, number, NULL);
	}
}

/* Reads a line of the YAML that smokescreen has: keys, and lists of hosts in lines of their own. */
static void import_smokescreen(struct import *import, struct octets line, uint32_t number)
{
	struct octets word, rest = line;

	if (!next_word(&rest, "'\"", &word) || word.data[0] == '#')
		return;
	if (is_word(word, "-") && (import->in_allowed || import->in_denied) &&
	    next_word(&rest, "'\"", &word) && word.data[word.length - 1] != ':') {
		add_host(import, import->in_allowed, (const char *)word.data, word.length, number,
			 NULL);
		return;
	}
	if (is_word(word, "-"))
		(void)next_word(&rest, "'\"", &word);
	import->in_allowed =
	    is_word(word, "allowed_domains:") || is_word(word, "global_allow_list:");
	import->in_denied = is_word(word, "global_deny_list:");
	import->allows = import->allows || import->in_allowed;
	if (is_word(word, "name:") || is_word(word, "action:") ||
	    is_word(word, "allow_external_proxy:") || is_word(word, "allowed_external_proxies:"))
		add(import, TO_NONE, (const char *)line.data, line.length, number,
		    "a policy is for one service: what any service may is allowed here");
}

/* ---- Exclusions from the OWASP Core Rule Set, for ModSecurity ------------------------------- */

/* Rules of the set that refuse spellings of URLs, and the findings that mean the same. */
static const struct {
	uint32_t id;
	const char *finding;
} crs_rules[] = {{920220, "bad-escape"},
		 {920221, "bad-escape"},
		 {920230, "double-escape"},
		 {920230, "escaped-percent"},
		 {920250, "invalid-utf8-escape"},
		 {920250, "latin1-escape"},
		 {920250, "overlong-utf8"},
		 {920260, "bad-escape"},
		 {920270, "escaped-nul"},
		 {920271, "escaped-control"},
		 {920272, "escaped-control"},
		 {920280, "host-missing"},
		 {920290, "host-missing"},
		 {920610, "fragment-in-target"},
		 {921120, "escaped-crlf"},
		 {921130, "escaped-crlf"},
		 {921140, "escaped-crlf"},
		 {921150, "escaped-crlf"},
		 {921151, "escaped-crlf"},
		 {921160, "escaped-crlf"},
		 {930100, "escaped-dot-segment"},
		 {930100, "escaped-slash-dot"},
		 {930100, "double-escape"},
		 {930110, "dot-segment"},
		 {930110, "path-param-dot-segment"}};

/* The next argument of a directive, without its quotes. A line that goes on has a backslash before
 * its end. */
static bool next_argument(struct octets *line, struct octets *argument)
{
	size_t at = 0, end;

	while (at < line->length && (line->data[at] <= ' ' || line->data[at] == '\\'))
		at++;
	if (at == line->length)
		return false;
	if (line->data[at] != '"') {
		for (end = at; end < line->length && line->data[end] > ' '; end++)
			continue;
		*argument = text_at(line->data + at, end - at);
		*line = text_after(*line, end);
		return true;
	}
	for (end = ++at; end < line->length && line->data[end] != '"'; end++)
		end += line->data[end] == '\\';
	end = end < line->length ? end : line->length;
	*argument = text_at(line->data + at, end - at);
	*line = text_after(*line, end + (end < line->length));
	return true;
}

/* Adds waivers for a number of a rule, or for a range of them; below a path if there is one. */
static void import_rules(struct import *import, struct octets ids, struct octets path,
			 uint32_t line)
{
	char text[32];
	char *end;
	unsigned long first, last;
	bool any = false;

	(void)snprintf(text, sizeof text, "%.*s", (int)ids.length, (const char *)ids.data);
	first = strtoul(text, &end, 10);
	last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
	for (size_t i = 0; i < sizeof crs_rules / sizeof crs_rules[0] && *end == '\0'; i++) {
		const char *const finding = crs_rules[i].finding;

		if (crs_rules[i].id < first || crs_rules[i].id > last)
			continue;
		any = true;
		if (path.data != NULL)
			add_waiver(import, TO_PATHS, (const char *)path.data, path.length, finding,
				   line, NULL);
		else
			add(import, TO_WAIVERS, finding, strlen(finding), line,
			    "for the whole server");
	}
	if (!any)
		add(import, TO_NONE, (const char *)ids.data, ids.length, line,
		    "this rule is about something else than the spelling of a URL");
}

/* Sets the path that an operator compares with from its beginning, with "$" if it is that path
 * alone. Returns false for other operators and for regular expressions. */
static bool path_of_operator(struct octets operator, char * path, size_t capacity)
{
	const char *text = (const char *)operator.data;
	size_t length = operator.length, skip;
	bool whole = false, plain = true; /* no regular expression */

	if (length > 8 && memcmp(text, "@streq ", 7) == 0) {
		skip = 7;
		whole = true;
	} else if (length > 13 && memcmp(text, "@beginsWith ", 12) == 0) {
		skip = 12;
	} else {
		plain = false;
		skip = length > 4 && memcmp(text, "@rx ", 4) == 0 ? 4 : 0;
		if (length <= skip || text[skip] != '^')
			return false;
		skip++;
		whole = text[length - 1] == '$';
		length -= whole;
	}
	text += skip;
	length -= skip;
	if (length == 0 || text[0] != '/' || length + 2 > capacity)
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' ||
		    strchr(plain ? "'\"*$" : "'\"*$\\.[](){}|+?^", text[i]) != NULL)
			return false;
	(void)snprintf(path, capacity, "%.*s%s", (int)length, text, whole ? "$" : "");
	return true;
}

static bool is_about_paths(struct octets variables)
{
	return is_word(variables, "REQUEST_URI") || is_word(variables, "REQUEST_FILENAME") ||
	       is_word(variables, "REQUEST_URI_RAW");
}

/* Finds the next action of a rule that begins with a name, and moves `actions` behind it. */
static bool next_action(struct octets *actions, const char *name, struct octets *action)
{
	const size_t length = strlen(name);

	while (next_word(actions, ",\\", action))
		if (action->length >= length && memcmp(action->data, name, length) == 0)
			return true;
	return false;
}

static bool has_action(struct octets actions, const char *name)
{
	struct octets action;

	return next_action(&actions, name, &action);
}

/* The action that excludes a rule by its number. */
#define REMOVE_BY_ID "ctl:ruleRemoveById="

/* Reads the actions of a rule: those that exclude others. */
static void import_actions(struct import *import, struct octets actions, const char *path,
			   uint32_t line)
{
	for (struct octets action; next_action(&actions, REMOVE_BY_ID, &action);)
		if (action.length > strlen(REMOVE_BY_ID))
			import_rules(import, text_after(action, strlen(REMOVE_BY_ID)),
				     text_of(path), line);
}

/* Reads a directive of ModSecurity that excludes rules of the set. */
static void import_exclusion(struct import *import, struct octets line, uint32_t number)
{
	const struct octets whole = line;
	struct octets directive, variables, operator, actions = {0};
	char path[URIVET_PATH_RULE_MOST + 2];
	const char *why = NULL;

	if (!next_argument(&line, &directive) || directive.length == 0 || directive.data[0] == '#')
		return;
	if (is_word(directive, "SecRuleRemoveById")) {
		while (next_argument(&line, &variables))
			for (struct octets id; next_word(&variables, ",", &id);)
				import_rules(import, id, text_at(NULL, 0), number);
		return;
	}
	if (!is_word(directive, "SecRule") || !next_argument(&line, &variables) ||
	    !next_argument(&line, &operator) || !next_argument(&line, &actions) ||
	    !has_action(actions, "ctl:"))
		why = "it excludes no rule from some requests";
	else if (has_action(actions, "chain"))
		why = "it depends on another rule too";
	else if (!is_about_paths(variables) || !path_of_operator(operator, path, sizeof path))
		why = "it depends on more than the beginning of a path";
	else if (!has_action(actions, REMOVE_BY_ID))
		why = "it excludes no rule by its number";
	if (why != NULL)
		add(import, TO_NONE, (const char *)whole.data,
		    whole.length < 72 ? whole.length : 72, number, why);
	else
		import_actions(import, actions, path, number);
}

/* ---- Writing -------------------------------------------------------------------------------- */

static const struct section {
	enum target target;
	const char *group;
	const char *key; /* NULL: the group is a list */
} sections[] = {{TO_HOSTS_ALLOW, "hosts", "allow"}, {TO_HOSTS_DENY, "hosts", "deny"},
		{TO_URLS, "urls", "allow"},         {TO_ADDRESSES_DENY, "addresses", "deny"},
		{TO_PATHS, "paths", NULL},          {TO_WAIVERS, "allow", NULL}};

#define SECTIONS (sizeof sections / sizeof sections[0])

/* An entry, or the first one of a path, and its line in the policy. */
struct written {
	uint32_t line;
	bool is_path;
	size_t entry;
};

/* A policy in memory that grows. */
struct draft {
	char *data;
	size_t length;
	size_t capacity;
	uint32_t line; /* number of the line that comes next */
	bool no_memory;
	struct written *written; /* by lines */
	size_t count;
	size_t room;
};

/* Records that the next line is of an entry. */
static void note_written(struct draft *draft, size_t entry, bool is_path)
{
	if (!grow(&draft->written, &draft->room, draft->count + 1, sizeof *draft->written)) {
		draft->no_memory = true;
		return;
	}
	draft->written[draft->count++] = (struct written){draft->line, is_path, entry};
}

static int order_written(const void *line, const void *written)
{
	return order_numbers(*(const uint32_t *)line, ((const struct written *)written)->line);
}

static void put(struct draft *draft, const char *text)
{
	const size_t length = strlen(text);

	if (!grow(&draft->data, &draft->capacity, draft->length + length + 1, 1)) {
		draft->no_memory = true;
		return;
	}
	memcpy(draft->data + draft->length, text, length + 1);
	draft->length += length;
	for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
		draft->line++;
}

/* Writes text of the source: other octets than visible ASCII and spaces become "?". */
static void put_visible(struct draft *draft, const char *text)
{
	char one[2] = "";

	for (; *text != '\0'; text++) {
		one[0] = (char)(*text >= ' ' && *text <= '~' ? *text : '?');
		put(draft, one);
	}
}

static void put_note(struct draft *draft, const struct entry *entry, const char *note)
{
	char line[32];

	(void)snprintf(line, sizeof line, "line %lu, ", (unsigned long)entry->line);
	put(draft, line);
	put_visible(draft, entry->text);
	put(draft, ": ");
	put_visible(draft, note);
	put(draft, "\n");
}

/* Writes an element of a list, or a comment if the policy cannot have it. */
static void put_entry(struct draft *draft, const struct import *import, size_t index)
{
	const struct entry *entry = &import->entry[index];

	if (entry->fault != NULL) {
		put(draft, "    # not needed, or not possible: ");
		put_note(draft, entry, entry->fault);
		return;
	}
	if (entry->shared)
		put(draft, "    # a public suffix: anybody can register names below it\n");
	if (entry->note != NULL) {
		put(draft, "    # ");
		put_note(draft, entry, entry->note);
	}
	note_written(draft, index, false);
	put(draft, entry->shared ? "    - {name: '" : "    - '");
	put_visible(draft, entry->text);
	put(draft, entry->shared ? "', shared: true}\n" : "'\n");
}

/* Writes the path of an entry and what is waived below it, if it is the first with the path. */
static void put_path(struct draft *draft, const struct import *import, size_t first)
{
	size_t before = import->entry[first].first;

	while (import->entry[before].fault != NULL)
		before = import->entry[before].next;
	if (before != first)
		return;
	note_written(draft, first, true);
	put(draft, "    - prefix: '");
	put_visible(draft, import->entry[first].text);
	put(draft, "'\n      allow:\n");
	for (size_t i = first, next = 1; next != 0; i = next) {
		next = import->entry[i].next;
		if (import->entry[i].fault != NULL)
			continue;
		note_written(draft, i, false);
		put(draft, "        - ");
		put(draft, import->entry[i].waives);
		put(draft, "\n");
	}
}

/* Returns true if the section has an entry that is no comment. */
static bool has_entry(const struct import *import, enum target target)
{
	for (size_t i = 0; i < import->count; i++)
		if (import->entry[i].target == target && import->entry[i].fault == NULL)
			return true;
	return false;
}

/* Writes the sections, and what has no place in them. */
static void put_sections(struct draft *draft, const struct import *import)
{
	const char *group = "";

	for (size_t s = 0; s < SECTIONS; s++) {
		const bool any = has_entry(import, sections[s].target);

		if (any && strcmp(group, sections[s].group) != 0) {
			group = sections[s].group;
			put(draft, "\n");
			put(draft, group);
			put(draft, ":\n");
		}
		if (any && sections[s].key != NULL) {
			put(draft, "  ");
			put(draft, sections[s].key);
			put(draft, ":\n");
		}
		for (size_t i = 0; i < import->count; i++)
			if (import->entry[i].target != sections[s].target)
				continue;
			else if (import->entry[i].target == TO_PATHS &&
				 import->entry[i].fault == NULL)
				put_path(draft, import, i);
			else
				put_entry(draft, import, i);
	}
	for (size_t i = 0; i < import->count; i++) {
		if (import->entry[i].target != TO_NONE)
			continue;
		put(draft, "# not translated: ");
		put_note(draft, &import->entry[i], import->entry[i].note);
	}
}

/* The policy that is written, and the number of its entries that are at fault. */
struct attempt {
	struct import *import;
	const struct draft *draft;
	size_t faults;
};

static void set_fault(struct attempt *attempt, struct entry *entry, const char *text)
{
	if (entry->fault != NULL)
		return;
	entry->fault = copy_of(text, strlen(text));
	attempt->faults += entry->fault != NULL;
}

/* Stores the fault of a line at the entry that it has. A path's line is of all its entries. */
static void take_fault(void *context, const struct urivet_message *message)
{
	struct attempt *attempt = context;
	struct entry *const entry = attempt->import->entry;
	const struct draft *draft = attempt->draft;
	const struct written *written;

	if (message->line == 0) { /* about the build, or how many more faults there are */
		if (attempt->faults == 0)
			complain_of_policy(NULL, message);
		return;
	}
	written = bsearch(&message->line, draft->written, draft->count, sizeof *written,
			  order_written);
	if (written == NULL)
		return;
	set_fault(attempt, &entry[written->entry], message->text);
	for (size_t i = entry[written->entry].next; written->is_path && i != 0; i = entry[i].next)
		set_fault(attempt, &entry[i], message->text);
}

/* Writes the policy until it is one: entries that are at fault become comments. */
static bool make_policy(struct import *import, struct draft *draft, const char *from)
{
	struct attempt attempt = {.import = import, .draft = draft, .faults = 1};
	const clock_t end = clock() + (clock_t)SECONDS_MOST * CLOCKS_PER_SEC;
	const bool waives = strcmp(from, "modsecurity-crs") == 0;
	struct urivet_loaded *loaded = NULL;

	if (import->count == 0)
		return complain("policy import: the list is empty, or not one of %s", from);
	while (loaded == NULL && attempt.faults > 0) {
		if (clock() >= end)
			return complain("policy import: after %d seconds the list still has lines "
					"that a policy cannot have: remove what others cover",
					SECONDS_MOST);
		if (import->allows && !has_entry(import, TO_HOSTS_ALLOW) &&
		    !has_entry(import, TO_URLS))
			return complain(
			    "policy import: nothing that the list allows can be said; a "
			    "policy without it would allow every public host");
		draft->length = draft->count = 0;
		draft->line = 1;
		put(draft, "# Imported by urivet policy import --from=");
		put(draft, from);
		put(draft, waives           ? ". What it excludes is let through.\n"
			   : import->allows ? ". What it does not list is refused.\n"
					    : ". What it lists is refused.\n");
		put(draft, waives ? "base: gateway\n" : "base: public\n");
		put_sections(draft, import);
		if (draft->no_memory || import->no_memory)
			return complain("%s", strerror(ENOMEM));
		attempt.faults = 0;
		loaded =
		    urivet_load_text(draft->data, draft->length, "policy", take_fault, &attempt);
	}
	if (loaded == NULL)
		return complain("policy import: what was made of the list is no policy");
	urivet_loaded_release(loaded);
	return true;
}

/* ---- The command ------------------------------------------------------------------------ */

const char *const import_sources[] = {"csp",      "hosts",           "smokescreen",
				      "no-proxy", "modsecurity-crs", NULL};

static void (*const readers[])(struct import *, struct octets, uint32_t) = {
    import_csp, import_hosts, import_smokescreen, import_no_proxy, import_exclusion};

/* Reads the file; "-" is standard input. */
static bool read_source(struct load *load, const char *path)
{
	const bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	const bool good = fd >= 0 && urivet_loader_resize(load, 65536) &&
			  urivet_loader_fill(load, urivet_loader_descriptor, &fd, IMPORT_MOST + 1);
	const int error = errno;

	if (fd >= 0 && !standard)
		(void)close(fd);
	if (!good)
		return complain("cannot read '%s': %s", path, strerror(error));
	return load->length <= IMPORT_MOST ||
	       complain("'%s' is longer than %u octets", path, IMPORT_MOST);
}

/* Returns the length of the next line. `joined`: a line that ends with a backslash goes on in the
 * next. Counts the lines. */
static size_t line_length(struct octets rest, bool joined, uint32_t *lines)
{
	for (size_t at = 0; at < rest.length; at++) {
		if (rest.data[at] != '\n')
			continue;
		if (!joined || at == 0 || rest.data[at - 1] != '\\')
			return at;
		(*lines)++;
	}
	return rest.length;
}

static bool import_file(struct import *import, struct draft *draft, const struct options *options)
{
	struct load load = {.most = IMPORT_MOST + 1};
	const bool good = read_source(&load, options->operand[1]);
	struct octets rest = text_at(load.data, load.length);

	for (uint32_t number = 1; good && rest.length > 0; number++) {
		uint32_t lines = 1;
		const size_t length =
		    line_length(rest, readers[options->source - 1] == import_exclusion, &lines);

		readers[options->source - 1](import, text_at(rest.data, length), number);
		rest = text_after(rest, length + (length < rest.length));
		number += lines - 1;
	}
	free(load.data);
	return good && make_policy(import, draft, import_sources[options->source - 1]);
}

enum status policy_import(const struct options *options)
{
	struct import import = {0};
	struct draft draft = {0};
	struct output out;
	bool good;

	if (options->source == 0) {
		complain("policy import: say what the file is: --from=csp, hosts, smokescreen, "
			 "no-proxy or modsecurity-crs");
		return STATUS_TROUBLE;
	}
	import.suffixes = urivet_suffixes_open(NULL, NULL);
	import.no_memory = import.suffixes == NULL && errno == ENOMEM;
	good = import_file(&import, &draft, options);
	if (good && !options->quiet) {
		good = paint_open(&out, COLOUR_NEVER);
		if (good)
			output_text(&out, text_at(draft.data, draft.length));
		good = good && output_finish(&out);
	}
	for (size_t i = 0; i < import.count; i++) {
		free(import.entry[i].text);
		free(import.entry[i].fault);
	}
	free(import.entry);
	keyed_free(&import.known);
	keyed_free(&import.paths);
	free(draft.data);
	free(draft.written);
	urivet_suffixes_close(import.suffixes);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}
