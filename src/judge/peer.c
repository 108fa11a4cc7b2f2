/* SPDX-License-Identifier: Apache-2.0 */
/* The peer of a connection, judged as its address would be in a URI. The one file of
 * the library that knows the C library's socket addresses. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "judge/check.h"
#include "rules/rules.h"

/* The port of a socket address, which has network order. */
static uint32_t port_of(const void *port)
{
	uint8_t octets[2];
	memcpy(octets, port, sizeof octets);
	return octets[0] * 256u + octets[1];
}

/* `peer` is a pointer to void, so that no compiler takes for granted that it is aligned. */
static void ipv4(struct urivet_uri *uri, const void *peer)
{
	struct sockaddr_in in;
	memcpy(&in, peer, sizeof in);
	memcpy(uri->address, &in.sin_addr, 4);
	uri->host_kind = URIVET_HOST_IPV4;
	uri->has_ipv4 = 1;
	uri->port = port_of(&in.sin_port);
}

/* True if the address has a zone: it means something on this machine only. */
static bool ipv6(struct urivet_uri *uri, const void *peer)
{
	struct sockaddr_in6 in6;
	memcpy(&in6, peer, sizeof in6);
	memcpy(uri->address, &in6.sin6_addr, 16);
	uri->host_kind = URIVET_HOST_IPV6;
	uri->port = port_of(&in6.sin6_port);
	return in6.sin6_scope_id != 0;
}

/* The family, or AF_UNSPEC if the length does not suffice for it. */
static int family_of(const struct sockaddr *peer, size_t length)
{
	sa_family_t family = AF_UNSPEC;
	const size_t at = offsetof(struct sockaddr, sa_family);
	if (peer != NULL && length >= at + sizeof family)
		memcpy(&family, (const char *)peer + at, sizeof family);
	if ((family == AF_INET && length >= sizeof(struct sockaddr_in)) ||
	    (family == AF_INET6 && length >= sizeof(struct sockaddr_in6)))
		return family;
	return AF_UNSPEC;
}

/* Judges the address and port as those of a URI would be. */
static void judge_peer(struct subject *s, const struct sockaddr *peer, size_t length)
{
	static const struct urivet_uri empty;
	struct urivet_report *report = s->report;
	const int family = family_of(peer, length);
	report->uri = empty;
	report->parsed = family != AF_UNSPEC;
	if (family == AF_INET)
		ipv4(&report->uri, peer);
	else if (family == AF_INET6 && ipv6(&report->uri, peer))
		urivet_add(s, URIVET_F_IPV6_ZONE, URIVET_HOST, 0, 0);
	if (report->parsed) {
		urivet_rules_address(s);
		urivet_rules_peer_port(s);
	} else {
		urivet_add(s, URIVET_F_PEER_UNKNOWN, URIVET_HOST, 0, 0);
	}
	urivet_close(s);
}

enum urivet_verdict urivet_check_peer_sized(struct urivet_report *report, size_t size,
					    const struct sockaddr *peer, size_t length,
					    const struct urivet_policy *policy)
{
	struct subject s;
	if (!urivet_fit_report(report, size))
		return URIVET_REJECT;
	if (urivet_open(&s, report, NULL, 0, policy))
		judge_peer(&s, peer, length);
	report->size = (uint32_t)size;
	return report->verdict;
}
