/* SPDX-License-Identifier: Apache-2.0 */
/* Reading as browsers do, by the URL Standard of the WHATWG. */
#ifndef URIVET_BROWSER_H
#define URIVET_BROWSER_H

#include "text/out.h"
#include "text/text.h"

/*
 * The basic URL parser with no base URL and no encoding override, for http,
 * https, ws, wss and ftp; any other scheme, or none, is not read. Writes the
 * serialised URL, which is ASCII, to *o, which must be empty; the spans of
 * reading->uri lie in it. If the capacity of *o is less than
 * URIVET_READING_CAPACITY(t.end), nothing is read or written. Returns
 * reading->reads.
 *
 * Domains are put in lower case, but IDNA is not done. A domain with a label that
 * begins with "xn--", or with an octet above 0x7F, raw or percent-encoded, sets
 * needs_idna; those octets are written percent-encoded. What IDNA would find in it,
 * a failure or an address in other digits, is not known, unless its ASCII octets
 * make it fail.
 */
bool urivet_read_as_browser(struct urivet_reading *reading, struct text t, struct out *o);

#endif
