/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds policy files from items whose meaning is known. The octets of the fuzzer choose the items.
 * The same items make a struct urivet_policy without the loader, and files in any order and style of
 * YAML. At most one fault is put in; its line and column are known.
 *
 * The items of a slot belong together: a denial below an allowance, a path below another one. Slots
 * have nothing to do with each other, so a file without one of them means the same to all others.
 */
#ifndef BUILT_POLICY_H
#define BUILT_POLICY_H

#include <urivet/rules.h>

#include "common/finding_set.h"
#include "../tests/built_in.h"
#include "built.h"

#define ITEMS_MOST 96u
#define TEXT_MOST  320u
#define NO_SLOT    255u /* of settings, and of inputs that many items may be about */
#define NOTHING    256u /* no slot is left out */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Keys ------------------------------------------------------------------------------- */

enum key {
	KEY_BASE,
	KEY_NAME,
	KEY_MODE,
	KEY_OPAQUE_QUERY,
	KEY_LENGTH,
	KEY_HOST,
	KEY_LABEL,
	KEY_SCHEMES,
	KEY_PORTS_HTTP,
	KEY_PORTS_HTTPS,
	KEY_PORTS_WS,
	KEY_PORTS_WSS,
	KEY_PORTS_FTP,
	KEY_HOSTS_ALLOW,
	KEY_HOSTS_DENY,
	KEY_URLS_ALLOW,
	KEY_URLS_ALSO,
	KEY_FORBIDDEN,
	KEY_ADDRESSES_ALLOW,
	KEY_ADDRESSES_DENY,
	KEY_NAT64,
	KEY_ALLOW,
	KEY_REFUSE,
	KEY_PROTECT,
	KEY_PATHS,
	KEY_STRIP,
	KEY_PARAMETERS,
	KEYS,
};

static const struct {
	const char *group, *name; /* group "": of the file */
	bool list;
} keys[KEYS] = {
    {"", "base", false},          {"", "name", false},         {"", "mode", false},
    {"", "opaque_query", false},  {"limits", "length", false}, {"limits", "host", false},
    {"limits", "label", false},   {"", "schemes", true},       {"ports", "http", true},
    {"ports", "https", true},     {"ports", "ws", true},       {"ports", "wss", true},
    {"ports", "ftp", true},       {"hosts", "allow", true},    {"hosts", "deny", true},
    {"urls", "allow", true},      {"urls", "also", true},      {"urls", "forbid_parameters", true},
    {"addresses", "allow", true}, {"addresses", "deny", true}, {"addresses", "nat64", true},
    {"", "allow", true},          {"", "refuse", true},        {"", "protect", true},
    {"", "paths", true},          {"", "strip_prefix", true},  {"", "parameters", true},
};

/* ---- Items ------------------------------------------------------------------------------ */

/* A value of a key, or an element of its list. */
struct item {
	uint8_t key, slot;
	bool raw;    /* written as it is: numbers, flags, texts with their quotes */
	bool shared; /* hosts.allow: {name: ..., shared: true} */
	char text[TEXT_MOST];
	const char *methods; /* paths: NULL or "GET, POST" */
	unsigned waives[2];  /* paths: findings, or 0; parameters: one or none */
	unsigned options;    /* parameters: bits of the options */
	const char *policy;  /* parameters: NULL: none is named */
	/* what it means */
	struct urivet_network network;
	uint16_t first, last;  /* ports */
	uint32_t line, column; /* in the file that was written last */
};

struct model {
	struct item item[ITEMS_MOST];
	uint32_t items, slots;
	bool present[KEYS];
	int base;
	bool observes;
	bool narrow; /* limits are lower than names and URLs of the probes */
	struct urivet_policy policy;
	struct urivet_host_rule hosts[ITEMS_MOST];
	struct urivet_address_rule addresses[ITEMS_MOST];
	struct urivet_port_rule ports[ITEMS_MOST];
	struct urivet_url_rule urls[ITEMS_MOST];
	struct urivet_path_rule paths[ITEMS_MOST];
	struct urivet_network nat64[ITEMS_MOST];
	struct urivet_protected protect[ITEMS_MOST];
	char path_text[ITEMS_MOST][TEXT_MOST];
};

static struct item *add_item(struct model *m, enum key key, uint32_t slot, const char *text)
{
	struct item *item = &m->item[m->items++];
	memset(item, 0, sizeof *item);
	item->key = (uint8_t)key;
	item->slot = (uint8_t)slot;
	snprintf(item->text, sizeof item->text, "%s", text);
	m->present[key] = true;
	return item;
}

static bool has_room(const struct model *m)
{
	return m->items + 8 < ITEMS_MOST;
}

static const char *one_of(struct dice *d, const char *const *words, uint32_t count)
{
	return words[below(d, count)];
}

#define ONE_OF(d, words) one_of(d, words, COUNT(words))

/* ---- Settings --------------------------------------------------------------------------- */

