/* SPDX-License-Identifier: Apache-2.0 */
/* Reads by RFC 3986 and by the earlier editions of the standard. */
#ifndef URIVET_READER_H
#define URIVET_READER_H

#include <urivet/readers.h>

#include "readers/edition.h"
#include "text/out.h"
#include "uri/uri.h"

/* Reads t by an edition. Returns true and sets every field of *uri, or returns false. */
bool urivet_read_standard(struct text t, const struct edition *e, struct urivet_uri *uri);

/* A reference split by an edition. If the edition has parameters, they are not part of the path. */
struct reference {
	struct text text;
	struct urivet_uri uri;
	struct urivet_span params; /* from the semicolon; length 0: none */
};

/* Splits data[0..length). Returns false if the edition cannot read it. */
bool urivet_read_reference(struct reference *r, const struct edition *e, const void *data,
			   size_t length);

#endif
