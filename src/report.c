/* SPDX-License-Identifier: Apache-2.0 */
/* The report: findings go in by urivet_add(), the verdict comes from urivet_close(). */
#include "report.h"

static bool refuses(const struct urivet_policy *policy, unsigned id)
{
	if (urivet_finding_class[id] == URIVET_NOTE)
		return in_set(&policy->raised, id);
	return !in_set(&policy->waived, id);
}

void urivet_add(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t offset,
		uint32_t end)
{
	struct urivet_report *r = s->report;
	s->refused = s->refused || refuses(s->policy, id);
	for (uint32_t k = 0; k < r->count; k++) {
		struct urivet_finding *f = &r->finding[k];
		if (f->id != (unsigned)id)
			continue;
		if (offset < f->span.offset) {
			f->span = span(offset, end);
			f->component = (uint8_t)c;
		}
		f->count++;
		return;
	}
	if (r->count < URIVET_MAX_FINDINGS) {
		const struct urivet_finding f = {(uint16_t)id, urivet_finding_class[id], (uint8_t)c,
						 span(offset, end), 1};
		r->finding[r->count++] = f;
	} else {
		r->dropped++;
	}
}

void urivet_add_runs(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t kinds)
{
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	for (uint32_t i = find(t, where.offset, kinds); i < t.end;) {
		const uint32_t end = skip(t, i, kinds);
		urivet_add(s, id, c, i, end);
		i = find(t, end, kinds);
	}
}

void urivet_reopen(struct subject *s, struct urivet_report *report,
		   const struct urivet_policy *policy)
{
	s->report = report;
	s->policy = policy != NULL ? policy : &urivet_policy_strict;
	s->refused = report->verdict == URIVET_REJECT;
}

static bool before(const struct urivet_finding *a, const struct urivet_finding *b)
{
	if (a->span.offset != b->span.offset)
		return a->span.offset < b->span.offset;
	return a->id < b->id;
}

/* Insertion sort: at most URIVET_MAX_FINDINGS, nearly in order already. */
static void order(struct urivet_report *r)
{
	for (uint32_t k = 1; k < r->count; k++) {
		const struct urivet_finding f = r->finding[k];
		uint32_t j = k;
		while (j > 0 && before(&f, &r->finding[j - 1])) {
			r->finding[j] = r->finding[j - 1];
			j--;
		}
		r->finding[j] = f;
	}
}

void urivet_close(struct subject *s)
{
	order(s->report);
	s->report->verdict = s->report->parsed && !s->refused ? URIVET_ACCEPT : URIVET_REJECT;
}