static void add_base(struct model *m, struct dice *d)
{
	m->base = (int)below(d, URIVET_BASES);
	oracle(urivet_policy_init(&m->policy, sizeof m->policy, m->base), "a base is known");
	if (m->base != URIVET_STRICT || below(d, 2) == 0)
		add_item(m, KEY_BASE, NO_SLOT, urivet_policy_name((unsigned)m->base));
}

static void add_mode(struct model *m, struct dice *d)
{
	static const char *const names[] = {"proxy", "a b: c", "\xc3\xa9t\xc3\xa9 # 1", "true",
					    "~"};
	m->policy.name = ONE_OF(d, names);
	add_item(m, KEY_NAME, NO_SLOT, m->policy.name);
	m->observes = below(d, 3) == 0;
	if (m->observes || below(d, 2) == 0)
		add_item(m, KEY_MODE, NO_SLOT, m->observes ? "observe" : "enforce");
	if (below(d, 3) > 0)
		return;
	m->policy.opaque_query = below(d, 2) == 0;
	add_item(m, KEY_OPAQUE_QUERY, NO_SLOT, m->policy.opaque_query ? "true" : "false")->raw =
	    true;
}

static void add_limit(struct model *m, struct dice *d, enum key key, uint32_t *limit, uint32_t most)
{
	const uint32_t around[] = {most, most - 1, 1, border(d, most)};
	char text[16];
	if (below(d, 3) > 0)
		return;
	*limit = around[below(d, COUNT(around))];
	snprintf(text, sizeof text, "%u", *limit);
	add_item(m, key, NO_SLOT, text)->raw = true;
}

static void add_limits(struct model *m, struct dice *d)
{
	if (below(d, 3) == 0) {
		add_limit(m, d, KEY_LENGTH, &m->policy.max_length, URIVET_MAX_LENGTH);
		add_limit(m, d, KEY_HOST, &m->policy.max_host, 253);
		if (m->policy.max_host >= 63) /* a longer label changes nothing */
			add_limit(m, d, KEY_LABEL, &m->policy.max_label, 63);
	}
	m->narrow =
	    m->policy.max_length < 1024 || m->policy.max_host < 253 || m->policy.max_label < 63;
}

static void add_schemes(struct model *m, struct dice *d)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} all[] = {{"https", 1u << URIVET_SCHEME_HTTPS},
		   {"http", 1u << URIVET_SCHEME_HTTP},
		   {"ws", 1u << URIVET_SCHEME_WS},
		   {"wss", 1u << URIVET_SCHEME_WSS},
		   {"ftp", 1u << URIVET_SCHEME_FTP},
		   {"other", 1u << URIVET_SCHEME_OTHER},
		   {"mailto", 0},
		   {"mail", 0},
		   {"tel", 0},
		   {"telx", 0}};
	if (below(d, 2) == 0)
		return;
	m->policy.schemes = 0;
	for (uint32_t k = 0; k < COUNT(all); k++) {
		const size_t used = strlen(m->policy.scheme_names);
		if (k > 0 && below(d, 2) == 0) /* https is always there */
			continue;
		add_item(m, KEY_SCHEMES, NO_SLOT, all[k].name);
		m->policy.schemes |= all[k].bit;
		if (all[k].bit == 0)
			snprintf(m->policy.scheme_names + used,
				 sizeof m->policy.scheme_names - used, "%s ", all[k].name);
	}
}

static const uint32_t scheme_bit[] = {1u << URIVET_SCHEME_HTTP, 1u << URIVET_SCHEME_HTTPS,
				      1u << URIVET_SCHEME_WS, 1u << URIVET_SCHEME_WSS,
				      1u << URIVET_SCHEME_FTP};

static void add_port(struct model *m, enum key key, uint16_t first, uint16_t last)
{
	char text[16];
	snprintf(text, sizeof text, first == last ? "%u" : "%u-%u", first, last);
	struct item *item = add_item(m, key, m->slots, text);
	item->raw = first == last;
	item->first = first;
	item->last = last;
	m->ports[m->policy.port_count++] = (struct urivet_port_rule){
	    scheme_bit[key - KEY_PORTS_HTTP], first, last, (uint32_t)(item - m->item)};
}

/* Ports of a scheme that is allowed; ranges lie apart. 6000 lies in a range and is blocked. */
static void add_ports(struct model *m, struct dice *d)
{
	static const uint16_t ranges[][2] = {{1, 1},         {2, 18},        {1024, 1025},
					     {5990, 6010},   {8080, 8080},   {9001, 9041},
					     {32767, 32768}, {40000, 50000}, {65534, 65535}};
	for (unsigned scheme = 0; scheme < 5; scheme++) {
		if ((m->policy.schemes & scheme_bit[scheme]) == 0 || below(d, 3) > 0)
			continue;
		for (unsigned k = 0; k < COUNT(ranges) && has_room(m); k++) {
			if (below(d, 4) > 0)
				continue;
			add_port(m, KEY_PORTS_HTTP + scheme, ranges[k][0], ranges[k][1]);
			if (ranges[k][0] == 5990 && below(d, 2) == 0)
				add_port(m, KEY_PORTS_HTTP + scheme, 6000, 6000);
			m->slots++;
		}
	}
}

/* ---- Hosts ------------------------------------------------------------------------------ */

