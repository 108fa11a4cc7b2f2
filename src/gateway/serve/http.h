/* SPDX-License-Identifier: Apache-2.0 */
/* A server of HTTP/1.1 for requests without bodies. It reads strictly: what two readers of HTTP could
 * read differently is refused, or ends its connection. */
#ifndef URIVET_GATEWAY_SERVE_HTTP_H
#define URIVET_GATEWAY_SERVE_HTTP_H

#include "gateway/counts.h"
#include "gateway/serve.h"

/* Maximum number of fields of a request. */
#define HTTP_FIELDS 100

struct event_base;
struct evbuffer;
struct tls;
struct web;

/* A request as received. */
struct web_request {
	struct question question; /* its fields are those below */
	struct field fields[HTTP_FIELDS];
	const char *refused;  /* why it must not be judged; NULL: it may */
	bool ends;            /* the connection ends with the answer */
	bool limited;         /* its client asks too often */
	struct evbuffer *out; /* for web_answer() */
};

struct web_settings {
	uint32_t connections;         /* maximum */
	uint32_t seconds;             /* timeout of idle connections and of requests */
	const struct network *limits; /* for each client; NULL: none */
	struct tls *tls;              /* NULL: none */
	struct counts *counts;        /* of connections; NULL: not counted */
	void (*take)(struct web_request *request, void *context); /* calls web_answer() once */
	void *context;
};

/* Serves at the socket. Returns NULL if there is no memory. */
struct web *web_new(struct event_base *base, int socket, const struct web_settings *settings);
void web_free(struct web *web);

/* Stops accepting connections, and ends the event loop once all are closed, after `seconds` at the
 * latest. Requests until then are answered with "Connection: close". */
void web_end(struct web *web, uint32_t seconds);

struct web_answer {
	const char *status; /* "200 OK" */
	const char *type;   /* of the text */
	const char *fields; /* further lines, each with its end; NULL: none */
	const char *text;
	size_t length;
};

void web_answer(struct web_request *request, const struct web_answer *answer);

/* Serves until SIGTERM, which leaves `drain` seconds, or SIGUSR1, which leaves 2. Returns the exit
 * status of the process. */
int web_run(int socket, const struct web_settings *settings, uint32_t drain);

/* Returns true if the text is this word, in the same letter case. */
bool web_is(struct urivet_text text, const char *word);

/* Returns the time in nanoseconds of a clock that only goes forward. */
uint64_t web_now(void);

#endif
