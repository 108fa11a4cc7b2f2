/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy explain: shows which rules of a policy are about a URL, which decided, and what to
 * add to the policy file for the other verdict. */
#include "cli/commands/policy_actions.h"
#include "cli/commands/policy_learned.h"
#include "cli/show/show.h"
#include "cli/text/emit.h"
#include "common/addition.h"
#include "common/finding_set.h"
#include "common/parameter_rule.h"
#include "common/rules.h"
#include "common/text/secrets.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_MOST 4096u /* octets of a rule in quotes */
#define YAML_MOST (2 * TEXT_MOST + URIVET_FINDING_LIMIT * 48u)

/* What is added to a policy file. */
struct addition {
	char url[TEXT_MOST];    /* of a rule, in quotes; empty: none, as for the others */
	char prefix[TEXT_MOST]; /* below which `allow` is allowed */
	char denied[TEXT_MOST]; /* a host or an address */
	struct urivet_finding_set allow;
	uint32_t prefix_length;
};

struct explaining {
	const char *name; /* of the policy, as given */
	struct octets url;
	struct urivet_loaded *loaded;
	struct urivet_report report;
	struct output out;
	struct addition added;
	char yaml[YAML_MOST]; /* the same, as text */
	/* The policy with what is added, and what it says; NULL: the original. */
	struct urivet_loaded *changed;
	struct urivet_report changed_report;
	size_t rules; /* written */
	bool is_compiled;
	bool no_memory; /* a step failed for want of memory, so that none is known to be right */
};

static const struct urivet_policy *policy_of(const struct explaining *e)
{
	return urivet_loaded_policy(e->changed != NULL ? e->changed : e->loaded);
}

static bool is_built_in(const struct explaining *e)
{
	return urivet_policy_named(e->name, strlen(e->name)) >= 0;
}

static const struct urivet_report *report_of(const struct explaining *e)
{
	return e->changed != NULL ? &e->changed_report : &e->report;
}

/* ---- Rules about the URL -------------------------------------------------------------------- */

/* Returns true if the URL is judged by the rule of a policy that has only one list with one rule. */
static bool is_about(struct explaining *e, struct urivet_policy *alone, const void *rule)
{
	static struct urivet_report report;

	alone->seal = 0;
	alone->index = NULL;
	alone->index_count = 0;
	(void)urivet_check(&report, e->url.data, e->url.length, alone);
	return report.host_rule == rule || report.address_rule == rule || report.url_rule == rule;
}

/* Returns a copy of the policy without lists. */
static struct urivet_policy without_lists(const struct explaining *e)
{
	struct urivet_policy alone = *urivet_loaded_policy(e->loaded);

	alone.hosts = (struct urivet_host_list){0};
	alone.addresses = (struct urivet_address_list){0};
	alone.port_count = alone.url_count = alone.protect_count = 0;
	alone.parameter_count = alone.suffix_count = 0;
	(void)urivet_policy_waive(&alone, URIVET_F_HOST_PUBLIC_SUFFIX);
	return alone;
}

/* Writes "  * hosts.deny: admin.example.org (p.yaml:3)"; a star marks a rule that decided. */
static void write_rule(struct explaining *e, bool decided, const char *key, const char *text,
		       uint32_t tag)
{
	struct urivet_message place;

	if (e->rules++ == 0)
		output_string(&e->out, "Rules of the policy about it (* decided):\n");
	emit(&e->out, decided ? "  * " : "    ", key, ": ", prose(text));
	if (urivet_loaded_place(e->loaded, tag, &place))
		emit(&e->out, " (", prose(place.file), ":", place.line, ")");
	output_octet(&e->out, '\n');
}

