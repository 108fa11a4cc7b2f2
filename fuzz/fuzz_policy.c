/* SPDX-License-Identifier: Apache-2.0 */
/* Policy files: one that is taken is taken again and means the same, also as it is shown;
 * what it denies is denied, what it allows by name alone is allowed. */
#include "cli/policy/policy_file.h"
#include "cli/policy/policy_rules.h"
#include "cli/policy/policy_show.h"

#include <strings.h>

#include "oracles.h"

/* Long files find nothing that short ones do not, only later. */
#define LENGTH_MOST 65536u
#define ROOM        (1u << 22)

static struct output shown(const struct policy_file *file)
{
	struct output out;
	oracle(output_open(&out, -1, ROOM), "there is memory");
	oracle(policy_show(&out, file), "a policy can be shown");
	oracle(out.error == 0 && out.used < ROOM, "what is shown has room");
	return out;
}

static void judge(struct urivet_report *r, const char *uri, const struct policy_file *file)
{
	urivet_check(r, uri, strlen(uri), &file->policy);
	expect_sound(r, strlen(uri), &file->policy);
}

static bool has(const struct urivet_report *r, unsigned id)
{
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].id == id)
			return true;
	return r->dropped > 0;
}

/* Nothing else is said of what is longer than the policy allows. */
static bool has_or_long(const struct urivet_report *r, unsigned id)
{
	return has(r, id) || has(r, URIVET_F_URL_TOO_LONG);
}

/* A handful of URIs that different rules have a word on. */
static void expect_alike(const struct policy_file *a, const struct policy_file *b)
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

static void expect_denied_name(const struct policy_file *file, const char *name)
{
	struct urivet_report r;
	char uri[400];
	snprintf(uri, sizeof uri, "http://%s/", name);
	judge(&r, uri, file);
	oracle(has_or_long(&r, URIVET_F_HOST_DENIED), "a denied name is denied");
}

static void expect_host_rule(const struct policy_file *file, const struct urivet_host_rule *rule)
{
	struct urivet_report r;
	char name[256], below[300], uri[400];
	snprintf(name, sizeof name, "%.*s", (int)rule->length, rule->name);
	snprintf(below, sizeof below, "x.%s", name);
	if (rule->action == URIVET_DENY) {
		if (rule->scope != URIVET_SCOPE_BELOW)
			expect_denied_name(file, name);
		if (rule->scope != URIVET_SCOPE_HOST)
			expect_denied_name(file, below);
	} else if (rule->scope == URIVET_SCOPE_HOST) {
		snprintf(uri, sizeof uri, "http://%s/", name);
		judge(&r, uri, file);
		oracle(has(&r, URIVET_F_URL_TOO_LONG) ||
			   (r.host_rule != NULL && r.host_rule->action == URIVET_ALLOW),
		       "an allowed name is allowed");
	}
	oracle(rule->tag < file->sources && file->source[rule->tag].line > 0 &&
		   file->source[rule->tag].file < file->files,
	       "a rule stands somewhere");
}

static void expect_address_rule(const struct policy_file *file,
				const struct urivet_address_rule *rule)
{
	struct urivet_network address = rule->network;
	struct urivet_report r;
	char text[POLICY_RULE_TEXT], uri[400];
	address.length = (uint8_t)(8 * address.octets);
	policy_write_network(text, &address);
	snprintf(uri, sizeof uri, address.octets == 4 ? "http://%s/" : "http://[%s]/", text);
	judge(&r, uri, file);
	oracle(rule->action != URIVET_DENY || has_or_long(&r, URIVET_F_ADDR_DENIED),
	       "a denied address is denied");
	oracle(rule->tag < file->sources, "a rule stands somewhere");
}

static void expect_same(const struct policy_file *file, struct text text, const char *name)
{
	struct policy_file again;
	struct output first = shown(file), second;
	oracle(policy_file_take(&again, text, name), "a policy is taken again");
	second = shown(&again);
	oracle(first.used == second.used && memcmp(first.buffer, second.buffer, first.used) == 0,
	       "a policy comes to the same again");
	expect_alike(file, &again);
	policy_file_free(&again);
	free(first.buffer);
	free(second.buffer);
}

/* ---- Words in files of which the meaning is known ------------------------------- */

/* Takes a file that has the word between two texts. */
static bool take(struct policy_file *file, const char *before, const char *word, const char *after)
{
	char text[400];
	const int length = snprintf(text, sizeof text, "%s%s%s", before, word, after);
	return policy_file_take(file, (struct text){(const uint8_t *)text, (size_t)length},
				"word.conf");
}

static void expect_denial(const char *before, const char *word, const char *name, unsigned finding)
{
	struct policy_file file;
	struct urivet_report r;
	char uri[400];
	if (!take(&file, before, word, "\"]; };"))
		return;
	snprintf(uri, sizeof uri, strchr(name, ':') != NULL ? "http://[%s]/" : "http://%s/", name);
	judge(&r, uri, &file);
	oracle(has(&r, finding) && r.verdict == URIVET_REJECT, "what a file denies is refused");
	policy_file_free(&file);
}

static void expect_number(const char *word)
{
	struct policy_file file;
	if (word[0] < '0' || word[0] > '9' || !take(&file, "limits = { length = ", word, "; };"))
		return;
	oracle(file.policy.max_length == strtoull(word, NULL, strncasecmp(word, "0x", 2) ? 10 : 16),
	       "a number means what is written");
	policy_file_free(&file);
}

static void expect_allowance(const char *word)
{
	struct policy_file file;
	struct urivet_report r;
	char uri[400];
	if (!take(&file, "hosts = { allow = [\"", word, "\"]; };"))
		return;
	/* a last label that no rule of the word speaks of */
	snprintf(uri, sizeof uri, "http://%sx/", word + strspn(word, "*."));
	judge(&r, uri, &file);
	oracle(has(&r, URIVET_F_HOST_NOT_ALLOWED), "what a file does not allow is refused");
	policy_file_free(&file);
}

/* The first line, if it can stand in a string. */
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
	if (name[0] == '*')
		name[0] = 'x';
	expect_denial("hosts = { deny = [\"", word, name, URIVET_F_HOST_DENIED);
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "/"), word);
	expect_denial("addresses = { deny = [\"", word, name, URIVET_F_ADDR_DENIED);
	expect_number(word);
	expect_allowance(word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	const struct text text = {data, length};
	struct policy_file file;
	struct output out;
	expect_word(data, length);
	if (length > LENGTH_MOST || !policy_file_take(&file, text, "fuzzed.conf"))
		return 0;
	expect_same(&file, text, "fuzzed.conf");
	out = shown(&file);
	expect_same(&file, (struct text){out.buffer, out.used}, "shown.conf");
	free(out.buffer);
	for (uint32_t k = 0; k < file.policy.hosts.count; k++)
		expect_host_rule(&file, &file.policy.hosts.rule[k]);
	for (uint32_t k = 0; k < file.policy.addresses.count; k++)
		expect_address_rule(&file, &file.policy.addresses.rule[k]);
	policy_file_free(&file);
	return 0;
}
