/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules: facts in, findings out, nothing else. Each group looks at one
 * piece of the subject, asks the kinds of octets seen there first, and only
 * then reads. Their order changes neither findings nor verdict.
 */
#ifndef URIVET_RULES_H
#define URIVET_RULES_H

#include "uri/host.h"
#include "report/report.h"

/* What the rules of a host rely on beside, and what they write: the host lies in the text,
 * and a rule that the report names is there. */
/*@ predicate judging_host(struct subject *s) =
      judging(s) && inside(s->host, s->t.end) &&
      (s->report->address_rule == \null || \valid_read(s->report->address_rule)); */
/* clang-format off */
#define FOUND_IN_HOST(s) FOUND_IN(s, (s)->report)
#define FOUND_IN(s, r) (s)->refused, (r)->count, (r)->dropped, \
	(r)->finding[0 .. URIVET_MAX_FINDINGS - 1], (r)->host_rule, (r)->address_rule, (r)->address_row
/* clang-format on */

/*@ requires judging_host(s) && id < URIVET_FINDING_LIMIT;
    assigns FOUND(s);
    ensures judging_host(s); */
static inline void add_in_host(struct subject *s, enum urivet_id id, uint32_t at, uint32_t end)
{
	urivet_add(s, id, URIVET_HOST, at, end);
}

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_octets(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_scheme(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_userinfo(struct subject *s);

/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
void urivet_rules_host(struct subject *s);

/* What a policy says of the name, the host without a final dot, and of addresses that
 * it spells. `seen`: the kinds of octets in it. */
/*@ requires judging_host(s) && inside(name, s->t.end);
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
void urivet_rules_name(struct subject *s, struct urivet_span name, uint32_t seen);

/* Has the policy a rule about names that is on? */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_judges_names(const struct urivet_policy *policy);
/* Has it surely nothing to say of the plain name that fills t from `at` on? */
/*@ requires \valid_read(policy) && readable(t) && at < t.end;
    assigns \nothing; */
bool urivet_is_quiet_name(const struct urivet_policy *policy, struct text t, uint32_t at);

/* What it says of the address that the host is, or that a peer has. */
/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
void urivet_rules_address(struct subject *s);

/* And of its being an address. */
/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
void urivet_rules_address_host(struct subject *s);

/* What it says of the IPv4 address that a name spells, and where. */
/*@ requires judging_host(s) && inside(where, URIVET_MAX_LENGTH);
    requires \valid_read(ipv4 + (0 .. 3));
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
void urivet_rules_spelled_ipv4(struct subject *s, const uint8_t ipv4[4], struct urivet_span where);

/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s);
    ensures judging_host(s); */
void urivet_rules_literal(struct subject *s);

/*@ requires judging_host(s);
    assigns FOUND(s);
    ensures judging_host(s); */
void urivet_rules_idn(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
void urivet_rules_port(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s), s->report->port_rule;
    ensures judging(s); */
void urivet_rules_peer_port(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_escapes(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_path(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_query(struct subject *s);

/*@ requires judging(s);
    assigns FOUND(s);
    ensures judging(s); */
void urivet_rules_tail(struct subject *s);

#endif
