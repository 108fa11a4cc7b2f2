/* SPDX-License-Identifier: Apache-2.0 */
/* The report: urivet_add() adds findings, urivet_close() sets the verdict. */
#include "report/report.h"
#include "text/words.h"

#include "plain/components.h"
#include "text/sized.h"

/* Returns true if the finding rejects even in an opaque query. These are octets that can split a
 * request or header, raw or decoded once; a "?" where a path should begin; and a rejected
 * parameter, because the caller requested that check. */
/*@ assigns \nothing; */
static bool refuses_in_opaque_query(unsigned id)
{
	switch (id) {
	case URIVET_F_ESCAPED_CRLF:
	case URIVET_F_ESCAPED_NUL:
	case URIVET_F_ESCAPED_CONTROL:
	case URIVET_F_CONTROL_CHAR:
	case URIVET_F_RAW_TAB:
	case URIVET_F_RAW_CRLF:
	case URIVET_F_RAW_SPACE:
	case URIVET_F_NON_ASCII:
	case URIVET_F_QUERY_AFTER_EMPTY_PATH:
	case URIVET_F_PARAM_REFUSED:
		return true;
	default:
		return false;
	}
}

bool urivet_is_note_in(const struct urivet_policy *policy, unsigned id, unsigned c)
{
	if (urivet_finding_class[id] == URIVET_NOTE)
		return true;
	/* Some readers decode these triplets. This difference is allowed in path and query (G8),
	 * and rejects only in the fragment. */
	if (id == URIVET_F_ESCAPE_MIXED_IRI && c != URIVET_FRAGMENT)
		return true;
	return c == URIVET_QUERY && is_query_opaque(policy) && !refuses_in_opaque_query(id);
}

bool urivet_refuses(const struct urivet_policy *policy, unsigned id, unsigned c)
{
	if (urivet_is_note_in(policy, id, c))
		return in_set(&policy->raised, id);
	return !in_set(&policy->waived, id);
}

/* The findings that rules for paths can waive, and two about a missing Host field. */
#define BELOW(k, name) URIVET_F_##name,
static const uint16_t waived_below[] = {WAIVED_FOR_PATHS(BELOW, 0) URIVET_F_HOST_EMPTY,
					URIVET_F_HOST_NOT_ALLOWED};

#define WAIVED_BELOW (sizeof(waived_below) / sizeof(waived_below[0]))
#define FIRST_BELOW  (UINT64_C(1) << 63)

uint64_t urivet_below_bit(unsigned id)
{
	/*@ loop invariant k <= WAIVED_BELOW;
	    loop assigns k;
	    loop variant WAIVED_BELOW - k; */
	for (unsigned k = 0; k < WAIVED_BELOW; k++)
		if (waived_below[k] == id)
			return FIRST_BELOW >> k;
	return 0;
}

uint64_t urivet_below_bits(const struct urivet_finding_set *set)
{
	uint64_t bits = 0;
	/*@ loop invariant k <= WAIVED_BELOW;
	    loop assigns k, bits;
	    loop variant WAIVED_BELOW - k; */
	for (unsigned k = 0; k < WAIVED_BELOW; k++)
		if (in_set(set, waived_below[k]))
			bits |= FIRST_BELOW >> k;
	return bits;
}

/* Returns true if a finding in component c rejects this input. */
/*@ requires \valid_read(s) && \valid_read(s->policy) && id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
static inline bool refuses_here(const struct subject *s, unsigned id, unsigned c)
{
	return urivet_refuses(s->policy, id, c) && !is_waived_below(s, id);
}

/* Returns the row of a finding in the report, or the number of rows if it is absent. Consecutive
 * occurrences are mostly of the same finding, so the `last` row is checked first. */
/*@ requires \valid_read(r) && r->count <= URIVET_MAX_FINDINGS;
    assigns \nothing;
    ensures \result <= r->count;
    ensures \result < r->count ==> r->finding[\result].id == id; */
