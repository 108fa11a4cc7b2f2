/* SPDX-License-Identifier: Apache-2.0 */
/* Policy files: a file that loads can be loaded again, and written and loaded, with the same
 * meaning. What it denies is denied, and what it allows by name alone is allowed. A file that is built
 * from items means what they mean (policy_oracles.h). */
#include "common/format.h"
#include "common/parameter_rule.h"
#include "common/rules.h"
#include "policyfile/loaded.h"
#include "policyfile/suffix.h"

#include "policy_oracles.h"

/* Longer files find the same errors, only later. */
#define LENGTH_MOST 65536u

/* Errors name places in the file, in text that is safe on a terminal. */
struct reported {
	const uint8_t *data;
	size_t length;
	unsigned count;
};

static void on_message(void *context, const struct urivet_message *message)
{
	struct reported *reported = context;
	uint32_t line = 1, column = 1;
	size_t i = 0;
	reported->count++;
	oracle(reported->count <= 101, "at most a hundred faults are reported");
	oracle(message->file != NULL && message->text[0] != '\0', "a fault has a text");
	for (const char *at = message->text; *at != '\0'; at++)
		oracle((uint8_t)*at >= 0x20 && *at != 0x7F, "a fault has no controls");
	for (; message->line > 0 && i < reported->length && (line < message->line || column < message->column); i++) {
		oracle(line <= message->line, "the column is in the line");
		column = reported->data[i] == '\n' ? 1 : column + 1;
		line += reported->data[i] == '\n';
	}
	oracle(message->line == 0 || (line == message->line && column == message->column),
	       "a fault is in the file");
}

static struct urivet_loaded *load(const void *data, size_t length, const char *name)
{
	struct reported reported = {data, length, 0};
	struct urivet_loaded *file = urivet_load_text(data, length, name, on_message, &reported);
	oracle((file == NULL) == (reported.count > 0), "a fault is reported, or there is none");
	return file;
}

static char *shown(const struct urivet_loaded *file,
		   size_t (*format)(char *, size_t, const struct urivet_loaded *))
{
	const size_t length = format(NULL, 0, file);
	char *text = malloc(length + 1), *part = malloc(length / 2 + 1);
	oracle(text != NULL && part != NULL, "there is memory");
	oracle(format(text, length + 1, file) == length && strlen(text) == length,
	       "a policy can be written");
	oracle(format(part, length / 2 + 1, file) == length &&
		   memcmp(part, text, length / 2) == 0 && part[length / 2] == '\0',
	       "half of it can be written");
	free(part);
	return text;
}

static void judge(struct urivet_report *r, const char *uri, const struct urivet_loaded *file)
{
	urivet_check(r, uri, strlen(uri), urivet_loaded_policy(file));
	expect_sound(r, strlen(uri), urivet_loaded_policy(file));
}

static bool has(const struct urivet_report *r, unsigned id)
{
	return report_finding(r, id) != NULL || r->dropped > 0;
}

/* Returns true if the report has the finding, or the input is too long. Longer inputs get no
 * other finding. */
static bool has_or_long(const struct urivet_report *r, unsigned id)
{
	return has(r, id) || has(r, URIVET_F_URL_TOO_LONG);
}

/* Checks that both policies agree on a few URIs that different rules apply to. */
static void expect_alike(const struct urivet_loaded *a, const struct urivet_loaded *b)
{
	static const char *const uris[] = {
	    "http://example.com/",      "https://www.example.com:8443/",
	    "http://10.1.2.3/",         "http://[2001:db8:64::1]/",
	    "http://localhost/",        "ftp://example.org/",
	    "http://example.net:8080/", "mailto:a@example.com",
	    "http://example.com./#a",   "http://[64:ff9b::a00:1]/a",
	    "http://co.uk/%41/../",     "wss://192.0.2.1/?a=1&a=2",
	};
	for (unsigned k = 0; k < sizeof uris / sizeof uris[0]; k++) {
		struct urivet_report x, y;
		judge(&x, uris[k], a);
		judge(&y, uris[k], b);
		oracle(x.verdict == y.verdict && x.count == y.count, "both judge alike");
		for (uint32_t i = 0; i < x.count; i++)
			oracle(x.finding[i].id == y.finding[i].id, "both find the same");
	}
}

static void expect_denied_name(const struct urivet_loaded *file, const char *name)
{
	struct urivet_report r;
	char uri[400];
	snprintf(uri, sizeof uri, "http://%s/", name);
	judge(&r, uri, file);
	oracle(has_or_long(&r, URIVET_F_HOST_DENIED), "a denied name is denied");
}

