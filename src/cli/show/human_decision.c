/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the policy rule that decided, with its position, or the block that contains an address. */
#include "cli/show/emit.h"
#include "cli/show/item.h"
#include "common/rules.h"
#include <stdio.h>

#define INDENT 4u

static const char *const action_word[] = {[URIVET_DENY] = "deny ", [URIVET_ALLOW] = "allow "};

/* Writes the position of a rule: " (proxy.conf:14)". */
static void write_place(struct output *out, const struct item *item, uint32_t tag)
{
	struct urivet_message place;

	if (!urivet_loaded_place(item->loaded, tag, &place))
		return;
	emit(out, " (", prose(place.file), ":", place.line, ")");
}

static void begin(struct output *out)
{
	emit(out, spaces(INDENT), painted(STYLE_HEAD, "decided by: "));
}

/* Writes "deny "admin.example.org" (proxy.conf:14)". */
static void write_rule(struct output *out, const struct item *item, unsigned action,
		       const char *text, uint32_t tag)
{
	emit(out, action_word[action], "\"", prose(text), "\"");
	write_place(out, item, tag);
}

static void write_host_rule(struct output *out, const struct item *item)
{
	const struct urivet_host_rule *rule = item->report->host_rule;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_host(text, rule);
	write_rule(out, item, rule->action, text, rule->tag);
}

static void write_imitated(struct output *out, const struct item *item)
{
	const struct urivet_host_rule *rule = item->report->host_rule;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_host(text, rule);
	emit(out, "it looks like \"", prose(text), "\"");
	if (item->loaded != NULL)
		write_place(out, item, rule->tag);
}

static void write_address_rule(struct output *out, const struct item *item)
{
	const struct urivet_address_rule *rule = item->report->address_rule;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_network(text, &rule->network);
	write_rule(out, item, rule->action, text, rule->tag);
}

static void write_port_rule(struct output *out, const struct item *item)
{
	const struct urivet_port_rule *rule = item->report->port_rule;
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_ports(text, rule);
	write_rule(out, item, URIVET_ALLOW, text, rule->tag);
}

static void write_url_rule(struct output *out, const struct item *item)
{
	const struct urivet_url_rule *rule = item->report->url_rule;

	emit(out, "allow \"", from_library(urivet_url_rule_text(rule)), "\"");
	write_place(out, item, rule->tag);
}

/* Writes "10.0.0.0/8 Private-Use (RFC 1918), not globally reachable". */
static void write_block(struct output *out, const struct urivet_address_row *row)
{
	char text[POLICY_RULE_TEXT];

	urivet_loader_write_network(text, &row->network);
	emit(out, text, " ", row->name, " (", row->reference,
	     row->reachable ? "), globally reachable" : "), not globally reachable");
}

/* Returns true if the finding is about a block of addresses. Their numbers are a range. */
static bool is_of_block(unsigned finding)
{
	return finding >= URIVET_F_ADDR_NOT_GLOBAL && finding <= URIVET_F_NAT64_LOCAL_USE &&
	       finding != URIVET_F_ADDR_UNCLASSIFIED;
}

/* Writes the port range of the policy. A range never covers a blocked port. */
static void write_range(struct output *out, const struct item *item)
{
	write_port_rule(out, item);
	output_string(out, ", a range, which covers no blocked port");
}

static void decide_by_list(struct output *out, const struct item *item, const char *list,
			   uint32_t tag)
{
	begin(out);
	emit(out, list, ", which has no rule for it");
	write_place(out, item, tag);
	output_octet(out, '\n');
}

/* Writes "decided by: the schemes of the policy, without "jdbc"". */
static void write_scheme(struct output *out, const struct item *item)
{
	const struct urivet_span scheme = item->report->uri.part[URIVET_SCHEME];

	begin(out);
	emit(out, "the schemes of the policy, without \"",
	     text_at(item->text.data + scheme.offset, scheme.length), "\"\n");
}

void human_write_decision(struct output *out, const struct item *item, unsigned finding)
{
	const struct urivet_report *report = item->report;
	void (*write)(struct output *, const struct item *) = NULL;

	if (is_of_block(finding) && report->address_row != NULL &&
	    !report->address_row->reachable) {
		begin(out);
		write_block(out, report->address_row);
		output_octet(out, '\n');
		return;
	}
	if (finding == URIVET_F_IDN_BRAND_CONFUSABLE && report->host_rule != NULL) {
		begin(out);
		write_imitated(out, item);
		output_octet(out, '\n');
		return;
	}
	if (finding == URIVET_F_SCHEME_NOT_ALLOWED)
		write_scheme(out, item);
	if (item->loaded == NULL)
		return;
	if (finding == URIVET_F_HOST_DENIED && report->host_rule != NULL)
		write = write_host_rule;
	else if (finding == URIVET_F_ADDR_DENIED && report->address_rule != NULL)
		write = write_address_rule;
	else if (finding == URIVET_F_PORT_BLOCKED && report->port_rule != NULL)
		write = write_range;
	else if (finding == URIVET_F_HOST_NOT_ALLOWED &&
		 !item_has_finding(item, URIVET_F_HOST_DENIED))
		decide_by_list(out, item, "\"hosts.allow\"", URIVET_TAG_HOSTS_ALLOW);
	else if (finding == URIVET_F_URL_NOT_ALLOWED)
		decide_by_list(out, item, "\"urls.allow\"", URIVET_TAG_URLS_ALLOW);
	if (write == NULL)
		return;
	begin(out);
	write(out, item);
	output_octet(out, '\n');
}

static void write_allowance(struct output *out, const struct item *item, const char *what,
			    void (*write)(struct output *, const struct item *))
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
	if (report->address_row != NULL && report->address_row->reachable) {
		output_string(out, "  address decided by: ");
		write_block(out, report->address_row);
		output_octet(out, '\n');
	}
}
