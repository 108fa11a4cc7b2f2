/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold for any input; a harness that finds it broken stops. */
#ifndef ORACLES_H
#define ORACLES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urivet.h>

/* Stops with a message if an oracle does not hold. */
static inline void oracle(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "oracle broken: %s\n", what);
	abort();
}

static inline bool within(struct urivet_span s, size_t length)
{
	return s.offset <= length && s.length <= length - s.offset;
}

/* A report is in order, lies inside its input, and gives a reason for every refusal. */
static inline void expect_sound(const struct urivet_report *r, size_t length)
{
	bool reason = r->dropped > 0, malformed = r->dropped > 0;
	for (uint32_t k = 0; k < r->count; k++) {
		const struct urivet_finding *f = &r->finding[k];
		oracle(within(f->span, length), "a finding points outside the input");
		oracle(k == 0 || f[-1].span.offset <= f->span.offset, "findings are in order");
		reason = reason || f->class_ != URIVET_NOTE;
		malformed =
		    malformed || f->class_ == URIVET_MALFORMED || f->id == URIVET_F_URL_TOO_LONG;
	}
	oracle(r->verdict == URIVET_ACCEPT || reason, "a refusal has a reason");
	oracle(r->parsed || malformed, "what does not parse has a malformed finding");
	oracle(r->parsed || r->verdict == URIVET_REJECT, "what does not parse is refused");
}

#endif
