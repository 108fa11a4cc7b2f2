/* SPDX-License-Identifier: Apache-2.0 */
/* Serves counters, health and readiness over HTTP, on a socket separate from that of the auth requests. */
#include "gateway/serve/http.h"
#include "gateway/serve/processes.h"

#ifdef HAVE_LIBEVENT

#include <stdlib.h>
#include <string.h>

/* Maximum number of connections. */
#define CONNECTIONS 64

static void answer(struct web_request *request, const char *status, const char *text)
{
	web_answer(request, &(struct web_answer){status, "text/plain", NULL, text, strlen(text)});
}

static void send_counts(struct web_request *request, struct counts *counts)
{
	char *const text = malloc(COUNTS_CAPACITY);
	const size_t length =
	    text != NULL ? counts_format(text, COUNTS_CAPACITY, counts, NULL, 1) : 0;
	if (text == NULL || length >= COUNTS_CAPACITY)
		answer(request, "500 Internal Server Error", "too little memory\n");
	else
		web_answer(request, &(struct web_answer){"200 OK", "text/plain; version=0.0.4",
							 NULL, text, length});
	free(text);
}

/* A process that answers is healthy. To be ready it needs what was loaded last, too. */
static void send_health(struct web_request *request, struct counts *counts, bool ready)
{
	static const char unavailable[] = "503 Service Unavailable";
	if (atomic_load(&counts->answering) == 0)
		answer(request, unavailable, "none answers\n");
	else if (ready && atomic_load(&counts->ending))
		answer(request, unavailable, "it ends\n");
	else if (ready && atomic_load(&counts->stale))
		answer(
		    request, unavailable,
		    "the policy or certificate loaded last is faulty: those before are in force\n");
	else
		answer(request, "200 OK", "ok\n");
}

static void take(struct web_request *request, void *counts)
{
	const struct urivet_text path = request->question.target;
	const bool reads =
	    web_is(request->question.method, "GET") || web_is(request->question.method, "HEAD");
	if (request->refused != NULL || !reads)
		answer(request, "405 Method Not Allowed", "only GET, without a body\n");
	else if (web_is(path, "/metrics"))
		send_counts(request, counts);
	else if (web_is(path, "/healthz") || web_is(path, "/readyz"))
		send_health(request, counts, web_is(path, "/readyz"));
	else
		answer(request, "404 Not Found", "no such page\n");
}

int serve_counts(const struct serve *serve, struct counts *counts, int socket)
{
	/* half of the connections at most for one client, or the probes of others find none */
	static const struct network shares = {.public = true};
	const struct web_settings settings = {.connections = CONNECTIONS,
					      .seconds = serve->seconds,
					      .limits = serve->network.public ? &shares : NULL,
					      .take = take,
					      .context = counts};
	return web_run(socket, &settings, 0);
}

#endif
