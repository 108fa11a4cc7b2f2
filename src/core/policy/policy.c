/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in policies, validation of policies, and functions that create and modify copies. */
#include <string.h>

#include "policy/index.h"
#include "policy/parameter_rules.h"
#include "policy/path_rules.h"
#include "policy/policy.h"
#include "policy/protected.h"
#include "policy/suffixes.h"
#include "report/report.h"
#include "text/names.h"
#include "text/sized.h"

#define SCHEMES_WEB ((1u << URIVET_SCHEME_HTTP) | (1u << URIVET_SCHEME_HTTPS))
#define SCHEMES_ANY                                                                                \
	(SCHEMES_WEB | (1u << URIVET_SCHEME_WS) | (1u << URIVET_SCHEME_WSS) |                      \
	 (1u << URIVET_SCHEME_FTP) | (1u << URIVET_SCHEME_OTHER))

const struct urivet_policy urivet_strict = {
    .size = sizeof(struct urivet_policy),
    .name = "strict",
    .max_length = STRICT_LENGTH,
    .max_host = 253,
    .max_label = 63,
    .schemes = SCHEMES_WEB,
};

/* Converts a list of findings to a set of 64-bit words. BIT: the bit of a finding in word k; WORD:
 * word k; SET_OF: all words. */
#define BIT(k, name)  | (URIVET_F_##name / 64 == (k) ? UINT64_C(1) << URIVET_F_##name % 64 : 0)
#define WORD(LIST, k) 0 LIST(BIT, k)
/* clang-format off */
#define SET_OF(LIST) \
	{{WORD(LIST, 0), WORD(LIST, 1), WORD(LIST, 2), WORD(LIST, 3), \
	  WORD(LIST, 4), WORD(LIST, 5), WORD(LIST, 6), WORD(LIST, 7)}}
/* clang-format on */

/* The findings that `public` raises. LINK_TEXT_MISMATCH occurs only in documents. IPv6 addresses
 * that embed IPv4 (NAT64, 6to4, Teredo) need no finding here: their block and the embedded address
 * are checked. */
#define NOT_PUBLIC(R, k)                                                                           \
	R(k, HOST_LOCALHOST_NAME)                                                                  \
	R(k, HOST_SINGLE_LABEL)                                                                    \
	R(k, HOST_INTERNAL_SUFFIX)                                                                 \
	R(k, HOST_METADATA_NAME)                                                                   \
	R(k, HOST_KNOWN_LOOPBACK_NAME)                                                             \
	R(k, IDN_MIXED_SCRIPT)                                                                     \
	R(k, IDN_WHOLE_SCRIPT_CONFUSABLE)                                                          \
	R(k, IDN_DIGIT_LOOKALIKE)                                                                  \
	R(k, IDN_DANGEROUS_PATTERN)                                                                \
	R(k, LINK_TEXT_MISMATCH)                                                                   \
	R(k, ADDR_NOT_GLOBAL) R(k, ADDR_UNCLASSIFIED) R(k, ADDR_METADATA) R(k, ADDR_THIS_NETWORK)  \
	    R(k, ADDR_PRIVATE) R(k, ADDR_SHARED_CGNAT) R(k, ADDR_LOOPBACK) R(k, ADDR_LINK_LOCAL)   \
		R(k, ADDR_IETF_PROTOCOL) R(k, ADDR_DOCUMENTATION) R(k, ADDR_6TO4_RELAY)            \
		    R(k, ADDR_BENCHMARKING) R(k, ADDR_MULTICAST) R(k, ADDR_RESERVED)               \
			R(k, ADDR_BROADCAST) R(k, ADDR6_UNSPECIFIED) R(k, ADDR6_LOOPBACK)          \
			    R(k, ADDR6_DISCARD) R(k, ADDR6_IETF_PROTOCOL) R(k, ADDR6_BENCHMARKING) \
				R(k, ADDR6_ORCHID) R(k, ADDR6_DOCUMENTATION) R(k, ADDR6_SRV6)      \
				    R(k, ADDR6_UNIQUE_LOCAL) R(k, ADDR6_LINK_LOCAL)                \
					R(k, ADDR6_SITE_LOCAL) R(k, ADDR6_MULTICAST)               \
					    R(k, ADDR6_UNALLOCATED) R(k, NAT64_LOCAL_USE)
const struct urivet_policy urivet_public = {
    .size = sizeof(struct urivet_policy),
    .name = "public",
    .max_length = 8192,
    .max_host = 253,
    .max_label = 63,
    .schemes = SCHEMES_WEB,
    .raised = SET_OF(NOT_PUBLIC),
};

/* Raised: what servers and proxies treat differently in a path, and fragments, which a request
 * cannot have. Waived: what matters only to clients. */

