/* SPDX-License-Identifier: Apache-2.0 */
/* Finds rules of URLs that others make redundant. */
#include "common/order.h"
#include "common/text/octets.h"
#include "policyfile/overlaps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of octets of a URL in a message. */
#define URL_SHOWN 200

/* Returns a part of the rule's text. */
static struct octets url_piece(const struct urivet_url_rule *rule, uint32_t at, uint32_t length)
{
	return text_at((const char *)urivet_url_rule_text(rule).data + at, length);
}

static struct urivet_host_rule host_of_url(const struct urivet_url_rule *rule)
{
	const char *text = urivet_url_rule_text(rule).data;

	return (struct urivet_host_rule){.name = text + rule->host, .length = rule->host_length};
}

/* Compares all but the paths of two rules. */
static int order_places(const struct urivet_url_rule *a, const struct urivet_url_rule *b)
{
	const struct urivet_host_rule one = host_of_url(a);
	const struct urivet_host_rule other = host_of_url(b);
	const int schemes =
	    text_order(url_piece(a, 0, a->scheme_length), url_piece(b, 0, b->scheme_length));

	int hosts;

	if (schemes != 0)
		return schemes;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	hosts = a->kind == URIVET_URL_NAME ? urivet_loader_order_names(&one, &other)
					   : memcmp(a->address, b->address, sizeof a->address);
	return hosts != 0 ? hosts
			  : order_lists((uint64_t[]){a->scope, a->port, a->last_port},
					(uint64_t[]){b->scope, b->port, b->last_port}, 3);
}

static struct octets path_of_url(const struct urivet_url_rule *rule)
{
	return url_piece(rule, rule->path, rule->path_length);
}

static struct octets query_of_url(const struct urivet_url_rule *rule)
{
	return url_piece(rule, rule->path + rule->path_length + 1, rule->query_length); /* after "?" */
}

/* What follows the path of a rule, the widest first. */
enum tail { ANY_TAIL, ANY_QUERY, THIS_QUERY, NO_QUERY };

static enum tail tail_of(const struct urivet_url_rule *rule)
{
	if (rule->query == URIVET_URL_NO_QUERY)
		return rule->exact ? NO_QUERY : ANY_TAIL;
	return rule->query == URIVET_URL_ANY_QUERY ? ANY_QUERY : THIS_QUERY;
}

static int order_urls(const void *a, const void *b)
{
	const struct urivet_url_rule *x = *(const struct urivet_url_rule *const *)a;
	const struct urivet_url_rule *y = *(const struct urivet_url_rule *const *)b;
	const enum tail one = tail_of(x), other = tail_of(y);
	const int by[] = {order_places(x, y), text_order(path_of_url(x), path_of_url(y)),
			  (int)one - (int)other, text_order(query_of_url(x), query_of_url(y))};

	for (size_t i = 0; i < sizeof by / sizeof by[0]; i++)
		if (by[i] != 0)
			return by[i];
	return order_lists((uint64_t[]){x->exact, x->tag}, (uint64_t[]){y->exact, y->tag}, 2);
}

/* Returns true if the path begins with the octets of the other. */
static bool begins_with(struct octets path, struct octets beginning)
{
	return path.length >= beginning.length &&
	       text_equals(text_at(path.data, beginning.length), beginning);
}

/* Returns true if the tail of the rule covers that of another rule with the same path. */
static bool covers_tail(const struct urivet_url_rule *rule, const struct urivet_url_rule *other)
{
	const enum tail tail = tail_of(rule), that = tail_of(other);

	if (tail == ANY_TAIL)
		return true;
	return that != ANY_TAIL && (!rule->exact || other->exact) &&
	       (tail == ANY_QUERY ||
		(tail == that && text_equals(query_of_url(rule), query_of_url(other))));
}

/* Returns true if the rule covers what the other rule does after the same host and port. */
static bool covers_path(const struct urivet_url_rule *rule, const struct urivet_url_rule *other)
{
	const struct octets beginning = path_of_url(rule), path = path_of_url(other);

	if (!begins_with(path, beginning))
		return false;
	if (tail_of(rule) != ANY_TAIL || path.length == beginning.length)
		return path.length == beginning.length && covers_tail(rule, other);
	return beginning.length == 0 || path.data[beginning.length - 1] == '/' ||
	       path.data[beginning.length] == '/';
}

