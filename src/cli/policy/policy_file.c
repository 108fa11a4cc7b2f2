/* SPDX-License-Identifier: Apache-2.0 */
/* Reads policy files through libconfig. */
#include "cli/policy/policy_file.h"
#include "cli/show/finding_set.h"
#include "cli/show/output.h"
#include <stdio.h>
#include <stdlib.h>

void policy_file_free(struct policy_file *file)
{
	for (size_t i = 0; i < file->files; i++)
		free(file->file[i]);
	free(file->file);
	free(file->host);
	free(file->address);
	free(file->port);
	free(file->nat64);
	free(file->nat64_source);
	free(file->source);
	free(file->strings);
	*file = (struct policy_file){0};
}

void policy_file_place(char text[POLICY_PLACE_TEXT], const struct policy_file *file,
		       struct policy_source at)
{
	(void)snprintf(text, POLICY_PLACE_TEXT, "%.*s:%lu", (int)POLICY_PLACE_TEXT - 32,
		       file->file[at.file], (unsigned long)at.line);
}

#ifndef HAVE_LIBCONFIG

bool policy_file_is_built(void)
{
	complain("this build reads no policy files: install the Debian package libconfig-dev and "
		 "build again");
	return false;
}

bool policy_file_load(struct policy_file *file, const char *path)
{
	(void)path;
	*file = (struct policy_file){0};
	return policy_file_is_built();
}

bool policy_file_take(struct policy_file *file, struct text content, const char *name)
{
	(void)content;
	(void)name;
	*file = (struct policy_file){0};
	return false;
}

#else
#include "cli/options/nearest.h"
#include "cli/policy/policy_rules.h"
#include "cli/policy/policy_text.h"
#include "cli/policy/suffix.h"
#include "cli/show/is_utf8.h"
#include <libconfig.h>

bool policy_file_is_built(void)
{
	return true;
}

/* What a key takes. */
enum shape {
	SHAPE_STRING = 0,
	SHAPE_NUMBER,
	SHAPE_FLAG,
	SHAPE_STRINGS, /* a list of strings */
	SHAPE_PORTS,   /* a list of numbers and strings */
	SHAPE_GROUP
};

static const char *const shape_text[] = {
    [SHAPE_STRING] = "a string, in quotes",
    [SHAPE_NUMBER] = "a whole number",
    [SHAPE_FLAG] = "true or false",
    [SHAPE_STRINGS] = "a list of strings: [\"...\", \"...\"]",
    [SHAPE_PORTS] = "a list of ports and ranges: [8080, \"8000-8099\"]",
    [SHAPE_GROUP] = "a group: { ... }",
};

/* A file that is being read. */
struct reader {
	struct policy_file *file;
	struct policy_text text;
	struct problems *problems;
	struct suffixes *suffixes; /* NULL: not needed yet, or not available */
	bool no_suffixes;
	size_t strings_used;
	uint32_t hosts;
	uint32_t addresses;
	uint32_t ports;
	uint32_t nat64s;
	const struct key *key; /* being read */
	struct urivet_finding_set allowed;
	struct urivet_finding_set refused;
	bool names_schemes;
};

struct key {
	const char *name;
	const char *path; /* with the groups that it is in */
	enum shape shape;
	const struct key *members; /* of a group; ends in a row without a name */
	/* Reads the value, or an element of a list, which has the right shape. */
	void (*read)(struct reader *reader, const config_setting_t *setting);
	uint32_t least; /* of a number */
	uint32_t most;
};

static struct policy_source place_of(const config_setting_t *setting)
{
	uintptr_t packed = (uintptr_t)config_setting_get_hook(setting);

	return (struct policy_source){(uint32_t)(packed >> 32), (uint32_t)packed};
}

#define PROBLEM(reader, setting, ...)                                                              \
	problem_add((reader)->problems, place_of(setting), __VA_ARGS__)

