/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled policies: the code shared by writing and opening, and writing. */
#include "policy/compiled.h"

#include <string.h>
#include <urivet/compiled.h>

#include "policy/lists.h"
#include "policy/parameter_rules.h"
#include "policy/path_rules.h"
#include "policy/protected.h"
#include "policy/suffixes.h"
#include "policy/url_rules.h"
#include "text/names.h"

/* ---- The format --------------------------------------------------------------------- */

/* Returns `at` rounded up to a multiple of 8. */
/*@ requires at <= 0x7fffffffffffffff;
    assigns \nothing;
    ensures at <= \result <= at + 7; */
static uint64_t up_to_8(uint64_t at)
{
	return at + (8 - at % 8) % 8;
}

#define ROW_FORM(row, last)                                                                        \
	{                                                                                          \
		offsetof(struct row, action) + 1, offsetof(struct row, tag), last,                 \
		    sizeof(struct row), sizeof(struct row)                                         \
	}

const struct compiled_row urivet_compiled_host =
    ROW_FORM(urivet_host_rule, offsetof(struct urivet_host_rule, above) + 1);
const struct compiled_row urivet_compiled_address =
    ROW_FORM(urivet_address_rule, offsetof(struct urivet_address_rule, tag) + sizeof(uint32_t));

/* A protected name begins with a host rule. */
const struct compiled_row urivet_compiled_protected = {
    offsetof(struct urivet_host_rule, action) + 1, offsetof(struct urivet_host_rule, tag),
    offsetof(struct urivet_host_rule, above) + 1,
    offsetof(struct urivet_protected, look), sizeof(struct urivet_protected)};

struct compiled_places urivet_compiled_places(const struct compiled_head *head)
{
	struct compiled_places p;
	p.hosts = sizeof *head;
	p.addresses = p.hosts + (uint64_t)head->hosts * sizeof(struct urivet_host_rule);
	p.urls = p.addresses + (uint64_t)head->addresses * sizeof(struct urivet_address_rule);
	p.protect = p.urls + (uint64_t)head->urls * sizeof(struct urivet_url_rule);
	p.paths = p.protect + (uint64_t)head->protect * sizeof(struct urivet_protected);
	p.parameters = p.paths + (uint64_t)head->paths * sizeof(struct urivet_path_rule);
	p.suffixes =
	    p.parameters + (uint64_t)head->parameters * sizeof(struct urivet_parameter_rule);
	p.ports = p.suffixes + (uint64_t)head->suffixes * sizeof(struct urivet_host_rule);
	p.nat64 = p.ports + (uint64_t)head->ports * sizeof(struct urivet_port_rule);
	p.texts = p.nat64 + (uint64_t)head->nat64 * sizeof(struct urivet_network);
	p.inner = up_to_8(p.texts + head->texts_length);
	p.extra = p.inner + up_to_8(head->inner_length);
	p.end = up_to_8(p.extra + head->extra_length);
	return p;
}

/* There is no place for their sizes in the head; they have no padding anywhere. */
_Static_assert(sizeof(struct urivet_path_rule) == 96, "a path rule has 96 octets");
_Static_assert(sizeof(struct urivet_parameter_rule) == 112, "a rule for parameters has 112 octets");

void urivet_compiled_begin(struct compiled_head *head)
{
	static const uint8_t magic[8] = {0x89, 'u', 'r', 'i', 'v', 'e', 't', '\n'};
	memset(head, 0, sizeof *head);
	memcpy(head->magic, magic, sizeof magic);
	head->order = COMPILED_ORDER;
	head->version = COMPILED_VERSION;
	head->sizes[0] = sizeof *head / 8; /* in units of 8 octets; the other sizes are in octets */
	head->sizes[1] = sizeof(struct urivet_host_rule);
	head->sizes[2] = sizeof(struct urivet_address_rule);
	head->sizes[3] = sizeof(struct urivet_url_rule);
	head->sizes[4] = sizeof(struct urivet_port_rule);
	head->sizes[5] = sizeof(struct urivet_network);
	head->sizes[6] = offsetof(struct urivet_host_rule, tag);
	head->sizes[7] = sizeof(struct urivet_protected);
}

