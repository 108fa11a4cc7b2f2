/* SPDX-License-Identifier: Apache-2.0 */
/* Finds rules of hosts that others make redundant, and those that can never match. */
#include "common/lower.h"
#include "common/order.h"
#include "policyfile/overlaps.h"
#include <stdlib.h>
#include <string.h>

/* Maximum nesting: one level for each label of a name, plus one. */
#define NAMES_DEEP 128u

#define SCOPES 4

/* Returns octet `at` of a name, counted from its end, or -1 at its start. The dot sorts before all
 * others, so that the names below a name follow it directly. */
static int octet_from_end(const struct urivet_host_rule *rule, uint32_t at)
{
	uint8_t octet;

	if (at >= rule->length)
		return -1;
	octet = (uint8_t)rule->name[rule->length - 1 - at];
	return octet == '.' ? 0 : lower_case(octet);
}

int urivet_loader_order_names(const struct urivet_host_rule *a, const struct urivet_host_rule *b)
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

/* Returns the order among rules of the same name: wider scopes first, then deny, allow, except. */
static unsigned rank_of(const struct urivet_host_rule *rule)
{
	static const uint8_t scope_rank[SCOPES] = {
	    [URIVET_SCOPE_TREE] = 0, [URIVET_SCOPE_BELOW] = 1, [URIVET_SCOPE_LABEL] = 2,
	    [URIVET_SCOPE_HOST] = 3};

	return scope_rank[rule->scope] * 3u + rule->action;
}

static int order_hosts(const void *a, const void *b)
{
	const struct urivet_host_rule *x = *(const struct urivet_host_rule *const *)a;
	const struct urivet_host_rule *y = *(const struct urivet_host_rule *const *)b;
	const int names = urivet_loader_order_names(x, y);

	return names != 0 ? names
			  : order_lists((uint64_t[]){rank_of(x), x->above, x->tag},
					(uint64_t[]){rank_of(y), y->above, y->tag}, 3);
}

bool urivet_loader_is_below(const struct urivet_host_rule *rule,
			    const struct urivet_host_rule *above)
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
	const struct urivet_host_rule *own[2][SCOPES];
	const struct urivet_host_rule *label[2]; /* cover the name one label below theirs */
	const struct urivet_host_rule *above[2]; /* cover the name and all names below it */
	size_t begin;                            /* index of the first rule in the sorted list */
	size_t end;                              /* index after the rules of the name itself */
};

struct name_check {
	const struct urivet_loaded *loaded;
	struct problems *problems;
	const struct urivet_host_rule **sorted;
	size_t *allows; /* number of allow rules before each index */
	bool *reported; /* whether a problem was reported for each rule */
	struct name_node stack[NAMES_DEEP];
	size_t depth;
};

struct shown_rule urivet_loader_show_host(const struct urivet_loaded *loaded,
					  const struct urivet_host_rule *rule)
{
	struct shown_rule shown = {.at = loaded->place[rule->tag],
				   .word = urivet_loader_action(rule->action)};

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
	const struct urivet_host_rule *const *own = node->own[action];

	if (node->above[action] != NULL)
		return node->above[action];
	if (own[URIVET_SCOPE_TREE] != NULL)
		return own[URIVET_SCOPE_TREE];
	if (scope == URIVET_SCOPE_LABEL && own[URIVET_SCOPE_BELOW] != NULL)
		return own[URIVET_SCOPE_BELOW];
	if (scope == URIVET_SCOPE_HOST && node->label[action] != NULL)
		return node->label[action];
	return own[scope];
}

static bool can_be_reached(const struct name_check *check, const struct name_node *node,
			   const struct urivet_host_rule *deny, size_t end)
{
	const struct urivet_host_rule *const *allow = node->own[URIVET_ALLOW];

	if (cover_of(node, URIVET_ALLOW, deny->scope) != NULL)
		return true;
	if (deny->scope == URIVET_SCOPE_TREE &&
	    (allow[URIVET_SCOPE_HOST] != NULL || allow[URIVET_SCOPE_BELOW] != NULL ||
	     node->label[URIVET_ALLOW] != NULL))
		return true;
	if (deny->scope != URIVET_SCOPE_HOST && allow[URIVET_SCOPE_LABEL] != NULL)
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
		const struct place at = loaded->place[rule->tag];

		if (rule->action == URIVET_DENY && !check->reported[i] &&
		    !can_be_reached(check, node, rule, end))
			urivet_loader_problem(
			    check->problems, at,
			    "deny \"%s\" is never reached: \"hosts.allow\" in %s allows no such "
			    "name",
			    urivet_loader_show_host(loaded, rule).text,
			    urivet_loader_line(loaded, at, loaded->only).text);
	}
}

static bool is_one_label_below(const struct urivet_host_rule *rule,
			       const struct urivet_host_rule *above)
{
	return memchr(rule->name, '.', rule->length - above->length - 1) == NULL;
}

static struct name_node *enter_name(struct name_check *check, size_t i)
{
	struct name_node *node = &check->stack[check->depth];