/* The list that is being read. */
static bool is_of(const struct reader *reader, const char *path)
{
	return strcmp(reader->key->path, path) == 0;
}

/* ---- Memory --------------------------------------------------------------------- */

/* A copy that lives as long as the policy. Together the strings are not longer than the text
 * that they are from. */
static const char *keep_string(struct reader *reader, const char *string)
{
	size_t size = strlen(string) + 1;
	char *copy = reader->file->strings + reader->strings_used;

	memcpy(copy, string, size);
	reader->strings_used += size;
	return copy;
}

/* Keeps the place of a rule: its tag. */
static uint32_t keep_source(struct reader *reader, const config_setting_t *setting)
{
	reader->file->source[reader->file->sources] = place_of(setting);
	return reader->file->sources++;
}

/* Memory for as many rules as there are values. */
static bool make_room(struct reader *reader, const char *name)
{
	struct policy_file *file = reader->file;
	size_t values = reader->text.values.count + 1;

	file->strings = malloc(reader->text.length + 4 * strlen(name) + 1);
	file->host = malloc(values * sizeof *file->host);
	file->address = malloc(values * sizeof *file->address);
	file->port = malloc(values * sizeof *file->port);
	file->nat64 = malloc(values * sizeof *file->nat64);
	file->nat64_source = malloc(values * sizeof *file->nat64_source);
	file->source = malloc(values * sizeof *file->source);
	if (file->strings != NULL && file->host != NULL && file->address != NULL &&
	    file->port != NULL && file->nat64 != NULL && file->nat64_source != NULL &&
	    file->source != NULL)
		return true;
	reader->problems->no_memory = true;
	return false;
}

/* ---- Names ---------------------------------------------------------------------- */

/* "no such finding "scheme-plaintxt"; did you mean "scheme-plaintext"?" */
static void complain_nearest(struct reader *reader, const config_setting_t *setting,
			     const struct nearest *nearest, const char *what)
{
	if (nearest->best != NULL)
		PROBLEM(reader, setting, "%s \"%.100s\"; did you mean \"%s\"?", what, nearest->word,
			nearest->best);
	else
		PROBLEM(reader, setting, "%s \"%.100s\"", what, nearest->word);
}

static bool begin_with(struct policy_file *file, const char *name)
{
	return urivet_policy_init(&file->base, sizeof file->base,
				  urivet_policy_named(name, strlen(name)));
}

static void read_base(struct reader *reader, const config_setting_t *setting)
{
	const char *word = config_setting_get_string(setting);
	struct nearest nearest = nearest_to(word);

	if (begin_with(reader->file, word))
		return;
	for (unsigned i = 0; i < URIVET_BASES; i++)
		nearest_try(&nearest, urivet_policy_name(i));
	complain_nearest(reader, setting, &nearest, "no such policy to begin with:");
	(void)begin_with(reader->file, "strict");
}

/* May it be the name of a policy, which reports show? Text without controls. */
static bool is_text(const char *string)
{
	for (size_t i = 0; string[i] != '\0'; i++) {
		if ((uint8_t)string[i] < 0x20 || string[i] == 0x7F)
			return false;
	}
	return string[0] != '\0' && is_utf8(text_of(string));
}

static void read_name(struct reader *reader, const config_setting_t *setting)
{
	const char *name = config_setting_get_string(setting);

	if (is_text(name))
		reader->file->policy.name = keep_string(reader, name);
	else
		PROBLEM(reader, setting,
			"\"name\" takes UTF-8 without controls, and at least one "
			"character");
}