/* `excepts`: denials have exceptions, which may lift one from a name below. */
static void expect_host_rule(const struct urivet_loaded *file, const struct urivet_host_rule *rule,
			     bool excepts)
{
	const struct urivet_text given = urivet_host_rule_name(rule);
	const unsigned scope = rule->scope & ~(unsigned)URIVET_SCOPE_RELATIVE;
	struct urivet_report r;
	struct urivet_message place;
	char name[256], below[300], uri[400];
	snprintf(name, sizeof name, "%.*s", (int)given.length, (const char *)given.data);
	snprintf(below, sizeof below, "x.%s", name);
	if (rule->action == URIVET_DENY) {
		if (scope <= URIVET_SCOPE_HOST)
			expect_denied_name(file, name);
		if (scope != URIVET_SCOPE_HOST && !excepts)
			expect_denied_name(file, below);
	} else if (scope == URIVET_SCOPE_HOST && !excepts) {
		snprintf(uri, sizeof uri, "http://%s/", name);
		judge(&r, uri, file);
		oracle(has(&r, URIVET_F_URL_TOO_LONG) ||
			   (r.host_rule != NULL && r.host_rule->action == URIVET_ALLOW),
		       "an allowed name is allowed");
	}
	oracle(urivet_loaded_place(file, rule->tag, &place) && place.line > 0 && place.column > 0,
	       "a rule stands somewhere");
}

static void expect_address_rule(const struct urivet_loaded *file,
				const struct urivet_address_rule *rule)
{
	struct urivet_network address = rule->network;
	struct urivet_message place;
	struct urivet_report r;
	char text[POLICY_RULE_TEXT], uri[400];
	address.length = (uint8_t)(8 * address.octets);
	urivet_loader_write_network(text, &address);
	snprintf(uri, sizeof uri, address.octets == 4 ? "http://%s/" : "http://[%s]/", text);
	judge(&r, uri, file);
	oracle(rule->action != URIVET_DENY || has_or_long(&r, URIVET_F_ADDR_DENIED),
	       "a denied address is denied");
	oracle(urivet_loaded_place(file, rule->tag, &place), "a rule stands somewhere");
}

/* Returns true if values of parameters are judged by policies of other files. */
static bool names_files(const struct urivet_loaded *file)
{
	const struct urivet_policy *policy = urivet_loaded_policy(file);
	bool any = false;
	for (uint32_t i = 0; i < policy->parameter_count; i++) {
		const char *name = file->value[i].name;
		any = any || (name != NULL && urivet_policy_named(name, strlen(name)) < 0);
	}
	return any;
}

static void expect_same(const struct urivet_loaded *file, const void *data, size_t length,
			const char *name)
{
	struct urivet_loaded *again = load(data, length, name);
	if (again == NULL && names_files(file))
		return; /* there are none in memory */
	oracle(again != NULL, "a policy is loaded again");
	for (unsigned k = 0; k < 2; k++) {
		char *first = shown(file, k ? urivet_loader_format_json : urivet_loaded_format);
		char *second = shown(again, k ? urivet_loader_format_json : urivet_loaded_format);
		oracle(strcmp(first, second) == 0, "a policy comes to the same again");
		free(first);
		free(second);
	}
	oracle(urivet_loaded_observes(file) == urivet_loaded_observes(again) &&
		   urivet_loaded_base(file) == urivet_loaded_base(again),
	       "a policy has its mode and base again");
	expect_alike(file, again);
	urivet_loaded_release(again);
}

/* ---- Words in files with known meaning ------------------------------------------ */

/* Loads a file that has the word between two texts. Returns NULL if it is not a valid file. */
static struct urivet_loaded *take(const char *before, const char *word, const char *after)
{
	char text[400];
	const int length = snprintf(text, sizeof text, "%s%s%s", before, word, after);
	return load(text, (size_t)length, "word.yaml");
}

static void expect_denial(const char *before, const char *word, const char *after, const char *name,
			  unsigned finding)
{
	struct urivet_loaded *file = take(before, word, after);
	struct urivet_report r;
	char uri[400];
	if (file == NULL)
		return;
	snprintf(uri, sizeof uri, strchr(name, ':') != NULL ? "http://[%s]/" : "http://%s/", name);
	judge(&r, uri, file);
	oracle(has(&r, finding) && r.verdict == URIVET_REJECT, "what a file denies is refused");
	urivet_loaded_release(file);
}

static void expect_allowance(const char *word)
{
	struct urivet_loaded *file = take("hosts: {allow: [\"", word, "\"]}");
	const char *const name = word + strspn(word, "*+.");
	const size_t length = strlen(name);
	struct urivet_report r;
	char uri[400];
	if (file == NULL)
		return;
	/* no rule of the word applies to this last label; no other label ends with a dot */
	snprintf(uri, sizeof uri, "http://%.*sx/",
		 (int)(length > 0 && name[length - 1] == '.' ? length - 1 : length), name);
	judge(&r, uri, file);
	oracle(has(&r, URIVET_F_HOST_NOT_ALLOWED), "what a file does not allow is refused");
	urivet_loaded_release(file);
}

/* Checks that a word without quotes is the same text, or is not a text. */
static void expect_plain(const char *word)
{
	struct urivet_loaded *quoted = take("name: \"", word, "\"");
	struct urivet_loaded *plain = take("name: ", word, "\n");
	oracle(plain == NULL || quoted == NULL || strchr(word, '#') != NULL ||
		   word[0] == '\'' ||
		   strcmp(urivet_loaded_policy(plain)->name, urivet_loaded_policy(quoted)->name) == 0,
	       "quotes change nothing");
	urivet_loaded_release(quoted);
	urivet_loaded_release(plain);
}