uint64_t urivet_compiled_sum(const uint8_t *octets, size_t length)
{
	uint64_t sum = length;
	for (size_t at = 0; at + 8 <= length; at += 8) {
		uint64_t word = 0;
		if (at != offsetof(struct compiled_head, sum))
			memcpy(&word, octets + at, sizeof word);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

/* ---- The head --------------------------------------------------------------------------- */

/* Returns the length of the policy's name, 0 if it has none. */
static size_t name_length_of(const struct urivet_policy *policy)
{
	return policy->name != NULL ? length_of(policy->name) : 0;
}

/* Returns the octets of all texts except the policy's name, each with its NUL. `paths`: the
 * number of rules for paths. */
/*@ requires \valid_read(policy);
    requires paths <= policy->path_count && paths <= URIVET_PATH_RULES_MOST;
    assigns \nothing; */
static uint64_t texts_length_of(const struct urivet_policy *policy, uint32_t paths)
{
	uint64_t length = 0;
	const uint32_t urls = has_url_rules(policy) ? policy->url_count : 0;
	const uint32_t protects = has_protected(policy) ? policy->protect_count : 0;
	/*@ loop invariant k <= policy->hosts.count;
	    loop invariant length <= k * (URIVET_MAX_LENGTH + 1);
	    loop assigns k, length;
	    loop variant policy->hosts.count - k; */
	for (uint32_t k = 0; k < policy->hosts.count; k++)
		length += host_rule_text(host_rule(&policy->hosts, k)).end + (uint64_t)1;
	/*@ loop invariant k <= urls;
	    loop invariant length <= (URIVET_MAX_LENGTH + 1) * (policy->hosts.count + k);
	    loop assigns k, length;
	    loop variant urls - k; */
	for (uint32_t k = 0; k < urls; k++)
		length += url_rule_text(url_rule_at(policy, k)).end + (uint64_t)1;
	/*@ loop invariant k <= protects;
	    loop invariant length <= (URIVET_MAX_LENGTH + 1) * (policy->hosts.count + urls + k);
	    loop assigns k, length;
	    loop variant protects - k; */
	for (uint32_t k = 0; k < protects; k++)
		length += host_rule_text(&protected_name(policy, k)->name).end + (uint64_t)1;
	/*@ loop invariant k <= paths;
	    loop invariant
	      length <= (URIVET_MAX_LENGTH + 1) * (policy->hosts.count + urls + protects + k);
	    loop assigns k, length;
	    loop variant paths - k; */
	for (uint32_t k = 0; k < paths; k++)
		length += path_rule_text(path_rule_at(policy, k)).end + (uint64_t)1;
	return length;
}

/* Returns the octets of names and values of parameters and of the public suffixes, each with its
 * NUL. */
/*@ requires \valid_read(policy) && policy->parameter_count <= URIVET_PARAMETER_RULES_MOST;
    assigns \nothing; */
static uint64_t last_texts_length_of(const struct urivet_policy *policy)
{
	uint64_t length = 0;
	/*@ loop invariant k <= policy->parameter_count;
	    loop invariant length <= 2 * k * (URIVET_MAX_LENGTH + 1);
	    loop assigns k, length;
	    loop variant policy->parameter_count - k; */
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *r = parameter_rule_at(policy, k);
		length += parameter_name(r).end + (uint64_t)1;
		length += has_values(r) ? parameter_values(r).end + (uint64_t)1 : 0;
	}
	/*@ loop invariant k <= policy->suffix_count;
	    loop invariant length <= (URIVET_MAX_LENGTH + 1) * (2 * policy->parameter_count + k);
	    loop assigns k, length;
	    loop variant policy->suffix_count - k; */
	for (uint32_t k = 0; k < policy->suffix_count; k++)
		length += host_rule_text(suffix_at(policy, k)).end + (uint64_t)1;
	return length;
}

/* Fills the head except its length and checksum. Returns false if texts and `extra` are too
 * long. */
static bool head_of(struct compiled_head *head, const struct urivet_policy *policy,
		    struct urivet_text extra)
{
	const size_t name = name_length_of(policy);
	const size_t more = extra.data != NULL ? extra.length : 0;
	const uint32_t paths = has_path_rules(policy) ? policy->path_count : 0;
	const uint64_t texts =
	    texts_length_of(policy, paths) + last_texts_length_of(policy) + name + 1;
	if (more > URIVET_MAX_LENGTH || texts > URIVET_MAX_LENGTH - more)
		return false;
	urivet_compiled_begin(head);
	head->max_length = policy->max_length;
	head->max_host = policy->max_host;
	head->max_label = policy->max_label;
	head->schemes = policy->schemes;
	memcpy(head->scheme_names, policy->scheme_names, sizeof head->scheme_names);
	memcpy(head->forbidden_parameters, policy->forbidden_parameters,
	       sizeof head->forbidden_parameters);
	memcpy(head->waived, policy->waived.bits, sizeof head->waived);
	memcpy(head->raised, policy->raised.bits, sizeof head->raised);
	head->hosts = policy->hosts.count;
	head->addresses = policy->addresses.count;
	head->urls = has_url_rules(policy) ? policy->url_count : 0;
	head->protect = has_protected(policy) ? policy->protect_count : 0;
	head->paths = paths;
	head->parameters = policy->parameter_count;
	head->suffixes = policy->suffix_count;
	head->ports = policy->port_count;
	head->nat64 = policy->nat64_count;
	head->flags = (policy->hosts.only ? COMPILED_ONLY : 0u) |
		      (is_query_opaque(policy) ? COMPILED_OPAQUE : 0u) |
		      (adds_urls(policy) ? COMPILED_ALSO : 0u);
	head->name_length = (uint32_t)name;
	head->texts_length = (uint32_t)texts;
	head->extra_length = more;
	return true;
}

/* ---- Sorting ------------------------------------------------------------------------------ */

/* A row of either sorted list. Both have the same size. Rows are sorted in place by heap sort: no
 * allocation, no recursion, and at most O(count * log count) steps. */
union sorted_row {
	struct urivet_host_rule host;
	struct urivet_address_rule address;
};

/* Returns true if spelling `a` sorts after spelling `b`. The two names differ at most in letter
 * case and a final dot. */
/*@ requires readable(a) && readable(b);
    assigns \nothing; */
static bool spelling_comes_after(struct text a, struct text b)
{
	uint32_t k = 0;
	/*@ loop invariant k <= a.end;
	    loop assigns k;
	    loop variant a.end - k; */
	while (k < a.end && octet(a, k) == octet(b, k))
		k++;
	return k < a.end && (k >= b.end || octet(a, k) > octet(b, k));
}

/* Refines the order of the list for rules about the same name, so that the output does not depend
 * on the original order of the rules. */
/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static bool host_comes_after(const struct urivet_host_rule *a, const struct urivet_host_rule *b)
{
	const int order = urivet_order_hosts(a, b);
	if (order != 0)
		return order > 0;
	if (a->scope != b->scope)
		return a->scope > b->scope;
	if (a->action != b->action)
		return a->action > b->action;
	if (a->above != b->above)
		return a->above > b->above;
	if (a->tag != b->tag)
		return a->tag > b->tag;
	return spelling_comes_after(host_rule_text(a), host_rule_text(b));
}

/* Refines the order of addresses in the same way. */
/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static bool address_comes_after(const struct urivet_address_rule *a,
				const struct urivet_address_rule *b)
{
	const int order = urivet_order_addresses(a, b);
	if (order != 0)
		return order > 0;
	return a->action != b->action ? a->action > b->action : a->tag > b->tag;
}

bool urivet_compiled_in_order(const struct urivet_policy *policy)
{
	const struct urivet_host_list *const hosts = &policy->hosts;
	const struct urivet_address_list *const addresses = &policy->addresses;
	/*@ loop invariant 1 <= k;
	    loop assigns k;
	    loop variant hosts->count - k; */
	for (uint32_t k = 1; k < hosts->count; k++)
		if (host_comes_after(host_rule(hosts, k - 1), host_rule(hosts, k)))
			return false;
	/*@ loop invariant 1 <= k;
	    loop assigns k;
	    loop variant addresses->count - k; */
	for (uint32_t k = 1; k < addresses->count; k++)
		if (address_comes_after(address_rule(addresses, k - 1), address_rule(addresses, k)))
			return false;
	return true;
}

static bool comes_after(const union sorted_row *a, const union sorted_row *b, bool hosts)
{
	return hosts ? host_comes_after(&a->host, &b->host)
		     : address_comes_after(&a->address, &b->address);
}

static void swap_rows(union sorted_row *a, union sorted_row *b)
{
	const union sorted_row row = *a;
	*a = *b;
	*b = row;
}

/* Sifts the row at `at` down until no child sorts after it. */
static void sink(union sorted_row *sorted, size_t at, size_t count, bool hosts)
{
	while (2 * at + 1 < count) {
		size_t below = 2 * at + 1;
		if (below + 1 < count && comes_after(&sorted[below + 1], &sorted[below], hosts))
			below++;
		if (!comes_after(&sorted[below], &sorted[at], hosts))
			return;
		swap_rows(&sorted[at], &sorted[below]);
		at = below;
	}
}

static void sort_rows(union sorted_row *sorted, size_t count, bool hosts)
{
	for (size_t k = count / 2; k > 0; k--)
		sink(sorted, k - 1, count, hosts);
	for (size_t k = count; k > 1; k--) {
		swap_rows(&sorted[0], &sorted[k - 1]);
		sink(sorted, 0, k - 1, hosts);
	}
}

/* ---- Writing ------------------------------------------------------------------------------ */

/* Copies the host rules in sorted order. Each still has a pointer to its name. */
static void put_hosts(uint8_t *at, const struct urivet_policy *policy)
{
	struct urivet_host_rule *const sorted = (struct urivet_host_rule *)(void *)at;
	bool in_order = true;
	for (uint32_t k = 0; k < policy->hosts.count; k++) {
		const struct urivet_host_rule *rule = host_rule(&policy->hosts, k);
		const struct text name = host_rule_text(rule);
		sorted[k].at = 0;
		sorted[k].name = (const char *)name.data;
		sorted[k].length = name.end;
		sorted[k].scope = (uint8_t)(rule->scope & ~URIVET_SCOPE_RELATIVE);
		sorted[k].action = rule->action;
		sorted[k].above = rule->above;
		sorted[k].tag = rule->tag;
		in_order = in_order && (k == 0 || !host_comes_after(&sorted[k - 1], &sorted[k]));
	}
	if (!in_order)
		sort_rows((union sorted_row *)(void *)at, policy->hosts.count, true);
}

static void put_addresses(uint8_t *at, const struct urivet_policy *policy)
{
	struct urivet_address_rule *const sorted = (struct urivet_address_rule *)(void *)at;
	bool in_order = true;
	for (uint32_t k = 0; k < policy->addresses.count; k++) {
		const struct urivet_address_rule *rule = address_rule(&policy->addresses, k);
		sorted[k].network = rule->network;
		sorted[k].action = rule->action;
		sorted[k].tag = rule->tag;
		in_order = in_order && (k == 0 || !address_comes_after(&sorted[k - 1], &sorted[k]));
	}
	if (!in_order)
		sort_rows((union sorted_row *)(void *)at, policy->addresses.count, false);
}

/* Copies the protected names, which the policy has in sorted order. */
static void put_protected(uint8_t *at, const struct urivet_policy *policy, uint32_t count)
{
	struct urivet_protected *const names = (struct urivet_protected *)(void *)at;
	for (uint32_t k = 0; k < count; k++) {
		const struct urivet_protected *const p = protected_name(policy, k);
		const struct text name = host_rule_text(&p->name);
		names[k].name = p->name;
		names[k].name.at = 0;
		names[k].name.name = (const char *)name.data;
		names[k].name.length = name.end;
		names[k].name.scope = (uint8_t)(p->name.scope & ~URIVET_SCOPE_RELATIVE);
		names[k].look = p->look;
		names[k].letters = p->letters;
	}
}

/* Zeroes the padding of the rows, since a compiler may leave any values there. */
static void clear_padding(uint8_t *row, uint32_t count, const struct compiled_row *form)
{
	for (uint32_t k = 0; k < count; k++, row += form->size) {
		memset(row + form->after_action, 0, form->tag - form->after_action);
		memset(row + form->last, 0, form->next - form->last);
	}
}

/* Copies a text to offset `text` and stores its distance from the row in *at. Returns the offset of
 * the next text. */
static uint64_t put_text(uint8_t *out, uint64_t text, uint64_t row, const void *octets,
			 uint32_t length, uint64_t *at)
{
	memcpy(out + text, octets, length);
	*at = URIVET_RELATIVE_MARK | (text - row);
	return text + length + 1;
}

/* Copies all texts: of the policy's name, host rules, URL rules, protected names and path rules.
 * Copies the URL rules and path rules too. */
static void put_texts(uint8_t *out, const struct compiled_head *head,
		      const struct compiled_places *places, const struct urivet_policy *policy)
{
	struct urivet_host_rule *const hosts = (void *)(out + places->hosts);
	struct urivet_url_rule *const urls = (void *)(out + places->urls);
	struct urivet_protected *const protect = (void *)(out + places->protect);
	struct urivet_path_rule *const paths = (void *)(out + places->paths);
	uint64_t text = places->texts + head->name_length + 1;
	if (head->name_length > 0)
		memcpy(out + places->texts, policy->name, head->name_length);
	for (uint32_t k = 0; k < head->hosts; k++) {
		text = put_text(out, text, places->hosts + k * sizeof *hosts, hosts[k].name,
				hosts[k].length, &hosts[k].at);
		hosts[k].scope |= URIVET_SCOPE_RELATIVE;
	}
	for (uint32_t k = 0; k < head->urls; k++) {
		const struct text t = url_rule_text(url_rule_at(policy, k));
		urls[k] = *url_rule_at(policy, k);
		text = put_text(out, text, places->urls + k * sizeof *urls, t.data, t.end,
				&urls[k].at);
		urls[k].scope |= URIVET_SCOPE_RELATIVE;
	}
	for (uint32_t k = 0; k < head->protect; k++) {
		struct urivet_host_rule *const name = &protect[k].name;
		text = put_text(out, text, places->protect + k * sizeof *protect, name->name,
				name->length, &name->at);
		name->scope |= URIVET_SCOPE_RELATIVE;
	}
	for (uint32_t k = 0; k < head->paths; k++) {
		const struct text t = path_rule_text(path_rule_at(policy, k));
		paths[k] = *path_rule_at(policy, k);
		text = put_text(out, text, places->paths + k * sizeof *paths, t.data, t.end,
				&paths[k].at);
		paths[k].scope |= URIVET_SCOPE_RELATIVE;
	}
}

/* Copies the names and values of parameters and the public suffixes, with their rows. */
static void put_last_texts(uint8_t *out, const struct compiled_head *head,
			   const struct compiled_places *places, const struct urivet_policy *policy)
{
	struct urivet_parameter_rule *const rules = (void *)(out + places->parameters);
	struct urivet_host_rule *const suffixes = (void *)(out + places->suffixes);
	uint64_t text =
	    places->texts + head->texts_length - last_texts_length_of(policy);
	for (uint32_t k = 0; k < head->parameters; k++) {
		const struct urivet_parameter_rule *const r = parameter_rule_at(policy, k);
		const struct text t = parameter_name(r), values = parameter_values(r);
		const uint64_t row = places->parameters + k * sizeof *rules;
		rules[k] = *r;
		rules[k].values_at = 0;
		text = put_text(out, text, row, t.data, t.end, &rules[k].at);
		if (has_values(r))
			text = put_text(out, text, row, values.data, values.end, &rules[k].values_at);
		rules[k].scope |= URIVET_SCOPE_RELATIVE;
	}
	for (uint32_t k = 0; k < head->suffixes; k++) {
		const struct text t = host_rule_text(suffix_at(policy, k));
		suffixes[k] = *suffix_at(policy, k);
		suffixes[k].length = t.end;
		text = put_text(out, text, places->suffixes + k * sizeof *suffixes, t.data, t.end,
				&suffixes[k].at);
		suffixes[k].scope |= URIVET_SCOPE_RELATIVE;
	}
}

/* Writes everything but the policies of values and the head. */
static void put_rows(uint8_t *out, const struct compiled_head *head,
		     const struct compiled_places *places, const struct urivet_policy *policy)
{
	memset(out, 0, (size_t)places->end);
	put_hosts(out + places->hosts, policy);
	put_addresses(out + places->addresses, policy);
	put_protected(out + places->protect, policy, head->protect);
	if (head->ports > 0)
		memcpy(out + places->ports, policy->ports, head->ports * sizeof *policy->ports);
	if (head->nat64 > 0)
		memcpy(out + places->nat64, policy->nat64, head->nat64 * sizeof *policy->nat64);
	put_texts(out, head, places, policy);
	put_last_texts(out, head, places, policy);
	clear_padding(out + places->hosts, head->hosts, &urivet_compiled_host);
	clear_padding(out + places->addresses, head->addresses, &urivet_compiled_address);
	clear_padding(out + places->protect, head->protect, &urivet_compiled_protected);
	clear_padding(out + places->suffixes, head->suffixes, &urivet_compiled_host);
}

static void put_head(uint8_t *out, struct compiled_head *head, const struct compiled_places *places)
{
	head->length = places->end;
	memcpy(out, head, sizeof *head);
	head->sum = urivet_compiled_sum(out, (size_t)places->end);
	memcpy(out, head, sizeof *head);
}

/* ---- Policies of values ----------------------------------------------------------------- */

/* Returns true if an earlier rule names the policy of rule `k`, or it names none. Then *earlier is
 * that rule, or `k`. */
static bool is_policy_written(const struct urivet_policy *policy, uint32_t k, uint32_t *earlier)
{
	const void *from = policy_address(parameter_rule_at(policy, k));
	*earlier = 0;
	while (*earlier < k && policy_address(parameter_rule_at(policy, *earlier)) != from)
		++*earlier;
	return from == NULL || *earlier < k;
}

/* Writes the policy that judges the values of a rule, unless out is NULL. Returns the number of
 * octets, 0 for a policy that is not valid. A compiled one is copied. *head is memory for its
 * head. */
static COLD uint64_t put_policy(uint8_t *out, struct compiled_head *head,
				const struct urivet_parameter_rule *r)
{
	struct compiled_places places;
	if (is_parameter_rule_relative(r)) {
		memcpy(head, policy_address(r), sizeof *head);
		if (out != NULL)
			memcpy(out, policy_address(r), (size_t)head->length);
		return head->length;
	}
	if (!urivet_is_valid(r->policy, true) || !head_of(head, r->policy, urivet_text_of(NULL, 0)))
		return 0;
	places = urivet_compiled_places(head);
	if (out != NULL) {
		put_rows(out, head, &places, r->policy);
		put_head(out, head, &places);
	}
	return places.end;
}

/* Returns the length of all policies of values; above URIVET_MAX_LENGTH if one is not valid. *head
 * is memory for their heads. */
static uint64_t length_of_policies(struct compiled_head *head, const struct urivet_policy *policy)
{
	uint64_t all = 0;
	uint32_t earlier;
	for (uint32_t k = 0; k < policy->parameter_count && all <= URIVET_MAX_LENGTH; k++) {
		uint64_t length;
		if (is_policy_written(policy, k, &earlier))
			continue;
		length = put_policy(NULL, head, parameter_rule_at(policy, k));
		all += length > 0 ? length : (uint64_t)URIVET_MAX_LENGTH + 1;
	}
	return all;
}

/* Writes the policies of values, and where each rule finds its own. */
static void put_policies(uint8_t *out, struct compiled_head *head,
			 const struct compiled_places *places, const struct urivet_policy *policy)
{
	struct urivet_parameter_rule *const rules = (void *)(out + places->parameters);
	uint64_t at = places->inner;
	uint32_t earlier;
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const uint64_t row = places->parameters + k * sizeof *rules;
		rules[k].policy_at = 0;
		if (!is_policy_written(policy, k, &earlier)) {
			rules[k].policy_at = URIVET_RELATIVE_MARK | (at - row);
			at += put_policy(out + at, head, parameter_rule_at(policy, k));
		} else if (earlier < k && rules[earlier].policy_at != 0) {
			rules[k].policy_at =
			    rules[earlier].policy_at - (k - earlier) * sizeof *rules;
		}
	}
}

size_t urivet_compiled_write(void *out, size_t capacity, const struct urivet_policy *policy,
			     struct urivet_text extra)
{
	struct compiled_head head;
	struct compiled_places places;
	uint64_t inner;
	if (policy == NULL)
		policy = &urivet_strict;
	if (!urivet_is_valid(policy, true))
		return 0;
	inner = length_of_policies(&head, policy);
	if (inner > URIVET_MAX_LENGTH || !head_of(&head, policy, extra))
		return 0;
	head.inner_length = inner;
	places = urivet_compiled_places(&head);
	if (places.end > URIVET_MAX_LENGTH)
		return 0;
	if (out == NULL || capacity < places.end)
		return (size_t)places.end;
	if ((uintptr_t)out % 8 != 0)
		return 0;
	put_rows(out, &head, &places, policy);
	put_policies(out, &head, &places, policy);
	(void)head_of(&head, policy, extra); /* again, as it was memory for other heads */
	head.inner_length = inner;
	if (head.extra_length > 0)
		memcpy((uint8_t *)out + places.extra, extra.data, (size_t)head.extra_length);
	put_head(out, &head, &places);
	return (size_t)places.end;
}
