/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing URL rules and accessing their text. */
#ifndef URIVET_URL_RULES_H
#define URIVET_URL_RULES_H

#include "policy/lists.h"

/* Returns the text of a URL rule as stored, cut to URIVET_URL_RULE_MOST octets. */
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

/* Returns true if the components of the rule lie within its text. Rules made by
 * urivet_url_rule_from() satisfy this. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures \result ==> r->scheme_length <= end && r->host + r->host_length <= end &&
            r->path + r->path_length <= end; */
static inline bool has_its_pieces(const struct urivet_url_rule *r, uint32_t end)
{
	return r->scheme_length <= end && r->host <= end && r->host_length <= end - r->host &&
	       r->path <= end && r->path_length <= end - r->path;
}

/* Parses a rule from t. Sets all of *rule except its text and tag. Returns false if it is not
 * valid. */
/*@ requires readable(t) && \valid(rule);
    assigns *rule; */
bool urivet_read_url_rule(struct text t, struct urivet_url_rule *rule);

/* Returns true if each URL rule of the policy matches its text. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_urls_mean(const struct urivet_policy *policy, bool compiled);

#endif
