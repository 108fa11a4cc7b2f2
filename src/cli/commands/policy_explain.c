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

#define MEMBERS_MOST 12u
#define TEXT_MOST    1400u /* octets of a member */

/* A member of a group of keys, with its value: "hosts" and "allow: ['a.example']". */
struct member {
	const char *group; /* "": it is a key itself */
	const char *opens;
	const char *end; /* after the value */
	char text[TEXT_MOST];
};

/* What is added to a policy file. */
struct addition {
	struct member member[MEMBERS_MOST];
	unsigned count;
};

struct explaining {
	const char *name; /* of the policy, as given */
	struct octets url;
	struct urivet_loaded *loaded;
	struct urivet_report report;
	struct output out;
	struct addition added;
	char yaml[MEMBERS_MOST * (TEXT_MOST + 200u)]; /* the same, as text */
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

/* Judges the URL by a policy that has only one list with one rule. */
static const struct urivet_report *judge_alone(struct explaining *e, struct urivet_policy *alone)
{
	static struct urivet_report report;

	alone->seal = 0;
	alone->index = NULL;
	alone->index_count = 0;
	(void)urivet_check(&report, e->url.data, e->url.length, alone);
	return &report;
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

static void write_host_rules(struct explaining *e)
{
	const struct urivet_host_list *hosts = &urivet_loaded_policy(e->loaded)->hosts;
	char text[POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < hosts->count; i++) {
		const struct urivet_host_rule *rule = &hosts->rule[i];
		struct urivet_policy alone = without_lists(e);

		alone.hosts = (struct urivet_host_list){rule, 1, true, false};
		if (judge_alone(e, &alone)->host_rule != rule)
			continue;
		urivet_loader_write_host(text, rule);
		write_rule(e, rule == e->report.host_rule,
			   rule->action == URIVET_DENY ? "hosts.deny" : "hosts.allow", text,
			   rule->tag);
	}
}

static void write_address_rules(struct explaining *e)
{
	const struct urivet_address_list *list = &urivet_loaded_policy(e->loaded)->addresses;
	char text[POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < list->count; i++) {
		const struct urivet_address_rule *rule = &list->rule[i];
		struct urivet_policy alone = without_lists(e);

		alone.addresses = (struct urivet_address_list){rule, 1, true};
		if (judge_alone(e, &alone)->address_rule != rule)
			continue;
		urivet_loader_write_network(text, &rule->network);
		write_rule(e, rule == e->report.address_rule,
			   rule->action == URIVET_DENY ? "addresses.deny" : "addresses.allow", text,
			   rule->tag);
	}
}

static void write_other_rules(struct explaining *e)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const struct urivet_port_rule *port = e->report.port_rule;
	char text[POLICY_RULE_TEXT];

	for (uint32_t i = 0; i < policy->url_count; i++) {
		const struct urivet_url_rule *rule = &policy->urls[i];
		struct urivet_policy alone = without_lists(e);

		alone.urls = rule;
		alone.url_count = 1;
		if (judge_alone(e, &alone)->url_rule == rule)
			write_rule(e, rule == e->report.url_rule, "urls.allow",
				   (const char *)urivet_url_rule_text(rule).data, rule->tag);
	}
	if (e->report.path_rule != NULL)
		write_rule(e, true, "paths",
			   (const char *)urivet_path_rule_text(e->report.path_rule).data,
			   e->report.path_rule->tag);
	if (port == NULL)
		return;
	urivet_loader_write_ports(text, port);
	write_rule(e, true, "ports", text, port->tag);
}

static void write_parameter_rules(struct explaining *e)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);

	for (uint32_t i = 0; i < policy->parameter_count; i++) {
		const struct urivet_parameter_rule *rule = &policy->parameters[i];

		if (urivet_loader_parameter_is_about(rule, &e->report, to_library(e->url)))
			write_rule(e,
				   rule == e->report.parameter_rule ||
				       (e->report.parameter_allowed &&
					urivet_loader_parameter_allows(rule)),
				   "parameters", parameter_name(rule), rule->tag);
	}
}

/* Writes all rules that match the URL, whether or not another rule took precedence. */
static void write_rules(struct explaining *e)
{
	write_host_rules(e);
	write_address_rules(e);
	write_other_rules(e);
	write_parameter_rules(e);
	if (e->rules == 0)
		output_string(&e->out, "No rule of the policy names it.\n");
}

