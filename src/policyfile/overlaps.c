/* SPDX-License-Identifier: Apache-2.0 */
/* Finds duplicate rules, rules covered by others, and rules that can never match. Blocks of names
 * are nested or disjoint, and so are networks. Sorted so that each block follows the one that
 * contains it, they are checked in one pass with a stack. */
#include "policyfile/overlaps.h"
#include "common/rules.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum nesting: one level for each label of a name or bit of an address, plus one. */
#define NAMES_DEEP    128u
#define NETWORKS_DEEP 130u

/* Buffer size for a place in a message, with its NUL. */
#define PLACE_TEXT 512u
/* Maximum number of octets of a URL in a message. */
#define URL_SHOWN 200

static const char *const action_word[] = {[URIVET_DENY] = "deny", [URIVET_ALLOW] = "allow"};

/* A rule as shown in a message: text and place. */
struct shown_rule {
	char text[POLICY_RULE_TEXT];
	struct place at;
	unsigned action;
};

/* Writes "line 9", or "hosts.yaml:9" for another file. */
static void write_line(char text[PLACE_TEXT], const struct urivet_loaded *loaded, struct place from,
		       struct place at)
{
	if (from.file != at.file)
		(void)snprintf(text, PLACE_TEXT, "%.*s:%lu", (int)PLACE_TEXT - 32,
			       loaded->file[at.file], (unsigned long)at.line);
	else
		(void)snprintf(text, PLACE_TEXT, "line %lu", (unsigned long)at.line);
}

static void complain_covered(const struct urivet_loaded *loaded, struct problems *problems,
			     const struct shown_rule *rule, const struct shown_rule *by)
{
	char line[PLACE_TEXT];

	write_line(line, loaded, rule->at, by->at);
	if (rule->action != by->action)
		urivet_loader_problem(problems, rule->at,
				      "allow \"%s\" has no effect: deny \"%s\" in %s wins",
				      rule->text, by->text, line);
	else if (strcmp(rule->text, by->text) == 0)
		urivet_loader_problem(problems, rule->at, "%s \"%s\" stands in %s already",
				      action_word[rule->action], rule->text, line);
	else
		urivet_loader_problem(problems, rule->at, "%s \"%s\" is covered by \"%s\" in %s",
				      action_word[rule->action], rule->text, by->text, line);
}

static void no_memory(struct problems *problems)
{
	problems->no_memory = true;
}

/* ---- Hosts ---------------------------------------------------------------------- */

/* Returns octet `at` of a name, counted from its end, or -1 at its start. The dot sorts before all
 * others, so that the names below a name follow it directly. */
static int octet_from_end(const struct urivet_host_rule *rule, uint32_t at)
{
	uint8_t octet;

	if (at >= rule->length)
		return -1;
	octet = (uint8_t)rule->name[rule->length - 1 - at];
	if (octet == '.')
		return 0;
	return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
}

static int order_names(const struct urivet_host_rule *a, const struct urivet_host_rule *b)
{
	const uint32_t both = a->length < b->length ? a->length : b->length;
	const char *a_end = a->name + a->length;
	const char *b_end = b->name + b->length;
	uint32_t at = 0;

	/* fast path: skip equal octets */
	while (at < both && *(a_end - at - 1) == *(b_end - at - 1))
		at++;
	while (octet_from_end(a, at) == octet_from_end(b, at) && at < a->length)
		at++;
	return octet_from_end(a, at) - octet_from_end(b, at);
}

/* Returns the order among rules of the same name: wider scopes first, then deny before allow. */
static unsigned rank_of(const struct urivet_host_rule *rule)
{
	static const uint8_t scope_rank[] = {
	    [URIVET_SCOPE_TREE] = 0, [URIVET_SCOPE_BELOW] = 1, [URIVET_SCOPE_HOST] = 2};

	return scope_rank[rule->scope] * 2u + (rule->action == URIVET_ALLOW);
}

