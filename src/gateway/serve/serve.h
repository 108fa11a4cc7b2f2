/* SPDX-License-Identifier: Apache-2.0 */
/* `urivet serve`: a helper that other gateways ask, as processes that share sockets and counts. */
#ifndef URIVET_GATEWAY_SERVE_H
#define URIVET_GATEWAY_SERVE_H

#include "gateway/counts.h"
#include "gateway/serve/fronts.h"
#include "gateway/serve/rules.h"

#include <sys/types.h>

struct serve {
	enum front front;
	const char *listen;  /* "unix:/path" or "127.0.0.1:8080" */
	const char *metrics; /* the same, for counts and health; NULL: none */
	struct wanted wanted;
	uint32_t jobs;        /* processes */
	uint32_t connections; /* of each process, at most */
	uint32_t seconds;     /* that a connection may be idle, or a question take */
	bool tells_findings;  /* to the gateway, which may hand them to clients */
	int log;              /* file descriptor of the log; -1: none */
};

/* Was it built with what answers over HTTP? Says so if not. */
bool serve_is_built(void);

/* A socket that listens, and does not block: a file that its owner and group may connect to, or an
 * address of this machine. -1 after saying what is wrong. */
int serve_listen(const char *where);

/* Takes the file of a socket away. */
void serve_unlisten(const char *where, int socket);

/* Answers questions until told to end; the exit status of the process. */
int serve_questions(const struct serve *serve, const struct rules *rules, struct counts *counts,
		    int socket);

/* Tells counts (/metrics) and health (/healthz) until told to end; the exit status of the process. */
int serve_counts(const struct serve *serve, struct counts *counts, int socket);

/* Starts the processes, and replaces them on SIGHUP, until SIGTERM or SIGINT; false after saying what
 * is wrong. */
bool serve_run(const struct serve *serve);

/* The line of a log about a question: an object in JSON; `why` is NULL where it could be read. */
void serve_log(int log, const struct gate_request *request, const struct gate_outcome *outcome,
	       const struct why *why);

#endif
