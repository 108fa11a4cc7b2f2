/* SPDX-License-Identifier: Apache-2.0 */
/* The input of the rules (struct subject), and their output: only urivet_add() and its variants add
 * findings, only urivet_close() sets the verdict. */
#ifndef URIVET_REPORT_H
#define URIVET_REPORT_H

#include "uri/uri.h"

/* The size of the smallest report, in octets: see text/sized.h. */
#define REPORT_LEAST URIVET_REPORT_OCTETS

/* The size of the smallest report with its room. */
#define REPORT_WITH_ROOM (offsetof(struct urivet_report, room) + URIVET_ROOM)

/* Memory for a report without its room, which would not fit on the stack. In a proof it is whole,
 * because WP cannot read octets as a structure. */
struct short_report {
#if defined(__FRAMAC__) && !defined(__TINYC__) /* which mutants are compiled by */
	struct urivet_report whole;
#else
	uint64_t words[(URIVET_REPORT_OCTETS + 7) / 8];
#endif
};

/* Returns the memory as a report, in which only the members before the room may be used. */
/*@ requires \valid(memory);
    assigns \nothing;
    ensures \valid(\result) && \base_addr(\result) == \base_addr(memory); */
struct urivet_report *urivet_report_in(struct short_report *memory);

/* The listener that received the request of a target; zero: not known. */
struct listener {
	uint16_t scheme; /* enum urivet_scheme */
	uint16_t port;
};

/* Verdict-only mode: findings are not stored, and notes are skipped because none is raised. */
#define VERDICT_ONLY UINT8_MAX

/* One input while it is being judged. */
struct subject {
	struct text t; /* the input; the Host field while that is judged */
	const struct urivet_policy *policy;
	struct urivet_report *report;
	uint64_t below; /* also waived, by rules for paths: see urivet_below_bit() */
	struct kinds_seen seen;
	struct urivet_span host; /* as split off, with the brackets of a literal */
	uint32_t cover; /* the number, from 1, of the policy's URL rule that covers the input; 0:
	                 * none */
	struct listener listener;
	uint8_t in;              /* enum urivet_source: the input that t is */
	bool web;                /* the rules for http apply: a known scheme, or no valid one */
	bool refused;            /* a finding that rejects was added */
	uint8_t last; /* the row of the report that was used last, or VERDICT_ONLY */
};

/* The precondition of every rule, and the locations it may assign. */
/*@ predicate judging(struct subject *s) =
      \valid(s) && \valid(s->report) && \valid_read(s->policy) &&
      \separated(s, s->report, s->policy) && readable(s->t) &&
      parts_in(&s->report->uri, URIVET_MAX_LENGTH) && inside(s->host, URIVET_MAX_LENGTH) &&
      s->cover <= s->policy->url_count && s->report->count <= URIVET_MAX_FINDINGS; */
/* clang-format off */
#define FOUND(s) (s)->refused, (s)->last, (s)->report->count, (s)->report->dropped, \
	(s)->report->finding[0 .. URIVET_MAX_FINDINGS - 1]
/* clang-format on */

/* Clears the findings and the rules that decided. */
/*@ requires \valid(r);
    assigns r->count, r->dropped, r->host_rule, r->address_rule, r->port_rule, r->address_row,
            r->url_rule, r->path_rule, r->path_waived, r->parameter_rule, r->parameter_allowed;
    ensures r->count == 0 && r->address_rule == \null; */
static inline void clear_findings(struct urivet_report *r)
{
	r->count = 0;
	r->dropped = 0;
	r->host_rule = NULL;
	r->address_rule = NULL;
	r->port_rule = NULL;
	r->address_row = NULL;
	r->url_rule = NULL;
	r->path_rule = NULL;
	r->path_waived = 0;
	r->parameter_rule = NULL;
	r->parameter_allowed = false;
}

/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_verdict_only(const struct subject *s)
{
	return s->last == VERDICT_ONLY;
}

/* Returns true if no further rule can change the verdict. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_settled(const struct subject *s)
{
	return s->refused && is_verdict_only(s);
}

/* Adds an occurrence of a finding, also before the report has a URI, and with a span that may
 * exceed the subject's text. */