static void read_scheme(struct reader *reader, const config_setting_t *setting)
{
	uint32_t *schemes = &reader->file->policy.schemes;
	const char *word = config_setting_get_string(setting);
	struct nearest nearest = nearest_to(word);

	if (!reader->names_schemes)
		*schemes = 0;
	reader->names_schemes = true;
	for (size_t i = 0; i < POLICY_SCHEMES; i++) {
		uint32_t bit = 1u << policy_schemes[i].scheme;

		nearest_try(&nearest, policy_schemes[i].name);
		if (strcmp(word, policy_schemes[i].name) != 0)
			continue;
		if ((*schemes & bit) != 0)
			PROBLEM(reader, setting, "scheme \"%s\" is listed already", word);
		*schemes |= bit;
		return;
	}
	if (nearest.best == NULL)
		PROBLEM(reader, setting,
			"no scheme \"%.100s\" to list: http, https, ws, wss, ftp, or other, which "
			"stands for all others",
			word);
	else
		complain_nearest(reader, setting, &nearest, "no such scheme:");
}

static const struct urivet_finding_row *finding_of(struct reader *reader,
						   const config_setting_t *setting)
{
	const char *word = config_setting_get_string(setting);
	const struct urivet_finding_row *info =
	    urivet_finding_info((unsigned)urivet_finding_named(word, strlen(word)));
	struct nearest nearest = nearest_to(word);

	if (info != NULL)
		return info;
	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		if (urivet_finding_info(id) != NULL)
			nearest_try(&nearest, urivet_finding_info(id)->name);
	}
	complain_nearest(reader, setting, &nearest, "no such finding:");
	return NULL;
}

/* A finding may be only in one of the two lists, and only once. */
static void read_finding(struct reader *reader, const config_setting_t *setting)
{
	bool allow = is_of(reader, "allow");
	struct urivet_finding_set *set = allow ? &reader->allowed : &reader->refused;
	const struct urivet_finding_set *other = allow ? &reader->refused : &reader->allowed;
	const struct urivet_finding_row *info = finding_of(reader, setting);

	if (info == NULL)
		return;
	if (in_set(set, info->id))
		PROBLEM(reader, setting, "finding \"%s\" is listed already", info->name);
	else if (in_set(other, info->id))
		PROBLEM(reader, setting, "finding \"%s\" is both allowed and refused", info->name);
	else if (allow && !urivet_policy_waive(&reader->file->policy, info->id))
		PROBLEM(reader, setting, "finding \"%s\" cannot be allowed", info->name);
	else if (!allow)
		(void)urivet_policy_raise(&reader->file->policy, info->id);
	put_in_set(set, info->id);
}

/* ---- Rules ---------------------------------------------------------------------- */

/* Does the rule allow all names below a public suffix, as "com"? Nobody means that. */
static bool is_too_wide(struct reader *reader, const struct urivet_host_rule *rule)
{
	struct text name = {(const uint8_t *)rule->name, rule->length};

	if (rule->action != URIVET_ALLOW || rule->scope == URIVET_SCOPE_HOST)
		return false;
	if (reader->suffixes == NULL && !reader->no_suffixes && suffixes_are_built()) {
		reader->suffixes = suffixes_open();
		reader->no_suffixes = reader->suffixes == NULL;
	}
	if (reader->suffixes != NULL)
		return suffixes_hold(reader->suffixes, name);
	/* without the list of public suffixes, only a last label is known to be too wide */
	return memchr(rule->name, '.', rule->length) == NULL;
}

static void read_host(struct reader *reader, const config_setting_t *setting)
{
	bool allow = is_of(reader, "hosts.allow");
	const char *string = config_setting_get_string(setting);
	struct urivet_host_rule *rule = &reader->file->host[reader->hosts];
	struct why why;

	if (!policy_read_host(rule, string, allow ? URIVET_ALLOW : URIVET_DENY, &why)) {
		PROBLEM(reader, setting, "%s", why.text);
		return;
	}
	if (is_too_wide(reader, rule)) {
		PROBLEM(reader, setting,
			"allow \"%s\" is wider than anybody's own domain: \"%.*s\" is a public "
			"suffix",
			string, (int)rule->length, rule->name);
		return;
	}
	string = keep_string(reader, string);
	(void)urivet_host_rule_from(rule, string, strlen(string),
				    allow ? URIVET_ALLOW : URIVET_DENY);
	rule->tag = keep_source(reader, setting);
	reader->hosts++;
}