static inline uint32_t row_of_finding(const struct urivet_report *r, uint32_t last, unsigned id)
{
	uint32_t row = 0;
	if (last < r->count && r->finding[last].id == id)
		return last;
	/*@ loop invariant row <= r->count;
	    loop assigns row;
	    loop variant r->count - row; */
	while (row < r->count && r->finding[row].id != id)
		row++;
	return row;
}

/* Returns true if the new occurrence should replace the stored one. The report stores the first
 * occurrence that rejects, or, if none does, the first one, so that it shows the cause of a
 * rejection instead of what an opaque query may contain. */
/*@ requires \valid_read(s) && \valid_read(s->policy) && \valid_read(f);
    requires f->id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
static bool stands_for_all(const struct subject *s, const struct urivet_finding *f, uint8_t c,
			   struct urivet_span where)
{
	const bool refuses = refuses_here(s, f->id, c);
	if (refuses != refuses_here(s, f->id, f->component))
		return refuses;
	return where.offset < f->span.offset;
}

/* Counts another occurrence of a finding. */
/*@ requires \valid(f);
    assigns f->count; */
static inline void count_again(struct urivet_finding *f)
{
	f->count += f->count < UINT32_MAX;
}

/* Adds another occurrence of a finding that is in the report. */
/*@ requires \valid_read(s) && \valid_read(s->policy) && \valid(f);
    requires \separated(s, s->policy, f) && f->id < URIVET_FINDING_LIMIT;
    assigns *f; */
COLD static void occurs_again(const struct subject *s, struct urivet_finding *f, uint8_t c,
			      struct urivet_span where)
{
	if (stands_for_all(s, f, c, where)) {
		f->span = where;
		f->component = c;
		f->in = s->in;
	}
	count_again(f);
}

/* Adds the first occurrence of a finding. If there is no room for it, it is only counted. */
/*@ requires \valid(r) && r->count <= URIVET_MAX_FINDINGS && id < URIVET_FINDING_LIMIT;
    assigns r->finding[0 .. URIVET_MAX_FINDINGS - 1], r->count, r->dropped;
    ensures r->count <= URIVET_MAX_FINDINGS; */
static void occurs(struct urivet_report *r, unsigned id, uint8_t c, uint32_t in,
		   struct urivet_span where)
{
	struct urivet_finding *f;
	if (r->count >= URIVET_MAX_FINDINGS) {
		r->dropped += r->dropped < UINT32_MAX;
		return;
	}
	f = &r->finding[r->count++];
	f->id = (uint16_t)id;
	f->class_ = urivet_finding_class[id];
	f->component = c;
	f->in = in;
	f->span = where;
	f->count = 1;
}

void urivet_add_anywhere(struct subject *s, enum urivet_id id, enum urivet_component c,
			 struct urivet_span where)
{
	struct urivet_finding *f;
	uint32_t row;
	s->refused = s->refused || refuses_here(s, id, (unsigned)c);
	if (is_verdict_only(s))
		return;
	row = row_of_finding(s->report, s->last, id);
	s->last = (uint8_t)row; /* set before the calls below, so that they are tail calls
	                         * without a stack frame */
	f = s->report->finding + row;
	if (row >= s->report->count)
		occurs(s->report, id, (uint8_t)c, s->in, where);
	else if ((unsigned)c == f->component && where.offset >= f->span.offset)
		count_again(f); /* the stored one is before it, and as good */
	else
		occurs_again(s, f, (uint8_t)c, where);
}

void urivet_add(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t offset,
		uint32_t end)
{
	urivet_add_anywhere(s, id, c, span(offset, end));
}

/* Returns the sum, or UINT32_MAX if it is larger. */
/*@ assigns \nothing; */
static uint32_t sum_up_to_most(uint32_t a, uint32_t b)
{
	return a <= UINT32_MAX - b ? a + b : UINT32_MAX;
}

