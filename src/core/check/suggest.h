/* SPDX-License-Identifier: Apache-2.0 */
/* Checks suggested spellings. */
#ifndef URIVET_SUGGEST_H
#define URIVET_SUGGEST_H

#include "text/text.h"

/* Like urivet_check(), but without its fast path for plain URLs. This keeps the stack frame of the
 * fast path off the stack of a caller that has a report. */
enum urivet_verdict urivet_check_by_rules(struct urivet_report *report, const void *data,
					  size_t length, const struct urivet_policy *policy);

#endif
