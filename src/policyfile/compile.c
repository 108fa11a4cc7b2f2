/* SPDX-License-Identifier: Apache-2.0 */
/* Writes compiled policies. */
#include "policyfile/compiled_format.h"
#include "policyfile/parameters.h"

#include <stdlib.h>
#include <urivet/compiled.h>

static uint8_t *put_number(uint8_t *at, uint32_t number)
{
	for (unsigned shift = 0; shift < 32; shift += 8)
		*at++ = (uint8_t)(number >> shift);
	return at;
}

static uint8_t *put_place(uint8_t *at, struct place place)
{
	at = put_number(at, place.file | (place.shared ? PLACE_SHARED : 0));
	at = put_number(at, place.line);
	return put_number(at, place.column);
}

/* Writes the places of a list, or empty ones if `places` is NULL. */
static uint8_t *put_places(uint8_t *at, const struct place *places, uint32_t count)
{
	static const struct place nowhere;

	for (uint32_t i = 0; i < count; i++)
		at = put_place(at, places != NULL ? places[i] : nowhere);
	return at;
}

static uint8_t *put_string(uint8_t *at, const char *string)
{
	size_t size = strlen(string) + 1;

	memcpy(at, string, size);
	return at + size;
}

static size_t strings_of(const struct urivet_loaded *loaded)
{
	size_t octets = 0;

	for (uint32_t i = 0; i < loaded->files; i++)
		octets += strlen(loaded->file[i]) + 1;
	return octets;
}

/* Returns what judges the values of rule `i`. */
static uint32_t policy_of(const struct urivet_loaded *loaded, uint32_t i)
{
	const struct parameter_rule *rule = &loaded->parameter[i];
	int base;

	if (rule->by == NULL)
		return 0;
	base = urivet_policy_named(rule->policy, strlen(rule->policy));
	if (base >= 0)
		return 1 + (uint32_t)base;
	for (uint32_t k = 0; k < i; k++)
		if (loaded->parameter[k].by == rule->by)
			return POLICY_OF + k;
	return POLICY_HERE;
}

/* Returns the number of octets of the rules for parameters; 0 if memory is short. */
static size_t rules_length(const struct urivet_loaded *loaded)
{
	size_t length = 0;

	for (uint32_t i = 0; i < loaded->parameters; i++) {
		const struct parameter_rule *rule = &loaded->parameter[i];
		const size_t policy = policy_of(loaded, i) == POLICY_HERE
					  ? urivet_loaded_compile(NULL, 0, rule->by)
					  : SIZE_MAX;

		if (policy == 0)
			return 0;
		length += RULE_OCTETS + strlen(rule->name) + 1;
		length += (rule->policy != NULL ? strlen(rule->policy) : 0) + 1;
		length += policy != SIZE_MAX ? 4 + policy : 0;
	}
	return length;
}

/* Writes a policy of values. Returns NULL if memory is short. */
static uint8_t *put_policy(uint8_t *at, const struct urivet_loaded *by)
{
	const size_t length = urivet_loaded_compile(NULL, 0, by);
	uint8_t *octets = malloc(length + 1); /* aligned, as `at` may not be */
	const bool good = octets != NULL && length > 0 &&
			  urivet_loaded_compile(octets, length, by) == length;

	if (good) {
		at = put_number(at, (uint32_t)length);
		memcpy(at, octets, length);
	}
	free(octets);
	return good ? at + length : NULL;
}

static uint8_t *put_rule(uint8_t *at, const struct urivet_loaded *loaded, uint32_t i)
{
	const struct parameter_rule *rule = &loaded->parameter[i];
	struct parameter_rule copy = *rule;
	uint32_t flags = (rule->judges ? RULE_JUDGES : 0) |
			 (rule->rules.times == 2 ? RULE_TWICE : 0);

	for (unsigned flag = 0; flag < PARAMETER_FLAGS; flag++)
		flags |= (uint32_t)*urivet_loader_parameter_flag(&copy, flag) << flag;
	at = put_number(at, flags);
	at = put_number(at, rule->tag);
	at = put_number(at, policy_of(loaded, i));
	for (unsigned k = 0; k < URIVET_FINDING_LIMIT / 32; k++)
		at = put_number(at, (uint32_t)(rule->allowed.bits[k / 2] >> 32 * (k % 2)));
	at = put_string(at, rule->name);
	at = put_string(at, rule->policy != NULL ? rule->policy : "");
	return policy_of(loaded, i) == POLICY_HERE ? put_policy(at, rule->by) : at;
}

/* Returns the octets of `extra`, allocated by malloc(). Returns NULL if memory is short or the
 * length exceeds 32 bits. */
static uint8_t *make_extra(const struct urivet_loaded *loaded, size_t *length)
{
	const size_t strings = strings_of(loaded), rules = rules_length(loaded);
	const size_t places = LISTS + (size_t)loaded->places + loaded->policy.nat64_count;
	uint8_t *extra, *at;

	if (loaded->parameters > 0 && rules == 0)
		return NULL;
	*length = HEAD_OCTETS + (rules > 0 ? 4 : 0) + places * PLACE_OCTETS + strings + rules;
	extra = *length <= UINT32_MAX ? malloc(*length) : NULL;
	if (extra == NULL)
		return NULL;
	at = put_number(extra, rules > 0 ? EXTRA_RULES : EXTRA_VERSION);
	at = put_number(at, (uint32_t)loaded->base);
	at = put_number(at, loaded->observes ? FLAG_OBSERVES : 0);
	at = put_number(at, loaded->places);
	at = put_number(at, loaded->policy.nat64_count);
	at = put_number(at, loaded->files);
	at = put_number(at, (uint32_t)strings);
	at = rules > 0 ? put_number(at, (uint32_t)rules) : at;
	at = put_place(at, loaded->only);
	at = put_place(at, loaded->only_urls);
	at = put_places(at, loaded->place, loaded->places);
	at = put_places(at, loaded->nat64_place, loaded->policy.nat64_count);
	for (uint32_t i = 0; i < loaded->files; i++)
		at = put_string(at, loaded->file[i]);
	for (uint32_t i = 0; at != NULL && i < loaded->parameters; i++)
		at = put_rule(at, loaded, i);
	if (at == NULL)
		free(extra);
	return at != NULL ? extra : NULL;
}

size_t urivet_loaded_compile(void *out, size_t capacity, const struct urivet_loaded *loaded)
{
	size_t length, written;
	uint8_t *extra = make_extra(loaded, &length);

	if (extra == NULL)
		return 0;
	written =
	    urivet_compiled_write(out, capacity, &loaded->policy, urivet_text_of(extra, length));
	free(extra);
	if (loaded->parameters > 0 && out != NULL && written > 0 && capacity >= written)
		mark_octets(out, true);
	return written;
}