static void read_address(struct reader *reader, const config_setting_t *setting)
{
	bool allow = is_of(reader, "addresses.allow");
	struct urivet_address_rule *rule = &reader->file->address[reader->addresses];
	struct why why;

	if (!policy_read_network(&rule->network, config_setting_get_string(setting), &why)) {
		PROBLEM(reader, setting, "%s", why.text);
		return;
	}
	rule->action = allow ? URIVET_ALLOW : URIVET_DENY;
	rule->tag = keep_source(reader, setting);
	reader->addresses++;
}

static void read_nat64(struct reader *reader, const config_setting_t *setting)
{
	struct policy_file *file = reader->file;
	struct why why;

	if (!policy_read_nat64(&file->nat64[reader->nat64s], config_setting_get_string(setting),
			       &why)) {
		PROBLEM(reader, setting, "%s", why.text);
		return;
	}
	file->nat64_source[reader->nat64s++] = place_of(setting);
}

/* A port rule, for the scheme that the list is about. */
static void read_port(struct reader *reader, const config_setting_t *setting)
{
	const struct policy_scheme *scheme = policy_schemes;
	struct urivet_port_rule *rule = &reader->file->port[reader->ports];
	struct why why;
	bool good;

	while (strcmp(scheme->name, reader->key->name) != 0)
		scheme++;
	if (config_setting_type(setting) == CONFIG_TYPE_STRING)
		good = policy_read_range(rule, config_setting_get_string(setting), scheme, &why);
	else
		good = policy_read_port(rule, config_setting_get_int64(setting), scheme, &why);
	if (!good) {
		PROBLEM(reader, setting, "%s", why.text);
		return;
	}
	rule->tag = keep_source(reader, setting);
	reader->ports++;
}

static void read_limit(struct reader *reader, const config_setting_t *setting)
{
	struct urivet_policy *policy = &reader->file->policy;
	long long number = config_setting_get_int64(setting);
	const struct key *key = reader->key;

	if (number < key->least || number > key->most) {
		PROBLEM(reader, setting, "\"%s\" takes a number from %lu to %lu, not %lld",
			key->path, (unsigned long)key->least, (unsigned long)key->most, number);
		return;
	}
	if (is_of(reader, "limits.length"))
		policy->max_length = (uint32_t)number;
	else if (is_of(reader, "limits.host"))
		policy->max_host = (uint32_t)number;
	else
		policy->max_label = (uint32_t)number;
}

static void read_opaque_query(struct reader *reader, const config_setting_t *setting)
{
	reader->file->policy.opaque_query = config_setting_get_bool(setting) != 0;
}

/* ---- Keys ----------------------------------------------------------------------- */

