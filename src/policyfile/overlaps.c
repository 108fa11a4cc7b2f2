/* SPDX-License-Identifier: Apache-2.0 */
/* Finds duplicate rules, rules covered by others, and rules that can never match. Blocks of names
 * are nested or disjoint, and so are networks. Sorted so that each block follows the one that
 * contains it, they are checked in one pass with a stack. This file has addresses, ports, paths
 * and parameters. */
#include "policyfile/overlaps.h"
#include "common/finding_set.h"
#include "common/order.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum nesting: one level for each bit of an address, plus one. */
#define NETWORKS_DEEP 130u

const char *urivet_loader_action(unsigned action)
{
	static const char *const words[] = {
	    [URIVET_DENY] = "deny", [URIVET_ALLOW] = "allow", [URIVET_EXCEPT] = "except"};

	return words[action];
}

struct line_text urivet_loader_line(const struct urivet_loaded *loaded, struct place from,
				    struct place at)
{
	const bool is_here = from.file == at.file;
	struct line_text line;

	(void)snprintf(line.text, sizeof line.text, "%.*s%s%lu", (int)sizeof line.text - 32,
		       is_here ? "line" : loaded->file[at.file], is_here ? " " : ":",
		       (unsigned long)at.line);
	return line;
}

void urivet_loader_report_twice(const struct urivet_loaded *loaded, struct problems *problems,
				const struct shown_rule *rule, struct place before)
{
	urivet_loader_problem(problems, rule->at, "%s \"%s\" stands in %s already", rule->word,
			      rule->text, urivet_loader_line(loaded, rule->at, before).text);
}

void urivet_loader_report_covered(const struct urivet_loaded *loaded, struct problems *problems,
				  const struct shown_rule *rule, const struct shown_rule *by)
{
	const struct line_text line = urivet_loader_line(loaded, rule->at, by->at);

	if (strcmp(rule->word, by->word) != 0)
		urivet_loader_problem(problems, rule->at,
				      "allow \"%s\" has no effect: deny \"%s\" in %s wins",
				      rule->text, by->text, line.text);
	else if (strcmp(rule->text, by->text) == 0)
		urivet_loader_report_twice(loaded, problems, rule, by->at);
	else
		urivet_loader_problem(problems, rule->at, "%s \"%s\" is covered by \"%s\" in %s",
				      rule->word, rule->text, by->text, line.text);
}

/* Checks a rule of a sorted list, after the rule before it; NULL: none. */
typedef void rule_check(const struct urivet_loaded *loaded, struct problems *problems,
			const void *rule, const void *before);

static void check_sorted(const struct urivet_loaded *loaded, struct problems *problems,
			 const void **sorted, size_t count, rule_check *check)
{
	for (size_t i = 0; sorted != NULL && i < count; i++)
		check(loaded, problems, sorted[i], i > 0 ? sorted[i - 1] : NULL);
	problems->no_memory |= sorted == NULL;
	free(sorted);
}

/* ---- Addresses ------------------------------------------------------------------ */

static int order_networks(const struct urivet_network *a, const struct urivet_network *b)
{
	const int octets = order_numbers(a->octets, b->octets);
	const int bits = memcmp(a->address, b->address, sizeof a->address);

	return octets != 0 ? octets : bits != 0 ? bits : (int)a->length - (int)b->length;
}

static int order_addresses(const void *a, const void *b)
{
	const struct urivet_address_rule *x = *(const struct urivet_address_rule *const *)a;
	const struct urivet_address_rule *y = *(const struct urivet_address_rule *const *)b;
	const int networks = order_networks(&x->network, &y->network);

	return networks != 0 ? networks
			     : order_lists((uint64_t[]){x->action != URIVET_DENY, x->tag},
					   (uint64_t[]){y->action != URIVET_DENY, y->tag}, 2);
}

/* The rules that cover a network. */
struct network_node {
	struct urivet_network network;
	const struct urivet_address_rule *cover[2];
};

static struct shown_rule show_network(const struct urivet_network *network, struct place at,
				      const char *word)
{
	struct shown_rule shown = {.at = at, .word = word};

	urivet_loader_write_network(shown.text, network);
	return shown;
}

static struct shown_rule show_address(const struct urivet_loaded *loaded,
				      const struct urivet_address_rule *rule)
{
	return show_network(&rule->network, loaded->place[rule->tag],
			    urivet_loader_action(rule->action));
}

/* Returns true if the first network contains the second one, which is not larger. */
static bool has_network(const struct urivet_network *outer, const struct urivet_network *inner)
{
	const unsigned whole = outer->length / 8, rest = outer->length % 8;

	return outer->octets == inner->octets &&
	       memcmp(outer->address, inner->address, whole) == 0 &&
	       (rest == 0 || (outer->address[whole] ^ inner->address[whole]) >> (8 - rest) == 0);
}

