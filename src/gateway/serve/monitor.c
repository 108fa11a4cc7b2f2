/* SPDX-License-Identifier: Apache-2.0 */
/* Serves counters and health over HTTP, on a socket separate from that of the auth requests. */
#include "gateway/serve/processes.h"

#ifdef HAVE_LIBEVENT

#include <sys/queue.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <signal.h>
#include <stdlib.h>

void serve_answer(struct evhttp_request *question, int status, const char *phrase, const char *type,
		  const char *text, size_t length)
{
	struct evkeyvalq *const fields = evhttp_request_get_output_headers(question);
	struct evbuffer *const body = evbuffer_new();
	if (body != NULL)
		(void)evbuffer_add(body, text, length);
	(void)evhttp_add_header(fields, "Content-Type", type);
	(void)evhttp_add_header(fields, "Cache-Control", "no-store");
	evhttp_send_reply(question, status, phrase, body);
	if (body != NULL)
		evbuffer_free(body);
}

static void send_counts(struct evhttp_request *question, void *counts)
{
	char *const text = malloc(COUNTS_CAPACITY);
	const size_t length =
	    text != NULL ? counts_format(text, COUNTS_CAPACITY, counts, NULL, 1) : 0;
	if (text == NULL || length >= COUNTS_CAPACITY)
		evhttp_send_error(question, HTTP_INTERNAL, NULL);
	else
		serve_answer(question, HTTP_OK, "OK", "text/plain; version=0.0.4", text, length);
	free(text);
}

static void send_health(struct evhttp_request *question, void *context)
{
	struct counts *const counts = context;
	const bool good = atomic_load(&counts->answering) > 0;
	if (good)
		serve_answer(question, HTTP_OK, "OK", "text/plain", "ok\n", 3);
	else
		serve_answer(question, HTTP_SERVUNAVAIL, "Service Unavailable", "text/plain",
			     "none answers\n", 13);
}

static void end(evutil_socket_t unused, short events, void *base)
{
	(void)unused;
	(void)events;
	(void)event_base_loopbreak(base);
}

int serve_counts(const struct serve *serve, struct counts *counts, int socket)
{
	struct event_base *const base = event_base_new();
	struct evhttp *const http = base != NULL ? evhttp_new(base) : NULL;
	struct event *const term = base != NULL ? evsignal_new(base, SIGTERM, end, base) : NULL;
	int status = 2;
	if (http != NULL && term != NULL && event_add(term, NULL) == 0 &&
	    evhttp_accept_socket(http, socket) == 0) {
		evhttp_set_timeout(http, (int)serve->seconds);
		evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
		evhttp_set_max_headers_size(http, 16384);
		evhttp_set_max_body_size(http, 0);
		(void)evhttp_set_cb(http, "/metrics", send_counts, counts);
		(void)evhttp_set_cb(http, "/healthz", send_health, counts);
		status = event_base_dispatch(base) >= 0 ? 0 : 2;
	}
	if (term != NULL)
		event_free(term);
	if (http != NULL)
		evhttp_free(http);
	if (base != NULL)
		event_base_free(base);
	return status;
}

#endif
