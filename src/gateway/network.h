/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of `urivet serve` for a listener that other machines reach. */
#ifndef URIVET_GATEWAY_NETWORK_H
#define URIVET_GATEWAY_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

/* A listener on the network, asked for by name. Zeroed: for this machine alone, without TLS. */
struct network {
	bool public;             /* any address may be listened to */
	const char *certificate; /* PEM file, with the chain; NULL: no TLS */
	const char *key;         /* PEM file */
	const char *client_ca;   /* PEM file of authorities that sign clients; NULL: any client */
	uint32_t per_client;     /* connections of an address to a process; 0: half of all */
	uint32_t rate;           /* requests a second of an address to a process; 0: any number */
	uint32_t drain;          /* seconds to answer in after SIGTERM; 0: 2 */
};

/* Returns what is wrong with the settings for this listener, or NULL. */
const char *network_misuse(const struct network *network, const char *listen);

#endif
