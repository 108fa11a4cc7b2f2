/* SPDX-License-Identifier: Apache-2.0 */
/* Spellings judged. */
#ifndef URIVET_SUGGEST_H
#define URIVET_SUGGEST_H

#include "text/text.h"

/* urivet_check() without its short way for plain URLs, whose frames would lie below the report of
 * the caller. */
enum urivet_verdict urivet_check_by_rules(struct urivet_report *report, const void *data,
					  size_t length, const struct urivet_policy *policy);

#endif