/* ---- Public suffixes -------------------------------------------------------------- */

/* Returns the list of public suffixes, which is never freed, or NULL if there is none. */
static const struct urivet_suffixes *suffixes(void)
{
	static struct urivet_suffixes *list;
	if (list == NULL)
		list = urivet_suffixes_open(NULL, NULL);
	return list;
}

static bool is_suffix(const char *before, const char *name)
{
	char text[300];
	const int length = snprintf(text, sizeof text, "%s%s", before, name);
	return urivet_loader_is_suffix(suffixes(), urivet_text_of(text, (size_t)length));
}

/* Checks the suffix of a name. Readers drop empty labels and decode escapes; if they read a name
 * differently, its owner is unknown. */
static void expect_suffix(const char *word)
{
	char escape[4], name[300], domain[URIVET_REGISTRABLE_CAPACITY];
	const bool is = suffixes() != NULL && is_suffix("", word);
	if (suffixes() == NULL)
		return;
	oracle(is_suffix(".", word) == is && is_suffix("..", word) == is,
	       "dots hide no public suffix");
	snprintf(name, sizeof name, "a..%s", word);
	oracle(urivet_suffixes_registrable(domain, sizeof domain, suffixes(),
					   urivet_text_of(name, strlen(name))) == 0,
	       "a name with an empty label has no owner");
	snprintf(escape, sizeof escape, "%%%02x", (unsigned)(uint8_t)word[0]);
	oracle(word[0] == '%' || is_suffix(escape, word + 1) == is,
	       "escapes hide no public suffix");
}

/* Checks that a rule for a public suffix is rejected: no owner has a domain that wide. */
static void expect_no_suffix(struct urivet_text name, unsigned scope)
{
	oracle(suffixes() == NULL ||
		   (scope & ~(unsigned)URIVET_SCOPE_RELATIVE) == URIVET_SCOPE_HOST ||
		   !urivet_loader_is_suffix(suffixes(), name),
	       "no rule allows all names below a public suffix");
}

static void expect_narrow(const struct urivet_policy *policy)
{
	for (uint32_t k = 0; k < policy->hosts.count; k++)
		if (policy->hosts.rule[k].action == URIVET_ALLOW)
			expect_no_suffix(urivet_host_rule_name(&policy->hosts.rule[k]),
					 policy->hosts.rule[k].scope);
	for (uint32_t k = 0; k < policy->url_count; k++) {
		const struct urivet_url_rule *const r = &policy->urls[k];
		const char *const text = urivet_url_rule_text(r).data;
		if (r->kind == URIVET_URL_NAME)
			expect_no_suffix(urivet_text_of(text + r->host, r->host_length), r->scope);
	}
}

/* Checks the first line, if it can be written as a string. */
static void expect_word(const uint8_t *data, size_t length)
{
	char word[200], name[200];
	size_t n = 0;
	while (n < length && n + 1 < sizeof word && data[n] > 0x20 && data[n] < 0x7F &&
	       strchr("\"\\", data[n]) == NULL) {
		word[n] = (char)data[n];
		n++;
	}
	word[n] = '\0';
	if (n == 0 || (n < length && data[n] != '\n'))
		return;
	snprintf(name, sizeof name, "%s", word + (word[0] == '.'));
	if (name[0] == '*' || name[0] == '+')
		name[0] = 'x';
	expect_denial("hosts: {deny: [\"", word, "\"]}", name, URIVET_F_HOST_DENIED);
	if (word[0] != '\'') /* otherwise the quotes are YAML syntax */
		expect_denial("hosts:\n  deny:\n  - ", word, "\n", name, URIVET_F_HOST_DENIED);
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "/"), word);
	expect_denial("addresses: {deny: [\"", word, "\"]}", name, URIVET_F_ADDR_DENIED);
	if (word[0] != '\'')
		expect_denial("addresses:\n  deny:\n  - ", word, "\n", name, URIVET_F_ADDR_DENIED);
	expect_suffix(word);
	expect_allowance(word);
	expect_plain(word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct urivet_loaded *file = NULL;
	const struct urivet_policy *policy;
	bool excepts = false;
	char *text;
	expect_built(data, length);
	expect_word(data, length);
	if (length <= LENGTH_MOST)
		file = load(data, length, "fuzzed.yaml");
	if (file == NULL)
		return 0;
	policy = urivet_loaded_policy(file);
	expect_same(file, data, length, "fuzzed.yaml");
	text = shown(file, urivet_loaded_format);
	expect_same(file, text, strlen(text), "shown.yaml");
	free(text);
	expect_narrow(policy);
	for (uint32_t k = 0; k < policy->hosts.count; k++)
		excepts = excepts || policy->hosts.rule[k].action == URIVET_EXCEPT;
	for (uint32_t k = 0; k < policy->hosts.count; k++)
		expect_host_rule(file, &policy->hosts.rule[k], excepts);
	for (uint32_t k = 0; k < policy->addresses.count; k++)
		expect_address_rule(file, &policy->addresses.rule[k]);
	urivet_loaded_release(file);
	return 0;
}
