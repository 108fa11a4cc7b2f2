/* SPDX-License-Identifier: Apache-2.0 */
/* libevent's evhttp, with the URL cut by evhttp_uri_parse() as the sample of libevent does. */
#include "adapter.h"
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>

static int status;

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "libevent %s", event_get_version());
	return version;
}

static void done(struct evhttp_request *request, void *base)
{
	status = request != NULL ? evhttp_request_get_response_code(request) : 0;
	event_base_loopbreak((struct event_base *)base);
}

static void get(const char *host, int port, const char *target)
{
	struct event_base *base = event_base_new();
	struct evhttp_connection *connection =
		evhttp_connection_base_new(base, NULL, host, (unsigned short)port);
	struct evhttp_request *request = evhttp_request_new(done, base);

	evhttp_connection_set_retries(connection, 0);
	evhttp_connection_set_timeout(connection, PATIENCE);
	evhttp_add_header(evhttp_request_get_output_headers(request), "Host", host);
	if (evhttp_make_request(connection, request, EVHTTP_REQ_GET, target) == 0)
		event_base_dispatch(base);
	evhttp_connection_free(connection);
	event_base_free(base);
}

int fetch(const char *url)
{
	struct evhttp_uri *uri = evhttp_uri_parse(url);
	const char *host = uri != NULL ? evhttp_uri_get_host(uri) : NULL;
	const char *path, *query;
	static char target[1 << 17];
	int port;

	status = 0;
	if (host == NULL) {
		if (uri != NULL)
			evhttp_uri_free(uri);
		return refused("no URL");
	}
	port = evhttp_uri_get_port(uri);
	path = evhttp_uri_get_path(uri);
	query = evhttp_uri_get_query(uri);
	snprintf(target, sizeof target, "%s%s%s", *path != '\0' ? path : "/", query ? "?" : "",
		 query ? query : "");
	get(host, port < 0 ? 80 : port, target);
	evhttp_uri_free(uri);
	return status > 0 ? status : refused("no answer");
}
