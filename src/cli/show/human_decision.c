/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the policy rule that decided, with its position, or the block that contains an address. */
#include "cli/show/writers.h"
#include "cli/text/emit.h"
#include "common/parameter_rule.h"
#include "common/rules.h"

#define INDENT 4u

static const char *const action_word[] = {[URIVET_DENY] = "deny ", [URIVET_ALLOW] = "allow "};

/* Writes the position of a rule, if it is of a file: " (proxy.conf:14)". */
static void write_place(struct output *out, const struct item *item, uint32_t tag)
{
	struct urivet_message place;

	if (item->loaded != NULL && urivet_loaded_place(item->loaded, tag, &place))
		emit(out, " (", prose(place.file), ":", place.line, ")");
}

/* Writes "deny "admin.example.org" (proxy.conf:14)". */
static void write_rule(struct output *out, const struct item *item, const char *action,
		       const char *text, uint32_t tag)
{
	emit(out, action, "\"", prose(text), "\"");
	write_place(out, item, tag);
}

static void write_host(struct output *out, const struct item *item, const char *action)
{
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_host(text, item->report->host_rule);
	write_rule(out, item, action, text, item->report->host_rule->tag);
}

static void write_host_rule(struct output *out, const struct item *item)
{
	write_host(out, item, action_word[item->report->host_rule->action]);
}

static void write_imitated(struct output *out, const struct item *item)
{
	write_host(out, item, "it looks like ");
}

static void write_address_rule(struct output *out, const struct item *item)
{
	const struct urivet_address_rule *rule = item->report->address_rule;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_network(text, &rule->network);
	write_rule(out, item, action_word[rule->action], text, rule->tag);
}

static void write_port_rule(struct output *out, const struct item *item)
{
	const struct urivet_port_rule *rule = item->report->port_rule;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_ports(text, rule);
	write_rule(out, item, action_word[URIVET_ALLOW], text, rule->tag);
}

/* Writes the port range of the policy. A range never covers a blocked port. */
static void write_range(struct output *out, const struct item *item)
{
	write_port_rule(out, item);
	output_string(out, ", a range, which covers no blocked port");
}

static void write_url_rule(struct output *out, const struct item *item)
{
	const struct urivet_url_rule *rule = item->report->url_rule;

	emit(out, "allow \"", from_library(urivet_url_rule_text(rule)), "\"");
	write_place(out, item, rule->tag);
}

/* Writes "paths "/api/" (gateway.yaml:7)". */
static void write_path_rule(struct output *out, const struct item *item)
{
	const struct urivet_path_rule *rule = item->report->path_rule;

	emit(out, "paths \"", raw_text(from_library(urivet_path_rule_text(rule))), "\"");
	write_place(out, item, rule->tag);
}

/* Writes "10.0.0.0/8 Private-Use (RFC 1918), not globally reachable". */
static void write_block(struct output *out, const struct item *item)
{
	const struct urivet_address_row *row = item->report->address_row;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_network(text, &row->network);
	emit(out, text, " ", row->name, " (", row->reference,
	     row->reachable ? "), globally reachable" : "), not globally reachable");
}

static void write_scheme(struct output *out, const struct item *item)
{
	const struct urivet_span scheme = item->report->uri.part[URIVET_SCHEME];

	emit(out, "the schemes of the policy, without \"",
	     text_at(item->text.data + scheme.offset, scheme.length), "\"");
}

static void write_hosts(struct output *out, const struct item *item)
{
	output_string(out, "\"hosts.allow\", which has no rule for it");
	write_place(out, item, URIVET_TAG_HOSTS_ALLOW);
}

static void write_urls(struct output *out, const struct item *item)
{
	output_string(out, "\"urls.allow\", which has no rule for it");
	write_place(out, item, URIVET_TAG_URLS_ALLOW);
}

/* Writes "parameters "next" (proxy.yaml:4)". */
static void write_parameter(struct output *out, const struct item *item)
{
	const struct urivet_parameter_rule *rule = item->report->parameter_rule;

	write_rule(out, item, "parameters ", parameter_name(rule), rule->tag);
}

/* Returns true if the finding is about a block of addresses. Their numbers are a range. */
static bool is_of_block(unsigned finding)
{
	return finding >= URIVET_F_ADDR_NOT_GLOBAL && finding <= URIVET_F_NAT64_LOCAL_USE &&
	       finding != URIVET_F_ADDR_UNCLASSIFIED;
}

typedef void decider(struct output *, const struct item *);

/* Returns the function that writes what decided about a finding, or NULL if nothing is known. */
static decider *decider_of(const struct item *item, unsigned finding)
{
	const struct urivet_report *report = item->report;

	if (is_of_block(finding) && report->address_row != NULL && !report->address_row->reachable)
		return write_block;
	if (finding == URIVET_F_IDN_BRAND_CONFUSABLE && report->host_rule != NULL &&
	    !item_has_finding(item, URIVET_F_HOST_DENIED)) /* whose rule it is then */
		return write_imitated;
	if (finding == URIVET_F_SCHEME_NOT_ALLOWED)
		return write_scheme;
	if (item->loaded == NULL)
		return NULL;
	if (finding == URIVET_F_HOST_DENIED && report->host_rule != NULL)
		return write_host_rule;
	if (finding == URIVET_F_ADDR_DENIED && report->address_rule != NULL)
		return write_address_rule;
	if (finding == URIVET_F_PORT_BLOCKED && report->port_rule != NULL)
		return write_range;
	if (finding == URIVET_F_HOST_NOT_ALLOWED && !item_has_finding(item, URIVET_F_HOST_DENIED))
		return write_hosts;
	if (finding == URIVET_F_PARAM_REFUSED && report->parameter_rule != NULL)
		return write_parameter;
	return finding == URIVET_F_URL_NOT_ALLOWED ? write_urls : NULL;
}

void human_write_decision(struct output *out, const struct item *item, unsigned finding)
{
	decider *const write = decider_of(item, finding);

	if (write == NULL)
		return;
	emit(out, spaces(INDENT), painted(STYLE_HEAD, "decided by: "));
	write(out, item);
	output_octet(out, '\n');
}

static void write_allowance(struct output *out, const struct item *item, const char *what,
			    decider *write)
{
	emit(out, "  ", what, " decided by: ");
	write(out, item);
	output_octet(out, '\n');
}

void human_write_allowances(struct output *out, const struct item *item)
{
	const struct urivet_report *report = item->report;

	if (report->url_rule != NULL)
		write_allowance(out, item, "URL", write_url_rule);
	if (report->host_rule != NULL && report->host_rule->action == URIVET_ALLOW)
		write_allowance(out, item, "host", write_host_rule);
	if (report->address_rule != NULL && report->address_rule->action == URIVET_ALLOW)
		write_allowance(out, item, "address", write_address_rule);
	if (report->port_rule != NULL && !item_has_finding(item, URIVET_F_PORT_BLOCKED))
		write_allowance(out, item, "port", write_port_rule);
	if (report->path_rule != NULL)
		write_allowance(out, item, "path", write_path_rule);
	if (report->address_row != NULL && report->address_row->reachable)
		write_allowance(out, item, "address", write_block);
}
