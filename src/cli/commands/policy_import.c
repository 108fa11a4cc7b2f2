/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy import: writes a policy file from a list of another program. What cannot be said is
 * a comment with its line. */
#include "cli/commands/policy_actions.h"
#include "cli/records/file.h"
#include "cli/records/keyed.h"
#include "cli/text/emit.h"
#include "common/grow.h"
#include "common/order.h"
#include "common/rules.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECONDS_MOST 20 /* of processor time, until the policy is one */
#define IMPORT_MOST  (16u << 20)

/* The lists of a policy file that entries go to, and what is not translated. */
enum target { TO_HOSTS_ALLOW, TO_HOSTS_DENY, TO_URLS, TO_ADDRESSES_DENY, TO_NONE };

struct entry {
	enum target target;
	char *text;       /* the value, or what is not translated */
	const char *note; /* why not, or what is lost; NULL: nothing */
	uint32_t line;    /* of the source */
	bool shared;      /* others can register names below it */
	char *fault;      /* why the policy cannot have it; NULL: it can */
};

struct import {
	struct entry *entry;
	size_t count;
	size_t capacity;
	struct keyed known; /* entries by their texts */
	struct urivet_suffixes *suffixes;
	bool allows;     /* the source lists what is allowed */
	bool in_allowed; /* smokescreen: the list that a line is in; csp: after a directive */
	bool in_denied;
	bool no_memory;
};

/* ---- Entries ---------------------------------------------------------------------------- */

/* The entries that a text is compared with. */
struct compared {
	const struct import *import;
	enum target target;
};

static bool is_known(const void *context, struct octets text, size_t number)
{
	const struct compared *compared = context;
	const struct entry *known = &compared->import->entry[number];

	return number < compared->import->count && known->target == compared->target &&
	       text_equals(text_of(known->text), text);
}

static void add(struct import *import, enum target target, const char *text, size_t length,
		uint32_t line, const char *note)
{
	struct entry entry = {.target = target, .note = note, .line = line};
	const struct compared compared = {import, target};

	if (target != TO_NONE) {
		const size_t number = keyed_find(&import->known, text_at(text, length),
						 import->count, is_known, &compared);

		import->no_memory = import->no_memory || number == KEYED_FAILED;
		if (number != import->count)
			return;
	}
	entry.text = copy_text(text_at(text, length));
	if (entry.text == NULL ||
	    !grow(&import->entry, &import->capacity, import->count + 1, sizeof entry)) {
		free(entry.text);
		import->no_memory = true;
		return;
	}
	import->entry[import->count++] = entry;
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
		     uint32_t line)
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
		add(import, TO_ADDRESSES_DENY, host, length, line, NULL);
	} else if (urivet_loader_read_host(&rule, host, allow ? URIVET_ALLOW : URIVET_DENY, &why)) {
		add(import, allow ? TO_HOSTS_ALLOW : TO_HOSTS_DENY, host, length, line, NULL);
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
		add_host(import, true, text, host, line);
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
		if (import->in_allowed)
			add(import, TO_NONE, (const char *)word.data, word.length, number,
			    "what any directive allows is allowed here");
		import->in_allowed = true;
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
			add_host(import, false, (const char *)word.data, word.length, number);
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
		add_host(import, import->in_allowed, (const char *)word.data, word.length, number);
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

/* ---- Writing -------------------------------------------------------------------------------- */

static const struct section {
	enum target target;
	const char *group;
	const char *key;
} sections[] = {{TO_HOSTS_ALLOW, "hosts", "allow"},
		{TO_HOSTS_DENY, "hosts", "deny"},
		{TO_URLS, "urls", "allow"},
		{TO_ADDRESSES_DENY, "addresses", "deny"}};

#define SECTIONS (sizeof sections / sizeof sections[0])

/* An entry and its line in the policy. */
struct written {
	uint32_t line;
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
static void note_written(struct draft *draft, size_t entry)
{
	if (!grow(&draft->written, &draft->room, draft->count + 1, sizeof *draft->written)) {
		draft->no_memory = true;
		return;
	}
	draft->written[draft->count++] = (struct written){draft->line, entry};
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
	note_written(draft, index);
	put(draft, entry->shared ? "    - {name: '" : "    - '");
	put_visible(draft, entry->text);
	put(draft, entry->shared ? "', shared: true}\n" : "'\n");
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
		if (any) {
			put(draft, "  ");
			put(draft, sections[s].key);
			put(draft, ":\n");
		}
		for (size_t i = 0; i < import->count; i++)
			if (import->entry[i].target == sections[s].target)
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

/* Stores the fault of a line at the entry that it has. */
static void take_fault(void *context, const struct urivet_message *message)
{
	struct attempt *attempt = context;
	struct entry *entry;
	const struct draft *draft = attempt->draft;
	const struct written *written;

	if (message->line == 0) { /* about the build, or how many more faults there are */
		if (attempt->faults == 0)
			complain_of_policy(NULL, message);
		return;
	}
	written =
	    bsearch(&message->line, draft->written, draft->count, sizeof *written, order_written);
	if (written == NULL)
		return;
	entry = &attempt->import->entry[written->entry];
	if (entry->fault == NULL)
		entry->fault = copy_text(text_of(message->text));
	attempt->faults += entry->fault != NULL;
}

/* Writes the policy until it is one: entries that are at fault become comments. */
static bool make_policy(struct import *import, struct draft *draft, const char *from)
{
	struct attempt attempt = {.import = import, .draft = draft, .faults = 1};
	const clock_t end = clock() + (clock_t)SECONDS_MOST * CLOCKS_PER_SEC;
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
		put(draft, import->allows ? ". What it does not list is refused.\n"
					  : ". What it lists is refused.\n");
		put(draft, "base: public\n");
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

const char *const import_sources[] = {"csp", "hosts", "smokescreen", NULL};

static void (*const readers[])(struct import *, struct octets,
			       uint32_t) = {import_csp, import_hosts, import_smokescreen};

static bool import_file(struct import *import, struct draft *draft, const struct options *options)
{
	struct octets content, rest;

	if (!file_load(&content, options->reading.operand[1], IMPORT_MOST))
		return false;
	rest = content;
	for (uint32_t number = 1; rest.length > 0; number++) {
		const uint8_t *end = memchr(rest.data, '\n', rest.length);
		const size_t length = end != NULL ? (size_t)(end - rest.data) : rest.length;

		readers[options->action.source - 1](import, text_at(rest.data, length), number);
		rest = text_after(rest, length + (length < rest.length));
	}
	free((void *)(uintptr_t)content.data);
	return make_policy(import, draft, import_sources[options->action.source - 1]);
}

enum status policy_import(const struct options *options)
{
	struct import import = {0};
	struct draft draft = {0};
	bool good;

	if (options->action.source == 0)
		return trouble(
		    "policy import: say what the file is: --from=csp, hosts or smokescreen");
	import.suffixes = urivet_suffixes_open(NULL, NULL);
	import.no_memory = import.suffixes == NULL && errno == ENOMEM;
	good = import_file(&import, &draft, options);
	good = good && (options->showing.quiet || paint_text(text_at(draft.data, draft.length)));
	for (size_t i = 0; i < import.count; i++) {
		free(import.entry[i].text);
		free(import.entry[i].fault);
	}
	free(import.entry);
	keyed_free(&import.known);
	free(draft.data);
	free(draft.written);
	urivet_suffixes_close(import.suffixes);
	return good ? STATUS_ACCEPTED : STATUS_TROUBLE;
}
