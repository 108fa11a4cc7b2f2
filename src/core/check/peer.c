/* SPDX-License-Identifier: Apache-2.0 */
/* Reads address, port and zone of a socket address. This is the only file of the library that uses
 * the C library's socket addresses; address.c judges the result. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "check/check.h"

/* The contents of a socket address; `octets` is 0 for an unknown family. */
struct peer {
	uint8_t address[16];
	size_t octets;
	uint32_t port;
	bool zone; /* the address is valid on this machine only */
};

/* Returns the port of a socket address, which is in network order. */
static uint32_t port_of(const void *port)
{
	uint8_t octets[2];
	memcpy(octets, port, sizeof octets);
	return octets[0] * 256u + octets[1];
}

/* `from` is a void pointer, so that compilers do not assume that it is aligned. */
static void ipv4(struct peer *peer, const void *from)
{
	struct sockaddr_in in;
	memcpy(&in, from, sizeof in);
	peer->octets = 4;
	memcpy(peer->address, &in.sin_addr, 4);
	peer->port = port_of(&in.sin_port);
}

static void ipv6(struct peer *peer, const void *from)
{
	struct sockaddr_in6 in6;
	memcpy(&in6, from, sizeof in6);
	peer->octets = 16;
	memcpy(peer->address, &in6.sin6_addr, 16);
	peer->port = port_of(&in6.sin6_port);
	peer->zone = in6.sin6_scope_id != 0;
}

/* Returns the family, or AF_UNSPEC if the length is too small for it. */
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

enum urivet_verdict urivet_check_peer_sized(struct urivet_report *report, size_t size,
					    const struct sockaddr *peer, size_t length,
					    const struct urivet_policy *policy)
{
	struct peer found = {.octets = 0};
	const int family = family_of(peer, length);
	if (!urivet_fit_report(report, size))
		return URIVET_REJECT;
	if (family == AF_INET)
		ipv4(&found, peer);
	else if (family == AF_INET6)
		ipv6(&found, peer);
	(void)urivet_judge_peer(report, found.address, found.octets, found.port, found.zone,
				policy);
	report->size = (uint32_t)size;
	return report->verdict;
}