/* Returns true if the rule, which sorts before the other, covers no later one. */
static bool is_passed(const struct urivet_url_rule *rule, const struct urivet_url_rule *other)
{
	if (order_places(rule, other) != 0 || !begins_with(path_of_url(other), path_of_url(rule)))
		return true;
	return tail_of(rule) >= THIS_QUERY && !covers_path(rule, other);
}

static struct shown_rule show_url(const struct urivet_loaded *loaded,
				  const struct urivet_url_rule *rule)
{
	const struct urivet_text text = urivet_url_rule_text(rule);
	struct shown_rule shown = {.at = loaded->place[rule->tag],
				   .word = urivet_loader_action(URIVET_ALLOW)};

	(void)snprintf(shown.text, sizeof shown.text, "%.*s",
		       (int)(text.length < URL_SHOWN ? text.length : URL_SHOWN),
		       (const char *)text.data);
	return shown;
}

static void complain_url(const struct urivet_loaded *loaded, struct problems *problems,
			 const struct urivet_url_rule *rule, const struct urivet_url_rule *by)
{
	const struct shown_rule one = show_url(loaded, rule), other = show_url(loaded, by);

	if (text_equals(from_library(urivet_url_rule_text(rule)),
			from_library(urivet_url_rule_text(by))))
		urivet_loader_report_twice(loaded, problems, &one, other.at);
	else
		urivet_loader_report_covered(loaded, problems, &one, &other);
}

/* Returns the host rule that decides about the rule's name, or about a name below it. */
static const struct urivet_host_rule *host_rule_of(const struct urivet_policy *hosts,
						   const struct urivet_url_rule *rule, bool below)
{
	const struct octets name = url_piece(rule, rule->host, rule->host_length);
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
			return rule->port == scheme->port && scheme->port != URIVET_NO_PORT &&
			       rule->last_port == rule->port;
	}
	return false;
}

/* Reports a rule whose hosts are denied by "hosts", or allowed by it with any path. */
static void check_url_host(const struct urivet_loaded *loaded, struct problems *problems,
			   const struct urivet_policy *hosts, const struct urivet_url_rule *rule)
{
	const bool below = rule->scope != URIVET_SCOPE_HOST;
	const struct urivet_host_rule *by = host_rule_of(hosts, rule, below);
	const struct shown_rule one = show_url(loaded, rule);
	struct shown_rule other;

	/* a rule for a longer name covers only some of the hosts below */
	if (by == NULL || loaded->place[by->tag].excepts ||
	    (below && (by->scope == URIVET_SCOPE_HOST || by->length > rule->host_length)) ||
	    (by->scope == URIVET_SCOPE_LABEL && below && rule->scope != URIVET_SCOPE_LABEL) ||
	    (rule->scope == URIVET_SCOPE_TREE && host_rule_of(hosts, rule, false) != by))
		return;
	other = urivet_loader_show_host(loaded, by);
	if (by->action == URIVET_DENY)
		urivet_loader_report_covered(loaded, problems, &one, &other);
	else if (has_default_port(rule) && (loaded->policy.schemes >> rule->scheme & 1u) != 0)
		urivet_loader_problem(problems, one.at,
				      "allow \"%s\" has no effect: \"hosts.allow\" allows \"%s\" "
				      "in %s, whatever the path",
				      one.text, other.text,
				      urivet_loader_line(loaded, one.at, other.at).text);
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
	(void)urivet_policy_finish(&hosts, NULL, 0);
	for (size_t i = 0; i < count; i++) {
		size_t by;

		while (depth > 0 && is_passed(stack[depth - 1], sorted[i]))
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

void urivet_loader_check_urls(const struct urivet_loaded *loaded, struct problems *problems)
{
	const size_t count = loaded->policy.url_count;
	const struct urivet_url_rule **sorted = urivet_loader_sorted(
	    loaded->policy.urls, count, sizeof *loaded->policy.urls, order_urls);
	const struct urivet_url_rule **stack = malloc((count + 1) * sizeof *stack);

	if (sorted != NULL && stack != NULL)
		check_sorted_urls(loaded, problems, sorted, stack);
	else
		problems->no_memory = true;
	free(sorted);
	free(stack);
}
