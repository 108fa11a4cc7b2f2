/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules. A rule reads the subject and only adds findings to its report. Each group of rules
 * covers one component. It first checks the kinds of octets seen there, and scans the octets only
 * if those kinds can cause a finding. The order of the rules changes neither findings nor verdict.
 *
 * A reader is any program that parses the URL, such as a client, proxy or server. Many findings
 * report that readers disagree.
 *
 * G1 to G17 and D1 to D5 in comments are rules of the strict grammar. The names come from
 * tests/core/model/gate.py, a second implementation of that grammar.
 */
#ifndef URIVET_RULES_H
#define URIVET_RULES_H

#include "plain/plain.h"
#include "policy/addr.h"
#include "report/report.h"
#include "uri/host.h"

/* What the host rules additionally require and what they modify. The host lies in the text. If the
 * report names a rule of a list, that rule exists. */
/*@ predicate judging_host(struct subject *s) =
      judging(s) && inside(s->host, s->t.end) &&
      (s->report->address_rule == \null || \valid_read(s->report->address_rule)); */
/* clang-format off */
#define FOUND_IN_HOST(s) FOUND_IN(s, (s)->report)
#define FOUND_IN(s, r) (s)->refused, (s)->last, (r)->count, (r)->dropped, \
	(r)->finding[0 .. URIVET_MAX_FINDINGS - 1], (r)->host_rule, (r)->address_rule, (r)->address_row

/* Contracts of most rules: they take and leave a valid subject, and change only the findings. */
#define ADDS_FINDINGS(s) \
	requires judging(s); assigns FOUND(s); ensures judging(s)
#define ADDS_HOST_FINDINGS(s) \
	requires judging_host(s); assigns FOUND(s); ensures judging_host(s)
#define JUDGES_HOST(s) \
	requires judging_host(s); assigns FOUND_IN_HOST(s); ensures judging_host(s)
/* clang-format on */

/* Returns true if component c contains percent-encoded triplets. */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline bool has_triplets(const struct subject *s, enum urivet_component c)
{
	return (s->seen.in[c] & PERCENT) != 0;
}

/* Returns the kinds of octets in component c. In verdict-only mode, leaves out the kinds in
 * `noted`, which only lead to notes. */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline uint32_t seen_in(const struct subject *s, enum urivet_component c, uint32_t noted)
{
	return s->seen.in[c] & ~(is_verdict_only(s) ? noted : 0);
}

/* Returns the kinds of what "%" of component c begin, at least: see urivet_escape(). */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline uint32_t escapes_of(const struct subject *s, enum urivet_component c)
{
	if (c == URIVET_PATH)
		return s->seen.escaped_path;
	return has_triplets(s, c) ? s->seen.escaped : 0;
}

/* Returns true if component c contains an octet of these kinds, or may contain one once decoded. */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing; */
static inline bool may_decode_to(const struct subject *s, enum urivet_component c, uint32_t kinds)
{
	return ((s->seen.in[c] | escapes_of(s, c)) & kinds) != 0;
}

/* Returns the octet besides ":" with which a colon in component c may begin: "%" if one may be
 * percent-encoded there. */
/*@ requires \valid_read(s) && 0 <= c < URIVET_COMPONENTS;
    assigns \nothing;
    ensures \result < AT_END; */
static inline unsigned first_of_colon(const struct subject *s, enum urivet_component c)
{
	return escapes_of(s, c) & COLON ? '%' : ':';
}

/*@ requires id < URIVET_FINDING_LIMIT; ADDS_HOST_FINDINGS(s); */
static inline void add_in_host(struct subject *s, enum urivet_id id, uint32_t at, uint32_t end)
{
	urivet_add(s, id, URIVET_HOST, at, end);
}

/*
 * The kinds of octets for which rules are evaluated. Each function returns true if rules of the
 * group that follows it may find something in the components after the authority. The kinds of
 * octets are complete except for plain octets: see plain/plain.h, which lists those of each group.
 */

/* Returns true if there are octets that no URI contains. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool has_illegal_octets(const struct subject *s)
{
	return (s->seen.in[URIVET_WHOLE] & (BLANK | HIGH | FORBIDDEN)) != 0;
}

/* Octets that are illegal or delimiters, and a second "#". */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool has_odd_octets(const struct subject *s)
{
	return (s->seen.in[URIVET_WHOLE] & WAKES_OCTETS) != 0;
}

/* Returns the end of what rules about labels, triplets, letter case, looks and spelled addresses
 * judge: of the host, or of as many octets of it as the policy allows, if it is refused as
 * longer. */
/*@ requires judging_host(s);
    assigns \nothing;
    ensures s->host.offset <= \result <= s->host.offset + s->host.length; */
