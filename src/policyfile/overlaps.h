/* SPDX-License-Identifier: Apache-2.0 */
/* Finds redundant rules. */
#ifndef LOADER_OVERLAPS_H
#define LOADER_OVERLAPS_H

#include "common/rules.h"
#include "policyfile/problems.h"

/* Reports rules that others make redundant, or that can never match. Takes O(n log n) comparisons
 * of names and addresses for n rules. */
void urivet_loader_check_rules(const struct urivet_loaded *loaded, struct problems *problems);

/* ---- Shared by the files overlaps*.c ------------------------------------------------- */

/* A rule as shown in a message. */
struct shown_rule {
	const char *word; /* "allow", "deny", "nat64" or "protect" */
	char text[POLICY_RULE_TEXT];
	struct place at;
};

/* A place as it stands in a message. */
struct line_text {
	char text[512];
};

/* Returns "allow" or "deny". */
const char *urivet_loader_action(unsigned action);

/* Returns "line 9", or "hosts.yaml:9" if `at` is in another file than `from`. */
struct line_text urivet_loader_line(const struct urivet_loaded *loaded, struct place from,
				    struct place at);

/* Reports a rule that stands in another place already. */
void urivet_loader_report_twice(const struct urivet_loaded *loaded, struct problems *problems,
				const struct shown_rule *rule, struct place before);

/* Reports a rule that another one makes redundant. */
void urivet_loader_report_covered(const struct urivet_loaded *loaded, struct problems *problems,
				  const struct shown_rule *rule, const struct shown_rule *by);

/* Compares names label by label from their ends, so that the names below a name follow it. */
int urivet_loader_order_names(const struct urivet_host_rule *a, const struct urivet_host_rule *b);

/* Returns true if the name of `rule` is below that of `above`. */
bool urivet_loader_is_below(const struct urivet_host_rule *rule,
			    const struct urivet_host_rule *above);

struct shown_rule urivet_loader_show_host(const struct urivet_loaded *loaded,
					  const struct urivet_host_rule *rule);

void urivet_loader_check_hosts(const struct urivet_loaded *loaded, struct problems *problems);
void urivet_loader_check_protected(const struct urivet_loaded *loaded, struct problems *problems);
void urivet_loader_check_urls(const struct urivet_loaded *loaded, struct problems *problems);

#endif
