/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of a report. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "cli/options/options.h"
#include "cli/records/figures.h"

/* Writes a self-contained HTML page, without network access or scripts. It depends only on the
 * figures, the options and the time, which SOURCE_DATE_EPOCH in the environment sets. */
void report_page_write(struct output *out, const struct figures *figures,
		       const struct options *options);

#endif
