/* SPDX-License-Identifier: Apache-2.0 */
/* The host parser and serialiser of the URL Standard, for special schemes. */
#ifndef URIVET_BROWSER_HOST_H
#define URIVET_BROWSER_HOST_H

#include <urivet/readers.h>

#include "text/out.h"
#include "text/text.h"

/* Reads the host from `at` to the end of t, writes it, and sets the host fields of the reading.
 * Returns false on failure. */
bool urivet_browser_host(struct urivet_reading *reading, struct text t, uint32_t at, struct out *o);

#endif