/* ---- What to add ---------------------------------------------------------------------------- */

/* Adds a value to the member that begins with the head, and the member if it is new. Returns false
 * if there is no room. */
static bool add(struct addition *a, const char *group, const char *head, const char *value,
		const char *end, const char *opens)
{
	struct member *member = a->member;
	size_t used;

	while (member < a->member + a->count && (strcmp(member->group, group) != 0 ||
						 strncmp(member->text, head, strlen(head)) != 0))
		member++;
	if (member == a->member + MEMBERS_MOST)
		return false;
	if (member == a->member + a->count) {
		*member = (struct member){.group = group, .opens = opens, .end = end};
		a->count++;
	}
	used = strlen(member->text);
	return (size_t)snprintf(member->text + used, TEXT_MOST - used, "%s%s",
				used == 0 ? head : ", ", value) < TEXT_MOST - used;
}

/* Writes what is added as lines of a policy file, with a comment about each member. */
static void write_yaml(struct explaining *e, const struct addition *a)
{
	char *const to = e->yaml;
	const size_t size = sizeof e->yaml;
	size_t used = 0;

	if (is_built_in(e))
		used += (size_t)snprintf(to, size, "base: %s\n", e->name);
	for (unsigned i = 0; i < a->count; i++) {
		const char *const group = a->member[i].group;
		const char *indent = group[0] != '\0' ? "  " : "";

		for (unsigned k = 0; k < i; k++)
			if (strcmp(a->member[k].group, group) == 0)
				indent = NULL; /* written with the first one */
		if (indent != NULL && group[0] != '\0')
			used += (size_t)snprintf(to + used, size - used, "%s:\n", group);
		for (unsigned k = i; indent != NULL && k < a->count; k++)
			if (strcmp(a->member[k].group, group) == 0)
				used += (size_t)snprintf(to + used, size - used, "%s# %s\n%s%s%s\n",
							 indent, a->member[k].opens, indent,
							 a->member[k].text, a->member[k].end);
	}
}

/* Notes that a policy was not loaded because memory is short, or because it is compiled. */
static void note_reason(void *context, const struct urivet_message *message)
{
	struct explaining *e = context;

	e->no_memory = e->no_memory || strstr(message->text, "memory") != NULL ||
		       strstr(message->text, strerror(ENOMEM)) != NULL;
	e->is_compiled = e->is_compiled || strstr(message->text, "compiled policy") != NULL;
}

/* Loads the policy with what is added. Returns NULL if it is none. */
static struct urivet_loaded *load_with(struct explaining *e, const struct addition *added)
{
	write_yaml(e, added);
	return is_built_in(e)
		   ? urivet_load_text(e->yaml, strlen(e->yaml), e->name, note_reason, e)
		   : urivet_loader_with(e->name, e->yaml, strlen(e->yaml), note_reason, e);
}

/* Writes a text between two others. Returns false if it has to be escaped, or is too long. */
static bool quote(char to[TEXT_MOST], const char *before, const void *text, size_t length,
		  const char *after)
{
	return length > 0 && length < TEXT_MOST && output_is_plain(text_at(text, length)) &&
	       memchr(text, '\'', length) == NULL &&
	       (size_t)snprintf(to, TEXT_MOST, "%s%.*s%s", before, (int)length, (const char *)text,
				after) < TEXT_MOST;
}

/* Writes a component in lower case between two quotes. */
static bool quote_part(const struct explaining *e, enum urivet_component component,
		       char to[TEXT_MOST], const char *mark)
{
	const struct urivet_span *span = &e->report.uri.part[component];

	if (!e->report.parsed || !urivet_has(&e->report.uri, component) ||
	    !quote(to, mark, e->url.data + span->offset, span->length, mark))
		return false;
	lower_copy((uint8_t *)to, text_of(to));
	return true;
}

