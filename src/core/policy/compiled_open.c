/* SPDX-License-Identifier: Apache-2.0 */
/* Opening compiled policies. The input may be any octets, so everything is verified before use. */
#include <string.h>
#include <urivet/compiled.h>

#include "policy/compiled.h"
#include "policy/lists.h"
#include "policy/parameter_rules.h"
#include "policy/path_rules.h"
#include "policy/protected.h"
#include "policy/suffixes.h"
#include "policy/url_rules.h"
#include "text/sized.h"

/* The compiled policy that is being opened. */
struct compiled {
	const uint8_t *octets;
	size_t length;
	struct compiled_head head;
	struct compiled_places places;
};

/* ---- Head and checksum ------------------------------------------------------------------ */

/* Verifies the head. Works on a copy, since the octets may be any memory. */
static COLD enum urivet_compiled_fault open_head(struct compiled *c)
{
	struct compiled_head usual;
	if ((uintptr_t)c->octets % 8 != 0)
		return URIVET_COMPILED_NOT_ALIGNED;
	if (c->octets == NULL || c->length < sizeof c->head)
		return URIVET_COMPILED_TOO_SHORT;
	urivet_compiled_begin(&usual);
	memcpy(&c->head, c->octets, sizeof c->head);
	if (memcmp(c->head.magic, usual.magic, sizeof usual.magic) != 0)
		return URIVET_COMPILED_MAGIC;
	if (c->head.order != usual.order)
		return URIVET_COMPILED_BYTE_ORDER;
	if (c->head.version != usual.version)
		return URIVET_COMPILED_VERSION;
	if (memcmp(c->head.sizes, usual.sizes, sizeof usual.sizes) != 0)
		return URIVET_COMPILED_LAYOUT;
	if (c->head.length != c->length || c->length > URIVET_MAX_LENGTH)
		return URIVET_COMPILED_LENGTH;
	return URIVET_COMPILED_GOOD;
}

/* Checks that the counts and lengths of the head add up to the total, and that the checksum
 * matches. */
static enum urivet_compiled_fault open_parts(struct compiled *c)
{
	const struct compiled_head *h = &c->head;
	if (h->extra_length > c->length || h->inner_length > c->length ||
	    h->inner_length % 8 != 0)
		return URIVET_COMPILED_CONTENT;
	c->places = urivet_compiled_places(h);
	if (c->places.end != c->length) /* c->length is a multiple of 8 */
		return URIVET_COMPILED_CONTENT;
	if (urivet_compiled_sum(c->octets, c->length) != h->sum)
		return URIVET_COMPILED_CHECKSUM;
	return URIVET_COMPILED_GOOD;
}

/* ---- Texts and padding ---------------------------------------------------------------------- */

/*@ requires from < to ==> \valid_read(octets + (from .. to - 1));
    assigns \nothing; */
static bool is_zero(const uint8_t *octets, uint64_t from, uint64_t to)
{
	/*@ loop invariant from <= k;
	    loop assigns k;
	    loop variant to - k; */
	for (uint64_t k = from; k < to; k++)
		if (octets[k] != 0)
			return false;
	return true;
}

/*@ predicate texts_in(struct compiled *c) =
      \valid_read(c) && c->length <= URIVET_MAX_LENGTH &&
      \valid_read(c->octets + (0 .. c->length - 1)) &&
      c->places.texts + c->head.texts_length <= c->length; */

/* Returns true if *text is the offset of a text of `length` octets with its NUL, and `at` in the
 * row refers to it. Then advances *text to the next one. */
/*@ requires texts_in(c) && \valid(text) && \separated(text, c, c->octets + (0 .. c->length - 1));
    requires row <= *text <= c->places.texts + c->head.texts_length;
    assigns *text;
    ensures \old(*text) <= *text <= c->places.texts + c->head.texts_length; */
static bool take_text(const struct compiled *c, uint64_t row, uint64_t at, uint32_t length,
		      uint64_t *text)
{
	const uint64_t from = *text, end = c->places.texts + c->head.texts_length;
	if (at != (URIVET_RELATIVE_MARK | (from - row)) || length >= end - from ||
	    c->octets[from + length] != 0)
		return false;
	*text = from + length + 1;
	return true;
}

/* Returns true if the policy's name is the first text and contains no NUL. Sets *text to the offset
 * after it. */
/*@ requires texts_in(c) && \valid(text) && \separated(text, c, c->octets + (0 .. c->length - 1));
    assigns *text;
    ensures \result ==> c->places.texts < *text <= c->places.texts + c->head.texts_length; */
static bool take_policy_name(const struct compiled *c, uint64_t *text)
{
	const uint64_t from = c->places.texts, length = c->head.name_length;
	*text = from + length + 1;
	if (length >= c->head.texts_length || c->octets[from + length] != 0)
		return false;
	/*@ loop invariant k <= length;
	    loop assigns k;
	    loop variant length - k; */
	for (uint64_t k = 0; k < length; k++)
		if (c->octets[from + k] == 0)
			return false;
	return true;
}