/*@ predicate recording(struct subject *s) =
      \valid(s) && \valid(s->report) && \valid_read(s->policy) &&
      \separated(s, s->report, s->policy) && s->cover <= s->policy->url_count &&
      s->report->count <= URIVET_MAX_FINDINGS; */
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

/* Counts `times` more occurrences of a finding, which come after one that was added. */
/*@ requires judging(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s);
    ensures judging(s); */
void urivet_add_again(struct subject *s, enum urivet_id id, uint32_t times);

/* Adds an occurrence for each run of octets in `kinds` within component c. */
/*@ requires judging(s) && id < URIVET_FINDING_LIMIT && 0 <= c < URIVET_COMPONENTS;
    assigns FOUND(s);
    ensures judging(s); */
void urivet_add_runs(struct subject *s, enum urivet_id id, enum urivet_component c, uint32_t kinds);

/* Returns true if the report was filled by a function of this library. */
/*@ requires report == \null || \valid_read(report);
    assigns \nothing;
    ensures \result ==> report != \null && report->count <= URIVET_MAX_FINDINGS; */
bool urivet_is_filled(const struct urivet_report *report);

/* Orders the findings and sets the verdict. */
/*@ requires judging(s);
    assigns s->report->verdict, s->report->finding[0 .. URIVET_MAX_FINDINGS - 1];
    ensures judging(s); */
void urivet_close(struct subject *s);

/* Removes the findings that refuse by this policy, and sets the verdict that is left: accepted,
 * unless the text does not parse or findings were dropped. */
/*@ requires \valid(r) && r->count <= URIVET_MAX_FINDINGS && \valid_read(policy);
    requires \separated(r, policy);
    assigns *r;
    ensures r->count <= \old(r->count); */
void urivet_drop_refusing(struct urivet_report *r, const struct urivet_policy *policy);

/* See urivet.h. */
/*@ requires report == \null || \valid_read(report);
    requires finding == \null || \valid_read(finding);
    requires policy == \null || \valid_read(policy);
    assigns \nothing; */
bool urivet_finding_refuses(const struct urivet_report *report,
			    const struct urivet_finding *finding,
			    const struct urivet_policy *policy);

/* Fills the whole report of an accepted plain URL that ends with its path. `host`, `path` and `end`
 * are the offsets of its host, its path and its end. */
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

/* Returns true if an occurrence of the finding in component c is a note: it rejects only if the
 * policy raises it. */
/*@ requires \valid_read(policy) && id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
bool urivet_is_note_in(const struct urivet_policy *policy, unsigned id, unsigned c);

/* Returns true if the query is opaque. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_query_opaque(const struct urivet_policy *policy)
{
	return policy->opaque_query;
}

/* Returns true if the finding is in the set. */
/*@ requires \valid_read(set);
    assigns \nothing; */
static inline bool in_set(const struct urivet_finding_set *set, unsigned id)
{
	return (set->bits[id / 64 % (URIVET_FINDING_LIMIT / 64)] >> id % 64 & 1) != 0;
}

/* Returns the bit of a finding in its word of a set. */
/*@ assigns \nothing; */
static inline uint64_t finding_bit(unsigned id)
{
	return UINT64_C(0x8000000000000000) >> (63 - id % 64);
}

/*@ requires \valid(set) && id < URIVET_FINDING_LIMIT;
    assigns set->bits[id / 64]; */
static inline void include_finding(struct urivet_finding_set *set, unsigned id)
{
	set->bits[id / 64] |= finding_bit(id);
}

/*@ requires \valid(set) && id < URIVET_FINDING_LIMIT;
    assigns set->bits[id / 64]; */
static inline void exclude_finding(struct urivet_finding_set *set, unsigned id)
{
	set->bits[id / 64] &= ~finding_bit(id);
}

/* Returns true if the policy reports this finding of class policy, because it raises or waives
 * it. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_on(const struct urivet_policy *policy, unsigned id)
{
	return in_set(&policy->raised, id) || in_set(&policy->waived, id);
}

/*@ assigns \nothing;
    ensures \result == \null || (\valid_read(\result) && id < URIVET_FINDING_LIMIT); */
const struct urivet_finding_row *urivet_finding_info(unsigned id);