static bool add_host(const struct explaining *e, bool allows, struct addition *a)
{
	const char *const head = allows ? "allow: [" : "deny: [";
	const char *const opens = allows ? "opens every URL of this host that the rest accepts"
					 : "closes every URL of this host";
	char address[64], value[TEXT_MOST];
	size_t length;

	if (e->report.uri.host_kind == URIVET_HOST_NAME)
		/* the first rule of hosts.allow would refuse all other hosts */
		return (!allows || urivet_loaded_policy(e->loaded)->hosts.only) &&
		       quote_part(e, URIVET_HOST, value, "'") &&
		       add(a, "hosts", head, value, "]", opens);
	length =
	    e->report.parsed ? urivet_format_address(address, sizeof address, &e->report.uri) : 0;
	return quote(value, "'", address, length, "'") &&
	       add(a, "addresses", head, value, "]", opens);
}

/* Allows the URL up to its query, with all below its path or alone. */
static bool add_url(const struct explaining *e, bool alone, struct addition *a)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const struct urivet_span *path = &e->report.uri.part[URIVET_PATH];
	char value[TEXT_MOST];

	/* the first rule of urls.allow would refuse all other URLs */
	return e->report.parsed && (path->length > 0 || !alone) &&
	       quote(value, "'", e->url.data, (size_t)path->offset + path->length,
		     alone ? "$'" : "'") &&
	       add(a, "urls", policy->url_count > 0 && !policy->urls_also ? "allow: [" : "also: [",
		   value, "]",
		   alone ? "opens this URL alone, without query and fragment"
			 : "opens this URL and those below its path, with any query");
}

/* Allows the scheme. `is_new`: the file has no list, so it has to name those of the base. */
static bool add_scheme(const struct explaining *e, bool is_new, struct addition *a)
{
	const uint32_t schemes = urivet_loaded_policy(e->loaded)->schemes;
	const char *const opens = "opens every URL of the last scheme that the rest accepts";
	char value[TEXT_MOST];

	for (size_t i = 0; i < POLICY_SCHEMES && is_new; i++)
		if ((schemes >> urivet_loader_schemes[i].scheme & 1u) != 0 &&
		    !add(a, "", "schemes: [", urivet_loader_schemes[i].name, "]", opens))
			return false;
	return quote_part(e, URIVET_SCHEME, value, "") &&
	       add(a, "", "schemes: [", value, "]", opens);
}

/* Waives the finding in the parameter whose value has it. */
static bool waive_in_value(const struct explaining *e, const struct urivet_finding *finding,
			   struct addition *a)
{
	const struct urivet_span *whole = &e->report.uri.part[URIVET_QUERY];
	const char *query = (const char *)e->url.data + whole->offset;
	struct urivet_parameter_scan scan = {query, whole->length, 0, false};
	struct urivet_parameter parameter;
	char head[TEXT_MOST];

	if (finding->component != URIVET_QUERY || !e->report.parsed)
		return false;
	while (urivet_parameter_next(&scan, &parameter))
		if (finding->span.offset - whole->offset - parameter.value.offset <
		    parameter.value.length)
			return quote(head, "'", query + parameter.name.offset,
				     parameter.name.length, "': {allow: [") &&
			       add(a, "parameters", head, urivet_finding_info(finding->id)->name,
				   "]}", "opens every value of this parameter with such a finding");
	return false;
}

/* Waives all findings in values, since a value is let through if nothing else refuses. */
static bool waive_in_values(const struct explaining *e, struct addition *a)
{
	const struct urivet_report *report = report_of(e);
	bool any = false;

	for (uint32_t i = 0; i < report->count; i++)
		if (urivet_finding_refuses(report, &report->finding[i], policy_of(e)))
			any = waive_in_value(e, &report->finding[i], a) || any;
	return any;
}

/* Waives the finding below the directory of the path, where a gateway is guarded. */
static bool waive_below(const struct explaining *e, const struct urivet_finding *finding,
			struct addition *a)
{
	const struct urivet_span *path = &e->report.uri.part[URIVET_PATH];
	const char *text = (const char *)e->url.data + path->offset;
	char head[TEXT_MOST];
	uint32_t length;

	if (urivet_loaded_base(e->loaded) != URIVET_GATEWAY ||
	    finding->class_ == URIVET_DANGEROUS || !can_waive_by_path_rule(finding->id) ||
	    !e->report.parsed)
		return false;
	length = prefix_before(text, path->length);
	return length > 1 && quote(head, "- {prefix: '", text, length, "', allow: [") &&
	       add(a, "paths", head, urivet_finding_info(finding->id)->name, "]}",
		   "opens every path below the prefix with such a finding");
}

