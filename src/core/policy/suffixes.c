/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up names among the public suffixes of a policy. */
#include "policy/suffixes.h"

#include "uri/decoded.h"
#include "uri/host.h"

bool urivet_suffixes_in_order(const struct urivet_policy *policy)
{
	/*@ loop invariant 1 <= k;
	    loop assigns k;
	    loop variant policy->suffix_count - k; */
	for (uint32_t k = 1; k < policy->suffix_count; k++)
		if (urivet_order_names(rule_name(suffix_at(policy, k - 1)),
				       rule_name(suffix_at(policy, k))) > 0)
			return false;
	return true;
}

/* Returns true if a suffix is its own name, or the names below it. */
/*@ assigns \nothing; */
static bool is_suffix_scope(unsigned scope)
{
	scope &= ~(unsigned)URIVET_SCOPE_RELATIVE;
	return scope == URIVET_SCOPE_HOST || scope == URIVET_SCOPE_BELOW;
}

bool urivet_suffixes_mean(const struct urivet_policy *policy, bool compiled)
{
	/*@ loop invariant 0 <= k;
	    loop assigns k;
	    loop variant policy->suffix_count - k; */
	for (uint32_t k = 0; k < policy->suffix_count; k++) {
		const struct urivet_host_rule *r = suffix_at(policy, k);
		if (!is_text_known(r->scope, compiled) || r->action > URIVET_ALLOW ||
		    r->above != 0 || !is_suffix_scope(r->scope) ||
		    !urivet_is_domain(rule_name(r), 0))
			return false;
	}
	return true;
}

/* The rules about one name: bits of what they say. */
enum { IS_SUFFIX = 1, HAS_SUFFIXES_BELOW = 2, IS_EXCEPTION = 4 };

/* Returns the index of the first suffix that does not sort before the name. */
/*@ requires \valid_read(policy) && readable(name);
    assigns \nothing;
    ensures \result <= policy->suffix_count; */
static uint32_t first_suffix(const struct urivet_policy *policy, struct text name)
{
	uint32_t low = 0, high = policy->suffix_count;
	/*@ loop invariant low <= high <= policy->suffix_count;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (urivet_order_names(rule_name(suffix_at(policy, middle)), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns what the rules with exactly this name say. */
/*@ requires \valid_read(policy) && readable(name);
    assigns \nothing; */
static unsigned rules_about(const struct urivet_policy *policy, struct text name)
{
	unsigned says = 0;
	uint32_t k = first_suffix(policy, name);
	/*@ loop invariant k <= policy->suffix_count;
	    loop assigns k, says;
	    loop variant policy->suffix_count - k; */
	while (k < policy->suffix_count &&
	       urivet_order_names(rule_name(suffix_at(policy, k)), name) == 0) {
		const struct urivet_host_rule *r = suffix_at(policy, k);
		if (r->action == URIVET_ALLOW)
			says |= IS_EXCEPTION;
		else if (scope_holds(r->scope, 0))
			says |= IS_SUFFIX;
		else
			says |= IS_SUFFIX | HAS_SUFFIXES_BELOW;
		k++;
	}
	return says;
}

bool urivet_is_suffix(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	uint8_t octets[DECODED_MOST];
	const struct text name = text_of(octets, urivet_decode_name(t, at, octets));
	const uint32_t below = label_end(name, 0) + 1;
	unsigned says;
	if (name.end == 0)
		return at < t.end;
	says = rules_about(policy, name);
	if (says != 0 || below >= name.end)
		return (says & (IS_SUFFIX | IS_EXCEPTION)) == IS_SUFFIX;
	return (rules_about(policy, text_of(octets + below, name.end - below)) &
		HAS_SUFFIXES_BELOW) != 0;
}