/* Returns true if the names and values of parameters and the public suffixes follow from *text on,
 * and end the texts. */
static bool has_last_texts(const struct compiled *c, const struct urivet_policy *p, uint64_t text)
{
	const struct urivet_parameter_rule *const rules = p->parameters;
	const struct urivet_host_rule *const suffixes = p->suffixes;
	for (uint32_t k = 0; k < c->head.parameters; k++) {
		const uint64_t row = c->places.parameters + k * sizeof *rules;
		if (rules[k].scope != URIVET_SCOPE_RELATIVE ||
		    !take_text(c, row, rules[k].at, rules[k].length, &text))
			return false;
		if (has_values(&rules[k])
			? !take_text(c, row, rules[k].values_at, rules[k].values_length, &text)
			: rules[k].values_at != 0)
			return false;
	}
	for (uint32_t k = 0; k < c->head.suffixes; k++)
		if ((suffixes[k].scope & URIVET_SCOPE_RELATIVE) == 0 ||
		    !take_text(c, c->places.suffixes + k * sizeof *suffixes, suffixes[k].at,
			       suffixes[k].length, &text))
			return false;
	return text == c->places.texts + c->head.texts_length;
}

/* Returns true if the texts of all rules follow one another in order, with nothing else between. */
static bool has_its_texts(const struct compiled *c, const struct urivet_policy *p)
{
	const struct urivet_host_rule *const hosts = p->hosts.rule;
	const struct urivet_url_rule *const urls = p->urls;
	const struct urivet_protected *const protect = p->protect;
	const struct urivet_path_rule *const paths = p->paths;
	uint64_t text;
	if (!take_policy_name(c, &text))
		return false;
	for (uint32_t k = 0; k < c->head.hosts; k++)
		if ((hosts[k].scope & URIVET_SCOPE_RELATIVE) == 0 ||
		    !take_text(c, c->places.hosts + k * sizeof *hosts, hosts[k].at,
			       hosts[k].length, &text))
			return false;
	for (uint32_t k = 0; k < c->head.urls; k++)
		if ((urls[k].scope & URIVET_SCOPE_RELATIVE) == 0 ||
		    !take_text(c, c->places.urls + k * sizeof *urls, urls[k].at, urls[k].length,
			       &text))
			return false;
	for (uint32_t k = 0; k < c->head.protect; k++)
		if ((protect[k].name.scope & URIVET_SCOPE_RELATIVE) == 0 ||
		    !take_text(c, c->places.protect + k * sizeof *protect, protect[k].name.at,
			       protect[k].name.length, &text))
			return false;
	for (uint32_t k = 0; k < c->head.paths; k++)
		if ((paths[k].scope & URIVET_SCOPE_RELATIVE) == 0 ||
		    !take_text(c, c->places.paths + k * sizeof *paths, paths[k].at,
			       paths[k].length, &text))
			return false;
	return has_last_texts(c, p, text);
}

/* Returns true if the padding of all these rows is zero. */
static bool are_rows_padded(const uint8_t *row, uint32_t count, const struct compiled_row *form)
{
	for (uint32_t k = 0; k < count; k++, row += form->size)
		if (!is_zero(row, form->after_action, form->tag) ||
		    !is_zero(row, form->last, form->next))
			return false;
	return true;
}

/* Returns true if the names in a buffer of the head end with a NUL and only zeros follow. */
/*@ requires texts_in(c) && 0 < size <= URIVET_MAX_LENGTH && from + size <= c->length;
    assigns \nothing; */
static bool are_names_padded(const struct compiled *c, size_t from, size_t size)
{
	size_t length = 0;
	/*@ loop invariant length <= size - 1;
	    loop assigns length;
	    loop variant size - length; */
	while (length < size - 1 && c->octets[from + length] != 0)
		length++;
	return is_zero(c->octets, from + length, from + size);
}

/* Returns true if each flag of the rules for parameters is 0 or 1. */
/*@ requires texts_in(c);
    requires c->places.parameters +
             c->head.parameters * sizeof(struct urivet_parameter_rule) <= c->length;
    assigns \nothing; */
static bool are_flags_flags(const struct compiled *c)
{
	const size_t size = sizeof(struct urivet_parameter_rule);
	const size_t first = offsetof(struct urivet_parameter_rule, judges);
	const size_t last = offsetof(struct urivet_parameter_rule, reserved);
	uint64_t row = c->places.parameters;
	/*@ loop invariant k <= c->head.parameters && row == c->places.parameters + k * size;
	    loop assigns k, row;
	    loop variant c->head.parameters - k; */
	for (uint32_t k = 0; k < c->head.parameters; k++, row += size) {
		/*@ loop invariant first <= at <= last;
		    loop assigns at;
		    loop variant last - at; */
		for (size_t at = first; at < last; at++)
			if (c->octets[row + at] > 1)
				return false;
	}
	return true;
}

