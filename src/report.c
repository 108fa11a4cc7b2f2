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

enum urivet_verdict urivet_add_finding(struct urivet_report *report, unsigned id,
				       enum urivet_component component, struct urivet_span where,
				       const struct urivet_policy *policy)
{
	struct subject s;
	if (urivet_finding_info(id) != NULL) {
		urivet_reopen(&s, report, policy);
		urivet_add(&s, (enum urivet_id)id, component, where.offset, span_end(where));
		urivet_close(&s);
	}
	return report->verdict;
}

/* What is refused for its spelling may be said: whoever wrote it knows it. */
enum urivet_reason urivet_reason(const struct urivet_report *report,
				 const struct urivet_policy *policy)
{
	if (policy == NULL)
		policy = &urivet_policy_strict;
	if (report->verdict == URIVET_ACCEPT)
		return URIVET_REASON_ACCEPTED;
	if (report->parsed && report->uri.present == 0) /* a peer: no spelling */
		return URIVET_REASON_NOT_ALLOWED;
	for (uint32_t k = 0; k < report->count; k++) {
		const struct urivet_finding *f = &report->finding[k];
		const bool spelling =
		    f->class_ == URIVET_MALFORMED || f->class_ == URIVET_AMBIGUOUS;
		if ((spelling && refuses(policy, f->id) && f->id != URIVET_F_PEER_UNKNOWN) ||
		    f->id == URIVET_F_URL_TOO_LONG)
			return URIVET_REASON_UNCLEAR;
	}
	return URIVET_REASON_NOT_ALLOWED;
}

const char *urivet_reason_name(unsigned reason)
{
	static const char *const names[] = {"not-allowed", "accepted", "unclear"};
	return reason < sizeof names / sizeof names[0] ? names[reason] : "";
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

static inline enum urivet_verdict set_verdict(struct urivet_report *r, bool refused)
{
	return r->verdict = r->parsed && !refused ? URIVET_ACCEPT : URIVET_REJECT;
}

void urivet_close(struct subject *s)
{
	order(s->report);
	(void)set_verdict(s->report, s->refused);
}

enum urivet_verdict urivet_report_plain(struct urivet_report *r, uint32_t host, uint32_t path,
					uint32_t end)
{
	const bool secure = host == sizeof "https://" - 1;
	static const struct urivet_uri empty;
	struct urivet_uri *uri = &r->uri;
	*uri = empty;
	uri->part[URIVET_WHOLE] = span(0, end);
	uri->part[URIVET_SCHEME] = span(0, host - 3);
	uri->part[URIVET_AUTHORITY] = span(host, path);
	uri->part[URIVET_HOST] = span(host, path);
	uri->part[URIVET_PATH] = span(path, end);
	uri->present = 1u << URIVET_WHOLE | 1u << URIVET_SCHEME | 1u << URIVET_AUTHORITY |
		       1u << URIVET_HOST | 1u << URIVET_PATH;
	uri->port = secure ? 443 : 80;
	uri->scheme = secure ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	uri->host_kind = URIVET_HOST_NAME;
	r->parsed = true;
	r->count = 0;
	r->dropped = 0;
	r->host_rule = NULL;
	r->address_rule = NULL;
	r->port_rule = NULL;
	r->address_row = NULL;
	return set_verdict(r, false);
}