#define GATEWAY_RAISES(R, k)                                                                       \
	R(k, PATH_SEMICOLON)                                                                       \
	R(k, PATH_DOUBLE_SLASH)                                                                    \
	R(k, PATH_BACKSLASH_ESCAPED)                                                               \
	R(k, ENCODED_PATH_REWRITE)                                                                 \
	R(k, ESCAPED_PERCENT) R(k, PATH_DELIMITER_ESCAPED) R(k, FRAGMENT_PRESENT)
#define GATEWAY_WAIVES(R, k)                                                                       \
	R(k, ESCAPE_AFTER_ASTRAL)                                                                  \
	R(k, ESCAPE_MIXED_IRI)                                                                     \
	R(k, IPV6_PATH_DIGIT) R(k, COLON_PORT_IN_TAIL) R(k, ESCAPED_COMPATIBILITY)

const struct urivet_policy urivet_gateway = {
    .size = sizeof(struct urivet_policy),
    .name = "gateway",
    .max_length = 8192,
    .max_host = 253,
    .max_label = 63,
    .schemes = SCHEMES_WEB,
    .waived = SET_OF(GATEWAY_WAIVES),
    .raised = SET_OF(GATEWAY_RAISES),
    .opaque_query = true,
};

static const struct urivet_policy any_policy = {
    .size = sizeof(struct urivet_policy),
    .name = "any",
    .max_length = 8192,
    .max_host = 253,
    .max_label = 63,
    .schemes = SCHEMES_ANY,
};

/* Indexed by enum urivet_base. */
static const struct urivet_policy *const built_in[URIVET_BASES] = {
    [URIVET_STRICT] = &urivet_strict,
    [URIVET_PUBLIC] = &urivet_public,
    [URIVET_ANY] = &any_policy,
    [URIVET_GATEWAY] = &urivet_gateway,
};

const char *urivet_policy_name(unsigned base)
{
	return base < URIVET_BASES ? built_in[base]->name : NULL;
}

int urivet_policy_named(const char *name, size_t length)
{
	for (int k = 0; k < URIVET_BASES; k++)
		if (is_named(built_in[k]->name, name, length))
			return k;
	return -1;
}

/* ---- Validation of policies --------------------------------------------------- */

/* Returns true if the policy's size is known. A larger policy may contain unknown rules, so it is
 * rejected. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool has_known_size(const struct urivet_policy *policy)
{
	return policy->size >= POLICY_LEAST && policy->size <= sizeof *policy;
}

/* Returns true if every list with a count has rules. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool has_its_lists(const struct urivet_policy *policy)
{
	return (policy->hosts.count == 0 || policy->hosts.rule != NULL) &&
	       (policy->addresses.count == 0 || policy->addresses.rule != NULL) &&
	       (policy->port_count == 0 || policy->ports != NULL) &&
	       (policy->nat64_count == 0 || policy->nat64 != NULL) &&
	       (!has_url_rules(policy) || policy->urls != NULL) &&
	       (!has_protected(policy) || policy->protect != NULL) &&
	       (!has_path_rules(policy) || (policy->paths != NULL &&
					    policy->path_count <= URIVET_PATH_RULES_MOST)) &&
	       (!has_parameter_rules(policy) ||
		(policy->parameters != NULL &&
		 policy->parameter_count <= URIVET_PARAMETER_RULES_MOST)) &&
	       (policy->suffix_count == 0 || policy->suffixes != NULL) && !lacks_suffixes(policy);
}

/* Malformed input is never accepted. The exceptions are octets that are common in real URLs: their
 * findings may be waived. The length limit may not. */
