/* SPDX-License-Identifier: Apache-2.0 */
/* A base URI that is put together from layers, the outermost first (RFC 3986, 5.1). */
#ifndef CLI_BASE_URI_H
#define CLI_BASE_URI_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* A URI in memory of malloc; length 0: there is none. */
struct base_uri {
	uint8_t *data;
	size_t length;
	size_t capacity;
};

/* Takes an inner layer: the base becomes this URI without its fragment. A relative one,
 * where it may be, is resolved against the base so far. False, and there is no base, if that
 * cannot be. */
bool base_uri_set(struct base_uri *base, struct text layer, bool may_be_relative);

/* Resolves a reference against a base; false, and no target, if one cannot be read. What is
 * asked for is a request: an empty reference, as in the action of a form, is the base. */
bool base_uri_resolve(struct base_uri *target, const struct base_uri *base, struct text reference);

void base_uri_free(struct base_uri *base);

#endif
