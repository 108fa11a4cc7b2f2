/* SPDX-License-Identifier: Apache-2.0 */
/* Opening compiled policies. The input may be any octets, so everything is verified before use. */
#include <string.h>
#include <urivet/compiled.h>

#include "policy/compiled.h"
#include "policy/lists.h"
#include "policy/path_rules.h"
#include "policy/protected.h"
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
	if (c->head.version == (usual.version | COMPILED_LIBRARY))
		return URIVET_COMPILED_LIBRARY;
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
	if (h->extra_length > c->length)
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
	if (at != (RELATIVE_MARK | (from - row)) || length >= end - from ||
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

/* Returns true if the texts of all rules follow one another in order, with nothing else between. */
static bool has_its_texts(const struct compiled *c, const struct urivet_host_rule *hosts,
			  const struct urivet_url_rule *urls,
			  const struct urivet_protected *protect,
			  const struct urivet_path_rule *paths)
{
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
	return text == c->places.texts + c->head.texts_length;
}

/* Returns true if the padding of all these rows is zero. */
static bool are_rows_padded(const uint8_t *row, uint32_t count, const struct compiled_row *form)
{
	for (uint32_t k = 0; k < count; k++, row += form->size)
		if (!is_zero(row, form->after_action, form->tag) ||
		    !is_zero(row, form->after_tag, form->next))
			return false;
	return true;
}

/* Returns true if the names in a buffer of the head end with a NUL and only zeros follow. */
static bool are_names_padded(const struct compiled *c, size_t from, size_t size)
{
	size_t length = 0;
	while (length < size - 1 && c->octets[from + length] != 0)
		length++;
	return is_zero(c->octets, from + length, from + size);
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
	       are_names_padded(c, offsetof(struct compiled_head, scheme_names),
				URIVET_SCHEME_NAMES) &&
	       are_names_padded(c, offsetof(struct compiled_head, forbidden_parameters),
				URIVET_FORBIDDEN_PARAMETERS) &&
	       is_zero(octets, c->places.texts + c->head.texts_length, c->places.extra) &&
	       is_zero(octets, c->places.extra + c->head.extra_length, c->places.end) &&
	       (c->head.flags & ~(uint32_t)(COMPILED_ONLY | COMPILED_OPAQUE | COMPILED_ALSO)) ==
		   0;
}

/* ---- The policy ----------------------------------------------------------------------- */

static void fill_policy(struct urivet_policy *p, const struct compiled *c)
{
	const struct compiled_head *h = &c->head;
	const uint8_t *const octets = c->octets;
	p->size = sizeof *p;
	p->name = (const char *)octets + c->places.texts;
	p->max_length = h->max_length;
	p->max_host = h->max_host;
	p->max_label = h->max_label;
	p->schemes = h->schemes;
	memcpy(p->scheme_names, h->scheme_names, sizeof p->scheme_names);
	memcpy(p->forbidden_parameters, h->forbidden_parameters, sizeof p->forbidden_parameters);
	p->urls_also = (h->flags & COMPILED_ALSO) != 0;
	memcpy(p->waived.bits, h->waived, sizeof h->waived);
	memcpy(p->raised.bits, h->raised, sizeof h->raised);
	p->hosts.rule = (const void *)(octets + c->places.hosts);
	p->hosts.count = h->hosts;
	p->hosts.sorted = true;
	p->hosts.only = (h->flags & COMPILED_ONLY) != 0;
	p->addresses.rule = (const void *)(octets + c->places.addresses);
	p->addresses.count = h->addresses;
	p->addresses.sorted = true;
	p->ports = (const void *)(octets + c->places.ports);
	p->port_count = h->ports;
	p->nat64 = (const void *)(octets + c->places.nat64);
	p->nat64_count = h->nat64;
	p->opaque_query = (h->flags & COMPILED_OPAQUE) != 0;
	p->urls = (const void *)(octets + c->places.urls);
	p->url_count = h->urls;
	p->protect = (const void *)(octets + c->places.protect);
	p->protect_count = h->protect;
	p->paths = (const void *)(octets + c->places.paths);
	p->path_count = h->paths;
}

/* Fills the policy and verifies its contents. The structure of the octets is already verified. */
static bool open_policy(struct urivet_policy *policy, const struct compiled *c)
{
	fill_policy(policy, c);
	if (has_its_texts(c, policy->hosts.rule, policy->urls, policy->protect, policy->paths) &&
	    is_padded_with_zeros(c) && urivet_compiled_in_order(policy) &&
	    urivet_protected_in_order(policy) && urivet_seal_compiled(policy))
		return true;
	memset(policy, 0, sizeof *policy); /* an unusable policy is never applied */
	return false;
}

enum urivet_compiled_fault urivet_compiled_open(struct urivet_policy *policy, size_t size,
						const void *data, size_t length,
						struct urivet_text *extra)
{
	struct compiled c = {.octets = data, .length = length};
	enum urivet_compiled_fault fault;
	if (extra != NULL)
		*extra = urivet_text_of(NULL, 0);
	if (policy != NULL && size > sizeof *policy)
		memset(policy, 0, sizeof *policy); /* unknown size: not zeroed below */
	if (policy == NULL || !urivet_fit(policy, size, POLICY_LEAST, 0) || size != sizeof *policy)
		return URIVET_COMPILED_STRUCTURE;
	fault = open_head(&c);
	if (fault == URIVET_COMPILED_GOOD)
		fault = open_parts(&c);
	if (fault == URIVET_COMPILED_GOOD && !open_policy(policy, &c))
		fault = URIVET_COMPILED_CONTENT;
	if (fault == URIVET_COMPILED_GOOD && extra != NULL)
		*extra = urivet_text_of(c.octets + c.places.extra, (size_t)c.head.extra_length);
	return fault;
}

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
	    [URIVET_COMPILED_LIBRARY] = "only the command, gateways and Python judge its parameters",
	};
	return fault < URIVET_COMPILED_FAULTS ? texts[fault] : NULL;
}