	*node = (struct name_node){.rule = check->sorted[i], .begin = i};
	for (unsigned action = 0; check->depth > 0 && action < 2; action++) {
		node->above[action] = cover_below(node - 1, action);
		if (is_one_label_below(node->rule, node[-1].rule))
			node->label[action] = node[-1].own[action][URIVET_SCOPE_LABEL];
	}
	check->depth++;
	return node;
}

/* Reports an exception that another one repeats. Rules that may be covered by a denial with
 * exceptions are not reported. */
static void check_exception(struct name_check *check, size_t i)
{
	const struct urivet_host_rule *rule = check->sorted[i];
	const struct urivet_host_rule *before = i > 0 ? check->sorted[i - 1] : rule;
	const struct shown_rule shown = urivet_loader_show_host(check->loaded, rule);

	if (before != rule && before->action == URIVET_EXCEPT && before->above == rule->above &&
	    before->scope == rule->scope && urivet_loader_order_names(before, rule) == 0)
		urivet_loader_report_twice(check->loaded, check->problems, &shown,
					   check->loaded->place[before->tag]);
}

static bool has_exceptions(const struct urivet_loaded *loaded, const struct urivet_host_rule *rule)
{
	return loaded->place[rule->tag].excepts;
}

/* Reports a denial of a name that has another denial, if one of them has exceptions: these lift
 * both. */
static void check_excepted(struct name_check *check, const struct name_node *node,
			   const struct urivet_host_rule *rule)
{
	const struct urivet_loaded *loaded = check->loaded;
	const struct place at = loaded->place[rule->tag];

	for (unsigned scope = 0; scope < SCOPES; scope++) {
		const struct urivet_host_rule *other = node->own[URIVET_DENY][scope];

		if (other == NULL || !(has_exceptions(loaded, rule) || has_exceptions(loaded, other)))
			continue;
		urivet_loader_problem(
		    check->problems, at,
		    "deny \"%s\" is beside another denial of this name in %s, and the exceptions "
		    "would be from both: write one denial",
		    urivet_loader_show_host(loaded, rule).text,
		    urivet_loader_line(loaded, at, loaded->place[other->tag]).text);
		return;
	}
}

static void check_host(struct name_check *check, size_t i)
{
	const struct urivet_host_rule *rule = check->sorted[i];
	const struct urivet_host_rule *by = NULL;
	struct name_node *node = NULL;

	while (check->depth > 0) {
		node = &check->stack[check->depth - 1];
		if (urivet_loader_order_names(node->rule, rule) == 0 ||
		    urivet_loader_is_below(rule, node->rule))
			break;
		leave_name(check, i);
		node = NULL;
	}
	if (node == NULL || urivet_loader_order_names(node->rule, rule) != 0)
		node = enter_name(check, i);
	node->end = i + 1;
	check->allows[i + 1] = check->allows[i] + (rule->action == URIVET_ALLOW);
	if (rule->action == URIVET_EXCEPT) {
		check_exception(check, i);
		return;
	}
	if (rule->action == URIVET_ALLOW)
		by = cover_of(node, URIVET_DENY, rule->scope);
	else
		check_excepted(check, node, rule);
	if (by == NULL)
		by = cover_of(node, rule->action, rule->scope);
	if (by != NULL && !has_exceptions(check->loaded, by)) {
		const struct shown_rule one = urivet_loader_show_host(check->loaded, rule);
		const struct shown_rule other = urivet_loader_show_host(check->loaded, by);

		urivet_loader_report_covered(check->loaded, check->problems, &one, &other);
		check->reported[i] = true;
	}
	/* an allow rule that is denied still makes the deny rule match */
	if (by == NULL || by->action != rule->action)
		node->own[rule->action][rule->scope] = rule;
}

void urivet_loader_check_hosts(const struct urivet_loaded *loaded, struct problems *problems)
{
	size_t count = loaded->policy.hosts.count;
	struct name_check *check = calloc(1, sizeof *check);
	const struct urivet_host_rule **sorted =
	    urivet_loader_sorted(loaded->host, count, sizeof *loaded->host, order_hosts);
	size_t *allows = calloc(count + 1, sizeof *allows);
	bool *reported = calloc(count + 1, sizeof *reported);

	if (check == NULL || sorted == NULL || allows == NULL || reported == NULL) {
		problems->no_memory = true;
	} else {
		*check =
		    (struct name_check){loaded, problems, sorted, allows, reported, .depth = 0};
		for (size_t i = 0; i < count; i++)
			check_host(check, i);
		while (check->depth > 0)
			leave_name(check, count);
	}
	free(check);
	free(sorted);
	free(allows);
	free(reported);
}

void urivet_loader_check_protected(const struct urivet_loaded *loaded, struct problems *problems)
{
	for (uint32_t i = 1; i < loaded->policy.protect_count; i++) {
		const struct urivet_host_rule *before = &loaded->protect[i - 1].name;
		const struct urivet_host_rule *name = &loaded->protect[i].name;
		struct shown_rule shown;

		if (urivet_loader_order_names(before, name) != 0)
			continue;
		shown = urivet_loader_show_host(loaded, name);
		shown.word = "protect";
		urivet_loader_report_twice(loaded, problems, &shown, loaded->place[before->tag]);
	}
}
