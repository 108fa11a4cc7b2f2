/* SPDX-License-Identifier: Apache-2.0 */
/* Reading as browsers do, by the URL Standard of the WHATWG. */
#ifndef URIVET_BROWSER_H
#define URIVET_BROWSER_H

#include "text/out.h"
#include "text/text.h"

/*
 * The basic URL parser with no base URL and no encoding override, for http,
 * https, ws, wss and ftp; any other scheme, or none, is not read. Writes the
 * serialised URL, which is ASCII, to the empty *o; the spans of reading->uri
 * lie in it. Where o does not hold URIVET_READING_CAPACITY(t.end) octets,
 * nothing is read and nothing written. Returns reading->reads.
 *
 * Domains are lower-cased and no more: one that has a label beginning "xn--"
 * or an octet above 0x7F, plain or percent-encoded, needs_idna. It is written
 * with those octets percent-encoded, and takes no part in what IDNA would find
 * (failures, addresses in other digits), unless it fails by its ASCII already.
 */
bool urivet_read_as_browser(struct urivet_reading *reading, struct text t, struct out *o);

#endif