/* Returns true if the policy waives a finding with a number below 256. Those from 256 on are about
 * addresses and rules only. Without such a waiver, a host that readers read differently is rejected
 * anyway, so its other readings need not be checked. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool has_waivers(const struct urivet_policy *policy)
{
	const uint64_t *const w = policy->waived.bits;
	return (w[0] | w[1] | w[2] | w[3]) != 0;
}

/* Returns true if the finding is stored in the report. A dropped one is not. */
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

/* The findings that rules for paths can waive. They are about path and query, and with them waived
 * a path still does not lead out of its prefix: dot segments in any spelling, backslashes and
 * octets that readers drop are not among them. The last one is about a missing Host field. */
/* clang-format off */
#define WAIVED_FOR_PATHS(R, k) \
	R(k, NON_ASCII) R(k, FORBIDDEN_CHAR) R(k, TEMPLATE_OR_GLOB) \
	R(k, TOO_MANY_SEGMENTS) R(k, ESCAPED_CRLF) R(k, DOUBLE_ESCAPE) \
	R(k, ESCAPED_UNRESERVED) R(k, ESCAPED_SLASH) R(k, ESCAPED_DELIMITER) \
	R(k, INVALID_UTF8_ESCAPE) R(k, LATIN1_ESCAPE) R(k, ESCAPE_AFTER_ASTRAL) \
	R(k, ESCAPED_BIDI) R(k, ESCAPE_MIXED_IRI) R(k, ESCAPED_INVISIBLE) \
	R(k, ESCAPED_UNICODE_TRUNCATION) R(k, ESCAPE_CASE) R(k, ESCAPED_PERCENT) \
	R(k, PATH_DELIMITER_ESCAPED) R(k, ESCAPED_COMPATIBILITY) \
	R(k, PATH_DOUBLE_SLASH) R(k, PATH_TRAILING_DOT_SPACE) R(k, PATH_SEMICOLON) \
	R(k, PATH_BACKSLASH_ESCAPED) R(k, URL_IN_PATH) R(k, IPV6_PATH_DIGIT) \
	R(k, PATH_FINAL_SEMICOLON) R(k, COLON_PORT_IN_TAIL) R(k, TAIL_COLON_DIGITS) \
	R(k, TAIL_APOSTROPHE) R(k, QUERY_EMPTY) R(k, QUERY_NESTED_BRACKETS) \
	R(k, QUERY_DUPLICATE_KEY) R(k, QUERY_SEPARATOR) R(k, QUERY_NESTED_URL) \
	R(k, QUERY_SECRET) R(k, QUERY_SHARED_TOKEN) R(k, QUERY_EXFILTRATION) \
	R(k, PLUS_VS_SPACE) R(k, HOST_MISSING)
/* clang-format on */

/* Returns the bit of a finding that rules for paths can waive, 0 for others. These rules also waive
 * `host-empty` and `host-not-allowed` where they waive `host-missing`. */
/*@ assigns \nothing; */
uint64_t urivet_below_bit(unsigned id);

/* Returns the bits of the findings in a set. */
/*@ requires \valid_read(set);
    assigns \nothing; */
uint64_t urivet_below_bits(const struct urivet_finding_set *set);

/* Returns true if rules for paths waive the finding for this input. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_waived_below(const struct subject *s, unsigned id)
{
	return s->below != 0 && (s->below & urivet_below_bit(id)) != 0;
}

/* Returns true if the policy waives the finding for this input. */
/*@ requires \valid_read(s) && \valid_read(s->policy);
    assigns \nothing; */
static inline bool is_waived(const struct subject *s, unsigned id)
{
	return in_set(&s->policy->waived, id) || is_waived_below(s, id);
}

/* Returns true if a finding in component c rejects by this policy. */
/*@ requires \valid_read(policy) && id < URIVET_FINDING_LIMIT;
    assigns \nothing; */
bool urivet_refuses(const struct urivet_policy *policy, unsigned id, unsigned c);

/* The built-in policies. NULL means strict. */
extern const struct urivet_policy urivet_strict, urivet_public, urivet_gateway;

/* The class of each finding, by number. */
extern const uint8_t urivet_finding_class[URIVET_FINDING_LIMIT];

#endif
