/* SPDX-License-Identifier: Apache-2.0 */
/* The components of `urivet serve`: processes that share sockets and counters. */
#ifndef URIVET_GATEWAY_SERVE_PROCESSES_H
#define URIVET_GATEWAY_SERVE_PROCESSES_H

#include "gateway/counts.h"
#include "gateway/serve.h"

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

/* Sends an answer with this text as its body. */
struct evhttp_request;
void serve_answer(struct evhttp_request *question, int status, const char *phrase, const char *type,
		  const char *text, size_t length);

/* What the log says of an auth request. */
struct logged {
	const struct gate_request *request;
	struct why why; /* `what` is NULL if it could be read */
	struct urivet_text client, id;
};

/* Writes the log line of an auth request, a JSON object. Returns false if it was lost. */
bool serve_log(int log, const struct logged *logged, const struct gate_outcome *outcome);

#endif
