/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy import: writes a policy file from a list. What cannot be said is a comment. */
#include "cli/commands/policy_actions.h"
#include "cli/records/file.h"
#include "cli/records/keyed.h"
#include "common/addition.h"
#include "common/grow.h"
#include "common/order.h"
#include "common/rules.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS_MOST 8u /* a fault may hide another one, but not many in a row */
#define IMPORT_MOST (64u << 20)
#define WORD_MOST   2048u /* octets of an entry */
#define SHOWN_MOST  200u  /* octets of one that is not translated */

/* The lists of a policy file that entries go to, in their order there, and what has none. */
enum target {
	TO_HOSTS_ALLOW,
	TO_HOSTS_DENY,
	TO_URLS,
	TO_ADDRESSES_ALLOW,
	TO_ADDRESSES_DENY,
	TO_NONE,
	TO_NAMES, /* no entry: the name of a part, which is a directive or service */
	TO_OPEN   /* no entry: its part allows whatever is not denied */
};

struct entry {
	enum target target;
	uint32_t line;    /* of the source */
	uint32_t part;    /* number of the part that it belongs to; 0: all of them */
	uint32_t written; /* line of the policy */
	bool shared;      /* others can register names below it */
	char *text;       /* the value, or what is not translated */
	const char *note; /* why not, or what is lost; NULL: nothing */
	char *fault;      /* why the policy cannot have it; NULL: it can */
};

struct import;

/* A format of lists. */
struct list_format {
	void (*read)(struct import *import, struct octets line);
	bool allows;        /* it lists what is allowed */
	bool comments;      /* "#" after white space begins one */
	const char *part;   /* what is chosen from it; NULL: nothing */
	const char *more;   /* octets that separate words, beside white space */
	const char *before; /* of names: "." if the source means those below them, too */
	const char *keys;   /* of the policy, beside the lists */
};

struct import {
	struct entry *entry;
	size_t count;
	size_t capacity;
	const struct list_format *format;
	uint32_t line; /* its number */
	bool allows;   /* the source lists what is allowed */
	uint32_t part; /* number of the part that a line is in, from 1; 0: none */
	uint32_t parts;
	enum target list; /* smokescreen: where hosts go to; TO_NONE: nowhere */
	size_t indent;    /* smokescreen: of the items of services, plus 1 */
	uint32_t second;  /* csp: the line of a second policy; 0: there is none */
	bool no_memory;
	char *policy; /* as it is written */
	size_t length;
};

/* ---- Entries ---------------------------------------------------------------------------- */

/* Adds an entry. Other octets than those of URLs become "?", so that no text ends a line or a
 * quoted text of the policy. */
static void add(struct import *import, enum target target, struct octets text, const char *note)
{
	struct entry entry = {target, import->line, import->part, .note = note};

	if (target == TO_NONE && text.length > SHOWN_MOST)
		text.length = SHOWN_MOST;
	entry.text = copy_text(text);
	if (entry.text == NULL ||
	    !grow(&import->entry, &import->capacity, import->count + 1, sizeof entry)) {
		free(entry.text);
		import->no_memory = true;
		return;
	}
	for (char *at = entry.text; *at != '\0'; at++)
		if (*at <= ' ' || *at > '~' || *at == '"' || *at == '\\')
			*at = '?';
	import->entry[import->count++] = entry;
}

static bool is_word(struct octets text, const char *word)
{
	return text_equals(text, text_of(word));
}

static bool has(struct octets text, char octet)
{
	return text.length > 0 && memchr(text.data, octet, text.length) != NULL;
}

/* The next word of a line, between white space and octets of `more`. */
static bool next_word(struct octets *line, const char *more, struct octets *word)
{
	size_t at = 0, end;

	while (at < line->length && (line->data[at] <= ' ' || is_one_of(line->data[at], more)))
		at++;
	for (end = at;
	     end < line->length && line->data[end] > ' ' && !is_one_of(line->data[end], more);)
		end++;
	*word = text_at(line->data + at, end - at);
	*line = text_after(*line, end);
	return word->length > 0;
}

