/* SPDX-License-Identifier: Apache-2.0 */
/* A base URI made from its sources, the outermost first (RFC 3986, 5.1). */
#ifndef CLI_BASE_URI_H
#define CLI_BASE_URI_H

#include "cli/records/octets.h"
#include <stdbool.h>

/* A URI in allocated memory; length 0: there is none. */
struct base_uri {
	uint8_t *data;
	size_t length;
	size_t capacity;
};

/* Takes an inner source: the base becomes this URI without its fragment. If it may be relative
 * and is, it is resolved against the base so far. If that fails there is no base any more,
 * and false is returned. */
bool base_uri_set(struct base_uri *base, struct text layer, bool may_be_relative);

/* Resolves a reference against a base; false, and no target, if one of them cannot be read. An
 * empty reference is the base, as where a new request is made, for the action of a form. */
bool base_uri_resolve(struct base_uri *target, const struct base_uri *base, struct text reference);

void base_uri_free(struct base_uri *base);

#endif
