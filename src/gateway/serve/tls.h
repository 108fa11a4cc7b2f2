/* SPDX-License-Identifier: Apache-2.0 */
/* TLS by OpenSSL, which is opened only where it is asked for: linked, it would double the time in
 * which the command starts. */
#ifndef URIVET_GATEWAY_SERVE_TLS_H
#define URIVET_GATEWAY_SERVE_TLS_H

#include "gateway/network.h"

struct bufferevent;
struct event_base;
struct tls;

/* Loads certificate, key and the authorities of clients. Returns NULL after an error message. */
struct tls *tls_load(const struct network *network);
void tls_free(struct tls *tls);

/* Returns a stream that agrees on TLS with a client; it owns the socket. Returns NULL if there is no
 * memory. */
struct bufferevent *tls_accept(struct tls *tls, struct event_base *base, int socket);

#endif