uint32_t urivet_judged_end(const struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_octets(struct subject *s);

/* Returns true if the URL has a valid scheme, and the policy or its URL rule allows it. */
/*@ requires judging(s);
    assigns \nothing; */
bool urivet_allows_scheme(const struct subject *s);

/*@ ADDS_FINDINGS(s); */
void urivet_rules_scheme(struct subject *s);

/* Finds the policy's URL rule that covers this URL. Requires a policy with URL rules. Runs after
 * the rules about octets, escapes, userinfo and path, and before any call of is_covered(). */
/*@ requires judging_host(s);
    assigns s->cover, FOUND(s);
    ensures judging_host(s) && s->cover <= s->policy->url_count; */
void urivet_rules_url(struct subject *s);

/* Adds the findings about URL rules for a URL that no URL rule covers. */
/*@ ADDS_FINDINGS(s); */
void urivet_rules_uncovered(struct subject *s);

/* Returns true if a URL rule allows the scheme, host and port. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool is_covered(const struct subject *s)
{
	return s->cover > 0;
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_userinfo(struct subject *s);

/* Applies the rules about the form of the host. Returns the length, without a final dot, of the
 * name to which the other rules apply, or NO_NAME. */
#define NO_NAME UINT32_MAX
/*@ JUDGES_HOST(s);
    ensures \result <= s->host.length || \result == NO_NAME; */
uint32_t urivet_rules_host_form(struct subject *s);

/* Applies the policy's name rules, except its host list, to the name that fills t from `at` on.
 * `allowed`: a list allows the name, so only rules that deny its addresses apply. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
void urivet_rules_known_name(struct subject *s, struct text t, uint32_t at, uint32_t seen,
			     bool allowed);

/* Returns true if the name is known to lead to an internal network or to spell addresses, or if the
 * policy has a finding about its labels. */
/*@ requires \valid_read(policy) && readable(t) && at < t.end;
    assigns \nothing; */
bool urivet_is_known_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Checks a name that has findings against the host list, both as written and as other readers may
 * decode it. Returns true if it is allowed. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
bool urivet_rules_forms(struct subject *s, struct text t, uint32_t at, uint32_t seen);

/* Applies the policy's host rules to other hosts that some reader finds in this URL, where the
 * policy waives the findings that report such hosts. */
/*@ JUDGES_HOST(s); */
void urivet_rules_other_hosts(struct subject *s);

/* Handles a host at `where` whose address is unknown: every rule that denies an address matches. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_unread_address(struct subject *s, struct urivet_span where);

/* Applies only the rules that deny addresses to a host at `where` whose address is unknown, because
 * a list of names allows the host. */
/*@ requires inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_denied_unread(struct subject *s, struct urivet_span where);

/* Applies the policy's rules to an IPv4 address that some reader finds in the host. */
/*@ requires inside(where, URIVET_MAX_LENGTH) && \valid_read(ipv4 + (0 .. 3));
    JUDGES_HOST(s); */
void urivet_rules_ipv4_host(struct subject *s, const uint8_t ipv4[4], struct urivet_span where);

/* Applies the policy's rules to `name`, the host without a final dot, and to addresses spelled in
 * it. `seen`: the kinds of octets in the host. */
/*@ requires inside(name, s->t.end) && name.offset == s->host.offset; JUDGES_HOST(s); */
void urivet_rules_name(struct subject *s, struct urivet_span name, uint32_t seen);

/* Applies all rules about the host. Those about where it leads are last, when little of the stack
 * is in use. */
/*@ JUDGES_HOST(s); */
static inline void urivet_rules_host(struct subject *s)
{
	const uint32_t name = urivet_rules_host_form(s);
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	if (name != NO_NAME)
		urivet_rules_name(s, span(s->host.offset, s->host.offset + name),
				  s->seen.in[URIVET_HOST]);
	//@ assert s->report == \at(s->report, Pre) && judging_host(s);
	if (has_waivers(s->policy))
		urivet_rules_other_hosts(s);
}

/* Returns true if the policy has any rules about names. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_judges_names(const struct urivet_policy *policy);

/* Returns true only if no rule of the policy has a finding for the plain name that fills t from
 * `at` on. */
/*@ requires \valid_read(policy) && readable(t) && at < t.end;
    assigns \nothing; */
bool urivet_is_quiet_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* Applies the policy's rules to the address that is the host, or to a peer's address. */
/*@ JUDGES_HOST(s); */
void urivet_rules_address(struct subject *s);

/* Applies the policy's rules about addresses, and its rules about hosts that are addresses. */
/*@ JUDGES_HOST(s); */
void urivet_rules_address_host(struct subject *s);

/* Applies the policy's rules to an IPv4 address that is spelled in a name, at `where`. */
/*@ requires inside(where, URIVET_MAX_LENGTH);
    requires \valid_read(ipv4 + (0 .. 3));
    JUDGES_HOST(s); */
void urivet_rules_spelled_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where);

/* Applies the policy's rules to an IPv6 address that is spelled in a name, at `where`. */
/*@ requires address_of(address, 16) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_spelled_ipv6(struct subject *s, const uint8_t address[16],
			       struct urivet_span where);

/* Applies only the rules that deny addresses, to one spelled in a name that the host list
 * allows. */
