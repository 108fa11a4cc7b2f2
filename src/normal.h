/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the normal form of a URI: RFC 3986, 6.2.2 and 6.2.3. */
#ifndef URIVET_NORMAL_H
#define URIVET_NORMAL_H

#include "out.h"
#include "uri.h"

/* Writes the normal form of what was parsed: letter case, triplets, dot
 * segments; for schemes with a default port also the empty path and the port.
 * Never longer than the input and one octet. */
void urivet_put_normal(struct out *o, struct text t, const struct urivet_uri *uri);

#endif