void urivet_add_again(struct subject *s, enum urivet_id id, uint32_t times)
{
	struct urivet_report *r = s->report;
	const uint32_t row = row_of_finding(r, s->last, id);
	if (is_verdict_only(s))
		return;
	if (row < r->count)
		r->finding[row].count = sum_up_to_most(r->finding[row].count, times);
	else
		r->dropped = sum_up_to_most(r->dropped, times);
}

void urivet_add_runs(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t kinds)
{
	const bool single = kinds == PLUS || kinds == SEMICOLON || kinds == QUESTION;
	const struct urivet_span where = s->report->uri.part[c];
	const struct text t = within(s->t, where);
	uint32_t times = 0;
	/*@ loop invariant judging(s) && where.offset <= i && times <= i;
	    loop invariant stands(t, i, kinds) || t.end <= i;
	    loop assigns i, times, FOUND(s);
	    loop variant t.end - i; */
	for (uint32_t i = find(t, where.offset, kinds); i < t.end;) {
		const uint32_t end = skip(t, i, kinds);
		if (times++ == 0)
			urivet_add(s, id, c, i, end);
		i = find(t, single ? find_octet(t, end, octet(t, i)) : end, kinds);
	}
	if (times > 1)
		urivet_add_again(s, id, times - 1);
}

/*@ requires \valid_read(a) && \valid_read(b);
    assigns \nothing; */
static bool before(const struct urivet_finding *a, const struct urivet_finding *b)
{
	if (a->span.offset != b->span.offset)
		return a->span.offset < b->span.offset;
	return a->id < b->id;
}

/* Sorts the findings by insertion, because there are few and they are nearly in order. */
/*@ requires \valid(r) && r->count <= URIVET_MAX_FINDINGS;
    assigns r->finding[0 .. URIVET_MAX_FINDINGS - 1]; */
static COLD void order(struct urivet_report *r)
{
	/*@ loop invariant 1 <= k;
	    loop assigns k, r->finding[0 .. URIVET_MAX_FINDINGS - 1];
	    loop variant r->count - k; */
	for (uint32_t k = 1; k < r->count; k++) {
		const struct urivet_finding f = r->finding[k];
		uint32_t j = k;
		/*@ loop invariant j <= k;
		    loop assigns j, r->finding[0 .. URIVET_MAX_FINDINGS - 1];
		    loop variant j; */
		while (j > 0 && before(&f, &r->finding[j - 1])) {
			r->finding[j] = r->finding[j - 1];
			j--;
		}
		r->finding[j] = f;
	}
}

COLD struct urivet_report *urivet_report_in(struct short_report *memory)
{
	return (struct urivet_report *)memory;
}

bool urivet_is_filled(const struct urivet_report *report)
{
	return report != NULL && is_known_size(report->size, REPORT_LEAST) &&
	       report->count <= URIVET_MAX_FINDINGS;
}

/*@ requires \valid(r);
    assigns r->verdict; */
static inline enum urivet_verdict set_verdict(struct urivet_report *r, bool refused)
{
	return r->verdict = r->parsed && !refused ? URIVET_ACCEPT : URIVET_REJECT;
}

void urivet_close(struct subject *s)
{
	if (s->report->count > 1)
		order(s->report);
	(void)set_verdict(s->report, s->refused);
}

void urivet_drop_refusing(struct urivet_report *r, const struct urivet_policy *policy)
{
	uint32_t kept = 0;
	/*@ loop invariant 0 <= kept <= k <= r->count;
	    loop assigns k, kept, r->finding[0 .. URIVET_MAX_FINDINGS - 1];
	    loop variant r->count - k; */
	for (uint32_t k = 0; k < r->count; k++)
		if (!urivet_finding_refuses(r, &r->finding[k], policy))
			r->finding[kept++] = r->finding[k];
	r->count = kept;
	(void)set_verdict(r, r->dropped > 0);
}

enum urivet_verdict urivet_report_plain(struct urivet_report *r, uint32_t host, uint32_t path,
					uint32_t end)
{
	plain_components(&r->uri, host, path, end);
	r->size = sizeof *r;
	r->parsed = true;
	clear_findings(r);
	return set_verdict(r, false);
}