#define MAY_BE_WAIVED(name, class_)                                                                \
	((class_) == URIVET_MALFORMED ? URIVET_F_##name == URIVET_F_FORBIDDEN_CHAR ||              \
					    URIVET_F_##name == URIVET_F_NON_ASCII ||               \
					    URIVET_F_##name == URIVET_F_QUERY_NESTED_BRACKETS ||   \
					    URIVET_F_##name == URIVET_F_BAD_ESCAPE                 \
				      : URIVET_F_##name != URIVET_F_URL_TOO_LONG)

/* The set of findings that may be waived. Each word includes the list of findings once. */
#define FINDING(name, number, id, class_, ...)                                                     \
	| (uint64_t)((number) / 64 == THIS_WORD && MAY_BE_WAIVED(name, URIVET_##class_))           \
	      << (number) % 64
static const struct urivet_finding_set waivable_findings = {{
#define THIS_WORD 0
    0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 1
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 2
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 3
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 4
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 5
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 6
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
#define THIS_WORD 7
    , 0
#include <urivet/findings.def>
#undef THIS_WORD
}};
#undef FINDING

/*@ requires id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
static bool waivable(unsigned id)
{
	return (waivable_findings.bits[id / 64] & finding_bit(id)) != 0;
}

/* Returns true if each waived finding may be waived and is not also raised. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static COLD bool waives_soundly(const struct urivet_policy *policy)
{
	const uint64_t *const waived = policy->waived.bits, *const raised = policy->raised.bits;
	if (waives_nothing(policy))
		return true;
	/*@ loop invariant k <= URIVET_FINDING_LIMIT / 64;
	    loop assigns k;
	    loop variant URIVET_FINDING_LIMIT / 64 - k; */
	for (unsigned k = 0; k < URIVET_FINDING_LIMIT / 64; k++)
		if ((waived[k] & (raised[k] | ~waivable_findings.bits[k])) != 0)
			return false;
	return true;
}

/* Returns a hash of the address and length of a list. */
/*@ assigns \nothing; */
static uint64_t seal_of_list(const void *list, uint32_t count)
{
	return stir(stir(1, (uintptr_t)list), count);
}

/* Returns the seal that matches the policy's current lists: a hash of everything that their order
 * and index depend on. Never 0. */
/*@ requires \valid_read(policy);
    assigns \nothing;
    ensures \result != 0; */
static uint64_t seal_of(const struct urivet_policy *policy)
{
	const uint64_t sorted = policy->hosts.sorted + 2u * policy->addresses.sorted;
	const uint64_t hosts = seal_of_list(policy->hosts.rule, policy->hosts.count);
	const uint64_t addresses = seal_of_list(policy->addresses.rule, policy->addresses.count);
	uint64_t sum = stir(stir(hosts, sorted), addresses);
	if (has_url_rules(policy))
		sum = stir(sum, seal_of_list(policy->urls, policy->url_count));
	if (has_index(policy))
		sum = stir(sum, seal_of_list(policy->index, policy->index_count));
	if (has_protected(policy))
		sum = stir(sum, seal_of_list(policy->protect, policy->protect_count));
	if (has_parameter_rules(policy))
		sum = stir(sum, seal_of_list(policy->parameters, policy->parameter_count));
	if (policy->suffix_count > 0)
		sum = stir(sum, seal_of_list(policy->suffixes, policy->suffix_count));
	return sum != 0 ? sum : 1;
}

/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool is_sealed(const struct urivet_policy *policy)
{
	return policy->seal == seal_of(policy);
}

/* Returns true if the lists are in the declared order and the index contains all their rules. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool can_be_looked_up(const struct urivet_policy *policy)
{
	return urivet_lists_in_order(policy) && urivet_index_holds(policy) &&
	       urivet_protected_in_order(policy) && urivet_suffixes_in_order(policy);
}

/* Returns true if the lists are in order, or were verified when the policy was sealed. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool is_in_order(const struct urivet_policy *policy)
{
	if (!policy->hosts.sorted && !policy->addresses.sorted && !has_index(policy) &&
	    !has_protected(policy) && policy->suffix_count == 0)
		return true;
	return is_sealed(policy) || can_be_looked_up(policy);
}

/* Returns true if the policy is valid, apart from the order of its lists and the policies that its
 * rules for parameters name. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool is_well_made(const struct urivet_policy *policy)
{
	return has_known_size(policy) && has_its_lists(policy) && waives_soundly(policy);
}

/* Returns the policy that judges the values of a rule; NULL: none, or one of compiled octets. */
/*@ requires \valid_read(r);
    assigns \nothing;
    ensures \result == \null || \valid_read(\result); */
static const struct urivet_policy *policy_of_values(const struct urivet_parameter_rule *r)
{
	return is_parameter_rule_relative(r) ? NULL : r->policy;
}

/* Returns true if values can be judged by each rule for parameters. The policies of compiled rules
 * were verified when they were opened. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static bool can_judge_values(const struct urivet_policy *policy)
{
	/*@ loop invariant k <= policy->parameter_count;
	    loop assigns k;
	    loop variant policy->parameter_count - k; */
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(policy, k);
		const struct urivet_policy *by = policy_of_values(r);
		if ((r->times != 1 && r->times != 2) ||
		    (by != NULL && (by->parameter_count > 0 || !is_well_made(by) || !is_in_order(by))))
			return false;
	}
	return true;
}

bool urivet_is_sound(const struct urivet_policy *policy)
{
	return is_well_made(policy) && is_in_order(policy) &&
	       (!has_parameter_rules(policy) || is_sealed(policy) || can_judge_values(policy));
}

bool urivet_is_valid(const struct urivet_policy *policy, bool indexed)
{
	return is_simple(policy) ||
	       (is_well_made(policy) && urivet_lists_in_order(policy) &&
		(!indexed || urivet_index_holds(policy)) && urivet_protected_in_order(policy) &&
		urivet_suffixes_in_order(policy) && can_judge_values(policy) &&
		urivet_rules_mean(policy, is_sealed(policy)));
}

