/* SPDX-License-Identifier: Apache-2.0 */
/* Reads compiled policies. */
#include "policyfile/compiled.h"
#include "common/finding_set.h"
#include "policyfile/compiled_format.h"
#include "policyfile/parameters.h"
#include "policyfile/reader.h"
#include "policyfile/suffix.h"

#include <stddef.h>
#include <stdlib.h>
#include <urivet/compiled.h>
#include <urivet/rules.h>

static bool is_marked(const uint8_t *octets)
{
	uint32_t version;

	memcpy(&version, octets + MARK_AT, sizeof version);
	return (version & MARK) != 0;
}

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

/* Reads the header. Returns false if it is unknown, or does not match the length exactly. A policy
 * is marked if and only if it has rules for parameters. */
static bool take_head(struct rest *rest, struct head *head, bool marked)
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
	head->rules = marked && rest->end - rest->at >= 4 ? take_number(rest) : 0;
	places = LISTS + (uint64_t)head->places + head->nat64s;
	return head->version == (marked ? EXTRA_RULES : EXTRA_VERSION) &&
	       marked == (head->rules > 0) && head->base < URIVET_BASES && head->flags <= FLAG_OBSERVES &&
	       places * PLACE_OCTETS + head->strings + head->rules ==
		   (uint64_t)(rest->end - rest->at);
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

/* Allocates memory for `count` elements, or for one if `count` is 0. */
static void *room(uint32_t count, size_t size)
{
	return calloc((size_t)count + 1, size);
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

/* Returns true if the tag of every rule is below `places`. */
static bool tags_are_places(const struct urivet_policy *policy, uint32_t places)
{
	for (uint32_t i = 0; i < policy->hosts.count; i++)
		if (policy->hosts.rule[i].tag >= places)
			return false;
	for (uint32_t i = 0; i < policy->addresses.count; i++)
		if (policy->addresses.rule[i].tag >= places)
			return false;
	for (uint32_t i = 0; i < policy->port_count; i++)
		if (policy->ports[i].tag >= places)
			return false;
	for (uint32_t i = 0; i < policy->url_count; i++)
		if (policy->urls[i].tag >= places)
			return false;
	for (uint32_t i = 0; i < policy->protect_count; i++)
		if (policy->protect[i].name.tag >= places)
			return false;
	for (uint32_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].tag >= places)
			return false;
	return true;
}

/* ---- Rules for parameters ----------------------------------------------------------- */

/* Reads the policy that follows a rule. Returns NULL if it is none, if it has rules for parameters
 * itself, which ends the recursion here, or if memory is short. */
static struct urivet_loaded *take_policy(struct rest *rest)
{
	struct problems problems = {0};
	struct urivet_loaded *by = NULL;
	size_t length = rest->end - rest->at >= 4 ? take_number(rest) : 0;

	if (length >= MARK_AT + 4 && length <= (size_t)(rest->end - rest->at)) {
		by = is_marked(rest->at) ? NULL
					 : urivet_loader_compiled(rest->at, length, "", &problems);
		rest->at += length;
	}
	urivet_loader_free_problems(&problems);
	return by;
}

/* Reads what judges the values of the last rule. Returns false if it is unknown. */
static bool take_judge(struct urivet_loaded *loaded, struct rest *rest, uint32_t by)
{
	const uint32_t last = loaded->parameters - 1;
	struct parameter_rule *rule = &loaded->parameter[last];

	if (by > 0 && by <= URIVET_BASES) {
		if (urivet_policy_named(rule->policy, strlen(rule->policy)) == (int)by - 1)
			rule->by = urivet_load_built_in((int)by - 1);
	} else if (by >= POLICY_OF && by < POLICY_OF + last) {
		rule->by = urivet_loaded_keep(loaded->parameter[by - POLICY_OF].by);
	} else if (by == POLICY_HERE) {
		rule->by = take_policy(rest);
	}
	return by == 0 || rule->by != NULL;
}

/* Reads a rule. Returns false if it means nothing. */
static bool take_rule(struct urivet_loaded *loaded, struct rest *rest, uint32_t places)
{
	struct parameter_rule *rule = &loaded->parameter[loaded->parameters++];
	uint32_t flags, by;

	if ((size_t)(rest->end - rest->at) < RULE_OCTETS)
		return false;
	(void)urivet_parameter_rules_init(&rule->rules, sizeof rule->rules);
	flags = take_number(rest);
	rule->tag = take_number(rest);
	by = take_number(rest);
	for (unsigned k = 0; k < URIVET_FINDING_LIMIT / 32; k++)
		rule->allowed.bits[k / 2] |= (uint64_t)take_number(rest) << 32 * (k % 2);
	for (unsigned flag = 0; flag < PARAMETER_FLAGS; flag++)
		*urivet_loader_parameter_flag(rule, flag) = (flags >> flag & 1) != 0;
	rule->judges = (flags & RULE_JUDGES) != 0;
	rule->rules.times = (flags & RULE_TWICE) != 0 ? 2 : 1;
	rule->name = take_string(rest);
	rule->policy = rule->name != NULL ? take_string(rest) : NULL;
	return rule->policy != NULL && flags < 2 * RULE_TWICE && rule->tag < places &&
	       take_judge(loaded, rest, by);
}

