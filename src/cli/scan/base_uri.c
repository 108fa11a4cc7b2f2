/* SPDX-License-Identifier: Apache-2.0 */
/* A base URI is absolute, has no fragment, and has a scheme with relative references. */
#include "cli/scan/base_uri.h"
#include "common/grow.h"
#include <stdlib.h>
#include <urivet/reference.h>

static bool make_room(struct base_uri *uri, size_t size)
{
	if (grow(&uri->data, &uri->capacity, size, 1))
		return true;
	uri->no_memory = true;
	return false;
}

bool base_uri_resolve(struct base_uri *target, const struct base_uri *base, struct octets reference)
{
	enum urivet_resolved how = URIVET_UNRESOLVED;
	size_t room = base->length + reference.length + 16;

	for (;;) {
		target->length = 0;
		if (!make_room(target, room))
			return false;
		room = urivet_resolve((char *)target->data, target->capacity, URIVET_READER_RFC3986,
				      urivet_text_of(base->data, base->length),
				      to_library(reference), true, &how);
		if (how != URIVET_RESOLVED)
			return false;
		if (room++ < target->capacity)
			break;
	}
	target->length = room - 1;
	return target->length > 0;
}

/* Copies a URI without its fragment. */
static bool copy(struct base_uri *base, struct octets text, const struct urivet_uri *uri)
{
	size_t length = text.length;

	if (urivet_has(uri, URIVET_FRAGMENT))
		length = uri->part[URIVET_FRAGMENT].offset - 1;
	if (!make_room(base, length + 1))
		return false;
	if (length > 0)
		memmove(base->data, text.data, length);
	base->length = length;
	return true;
}

/* Returns true if the scheme has relative references. */
static bool is_usable(const struct base_uri *base)
{
	enum urivet_resolved how = URIVET_UNRESOLVED;

	(void)urivet_resolve(NULL, 0, URIVET_READER_RFC3986,
			     urivet_text_of(base->data, base->length), urivet_text_of(".", 1),
			     false, &how);
	return how != URIVET_UNRESOLVED;
}

static bool take(struct base_uri *base, struct octets layer, bool may_be_relative)
{
	struct base_uri target = {0};
	struct urivet_uri uri;
	bool good;

	if (!urivet_parse(&uri, layer.data, layer.length, NULL))
		return false;
	if (urivet_has(&uri, URIVET_SCHEME))
		return copy(base, layer, &uri) && is_usable(base);
	if (!may_be_relative || base->length == 0)
		return false;
	good = base_uri_resolve(&target, base, layer) &&
	       take(base, text_at(target.data, target.length), false);
	base->no_memory = base->no_memory || target.no_memory;
	base_uri_free(&target);
	return good;
}

bool base_uri_set(struct base_uri *base, struct octets layer, bool may_be_relative)
{
	bool good = take(base, layer, may_be_relative);

	if (!good)
		base->length = 0;
	return good;
}

void base_uri_free(struct base_uri *base)
{
	free(base->data);
	*base = (struct base_uri){0};
}
