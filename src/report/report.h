/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules look at (struct subject), and how they report: urivet_add() alone adds findings,
 * urivet_close() alone sets the verdict. */
#ifndef URIVET_REPORT_H
#define URIVET_REPORT_H

#include "uri/uri.h"

/* The size of the smallest report, that of version 0.2, which had no url_rule yet: see
 * text/sized.h. */
#define REPORT_LEAST offsetof(struct urivet_report, url_rule)

/* What receives the request that a target came with; zero: not known. */
struct listener {
	uint32_t scheme; /* enum urivet_scheme */
	uint32_t port;
};

/* Nobody reads the report, and no note is raised: no row is added to, a note says nothing. */
#define VERDICT_ONLY UINT8_MAX

/* One input while it is judged. */
struct subject {
	struct text t; /* the input; while its Host field is judged, that */
	const struct urivet_policy *policy;
	struct urivet_report *report;
	const struct urivet_url_rule *cover; /* the policy's rule about URLs that covers it, if any */
	struct kinds_seen seen;
	struct urivet_span host; /* as cut, with the brackets of a literal */
	struct listener listener;
	uint8_t in;              /* enum urivet_source: which input t is */
	bool web;                /* the rules for http hold: a known scheme, or no valid one */
	bool refused;            /* a finding that refuses was added */
	uint8_t last; /* the row of the report that was added to last, or VERDICT_ONLY */
};

/* What every rule may rely on, and what it may write to. */
/*@ predicate judging(struct subject *s) =
      \valid(s) && \valid(s->report) && \valid_read(s->policy) &&
      \separated(s, s->report, s->policy) && readable(s->t) &&
      parts_in(&s->report->uri, URIVET_MAX_LENGTH) && inside(s->host, URIVET_MAX_LENGTH) &&
      s->report->count <= URIVET_MAX_FINDINGS; */
/* clang-format off */
#define FOUND(s) (s)->refused, (s)->last, (s)->report->count, (s)->report->dropped, \
	(s)->report->finding[0 .. URIVET_MAX_FINDINGS - 1]
/* clang-format on */

/* Empties the report of findings and of what decided about the host, but for `url_rule`, for which
 * a report of an older program has no room: urivet_check_sized or urivet_fit_report did. */
/*@ requires \valid(r);
    assigns r->count, r->dropped, r->host_rule, r->address_rule, r->port_rule, r->address_row;
    ensures r->count == 0 && r->address_rule == \null; */
static inline void clear_findings(struct urivet_report *r)
{
	r->count = 0;
	r->dropped = 0;
	r->host_rule = NULL;
	r->address_rule = NULL;
	r->port_rule = NULL;
	r->address_row = NULL;
}

/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_verdict_only(const struct subject *s)
{
	return s->last == VERDICT_ONLY;
}

/* Is it settled what is asked for? Then no rule has to look any further. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_settled(const struct subject *s)
{
	return s->refused && is_verdict_only(s);
}

/* Adds an occurrence of a finding before there is a URI in the report, or where the span need not
 * lie in the subject's text. */
/*@ predicate recording(struct subject *s) =
      \valid(s) && \valid(s->report) && \valid_read(s->policy) &&
      \separated(s, s->report, s->policy) && s->report->count <= URIVET_MAX_FINDINGS; */
/*@ requires recording(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s);
    ensures recording(s); */
void urivet_add_anywhere(struct subject *s, enum urivet_id id, enum urivet_component c,
			 struct urivet_span where);

/* Adds an occurrence of a finding: the octets from `offset` up to `end`. */
/*@ requires judging(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s);
    ensures judging(s); */
void urivet_add(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t offset,
		uint32_t end);

/* Counts so many more occurrences of a finding, which come after one that was added. */
/*@ requires judging(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s);
    ensures judging(s); */
void urivet_add_again(struct subject *s, enum urivet_id id, uint32_t times);

