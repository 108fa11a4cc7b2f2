/* SPDX-License-Identifier: Apache-2.0 */
/* What each client address of a process may take: connections, and requests a second. */
#ifndef URIVET_GATEWAY_SERVE_CLIENTS_H
#define URIVET_GATEWAY_SERVE_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

struct sockaddr;
struct clients;

/* One IPv4 address, or one network of 64 bits of IPv6, which one client may have. */
struct client {
	uint8_t address[16];
	uint32_t connections;
	uint64_t seen; /* when its last connection began; 0: the place is free */
	uint64_t due;  /* when its requests until now would end, one after the other by the rate */
};

/* `connections` is the maximum of all clients; per_client 0: half of them; rate 0: no limit. Returns
 * NULL if there is no memory. */
struct clients *clients_new(uint32_t connections, uint32_t per_client, uint32_t rate);
void clients_free(struct clients *clients);

/* Counts a connection. Returns NULL if its client has too many already. */
struct client *clients_enter(struct clients *clients, const struct sockaddr *address, uint64_t now);
void clients_leave(struct client *client);

/* Returns true if the client may ask now: at most `rate` questions at once, and as many in each
 * second. */
bool clients_may_ask(const struct clients *clients, struct client *client, uint64_t now);

#endif