/* clang-format off */
static const struct key port_keys[] = {
	{"http",  "ports.http",  SHAPE_PORTS, NULL, read_port, 0, 0},
	{"https", "ports.https", SHAPE_PORTS, NULL, read_port, 0, 0},
	{"ws",    "ports.ws",    SHAPE_PORTS, NULL, read_port, 0, 0},
	{"wss",   "ports.wss",   SHAPE_PORTS, NULL, read_port, 0, 0},
	{"ftp",   "ports.ftp",   SHAPE_PORTS, NULL, read_port, 0, 0},
	{0},
};
static const struct key host_keys[] = {
	{"allow", "hosts.allow", SHAPE_STRINGS, NULL, read_host, 0, 0},
	{"deny",  "hosts.deny",  SHAPE_STRINGS, NULL, read_host, 0, 0},
	{0},
};
static const struct key address_keys[] = {
	{"allow", "addresses.allow", SHAPE_STRINGS, NULL, read_address, 0, 0},
	{"deny",  "addresses.deny",  SHAPE_STRINGS, NULL, read_address, 0, 0},
	{"nat64", "addresses.nat64", SHAPE_STRINGS, NULL, read_nat64, 0, 0},
	{0},
};
static const struct key limit_keys[] = {
	{"length", "limits.length", SHAPE_NUMBER, NULL, read_limit, 1, URIVET_MAX_LENGTH},
	{"host",   "limits.host",   SHAPE_NUMBER, NULL, read_limit, 1, 253},
	{"label",  "limits.label",  SHAPE_NUMBER, NULL, read_limit, 1, 63},
	{0},
};
static const struct key keys[] = {
	{"base",      "base",      SHAPE_STRING,  NULL, read_base, 0, 0},
	{"name",      "name",      SHAPE_STRING,  NULL, read_name, 0, 0},
	{"schemes",   "schemes",   SHAPE_STRINGS, NULL, read_scheme, 0, 0},
	{"ports",     "ports",     SHAPE_GROUP,   port_keys, NULL, 0, 0},
	{"hosts",     "hosts",     SHAPE_GROUP,   host_keys, NULL, 0, 0},
	{"addresses", "addresses", SHAPE_GROUP,   address_keys, NULL, 0, 0},
	{"allow",     "allow",     SHAPE_STRINGS, NULL, read_finding, 0, 0},
	{"refuse",    "refuse",    SHAPE_STRINGS, NULL, read_finding, 0, 0},
	{"limits",    "limits",    SHAPE_GROUP,   limit_keys, NULL, 0, 0},
	{"opaque_query", "opaque_query", SHAPE_FLAG, NULL, read_opaque_query, 0, 0},
	{0},
};
/* clang-format on */

static bool has_type(const config_setting_t *setting, enum shape shape)
{
	int type = config_setting_type(setting);
	bool number = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;

	switch (shape) {
	case SHAPE_NUMBER:
		return number;
	case SHAPE_FLAG:
		return type == CONFIG_TYPE_BOOL;
	case SHAPE_PORTS:
		return number || type == CONFIG_TYPE_STRING;
	case SHAPE_GROUP:
		return type == CONFIG_TYPE_GROUP;
	default:
		return type == CONFIG_TYPE_STRING;
	}
}

/* An empty list has no effect, or allows nothing if it lists what is allowed. */
static void complain_empty(struct reader *reader, const config_setting_t *setting)
{
	const char *path = reader->key->path;

	if (is_of(reader, "hosts.allow"))
		PROBLEM(reader, setting,
			"\"%s\" is empty, which would refuse every host; leave it out to allow all",
			path);
	else if (is_of(reader, "schemes"))
		PROBLEM(reader, setting, "\"%s\" is empty, which would refuse everything", path);
	else
		PROBLEM(reader, setting, "\"%s\" is empty; leave it out", path);
}

static void read_list(struct reader *reader, const config_setting_t *setting)
{
	const struct key *key = reader->key;
	unsigned count = (unsigned)config_setting_length(setting);

	if (count == 0)
		complain_empty(reader, setting);
	if (is_of(reader, "hosts.allow")) {
		reader->file->policy.hosts.only = true;
		reader->file->only = place_of(setting);
	}
	for (unsigned i = 0; i < count; i++) {
		const config_setting_t *element = config_setting_get_elem(setting, i);

		if (has_type(element, key->shape))
			key->read(reader, element);
		else
			PROBLEM(reader, element, "\"%s\" takes %s", key->path,
				shape_text[key->shape]);
	}
}

static void unknown_key(struct reader *reader, const struct key *list,
			const config_setting_t *setting, const char *group)
{
	struct nearest nearest = nearest_to(config_setting_name(setting));
	const char *dot = group[0] != '\0' ? "." : "";

	if (strcmp(group, "ports") == 0 && strcmp(nearest.word, "other") == 0) {
		PROBLEM(reader, setting,
			"\"ports.other\": schemes other than http, https, ws, wss "
			"and ftp may have any port");
		return;
	}
	for (; list->name != NULL; list++)
		nearest_try(&nearest, list->name);
	if (nearest.best != NULL)
		PROBLEM(reader, setting, "unknown key \"%s%s%.100s\"; did you mean \"%s%s%s\"?",
			group, dot, nearest.word, group, dot, nearest.best);
	else
		PROBLEM(reader, setting, "unknown key \"%s%s%.100s\"", group, dot, nearest.word);
}

