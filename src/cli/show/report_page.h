/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "cli/options/options.h"
#include "cli/records/figures.h"

/* Writes one HTML page that needs nothing else: no network, no script. It depends on the figures and
 * the options alone, but for the time of writing, which SOURCE_DATE_EPOCH in the environment sets. */
void report_page_write(struct output *out, const struct figures *figures,
		       const struct options *options);

#endif
