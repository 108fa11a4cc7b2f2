/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in policies, and how a copy of one is changed. */
#include <string.h>

#include "policy.h"
#include "report.h"

#define SCHEMES_WEB ((1u << URIVET_SCHEME_HTTP) | (1u << URIVET_SCHEME_HTTPS))
#define SCHEMES_ANY                                                                                \
	(SCHEMES_WEB | (1u << URIVET_SCHEME_WS) | (1u << URIVET_SCHEME_WSS) |                      \
	 (1u << URIVET_SCHEME_FTP) | (1u << URIVET_SCHEME_OTHER))

const struct urivet_policy urivet_policy_strict = {
    .size = sizeof(struct urivet_policy),
    .name = "strict",
    .max_length = 8192,
    .max_host = 253,
    .max_label = 63,
    .schemes = SCHEMES_WEB,
};

const struct urivet_policy urivet_policy_any = {
    .size = sizeof(struct urivet_policy),
    .name = "any",
    .max_length = 8192,
    .max_host = 253,
    .max_label = 63,
    .schemes = SCHEMES_ANY,
};

const struct urivet_policy *urivet_policy_named(const char *name)
{
	if (strcmp(name, urivet_policy_strict.name) == 0)
		return &urivet_policy_strict;
	if (strcmp(name, urivet_policy_any.name) == 0)
		return &urivet_policy_any;
	return NULL;
}

static bool waivable(unsigned id)
{
	switch (id) {
	case URIVET_F_URL_TOO_LONG:
		return false;
	case URIVET_F_FORBIDDEN_CHAR:
	case URIVET_F_NON_ASCII:
	case URIVET_F_QUERY_NESTED_BRACKETS:
	case URIVET_F_BAD_ESCAPE:
		return true;
	default:
		return urivet_finding_class[id] != URIVET_MALFORMED;
	}
}

static void include(struct urivet_finding_set *set, unsigned id)
{
	set->bits[id / 64] |= (uint64_t)1 << id % 64;
}

static void exclude(struct urivet_finding_set *set, unsigned id)
{
	set->bits[id / 64] &= ~((uint64_t)1 << id % 64);
}

bool urivet_policy_waive(struct urivet_policy *policy, unsigned id)
{
	if (urivet_finding_info(id) == NULL || !waivable(id))
		return false;
	include(&policy->waived, id);
	exclude(&policy->raised, id);
	return true;
}

bool urivet_policy_raise(struct urivet_policy *policy, unsigned id)
{
	if (urivet_finding_info(id) == NULL)
		return false;
	include(&policy->raised, id);
	exclude(&policy->waived, id);
	return true;
}

struct leniency urivet_policy_leniency(const struct urivet_policy *policy)
{
	struct leniency l = {0};
	if (in_set(&policy->waived, URIVET_F_FORBIDDEN_CHAR))
		l.tail |= FORBIDDEN | LBRACKET | RBRACKET | HASH;
	if (in_set(&policy->waived, URIVET_F_NON_ASCII))
		l.tail |= HIGH;
	if (in_set(&policy->waived, URIVET_F_QUERY_NESTED_BRACKETS))
		l.query = LBRACKET | RBRACKET;
	l.lone_percent = in_set(&policy->waived, URIVET_F_BAD_ESCAPE);
	return l;
}

bool urivet_policy_allows_port(const struct urivet_policy *policy, uint32_t port)
{
	for (size_t k = 0; k < policy->port_count; k++)
		if (port >= policy->ports[k].first && port <= policy->ports[k].last)
			return true;
	return false;
}