/* Returns the name of a rule, without what says which names it is about. */
static const char *bare_name(const char *text)
{
	return text + (text[0] == '*' || text[0] == '+' ? 2 : text[0] == '.');
}

static void add_host(struct model *m, enum key key, const char *text, bool shared)
{
	struct item *item = add_item(m, key, m->slots, text);
	struct urivet_host_rule *rule = &m->hosts[m->policy.hosts.count++];
	const char *const name = bare_name(item->text);
	const size_t length = strlen(name);
	item->shared = shared;
	rule->name = name;
	rule->length = (uint32_t)(length - (name[length - 1] == '.'));
	rule->scope = item->text[0] == '*'   ? URIVET_SCOPE_BELOW
		      : item->text[0] == '+' ? URIVET_SCOPE_LABEL
		      : item->text[0] == '.' ? URIVET_SCOPE_TREE
					     : URIVET_SCOPE_HOST;
	rule->action = key == KEY_HOSTS_ALLOW ? URIVET_ALLOW : URIVET_DENY;
	rule->tag = (uint32_t)(item - m->item);
}

/* Writes a name of its own for the slot, of many labels or few. */
static void name_of_slot(struct model *m, struct dice *d, char name[TEXT_MOST])
{
	static const char *const ends[] = {"com", "org", "net", "De", "com."};
	const uint32_t shape = below(d, 8);
	size_t used = 0;
	for (uint32_t k = shape == 0 ? 56 + below(d, 60) : 0; k > 0; k--)
		used += (size_t)snprintf(name + used, TEXT_MOST - used, "w.");
	for (uint32_t k = shape == 1 ? border(d, 51) : 0; k > 0; k--)
		name[used++] = 'y';
	snprintf(name + used, TEXT_MOST - used, "slot%c%c.%s", 'a' + m->slots % 26,
		 'a' + m->slots / 26, ONE_OF(d, ends));
}

static void add_host_slot(struct model *m, struct dice *d, bool only)
{
	static const char *const scopes[] = {"", ".", "*.", "+."};
	char name[TEXT_MOST], text[2 * TEXT_MOST];
	const uint32_t shape = below(d, 4);
	const char *const scope = ONE_OF(d, scopes);
	name_of_slot(m, d, name);
	snprintf(text, sizeof text, "%s%s", scope, name);
	add_host(m, only ? KEY_HOSTS_ALLOW : KEY_HOSTS_DENY, text, only && below(d, 8) == 0);
	if (below(d, 4) == 0) { /* a name that ends alike, and is none below */
		snprintf(text, sizeof text, "not%s", name);
		add_host(m, only ? KEY_HOSTS_ALLOW : KEY_HOSTS_DENY, text, false);
	}
	if (only && shape > 0 && scope[0] != '\0') { /* a denial below the allowance */
		snprintf(text, sizeof text, "%sx.%s", scope[0] == '+' ? "" : scopes[shape - 1],
			 name);
		add_host(m, KEY_HOSTS_DENY, text, false);
	}
	m->slots++;
}

static void add_hosts(struct model *m, struct dice *d)
{
	const uint32_t kind = below(d, 4);
	m->policy.hosts.only = kind >= 2;
	for (uint32_t k = kind == 0 ? 0 : 1 + below(d, 6); k > 0 && has_room(m); k--)
		add_host_slot(m, d, m->policy.hosts.only);
	if (kind == 3) { /* names of addresses, and all names below a public suffix */
		add_host(m, KEY_HOSTS_ALLOW, ".sslip.io", true);
		m->slots++;
		add_host(m, KEY_HOSTS_ALLOW, below(d, 2) == 0 ? ".co.uk" : "*.Github.io.", true);
		m->slots++;
	}
}

/* ---- Addresses -------------------------------------------------------------------------- */

