/* SPDX-License-Identifier: Apache-2.0 */
/* Reads URLs as browsers do, by the WHATWG URL Standard. */
#ifndef URIVET_BROWSER_H
#define URIVET_BROWSER_H

#include <urivet/readers.h>

#include "text/out.h"
#include "text/text.h"

/* Runs the basic URL parser without base URL and encoding override, for http, https, ws, wss and
 * ftp; other schemes are not read. Writes the serialised URL, in ASCII, to *o, which must be empty;
 * the spans of reading->uri refer to it. Reads and writes nothing if the capacity of *o is below
 * URIVET_READING_CAPACITY(t.end). Returns reading->reads.
 *
 * Domains are converted to ASCII by UTS 46 and Unicode 15.0 (see uts46.h), with the unused part of
 * the output as work space. */
bool urivet_read_as_browser(struct urivet_reading *reading, struct text t, struct out *o);

#endif