/* Writes all rules that match the URL, whether or not another rule took precedence. */
static void write_rules(struct explaining *e)
{
	static const char *const host_key[] = {"hosts.deny", "hosts.allow", "hosts.deny.except"};
	static const char *const address_key[] = {"addresses.deny", "addresses.allow"};
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const struct urivet_report *const report = &e->report;
	char text[POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < policy->hosts.count; i++) {
		const struct urivet_host_rule *rule = &policy->hosts.rule[i];
		struct urivet_host_rule one = {0}; /* an exception as what a denial would be */
		struct urivet_policy alone = without_lists(e);

		urivet_loader_write_host(text, rule); /* rules of compiled policies have no copies */
		(void)urivet_host_rule_from(&one, text, strlen(text), rule->action % URIVET_EXCEPT);
		alone.hosts = (struct urivet_host_list){&one, 1, true, false};
		if (is_about(e, &alone, &one))
			write_rule(e, rule == report->host_rule, host_key[rule->action], text,
				   rule->tag);
	}
	for (uint32_t i = 0; i < policy->addresses.count; i++) {
		const struct urivet_address_rule *rule = &policy->addresses.rule[i];
		struct urivet_policy alone = without_lists(e);

		alone.addresses = (struct urivet_address_list){rule, 1, true};
		urivet_loader_write_network(text, &rule->network);
		if (is_about(e, &alone, rule))
			write_rule(e, rule == report->address_rule, address_key[rule->action],
				   text, rule->tag);
	}
	for (uint32_t i = 0; i < policy->url_count; i++) {
		const struct urivet_url_rule *rule = &policy->urls[i];
		struct urivet_policy alone = without_lists(e);

		alone.urls = rule;
		alone.url_count = 1;
		if (is_about(e, &alone, rule))
			write_rule(e, rule == report->url_rule,
				   policy->urls_also ? "urls.also" : "urls.allow",
				   urivet_url_rule_text(rule).data, rule->tag);
	}
	if (report->path_rule != NULL)
		write_rule(e, true, "paths", urivet_path_rule_text(report->path_rule).data,
			   report->path_rule->tag);
	if (report->port_rule != NULL) {
		urivet_loader_write_ports(text, report->port_rule);
		write_rule(e, true, "ports", text, report->port_rule->tag);
	}
	for (uint32_t i = 0; i < policy->parameter_count; i++) {
		const struct urivet_parameter_rule *rule = &policy->parameters[i];

		if (urivet_loader_parameter_is_about(rule, report, to_library(e->url)))
			write_rule(e,
				   rule == report->parameter_rule ||
				       (report->parameter_allowed && !is_empty_set(&rule->allowed)),
				   "parameters", parameter_name(rule), rule->tag);
	}
	if (e->rules == 0)
		output_string(&e->out, "No rule of the policy names it.\n");
}

/* ---- What to add ---------------------------------------------------------------------------- */

/* Appends to the text of what is added. */
__attribute__((format(printf, 2, 3))) static void append(struct explaining *e, const char *format,
							 ...)
{
	const size_t used = strlen(e->yaml);
	va_list values;

	va_start(values, format);
	(void)vsnprintf(e->yaml + used, sizeof e->yaml - used, format, values);
	va_end(values);
}

/* Writes what is added as lines of a policy file, with a comment about each rule. */
static void write_yaml(struct explaining *e, const struct addition *a)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const size_t end = strlen(a->url);
	const char *comma = "";

	e->yaml[0] = '\0';
	if (is_built_in(e))
		append(e, "base: %s\n", e->name);
	if (end > 0)
		append(e, "urls:\n  # opens %s\n  %s: [%s]\n",
		       a->url[end - 2] == '$' ? "this URL alone, without query and fragment"
					      : "this URL and those below its path, with any query",
		       /* the first rule of urls.allow would refuse all other URLs */
		       policy->url_count > 0 && !policy->urls_also ? "allow" : "also", a->url);
	if (a->prefix_length > 0) {
		append(e,
		       "paths:\n  # opens every path below the prefix with such a finding\n"
		       "  - {prefix: %s, allow: [",
		       a->prefix);
		for (EACH_IN_SET(id, &a->allow)) {
			append(e, "%s%s", comma, urivet_finding_info(id)->name);
			comma = ", ";
		}
		append(e, "]}\n");
	}
	if (a->denied[0] != '\0')
		append(e, "%s:\n  # closes every URL of this host\n  deny: [%s]\n",
		       e->report.uri.host_kind == URIVET_HOST_NAME ? "hosts" : "addresses",
		       a->denied);
}

/* Notes that a policy was not loaded because memory is short, or because it is compiled. */
static void note_reason(void *context, const struct urivet_message *message)
{
	struct explaining *e = context;

	e->no_memory = e->no_memory || strstr(message->text, "memory") != NULL ||
		       strstr(message->text, strerror(ENOMEM)) != NULL;
	e->is_compiled = e->is_compiled || strstr(message->text, "compiled policy") != NULL;
}

/* Writes a text in quotes, with what follows it. Returns false if it has to be escaped, or is too
 * long. */
static bool quote(char to[TEXT_MOST], const void *text, size_t length, const char *after)
{
	const char *from = text;
	size_t used = 0;

	if (length == 0 || length > TEXT_MOST / 2 - 4 || !output_is_plain(text_at(text, length)))
		return false;
	to[used++] = '\'';
	for (size_t i = 0; i < length; i++) {
		if (from[i] == '\'')
			to[used++] = '\'';
		to[used++] = from[i];
	}
	(void)snprintf(to + used, TEXT_MOST - used, "%s'", after);
	return true;
}