/* Returns true if all unused octets are zero, so that each policy has exactly one encoding. */
static bool is_padded_with_zeros(const struct compiled *c)
{
	const uint8_t *const octets = c->octets;
	return are_rows_padded(octets + c->places.hosts, c->head.hosts, &urivet_compiled_host) &&
	       are_rows_padded(octets + c->places.addresses, c->head.addresses,
			       &urivet_compiled_address) &&
	       are_rows_padded(octets + c->places.protect, c->head.protect,
			       &urivet_compiled_protected) &&
	       are_rows_padded(octets + c->places.suffixes, c->head.suffixes,
			       &urivet_compiled_host) &&
	       are_flags_flags(c) &&
	       are_names_padded(c, offsetof(struct compiled_head, scheme_names),
				URIVET_SCHEME_NAMES) &&
	       are_names_padded(c, offsetof(struct compiled_head, forbidden_parameters),
				URIVET_FORBIDDEN_PARAMETERS) &&
	       is_zero(octets, c->places.texts + c->head.texts_length, c->places.inner) &&
	       is_zero(octets, c->places.extra + c->head.extra_length, c->places.end) &&
	       (c->head.flags & ~(uint32_t)(COMPILED_ONLY | COMPILED_OPAQUE | COMPILED_ALSO)) ==
		   0;
}

/* ---- The policy ----------------------------------------------------------------------- */

static void fill_policy(struct urivet_policy *p, const struct compiled_head *h,
			const uint8_t *octets)
{
	const struct compiled_places places = urivet_compiled_places(h);
	p->size = sizeof *p;
	p->name = (const char *)octets + places.texts;
	p->max_length = h->max_length;
	p->max_host = h->max_host;
	p->max_label = h->max_label;
	p->schemes = h->schemes;
	memcpy(p->scheme_names, h->scheme_names, sizeof p->scheme_names);
	memcpy(p->forbidden_parameters, h->forbidden_parameters, sizeof p->forbidden_parameters);
	p->urls_also = (h->flags & COMPILED_ALSO) != 0;
	memcpy(p->waived.bits, h->waived, sizeof h->waived);
	memcpy(p->raised.bits, h->raised, sizeof h->raised);
	p->hosts.rule = (const void *)(octets + places.hosts);
	p->hosts.count = h->hosts;
	p->hosts.sorted = true;
	p->hosts.only = (h->flags & COMPILED_ONLY) != 0;
	p->addresses.rule = (const void *)(octets + places.addresses);
	p->addresses.count = h->addresses;
	p->addresses.sorted = true;
	p->ports = (const void *)(octets + places.ports);
	p->port_count = h->ports;
	p->nat64 = (const void *)(octets + places.nat64);
	p->nat64_count = h->nat64;
	p->opaque_query = (h->flags & COMPILED_OPAQUE) != 0;
	p->urls = (const void *)(octets + places.urls);
	p->url_count = h->urls;
	p->protect = (const void *)(octets + places.protect);
	p->protect_count = h->protect;
	p->paths = (const void *)(octets + places.paths);
	p->path_count = h->paths;
	p->parameters = (const void *)(octets + places.parameters);
	p->parameter_count = h->parameters;
	p->suffixes = (const void *)(octets + places.suffixes);
	p->suffix_count = h->suffixes;
	p->index = NULL;
	p->index_count = 0;
}

/* Returns true if each policy of values begins where the one before it ends, or is that of an
 * earlier rule, and they fill the section. Their heads are read as octets, since nothing of them is
 * verified yet. */
static bool are_policies_placed(const struct compiled *c, const struct urivet_policy *policy)
{
	uint64_t at = c->places.inner, length;
	for (uint32_t k = 0; k < policy->parameter_count; k++) {
		const struct urivet_parameter_rule *const r = parameter_rule_at(policy, k);
		const void *const from = policy_address(r);
		uint32_t earlier = 0;
		if (r->policy_at == 0)
			continue;
		while (policy_address(parameter_rule_at(policy, earlier)) != from)
			earlier++;
		if (earlier < k && from != NULL)
			continue;
		if (from != c->octets + at || c->places.extra - at < sizeof c->head)
			return false;
		memcpy(&length, c->octets + at + offsetof(struct compiled_head, length),
		       sizeof length);
		if (length > c->places.extra - at || length % 8 != 0)
			return false;
		at += length;
	}
	return at == c->places.extra;
}

