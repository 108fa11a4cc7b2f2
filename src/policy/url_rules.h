/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about whole URLs: reading one, and what its pieces are. */
#ifndef URIVET_URL_RULES_H
#define URIVET_URL_RULES_H

#include "policy/lists.h"

/* The octets that a rule about URLs has for a text, as many as it says. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures readable(\result) && \result.end <= URIVET_URL_RULE_MOST; */
static inline struct text url_rule_text(const struct urivet_url_rule *r)
{
	const uint32_t most = r->length < URIVET_URL_RULE_MOST ? r->length : URIVET_URL_RULE_MOST;
	if ((r->scope & URIVET_SCOPE_RELATIVE) == 0)
		return text_of(r->text, r->text != NULL ? most : 0);
	if (!is_relative(r->at))
		return text_of(NULL, 0);
	return text_of((const char *)r + (uint32_t)r->at, most);
}

/*@ requires \valid_read(policy) && k < policy->url_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_url_rule *url_rule_at(const struct urivet_policy *policy,
							uint32_t k)
{
	return &policy->urls[k];
}

/* Reads a rule from t: all of *rule but its text and tag. */
/*@ requires readable(t) && \valid(rule);
    assigns *rule; */
bool urivet_read_url_rule(struct text t, struct urivet_url_rule *rule);

/* Is each rule of the policy about URLs what its text says? */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_urls_mean(const struct urivet_policy *policy, bool compiled);

#endif