/*@ requires address_of(address, octets) && inside(where, URIVET_MAX_LENGTH); JUDGES_HOST(s); */
void urivet_rules_denied_spelling(struct subject *s, const uint8_t *address, unsigned octets,
				  struct urivet_span where);

/* The words that a name may contain besides the address, below a domain whose names spell
 * addresses. */
enum words { WORDS_ANY, WORDS_KEYWORDS, WORDS_NONE };

/* Checks the IPv4 addresses in decimal digits in the name that fills t from `at` on. `allowed`: the
 * host list allows the name, so only rules that deny addresses apply. */
/*@ requires readable(t) && t.end <= s->t.end; JUDGES_HOST(s); */
void urivet_rules_spelled(struct subject *s, struct text t, uint32_t at, bool allowed);

/* Checks the other addresses in the labels before a domain whose names spell addresses. Returns
 * true if the labels spell an address and contain nothing unexplained. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
bool urivet_rules_spelled_below(struct subject *s, struct text t, uint32_t at, enum words words,
				bool allowed);

/*@ JUDGES_HOST(s); */
void urivet_rules_literal(struct subject *s);

/* `alabels`: at least one label starts with the A-label prefix. */
/*@ ADDS_HOST_FINDINGS(s); */
void urivet_rules_idn(struct subject *s, bool alabels);

/* Checks the name that fills t from `at` on for lookalikes: letters of other scripts, and
 * imitations of protected names. `seen`: the kinds of octets in it. */
/*@ requires readable(t) && t.end <= s->t.end && at <= t.end; JUDGES_HOST(s); */
void urivet_rules_looks(struct subject *s, struct text t, uint32_t at, uint32_t seen);

/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
void urivet_rules_port(struct subject *s);

/* Returns true if the URL rule covers the port; a range has blocked ports only on this machine. */
/*@ requires \valid_read(r);
    assigns \nothing; */
bool urivet_has_port(const struct urivet_url_rule *r, uint32_t port);

/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
void urivet_rules_peer_port(struct subject *s);

/* Triplets, or octets above 0x7F, which readers may escape. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool has_escapes(const struct subject *s)
{
	return (s->seen.in[URIVET_WHOLE] & WAKES_ESCAPES) != 0;
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_escapes(struct subject *s);

/* Returns true if the policy has the rules about what servers make of a path, or reports this
 * finding of them. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
static inline bool is_for_servers(const struct urivet_policy *policy, unsigned id)
{
	return is_query_opaque(policy) || is_on(policy, id);
}

/* An empty path, one that has many segments, slashes and dots next to a slash, octets that separate
 * segments or parameters for some reader, and any path in which the policy looks for names of
 * devices. */
/*@ requires \valid_read(s) && \valid_read(s->report) && \valid_read(s->policy);
    assigns \nothing; */
static inline bool has_odd_path(const struct subject *s)
{
	const struct urivet_span path = s->report->uri.part[URIVET_PATH];
	return (s->seen.in[URIVET_PATH] & WAKES_PATH) != 0 ||
	       (s->seen.escaped_path & WAKES_PATH_ESCAPED) != 0 || s->seen.beside_slash != 0 ||
	       path.length == 0 || path.length >= MANY_SEGMENTS ||
	       is_on(s->policy, URIVET_F_PATH_TRAILING_DOT_SPACE);
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_path(struct subject *s);

/* A query or fragment, or a URL in the path. */
/*@ requires \valid_read(s) && \valid_read(s->report);
    assigns \nothing; */
static inline bool has_query(const struct subject *s)
{
	const uint32_t tail = bit(URIVET_QUERY) | bit(URIVET_FRAGMENT);
	return (s->report->uri.present & tail) != 0 || may_decode_to(s, URIVET_PATH, WAKES_URLS);
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_query(struct subject *s);

/* A colon or apostrophe in path, query or fragment. */
/*@ requires \valid_read(s);
    assigns \nothing; */
static inline bool has_odd_tail(const struct subject *s)
{
	return ((s->seen.in[URIVET_PATH] | s->seen.in[URIVET_QUERY] | s->seen.in[URIVET_FRAGMENT]) &
		WAKES_TAIL) != 0;
}

/*@ ADDS_FINDINGS(s); */
void urivet_rules_tail(struct subject *s);

/* Returns true if the tail that fills t from `at` on contains text with a dot, a colon and digits,
 * which some reader may take for host and port because the URL has no port. Then sets *where to
 * that text. */
/*@ requires readable(t) && at <= URIVET_MAX_LENGTH && \valid(where);
    assigns *where;
    ensures \result ==> at <= where->offset <= where->offset + where->length <= t.end; */
bool urivet_has_port_in_tail(struct text t, uint32_t at, struct urivet_span *where);

#endif
