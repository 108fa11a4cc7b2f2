/* SPDX-License-Identifier: Apache-2.0 */
/* The clients of a process, in a table that is searched when one connects. */
#include "gateway/serve/clients.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)

struct clients {
	uint32_t per_client;
	uint32_t rate;
	uint32_t count; /* as many as connections: one without any is found for each new client */
	struct client client[];
};

struct clients *clients_new(uint32_t connections, uint32_t per_client, uint32_t rate)
{
	struct clients *const clients =
	    calloc(1, sizeof *clients + connections * sizeof(struct client));
	if (clients == NULL)
		return NULL;
	clients->per_client = per_client > 0 ? per_client : (connections + 1) / 2;
	clients->rate = rate;
	clients->count = connections;
	return clients;
}

void clients_free(struct clients *clients)
{
	free(clients);
}

static void take_address(uint8_t out[16], const struct sockaddr *address)
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	memset(out, 0, 16);
	if (address->sa_family == AF_INET) {
		memcpy(&four, address, sizeof four);
		memcpy(out, mapped, sizeof mapped);
		memcpy(out + sizeof mapped, &four.sin_addr, 4);
	} else if (address->sa_family == AF_INET6) {
		memcpy(&six, address, sizeof six);
		memcpy(out, &six.sin6_addr, IN6_IS_ADDR_V4MAPPED(&six.sin6_addr) ? 16 : 8);
	}
}

struct client *clients_enter(struct clients *clients, const struct sockaddr *address, uint64_t now)
{
	uint8_t own[16];
	struct client *found = NULL;
	take_address(own, address);
	for (uint32_t i = 0; i < clients->count; i++) {
		struct client *const client = &clients->client[i];
		if (client->seen != 0 && memcmp(client->address, own, sizeof own) == 0) {
			found = client;
			break;
		}
		/* the one that came last longest ago gives its place */
		if (client->connections == 0 && (found == NULL || client->seen < found->seen))
			found = client;
	}
	if (found == NULL || found->connections >= clients->per_client)
		return NULL;
	if (found->seen == 0 || memcmp(found->address, own, sizeof own) != 0) {
		memcpy(found->address, own, sizeof own);
		found->due = 0;
	}
	found->seen = now;
	found->connections++;
	return found;
}

void clients_leave(struct client *client)
{
	client->connections--;
}

bool clients_may_ask(const struct clients *clients, struct client *client, uint64_t now)
{
	if (clients->rate == 0)
		return true;
	if (client->due < now)
		client->due = now;
	if (client->due - now + SECOND / clients->rate > SECOND)
		return false;
	client->due += SECOND / clients->rate;
	return true;
}