/* Adds a URL for each of these schemes: what follows "://", and `after`. */
static void add_urls(struct import *import, const char *schemes, struct octets rest,
		     const char *after, const char *note)
{
	struct octets words = text_of(schemes), scheme;
	char url[WORD_MOST + 32];

	while (rest.length <= WORD_MOST && next_word(&words, "", &scheme)) {
		(void)snprintf(url, sizeof url, "%.*s://%.*s%s", (int)scheme.length, scheme.data,
			       (int)rest.length, rest.data, after);
		add(import, TO_URLS, text_of(url), note);
	}
}

/* Adds a name, an address or a network to what is allowed or denied. An address that is allowed
 * becomes a URL, since a list of addresses alone refuses no others. */
static void add_host(struct import *import, bool allow, struct octets text, const char *note)
{
	const bool plain = text.length > 0 && !is_one_of(text.data[0], ".*");
	const size_t length = text.length < 300 ? text.length : 300;
	struct octets rest = text, address = text_cut(&rest, '/'); /* without the length of a network */
	char host[310];
	struct urivet_network network;
	struct urivet_host_rule rule;
	struct why why;

	(void)snprintf(host, sizeof host, "%s%.*s", plain ? import->format->before : "",
		       (int)length, text.data);
	if (urivet_network_from(&network, (const char *)text.data, text.length)) {
		(void)snprintf(host, sizeof host, network.octets == 4 ? "%.*s" : "[%.*s]",
			       (int)address.length, address.data);
		if (allow && network.length == 8 * network.octets)
			add_urls(import, import->format->keys[0] != '\0' ? "https" : "https http",
				 text_of(host), "/", note);
		else
			add(import, allow ? TO_ADDRESSES_ALLOW : TO_ADDRESSES_DENY, text, note);
	} else if (length == text.length &&
		   urivet_loader_read_host(&rule, host, allow ? URIVET_ALLOW : URIVET_DENY, &why)) {
		add(import, allow ? TO_HOSTS_ALLOW : TO_HOSTS_DENY, text_of(host), note);
	} else {
		add(import, TO_NONE, text, "it is no name, address or network");
	}
}

/* Returns the length of the host in "host:port", or of the whole text. */
static size_t host_length(struct octets text)
{
	size_t at = text.length;

	while (at > 0 && text.data[at - 1] >= '0' && text.data[at - 1] <= '9')
		at--;
	return at > 1 && at < text.length && text.data[at - 1] == ':' &&
		       !has(text_at(text.data, at - 1), ':')
		   ? at - 1
		   : text.length;
}

/* ---- Lists of hosts ----------------------------------------------------------------------- */

/* Returns true for an address that leads nowhere, or to the machine itself. */
static bool is_sink(struct octets text)
{
	struct urivet_network network;

	return urivet_network_from(&network, (const char *)text.data, text.length) &&
	       (text_has_at(text, 0, "127.") || is_word(text, "0.0.0.0") || is_word(text, "::") ||
		is_word(text, "::1"));
}

/* Reads a line of hosts(5). */
static void import_hosts(struct import *import, struct octets line)
{
	struct octets word, address = line;
	size_t words = 0;

	for (; next_word(&line, "", &word); words++)
		if (words == 0)
			address = word;
		else if (!is_sink(address))
			add(import, TO_NONE, word,
			    "it gives the name an address, and denies nothing");
		else if (!is_sink(word) && has(word, '.'))
			add_host(import, false, word, NULL);
	if (words == 1)
		add(import, TO_NONE, address, "it has no address before it");
}

/* Reads names, addresses, networks and NAME:PORT, as in NO_PROXY or in lists of these. */
static void import_words(struct import *import, struct octets line)
{
	const bool proxies = import->format->before[0] != '\0';
	struct octets word;

	while (next_word(&line, import->format->more, &word)) {
		const size_t host = host_length(word);

		if (proxies &&
		    (is_word(word, "export") || (line.length > 0 && line.data[0] == '=')))
			continue;
		if (host < word.length && import->allows)
			add_urls(import, text_ends_in(word, ":80") ? "http" : "https", word, "/",
				 NULL);
		else
			add_host(import, import->allows, text_at(word.data, host),
				 host < word.length ? "with any port"
				 : proxies && is_one_of(word.data[0], ".*")
				     ? "programs differ about the name itself"
				     : NULL);
	}
}

