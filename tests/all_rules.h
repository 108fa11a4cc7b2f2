/* SPDX-License-Identifier: Apache-2.0 */
/* The reference for tests: judges by all rules, octet by octet, and skips nothing. */
#ifndef TESTS_ALL_RULES_H
#define TESTS_ALL_RULES_H

#include <string.h>

#include "check/check.h"

/* Applies every rule, without recognising plain components or what wakes a rule. */
static inline void judge_by_all_rules(struct subject *s)
{
	const struct leniency lenient = urivet_leniency(s);
	struct urivet_uri *uri = &s->report->uri;
	const uint32_t path = urivet_split_front(s->t, SPLIT_REFERENCE, uri, &s->seen);
	const struct tail tail = urivet_tail_by_octet(s->t, path);
	uint32_t misfit;
	urivet_set_tail(s->t, path, &tail, uri, &s->seen);
	s->host = uri->part[URIVET_HOST];
	s->web = uri->scheme != URIVET_SCHEME_OTHER;
	s->report->parsed = urivet_match(s->t, uri, &s->seen, &lenient, &misfit);
	urivet_rules_octets(s);
	urivet_rules_userinfo(s);
	urivet_rules_escapes(s);
	urivet_rules_path(s);
	if (has_url_rules(s->policy))
		urivet_rules_url(s);
	urivet_rules_scheme(s);
	urivet_rules_host(s);
	urivet_rules_port(s);
	urivet_rules_query(s);
	urivet_rules_tail(s);
}

/* Fills the reports of urivet_check() and of all rules. Octets that neither sets are equal. */
static inline void report_both_ways(struct urivet_report *quick, struct urivet_report *full,
				    const void *data, size_t length,
				    const struct urivet_policy *policy)
{
	struct subject s;
	memset(quick, 0x5a, sizeof *quick);
	memset(full, 0x5a, sizeof *full);
	urivet_check(quick, data, length, policy);
	if (urivet_open(&s, full, data, length, policy)) {
		judge_by_all_rules(&s);
		urivet_close(&s);
	}
}

#endif
