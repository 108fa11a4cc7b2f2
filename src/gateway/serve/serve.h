/* SPDX-License-Identifier: Apache-2.0 */
/* `urivet serve`: a helper that answers auth requests of gateways, in processes that share sockets
 * and counters. */
#ifndef URIVET_GATEWAY_SERVE_H
#define URIVET_GATEWAY_SERVE_H

#include "gateway/counts.h"
#include "gateway/serve/fronts.h"
#include "gateway/serve/rules.h"

#include <sys/types.h>

/* The place that means the socket which the service manager passes. */
#define SERVE_PASSED "systemd"

struct serve {
	enum front front;
	const char *listen;  /* "unix:/path", "127.0.0.1:8080" or SERVE_PASSED */
	const char *metrics; /* the same but SERVE_PASSED, for counters and health; NULL: none */
	struct wanted wanted;
	uint32_t jobs;        /* number of worker processes */
	uint32_t connections; /* maximum for each process */
	uint32_t seconds;     /* timeout of idle connections and of requests */
	bool tells_findings;  /* in a response field, which the gateway may pass to clients */
	int log;              /* file descriptor of the log; -1: none */
};

/* Returns true if this build can serve HTTP, and complains if not. */
bool serve_is_built(void);

/* Returns a non-blocking listening socket: a file accessible to its owner and group, a loopback
 * address, or the socket that the service manager passes. Returns -1 after an error message. */
int serve_listen(const char *where);

/* Closes the socket and removes its file. */
void serve_unlisten(const char *where, int socket);

/* Answers auth requests until SIGTERM. Returns the exit status of the process. */
int serve_questions(const struct serve *serve, const struct rules *rules, struct counts *counts,
		    int socket);

/* Serves counters (/metrics) and health (/healthz) until SIGTERM. Returns the exit status of the
 * process. */
int serve_counts(const struct serve *serve, struct counts *counts, int socket);

/* Starts the processes and replaces them on SIGHUP, until SIGTERM or SIGINT. Returns false after an
 * error message. */
bool serve_run(const struct serve *serve);

/* Writes the log line of an auth request, a JSON object. `why` is NULL if it could be read. */
void serve_log(int log, const struct gate_request *request, const struct gate_outcome *outcome,
	       const struct why *why);

#endif
