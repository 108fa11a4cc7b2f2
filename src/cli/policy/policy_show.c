/* SPDX-License-Identifier: Apache-2.0 */
/* Writes policies as policy files and as JSON, by the same functions. */
#include "cli/policy/policy_show.h"
#include "cli/policy/policy_rules.h"
#include "cli/show/finding_set.h"
#include <stdlib.h>

#define COMMENT_COLUMNS 90u

/* A policy that is being written, its rules in the order of the file. */
struct show {
	struct output *out;
	const struct policy_file *file;
	const struct urivet_policy *policy;
	struct urivet_host_rule *host;
	struct urivet_address_rule *address;
	bool json;
	bool begun; /* the group or list that is being written is not empty */
};

/* ---- The rules in their order --------------------------------------------------- */

static int order_hosts(const void *a, const void *b)
{
	const struct urivet_host_rule *x = a;
	const struct urivet_host_rule *y = b;

	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int order_addresses(const void *a, const void *b)
{
	const struct urivet_address_rule *x = a;
	const struct urivet_address_rule *y = b;

	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static bool put_in_order(struct show *show)
{
	size_t hosts = show->policy->hosts.count;
	size_t addresses = show->policy->addresses.count;

	show->host = malloc((hosts + 1) * sizeof *show->host);
	show->address = malloc((addresses + 1) * sizeof *show->address);
	if (show->host == NULL || show->address == NULL)
		return false;
	if (hosts > 0) {
		memcpy(show->host, show->policy->hosts.rule, hosts * sizeof *show->host);
		qsort(show->host, hosts, sizeof *show->host, order_hosts);
	}
	if (addresses > 0) {
		memcpy(show->address, show->policy->addresses.rule,
		       addresses * sizeof *show->address);
		qsort(show->address, addresses, sizeof *show->address, order_addresses);
	}
	return true;
}

/* ---- Pieces of both formats ----------------------------------------------------- */

/* A string of a policy file: escaped so that nothing in it ends the string or the line, or
 * controls a terminal. */
static void write_conf_string(struct output *out, const char *string)
{
	output_octet(out, '"');
	for (; *string != '\0'; string++) {
		uint8_t octet = (uint8_t)*string;

		if (octet < 0x20 || octet > 0x7E) {
			output_escaped(out, (struct text){&octet, 1});
			continue;
		}
		if (octet == '"' || octet == '\\')
			output_octet(out, '\\');
		output_octet(out, (char)octet);
	}
	output_octet(out, '"');
}

static void write_string(struct show *show, const char *string)
{
	if (!show->json) {
		write_conf_string(show->out, string);
		return;
	}
	output_octet(show->out, '"');
	output_json_escaped(show->out, text_of(string), false);
	output_octet(show->out, '"');
}

/* Begins a member, in a group (depth 1) or outside. */
static void write_key(struct show *show, const char *key, unsigned depth)
{
	struct output *out = show->out;

	if (show->json) {
		if (show->begun)
			output_octet(out, ',');
		write_string(show, key);
		output_octet(out, ':');
	} else {
		if (depth > 0)
			output_octet(out, '\t');
		output_string(out, key);
		output_string(out, " = ");
	}
	show->begun = true;
}

static void end_value(struct show *show)
{
	if (!show->json)
		output_string(show->out, ";\n");
}

static void begin_group(struct show *show, const char *key)
{
	write_key(show, key, 0);
	output_string(show->out, show->json ? "{" : "{\n");
	show->begun = false;
}

static void end_group(struct show *show)
{
	output_octet(show->out, '}');
	end_value(show);
	show->begun = true;
}

static void begin_list(struct show *show, const char *key, unsigned depth)
{
	write_key(show, key, depth);
	output_octet(show->out, '[');
	show->begun = false;
}

/* In a policy file each element of a list is on a line of its own. */
static void begin_element(struct show *show, unsigned depth)
{
	if (show->begun)
		output_octet(show->out, ',');
	if (!show->json) {
		output_octet(show->out, '\n');
		for (unsigned i = 0; i <= depth; i++)
			output_octet(show->out, '\t');
	}
	show->begun = true;
}

static void end_list(struct show *show, unsigned depth)
{
	if (!show->json && show->begun)
		output_octet(show->out, '\n');
	if (!show->json && show->begun && depth > 0)
		output_octet(show->out, '\t');
	output_octet(show->out, ']');
	end_value(show);
	show->begun = true;
}

static void comment(struct show *show, const char *text)
{
	if (show->json)
		return;
	output_string(show->out, "\n# ");
	output_string(show->out, text);
	output_octet(show->out, '\n');
}

static void write_text(struct show *show, const char *key, const char *value)
{
	write_key(show, key, 0);
	write_string(show, value);
	end_value(show);
}

static void write_number(struct show *show, const char *key, uint32_t value)
{
	write_key(show, key, 1);
	output_number(show->out, value);
	end_value(show);
}

/* ---- What a policy has ---------------------------------------------------------- */

static void show_schemes(struct show *show)
{
	comment(show, "Schemes; other is every one that is none of http, https, ws, wss and ftp.");
	begin_list(show, "schemes", 0);
	for (size_t i = 0; i < POLICY_SCHEMES; i++) {
		if ((show->policy->schemes >> policy_schemes[i].scheme & 1u) == 0)
			continue;
		begin_element(show, 0);
		write_string(show, policy_schemes[i].name);
	}
	end_list(show, 0);
}

static void show_port(struct show *show, const struct urivet_port_rule *rule)
{
	char text[POLICY_RULE_TEXT];

	policy_write_ports(text, rule);
	begin_element(show, 1);
	if (rule->first == rule->last)
		output_string(show->out, text);
	else
		write_string(show, text);
}

static void show_ports_of(struct show *show, const struct policy_scheme *scheme)
{
	bool any = false;

	for (uint32_t i = 0; i < show->policy->port_count; i++) {
		const struct urivet_port_rule *rule = &show->policy->ports[i];

		if ((rule->schemes >> scheme->scheme & 1u) == 0)
			continue;
		if (!any)
			begin_list(show, scheme->name, 1);
		any = true;
		show_port(show, rule);
	}
	if (any)
		end_list(show, 1);
}

static void show_ports(struct show *show)
{
	if (show->policy->port_count == 0 && !show->json)
		return;
	comment(show, "Ports beside that of the scheme.");
	begin_group(show, "ports");
	for (size_t i = 0; i < POLICY_SCHEMES; i++)
		show_ports_of(show, &policy_schemes[i]);
	end_group(show);
}

static void show_hosts_of(struct show *show, const char *key, unsigned action)
{
	bool any = false;

	for (uint32_t i = 0; i < show->policy->hosts.count; i++) {
		char text[POLICY_RULE_TEXT];

		if (show->host[i].action != action)
			continue;
		if (!any)
			begin_list(show, key, 1);
		any = true;
		policy_write_host(text, &show->host[i]);
		begin_element(show, 1);
		write_string(show, text);
	}
	if (any)
		end_list(show, 1);
}

static void show_hosts(struct show *show)
{
	if (show->policy->hosts.count == 0 && !show->json)
		return;
	comment(show, show->policy->hosts.only
			  ? "Hosts: these and no others, and of these none that is denied."
			  : "Hosts that are refused.");
	begin_group(show, "hosts");
	show_hosts_of(show, "allow", URIVET_ALLOW);
	show_hosts_of(show, "deny", URIVET_DENY);
	end_group(show);
}

static void show_addresses_of(struct show *show, const char *key, unsigned action)
{
	bool any = false;

	for (uint32_t i = 0; i < show->policy->addresses.count; i++) {
		char text[POLICY_RULE_TEXT];

		if (show->address[i].action != action)
			continue;
		if (!any)
			begin_list(show, key, 1);
		any = true;
		policy_write_network(text, &show->address[i].network);
		begin_element(show, 1);
		write_string(show, text);
	}
	if (any)
		end_list(show, 1);
}

static void show_nat64(struct show *show)
{
	const struct urivet_policy *policy = show->policy;

	if (policy->nat64_count == 0)
		return;
	begin_list(show, "nat64", 1);
	for (uint32_t i = 0; i < policy->nat64_count; i++) {
		char text[POLICY_RULE_TEXT];

		policy_write_network(text, &policy->nat64[i]);
		begin_element(show, 1);
		write_string(show, text);
	}
	end_list(show, 1);
}

static void show_addresses(struct show *show)
{
	if (show->policy->addresses.count == 0 && show->policy->nat64_count == 0 && !show->json)
		return;
	comment(show, "Addresses: what is denied stays denied, what is allowed may lie in any "
		      "block.");
	begin_group(show, "addresses");
	show_addresses_of(show, "allow", URIVET_ALLOW);
	show_addresses_of(show, "deny", URIVET_DENY);
	show_nat64(show);
	end_group(show);
}

/* ---- Findings ------------------------------------------------------------------- */

/* Those of one set that are not in the other. */
static void show_findings(struct show *show, const char *key, const char *what,
			  const struct urivet_finding_set *set,
			  const struct urivet_finding_set *without)
{
	bool any = false;

	for (unsigned id = 1; id < URIVET_FINDING_LIMIT; id++) {
		if (!in_set(set, id) || in_set(without, id))
			continue;
		if (!any) {
			comment(show, what);
			begin_list(show, key, 0);
		}
		any = true;
		begin_element(show, 0);
		write_string(show, urivet_finding_info(id)->name);
	}
	if (any) {
		end_list(show, 0);
	} else if (show->json) {
		begin_list(show, key, 0);
		end_list(show, 0);
	}
}

/* As a comment: what the base raises or waives, which other built-in policies do not, and the
 * policy does as well. */
static void show_base_rules(struct show *show, const char *what,
			    const struct urivet_finding_set *base,
			    const struct urivet_finding_set *policy)
{
	size_t column = COMMENT_COLUMNS;
	bool any = false;

	for (unsigned id = 1; !show->json && id < URIVET_FINDING_LIMIT; id++) {
		const char *name;

		if (!in_set(base, id) || !in_set(policy, id))
			continue;
		name = urivet_finding_info(id)->name;
		if (!any)
			comment(show, what);
		if (any)
			output_octet(show->out, ',');
		if (column + strlen(name) + 2 > COMMENT_COLUMNS) {
			output_string(show->out, any ? "\n#  " : "#  ");
			column = 3;
		}
		output_octet(show->out, ' ');
		output_string(show->out, name);
		column += strlen(name) + 2;
		any = true;
	}
	if (any)
		output_octet(show->out, '\n');
}

static void show_limits(struct show *show)
{
	comment(show, "Octets of a URI, of a host name and of one of its labels, at most.");
	begin_group(show, "limits");
	write_number(show, "length", show->policy->max_length);
	write_number(show, "host", show->policy->max_host);
	write_number(show, "label", show->policy->max_label);
	end_group(show);
}

/* A policy file says it only where there is something to say. */
static void show_opaque_query(struct show *show)
{
	const bool opaque = show->policy->opaque_query;

	if (!show->json && !opaque && !show->file->base.opaque_query)
		return;
	comment(show, "Does nobody route by the query? Then little in it refuses.");
	write_key(show, "opaque_query", 0);
	output_string(show->out, opaque ? "true" : "false");
	end_value(show);
}

static void show_all(struct show *show)
{
	const struct urivet_policy *policy = show->policy;
	const struct urivet_policy *base = &show->file->base;

	write_text(show, "base", base->name);
	write_text(show, "name", policy->name);
	show_schemes(show);
	show_ports(show);
	show_hosts(show);
	show_addresses(show);
	show_base_rules(show, "The base has these rules:", &base->raised, &policy->raised);
	show_base_rules(show, "The base lets these findings stand:", &base->waived,
			&policy->waived);
	show_findings(show, "allow", "Findings that do not refuse, though they do in the base.",
		      &policy->waived, &base->waived);
	show_findings(show, "refuse", "Findings that refuse, though they do not in the base.",
		      &policy->raised, &base->raised);
	show_limits(show);
	show_opaque_query(show);
}

static bool show_as(struct output *out, const struct policy_file *file, bool json)
{
	struct show show = {.out = out, .file = file, .policy = &file->policy, .json = json};
	bool good = put_in_order(&show);

	if (good && json)
		output_octet(out, '{');
	else if (good)
		output_string(out, "# What the policy comes to, as a policy file: see "
				   "urivet-policy(5).\n\n");
	if (good)
		show_all(&show);
	if (good && json)
		output_string(out, "}\n");
	free(show.host);
	free(show.address);
	return good;
}

bool policy_show(struct output *out, const struct policy_file *file)
{
	return show_as(out, file, false);
}

bool policy_show_json(struct output *out, const struct policy_file *file)
{
	return show_as(out, file, true);
}