/* Fills the policy and verifies its contents. The structure of the octets is already verified. */
static bool open_policy(struct urivet_policy *policy, const struct compiled *c)
{
	fill_policy(policy, &c->head, c->octets);
	return has_its_texts(c, policy) && is_padded_with_zeros(c) &&
	       are_policies_placed(c, policy) && urivet_compiled_in_order(policy) &&
	       urivet_protected_in_order(policy) && urivet_suffixes_in_order(policy) &&
	       urivet_seal_compiled(policy, false);
}

/* Opens one policy, without those of values in it. */
static COLD enum urivet_compiled_fault open_one(struct urivet_policy *policy, const uint8_t *octets,
						size_t length)
{
	struct compiled c = {.octets = octets, .length = length};
	enum urivet_compiled_fault fault = open_head(&c);
	if (fault == URIVET_COMPILED_GOOD)
		fault = open_parts(&c);
	if (fault == URIVET_COMPILED_GOOD && !open_policy(policy, &c))
		fault = URIVET_COMPILED_CONTENT;
	return fault;
}

/* Returns the head of a compiled policy whose place and length are verified. */
static const struct compiled_head *head_at(const void *octets)
{
	return octets;
}

/* Opens the policies of values of `policy`, one after the other into the same struct, which is the
 * policy itself. Returns true if they are valid and have no rules for parameters. */
static bool open_inner(struct urivet_policy *policy)
{
	const struct urivet_parameter_rule *const rules = policy->parameters;
	const uint32_t count = policy->parameter_count;
	for (uint32_t k = 0; k < count; k++) {
		const uint8_t *const octets = policy_address(&rules[k]);
		if (octets != NULL && (open_one(policy, octets, (size_t)head_at(octets)->length) !=
					   URIVET_COMPILED_GOOD ||
				       policy->parameter_count > 0))
			return false;
	}
	return true;
}

bool urivet_compiled_view(struct urivet_policy *policy, const uint8_t *octets)
{
	const struct compiled_head *const head = head_at(octets);
	if ((uintptr_t)octets % 8 != 0 || head->order != COMPILED_ORDER ||
	    head->version != COMPILED_VERSION || head->extra_length > URIVET_MAX_LENGTH ||
	    head->inner_length > URIVET_MAX_LENGTH)
		return false;
	fill_policy(policy, head, octets);
	return urivet_seal_compiled(policy, true);
}

enum urivet_compiled_fault urivet_compiled_open(struct urivet_policy *policy, size_t size,
						const void *data, size_t length,
						struct urivet_text *extra)
{
	enum urivet_compiled_fault fault;
	if (extra != NULL)
		*extra = urivet_text_of(NULL, 0);
	if (policy != NULL && size > sizeof *policy)
		memset(policy, 0, sizeof *policy); /* unknown size: not zeroed below */
	if (policy == NULL || !urivet_fit(policy, size, sizeof *policy, 0) ||
	    size != sizeof *policy)
		return URIVET_COMPILED_STRUCTURE;
	fault = open_one(policy, data, length);
	if (fault == URIVET_COMPILED_GOOD &&
	    (!open_inner(policy) || !urivet_compiled_view(policy, data)))
		fault = URIVET_COMPILED_CONTENT;
	if (fault != URIVET_COMPILED_GOOD) {
		memset(policy, 0, sizeof *policy); /* an unusable policy is never applied */
	} else if (extra != NULL) {
		*extra = urivet_text_of((const uint8_t *)data +
					    urivet_compiled_places(head_at(data)).extra,
					(size_t)head_at(data)->extra_length);
	}
	return fault;
}

/*@ assigns \nothing; */
const char *urivet_compiled_fault_text(unsigned fault)
{
	static const char *const texts[URIVET_COMPILED_FAULTS] = {
	    [URIVET_COMPILED_GOOD] = "it is a compiled policy",
	    [URIVET_COMPILED_STRUCTURE] =
		"the program was built with another version of the policy's structure",
	    [URIVET_COMPILED_NOT_ALIGNED] = "it does not begin at a multiple of 8 octets",
	    [URIVET_COMPILED_TOO_SHORT] = "it is too short for a compiled policy",
	    [URIVET_COMPILED_MAGIC] = "it is no compiled policy",
	    [URIVET_COMPILED_BYTE_ORDER] = "it was written on a machine of another byte order",
	    [URIVET_COMPILED_VERSION] = "it was written in another version of the format",
	    [URIVET_COMPILED_LAYOUT] = "it was written by a program that lays structures out otherwise",
	    [URIVET_COMPILED_LENGTH] = "it is truncated, or longer than it says",
	    [URIVET_COMPILED_CHECKSUM] = "its checksum is wrong",
	    [URIVET_COMPILED_CONTENT] = "it contradicts itself, or has a rule that means nothing",
	};
	return fault < URIVET_COMPILED_FAULTS ? texts[fault] : NULL;
}