/* Reads a filter of AdBlock for a whole domain: "||example.com^" is about the names below it, too. */
static void import_adblock(struct import *import, struct octets line)
{
	struct octets rest = line;
	const struct octets name = text_cut(&rest, '^');

	if (line.data[0] == '!' || line.data[0] == '[' || text_has_at(line, 0, "# "))
		return;
	if (name.length == line.length || !text_has_at(line, 0, "||"))
		add(import, TO_NONE, line,
		    text_has_at(line, 0, "@@")
			? "an exception: what denies the name refuses it here"
			: "it is not about a whole domain");
	else if (rest.length > 0)
		add(import, TO_NONE, line, "it is limited by what follows ^");
	else
		add_host(import, false, text_after(name, 2), NULL);
}

/* Reads a line of dnsmasq(8) such as "address=/example.com/0.0.0.0", which is about the names below
 * the name, too. */
static void import_dnsmasq(struct import *import, struct octets line)
{
	struct octets key, word, to = line, rest = line;
	const bool any = next_word(&rest, "=", &key) && text_has_at(rest, 0, "=/");
	const bool address = is_word(key, "address");

	if (!any || text_has_at(rest, 0, "=//") || !has(text_after(rest, 2), '/') ||
	    !(address || is_word(key, "server") || is_word(key, "local"))) {
		add(import, TO_NONE, line, "it denies no name");
		return;
	}
	rest = text_after(rest, 1);
	while (line.data[line.length - 1] != '/')
		line.length--;
	to = text_after(to, line.length);
	rest.length -= to.length;
	while (next_word(&rest, "/", &word))
		if (to.length == 0 || (address && (is_word(to, "#") || is_sink(to))))
			add_host(import, false, word, NULL);
		else
			add(import, TO_NONE, word,
			    "it is answered; what denies a name above refuses it here");
}

/* ---- Content-Security-Policy ----------------------------------------------------------------- */

/* Schemes of sources, and those of the URLs that they match (CSP Level 3, 6.7.2.8). */
static const char *const schemes[][2] = {
    {"https", "https"}, {"http", "http https"}, {"wss", "wss https"}, {"ws", "ws wss http https"}};

/* Reads a source, such as "*.example.com" or "https://example.com/js/". Without a scheme it has that
 * of the page, here https. A path without a final slash is that path alone. */
static void import_source(struct import *import, struct octets source)
{
	const char *matched = "https", *why = NULL;
	struct octets rest = source, path, authority;
	bool alone;

	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
		const size_t length = strlen(schemes[i][0]);

		if (text_has_at(source, 0, schemes[i][0]) && text_has_at(source, length, "://")) {
			matched = schemes[i][1];
			rest = text_after(source, length + 3);
		}
	}
	path = rest;
	authority = text_cut(&path, '/');
	alone = path.length > 0 && path.data[path.length - 1] != '/';
	if (source.data[0] == '\'')
		why = is_word(source, "'self'") ? "write the site's own origin instead"
						: "it is about scripts in the page";
	else if (is_word(source, "*") || source.data[source.length - 1] == ':')
		why = "it allows every host";
	else if (text_ends_in(authority, ":*"))
		why = "a port cannot be any port";
	else if (text_ends_in(authority, ":") || rest.length > WORD_MOST)
		why = "it has a scheme that is not of the web, or is too long";
	if (why != NULL && !is_word(source, "'none'"))
		add(import, TO_NONE, source, why);
	else if (why == NULL && authority.length == rest.length && strcmp(matched, "https") == 0 &&
		 !has(rest, ':'))
		add_host(import, true, rest, NULL);
	else if (why == NULL)
		add_urls(import, matched, rest,
			 alone            ? "$"
			 : has(rest, '/') ? ""
					  : "/",
			 alone ? "without a query" : NULL);
}

/* Reads a header field or a policy, in one line or several: a directive ends with a semicolon. Each is
 * a part. A colon ends the name of a field, but not within a directive that goes on after white space. */
static void import_csp(struct import *import, struct octets line)
{
	const bool folded = line.data[0] <= ' ';
	struct octets word;

	while (line.length > 0) {
		const bool ends = has(line, ';');
		struct octets directive = text_cut(&line, ';');

		for (bool first = true; next_word(&directive, "", &word); first = false) {
			const bool field = first && word.data[word.length - 1] == ':' &&
					   (import->part == 0 || !folded);

			if (has(word, ',') || (field && import->parts > 0))
				import->second = import->line;
			if (field) {
				import->part = 0;
			} else if (import->part == 0) {
				import->part = ++import->parts;
				add(import, TO_NAMES, word, NULL);
			} else {
				import_source(import, word);
			}
		}
		import->part = ends ? 0 : import->part;
	}
}

