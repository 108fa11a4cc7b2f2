/* SPDX-License-Identifier: Apache-2.0 */
/* The normal form of a URI reference: RFC 3986, 6.2.2 and 6.2.3. */
#ifndef URIVET_NORMAL_H
#define URIVET_NORMAL_H

#include <urivet/reference.h>

#include "readers/reader.h"

/* Composes the normal form of a reference read by an edition. Syntax level normalises letter case,
 * triplets and dot segments; scheme level also the port, IPv6 addresses and an empty path. */
void urivet_compose_normal(struct composed *c, const struct edition *e, const struct reference *r,
			   enum urivet_level level);

/* Writes the normal form of a URI reference by RFC 3986, at scheme level. It is at most two octets
 * longer than the input: one for the slash of an empty path, one for a single zero group that was
 * written "::". If `escapes_raw` is true, each octet of userinfo, path, query and fragment may
 * become three (ESCAPES_RAW). */
void urivet_put_normal(struct out *o, struct text t, const struct urivet_uri *uri,
		       bool escapes_raw);

#endif