/* Reads all rules. Returns false if they contradict themselves. */
static bool take_rules(struct urivet_loaded *loaded, struct rest *rest, uint32_t places)
{
	if (rest->at == rest->end)
		return true;
	loaded->parameter = calloc(PARAMETER_RULES_MOST, sizeof *loaded->parameter);
	while (loaded->parameter != NULL && rest->at < rest->end &&
	       loaded->parameters < PARAMETER_RULES_MOST)
		if (!take_rule(loaded, rest, places))
			return false;
	return loaded->parameter != NULL && rest->at == rest->end &&
	       urivet_loader_settle_parameters(loaded);
}

/* Reads the places and names after the header. Strings point into loaded->compiled. Returns NULL,
 * or an error message. */
static const char *read_rest(struct urivet_loaded *loaded, struct rest *rest,
			     const struct head *head)
{
	static const char *const broken = "the places and names in it contradict themselves";

	/* each count is below the length of the blob, so memory is at most a few times that */
	loaded->place = room(head->places, sizeof *loaded->place);
	loaded->nat64_place = room(head->nat64s, sizeof *loaded->nat64_place);
	loaded->file = room(head->files, sizeof *loaded->file);
	if (loaded->place == NULL || loaded->nat64_place == NULL || loaded->file == NULL ||
	    !urivet_loader_show_protected(loaded))
		return "out of memory";
	if (!take_place(rest, &loaded->only, head->files) ||
	    !take_place(rest, &loaded->only_urls, head->files) ||
	    !take_places(rest, loaded->place, head->places, head->files) ||
	    !take_places(rest, loaded->nat64_place, head->nat64s, head->files))
		return broken;
	if (!take_strings(rest, loaded->file, head->files) ||
	    rest->end - rest->at != (ptrdiff_t)head->rules ||
	    !take_rules(loaded, rest, head->places))
		return broken;
	loaded->places = head->places;
	loaded->files = head->files;
	loaded->base = (int)head->base;
	loaded->observes = (head->flags & FLAG_OBSERVES) != 0;
	return NULL;
}

static const char *read_extra(struct urivet_loaded *loaded, struct urivet_text extra, bool marked)
{
	struct rest rest = {extra.data, (const uint8_t *)extra.data + extra.length};
	struct head head;

	if (extra.length == 0)
		return "it was not compiled by urivet policy compile: it has no places and names";
	if (!take_head(&rest, &head, marked))
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

/* Opens the machine's list of public suffixes, which compiled policies do not contain. Returns
 * NULL, or an error message. */
static const char *open_suffixes(struct urivet_loaded *loaded)
{
	if (!has_rule(&loaded->policy, URIVET_F_HOST_PUBLIC_SUFFIX))
		return NULL;
	loaded->suffixes = urivet_suffixes_open(NULL, NULL);
	return loaded->suffixes != NULL
		   ? NULL
		   : "\"host-public-suffix\" needs the list of public suffixes, which is not here";
}

/* Fills a new policy. Returns NULL, or an error message. */
static const char *open_copy(struct urivet_loaded *loaded, const void *data, size_t length)
{
	struct urivet_text extra;
	enum urivet_compiled_fault fault;
	const char *wrong;
	bool valid, marked = false;

	/* a copy with malloc() alignment; the policy points into it */
	loaded->compiled = malloc(length);
	if (loaded->compiled == NULL)
		return "out of memory";
	memcpy(loaded->compiled, data, length);
	fault = urivet_compiled_open(&loaded->policy, sizeof loaded->policy, loaded->compiled,
				     length, &extra);
	if (fault == URIVET_COMPILED_LIBRARY) {
		mark_octets(loaded->compiled, false);
		fault = urivet_compiled_open(&loaded->policy, sizeof loaded->policy,
					     loaded->compiled, length, &extra);
		marked = true;
	}
	if (fault != URIVET_COMPILED_GOOD)
		return urivet_compiled_fault_text(fault);
	if (loaded->policy.name == NULL || !urivet_loader_is_text(loaded->policy.name))
		return "its name is no text";
	if (!knows_findings(&loaded->policy))
		return "it is about findings that this version does not have";
	if (!urivet_loader_finish(loaded, &valid))
		return valid ? "out of memory" : "it is not valid";
	wrong = read_extra(loaded, extra, marked);
	return wrong != NULL ? wrong : open_suffixes(loaded);
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
	static const struct place nowhere;
	struct urivet_loaded *loaded = urivet_load_built_in(URIVET_STRICT);
	const char *wrong = loaded != NULL ? open_copy(loaded, data, length) : "out of memory";

	if (wrong == NULL)
		return loaded;
	urivet_loader_problem(problems, nowhere,
			      "%.900s: a compiled policy that cannot be read: %s", name, wrong);
	urivet_loaded_release(loaded);
	return NULL;
}
