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
 * Domains are written in ASCII, as UTS 46 has it by Unicode 15.0 (see uts46.h). The room that
 * is not written yet serves for its work.
 */
bool urivet_read_as_browser(struct urivet_reading *reading, struct text t, struct out *o);

#endif