/* Adds an occurrence for each run of octets in `kinds` within component c. */
/*@ requires judging(s) && id < URIVET_FINDING_LIMIT && 0 <= c < URIVET_COMPONENTS;
    assigns FOUND(s);
    ensures judging(s); */
void urivet_add_runs(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t kinds);

/* Orders the findings and sets the verdict; nothing else sets it. */
/*@ requires judging(s);
    assigns s->report->verdict, s->report->finding[0 .. URIVET_MAX_FINDINGS - 1];
    ensures judging(s); */
void urivet_close(struct subject *s);

/* Fills the whole report of a plain URL that ends with its path, and accepts it: its host, its path
 * and its end are at these offsets. */
/*@ requires \valid(r) && (host == 7 || host == 8) && host < path <= end <= URIVET_MAX_LENGTH;
    assigns *r;
    ensures parts_in(&r->uri, end);
    ensures r->count == 0 && r->address_rule == \null;
    ensures r->uri.part[URIVET_WHOLE].offset == 0;
    ensures r->uri.part[URIVET_HOST].offset == host;
    ensures r->uri.part[URIVET_HOST].length == path - host;
    ensures r->uri.part[URIVET_PATH].offset == path;
    ensures r->uri.part[URIVET_PATH].length == end - path; */
enum urivet_verdict urivet_report_plain(struct urivet_report *r, uint32_t host, uint32_t path,
					uint32_t end);

/* Returns true if an occurrence of the finding in component c is a note: it refuses only if the
 * policy raises it. */
/*@ requires \valid_read(policy) && id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
bool urivet_is_note_in(const struct urivet_policy *policy, unsigned id, unsigned c);

/* Is the query opaque? A program of before there was this member has no such policy. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_query_opaque(const struct urivet_policy *policy)
{
	return policy->size > offsetof(struct urivet_policy, opaque_query) && policy->opaque_query;
}

/* Is the finding in the set? */
/*@ requires \valid_read(set);
    assigns \nothing; */
static inline bool in_set(const struct urivet_finding_set *set, unsigned id)
{
	return (set->bits[id / 64 % (URIVET_FINDING_LIMIT / 64)] >> id % 64 & 1) != 0;
}

/* Does the policy report this finding of class policy? It does if it raises it, and also if it
 * waives it. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_on(const struct urivet_policy *policy, unsigned id)
{
	return in_set(&policy->raised, id) || in_set(&policy->waived, id);
}

/*@ assigns \nothing;
    ensures \result == \null || (\valid_read(\result) && id < URIVET_FINDING_LIMIT); */
const struct urivet_finding_row *urivet_finding_info(unsigned id);

/* Does the policy waive anything that is about more than addresses by number? If not, what readers
 * may take for another host is refused as such, and nobody has to ask which host that is. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_waivers(const struct urivet_policy *policy)
{
	const uint64_t *const w = policy->waived.bits;
	return (w[0] | w[1] | w[2] | w[3]) != 0;
}

/* Is the finding in the report? One that was dropped is not. */
/*@ requires \valid_read(r) && r->count <= URIVET_MAX_FINDINGS;
    assigns \nothing; */
static inline bool is_found(const struct urivet_report *r, unsigned id)
{
	/*@ loop invariant k <= r->count;
	    loop assigns k;
	    loop variant r->count - k; */
	for (uint32_t k = 0; k < r->count; k++)
		if (r->finding[k].id == id)
			return true;
	return false;
}

/* Does a finding refuse by this policy, if it lies in component c? */
/*@ requires \valid_read(policy) && id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
bool urivet_refuses(const struct urivet_policy *policy, unsigned id, unsigned c);

/* The policy that NULL stands for. */
extern const struct urivet_policy urivet_strict, urivet_public;

/* The class of each finding, by number. */
extern const uint8_t urivet_finding_class[URIVET_FINDING_LIMIT];

#endif
