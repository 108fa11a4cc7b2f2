/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of a report. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include "cli/judge/judge_options.h"
#include "cli/records/figures.h"
#include "cli/records/read_options.h"
#include "common/text/output.h"

/* Writes a self-contained HTML page, without network access or scripts. It depends only on the
 * figures, the options and the time, which SOURCE_DATE_EPOCH in the environment sets. */
void report_page_write(struct output *out, const struct figures *figures,
		       const struct read_options *inputs, const struct judge_options *judging,
		       uint32_t top);

#endif