/* ---- Creating and modifying ----------------------------------------------------- */

bool urivet_policy_init(struct urivet_policy *policy, size_t size, int base)
{
	if (!urivet_fit(policy, size, POLICY_LEAST, 0)) {
		if (policy != NULL && size > sizeof *policy) /* unknown size: not zeroed yet */
			memset(policy, 0, sizeof *policy);
		return false;
	}
	if (size > sizeof *policy || base < 0 || base >= URIVET_BASES)
		return false;
	memcpy(policy, built_in[base], size);
	policy->size = size;
	return true;
}

/*@ requires policy == \null || \valid(policy);
    assigns policy->waived, policy->raised; */
bool urivet_policy_waive(struct urivet_policy *policy, unsigned id)
{
	if (policy == NULL || !has_known_size(policy) || urivet_finding_info(id) == NULL ||
	    !waivable(id))
		return false;
	include_finding(&policy->waived, id);
	exclude_finding(&policy->raised, id);
	return true;
}

/*@ requires policy == \null || \valid(policy);
    assigns policy->waived, policy->raised; */
bool urivet_policy_raise(struct urivet_policy *policy, unsigned id)
{
	if (policy == NULL || !has_known_size(policy) || urivet_finding_info(id) == NULL)
		return false;
	include_finding(&policy->raised, id);
	exclude_finding(&policy->waived, id);
	return true;
}

/* The names that a policy protects. */
struct protected_list {
	const struct urivet_protected *names;
	uint32_t count;
};

/*@ requires \valid(policy);
    assigns policy->protect, policy->protect_count; */
static void set_protected(struct urivet_policy *policy, struct protected_list list)
{
	policy->protect = list.names;
	policy->protect_count = list.count;
}

/*@ requires policy == \null || \valid(policy);
    assigns policy->protect, policy->protect_count, policy->seal; */
bool urivet_policy_protect(struct urivet_policy *policy, const struct urivet_protected *names,
			   uint32_t count)
{
	const struct protected_list list = {names, count};
	if (policy == NULL || policy->size != sizeof *policy || (count > 0 && names == NULL))
		return false;
	const struct protected_list before = {policy->protect, policy->protect_count};
	const bool sealed = is_sealed(policy);
	set_protected(policy, list);
	if (!urivet_protected_in_order(policy) || !urivet_protected_mean(policy, false)) {
		set_protected(policy, before);
		return false;
	}
	if (sealed)
		policy->seal = seal_of(policy);
	return true;
}

/* Writes an index of the policy's lists to words[0..capacity). Returns false if that is too few. */
/*@ requires \valid(policy) && \valid(words + (0 .. capacity - 1));
    requires \separated(policy, words + (0 .. capacity - 1));
    assigns policy->index, policy->index_count, words[0 .. capacity - 1]; */
static bool write_index(struct urivet_policy *policy, uint64_t *words, size_t capacity)
{
	const uint32_t count = urivet_index_words(policy);
	if (capacity < count)
		return false;
	if (count > 0)
		urivet_index_write(words, count, policy);
	policy->index = count > 0 ? words : NULL;
	policy->index_count = count;
	return true;
}

/*@ requires policy == \null || \valid(policy);
    requires index == \null || \valid(index + (0 .. words - 1));
    requires \separated(policy, index + (0 .. words - 1));
    assigns policy->index, policy->index_count, policy->seal, index[0 .. words - 1]; */
bool urivet_policy_finish(struct urivet_policy *policy, uint64_t *index, size_t words)
{
	if (policy == NULL || !urivet_is_valid(policy, index == NULL))
		return false;
	if (index != NULL && !write_index(policy, index, words))
		return false;
	policy->seal = seal_of(policy);
	return true;
}

bool urivet_seal_compiled(struct urivet_policy *policy, bool is_view)
{
	if (!is_well_made(policy))
		return false;
	if (!is_view && (!can_judge_values(policy) || !urivet_rules_mean(policy, true)))
		return false;
	policy->seal = seal_of(policy);
	return true;
}

struct leniency urivet_leniency(const struct subject *s)
{
	struct leniency l = {0};
	if (is_waived(s, URIVET_F_FORBIDDEN_CHAR))
		l.tail |= FORBIDDEN | LBRACKET | RBRACKET | HASH;
	if (is_waived(s, URIVET_F_NON_ASCII))
		l.tail |= HIGH;
	if (is_waived(s, URIVET_F_QUERY_NESTED_BRACKETS))
		l.query = LBRACKET | RBRACKET;
	if (is_query_opaque(s->policy)) {
		l.query = OPAQUE;
		l.query_percent = true;
	}
	l.lone_percent = is_waived(s, URIVET_F_BAD_ESCAPE);
	return l;
}