static void write_network(char text[TEXT_MOST], const struct urivet_network *n)
{
	const uint8_t *const a = n->address;
	size_t used = 0;
	if (n->octets == 4)
		used = (size_t)snprintf(text, TEXT_MOST, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
	for (unsigned k = 0; n->octets == 16 && k < 8; k++)
		used += (size_t)snprintf(text + used, TEXT_MOST - used, k == 0 ? "%x" : ":%x",
					 a[2 * k] * 256u + a[2 * k + 1]);
	if (n->length < 8 * n->octets)
		snprintf(text + used, TEXT_MOST - used, "/%u", n->length);
}

/* Clears the bits after the prefix. */
static void cut_network(struct urivet_network *n)
{
	for (unsigned bit = n->length; bit < 128; bit++)
		n->address[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
}

static void add_network(struct model *m, enum key key, struct urivet_network network)
{
	char text[TEXT_MOST];
	struct item *item;
	cut_network(&network);
	write_network(text, &network);
	item = add_item(m, key, m->slots, text);
	item->network = network;
	if (key == KEY_NAT64)
		m->nat64[m->policy.nat64_count++] = network;
	else
		m->addresses[m->policy.addresses.count++] = (struct urivet_address_rule){
		    network, key == KEY_ADDRESSES_ALLOW ? URIVET_ALLOW : URIVET_DENY,
		    (uint32_t)(item - m->item)};
}

/* A network whose first octets belong to the slot: first octets of blocks and of none. */
static void add_network_slot(struct model *m, struct dice *d, unsigned k)
{
	static const uint8_t first[] = {10, 127, 169, 192, 8, 100, 203, 52};
	const unsigned octets = below(d, 2) == 0 ? 4 : 16, least = octets == 4 ? 8 : 24;
	const enum key key = below(d, 2) == 0 && m->policy.hosts.only ? KEY_ADDRESSES_ALLOW : KEY_ADDRESSES_DENY;
	struct urivet_network n = {{first[k]}, (uint8_t)octets, 0}, inner;
	for (unsigned i = 1; i < octets; i++)
		n.address[i] = (uint8_t)below(d, 256);
	if (octets == 16) {
		n.address[0] = 0x26;
		n.address[1] = (uint8_t)(k + 1);
	}
	n.length = (uint8_t)(below(d, 3) == 0 ? 8 * octets : least + below(d, 8 * octets - least));
	inner = n;
	add_network(m, key, n);
	if (key == KEY_ADDRESSES_ALLOW && n.length + 1u < 8 * octets && below(d, 2) == 0) {
		inner.length = (uint8_t)(n.length + 1 + below(d, 8 * octets - n.length));
		add_network(m, KEY_ADDRESSES_DENY, inner);
	}
	m->slots++;
}

static void add_addresses(struct model *m, struct dice *d)
{
	static const uint8_t lengths[] = {32, 40, 48, 56, 64, 96};
	const unsigned count = below(d, 7);
	for (unsigned k = 0; k < count && has_room(m); k++)
		add_network_slot(m, d, k);
	if (below(d, 2) == 0)
		return;
	struct urivet_network n = {
	    {0x2a, 0x0a, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9}, 16, lengths[below(d, COUNT(lengths))]};
	add_network(m, KEY_NAT64, n);
	if (below(d, 4) == 0) /* denied as it stands, whatever it leads to */
		add_network(m, KEY_ADDRESSES_DENY, n);
	m->slots++;
}

/* ---- URLs and paths --------------------------------------------------------------------- */

static void add_url(struct model *m, enum key key, const char *text)
{
	struct item *item = add_item(m, key, m->slots++, text);
	struct urivet_url_rule *rule = &m->urls[m->policy.url_count++];
	oracle(urivet_url_rule_from(rule, item->text, strlen(item->text)),
	       "a rule for URLs is one");
	rule->tag = (uint32_t)(item - m->item);
}

static void add_urls(struct model *m, struct dice *d)
{
	static const char *const fronts[] = {"https://", "http://", "https://.", "https://*.",
					     "ws://",    "https://+."};
	static const char *const ports[] = {"", "", ":8443", ":19", ":65533"};
	static const char *const paths[] = {"", "/", "/cb", "/cb/", "/cb$", "/a/b.c/%20$",
					    "$"};
	static const char *const forbidden[] = {"code", "co", "state", "err-or"};
	const bool vain = m->base == URIVET_GATEWAY || (m->policy.port_count > 0 && !m->policy.hosts.only);
	const enum key key = below(d, 2) == 0 && !vain ? KEY_URLS_ALLOW : KEY_URLS_ALSO;
	uint32_t count = below(d, 2) == 0 ? 0 : 1 + below(d, 4);
	if (count == 0)
		return;
	m->policy.urls_also = key == KEY_URLS_ALSO;
	for (; count > 0 && has_room(m); count--) {
		char text[TEXT_MOST];
		snprintf(text, sizeof text, "%surl%c%c.com%s%s", ONE_OF(d, fronts),
			 'a' + m->slots % 26, 'a' + m->slots / 26, ONE_OF(d, ports),
			 ONE_OF(d, paths));
		add_url(m, key, text);
	}
	if (below(d, 3) == 0)
		add_url(m, key, "http://[::1]:*/cb");
	if (below(d, 3) == 0)
		add_url(m, key, "com.example.app:/cb");
	for (uint32_t k = 0; k < COUNT(forbidden); k++) {
		const size_t used = strlen(m->policy.forbidden_parameters);
		if (below(d, 4) > 0)
			continue;
		add_item(m, KEY_FORBIDDEN, NO_SLOT, forbidden[k]);
		snprintf(m->policy.forbidden_parameters + used,
			 sizeof m->policy.forbidden_parameters - used, "%s ", forbidden[k]);
	}
}

/* Findings that every base refuses in a path, that rules for paths may waive, and a path for each. */
static const struct {
	unsigned id;
	const char *path;
} waivers[] = {
    {URIVET_F_ESCAPED_SLASH, "k%2Fk"},
    {URIVET_F_ESCAPED_UNRESERVED, "k%61k"},
    {URIVET_F_LATIN1_ESCAPE, "k%E9k"},
    {URIVET_F_INVALID_UTF8_ESCAPE, "x%ed%a0%80x"},
};

/* Findings that every base refuses in a query, that rules for parameters may waive, and a value for each. */
static const struct {
	unsigned id;
	const char *value;
} allowances[] = {
    {URIVET_F_ESCAPED_CRLF, "k%0D%0Ak"},
    {URIVET_F_ESCAPED_UNRESERVED, "k%61k"},
    {URIVET_F_ESCAPED_BIDI, "k%E2%80%AEk"},
};

static void add_path(struct model *m, const char *prefix, const char *methods, unsigned waiver)
{
	struct item *item = add_item(m, KEY_PATHS, m->slots, prefix);
	struct urivet_path_rule *rule = &m->paths[m->policy.path_count];
	char *text = m->path_text[m->policy.path_count++];
	size_t used = 0;
	item->methods = methods;
	item->waives[0] = waivers[waiver].id;
	item->waives[1] = URIVET_F_PATH_FINAL_SEMICOLON;
	for (const char *at = methods; at != NULL && *at != '\0'; at++)
		if (*at != ' ')
			text[used++] = *at;
	snprintf(text + used, TEXT_MOST - used, "%s%s", used > 0 ? " " : "", prefix);
	oracle(urivet_path_rule_from(rule, text, strlen(text)), "a rule for paths is one");
	for (unsigned k = 0; k < 2; k++)
		rule->waived.bits[item->waives[k] / 64] |= UINT64_C(1) << item->waives[k] % 64;
	rule->tag = (uint32_t)(item - m->item);
}

static void add_paths(struct model *m, struct dice *d)
{
	static const char *const methods[] = {NULL, NULL, "GET", "GET, POST", "PROPFIND, X-A, GET"};
	for (uint32_t count = below(d, 4); count > 0 && has_room(m); count--) {
		const unsigned waiver = below(d, COUNT(waivers));
		const char *const asked = ONE_OF(d, methods);
		char prefix[TEXT_MOST];
		size_t used = (size_t)snprintf(prefix, sizeof prefix, "/p%u%s", m->slots,
					       below(d, 2) == 0 ? "/" : "");
		add_path(m, prefix, asked, waiver);
		if (below(d, 2) == 0) { /* a narrower one, which may waive something else */
			snprintf(prefix + used, sizeof prefix - used, "%s",
				 prefix[used - 1] == '/' ? "sub" : "/sub");
			add_path(m, prefix, asked, below(d, COUNT(waivers)));
		}
		m->slots++;
	}
	if (below(d, 4) == 0 && has_room(m)) { /* one path alone */
		char prefix[TEXT_MOST];
		snprintf(prefix, sizeof prefix, "/p%u$", m->slots);
		add_path(m, prefix, ONE_OF(d, methods), below(d, COUNT(waivers)));
		m->slots++;
	}
	if (below(d, 4) == 0) {
		struct urivet_path_rule *rule = &m->paths[m->policy.path_count++];
		struct item *item = add_item(m, KEY_STRIP, m->slots++, "/strip");
		oracle(urivet_path_rule_from(rule, item->text, 6), "a prefix is one");
		rule->strips = 1;
		rule->tag = (uint32_t)(item - m->item);
	}
}

/* ---- Parameters ---------------------------------------------------------------------------- */

enum option { SAME_ORIGIN, ROOTED, ABSOLUTE, ANY_CASE, SEMICOLONS, ONCE, TWICE, OPTIONS };

static const char *const options[OPTIONS] = {"same_origin: true", "rooted: true",     "absolute: true", "any_case: true",
					     "semicolons: true",  "decode: 1", "decode: 2"};

static bool has_option(const struct item *item, enum option option)
{
	return (item->options >> option & 1) != 0;
}

/* Returns true if the value is judged as a URL or path; with `allow` alone it is text. */
static bool judges_value(const struct item *item)
{
	return item->waives[0] == 0 || item->policy != NULL || has_option(item, SAME_ORIGIN) || has_option(item, ROOTED) ||
	       has_option(item, ABSOLUTE) || has_option(item, ONCE) || has_option(item, TWICE);
}

static void add_parameters(struct model *m, struct dice *d)
{
	static const char *const policies[] = {NULL, NULL, "public", "strict"};
	bool all = false;
	for (uint32_t count = below(d, 2) * below(d, 5); count > 0 && has_room(m); count--) {
		char name[TEXT_MOST];
		struct item *item;
		snprintf(name, sizeof name, "par%c%c", 'a' + m->slots % 26, 'a' + m->slots / 26);
		item = add_item(m, KEY_PARAMETERS, m->slots++, !all && below(d, 8) == 0 ? "*" : name);
		if (item->text[0] != '*' && below(d, 2) == 0)
			item->waives[0] = allowances[below(d, COUNT(allowances))].id;
		all = all || item->text[0] == '*';
		item->options = item->waives[0] == 0 || below(d, 4) == 0 ? below(d, 1u << OPTIONS) : 0;
		if (has_option(item, ROOTED) && has_option(item, ABSOLUTE))
			item->options &= ~(1u << ROOTED);
		if (has_option(item, ONCE) && has_option(item, TWICE))
			item->options &= ~(3u << ONCE);
		item->policy = item->options != 0 ? ONE_OF(d, policies) : NULL;
		if (item->options == 0 && item->waives[0] == 0)
			item->policy = "public";
		if (!judges_value(item)) /* the other options have no effect */
			item->options = 0;
	}
}

/* ---- Findings and names ----------------------------------------------------------------- */

/* Returns true if a policy may waive the finding: urivet-policy(5), `allow`. Those that rules for
 * paths of a model waive are not waived everywhere. */
static bool may_be_allowed(const struct urivet_finding_row *row, unsigned id)
{
	for (unsigned k = 0; k < COUNT(waivers); k++)
		if (waivers[k].id == id)
			return false;
	for (unsigned k = 0; k < COUNT(allowances); k++)
		if (allowances[k].id == id)
			return false;
	if (id == URIVET_F_PATH_FINAL_SEMICOLON || id == URIVET_F_URL_TOO_LONG ||
	    id == URIVET_F_HOST_NOT_ALLOWED || id == URIVET_F_URL_NOT_ALLOWED) /* switch a list off */
		return false;
	return row->class_ != URIVET_MALFORMED || id == URIVET_F_BAD_ESCAPE ||
	       id == URIVET_F_FORBIDDEN_CHAR || id == URIVET_F_NON_ASCII ||
	       id == URIVET_F_QUERY_NESTED_BRACKETS;
}

/* Returns true if the finding in `allow` or `refuse` may change a verdict: others are an error. */
static bool has_effect(const struct model *m, const struct urivet_finding_row *row, bool allow)
{
	static const unsigned keyed[] = {URIVET_F_HOST_NOT_ALLOWED, URIVET_F_HOST_DENIED,    URIVET_F_URL_NOT_ALLOWED,
					 URIVET_F_ADDR_DENIED,	    URIVET_F_PARAM_REFUSED,  URIVET_F_IDN_BRAND_CONFUSABLE,
					 URIVET_F_BRAND_AS_LABEL,   URIVET_F_HOST_UNKNOWN_TLD};
	struct urivet_policy base;
	for (unsigned k = 0; k < COUNT(keyed); k++)
		if (keyed[k] == row->id)
			return false;
	oracle(urivet_policy_init(&base, sizeof base, m->base), "a base is one");
	return allow == (row->class_ >= URIVET_POLICY ? in_set(&base.raised, row->id) : !in_set(&base.waived, row->id));
}

static void add_findings(struct model *m, struct dice *d)
{
	struct urivet_policy *p = &m->policy;
	for (uint32_t count = below(d, 2) * below(d, 5); count > 0 && has_room(m); count--) {
		const unsigned id = 1 + below(d, URIVET_FINDING_LIMIT - 1);
		const struct urivet_finding_row *row = urivet_finding_info(id);
		const uint64_t bit = UINT64_C(1) << id % 64;
		bool again = row == NULL || id == URIVET_F_HOST_PUBLIC_SUFFIX;
		for (uint32_t k = 0; k < m->items && !again; k++)
			again = (m->item[k].key == KEY_ALLOW || m->item[k].key == KEY_REFUSE) &&
				strcmp(m->item[k].text, row->name) == 0;
		const bool allow = !again && may_be_allowed(row, id) && below(d, 2) == 0;
		if (again || !has_effect(m, row, allow))
			continue;
		if (allow) {
			add_item(m, KEY_ALLOW, NO_SLOT, row->name);
			p->waived.bits[id / 64] |= bit;
			p->raised.bits[id / 64] &= ~bit;
		} else {
			add_item(m, KEY_REFUSE, NO_SLOT, row->name);
			p->raised.bits[id / 64] |= bit;
			p->waived.bits[id / 64] &= ~bit;
		}
	}
}

static void add_protected(struct model *m, struct dice *d)
{
	for (uint32_t count = below(d, 2) * below(d, 4); count > 0 && has_room(m); count--) {
		char text[TEXT_MOST];
		struct item *item;
		snprintf(text, sizeof text, "brand%c%c.com", 'a' + m->slots % 26,
			 'a' + m->slots / 26);
		item = add_item(m, KEY_PROTECT, m->slots++, text);
		oracle(urivet_protected_from(&m->protect[m->policy.protect_count], item->text,
					     strlen(item->text)),
		       "a name can be protected");
		m->protect[m->policy.protect_count++].name.tag = (uint32_t)(item - m->item);
	}
	qsort(m->protect, m->policy.protect_count, sizeof m->protect[0],
	      urivet_order(URIVET_LIST_PROTECTED));
}

/* Builds a policy. Its lists are not declared sorted, and it has no seal and no index. */
static void build_policy(struct model *m, struct dice *d)
{
	memset(m, 0, sizeof *m);
	add_base(m, d);
	add_mode(m, d);
	add_limits(m, d);
	add_schemes(m, d);
	add_ports(m, d);
	add_hosts(m, d);
	add_addresses(m, d);
	add_urls(m, d);
	add_findings(m, d);
	add_protected(m, d);
	add_paths(m, d);
	add_parameters(m, d);
	m->policy.hosts.rule = m->hosts;
	m->policy.addresses.rule = m->addresses;
	m->policy.ports = m->ports;
	m->policy.urls = m->urls;
	m->policy.paths = m->paths;
	m->policy.nat64 = m->nat64;
	m->policy.protect = m->protect;
	oracle(urivet_policy_finish(&m->policy, NULL, 0), "a policy of known rules is valid");
	m->policy.seal = 0;
}

/* ---- Writing ---------------------------------------------------------------------------- */

#define FILE_MOST 65536u

enum layout { LAYOUT_BLOCK, LAYOUT_FLOW, LAYOUT_ONE_LINE };

/* A file while it is written. `left_out` is the slot that is left out, or NOTHING. `twice` is
 * a member that follows all others, or NULL. */
struct page {
	char text[FILE_MOST];
	size_t length;
	uint32_t line, column;
	enum layout layout;
	bool begun; /* of a group or list in brackets: it has an element */
	uint32_t left_out;
	const char *twice;
	uint32_t twice_line, twice_column;
	uint8_t order[ITEMS_MOST];
};

static void put_text(struct page *p, const char *text)
{
	for (; *text != '\0' && p->length + 1 < sizeof p->text; text++) {
		p->text[p->length++] = *text;
		p->column = *text == '\n' ? 1 : p->column + 1;
		p->line += *text == '\n';
	}
}

/* Writes a text in one of the forms that mean it. */
static void put_word_of(struct page *p, struct dice *d, const struct item *item)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/$-";
	const char *const text = item->text;
	const bool is_plain = text[0] != '\0' && text[strspn(text, plain)] == '\0' &&
			      strchr("-.0123456789", text[0]) == NULL && strcmp(text, "true") != 0;
	const uint32_t form = below(d, 3);
	char octet[8];
	if (item->raw || (is_plain && form == 0)) {
		put_text(p, text);
		return;
	}
	put_text(p, form == 1 ? "'" : "\"");
	for (const char *at = text; *at != '\0'; at++) {
		snprintf(octet, sizeof octet,
			 form != 1 && *at > 0 && below(d, 16) == 15 ? "\\x%02X" : "%c", *at);
		put_text(p, octet);
	}
	put_text(p, form == 1 ? "'" : "\"");
}

static void put_comment(struct page *p, struct dice *d)
{
	static const char *const comments[] = {"", "", " # a: [b", "\n\n# \xe2\x82\xac - \"x\"",
					       " #"};
	if (p->layout != LAYOUT_ONE_LINE)
		put_text(p, ONE_OF(d, comments));
}

static void note_place(struct page *p, struct item *item)
{
	item->line = p->line;
	item->column = p->column;
}

/* Writes a list of words in brackets. */
static void put_list(struct page *p, const char *const *words, unsigned count)
{
	put_text(p, "[");
	for (unsigned k = 0; k < count; k++) {
		put_text(p, k > 0 ? ", " : "");
		put_text(p, words[k]);
	}
	put_text(p, "]");
}

/* Writes a group of `paths`, with the prefix first or last. */
static void put_path_group(struct page *p, struct dice *d, struct item *item)
{
	const bool block = p->layout == LAYOUT_BLOCK, last = below(d, 2) == 0;
	const char *const between = block ? "\n    " : ", ";
	const char *names[2];
	unsigned count = 0;
	put_text(p, block ? "" : "{");
	for (unsigned k = 0; k < 3; k++) {
		const unsigned part = last ? 2 - k : k;
		if (part == 1 && item->methods == NULL)
			continue;
		put_text(p, k > 0 ? between : "");
		if (part == 0) {
			put_text(p, "prefix: ");
			note_place(p, item);
			put_word_of(p, d, item);
		} else if (part == 1) {
			put_text(p, "methods: ");
			put_list(p, &item->methods, 1);
		} else {
			for (count = 0; count < 2 && item->waives[count] != 0; count++)
				names[count] = urivet_finding_info(item->waives[count])->name;
			put_text(p, "allow: ");
			put_list(p, names, count);
		}
	}
	put_text(p, block ? "" : "}");
}

/* Writes a member of `parameters`, with its options in any order. */
static void put_parameter(struct page *p, struct dice *d, struct item *item)
{
	const uint32_t first = below(d, OPTIONS + 2);
	const char *between = "";
	note_place(p, item);
	put_word_of(p, d, item);
	put_text(p, ": {");
	for (uint32_t k = 0; k < OPTIONS + 2; k++) {
		const uint32_t option = (first + k) % (OPTIONS + 2);
		const bool names = option == OPTIONS && item->policy != NULL,
			   allows = option == OPTIONS + 1 && item->waives[0] != 0;
		if (!names && !allows && (option >= OPTIONS || !has_option(item, option)))
			continue;
		put_text(p, between);
		between = ", ";
		put_text(p, names ? "policy: " : allows ? "allow: [" : options[option]);
		put_text(p, names ? item->policy : allows ? urivet_finding_info(item->waives[0])->name : "");
		put_text(p, allows ? "]" : "");
	}
	put_text(p, "}");
}

static void put_item(struct page *p, struct dice *d, struct item *item)
{
	if (item->key == KEY_PATHS && !item->raw) {
		put_path_group(p, d, item);
		return;
	}
	if (item->key == KEY_PARAMETERS && !item->raw) {
		put_parameter(p, d, item);
		return;
	}
	put_text(p, item->shared ? "{name: " : "");
	note_place(p, item);
	put_word_of(p, d, item);
	put_text(p, item->shared ? ", shared: true}" : "");
}

static void put_elements(struct page *p, struct dice *d, struct model *m, enum key key)
{
	const bool block = p->layout == LAYOUT_BLOCK, named = key == KEY_PARAMETERS;
	bool any = false;
	put_text(p, block ? "" : named ? "{" : "[");
	for (uint32_t k = 0; k < m->items; k++) {
		struct item *item = &m->item[p->order[k]];
		if (item->key != key || item->slot == p->left_out)
			continue;
		if (block) {
			put_comment(p, d);
			put_text(p, named ? "\n  " : keys[key].group[0] != '\0' ? "\n    - " : "\n  - ");
		} else if (any) {
			put_text(p, below(d, 2) == 0 || p->layout == LAYOUT_ONE_LINE ? ", "
										   : ",\n      ");
		}
		put_item(p, d, item);
		any = true;
	}
	put_text(p, block ? "" : named ? "}" : "]");
}

/* Begins a member of the file (depth 0) or of a group (depth 1). */
static void begin_member(struct page *p, struct dice *d, unsigned depth)
{
	if (p->layout == LAYOUT_BLOCK || (depth == 0 && p->layout == LAYOUT_FLOW)) {
		put_comment(p, d);
		put_text(p, depth > 0 ? "\n  " : "\n");
	} else if (p->begun) {
		put_text(p, ", ");
	}
	p->begun = true;
}

static void put_twice(struct page *p, struct dice *d)
{
	begin_member(p, d, 0);
	p->twice_line = p->line;
	p->twice_column = p->column;
	put_text(p, p->twice);
}

static bool is_left(const struct model *m, const struct page *p, enum key key)
{
	for (uint32_t k = 0; k < m->items; k++)
		if (m->item[k].key == key && m->item[k].slot != p->left_out)
			return true;
	return false;
}

static void put_member(struct page *p, struct dice *d, struct model *m, enum key key)
{
	begin_member(p, d, keys[key].group[0] != '\0');
	put_text(p, keys[key].name);
	put_text(p, keys[key].list && p->layout == LAYOUT_BLOCK ? ":" : ": ");
	if (keys[key].list) {
		put_elements(p, d, m, key);
		return;
	}
	for (uint32_t k = 0; k < m->items; k++)
		if (m->item[k].key == key)
			put_item(p, d, &m->item[k]);
}

/* Fills `order` with 0 to count - 1 in any order. */
static void shuffle(uint8_t *order, uint32_t count, struct dice *d)
{
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t other = below(d, k + 1);
		order[k] = order[other];
		order[other] = (uint8_t)k;
	}
}

