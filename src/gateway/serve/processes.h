/* SPDX-License-Identifier: Apache-2.0 */
/* The components of `urivet serve`: processes that share sockets and counters. */
#ifndef URIVET_GATEWAY_SERVE_PROCESSES_H
#define URIVET_GATEWAY_SERVE_PROCESSES_H

#include "gateway/counts.h"
#include "gateway/serve.h"

struct tls;

/* Returns a non-blocking listening socket: a file accessible to its owner and group, a loopback
 * address or, if it is public, any address, or the socket that the service manager passes. Returns -1
 * after an error message. */
int serve_listen(const char *where, bool public);

/* Closes the socket and removes its file. */
void serve_unlisten(const char *where, int socket);

/* Answers auth requests until SIGTERM. Returns the exit status of the process. */
int serve_questions(const struct serve *serve, const struct rules *rules, struct tls *tls,
		    struct counts *counts, int socket);

/* Serves counters (/metrics), health (/healthz) and readiness (/readyz) until SIGTERM. Returns the
 * exit status of the process. */
int serve_counts(const struct serve *serve, struct counts *counts, int socket);

/* What the log says of an auth request. */
struct logged {
	const struct gate_request *request;
	struct why why; /* `what` is NULL if it could be read */
	struct urivet_text client, id;
};

/* Writes the log line of an auth request, a JSON object. Returns false if it was lost. */
bool serve_log(int log, const struct logged *logged, const struct gate_outcome *outcome);

#endif
