/* SPDX-License-Identifier: Apache-2.0 */
/* Reads compiled policies. */
#include "policyfile/compiled.h"
#include "common/finding_set.h"
#include "policyfile/compiled_format.h"
#include "policyfile/reader.h"

#include <stddef.h>
#include <stdlib.h>
#include <urivet/compiled.h>
#include <urivet/rules.h>

/* The unread octets of `extra`. */
struct rest {
	const uint8_t *at;
	const uint8_t *end;
};

static uint32_t take_number(struct rest *rest)
{
	uint32_t number = 0;

	for (unsigned shift = 0; shift < 32; shift += 8)
		number |= (uint32_t)*rest->at++ << shift;
	return number;
}

/* Reads the header. Returns false if it is unknown, or does not match the length exactly. */
static bool take_head(struct rest *rest, struct head *head)
{
	uint64_t places;

	if ((size_t)(rest->end - rest->at) < HEAD_OCTETS)
		return false;
	head->version = take_number(rest);
	head->base = take_number(rest);
	head->flags = take_number(rest);
	head->places = take_number(rest);
	head->nat64s = take_number(rest);
	head->files = take_number(rest);
	head->strings = take_number(rest);
	places = LISTS + (uint64_t)head->places + head->nat64s;
	return head->version == EXTRA_VERSION && head->base < URIVET_BASES &&
	       head->flags <= FLAG_OBSERVES &&
	       places * PLACE_OCTETS + head->strings == (uint64_t)(rest->end - rest->at);
}

static bool take_place(struct rest *rest, struct place *place, uint32_t files)
{
	place->file = take_number(rest);
	place->shared = (place->file & PLACE_SHARED) != 0;
	place->file &= ~PLACE_SHARED;
	place->line = take_number(rest);
	place->column = take_number(rest);
	return place->line == 0 || place->file < files;
}

static bool take_places(struct rest *rest, struct place *places, uint32_t count, uint32_t files)
{
	for (uint32_t i = 0; i < count; i++)
		if (!take_place(rest, &places[i], files))
			return false;
	return true;
}

/* Returns the next string, without copying it; NULL if it has no NUL. */
static const char *take_string(struct rest *rest)
{
	const char *string = (const char *)rest->at;
	const uint8_t *end = memchr(rest->at, 0, (size_t)(rest->end - rest->at));

	if (end == NULL)
		return NULL;
	rest->at = end + 1;
	return string;
}

static bool take_strings(struct rest *rest, const char **strings, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		strings[i] = take_string(rest);
		if (strings[i] == NULL)
			return false;
	}
	return true;
}

/* Leaves tags_are_places() if the tag of a rule is no place. */
#define CHECK_TAGS(rules, count, tag)                                                              \
	for (uint32_t i = 0; i < (count); i++)                                                     \
		if ((rules)[i].tag >= places)                                                      \
	return false

/* Returns true if the tag of every rule is below `places`. */
static bool tags_are_places(const struct urivet_policy *policy, uint32_t places)
{
	CHECK_TAGS(policy->hosts.rule, policy->hosts.count, tag);
	CHECK_TAGS(policy->addresses.rule, policy->addresses.count, tag);
	CHECK_TAGS(policy->ports, policy->port_count, tag);
	CHECK_TAGS(policy->urls, policy->url_count, tag);
	CHECK_TAGS(policy->protect, policy->protect_count, name.tag);
	CHECK_TAGS(policy->paths, policy->path_count, tag);
	CHECK_TAGS(policy->parameters, policy->parameter_count, tag);
	return true;
}

/* ---- Policies of values ----------------------------------------------------------------- */

/* Opens the policy that judges values by a rule. Returns NULL if memory is short. */
static struct urivet_loaded *value_policy(const struct urivet_parameter_rule *rule, uint32_t base)
{
	struct urivet_loaded *by = urivet_load_built_in((int)base);
	const char *octets = (const char *)rule + (uint32_t)rule->policy_at;
	uint64_t length;

	if (by == NULL || rule->policy_at == 0)
		return by;
	memcpy(&length, octets + LENGTH_AT, sizeof length);
	(void)urivet_compiled_open(&by->policy, sizeof by->policy, octets, (size_t)length, NULL);
	if (urivet_loader_show_protected(by))
		return by;
	urivet_loaded_release(by);
	return NULL;
}

/* Reads the names of policies of values. Returns false if they are missing, or memory is short. */
static bool take_values(struct urivet_loaded *loaded, struct rest *rest)
{
	const struct urivet_policy *policy = &loaded->policy;

	loaded->value = calloc(policy->parameter_count + (size_t)1, sizeof *loaded->value);
	if (loaded->value == NULL)
		return false;
	loaded->parameters = policy->parameter_count;
	for (uint32_t i = 0; i < policy->parameter_count; i++) {
		struct value_policy *value = &loaded->value[i];
		uint32_t base;

		if (!policy->parameters[i].judges)
			continue;
		if (rest->end - rest->at < 4)
			return false;
		base = take_number(rest);
		value->name = take_string(rest);
		if (value->name == NULL || !urivet_loader_is_text(value->name) ||
		    base >= URIVET_BASES)
			return false;
		value->by = value_policy(&policy->parameters[i], base);
		if (value->by == NULL)
			return false;
	}
	return true;
}