/* Writes all members of a group, or of the file for key KEYS. Members of a group follow its name. */
static void put_group(struct page *p, struct dice *d, struct model *m, const uint8_t *order,
		      enum key first)
{
	const char *const group = keys[first].group;
	const bool flow = p->layout != LAYOUT_BLOCK;
	begin_member(p, d, 0);
	put_text(p, group);
	put_text(p, flow ? ": {" : ":");
	p->begun = false;
	for (uint32_t k = 0; k < KEYS; k++)
		if (strcmp(keys[order[k]].group, group) == 0 && is_left(m, p, order[k]))
			put_member(p, d, m, order[k]);
	put_text(p, flow ? "}" : "");
	p->begun = true;
}

/* Writes the file, without the slot `left_out`, in any style and order. */
static void write_policy(struct page *p, struct dice *d, struct model *m)
{
	static const char *const heads[] = {"# \xc3\xa9", "", "\n# base: any\n", "---"};
	uint8_t order[KEYS];
	p->length = 0;
	p->line = p->column = 1;
	p->begun = false;
	p->layout = (enum layout)below(d, 3);
	for (uint32_t k = 0; k < m->items; k++)
		m->item[k].line = 0; /* where it is left out */
	shuffle(order, KEYS, d);
	shuffle(p->order, m->items, d);
	put_text(p, p->layout == LAYOUT_ONE_LINE ? "{" : ONE_OF(d, heads));
	for (uint32_t k = 0; k < KEYS; k++) {
		bool done = !is_left(m, p, order[k]);
		for (uint32_t i = 0; i < k && keys[order[k]].group[0] != '\0' && !done; i++)
			done = strcmp(keys[order[i]].group, keys[order[k]].group) == 0 &&
			       is_left(m, p, order[i]);
		if (!done && keys[order[k]].group[0] != '\0')
			put_group(p, d, m, order, order[k]);
		else if (!done)
			put_member(p, d, m, order[k]);
	}
	if (p->twice != NULL)
		put_twice(p, d);
	put_comment(p, d);
	put_text(p, p->layout == LAYOUT_ONE_LINE ? "}" : "\n");
}

#endif
