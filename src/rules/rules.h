/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules. A rule reads the subject and adds findings to its report, nothing else.
 * Each group of rules looks at one component: first at the kinds of octets seen in
 * it, and at the octets only if these tell that there may be something to find. The
 * order of the rules changes neither findings nor verdict.
 *
 * G1 to G17 and D1 to D5 in comments are the rules of the strict grammar by the names
 * that tests/model/gate.py, which says them a second time, gives them.
 */
#ifndef URIVET_RULES_H
#define URIVET_RULES_H

#include "policy/addr.h"
#include "report/report.h"
#include "uri/host.h"

/* What the rules about a host rely on besides, and what they write to: the host lies in the text,
 * and if the report names a rule of a list, that rule exists. */
/*@ predicate judging_host(struct subject *s) =
      judging(s) && inside(s->host, s->t.end) &&
      (s->report->address_rule == \null || \valid_read(s->report->address_rule)); */
/* clang-format off */
#define FOUND_IN_HOST(s) FOUND_IN(s, (s)->report)
#define FOUND_IN(s, r) (s)->refused, (s)->last, (r)->count, (r)->dropped, \
	(r)->finding[0 .. URIVET_MAX_FINDINGS - 1], (r)->host_rule, (r)->address_rule, (r)->address_row

/* Most rules have one of these contracts: a subject as above goes in and comes out, and nothing
 * changes but what was found. */
#define ADDS_FINDINGS(s) \
	requires judging(s); assigns FOUND(s); ensures judging(s)
#define ADDS_HOST_FINDINGS(s) \
	requires judging_host(s); assigns FOUND(s); ensures judging_host(s)
#define JUDGES_HOST(s) \
	requires judging_host(s); assigns FOUND_IN_HOST(s); ensures judging_host(s)
/* clang-format on */

/* Are there triplets in component c? */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline bool has_triplets(const struct subject *s, enum urivet_component c)
{
	return (s->seen.in[c] & PERCENT) != 0;
}

/* The kinds of octets in component c; where nobody reads notes, without those of which nothing but
 * notes are made. */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline uint32_t seen_in(const struct subject *s, enum urivet_component c, uint32_t noted)
{
	return s->seen.in[c] & ~(is_verdict_only(s) ? noted : 0);
}