/* ---- smokescreen ---------------------------------------------------------------------------- */

/* Reads a key of the YAML that smokescreen has. Each service, and "default", is a part. */
static void import_key(struct import *import, struct octets key, struct octets rest, size_t indent,
		       bool item)
{
	struct octets word;

	if (indent == 0 && !item) {
		import->part = is_word(key, "default:") ? ++import->parts : 0;
		import->indent = is_word(key, "services:") ? 0 : SIZE_MAX;
		if (import->part > 0)
			add(import, TO_NAMES, text_at(key.data, key.length - 1), NULL);
	} else if (item && (import->indent == 0 || import->indent == indent + 1)) {
		import->part = ++import->parts;
		import->indent = indent + 1;
	}
	import->list = is_word(key, "allowed_domains:") || is_word(key, "global_allow_list:")
			   ? TO_HOSTS_ALLOW
		       : is_word(key, "global_deny_list:") ? TO_HOSTS_DENY
							   : TO_NONE;
	import->allows = import->allows || import->list == TO_HOSTS_ALLOW;
	if (is_word(key, "allowed_external_proxies:"))
		add(import, TO_NONE, key, "a policy is not about proxies");
	else if (import->part > 0 && next_word(&rest, "'\"", &word)) {
		if (is_word(key, "name:"))
			add(import, TO_NAMES, word, NULL);
		else if (is_word(key, "action:") && !is_word(word, "enforce"))
			add(import, TO_OPEN, word, NULL);
	}
}

/* Reads a line: a key, or hosts of a list. */
static void import_smokescreen(struct import *import, struct octets line)
{
	struct octets word, rest = line;
	size_t indent;
	bool item;

	if (!next_word(&rest, "", &word))
		return;
	indent = (size_t)(word.data - line.data);
	item = is_word(word, "-");
	if (item && !next_word(&rest, "", &word))
		return;
	if (word.data[word.length - 1] == ':')
		import_key(import, word, rest, indent, item);
	else
		rest = text_at(word.data, word.length + rest.length);
	while (import->list != TO_NONE && next_word(&rest, "'\"[],", &word))
		add_host(import, import->list == TO_HOSTS_ALLOW, word,
			 import->list == TO_HOSTS_DENY ? "a service's own list wins in smokescreen"
						       : NULL);
}

/* ---- Formats ------------------------------------------------------------------------------- */

const char *const import_sources[] = {"adblock",   "allow-list",  "csp",
				      "deny-list", "dnsmasq",     "hosts",
				      "no-proxy",  "smokescreen", NULL};

static const struct list_format formats[] = {
    {import_adblock, false, false, NULL, "", ".", ""},
    {import_words, true, true, NULL, "", "", ""},
    {import_csp, true, false, "directive", "", "", "schemes: [https]\n"},
    {import_words, false, true, NULL, "", "", ""},
    {import_dnsmasq, false, true, NULL, "", ".", ""},
    {import_hosts, false, true, NULL, "", "", ""},
    {import_words, false, true, NULL, ",='\"[]", ".", ""},
    {import_smokescreen, false, true, "service", "", "", ""}};

/* Finds the number of the part with this name, or of the only one. Returns false after reporting
 * that there is none, or more than one. */
static bool choose_part(const struct import *import, const char *name, uint32_t *chosen)
{
	uint32_t count = 0;
	char names[300] = "none";
	size_t used = 0;

	for (size_t i = 0; i < import->count; i++) {
		const struct entry *entry = &import->entry[i];

		if (entry->target != TO_NAMES)
			continue;
		if (used < sizeof names - 70)
			used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s",
						 used > 0 ? ", " : "", entry->text);
		if (name == NULL || text_equals_in_any_case(text_of(entry->text), text_of(name))) {
			*chosen = entry->part;
			count++;
		}
	}
	if (count != 1)
		complain("policy import: --part=NAME has to name one %s: the file has %s",
			 import->format->part, names);
	return count == 1;
}

/* Sorts entries by their places in the policy, what is not translated by line. */
static int order_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int texts =
	    x->target == y->target && x->target < TO_NONE ? strcmp(x->text, y->text) : 0;

	return texts != 0 ? texts
			  : order_lists((uint64_t[]){x->target, x->line},
					(uint64_t[]){y->target, y->line}, 2);
}