static void read_key(struct reader *reader, const struct key *key, const config_setting_t *setting);

/* Reads the settings of a group, or of the whole file, in their order. */
static void read_group(struct reader *reader, const struct key *list,
		       const config_setting_t *setting, const char *path)
{
	unsigned count = (unsigned)config_setting_length(setting);

	for (unsigned i = 0; i < count; i++) {
		const config_setting_t *member = config_setting_get_elem(setting, i);
		const struct key *key = list;

		while (key->name != NULL && strcmp(key->name, config_setting_name(member)) != 0)
			key++;
		if (key->name != NULL)
			read_key(reader, key, member);
		else
			unknown_key(reader, list, member, path);
	}
	if (count == 0)
		PROBLEM(reader, setting, "\"%s\" is empty; leave it out", path);
}

static void read_key(struct reader *reader, const struct key *key, const config_setting_t *setting)
{
	bool list = key->shape == SHAPE_STRINGS || key->shape == SHAPE_PORTS;

	reader->key = key;
	if (list ? !config_setting_is_list(setting) : !has_type(setting, key->shape))
		PROBLEM(reader, setting, "\"%s\" takes %s", key->path, shape_text[key->shape]);
	else if (list)
		read_list(reader, setting);
	else if (key->shape == SHAPE_GROUP)
		read_group(reader, key->members, setting, key->path);
	else
		key->read(reader, setting);
}

/* ---- Places --------------------------------------------------------------------- */

/* libconfig tells the line in which it noticed that a value ends. The lexer knows where each
 * value begins, in the same order. */
struct places {
	const struct policy_text *text;
	size_t key;
	size_t value;
};

static void set_place(config_setting_t *setting, const struct policy_sources *sources, size_t at)
{
	struct policy_source source = {0, 1};

	if (at < sources->count)
		source = sources->at[at];
	config_setting_set_hook(setting,
				(void *)(uintptr_t)((uint64_t)source.file << 32 | source.line));
}

/* The lexer bounds how deep this goes. */
static void set_places(struct places *places, config_setting_t *setting)
{
	if (config_setting_name(setting) != NULL)
		set_place(setting, &places->text->keys, places->key++);
	if (!config_setting_is_aggregate(setting)) {
		size_t value = places->value++;

		if (config_setting_name(setting) == NULL)
			set_place(setting, &places->text->values, value);
		return;
	}
	/* a list in a list gets the place of the value after it */
	if (config_setting_name(setting) == NULL)
		set_place(setting, &places->text->values, places->value);
	for (unsigned i = 0; i < (unsigned)config_setting_length(setting); i++)
		set_places(places, config_setting_get_elem(setting, i));
}

/* ---- The order of reading ------------------------------------------------------- */

/* The base is read first, wherever in the file it is, because all other settings change it. */
static void read_base_first(struct reader *reader, const config_t *config)
{
	const config_setting_t *base =
	    config_setting_get_member(config_root_setting(config), "base");

	if (base == NULL || config_setting_type(base) != CONFIG_TYPE_STRING ||
	    !begin_with(reader->file, config_setting_get_string(base)))
		(void)begin_with(reader->file, "strict");
	reader->file->policy = reader->file->base;
}

/* A policy without a name gets that of its file, in which octets that are no text are
 * escaped. */
static void name_policy(struct reader *reader, const char *path)
{
	char *name = reader->file->strings + reader->strings_used;
	size_t used = 0;
	bool text = is_text(path);

	for (size_t i = 0; path[i] != '\0'; i++) {
		uint8_t octet = (uint8_t)path[i];

		if (text || (octet >= 0x20 && octet < 0x7F))
			name[used++] = (char)octet;
		else
			used += (size_t)sprintf(name + used, "\\x%02X", octet);
	}
	name[used] = '\0';
	reader->file->policy.name = name;
}

