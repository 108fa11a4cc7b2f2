/* SPDX-License-Identifier: Apache-2.0 */
/* The normal form of a URI reference: RFC 3986, 6.2.2 and 6.2.3. */
#ifndef URIVET_NORMAL_H
#define URIVET_NORMAL_H

#include "readers/reader.h"

/* Composes the normal form of what was read by an edition. At the level of the
 * syntax: letter case, triplets, dot segments. At that of the scheme also the
 * port, the text of an IPv6 address and an empty path. */
void urivet_compose_normal(struct composed *c, const struct edition *e, const struct reference *r,
			   enum urivet_level level);

/* Writes the normal form, at the level of the scheme, of what was parsed by
 * RFC 3986. Longer than the input by two octets at the most:
 * the slash of an empty path, and a zero group that "::" stood for alone. */
void urivet_put_normal(struct out *o, struct text t, const struct urivet_uri *uri);

#endif
