/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about names that depend on the policy: its host list, and names that are known to lead to a
 * private network or to this machine. */
#include "policy/index.h"
#include "policy/lists.h"
#include "policy/policy.h"
#include "policy/protected.h"
#include "policy/suffixes.h"
#include "policy/tlds.h"
#include "rules/rules.h"
#include "uri/host.h"
#include "uri/ip.h"

/* ---- Known names --------------------------------------------------------------- */

struct known_name {
	char name[29];
	uint16_t id;   /* enum urivet_id */
	uint8_t scope; /* enum urivet_scope */
	uint8_t length;
	uint8_t words; /* enum words, or NO_SPELLING */
};

#define NO_SPELLING 3

/* clang-format off */
#define SPELLS(words, name, source, date) \
	{name, URIVET_F_ADDR_UNCLASSIFIED, URIVET_SCOPE_BELOW, sizeof name - 1, WORDS_##words},
#define KNOWN(scope, finding, name, source, date) \
	{name, URIVET_F_##finding, URIVET_SCOPE_##scope, sizeof name - 1, NO_SPELLING},
#define ENDS_IN(letter, octet, shorter, fourth, fifth, eighth) \
	}; static const struct known_name ends_in_##letter[] = {
static const struct known_name ends_in_digit[] = {
#include "policy/known_names.def"
};
#undef SPELLS
#undef KNOWN
#undef ENDS_IN

/* The names with the same last letter. `fourth`, `fifth` and `eighth` are bit sets of the octets at
 * these positions, counted from the end. They rule out most other names. */
struct bucket {
	const struct known_name *name;
	uint32_t fourth, fifth, eighth;
	uint16_t shorter, count; /* `shorter`: names below eight octets; they come first */
};
#define ON(c)                   (UINT32_C(1) << (c) % 32)
#define BUCKET(names, n, four, five, eight) \
	{names, four, five, eight, n, sizeof names / sizeof names[0]}
#define SPELLS(words, name, source, date)
#define KNOWN(scope, finding, name, source, date)
#define ENDS_IN(letter, octet, shorter, fourth, fifth, eighth) \
	[(octet) - 'a'] = BUCKET(ends_in_##letter, shorter, fourth, fifth, eighth),
static const struct bucket by_last_letter[26] = {
#include "policy/known_names.def"
};
static const struct bucket by_digit = BUCKET(ends_in_digit, 0, 0, UINT32_MAX, UINT32_MAX);
#undef SPELLS
#undef KNOWN
#undef ENDS_IN
/* clang-format on */

/*@ assigns \nothing;
    ensures \valid_read(\result) && \result->shorter <= \result->count;
    ensures \valid_read(\result->name + (0 .. \result->count - 1)); */
static const struct bucket *bucket_of(unsigned last)
{
	return last >= 'a' && last <= 'z' ? &by_last_letter[last - 'a'] : &by_digit;
}

/* Returns true if the name matches. Whole labels are compared: "notlocalhost" does not match
 * "localhost". */
/*@ requires readable(t) && at < t.end && \valid_read(known);
    assigns \nothing; */
static bool name_matches(struct text t, uint32_t at, const struct known_name *known)
{
	const uint32_t length = known->length;
	if (t.end - at < length || !is_word(t, t.end - length, known->name))
		return false;
	if (t.end - at == length)
		return known->scope != URIVET_SCOPE_BELOW;
	return known->scope != URIVET_SCOPE_HOST && octet(t, t.end - (length + 1)) == '.';
}

/* ---- Rules of the policy ------------------------------------------------------------ */

/* Checks the name against the host list. Returns true if it is allowed. */
/*@ requires readable(t) && at <= t.end; JUDGES_HOST(s); */
static bool listed_name(struct subject *s, struct text t, uint32_t at)
{
	const struct urivet_host_rule *rule = urivet_host_rule_for(s->policy, t, at);
	const bool allowed = rule != NULL ? rule->action == URIVET_ALLOW : is_covered(s);
	const bool only = s->policy->hosts.only;
	s->report->host_rule = rule;
	if (rule != NULL && !allowed)
		add_in_host(s, URIVET_F_HOST_DENIED, at, t.end);
	if (only && !allowed)
		add_in_host(s, URIVET_F_HOST_NOT_ALLOWED, at, t.end);
	return allowed;
}

/* Indexes of the finding-set words with the bits of this file. In most policies they are 0. */
#define WORD_OF_NAMES     (URIVET_F_HOST_LOCALHOST_NAME / 64)
#define WORD_OF_ADDRESSES (URIVET_F_ADDR_UNCLASSIFIED / 64)

/* Returns true if the policy checks addresses, by lists or by their blocks, or refuses names that
 * spell one. */
/*@ requires \valid_read(p);
    assigns \nothing; */
static bool judges_addresses_in_names(const struct urivet_policy *p)
{
	return (p->raised.bits[WORD_OF_ADDRESSES] | p->waived.bits[WORD_OF_ADDRESSES] |
		(p->raised.bits[URIVET_F_HOST_EMBEDS_IP / 64] >> URIVET_F_HOST_EMBEDS_IP % 64 & 1) |
		p->addresses.count) != 0;
}

/* Checks the labels before a domain whose names spell addresses. Returns true if the address is
 * known. */
/*@ requires readable(t) && t.end <= s->t.end && at < t.end && \valid_read(known);
    JUDGES_HOST(s); */
static bool is_spelled_below(struct subject *s, struct text t, uint32_t at,
			     const struct known_name *known, bool allowed)
{
	const uint32_t before = t.end - at > known->length ? t.end - 1 - known->length : at;
	return known->words != NO_SPELLING && judges_addresses_in_names(s->policy) &&
	       urivet_rules_spelled_below(s, until(t, before), at, (enum words)known->words,
					  allowed);
}

/* Handles a name that matches a known one. `allowed`: the host list allows the name, so only rules
 * that deny addresses apply. */
/*@ requires readable(t) && t.end <= s->t.end && at < t.end && \valid_read(known);
    JUDGES_HOST(s); */
static void judge_known(struct subject *s, struct text t, uint32_t at,
			const struct known_name *known, bool allowed)
{
	const unsigned id = known->id % URIVET_FINDING_LIMIT;
	if (!is_spelled_below(s, t, at, known, allowed) && !allowed && is_on(s->policy, id))
		add_in_host(s, (enum urivet_id)id, at, t.end);
}

/* Handles every known name that matches. */
/*@ requires readable(t) && t.end <= s->t.end && at < t.end; JUDGES_HOST(s); */
static void known_names(struct subject *s, struct text t, uint32_t at, bool allowed)
{
	const struct bucket b = *bucket_of(lower(octet(t, t.end - 1)));
	/*@ loop invariant judging_host(s) && s->report == \at(s->report, Pre) && k <= b.count;
	    loop assigns k, FOUND_IN(s, \at(s->report, Pre));
	    loop variant b.count - k; */
	for (unsigned k = 0; k < b.count; k++)
		if (name_matches(t, at, &b.name[k]))
			judge_known(s, t, at, &b.name[k], allowed);
}

/* Returns true if the name is a single label. Fast path: most last labels have two or three
 * letters. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static inline bool is_single_label(struct text t, uint32_t at)
{
	if (t.end - at > 4 && (octet(t, t.end - 4) == '.' || octet(t, t.end - 3) == '.'))
		return false;
	return urivet_last_label(t, at) == at;
}

/* Returns true if no reader takes this name for an address. Other octets may be decoded; an empty
 * name, or one with a second final dot, may be this machine. */
/*@ requires readable(t) && at <= t.end;
    assigns \nothing; */
static COLD bool is_plain_name(struct text t, uint32_t at, uint32_t seen)
{
	uint32_t last = at;
	if (at == t.end || octet(t, t.end - 1) == '.')
		return false;
	if (seen & ~(uint32_t)(ALNUM | HYPHEN | DOT | UNDERSCORE))
		return false;
	if ((seen & DIGIT) == 0)
		return true;
	/*@ loop invariant at <= last <= t.end && last <= end;
	    loop assigns last, end;
	    loop variant t.end - last; */
	for (uint32_t end = label_end(t, last); end < t.end; end = label_end(t, last))
		last = end + 1;
	return urivet_number(t, last).base == BASE_NONE;
}

/*@ requires \valid_read(p);
    assigns \nothing; */
static inline uint64_t rules_of_names(const struct urivet_policy *p)
{
	return p->raised.bits[WORD_OF_NAMES] | p->waived.bits[WORD_OF_NAMES];
}

/*@ requires \valid_read(p);
    assigns \nothing; */
static bool has_name_rules(const struct urivet_policy *p)
{
	return (rules_of_names(p) | p->raised.bits[WORD_OF_ADDRESSES] |
		p->waived.bits[WORD_OF_ADDRESSES]) != 0;
}

/* Same as is_on() for URIVET_F_HOST_UNKNOWN_TLD, but uses the word that is already loaded. */
/*@ requires \valid_read(p);
    assigns \nothing; */
static inline bool asks_for_tld(const struct urivet_policy *p)
{
	return (rules_of_names(p) >> URIVET_F_HOST_UNKNOWN_TLD % 64 & 1) != 0;
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool lists_names(const struct urivet_policy *policy)
{
	return policy->hosts.count > 0 || policy->hosts.only;
}

bool urivet_judges_names(const struct urivet_policy *policy)
{
	return lists_names(policy) || has_name_rules(policy) || policy->addresses.count > 0;
}

/* Returns true if t may end in one of the names `from` to `to`, exclusive, of the bucket. Compares
 * only the first octet of each name. */
/*@ requires readable(t) && at < t.end && to <= b->count && \valid_read(b);
    requires \valid_read(b->name + (0 .. b->count - 1));
    assigns \nothing; */
static inline bool may_be_among(struct text t, uint32_t at, const struct bucket *b, unsigned from,
				unsigned to)
{
	/*@ loop invariant \at(from, Pre) <= from;
	    loop assigns from;
	    loop variant to - from; */
	for (; from < to; from++) {
		const uint32_t length = b->name[from].length;
		if (t.end - at >= length &&
		    octet(t, t.end - length) == (unsigned char)b->name[from].name[0])
			return true;
	}
	return false;
}

/* Returns true if the fifth and eighth octet from the end may match a long name of the bucket. The
 * name must have at least eight octets. */
/*@ requires readable(t) && t.end >= 8 && \valid_read(b);
    assigns \nothing; */
static inline bool ends_alike(struct text t, const struct bucket *b)
{
	return (b->fifth >> octet(t, t.end - 5) % 32 & b->eighth >> octet(t, t.end - 8) % 32 & 1) != 0;
}

/* Returns true only if the name is not a known name. Three of its octets rule out nearly all of
 * them. Known names of less than four octets are single labels. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing; */
static inline bool is_common_name(struct text t, uint32_t at)
{
	const struct bucket *b = bucket_of(octet(t, t.end - 1));
	const uint32_t length = t.end - at;
	if (b->shorter > 0 && length >= 4 && (b->fourth >> octet(t, t.end - 4) % 32 & 1) &&
	    may_be_among(t, at, b, 0, b->shorter))
		return false;
	if (length >= 8 && ends_alike(t, b) &&
	    may_be_among(t, at, b, b->shorter, b->count))
		return false;
	return !is_single_label(t, at);
}

/* Returns true only if the name is not a known name and ends in a top-level domain. */
/*@ requires readable(t) && at < t.end;
    assigns \nothing; */
static COLD bool is_common_below_tld(struct text t, uint32_t at)
{
	return is_common_name(t, at) && urivet_has_tld(t, at);
}

/* Returns true if the host list may decide about the name. */
/*@ requires \valid_read(policy) && readable(t);
    assigns \nothing; */
static bool may_be_listed(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	return lists_names(policy) && (policy->hosts.only || !has_index(policy) ||
				       urivet_index_has_name(policy, t, at));
}

bool urivet_is_quiet_name(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	if (may_be_listed(policy, t, at) ||
	    (has_protected(policy) && urivet_may_imitate(policy, t, at)))
		return false;
	if (!has_name_rules(policy) && policy->addresses.count == 0)
		return true;
	if (judges_suffixes(policy) && urivet_is_suffix(policy, t, at))
		return false;
	return asks_for_tld(policy) ? is_common_below_tld(t, at) : is_common_name(t, at);
}

bool urivet_is_known_name(const struct urivet_policy *policy, struct text t, uint32_t at)
{
	const struct bucket *const b = bucket_of(lower(octet(t, t.end - 1)));
	/*@ loop invariant k <= b->count;
	    loop assigns k;
	    loop variant b->count - k; */
	for (unsigned k = 0; k < b->count; k++)
		if (name_matches(t, at, &b->name[k]))
			return true;
	return (is_on(policy, URIVET_F_HOST_SINGLE_LABEL) && is_single_label(t, at)) ||
	       (asks_for_tld(policy) && !urivet_has_tld(t, at));
}

/* Applies the rules about the number of labels, the last label and public suffixes. */
/*@ requires readable(t) && t.end <= s->t.end && at < t.end; ADDS_HOST_FINDINGS(s); */
static void label_rules(struct subject *s, struct text t, uint32_t at)
{
	if (is_on(s->policy, URIVET_F_HOST_SINGLE_LABEL) && is_single_label(t, at))
		add_in_host(s, URIVET_F_HOST_SINGLE_LABEL, at, t.end);
	if (asks_for_tld(s->policy) && !urivet_has_tld(t, at))
		add_in_host(s, URIVET_F_HOST_UNKNOWN_TLD, urivet_last_label(t, at), t.end);
	if (judges_suffixes(s->policy) && urivet_is_suffix(s->policy, t, at))
		add_in_host(s, URIVET_F_HOST_PUBLIC_SUFFIX, at, t.end);
}

/* Applies the rules other than lists to the name that fills t from `at` on. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static void by_known_rules(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	if (at < t.end) {
		known_names(s, t, at, false);
		//@ assert s->report == \at(s->report, Pre);
		label_rules(s, t, at);
		//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	}
	if (is_on(s->policy, URIVET_F_ADDR_UNCLASSIFIED) && !is_plain_name(t, at, seen))
		add_in_host(s, URIVET_F_ADDR_UNCLASSIFIED, at, t.end);
}

/* Checks a name that no rule of the list allows. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static void judge_unlisted(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	const struct urivet_policy *policy = s->policy;
	if (seen & DIGIT)
		urivet_rules_spelled(s, t, at, false);
	if (has_name_rules(policy) || policy->addresses.count > 0)
		by_known_rules(s, t, at, seen);
}

/* Checks a name that a rule of the list allows: rules that deny addresses still apply. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static void judge_allowed(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	const bool judges_addresses = judges_addresses_in_names(s->policy);
	if (seen & DIGIT)
		urivet_rules_spelled(s, t, at, true);
	if (at < t.end && judges_addresses)
		known_names(s, t, at, true);
}

void urivet_rules_known_name(struct subject *s, struct text t, uint32_t at, uint32_t seen,
			     bool allowed)
{
	if (allowed)
		judge_allowed(s, t, at, seen);
	else
		judge_unlisted(s, t, at, seen);
}

/* Returns true if other readings of the name must be checked too. Without findings so far, all
 * readers agree on its octets and labels. Without waivers, other readings are rejected anyway. */
/*@ requires judging_host(s);
    assigns \nothing; */
static bool may_be_read_otherwise(const struct subject *s)
{
	return has_waivers(s->policy) && s->report->count > 0 && urivet_judges_names(s->policy);
}

/* Checks the name against the host list. Returns true if it is allowed. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
static COLD bool is_allowed(struct subject *s, struct text t, uint32_t at, uint32_t seen)
{
	if (may_be_read_otherwise(s))
		return urivet_rules_forms(s, t, at, seen);
	return (lists_names(s->policy) || is_covered(s)) && listed_name(s, t, at);
}

void urivet_rules_name(struct subject *s, struct urivet_span name, uint32_t seen)
{
	const bool allowed = is_allowed(s, within(s->t, name), name.offset, seen);
	if (!allowed)
		urivet_rules_looks(s, until(within(s->t, name), urivet_judged_end(s)), name.offset,
				   seen);
	urivet_rules_known_name(s, within(s->t, name), name.offset, seen, allowed);
}