/* Checks a rule and pushes its network onto the stack, above those that contain it. Returns the new
 * depth. */
static size_t check_address(const struct urivet_loaded *loaded, struct problems *problems,
			    struct network_node *stack, size_t depth,
			    const struct urivet_address_rule *rule)
{
	const struct urivet_address_rule *by = NULL;
	struct network_node node = {.network = rule->network};

	while (depth > 0 && !has_network(&stack[depth - 1].network, &rule->network))
		depth--;
	if (depth > 0)
		memcpy(node.cover, stack[depth - 1].cover, sizeof node.cover);
	by = rule->action == URIVET_ALLOW ? node.cover[URIVET_DENY] : NULL;
	if (by == NULL)
		by = node.cover[rule->action];
	if (by != NULL) {
		const struct shown_rule one = show_address(loaded, rule);
		const struct shown_rule other = show_address(loaded, by);

		urivet_loader_report_covered(loaded, problems, &one, &other);
		return depth;
	}
	node.cover[rule->action] = rule;
	stack[depth] = node;
	return depth + 1;
}

static void check_addresses(const struct urivet_loaded *loaded, struct problems *problems)
{
	size_t count = loaded->policy.addresses.count;
	const struct urivet_address_rule **sorted =
	    urivet_loader_sorted(loaded->address, count, sizeof *loaded->address, order_addresses);
	struct network_node *stack = malloc(2 * NETWORKS_DEEP * sizeof *stack);
	size_t depth = 0;

	if (sorted == NULL || stack == NULL)
		problems->no_memory = true;
	for (size_t i = 0; sorted != NULL && stack != NULL && i < count; i++)
		depth = check_address(loaded, problems, stack, depth, sorted[i]);
	free(sorted);
	free(stack);
}

static int order_prefixes(const void *a, const void *b)
{
	const struct urivet_network *x = *(const struct urivet_network *const *)a;
	const struct urivet_network *y = *(const struct urivet_network *const *)b;
	const int networks = order_networks(x, y);

	return networks != 0 ? networks : (x > y) - (x < y);
}

static void check_nat64(const struct urivet_loaded *loaded, struct problems *problems,
			const void *rule, const void *before)
{
	const struct urivet_network *network = rule, *other = before;
	const struct place *const places = loaded->nat64_place;
	const struct shown_rule shown =
	    show_network(network, places[network - loaded->nat64], "nat64");

	if (other != NULL && order_networks(other, network) == 0)
		urivet_loader_report_twice(loaded, problems, &shown, places[other - loaded->nat64]);
}

/* ---- Ports ---------------------------------------------------------------------- */

/* Sorts by scheme and first port; with equal first ports the widest range comes first. */
static int order_ports(const void *a, const void *b)
{
	const struct urivet_port_rule *x = *(const struct urivet_port_rule *const *)a;
	const struct urivet_port_rule *y = *(const struct urivet_port_rule *const *)b;

	return order_lists((uint64_t[]){x->schemes, x->first, y->last, x->tag},
			   (uint64_t[]){y->schemes, y->first, x->last, y->tag}, 4);
}

static const char *scheme_name(const struct urivet_port_rule *rule)
{
	const struct policy_scheme *scheme = urivet_loader_schemes;

	while ((rule->schemes >> scheme->scheme & 1u) == 0)
		scheme++;
	return scheme->name;
}

/* Reports two overlapping rules of one scheme, at the place of the later one. */
static void complain_ports(const struct urivet_loaded *loaded, struct problems *problems,
			   const struct urivet_port_rule *rule,
			   const struct urivet_port_rule *other)
{
	const struct urivet_port_rule *later = rule->tag > other->tag ? rule : other;
	const struct urivet_port_rule *earlier = later == rule ? other : rule;
	struct place at = loaded->place[later->tag];
	const struct line_text line = urivet_loader_line(loaded, at, loaded->place[earlier->tag]);
	char one[POLICY_RULE_TEXT], two[POLICY_RULE_TEXT];

	urivet_loader_write_ports(one, later);
	urivet_loader_write_ports(two, earlier);
	if (strcmp(one, two) == 0)
		urivet_loader_problem(problems, at, "%s: %s stands in %s already",
				      scheme_name(rule), one, line.text);
	else
		urivet_loader_problem(problems, at, "%s: %s overlaps %s in %s", scheme_name(rule),
				      one, two, line.text);
}

/* Returns true if the rule for a single port is needed besides the range that contains it. A
 * blocked port is allowed only by a rule of its own. */
static bool adds_to_range(const struct urivet_port_rule *rule, const struct urivet_port_rule *range)
{
	return rule->first == rule->last && range->first != range->last &&
	       urivet_loader_port_is_blocked(rule->first);
}