static int order_hosts(const void *a, const void *b)
{
	const struct urivet_host_rule *x = *(const struct urivet_host_rule *const *)a;
	const struct urivet_host_rule *y = *(const struct urivet_host_rule *const *)b;
	int names = order_names(x, y);

	if (names != 0)
		return names;
	if (rank_of(x) != rank_of(y))
		return rank_of(x) < rank_of(y) ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

/* Returns true if the name of `rule` is below that of `above`. */
static bool is_below(const struct urivet_host_rule *rule, const struct urivet_host_rule *above)
{
	uint32_t at = 0;

	if (rule->length <= above->length)
		return false;
	while (at < above->length && octet_from_end(rule, at) == octet_from_end(above, at))
		at++;
	return at == above->length && octet_from_end(rule, at) == 0;
}

/* The rules of a name, and the rules above that cover it. */
struct name_node {
	const struct urivet_host_rule *rule; /* the first rule of the name */
	const struct urivet_host_rule *own[2][3];
	const struct urivet_host_rule *above[2]; /* cover the name and all names below it */
	size_t begin;                            /* index of the first rule in the sorted list */
	size_t end;                              /* index after the rules of the name itself */
};

struct name_check {
	const struct urivet_loaded *loaded;
	struct problems *problems;
	const struct urivet_host_rule **sorted;
	size_t *allows; /* number of allow rules before each index */
	bool *told;     /* whether a problem was reported for each rule */
	struct name_node stack[NAMES_DEEP];
	size_t depth;
};

static struct shown_rule show_host_rule(const struct urivet_loaded *loaded,
					const struct urivet_host_rule *rule)
{
	struct shown_rule shown = {.at = loaded->place[rule->tag], .action = rule->action};

	urivet_loader_write_host(shown.text, rule);
	return shown;
}

/* Returns a rule with this action that covers all names below that of the node, or NULL. */
static const struct urivet_host_rule *cover_below(const struct name_node *node, unsigned action)
{
	if (node->above[action] != NULL)
		return node->above[action];
	if (node->own[action][URIVET_SCOPE_TREE] != NULL)
		return node->own[action][URIVET_SCOPE_TREE];
	return node->own[action][URIVET_SCOPE_BELOW];
}

/* Returns a rule with this action that covers the node's name in this scope, or NULL. */
static const struct urivet_host_rule *cover_of(const struct name_node *node, unsigned action,
					       unsigned scope)
{
	if (node->above[action] != NULL)
		return node->above[action];
	if (node->own[action][URIVET_SCOPE_TREE] != NULL)
		return node->own[action][URIVET_SCOPE_TREE];
	return node->own[action][scope];
}

static bool can_be_reached(const struct name_check *check, const struct name_node *node,
			   const struct urivet_host_rule *deny, size_t end)
{
	const struct urivet_host_rule *const *allow = node->own[URIVET_ALLOW];

	if (cover_of(node, URIVET_ALLOW, deny->scope) != NULL)
		return true;
	if (deny->scope == URIVET_SCOPE_TREE &&
	    (allow[URIVET_SCOPE_HOST] != NULL || allow[URIVET_SCOPE_BELOW] != NULL))
		return true;
	return deny->scope != URIVET_SCOPE_HOST && check->allows[end] > check->allows[node->end];
}

/* Leaves a node after all names below it, which end at `end` in the list. Reports its deny rules
 * that can never match. */
static void leave_name(struct name_check *check, size_t end)
{
	const struct name_node *node = &check->stack[--check->depth];
	const struct urivet_loaded *loaded = check->loaded;

	/* a URL rule may allow the name nevertheless */
	for (size_t i = node->begin;
	     loaded->policy.hosts.only && loaded->policy.url_count == 0 && i < node->end; i++) {
		const struct urivet_host_rule *rule = check->sorted[i];
		char line[PLACE_TEXT];
		struct shown_rule shown;

		if (rule->action == URIVET_ALLOW || check->told[i] ||
		    can_be_reached(check, node, rule, end))
			continue;
		shown = show_host_rule(loaded, rule);
		write_line(line, loaded, shown.at, loaded->only);
		urivet_loader_problem(
		    check->problems, shown.at,
		    "deny \"%s\" is never reached: \"hosts.allow\" in %s allows no such "
		    "name",
		    shown.text, line);
	}
}

static struct name_node *enter_name(struct name_check *check, size_t i)
{
	struct name_node *node = &check->stack[check->depth];

	*node = (struct name_node){.rule = check->sorted[i], .begin = i};
	for (unsigned action = 0; check->depth > 0 && action < 2; action++)
		node->above[action] = cover_below(node - 1, action);
	check->depth++;
	return node;
}

static void check_host(struct name_check *check, size_t i)
{
	const struct urivet_host_rule *rule = check->sorted[i];
	const struct urivet_host_rule *by = NULL;
	struct name_node *node = NULL;

	while (check->depth > 0) {
		node = &check->stack[check->depth - 1];
		if (order_names(node->rule, rule) == 0 || is_below(rule, node->rule))
			break;
		leave_name(check, i);
		node = NULL;
	}
	if (node == NULL || order_names(node->rule, rule) != 0)
		node = enter_name(check, i);
	node->end = i + 1;
	if (rule->action == URIVET_ALLOW)
		by = cover_of(node, URIVET_DENY, rule->scope);
	if (by == NULL)
		by = cover_of(node, rule->action, rule->scope);
	if (by != NULL) {
		struct shown_rule one = show_host_rule(check->loaded, rule);
		struct shown_rule other = show_host_rule(check->loaded, by);

		complain_covered(check->loaded, check->problems, &one, &other);
		check->told[i] = true;
	}
	/* an allow rule that is denied still makes the deny rule match */
	if (by == NULL || by->action != rule->action)
		node->own[rule->action][rule->scope] = rule;
	check->allows[i + 1] = check->allows[i] + (rule->action == URIVET_ALLOW);
}

static void check_hosts(const struct urivet_loaded *loaded, struct problems *problems)
{
	size_t count = loaded->policy.hosts.count;
	struct name_check *check = calloc(1, sizeof *check);
	const struct urivet_host_rule **sorted = malloc((count + 1) * sizeof *sorted);
	size_t *allows = calloc(count + 1, sizeof *allows);
	bool *told = calloc(count + 1, sizeof *told);

	if (check == NULL || sorted == NULL || allows == NULL || told == NULL) {
		no_memory(problems);
	} else {
		*check = (struct name_check){loaded, problems, sorted, allows, told, .depth = 0};
		for (size_t i = 0; i < count; i++)
			sorted[i] = &loaded->host[i];
		qsort(sorted, count, sizeof *sorted, order_hosts);
		for (size_t i = 0; i < count; i++)
			check_host(check, i);
		while (check->depth > 0)
			leave_name(check, count);
	}
	free(check);
	free(sorted);
	free(allows);
	free(told);
}

/* ---- Addresses ------------------------------------------------------------------ */

static int order_networks(const struct urivet_network *a, const struct urivet_network *b)
{
	int bits = memcmp(a->address, b->address, sizeof a->address);

	if (a->octets != b->octets)
		return a->octets < b->octets ? -1 : 1;
	if (bits != 0)
		return bits;
	return (int)a->length - (int)b->length;
}

static int order_addresses(const void *a, const void *b)
{
	const struct urivet_address_rule *x = *(const struct urivet_address_rule *const *)a;
	const struct urivet_address_rule *y = *(const struct urivet_address_rule *const *)b;
	int networks = order_networks(&x->network, &y->network);

	if (networks != 0)
		return networks;
	if (x->action != y->action)
		return x->action == URIVET_DENY ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

/* The rules that cover a network. */
struct network_node {
	struct urivet_network network;
	const struct urivet_address_rule *cover[2];
};

static struct shown_rule show_address_rule(const struct urivet_loaded *loaded,
					   const struct urivet_address_rule *rule)
{
	struct shown_rule shown = {.at = loaded->place[rule->tag], .action = rule->action};

	urivet_loader_write_network(shown.text, &rule->network);
	return shown;
}

/* Checks a rule and pushes its network onto the stack, above those that contain it. Returns the new
 * depth. */
static size_t check_address(const struct urivet_loaded *loaded, struct problems *problems,
			    struct network_node *stack, size_t depth,
			    const struct urivet_address_rule *rule)
{
	const struct urivet_address_rule *by = NULL;
	struct network_node node = {.network = rule->network};

	while (depth > 0 && !urivet_network_holds(&stack[depth - 1].network, rule->network.address,
						  rule->network.octets))
		depth--;
	if (depth > 0)
		memcpy(node.cover, stack[depth - 1].cover, sizeof node.cover);
	by = rule->action == URIVET_ALLOW ? node.cover[URIVET_DENY] : NULL;
	if (by == NULL)
		by = node.cover[rule->action];
	if (by != NULL) {
		struct shown_rule one = show_address_rule(loaded, rule);
		struct shown_rule other = show_address_rule(loaded, by);

		complain_covered(loaded, problems, &one, &other);
		return depth;
	}
	node.cover[rule->action] = rule;
	stack[depth] = node;
	return depth + 1;
}

static void check_addresses(const struct urivet_loaded *loaded, struct problems *problems)
{
	size_t count = loaded->policy.addresses.count;
	const struct urivet_address_rule **sorted = malloc((count + 1) * sizeof *sorted);
	struct network_node *stack = malloc(2 * NETWORKS_DEEP * sizeof *stack);
	size_t depth = 0;

	if (sorted == NULL || stack == NULL) {
		no_memory(problems);
	} else {
		for (size_t i = 0; i < count; i++)
			sorted[i] = &loaded->address[i];
		qsort(sorted, count, sizeof *sorted, order_addresses);
		for (size_t i = 0; i < count; i++)
			depth = check_address(loaded, problems, stack, depth, sorted[i]);
	}
	free(sorted);
	free(stack);
}

/* A NAT64 prefix and its place, to find duplicates. */
struct prefix {
	const struct urivet_network *network;
	struct place at;
};

static int order_prefixes(const void *a, const void *b)
{
	const struct prefix *x = a;
	const struct prefix *y = b;
	int networks = order_networks(x->network, y->network);

	if (networks != 0)
		return networks;
	return x->network < y->network ? -1 : x->network > y->network;
}

static void check_nat64(const struct urivet_loaded *loaded, struct problems *problems)
{
	size_t count = loaded->policy.nat64_count;
	struct prefix *sorted = malloc((count + 1) * sizeof *sorted);

	if (sorted == NULL) {
		no_memory(problems);
		return;
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct prefix){&loaded->nat64[i], loaded->nat64_place[i]};
	qsort(sorted, count, sizeof *sorted, order_prefixes);
	for (size_t i = 1; i < count; i++) {
		char line[PLACE_TEXT];
		char text[POLICY_RULE_TEXT];

		if (order_networks(sorted[i - 1].network, sorted[i].network) != 0)
			continue;
		write_line(line, loaded, sorted[i].at, sorted[i - 1].at);
		urivet_loader_write_network(text, sorted[i].network);
		urivet_loader_problem(problems, sorted[i].at, "nat64 \"%s\" stands in %s already",
				      text, line);
	}
	free(sorted);
}

/* ---- Ports ---------------------------------------------------------------------- */

/* Sorts by scheme and first port; with equal first ports the widest range comes first. */
static int order_ports(const void *a, const void *b)
{
	const struct urivet_port_rule *x = *(const struct urivet_port_rule *const *)a;
	const struct urivet_port_rule *y = *(const struct urivet_port_rule *const *)b;

	if (x->schemes != y->schemes)
		return x->schemes < y->schemes ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->last != y->last)
		return x->last > y->last ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
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
	char line[PLACE_TEXT];
	char one[POLICY_RULE_TEXT];
	char two[POLICY_RULE_TEXT];

	write_line(line, loaded, at, loaded->place[earlier->tag]);
	urivet_loader_write_ports(one, later);
	urivet_loader_write_ports(two, earlier);
	if (strcmp(one, two) == 0)
		urivet_loader_problem(problems, at, "%s: %s stands in %s already",
				      scheme_name(rule), one, line);
	else
		urivet_loader_problem(problems, at, "%s: %s overlaps %s in %s", scheme_name(rule),
				      one, two, line);
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
	const struct urivet_port_rule **sorted = malloc((count + 1) * sizeof *sorted);
	const struct urivet_port_rule *reach = NULL;

	if (sorted == NULL) {
		no_memory(problems);
		return;
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = &loaded->port[i];
	qsort(sorted, count, sizeof *sorted, order_ports);
	for (size_t i = 0; i < count; i++)
		check_port(loaded, problems, sorted[i], i > 0 ? sorted[i - 1] : NULL, &reach);
	free(sorted);
}

/* ---- URLs ------------------------------------------------------------------------ */

/* Returns a part of the rule's text. */
static struct urivet_text url_piece(const struct urivet_url_rule *rule, uint32_t at,
				    uint32_t length)
{
	const char *text = urivet_url_rule_text(rule).data;

	return urivet_text_of(text + at, length);
}

static int order_pieces(struct urivet_text a, struct urivet_text b)
{
	const size_t length = a.length < b.length ? a.length : b.length;
	const int octets = memcmp(a.data, b.data, length);

	return octets != 0 ? octets : a.length < b.length ? -1 : a.length > b.length;
}

static struct urivet_host_rule host_of_url(const struct urivet_url_rule *rule)
{
	const struct urivet_text host = url_piece(rule, rule->host, rule->host_length);

	return (struct urivet_host_rule){.name = host.data, .length = rule->host_length};
}

/* Compares all but the paths of two rules. */
static int order_places(const struct urivet_url_rule *a, const struct urivet_url_rule *b)
{
	const struct urivet_host_rule one = host_of_url(a);
	const struct urivet_host_rule other = host_of_url(b);
	const int schemes =
	    order_pieces(url_piece(a, 0, a->scheme_length), url_piece(b, 0, b->scheme_length));

	if (schemes != 0)
		return schemes;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->kind == URIVET_URL_NAME && order_names(&one, &other) != 0)
		return order_names(&one, &other);
	if (a->kind != URIVET_URL_NAME && memcmp(a->address, b->address, sizeof a->address) != 0)
		return memcmp(a->address, b->address, sizeof a->address);
	if (a->scope != b->scope)
		return a->scope < b->scope ? -1 : 1;
	if (a->any_port != b->any_port)
		return a->any_port < b->any_port ? -1 : 1;
	return a->port < b->port ? -1 : a->port > b->port;
}

static struct urivet_text path_of_url(const struct urivet_url_rule *rule)
{
	return url_piece(rule, rule->path, rule->path_length);
}

static int order_urls(const void *a, const void *b)
{
	const struct urivet_url_rule *x = *(const struct urivet_url_rule *const *)a;
	const struct urivet_url_rule *y = *(const struct urivet_url_rule *const *)b;
	const int places = order_places(x, y);
	const int paths = order_pieces(path_of_url(x), path_of_url(y));

	if (places != 0)
		return places;
	if (paths != 0)
		return paths;
	if (x->exact != y->exact)
		return x->exact < y->exact ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

/* Returns true if the path begins with the octets of the other. */
static bool begins_with(struct urivet_text path, struct urivet_text beginning)
{
	return path.length >= beginning.length &&
	       memcmp(path.data, beginning.data, beginning.length) == 0;
}

/* Returns true if the rule covers the path of the other rule, by whole segments. */
static bool covers_path(const struct urivet_url_rule *rule, const struct urivet_url_rule *other)
{
	const struct urivet_text beginning = path_of_url(rule);
	const struct urivet_text path = path_of_url(other);
	const char *octets = path.data;

	if (!begins_with(path, beginning) ||
	    (rule->exact && (!other->exact || path.length != beginning.length)))
		return false;
	return path.length == beginning.length || beginning.length == 0 ||
	       octets[beginning.length - 1] == '/' || octets[beginning.length] == '/';
}

static void complain_url(const struct urivet_loaded *loaded, struct problems *problems,
			 const struct urivet_url_rule *rule, const struct urivet_url_rule *by)
{
	const struct place at = loaded->place[rule->tag];
	const struct urivet_text one = urivet_url_rule_text(rule);
	const struct urivet_text other = urivet_url_rule_text(by);
	char line[PLACE_TEXT];

	write_line(line, loaded, at, loaded->place[by->tag]);
	if (order_pieces(one, other) == 0)
		urivet_loader_problem(problems, at, "allow \"%.*s\" stands in %s already",
				      (int)(one.length < URL_SHOWN ? one.length : URL_SHOWN),
				      (const char *)one.data, line);
	else
		urivet_loader_problem(problems, at, "allow \"%.*s\" is covered by \"%.*s\" in %s",
				      (int)(one.length < URL_SHOWN ? one.length : URL_SHOWN),
				      (const char *)one.data,
				      (int)(other.length < URL_SHOWN ? other.length : URL_SHOWN),
				      (const char *)other.data, line);
}

/* Returns the host rule that decides about the rule's name, or about a name below it. */
static const struct urivet_host_rule *host_rule_of(const struct urivet_policy *hosts,
						   const struct urivet_url_rule *rule, bool below)
{
	const struct urivet_text name = url_piece(rule, rule->host, rule->host_length);
	struct urivet_report report;
	char uri[300];
	const int length = snprintf(uri, sizeof uri, "http://%s%.*s/", below ? "x." : "",
				    (int)name.length, (const char *)name.data);

	(void)urivet_check(&report, uri, (size_t)length, hosts);
	return report.host_rule;
}

/* Returns true if the rule has the default port of its scheme. */
static bool has_default_port(const struct urivet_url_rule *rule)
{
	for (size_t i = 0; i < POLICY_SCHEMES; i++) {
		const struct policy_scheme *scheme = &urivet_loader_schemes[i];

		if (rule->scheme == (uint8_t)scheme->scheme)
			return rule->port == scheme->port && scheme->port != URIVET_NO_PORT;
	}
	return false;
}

/* Reports a rule whose hosts are denied by "hosts", or allowed by it with any path. */
static void check_url_host(const struct urivet_loaded *loaded, struct problems *problems,
			   const struct urivet_policy *hosts, const struct urivet_url_rule *rule)
{
	const bool below = rule->scope != URIVET_SCOPE_HOST;
	const struct urivet_host_rule *by = host_rule_of(hosts, rule, below);
	const struct urivet_text text = urivet_url_rule_text(rule);
	const struct place at = loaded->place[rule->tag];
	const int length = (int)(text.length < URL_SHOWN ? text.length : URL_SHOWN);
	struct shown_rule shown;
	char line[PLACE_TEXT];

	/* a rule for a longer name covers only some of the hosts below */
	if (by == NULL ||
	    (below && (by->scope == URIVET_SCOPE_HOST || by->length > rule->host_length)) ||
	    (rule->scope == URIVET_SCOPE_TREE && host_rule_of(hosts, rule, false) != by))
		return;
	shown = show_host_rule(loaded, by);
	write_line(line, loaded, at, shown.at);
	if (by->action == URIVET_DENY)
		urivet_loader_problem(problems, at,
				      "allow \"%.*s\" has no effect: deny \"%s\" in %s wins",
				      length, (const char *)text.data, shown.text, line);
	else if (has_default_port(rule) && (loaded->policy.schemes >> rule->scheme & 1u) != 0)
		urivet_loader_problem(problems, at,
				      "allow \"%.*s\" has no effect: \"hosts.allow\" allows \"%s\" "
				      "in %s, whatever the path",
				      length, (const char *)text.data, shown.text, line);
}

/* Checks the rules in sorted order. The stack has the rules that differ only in the path and whose
 * path is a prefix of the current one. */
static void check_sorted_urls(const struct urivet_loaded *loaded, struct problems *problems,
			      const struct urivet_url_rule **sorted,
			      const struct urivet_url_rule **stack)
{
	const size_t count = loaded->policy.url_count;
	struct urivet_policy hosts;
	size_t depth = 0;

	(void)urivet_policy_init(&hosts, sizeof hosts, URIVET_STRICT);
	hosts.hosts = loaded->policy.hosts;
	(void)urivet_policy_seal(&hosts);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &loaded->policy.urls[i];
	qsort(sorted, count, sizeof *sorted, order_urls);
	for (size_t i = 0; i < count; i++) {
		size_t by;

		while (depth > 0 &&
		       (order_places(stack[depth - 1], sorted[i]) != 0 ||
			!begins_with(path_of_url(sorted[i]), path_of_url(stack[depth - 1]))))
			depth--;
		for (by = depth; by > 0 && !covers_path(stack[by - 1], sorted[i]); by--)
			continue;
		if (by > 0)
			complain_url(loaded, problems, sorted[i], stack[by - 1]);
		else if (sorted[i]->kind == URIVET_URL_NAME && hosts.hosts.count > 0)
			check_url_host(loaded, problems, &hosts, sorted[i]);
		stack[depth++] = sorted[i];
	}
}

static void check_urls(const struct urivet_loaded *loaded, struct problems *problems)
{
	const size_t count = loaded->policy.url_count;
	const struct urivet_url_rule **sorted = malloc((count + 1) * sizeof *sorted);
	const struct urivet_url_rule **stack = malloc((count + 1) * sizeof *stack);

	if (sorted != NULL && stack != NULL)
		check_sorted_urls(loaded, problems, sorted, stack);
	else
		no_memory(problems);
	free(sorted);
	free(stack);
}

/* ---- Protected names -------------------------------------------------------------- */

static void check_protected(const struct urivet_loaded *loaded, struct problems *problems)
{
	for (uint32_t i = 1; i < loaded->policy.protect_count; i++) {
		const struct urivet_host_rule *before = &loaded->protect[i - 1].name;
		const struct urivet_host_rule *name = &loaded->protect[i].name;
		const struct place at = loaded->place[name->tag];
		char line[PLACE_TEXT];

		if (order_names(before, name) != 0)
			continue;
		write_line(line, loaded, at, loaded->place[before->tag]);
		urivet_loader_problem(problems, at, "protect \"%.*s\" stands in %s already",
				      (int)name->length, name->name, line);
	}
}

void urivet_loader_check_rules(const struct urivet_loaded *loaded, struct problems *problems)
{
	check_hosts(loaded, problems);
	check_addresses(loaded, problems);
	check_nat64(loaded, problems);
	check_ports(loaded, problems);
	check_urls(loaded, problems);
	check_protected(loaded, problems);
}
