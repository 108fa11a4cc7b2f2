/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the address of a peer as it would be in a URI. */
#include "check/check.h"

/* Clears the URI, because a peer has no components. */
/*@ requires \valid(uri);
    assigns *uri;
    ensures parts_in(uri, URIVET_MAX_LENGTH); */
static void clear_peer_uri(struct urivet_uri *uri)
{
	static const struct urivet_uri none;
	*uri = none;
	/*@ loop invariant c <= URIVET_COMPONENTS;
	    loop invariant \forall integer k; 0 <= k < c ==>
	      uri->part[k].offset == 0 && uri->part[k].length == 0;
	    loop assigns c, uri->part[0 .. URIVET_COMPONENTS - 1];
	    loop variant URIVET_COMPONENTS - c; */
	for (unsigned c = 0; c < URIVET_COMPONENTS; c++) /* the prover does not see the
	                                                  * initialiser */
		uri->part[c] = span(0, 0);
}

/* Stores the address, which has 4 or 16 octets. */
/*@ requires \valid(uri) && address_of(address, octets);
    requires \separated(uri, address + (0 .. octets - 1));
    assigns uri->address[0 .. 15], uri->host_kind, uri->has_ipv4; */
static void set_peer_address(struct urivet_uri *uri, const uint8_t *address, size_t octets)
{
	uri->host_kind = octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6;
	uri->has_ipv4 = octets == 4;
	/*@ loop invariant k <= octets;
	    loop assigns k, uri->address[0 .. 15];
	    loop variant octets - k; */
	for (size_t k = 0; k < octets; k++)
		uri->address[k] = address[k];
}

/* Returns true if the arguments are a possible address and port. */
/*@ assigns \nothing;
    ensures \result <==> address != \null && (octets == 4 || octets == 16) && port <= 65535; */
static bool is_peer(const uint8_t *address, size_t octets, uint32_t port)
{
	return address != NULL && (octets == 4 || octets == 16) && port <= 65535;
}

/*@ requires judging_host(s);
    requires address != \null && (octets == 4 || octets == 16) ==>
      address_of(address, octets) && \separated(s->report, address + (0 .. octets - 1));
    assigns s->report->parsed, s->report->verdict, s->report->uri, FOUND_IN_HOST(s),
            s->report->port_rule; */
static void judge_address(struct subject *s, const uint8_t *address, size_t octets, uint32_t port,
			  bool zone)
{
	struct urivet_report *report = s->report;
	report->parsed = is_peer(address, octets, port);
	if (report->parsed) {
		set_peer_address(&report->uri, address, octets);
		report->uri.port = port;
		if (zone)
			urivet_add(s, URIVET_F_IPV6_ZONE, URIVET_HOST, 0, 0);
		urivet_rules_address(s);
		urivet_rules_peer_port(s);
	} else {
		urivet_add(s, URIVET_F_PEER_UNKNOWN, URIVET_HOST, 0, 0);
	}
	urivet_close(s);
}

enum urivet_verdict urivet_judge_peer(struct urivet_report *report, const uint8_t *address,
				      size_t octets, uint32_t port, bool zone,
				      const struct urivet_policy *policy)
{
	struct subject s;
	if (!urivet_open(&s, report, NULL, 0, policy))
		return report->verdict;
	clear_peer_uri(&report->uri);
	//@ assert s.report == report && opened(&s) && readable(s.t);
	//@ assert inside(s.host, s.t.end) && inside(s.host, URIVET_MAX_LENGTH);
	//@ assert parts_in(&s.report->uri, URIVET_MAX_LENGTH);
	judge_address(&s, address, octets, port, zone);
	return report->verdict;
}

/*@ requires given(report, policy) || report == \null;
    requires address != \null && (octets == 4 || octets == 16) ==>
      address_of(address, octets) && \separated(report, address + (0 .. octets - 1));
    assigns *report; */
enum urivet_verdict urivet_check_address_sized(struct urivet_report *report, size_t size,
					       const uint8_t *address, size_t octets, uint32_t port,
					       const struct urivet_policy *policy)
{
	enum urivet_verdict verdict;
	if (!urivet_fit_report(report, size))
		return URIVET_REJECT;
	verdict = urivet_judge_peer(report, address, octets, port, false, policy);
	report->size = (uint32_t)size;
	return verdict;
}