static void settle(struct reader *reader)
{
	struct policy_file *file = reader->file;
	struct urivet_policy *policy = &file->policy;

	if (reader->hosts > 0)
		qsort(file->host, reader->hosts, sizeof *file->host, urivet_order_hosts);
	if (reader->addresses > 0)
		qsort(file->address, reader->addresses, sizeof *file->address,
		      urivet_order_addresses);
	policy->hosts.rule = file->host;
	policy->hosts.count = reader->hosts;
	policy->hosts.sorted = true;
	policy->addresses.rule = file->address;
	policy->addresses.count = reader->addresses;
	policy->addresses.sorted = true;
	policy->ports = file->port;
	policy->port_count = reader->ports;
	policy->nat64 = file->nat64;
	policy->nat64_count = reader->nat64s;
}

/* Lists that were settled are in order: judging need not look again at each input. */
static void seal(struct reader *reader)
{
	static const struct policy_source nowhere = {0, 0};

	if (reader->problems->count == 0 && !urivet_policy_seal(&reader->file->policy))
		problem_add(reader->problems, nowhere,
			    "internal error: what was made of the policy file is no valid policy");
}

static void read_tree(struct reader *reader, config_t *config)
{
	struct places places = {.text = &reader->text};
	const char *path = reader->file->file[0];

	if (!make_room(reader, path))
		return;
	set_places(&places, config_root_setting(config));
	read_base_first(reader, config);
	reader->file->policy.name = NULL;
	read_group(reader, keys, config_root_setting(config), "");
	if (reader->file->policy.name == NULL)
		name_policy(reader, path);
	settle(reader);
	policy_check_rules(reader->file, reader->problems);
	seal(reader);
}

/* ---- Files ---------------------------------------------------------------------- */

static void syntax_problem(struct reader *reader, const config_t *config)
{
	const char *what = config_error_text(config);
	uint32_t line = (uint32_t)config_error_line(config);

	if (what == NULL)
		what = "syntax error";
	if (strcmp(what, "duplicate setting name") == 0)
		what = "a key stands in its group for the second time";
	problem_add(reader->problems, policy_text_source(&reader->text, line), "%s", what);
}

static void parse(struct reader *reader)
{
	config_t config;

	config_init(&config);
	if (config_read_string(&config, reader->text.data))
		read_tree(reader, &config);
	else
		syntax_problem(reader, &config);
	config_destroy(&config);
}

/* Reads the text that was loaded. False if it is wrong; then only the problems are to be
 * freed. */
static bool read_policy(struct reader *reader, bool loaded)
{
	struct policy_file *file = reader->file;

	file->file = reader->text.file;
	file->files = reader->text.files;
	reader->text.file = NULL;
	reader->text.files = 0;
	if (loaded)
		parse(reader);
	policy_text_free(&reader->text);
	suffixes_close(reader->suffixes);
	return loaded && reader->problems->count == 0 && !reader->problems->no_memory;
}

bool policy_file_load(struct policy_file *file, const char *path)
{
	struct problems problems = {0};
	struct reader reader = {.file = file, .problems = &problems};
	bool good;

	*file = (struct policy_file){0};
	good = read_policy(&reader, policy_text_load(&reader.text, path, &problems));
	if (!good) {
		problems_tell(&problems, file->file);
		policy_file_free(file);
	}
	problems_free(&problems);
	return good;
}

bool policy_file_take(struct policy_file *file, struct text content, const char *name)
{
	struct problems problems = {0};
	struct reader reader = {.file = file, .problems = &problems};
	bool good;

	*file = (struct policy_file){0};
	good = read_policy(&reader, policy_text_take(&reader.text, content, name, &problems));
	if (!good)
		policy_file_free(file);
	problems_free(&problems);
	return good;
}

#endif