/* Keeps the entries of the chosen part, each once, in order. */
static void keep_chosen(struct import *import, uint32_t chosen)
{
	struct entry *entry = import->entry, *end = entry + import->count, *last = NULL;

	import->allows = import->allows || chosen > 0;
	for (; entry < end; entry++)
		if (entry->target == TO_OPEN && entry->part == chosen)
			import->allows = false;
	if (import->count > 0)
		qsort(import->entry, import->count, sizeof *entry, order_entries);
	import->count = 0;
	for (entry = import->entry; entry < end; entry++) {
		if (entry->target > TO_NONE || (entry->part != 0 && entry->part != chosen) ||
		    (entry->target == TO_HOSTS_ALLOW && !import->allows) ||
		    (last != NULL && entry->target < TO_NONE && last->target == entry->target &&
		     strcmp(last->text, entry->text) == 0)) {
			free(entry->text);
			continue;
		}
		last = &import->entry[import->count++];
		*last = *entry;
		if (last->target == TO_ADDRESSES_ALLOW &&
		    import->entry[0].target != TO_HOSTS_ALLOW) {
			last->target = TO_NONE;
			last->note = "an allowed network needs an allowed name beside it";
		}
	}
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Writes the keys before an entry, if the one before has others. Returns the number of lines. */
static uint32_t put_keys(FILE *out, enum target before, enum target target)
{
	static const char *const groups[] = {"hosts", "hosts", "urls", "addresses", "addresses"};
	const bool same = before != TO_NONE && strcmp(groups[before], groups[target]) == 0;

	if (before == target)
		return 0;
	if (!same)
		(void)fprintf(out, "\n%s:\n", groups[target]);
	(void)fprintf(out, "  %s:\n",
		      target == TO_HOSTS_DENY || target == TO_ADDRESSES_DENY ? "deny" : "allow");
	return same ? 1 : 3;
}

/* Writes the entries; the next line of the policy has this number. Returns true if they say
 * something of what the list says. */
static bool put_entries(FILE *out, const struct import *import, uint32_t line)
{
	enum target last = TO_NONE;
	bool says = false;

	for (struct entry *entry = import->entry; entry < import->entry + import->count; entry++) {
		const bool used = entry->target < TO_NONE && entry->fault == NULL;
		const char *note = entry->fault != NULL ? entry->fault : entry->note;

		if (used) {
			line += put_keys(out, last, entry->target);
			last = entry->target;
		}
		says = says || (used && (!import->allows || entry->target == TO_HOSTS_ALLOW ||
					 entry->target == TO_URLS));
		entry->written = line++;
		(void)fprintf(out,
			      entry->target == TO_NONE ? "# not translated"
			      : !used                  ? "    # not needed, or not possible"
			      : entry->shared          ? "    - {name: \"%s\", shared: true}"
						       : "    - \"%s\"",
			      entry->text);
		if (note != NULL)
			(void)fprintf(out, "%s line %lu, %s: %s", used ? " #" : ":",
				      (unsigned long)entry->line, entry->text, note);
		(void)fputc('\n', out);
	}
	return says;
}

static int order_written(const void *line, const void *entry)
{
	return order_numbers(*(const uint32_t *)line, ((const struct entry *)entry)->written);
}

/* Stores the fault of a line at the entry that it has. */
static void take_fault(void *context, const struct urivet_message *message)
{
	struct import *import = context;
	struct entry *entry =
	    bsearch(&message->line, import->entry, import->count, sizeof *entry, order_written);

	if (entry == NULL) {
		complain_of_policy(NULL, message);
	} else if (!entry->shared && strstr(message->text, "shared: true") != NULL) {
		entry->shared = true;
		entry->note = "a public suffix: anybody can register names below it";
	} else if (entry->fault == NULL) {
		entry->fault = copy_text(text_of(message->text));
		import->no_memory = import->no_memory || entry->fault == NULL;
	}
}

/* Writes the policy. Returns true if it says something of what the list says, or memory is short. */
static bool put_policy(struct import *import, const char *from, const char *part)
{
	FILE *out;
	bool says;

	free(import->policy);
	import->policy = NULL;
	out = open_memstream(&import->policy, &import->length);
	if (out == NULL)
		return import->no_memory = true;
	(void)fprintf(out,
		      "# Imported by urivet policy import --from=%s%s%s. What it %s is refused.\n"
		      "base: public\n%s",
		      from, part != NULL ? " --part=" : "", part != NULL ? part : "",
		      import->allows ? "does not list" : "lists", import->format->keys);
	says = put_entries(out, import, import->format->keys[0] != '\0' ? 4 : 3);
	import->no_memory = import->no_memory || ferror(out) != 0;
	import->no_memory = fclose(out) != 0 || import->no_memory;
	return says || import->no_memory;
}

/* Writes the policy until it is one: entries that are at fault become comments. */
static enum status make_policy(struct import *import, const char *from, const char *part)
{
	const struct entry *first = import->entry;
	struct urivet_loaded *loaded = NULL;

	if (import->count == 0) {
		complain("policy import: the list is empty, or not one of %s", from);
		return STATUS_REFUSED;
	}
	for (unsigned round = 0; loaded == NULL && round < ROUNDS_MOST; round++) {
		if (!put_policy(import, from, part)) {
			complain("policy import: a policy can say nothing of this list: line %lu, "
				 "%s: %s",
				 (unsigned long)first->line, first->text,
				 first->fault != NULL ? first->fault : first->note);
			return STATUS_REFUSED;
		}
		if (import->no_memory)
			return trouble("%s", strerror(ENOMEM));
		loaded = urivet_loader_text(import->policy, import->length, "policy", true,
					    take_fault, import);
	}
	if (loaded == NULL)
		return trouble("policy import: the list has more entries than a policy may have");
	urivet_loaded_release(loaded);
	return STATUS_ACCEPTED;
}

/* ---- The command ------------------------------------------------------------------------ */

/* Reads the lines. Returns false after reporting that the file is no text, or an error. */
static bool read_lines(struct import *import, const char *name)
{
	struct octets content, rest;
	bool good = true;

	if (!file_load(&content, name, IMPORT_MOST))
		return false;
	rest = text_after(content, text_has_at(content, 0, "\xEF\xBB\xBF") ? 3 : 0);
	while (good && rest.length > 0) {
		struct octets line = text_cut(&rest, '\n');
		const uint8_t *nul = memchr(line.data, '\0', line.length);

		import->line++;
		good = nul == NULL && !import->no_memory;
		if (nul != NULL)
			complain("%s:%lu:%lu: an octet 0: the file is no text", name,
				 (unsigned long)import->line, (unsigned long)(nul - line.data) + 1);
		for (size_t at = 0; at < line.length && import->format->comments; at++)
			if (line.data[at] == '#' && (at == 0 || line.data[at - 1] <= ' '))
				line.length = at;
		line = text_trim(line, "", " \t\r");
		if (good && line.length > 0)
			import->format->read(import, line);
	}
	free((void *)(uintptr_t)content.data);
	return good && !import->no_memory;
}

static enum status import_file(struct import *import, const struct options *options)
{
	const char *part = options->action.part;
	uint32_t chosen = 0;

	if (import->format->part == NULL && part != NULL)
		return trouble("policy import: --part is for csp and smokescreen");
	if (!read_lines(import, options->reading.operand[1]))
		return import->no_memory ? trouble("%s", strerror(ENOMEM)) : STATUS_TROUBLE;
	if (import->second > 0)
		return trouble("policy import: line %lu begins another policy: import one alone",
			       (unsigned long)import->second);
	if ((import->parts > 0 || part != NULL) && !choose_part(import, part, &chosen))
		return STATUS_TROUBLE;
	keep_chosen(import, chosen);
	return make_policy(import, import_sources[options->action.source - 1], part);
}

enum status policy_import(const struct options *options)
{
	struct import import = {.list = TO_NONE};
	enum status status;

	if (options->action.source == 0)
		return trouble("policy import: say what the file is: --from=LIST");
	import.format = &formats[options->action.source - 1];
	import.allows = import.format->allows;
	status = import_file(&import, options);
	if (status == STATUS_ACCEPTED && !options->showing.quiet &&
	    !paint_text(text_at(import.policy, import.length)))
		status = STATUS_TROUBLE;
	for (size_t i = 0; i < import.count; i++) {
		free(import.entry[i].text);
		free(import.entry[i].fault);
	}
	free(import.entry);
	free(import.policy);
	return status;
}