/* Denies the host or address. */
static bool deny_host(const struct explaining *e, struct addition *a)
{
	char address[64];
	struct octets host = part_of(&e->report.uri, URIVET_HOST, e->url);

	if (e->report.uri.host_kind != URIVET_HOST_NAME)
		host = text_at(address,
			       urivet_format_address(address, sizeof address, &e->report.uri));
	if (!e->report.parsed || !quote(a->denied, host.data, host.length, ""))
		return false;
	lower_copy((uint8_t *)a->denied, text_of(a->denied));
	return true;
}

/* Allows the URL up to its query, alone or with all below its path, unless that is the whole host. */
static bool allow_url(const struct explaining *e, bool alone, struct addition *a)
{
	const struct urivet_span *path = &e->report.uri.part[URIVET_PATH];

	return e->report.parsed && path->length > (alone ? 0u : 1u) &&
	       quote(a->url, e->url.data, (size_t)path->offset + path->length, alone ? "$" : "");
}

/* Allows the finding below a prefix of the path, where a gateway is guarded, unless that is the whole
 * server, the finding is dangerous, or the path has a URL that `public` refuses. */
static bool allow_below(struct explaining *e, const struct urivet_finding *finding,
			struct addition *a)
{
	const struct octets path = part_of(&e->report.uri, URIVET_PATH, e->url);
	const char *const text = (const char *)path.data;
	const uint32_t at = finding->span.offset - e->report.uri.part[URIVET_PATH].offset +
			    (finding->id == URIVET_F_PATH_DOUBLE_SLASH);
	struct urivet_path_rule whole;
	struct urivet_policy inner;
	uint32_t length = (uint32_t)path.length;

	if (urivet_loaded_base(e->loaded) != URIVET_GATEWAY || !can_learn(finding->id) ||
	    path.length == 0 || path.length > sizeof e->yaml ||
	    !urivet_policy_init(&inner, sizeof inner, URIVET_PUBLIC) ||
	    has_refused_url(&inner, (uint8_t *)e->yaml, path))
		return false;
	if (finding->component != URIVET_QUERY)
		length = prefix_before(text, at < length ? at : length);
	else if (!urivet_path_rule_from(&whole, text, length))
		length = prefix_before(text, length);
	if (a->prefix_length > 0 && a->prefix_length < length)
		length = a->prefix_length;
	a->prefix_length = length;
	put_in_set(&a->allow, finding->id);
	return length > 1 && quote(a->prefix, text, length, "");
}

/* From what opens least to what opens most. */
enum step { STEP_PATH, STEP_URL, STEP_URLS_BELOW, STEP_DENIAL /* the only one that closes */ };

/* Tries a step. Keeps it if the verdict is the other one, or if the finding refuses no more. */
static bool try_step(struct explaining *e, enum step step, const struct urivet_finding *finding)
{
	struct addition added = e->added;
	const struct urivet_policy *policy;
	struct urivet_loaded *loaded;
	struct urivet_report report;
	bool good = step == STEP_PATH     ? allow_below(e, finding, &added)
		    : step == STEP_DENIAL ? deny_host(e, &added)
					  : allow_url(e, step == STEP_URL, &added);

	if (e->no_memory || !good)
		return false;
	write_yaml(e, &added);
	loaded = is_built_in(e)
		     ? urivet_load_text(e->yaml, strlen(e->yaml), e->name, note_reason, e)
		     : urivet_loader_with(e->name, e->yaml, strlen(e->yaml), note_reason, e);
	if (loaded == NULL)
		return false;
	policy = urivet_loaded_policy(loaded);
	judge_url_or_path(&report, e->url, policy);
	good = report.verdict != e->report.verdict ||
	       (finding != NULL && judge_refusal(&report, policy, finding->id) == NULL);
	urivet_loaded_release(good ? e->changed : loaded);
	if (good) {
		e->changed = loaded;
		e->changed_report = report;
		e->added = added;
	}
	return good;
}

/* Finds what to add for the URL to be accepted, finding by finding. */
static bool find_to_accept(struct explaining *e)
{
	bool changed = true;

	while (changed && report_of(e)->verdict != URIVET_ACCEPT) {
		const struct urivet_finding *first = judge_refusal(report_of(e), policy_of(e), 0);
		struct urivet_finding finding;

		if (first == NULL)
			return false;
		finding = *first;
		changed = false;
		for (enum step step = STEP_PATH; step < STEP_DENIAL && !changed; step++)
			changed = try_step(e, step, &finding);
	}
	return changed;
}

/* ---- Output ----------------------------------------------------------------------------- */

static void write_verdict(struct explaining *e, uint8_t *masked)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	struct item item = item_of(e->url, &e->report, policy, e->loaded);

	memcpy(masked, e->url.data, e->url.length);
	mask_secrets(masked, e->url.length);
	item.text.data = masked;
	human_write_verdict(&e->out, &item);
	human_write_reason(&e->out, &item);
	human_write_findings(&e->out, &item);
	human_write_allowances(&e->out, &item);
}

