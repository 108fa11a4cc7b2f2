/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a judgement that URIs, request targets and peers have in common. */
#ifndef URIVET_CHECK_H
#define URIVET_CHECK_H

#include "policy/policy.h"
#include "rules/rules.h"
#include "text/sized.h"

/* What a judgement begins with: a report without findings, and a text, but no URI yet. */
/*@ predicate opened(struct subject *s) = recording(s) &&
      (s->report->address_rule == \null || \valid_read(s->report->address_rule));
    predicate given(struct urivet_report *report, struct urivet_policy *policy) =
      \valid(report) && (policy == \null || \valid_read(policy)) &&
      \separated(report, policy) && \separated(report, &urivet_strict); */

/* urivet_fit() for reports: true if this one can be filled. */
/*@ requires report == \null || \valid(report);
    assigns *report;
    ensures \result ==> report != \null; */
bool urivet_fit_report(struct urivet_report *report, size_t size);

/* Was it filled by a function of this library? */
/*@ requires report == \null || \valid_read(report);
    assigns \nothing;
    ensures \result ==> report != \null && report->count <= URIVET_MAX_FINDINGS; */
bool urivet_is_filled(const struct urivet_report *report);

/* Is a text longer than the policy allows? Then that is added as the one finding of the report,
 * which is complete so. */
/*@ requires recording(s);
    assigns FOUND(s), s->in, s->report->uri;
    ensures recording(s) && (!\result ==> length <= URIVET_MAX_LENGTH);
    ensures !\result ==> s->report->count == \old(s->report->count) && s->in == \old(s->in); */
bool urivet_is_too_long(struct subject *s, size_t length, enum urivet_source in);

/* Empties the report and takes the input in, for a policy that can be judged by. False: the
 * input is too long to be read, and the report is complete. */
/*@ requires \valid(s) && given(report, policy) && policy != \null;
    requires \separated(s, report, policy) && \separated(s, &urivet_strict);
    assigns *s, *report;
    ensures \result ==> opened(s) && s->report == report && length <= URIVET_MAX_LENGTH;
    ensures \result ==> readable(s->t) && s->t.end == length;
    ensures \result ==> s->host.offset == 0 && s->host.length == 0; */
bool urivet_begin(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		  const struct urivet_policy *policy);

/* The same for any policy (NULL: strict). False also for one that cannot be judged by. */
/*@ requires \valid(s) && given(report, policy);
    requires \separated(s, report, policy) && \separated(s, &urivet_strict);
    assigns *s, *report;
    ensures \result ==> opened(s) && s->report == report && length <= URIVET_MAX_LENGTH;
    ensures \result ==> readable(s->t) && s->t.end == length;
    ensures \result ==> s->host.offset == 0 && s->host.length == 0; */
bool urivet_open(struct subject *s, struct urivet_report *report, const void *data, size_t length,
		 const struct urivet_policy *policy);

/* What cannot be judged by, a policy or what is said of a request, is not read any further: the
 * report has this one finding. Strict stands in for the policy, so that nothing is waived. */
/*@ requires given(report, \null);
    assigns *report;
    ensures \result == URIVET_REJECT; */
enum urivet_verdict urivet_refuse_policy(struct urivet_report *report);

/* Splits and matches the input as a URI reference, and applies every rule. The policy's rules about
 * URLs apply only if `by_url_rules`: they cannot cover a request target. */
/*@ requires opened(s) && readable(s->t);
    assigns s->seen, s->host.offset, s->host.length, s->web, s->report->uri, s->report->parsed;
    assigns FOUND_IN_HOST(s), s->report->port_rule, s->cover;
    ensures judging(s); */
void urivet_judge(struct subject *s, bool by_url_rules);

/* Is it a plain URL? Then it is judged, by those rules alone that may find something in one. */
/*@ requires opened(s) && readable(s->t) && inside(s->host, s->t.end);
    requires \separated(s, s->report, s->policy);
    assigns s->seen, s->web, *s->report, FOUND_IN_HOST(s);
    ensures !\result ==> opened(s) && s->t == \old(s->t);
    ensures \result ==> judging(s); */
bool urivet_is_judged_plainly(struct subject *s);

/* The rules of userinfo, host and port, on the authority that was cut. */
/*@ requires judging_host(s);
    assigns FOUND_IN_HOST(s), s->report->port_rule;
    ensures judging_host(s); */
void urivet_judge_authority(struct subject *s);

/* The verdict of strict about an input of any length, without asking first whether it is brief. */
/*@ assigns \nothing; */
bool urivet_ok_at_length(const void *data, size_t length);

/* True only if the short way for plain URLs finds nothing in the data: then it is accepted by the
 * policy, which can be judged by. */
/*@ requires \valid_read(policy);
    assigns \nothing; */
bool urivet_passes_plainly(const void *data, size_t length, const struct urivet_policy *policy);

/* Judges the address and port of a peer, into a report of this library's size: what is none of 4 or
 * 16 octets, and a port above 65535, are not known. `zone`: the address is one of this machine
 * alone. */
/*@ requires given(report, policy);
    requires address != \null && (octets == 4 || octets == 16) ==>
      address_of(address, octets) && \separated(report, address + (0 .. octets - 1));
    assigns *report; */
enum urivet_verdict urivet_judge_peer(struct urivet_report *report, const uint8_t *address,
				      size_t octets, uint32_t port, bool zone,
				      const struct urivet_policy *policy);

#endif
