/* SPDX-License-Identifier: Apache-2.0 */
/* Determines a base URI from its sources, outermost first (RFC 3986, 5.1). */
#ifndef CLI_BASE_URI_H
#define CLI_BASE_URI_H

#include "common/text/octets.h"
#include <stdbool.h>

/* A URI in allocated memory; length 0: no URI. */
struct base_uri {
	uint8_t *data;
	size_t length;
	size_t capacity;
	bool no_memory; /* it is unknown, since memory was short */
};

/* Applies the next inner source: the base becomes this URI without its fragment. A relative URI, if
 * allowed, is resolved against the previous base. On errors the base is removed and false is
 * returned. */
bool base_uri_set(struct base_uri *base, struct octets layer, bool may_be_relative);

/* Resolves a reference against a base. Returns false, with an empty target, if one of them
 * cannot be read. An empty reference gives the base itself, as for a new request, such as a
 * form's action. */
bool base_uri_resolve(struct base_uri *target, const struct base_uri *base,
		      struct octets reference);

void base_uri_free(struct base_uri *base);

#endif
