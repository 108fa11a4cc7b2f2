/* SPDX-License-Identifier: Apache-2.0 */
/* urivet policy explain: shows which rules of a policy are about a URL, which decided, and the
 * smallest edit of the policy file by which the verdict would be the other one. */
#include "cli/commands/judge.h"
#include "cli/commands/policy_actions.h"
#include "cli/commands/policy_edit.h"
#include "cli/show/emit.h"
#include "cli/show/item.h"
#include "cli/show/secrets.h"
#include "common/edited.h"
#include "common/finding_set.h"
#include "common/load.h"
#include "common/parameter_rule.h"
#include "common/rules.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The maximum octets of a policy file that is edited. */
#define EDITED_MOST (64u << 20)

struct explaining {
	const char *name; /* of the policy, as given */
	struct octets url;
	struct urivet_loaded *loaded;
	struct urivet_report report;
	struct output out;
	/* The edit, of one file; begins with the first step. */
	struct edit edit;
	bool has_edit;
	/* The policy with the edit, and what it says; NULL: the original. */
	struct urivet_loaded *edited;
	struct urivet_report edited_report;
	size_t rules;   /* written */
	bool no_memory; /* a step failed for want of memory, so that none is known to be right */
};

static const struct urivet_policy *policy_of(const struct explaining *e)
{
	return urivet_loaded_policy(e->edited != NULL ? e->edited : e->loaded);
}