/* Is there an octet of these kinds in component c, or may there be one once it is decoded? */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline bool may_decode_to(const struct subject *s, enum urivet_component c, uint32_t kinds)
{
	return ((s->seen.in[c] | (has_triplets(s, c) ? s->seen.escaped : 0)) & kinds) != 0;
}

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_HOST_FINDINGS(s); */
static inline void add_in_host(struct subject *s, enum urivet_id id, uint32_t at, uint32_t end)
{
	urivet_add(s, id, URIVET_HOST, at, end);
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_octets(struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_scheme(struct subject *s);

/* Which rule of the policy about URLs, which has some, covers this one; after the rules about
 * octets, escapes, userinfo and path, and before all that ask is_covered(). */
/*@ requires judging_host(s);
    assigns s->cover, FOUND(s);
    ensures judging_host(s) && (s->cover == \null || \valid_read(s->cover)); */
void urivet_rules_url(struct subject *s);

/* The same for what no rule about URLs covers. */
/*@ ADDS_FINDINGS(s); */
void urivet_rules_uncovered(struct subject *s);

/* Does a rule about URLs allow the scheme, host and port? */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_covered(const struct subject *s)
{
	return s->cover != NULL;
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_userinfo(struct subject *s);

/*@ JUDGES_HOST(s); */
void urivet_rules_host(struct subject *s);

/* The rules of the policy about a name other than its list of hosts, for the name that fills t from
 * `at` on. `allowed`: a list allows the name, so that its addresses are only noted. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
void urivet_rules_known_name(struct subject *s, struct text t, uint32_t at, uint32_t seen,
			     bool allowed);

/* Is the name one of those that are known to lead inside, or that spell addresses, or does the
 * policy find something about its labels? */
/*@ requires \valid_read(policy) && readable(t) && at < t.end;
    assigns \nothing; */
bool urivet_is_known_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Judges a name of which something was found by the lists, as it is written and as readers may have
 * it otherwise: true if it is allowed. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
bool urivet_rules_forms(struct subject *s, struct text t, uint32_t at, uint32_t seen);

/* The policy's rules about hosts that some reader takes for this URL's, as far as the policy waives
 * the findings that say so. */
/*@ JUDGES_HOST(s); */
void urivet_rules_other_hosts(struct subject *s);

/* It cannot be told which address the host at `where` stands for: whatever denies one denies it. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_unread_address(struct subject *s, struct urivet_span where);

/* The same for a host that a list of names allows: rules that deny addresses hold all the same. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_denied_unread(struct subject *s, struct urivet_span where);

/* The policy's rules about an IPv4 address that some reader takes for the host. */
/*@ requires inside(where, URIVET_MAX_LENGTH) && \valid_read(ipv4 + (0 .. 3));
    JUDGES_HOST(s); */
void urivet_rules_ipv4_host(struct subject *s, const uint8_t ipv4[4], struct urivet_span where);

/* The policy's rules about `name`, the host without a final dot, and about addresses that
 * are spelled in it. `seen`: the kinds of octets in the host. */
/*@ requires inside(name, s->t.end); JUDGES_HOST(s); */
void urivet_rules_name(struct subject *s, struct urivet_span name, uint32_t seen);

/* Does the policy have rules about names at all? */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_judges_names(const struct urivet_policy *policy);

/* True only if no rule of the policy finds anything in the plain name that fills t from `at` on. */
/*@ requires \valid_read(policy) && readable(t) && at < t.end;
    assigns \nothing; */
bool urivet_is_quiet_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* The policy's rules about the address that the host is, or that a peer has. */
/*@ JUDGES_HOST(s); */
void urivet_rules_address(struct subject *s);

/* The same, and the policy's rules about hosts that are addresses at all. */
/*@ JUDGES_HOST(s); */
void urivet_rules_address_host(struct subject *s);

/* The policy's rules about an IPv4 address that is spelled in a name, at `where`. */
/*@ requires inside(where, URIVET_MAX_LENGTH);
    requires \valid_read(ipv4 + (0 .. 3));
    JUDGES_HOST(s); */
void urivet_rules_spelled_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where);

/* The same for an IPv6 address. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_spelled_ipv6(struct subject *s, const uint8_t address[16],
			       struct urivet_span where);

/* The rules that deny addresses, for one that is spelled in a name which a rule of the list of
 * hosts allows. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_denied_spelling(struct subject *s, const uint8_t *address, unsigned octets,
				  struct urivet_span where);

/* What may stand below a domain whose names spell addresses, beside the address. */
enum words { WORDS_ANY, WORDS_KEYWORDS, WORDS_NONE };

/* Judges the IPv4 addresses that are spelled in decimal digits in any name, that fills t from `at`
 * on. `allowed`: by the list of hosts, so that only rules count that deny addresses. */
/*@ requires readable(t) && t.end <= s->t.end; JUDGES_HOST(s); */
void urivet_rules_spelled(struct subject *s, struct text t, uint32_t at, bool allowed);

/* Judges the other addresses in what stands before a domain whose names spell addresses: true if
 * it spells one, and all that is left of it is accounted for. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
bool urivet_rules_spelled_below(struct subject *s, struct text t, uint32_t at, enum words words,
				bool allowed);

/*@ JUDGES_HOST(s); */
void urivet_rules_literal(struct subject *s);

/* `alabels`: some label begins as an A-label does. */
/*@ ADDS_HOST_FINDINGS(s); */
void urivet_rules_idn(struct subject *s, bool alabels);

/* What people may take the name for that fills t from `at` on: letters of other scripts, and names
 * that are protected. `seen`: the kinds of octets in it. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
void urivet_rules_looks(struct subject *s, struct text t, uint32_t at, uint32_t seen);

/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
void urivet_rules_port(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
void urivet_rules_peer_port(struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_escapes(struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_path(struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_query(struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_tail(struct subject *s);

/* Does a text with a dot, a colon and digits stand in the tail that fills t from `at` on, so that
 * they would be read as host and port where the URL has no port? Then *where is what they fill. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(where);
    assigns *where;
    ensures \result ==> at <= where->offset <= where->offset + where->length <= t.end; */
bool urivet_has_port_in_tail(struct text t, uint32_t at, struct urivet_span *where);

#endif
