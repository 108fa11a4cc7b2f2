/* SPDX-License-Identifier: Apache-2.0 */
/* The style sheet of a report, and the security policy that allows only this style. */
#ifndef CLI_REPORT_SHEET_H
#define CLI_REPORT_SHEET_H

#include "common/text/output.h"

/* Writes the elements of the head that limit what the page may load, and its style. */
void report_sheet_write(struct output *out);

#endif