/* Writes the spelling that the policy accepts. Returns false if there is none. */
static bool write_spelling(struct explaining *e)
{
	const size_t capacity = 3 * e->url.length + 3;
	char *spelling = malloc(capacity);
	size_t length = 0;

	e->no_memory = e->no_memory || spelling == NULL;
	if (spelling != NULL && e->url.data[0] != '/')
		length = urivet_suggest(spelling, capacity, e->url.data, e->url.length,
					urivet_loaded_policy(e->loaded));
	if (length > 0) {
		mask_secrets((uint8_t *)spelling, length);
		emit(&e->out, "Write instead: ", text_at(spelling, length), "\n");
	}
	free(spelling);
	return length > 0;
}

/* Says why no addition accepts the URL, and what to write instead. */
static void write_instead(struct explaining *e)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const struct urivet_finding *left = judge_refusal(report_of(e), policy_of(e), 0);
	const struct urivet_finding_row *row;
	struct addition scratch = {0};

	if (left == NULL || judge_refusal(&e->report, policy, left->id) == NULL)
		left = judge_refusal(&e->report, policy, 0);
	row = urivet_finding_info(left != NULL ? left->id : 0);
	if (e->is_compiled || row == NULL) {
		emit(&e->out, "Nothing can be added to a compiled policy: explain the file that it "
			      "was made from.\n");
		return;
	}
	emit(&e->out, "No narrow addition to the policy accepts it: ", row->name,
	     " still refuses.\n");
	if (row->id == URIVET_F_HOST_DENIED || row->id == URIVET_F_ADDR_DENIED ||
	    row->id == URIVET_F_PARAM_REFUSED)
		emit(&e->out, "Change the rule that decided.\n");
	else if (!allow_below(e, left, &scratch) && scratch.prefix_length == 1)
		emit(&e->out, "A rule for the whole server: paths: [{prefix: /, allow: [",
		     row->name, "]}]\n");
	else if (!write_spelling(e))
		emit(&e->out, "Write it otherwise: ", row->text, "\n");
}

/* Writes what was found, with two spaces before each line. */
static void write_found(struct explaining *e)
{
	const struct urivet_report *report = &e->report;
	const char *line = e->yaml;

	write_yaml(e, &e->added);
	emit(&e->out, report->verdict == URIVET_ACCEPT ? "To refuse it, " : "To accept it, ");
	if (is_built_in(e))
		emit(&e->out, "write a policy file:\n");
	else
		emit(&e->out, "add to ", prose(e->name), ":\n");
	for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
		emit(&e->out, "  ", raw_text(text_at(line, (size_t)(end - line) + 1)));
	for (uint32_t i = 0; report->verdict != URIVET_ACCEPT && i < report->count; i++)
		if (report->finding[i].class_ == URIVET_DANGEROUS &&
		    urivet_finding_refuses(report, &report->finding[i],
					   urivet_loaded_policy(e->loaded)))
			emit(&e->out, "This opens what is dangerous: ",
			     urivet_finding_info(report->finding[i].id)->text, "\n");
}

static bool explain(struct explaining *e, const struct options *options)
{
	uint8_t *masked = malloc(e->url.length + 1);
	const bool accepted = e->report.verdict == URIVET_ACCEPT;
	bool good = masked != NULL && paint_open(&e->out, options->showing.colour);

	if (good) {
		bool found;

		write_verdict(e, masked);
		write_rules(e);
		found = accepted ? try_step(e, STEP_DENIAL, NULL) : find_to_accept(e);
		if (found && !e->no_memory)
			write_found(e);
		else if (accepted)
			emit(&e->out, "No addition to the policy refuses it.\n");
		else
			write_instead(e);
		good = output_finish(&e->out) && !e->no_memory;
	}
	if (masked == NULL || e->no_memory)
		complain("%s", strerror(ENOMEM));
	free(masked);
	return good;
}

enum status policy_explain(const struct options *options)
{
	struct explaining e = {.name = options->reading.operand[1],
			       .url = text_of(options->reading.operand[2])};
	bool good = strcmp(e.name, "-") != 0;

	if (!good)
		return trouble("policy explain: the policy has to be a file, which is read again");
	e.loaded = policy_open(e.name);
	if (e.loaded == NULL)
		return STATUS_TROUBLE;
	judge_url_or_path(&e.report, e.url, urivet_loaded_policy(e.loaded));
	good = options->showing.quiet || explain(&e, options);
	urivet_loaded_release(e.changed);
	urivet_loaded_release(e.loaded);
	return !good                               ? STATUS_TROUBLE
	       : e.report.verdict == URIVET_ACCEPT ? STATUS_ACCEPTED
						   : STATUS_REFUSED;
}
