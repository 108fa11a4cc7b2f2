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

static uint8_t *put_places(uint8_t *at, const struct place *places, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		at = put_place(at, places[i]);
	return at;
}

static uint8_t *put_string(uint8_t *at, const char *string)
{
	return (uint8_t *)stpcpy((char *)at, string) + 1;
}

/* Returns the octets of the names of files, and of the policies of values. */
static size_t strings_of(const struct urivet_loaded *loaded)
{
	size_t octets = 0;

	for (uint32_t i = 0; i < loaded->files; i++)
		octets += strlen(loaded->file[i]) + 1;
	for (uint32_t i = 0; i < loaded->policy.parameter_count; i++)
		if (loaded->value[i].name != NULL)
			octets += 4 + strlen(loaded->value[i].name) + 1;
	return octets;
}

/* Returns the octets of `extra`, allocated by malloc(). Returns NULL if memory is short or the
 * length exceeds 32 bits. */
static uint8_t *make_extra(const struct urivet_loaded *loaded, size_t *length)
{
	const size_t strings = strings_of(loaded);
	const size_t places = LISTS + (size_t)loaded->places + loaded->policy.nat64_count;
	uint8_t *extra, *at;

	*length = HEAD_OCTETS + places * PLACE_OCTETS + strings;
	extra = *length <= UINT32_MAX ? malloc(*length) : NULL;
	if (extra == NULL)
		return NULL;
	at = put_number(extra, EXTRA_VERSION);
	at = put_number(at, (uint32_t)loaded->base);
	at = put_number(at, loaded->observes ? FLAG_OBSERVES : 0);
	at = put_number(at, loaded->places);
	at = put_number(at, loaded->policy.nat64_count);
	at = put_number(at, loaded->files);
	at = put_number(at, (uint32_t)strings);
	at = put_place(at, loaded->only);
	at = put_place(at, loaded->only_urls);
	at = put_places(at, loaded->place, loaded->places);
	at = put_places(at, loaded->nat64_place, loaded->policy.nat64_count);
	for (uint32_t i = 0; i < loaded->files; i++)
		at = put_string(at, loaded->file[i]);
	for (uint32_t i = 0; i < loaded->policy.parameter_count; i++) {
		if (loaded->value[i].name == NULL)
			continue;
		at = put_number(at, (uint32_t)loaded->value[i].by->base);
		at = put_string(at, loaded->value[i].name);
	}
	return extra;
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
	return written;
}
