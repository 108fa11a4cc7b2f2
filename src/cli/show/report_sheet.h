/* SPDX-License-Identifier: Apache-2.0 */
/* The style of a report, and the policy that lets a browser take this style and nothing else. */
#ifndef CLI_REPORT_SHEET_H
#define CLI_REPORT_SHEET_H

#include "cli/show/output.h"

/* The head's elements that say what the page may load and look like. */
void report_sheet_write(struct output *out);

#endif
