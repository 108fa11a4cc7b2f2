/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for paths below a prefix: parsing, and which of them cover a path. */
#ifndef URIVET_PATH_RULES_H
#define URIVET_PATH_RULES_H

#include "policy/lists.h"
#include "policy/policy.h"

/* Returns true if there are rules for paths. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_path_rules(const struct urivet_policy *policy)
{
	return policy->path_count > 0;
}

/*@ requires \valid_read(policy) && k < policy->path_count;
    assigns \nothing;
    ensures \valid_read(\result); */
static inline const struct urivet_path_rule *path_rule_at(const struct urivet_policy *policy,
							  uint32_t k)
{
	return &policy->paths[k];
}

/* Returns the text of a path rule as stored, cut to URIVET_PATH_RULE_MOST octets. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures readable(\result) && \result.end <= URIVET_PATH_RULE_MOST; */
static inline struct text path_rule_text(const struct urivet_path_rule *r)
{
	const uint32_t most = r->length < URIVET_PATH_RULE_MOST ? r->length : URIVET_PATH_RULE_MOST;
	if ((r->scope & URIVET_SCOPE_RELATIVE) == 0)
		return text_of(r->text, r->text != NULL ? most : 0);
	if (!is_relative(r->at))
		return text_of(NULL, 0);
	return text_of((const char *)r + (uint32_t)r->at, most);
}

/* Parses a rule from t. Sets all of *rule except its text, its tag and its findings. Returns false
 * if it is not valid. */
/*@ requires readable(t) && \valid(rule);
    assigns *rule; */
bool urivet_read_path_rule(struct text t, struct urivet_path_rule *rule);

/* Returns true if each path rule of the policy matches its text, and waives only what a rule for
 * paths can waive. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_paths_mean(const struct urivet_policy *policy, bool compiled);

/* The path of an input, as received, and what else rules for paths look at. */
struct path_asked {
	struct text t;          /* cut at the end of the path */
	uint32_t start;         /* of the path */
	bool ends;              /* nothing follows the path: no query and no fragment */
	struct text method;     /* empty: not known */
};

/* Returns the offset after the rule's prefix if the path begins with these octets and the prefix
 * ends with a segment; 0 otherwise. */
/*@ requires readable(p.t) && p.start <= p.t.end && \valid_read(rule);
    assigns \nothing;
    ensures \result == 0 || p.start < \result <= p.t.end; */
uint32_t urivet_path_rule_covers(const struct urivet_path_rule *rule, struct path_asked p);

/* As above, for a rule that `strips`: the prefix need not end with a segment. */
/*@ requires readable(p.t) && p.start <= p.t.end && \valid_read(rule);
    assigns \nothing;
    ensures \result == 0 || p.start < \result <= p.t.end; */
uint32_t urivet_path_rule_strips(const struct urivet_path_rule *rule, struct path_asked p);

/* Returns true if some reader may find that the path leads out of a prefix of which the rest begins
 * at `at`: a segment of dots alone remains after any number of decodings, with `\` for `/`, and
 * without parameters, blanks and controls. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
bool urivet_leads_out(struct text t, uint32_t at);

/* Adds the findings that rules for paths waive for this path to *waived: see urivet_below_bit().
 * Returns the rule with the longest prefix that covers the path, or NULL. */
/*@ requires readable(p.t) && p.start <= p.t.end && readable(p.method);
    requires \valid_read(policy) && \valid(waived) && \separated(waived, policy);
    assigns *waived;
    ensures \result == \null || \valid_read(\result); */
const struct urivet_path_rule *urivet_path_rule_for(const struct urivet_policy *policy,
						    struct path_asked p, uint64_t *waived);

#endif