static const struct urivet_report *report_of(const struct explaining *e)
{
	return e->edited != NULL ? &e->edited_report : &e->report;
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
			write_rule(e, rule == e->report.parameter_rule ||
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

/* ---- Edits ---------------------------------------------------------------------------------- */

/* Reads a policy file. Returns NULL if it cannot be read. The caller frees it. */
static uint8_t *read_whole(const char *path, size_t *length)
{
	struct load load = {.most = EDITED_MOST};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	const bool good =
	    fd >= 0 && urivet_loader_resize(&load, 65536) &&
	    urivet_loader_fill(&load, urivet_loader_descriptor, &fd, EDITED_MOST + 1) &&
	    load.length <= EDITED_MOST;

	if (fd >= 0)
		(void)close(fd);
	*length = load.length;
	if (good)
		return load.data;
	free(load.data);
	return NULL;
}

static bool open_edit(struct explaining *e, const char *file, const char *text, size_t length)
{
	e->has_edit = edit_open(&e->edit, file, text, length);
	if (!e->has_edit) {
		edit_close(&e->edit);
		e->no_memory = true;
	}
	return e->has_edit;
}

/* Begins to edit a file of the policy. Returns false if another one is edited already. */
static bool begin_edit(struct explaining *e, const char *file)
{
	char base[64];
	uint8_t *text;
	size_t length;

	const bool built_in = urivet_policy_named(e->name, strlen(e->name)) >= 0;

	if (e->has_edit)
		return built_in || strcmp(e->edit.file, file) == 0;
	if (built_in) {
		(void)snprintf(base, sizeof base, "base: %s\n", e->name);
		return open_edit(e, "policy.yaml", base, strlen(base));
	}
	text = read_whole(file, &length);
	if (text == NULL) {
		e->no_memory = e->no_memory || errno == ENOMEM;
		return false;
	}
	(void)open_edit(e, file, (const char *)text, length);
	free(text);
	return e->has_edit;
}

/* Begins to edit the policy file itself. */
static bool begin_main(struct explaining *e)
{
	return begin_edit(e, e->name);
}

/* Notes that a policy was not loaded because memory is short, not because it is none. */
static void note_memory(void *context, const struct urivet_message *message)
{
	struct explaining *e = context;

	e->no_memory = e->no_memory || strstr(message->text, "memory") != NULL ||
		       strstr(message->text, strerror(ENOMEM)) != NULL;
}

/* Loads the policy with the edit and judges by it. Returns false if it is no policy. */
static bool judge_edited(struct explaining *e, struct urivet_report *report,
			 struct urivet_loaded **loaded)
{
	size_t length;
	char *text = edit_text(&e->edit, &length);

	*loaded = NULL;
	e->no_memory = e->no_memory || text == NULL;
	if (text == NULL)
		return false;
	*loaded = urivet_policy_named(e->name, strlen(e->name)) >= 0
		      ? urivet_load_text(text, length, "policy.yaml", note_memory, e)
		      : urivet_loader_edited(e->name, e->edit.file, text, length, note_memory, e);
	free(text);
	if (*loaded == NULL)
		return false;
	judge_url_or_path(report, e->url, urivet_loaded_policy(*loaded));
	return true;
}

/* A step of an edit: changes the text by what is known of the URL. Returns false if it cannot. */
typedef bool step(struct explaining *e, const struct urivet_finding *finding);

static bool drop_place(struct explaining *e, uint32_t tag)
{
	struct urivet_message place;

	return e->edited == NULL && urivet_loaded_place(e->loaded, tag, &place) &&
	       begin_edit(e, place.file) && edit_drop(&e->edit, place.line, place.column);
}

static bool drop_host_rule(struct explaining *e, const struct urivet_finding *finding)
{
	(void)finding;
	return e->report.host_rule != NULL && drop_place(e, e->report.host_rule->tag);
}

static bool drop_address_rule(struct explaining *e, const struct urivet_finding *finding)
{
	(void)finding;
	return e->report.address_rule != NULL && drop_place(e, e->report.address_rule->tag);
}

static bool drop_url_rule(struct explaining *e, const struct urivet_finding *finding)
{
	(void)finding;
	return e->report.url_rule != NULL && drop_place(e, e->report.url_rule->tag);
}

/* Copies a component in lower case. Returns false if it is absent or too long. */
static bool copy_part(const struct explaining *e, enum urivet_component component, char *to,
		      size_t size)
{
	const struct urivet_report *report = &e->report;
	const struct urivet_span *span = &report->uri.part[component];

	if (!report->parsed || !urivet_has(&report->uri, component) || span->length == 0 ||
	    span->length >= size)
		return false;
	for (uint32_t i = 0; i < span->length; i++) {
		const char octet = (char)e->url.data[span->offset + i];

		to[i] = (char)(octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet);
	}
	to[span->length] = '\0';
	return true;
}

static bool add_host(struct explaining *e, const char *key)
{
	char host[512];

	if (!copy_part(e, URIVET_HOST, host, sizeof host) || !begin_main(e))
		return false;
	if (e->report.uri.host_kind == URIVET_HOST_NAME)
		return edit_add(&e->edit, "hosts", key, host);
	return urivet_format_address(host, sizeof host, &e->report.uri) > 0 &&
	       edit_add(&e->edit, "addresses", key, host);
}

static bool allow_host(struct explaining *e, const struct urivet_finding *finding)
{
	const bool is_name = e->report.uri.host_kind == URIVET_HOST_NAME;

	(void)finding;
	/* the first rule of hosts.allow would refuse all other hosts */
	return (!is_name || policy_of(e)->hosts.only) && add_host(e, "allow");
}

static bool deny_host(struct explaining *e, const struct urivet_finding *finding)
{
	(void)finding;
	return add_host(e, "deny");
}

/* Allows the URL up to its query: only this one, if it has none. */
static bool allow_url(struct explaining *e, const struct urivet_finding *finding)
{
	const struct urivet_uri *uri = &e->report.uri;
	const struct urivet_span *path = &uri->part[URIVET_PATH];
	const size_t end = (size_t)path->offset + path->length;
	char text[4096];

	(void)finding;
	if (!e->report.parsed || !urivet_has(uri, URIVET_SCHEME) || policy_of(e)->url_count == 0 ||
	    end + 2 > sizeof text || !begin_main(e))
		return false;
	memcpy(text, e->url.data, end);
	text[end] = '\0';
	if (end == e->url.length && path->length > 0)
		memcpy(text + end, "$", 2);
	return edit_add(&e->edit, "urls", "allow", text);
}

static bool allow_port(struct explaining *e, const struct urivet_finding *finding)
{
	char scheme[16], port[16];

	(void)finding;
	return copy_part(e, URIVET_SCHEME, scheme, sizeof scheme) &&
	       copy_part(e, URIVET_PORT, port, sizeof port) && begin_main(e) &&
	       edit_add(&e->edit, "ports", scheme, port);
}

static bool allow_scheme(struct explaining *e, const struct urivet_finding *finding)
{
	const struct urivet_policy *policy = policy_of(e);
	char scheme[256];
	bool is_new;

	(void)finding;
	if (!copy_part(e, URIVET_SCHEME, scheme, sizeof scheme) || !begin_main(e))
		return false;
	/* a new list has to name what the base allows */
	is_new = !edit_has(&e->edit, "schemes");
	for (size_t i = 0; i < POLICY_SCHEMES && is_new; i++)
		if ((policy->schemes >> urivet_loader_schemes[i].scheme & 1u) != 0 &&
		    !edit_add(&e->edit, "", "schemes", urivet_loader_schemes[i].name))
			return false;
	return edit_add(&e->edit, "", "schemes", scheme);
}

static bool drop_scheme(struct explaining *e, const struct urivet_finding *finding)
{
	char scheme[256];

	(void)finding;
	return copy_part(e, URIVET_SCHEME, scheme, sizeof scheme) && begin_main(e) &&
	       edit_drop_word(&e->edit, "schemes", scheme);
}

static bool set_length(struct explaining *e, const struct urivet_finding *finding)
{
	char number[32];

	(void)finding;
	(void)snprintf(number, sizeof number, "%zu", e->url.length);
	return begin_main(e) && edit_set(&e->edit, "limits", "length", number);
}

static bool drop_raised(struct explaining *e, const struct urivet_finding *finding)
{
	return in_set(&policy_of(e)->raised, finding->id) && begin_main(e) &&
	       edit_drop_word(&e->edit, "refuse", urivet_finding_info(finding->id)->name);
}

static bool waive(struct explaining *e, const struct urivet_finding *finding)
{
	/* it would switch off all rules for parameters */
	if (finding->id == URIVET_F_PARAM_REFUSED && urivet_loaded_parameter(e->loaded, 0) != NULL)
		return false;
	(void)drop_raised(e, finding); /* in both lists of a file it would be an error */
	return begin_main(e) &&
	       edit_add(&e->edit, "", "allow", urivet_finding_info(finding->id)->name);
}

/* Waives the finding below the directory of the path, where a gateway is guarded. */
static bool waive_below(struct explaining *e, const struct urivet_finding *finding)
{
	const struct urivet_span *path = &e->report.uri.part[URIVET_PATH];
	const char *text = (const char *)e->url.data + path->offset;
	struct urivet_path_rule rule;
	char prefix[URIVET_PATH_RULE_MOST + 1];
	size_t length = 0;

	if (urivet_loaded_base(e->loaded) != URIVET_GATEWAY ||
	    !can_waive_by_path_rule(finding->id) || !e->report.parsed)
		return false;
	/* the longest beginning that ends with a segment and can be a prefix */
	for (size_t i = 0; i < path->length && i < URIVET_PATH_RULE_MOST; i++) {
		if (text[i] != '/')
			continue;
		if (!urivet_path_rule_from(&rule, text, i + 1))
			break;
		length = i + 1;
	}
	memcpy(prefix, text, length);
	prefix[length] = '\0';
	return length > 1 && begin_main(e) &&
	       edit_add_path(&e->edit, prefix, urivet_finding_info(finding->id)->name);
}

/* Waives the finding in the parameter whose value has it. */
static bool waive_in_value(struct explaining *e, const struct urivet_finding *finding)
{
	const struct urivet_span *whole = &e->report.uri.part[URIVET_QUERY];
	const char *query = (const char *)e->url.data + whole->offset;
	struct urivet_parameter_scan scan = {query, whole->length, 0, false};
	struct urivet_parameter parameter;
	char name[128];

	if (finding->component != URIVET_QUERY || !e->report.parsed)
		return false;
	while (urivet_parameter_next(&scan, &parameter)) {
		const size_t from = whole->offset + parameter.value.offset;

		if (parameter.name.length == 0 || parameter.name.length >= sizeof name ||
		    finding->span.offset < from ||
		    finding->span.offset >= from + parameter.value.length)
			continue;
		memcpy(name, query + parameter.name.offset, parameter.name.length);
		name[parameter.name.length] = '\0';
		return begin_main(e) &&
		       edit_add_parameter(&e->edit, name, urivet_finding_info(finding->id)->name);
	}
	return false;
}

/* Removes a rule for a parameter: the one that refuses, or one that allows what is in its value. */
static bool drop_parameter(struct explaining *e, const struct urivet_finding *finding)
{
	struct urivet_message place;
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	const struct urivet_parameter_rule *rule = e->report.parameter_rule;
	uint32_t tag = rule != NULL ? rule->tag : URIVET_TAG_NONE;

	(void)finding;
	for (uint32_t i = 0; e->report.parameter_allowed && i < policy->parameter_count; i++)
		if (urivet_loader_parameter_allows(&policy->parameters[i]) &&
		    urivet_loader_parameter_is_about(&policy->parameters[i], &e->report,
						     to_library(e->url)))
			tag = policy->parameters[i].tag;
	return e->edited == NULL && urivet_loaded_place(e->loaded, tag, &place) &&
	       begin_edit(e, place.file) && edit_drop_key(&e->edit, place.line, place.column);
}

/* Removes a finding that a rule for paths lets pass from its list. */
static bool drop_waived(struct explaining *e, const struct urivet_finding *finding)
{
	const struct urivet_report *report = &e->report;

	(void)finding;
	for (uint32_t i = 0; report->path_rule != NULL && i < report->count; i++)
		if (in_set(&report->path_rule->waived, report->finding[i].id))
			return begin_main(e) &&
			       edit_drop_word(&e->edit, "paths",
					      urivet_finding_info(report->finding[i].id)->name);
	return false;
}

static bool refuses(const struct urivet_report *report, const struct urivet_loaded *loaded,
		    unsigned id)
{
	for (uint32_t i = 0; i < report->count; i++)
		if (report->finding[i].id == id)
			return urivet_finding_refuses(report, &report->finding[i],
						      urivet_loaded_policy(loaded));
	return false;
}

/* Tries a step. Keeps it if the verdict is the wanted one, or if the finding does not refuse any
 * more. */
static bool try_step(struct explaining *e, step *change, const struct urivet_finding *finding,
		     enum urivet_verdict wanted)
{
	const bool had_edit = e->has_edit;
	const size_t count = e->edit.count;
	struct edit_line *saved = had_edit ? edit_save(&e->edit) : NULL;
	struct urivet_loaded *loaded = NULL;
	struct urivet_report report = {.size = 0};
	bool good;

	e->no_memory = e->no_memory || (had_edit && saved == NULL);
	good = !e->no_memory && change(e, finding) && judge_edited(e, &report, &loaded) &&
	       (report.verdict == wanted ||
		(finding != NULL && !refuses(&report, loaded, finding->id)));
	e->no_memory = e->no_memory || (e->has_edit && e->edit.no_memory);
	if (good) {
		urivet_loaded_release(e->edited);
		e->edited = loaded;
		e->edited_report = report;
	} else {
		urivet_loaded_release(loaded);
		if (saved != NULL)
			edit_restore(&e->edit, saved, count);
		else if (e->has_edit && !had_edit)
			edit_close(&e->edit);
		e->has_edit = had_edit;
	}
	free(saved);
	return good;
}

/* Returns the first finding that refuses, by the policy with its edit; NULL if there is none. */
static const struct urivet_finding *first_refusal(const struct explaining *e)
{
	const struct urivet_report *report = report_of(e);

	for (uint32_t i = 0; i < report->count; i++)
		if (urivet_finding_refuses(report, &report->finding[i], policy_of(e)))
			return &report->finding[i];
	return NULL;
}

/* Finds an edit by which the URL is accepted, finding by finding. */
static bool edit_to_accept(struct explaining *e)
{
	static step *const steps[] = {drop_raised,    drop_host_rule, drop_address_rule, allow_url,
				      allow_host,     allow_port,     allow_scheme,      set_length,
				      drop_parameter, waive_in_value, waive_below,       waive};
	static const unsigned about[] = {0,
					 URIVET_F_HOST_DENIED,
					 URIVET_F_ADDR_DENIED,
					 URIVET_F_URL_NOT_ALLOWED,
					 0,
					 URIVET_F_PORT_NONDEFAULT,
					 URIVET_F_SCHEME_NOT_ALLOWED,
					 URIVET_F_URL_TOO_LONG,
					 URIVET_F_PARAM_REFUSED,
					 0,
					 0,
					 0};

	for (size_t turn = 0; turn < URIVET_MAX_FINDINGS; turn++) {
		const struct urivet_finding *first = first_refusal(e);
		struct urivet_finding finding;
		bool changed = false;

		if (report_of(e)->verdict == URIVET_ACCEPT || first == NULL)
			break;
		finding = *first;
		for (size_t i = 0; i < sizeof steps / sizeof steps[0] && !changed; i++)
			changed = (about[i] == 0 || about[i] == finding.id) &&
				  try_step(e, steps[i], &finding, URIVET_ACCEPT);
		if (!changed)
			return false;
	}
	return report_of(e)->verdict == URIVET_ACCEPT;
}

/* Finds an edit by which the URL is refused: without the rule about it, or with one more. */
static bool edit_to_refuse(struct explaining *e)
{
	static step *const steps[] = {drop_waived,    drop_parameter,    drop_url_rule, deny_host,
				      drop_host_rule, drop_address_rule, drop_scheme};

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (try_step(e, steps[i], NULL, URIVET_REJECT))
			return true;
	return false;
}

/* ---- Output ----------------------------------------------------------------------------- */

static void write_verdict(struct explaining *e, uint8_t *masked)
{
	const bool accepted = e->report.verdict == URIVET_ACCEPT;
	const struct urivet_policy *policy = urivet_loaded_policy(e->loaded);
	struct item item = item_of(e->url, &e->report, policy, e->loaded);

	memcpy(masked, e->url.data, e->url.length);
	mask_secrets(masked, e->url.length);
	item.text.data = masked;
	emit(&e->out, accepted ? painted(STYLE_ACCEPT, "accept") : painted(STYLE_REJECT, "reject"),
	     "  ", item.text, item.too_long ? "...\n" : "\n", accepted ? "accepted" : "refused",
	     " by the policy ", prose(policy->name), "\n");
	human_write_findings(&e->out, &item);
	human_write_allowances(&e->out, &item);
}

static void write_edit(struct explaining *e, bool found)
{
	const bool accepted = e->report.verdict == URIVET_ACCEPT;

	if (found) {
		emit(&e->out, accepted ? "To refuse it:\n" : "To accept it:\n");
		edit_write(&e->out, &e->edit);
	} else {
		emit(&e->out, "No edit of a few lines ", accepted ? "refuses" : "accepts",
		     " it.\n");
	}
}

static bool explain(struct explaining *e, const struct options *options)
{
	uint8_t *masked = malloc(e->url.length + 1);
	bool good = masked != NULL && paint_open(&e->out, options->colour);

	if (good) {
		bool found;

		write_verdict(e, masked);
		write_rules(e);
		found = e->report.verdict == URIVET_ACCEPT ? edit_to_refuse(e) : edit_to_accept(e);
		if (!e->no_memory)
			write_edit(e, found);
		good = output_finish(&e->out) && !e->no_memory;
	}
	if (masked == NULL || e->no_memory)
		complain("%s", strerror(ENOMEM));
	free(masked);
	return good;
}

enum status policy_explain(const struct options *options)
{
	struct explaining e = {.name = options->operand[1], .url = text_of(options->operand[2])};
	bool good = strcmp(e.name, "-") != 0;

	if (!good) {
		complain("policy explain: the policy has to be a file, which is read again");
		return STATUS_TROUBLE;
	}
	e.loaded = policy_open(e.name);
	if (e.loaded == NULL)
		return STATUS_TROUBLE;
	judge_url_or_path(&e.report, e.url, urivet_loaded_policy(e.loaded));
	good = options->quiet || explain(&e, options);
	urivet_loaded_release(e.edited);
	urivet_loaded_release(e.loaded);
	if (e.has_edit)
		edit_close(&e.edit);
	return !good                               ? STATUS_TROUBLE
	       : e.report.verdict == URIVET_ACCEPT ? STATUS_ACCEPTED
						   : STATUS_REFUSED;
}