static void check_port(const struct urivet_loaded *loaded, struct problems *problems,
		       const struct urivet_port_rule *rule, const struct urivet_port_rule *before,
		       const struct urivet_port_rule **reach)
{
	char text[POLICY_RULE_TEXT];

	if ((loaded->policy.schemes & rule->schemes) == 0) {
		urivet_loader_write_ports(text, rule);
		urivet_loader_problem(problems, loaded->place[rule->tag],
				      "port %s is for %s, which the policy does not allow", text,
				      scheme_name(rule));
	}
	if (before != NULL && before->schemes == rule->schemes && before->first == rule->first &&
	    before->last == rule->last)
		complain_ports(loaded, problems, rule, before);
	else if (*reach != NULL && (*reach)->schemes == rule->schemes &&
		 rule->first <= (*reach)->last && !adds_to_range(rule, *reach))
		complain_ports(loaded, problems, rule, *reach);
	if (*reach == NULL || (*reach)->schemes != rule->schemes || rule->last > (*reach)->last)
		*reach = rule;
}

static void check_ports(const struct urivet_loaded *loaded, struct problems *problems)
{
	size_t count = loaded->policy.port_count;
	const struct urivet_port_rule **sorted =
	    urivet_loader_sorted(loaded->port, count, sizeof *loaded->port, order_ports);
	const struct urivet_port_rule *reach = NULL;

	for (size_t i = 0; sorted != NULL && i < count; i++)
		check_port(loaded, problems, sorted[i], i > 0 ? sorted[i - 1] : NULL, &reach);
	problems->no_memory |= sorted == NULL;
	free(sorted);
}

/* ---- Paths and parameters ---------------------------------------------------------- */

/* Compares by what a rule covers, then by place. */
static int order_paths(const void *a, const void *b)
{
	const struct urivet_path_rule *x = *(const struct urivet_path_rule *const *)a;
	const struct urivet_path_rule *y = *(const struct urivet_path_rule *const *)b;
	const int order =
	    x->strips != y->strips ? (int)x->strips - (int)y->strips : strcmp(x->text, y->text);

	return order != 0 ? order : order_numbers(x->tag, y->tag);
}

/* Reports findings that the policy allows everywhere: then a rule for some places limits nothing. */
static void check_allowed(const struct urivet_loaded *loaded, struct problems *problems,
			  const struct urivet_finding_set *allowed, uint32_t tag, const char *where,
			  int shown, const char *what)
{
	for (EACH_IN_SET(id, allowed))
		if (in_set(&loaded->policy.waived, id))
			urivet_loader_problem(problems, loaded->place[tag],
					      "finding \"%s\" is allowed everywhere, not only %s "
					      "\"%.*s\": remove it from one of both",
					      urivet_finding_info(id)->name, where, shown, what);
}

/* Reports a rule that stands in another place already. Its findings belong into one list. */
static void check_path(const struct urivet_loaded *loaded, struct problems *problems,
		       const void *one, const void *other)
{
	const struct urivet_path_rule *rule = one, *before = other;
	const struct place at = loaded->place[rule->tag];

	check_allowed(loaded, problems, &rule->waived, rule->tag, "below", 300,
		      rule->text + rule->path);
	if (before != NULL && rule->strips == before->strips &&
	    strcmp(rule->text, before->text) == 0)
		urivet_loader_problem(
		    problems, at, "\"%.300s\" stands in %s already%s", rule->text,
		    urivet_loader_line(loaded, at, loaded->place[before->tag]).text,
		    rule->strips ? "" : ": write all its findings there");
}

static void check_parameters(const struct urivet_loaded *loaded, struct problems *problems)
{
	for (uint32_t i = 0; i < loaded->parameters; i++) {
		const struct urivet_parameter_rule *rule = &loaded->parameter[i];

		if (!rule->judges)
			check_allowed(loaded, problems, &rule->allowed, rule->tag, "in parameter",
				      100, rule->name);
	}
}

void urivet_loader_check_rules(const struct urivet_loaded *loaded, struct problems *problems)
{
	urivet_loader_check_hosts(loaded, problems);
	check_addresses(loaded, problems);
	check_sorted(loaded, problems,
		     urivet_loader_sorted(loaded->nat64, loaded->policy.nat64_count,
					  sizeof *loaded->nat64, order_prefixes),
		     loaded->policy.nat64_count, check_nat64);
	check_ports(loaded, problems);
	urivet_loader_check_urls(loaded, problems);
	urivet_loader_check_protected(loaded, problems);
	check_sorted(loaded, problems,
		     urivet_loader_sorted(loaded->path, loaded->policy.path_count,
					  sizeof *loaded->path, order_paths),
		     loaded->policy.path_count, check_path);
	check_parameters(loaded, problems);
}