/* Waives the finding, unless that would switch a list off, or open what is dangerous. */
static bool waive(const struct urivet_finding *finding, struct addition *a)
{
	return finding->class_ != URIVET_POLICY && finding->class_ != URIVET_DANGEROUS &&
	       add(a, "", "allow: [", urivet_finding_info(finding->id)->name, "]",
		   "opens every URL with such a finding");
}

/* From what opens least to what opens most. */
enum step {
	STEP_VALUE,
	STEP_PATH,
	STEP_WAIVER,
	STEP_URL,
	STEP_URLS_BELOW,
	STEP_HOST,
	STEP_SCHEME,
	STEP_SCHEMES,
	STEP_DENIAL /* the only one that closes */
};

/* Adds what could change how the finding is judged. Returns false if there is no such thing. */
static bool add_step(const struct explaining *e, enum step step,
		     const struct urivet_finding *finding, struct addition *a)
{
	if (step == STEP_VALUE)
		return waive_in_values(e, a);
	if (step == STEP_PATH)
		return waive_below(e, finding, a);
	if (step == STEP_WAIVER)
		return waive(finding, a);
	if (step == STEP_URL || step == STEP_URLS_BELOW)
		return add_url(e, step == STEP_URL, a);
	if (step == STEP_HOST || step == STEP_DENIAL)
		return add_host(e, step == STEP_HOST, a);
	return add_scheme(e, step == STEP_SCHEMES, a);
}

/* Tries a step. Keeps it if the verdict is the other one, or if the finding refuses no more, and if
 * no scheme is closed. */
static bool try_step(struct explaining *e, enum step step, const struct urivet_finding *finding)
{
	struct addition added = e->added;
	const struct urivet_policy *policy;
	struct urivet_loaded *loaded;
	struct urivet_report report;
	bool good;

	if (e->no_memory || !add_step(e, step, finding, &added))
		return false;
	loaded = load_with(e, &added);
	if (loaded == NULL)
		return false;
	policy = urivet_loaded_policy(loaded);
	judge_url_or_path(&report, e->url, policy);
	good = (urivet_loaded_policy(e->loaded)->schemes & ~policy->schemes) == 0 &&
	       (report.verdict != e->report.verdict ||
		(finding != NULL && judge_refusal(&report, policy, finding->id) == NULL));
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
		for (enum step step = STEP_VALUE; step < STEP_DENIAL && !changed; step++)
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

/* Returns true if the finding refuses only because the policy file raises it. */
static bool is_raised_by_file(struct explaining *e, unsigned id)
{
	struct urivet_loaded *base = urivet_load_built_in(urivet_loaded_base(e->loaded));
	const bool raised = base != NULL && in_set(&policy_of(e)->raised, id) &&
			    !in_set(&urivet_loaded_policy(base)->raised, id);

	e->no_memory = e->no_memory || base == NULL;
	urivet_loaded_release(base);
	return raised;
}

/* Says what to change or to write if no addition accepts the URL. */
static void write_instead(struct explaining *e)
{
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const struct urivet_finding *left = judge_refusal(report_of(e), policy_of(e), 0);
	const struct urivet_finding_row *row;

	if (left == NULL || judge_refusal(&e->report, policy, left->id) == NULL)
		left = judge_refusal(&e->report, policy, 0);
	row = urivet_finding_info(left != NULL ? left->id : 0);
	if (e->is_compiled || row == NULL) {
		emit(&e->out, "Nothing can be added to a compiled policy: explain the file that it "
			      "was made from.\n");
		return;
	}
	emit(&e->out, "No addition to the policy accepts it: ", row->name, " still refuses.\n");
	if (is_raised_by_file(e, row->id))
		emit(&e->out, "Remove ", row->name, " from refuse.\n");
	else if (row->id == URIVET_F_URL_TOO_LONG)
		emit(&e->out, "Set limits.length to ", e->url.length, ".\n");
	else if (row->id == URIVET_F_HOST_DENIED || row->id == URIVET_F_ADDR_DENIED ||
		 row->id == URIVET_F_PARAM_REFUSED)
		emit(&e->out, "Change the rule that decided.\n");
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
