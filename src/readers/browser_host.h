/* SPDX-License-Identifier: Apache-2.0 */
/* The host parser and serialiser of the URL Standard, for special schemes. */
#ifndef URIVET_BROWSER_HOST_H
#define URIVET_BROWSER_HOST_H

#include "text/out.h"
#include "text/text.h"

/* Reads the host that fills t from `at` on, writes it, and sets the fields of the
 * reading that are about it. False: failure. */
bool urivet_browser_host(struct urivet_reading *reading, struct text t, uint32_t at, struct out *o);

#endif
