/* SPDX-License-Identifier: Apache-2.0 */
/* Reading by rfc3986 and by the editions of the standard. */
#ifndef URIVET_READER_H
#define URIVET_READER_H

#include "readers/edition.h"
#include "text/out.h"
#include "uri/uri.h"

/* Reads t by an edition: true, and every field of *uri; or false. */
bool urivet_read_standard(struct text t, const struct edition *e, struct urivet_uri *uri);

/* A reference cut by an edition. Where the edition has parameters they are a
 * span of their own and no part of the path. */
struct reference {
	struct text text;
	struct urivet_uri uri;
	struct urivet_span params; /* from the semicolon on; length 0: none */
};

/* Cuts data[0..length); false if the edition cannot read it. */
bool urivet_read_reference(struct reference *r, const struct edition *e, const void *data,
			   size_t length);

#endif