/* Reads the places and names after the header. Strings point into loaded->compiled. Returns NULL,
 * or an error message. */
static const char *read_rest(struct urivet_loaded *loaded, struct rest *rest,
			     const struct head *head)
{
	static const char *const broken = "the places and names in it contradict themselves";

	/* each count is below the length of the blob, so memory is at most a few times that */
	loaded->place = calloc(head->places + (size_t)1, sizeof *loaded->place);
	loaded->nat64_place = calloc(head->nat64s + (size_t)1, sizeof *loaded->nat64_place);
	loaded->file = calloc(head->files + (size_t)1, sizeof *loaded->file);
	if (loaded->place == NULL || loaded->nat64_place == NULL || loaded->file == NULL ||
	    !urivet_loader_show_protected(loaded))
		return "out of memory";
	if (!take_place(rest, &loaded->only, head->files) ||
	    !take_place(rest, &loaded->only_urls, head->files) ||
	    !take_places(rest, loaded->place, head->places, head->files) ||
	    !take_places(rest, loaded->nat64_place, head->nat64s, head->files))
		return broken;
	if (!take_strings(rest, loaded->file, head->files) || !take_values(loaded, rest) ||
	    rest->at != rest->end)
		return broken;
	loaded->places = head->places;
	loaded->files = head->files;
	loaded->base = (int)head->base;
	loaded->observes = (head->flags & FLAG_OBSERVES) != 0;
	return NULL;
}

static const char *read_extra(struct urivet_loaded *loaded, struct urivet_text extra)
{
	struct rest rest = {extra.data, (const uint8_t *)extra.data + extra.length};
	struct head head;

	if (extra.length == 0)
		return "it was not compiled by urivet policy compile: it has no places and names";
	if (!take_head(&rest, &head))
		return "it was compiled by another version of liburivet-policy, or is damaged";
	/* a place has 12 octets and a file name at least one, so no count exceeds the length */
	if (head.files > head.strings || head.nat64s != loaded->policy.nat64_count ||
	    !tags_are_places(&loaded->policy, head.places))
		return "the places and names in it contradict themselves";
	return read_rest(loaded, &rest, &head);
}

/* Returns true if this version knows every finding that is waived or raised. */
static bool knows_findings(const struct urivet_policy *policy)
{
	for (unsigned id = 0; id < URIVET_FINDING_LIMIT; id++)
		if (has_rule(policy, id) && urivet_finding_info(id) == NULL)
			return false;
	return true;
}

/* Fills a new policy. Returns NULL, or an error message. */
static const char *open_copy(struct urivet_loaded *loaded, const void *data, size_t length)
{
	struct urivet_text extra;
	enum urivet_compiled_fault fault;
	bool valid;

	/* a copy with malloc() alignment; the policy points into it */
	loaded->compiled = malloc(length);
	if (loaded->compiled == NULL)
		return "out of memory";
	memcpy(loaded->compiled, data, length);
	fault = urivet_compiled_open(&loaded->policy, sizeof loaded->policy, loaded->compiled,
				     length, &extra);
	if (fault != URIVET_COMPILED_GOOD)
		return urivet_compiled_fault_text(fault);
	if (loaded->policy.name == NULL || !urivet_loader_is_text(loaded->policy.name))
		return "its name is no text";
	if (!knows_findings(&loaded->policy))
		return "it is about findings that this version does not have";
	if (!urivet_loader_finish(loaded, &valid))
		return valid ? "out of memory" : "it is not valid";
	return read_extra(loaded, extra);
}

/* More than the size of the header of a compiled policy. */
#define HEAD_MOST 1024u

bool urivet_loader_is_compiled(const void *data, size_t length)
{
	uint64_t head[HEAD_MOST / sizeof(uint64_t)] = {0};
	struct urivet_policy policy;
	enum urivet_compiled_fault fault;

	if (length > 0)
		memcpy(head, data, length < HEAD_MOST ? length : HEAD_MOST);
	fault = urivet_compiled_open(&policy, sizeof policy, head, sizeof head, NULL);
	return fault != URIVET_COMPILED_MAGIC && fault != URIVET_COMPILED_TOO_SHORT;
}

struct urivet_loaded *urivet_loader_compiled(const void *data, size_t length, const char *name,
					     struct problems *problems)
{
	struct urivet_loaded *loaded = urivet_load_built_in(URIVET_STRICT);
	const char *wrong = loaded != NULL ? open_copy(loaded, data, length) : "out of memory";

	if (wrong == NULL)
		return loaded;
	urivet_loader_problem(problems, (struct place){0},
			      "%.900s: a compiled policy that cannot be read: %s", name, wrong);
	urivet_loaded_release(loaded);
	return NULL;
}
