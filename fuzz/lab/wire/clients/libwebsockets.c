/* SPDX-License-Identifier: Apache-2.0 */
/* libwebsockets as a client of http, with the URL cut by lws_parse_uri(). */
#include "adapter.h"
#include <libwebsockets.h>

static int status;
static bool done;

const char *client_version(void)
{
	static char version[80];

	snprintf(version, sizeof version, "libwebsockets %s", lws_get_library_version());
	return version;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
		    size_t length)
{
	char buffer[1024 + LWS_PRE], *at = buffer + LWS_PRE;
	int room = 1024;

	(void)user;
	(void)length;
	switch (reason) {
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		refused(in != NULL ? (const char *)in : "no connection");
		done = true;
		break;
	case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
		status = (int)lws_http_client_http_response(wsi);
		break;
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
		return lws_http_client_read(wsi, &at, &room) < 0 ? -1 : 0;
	case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
	case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
		done = true;
		break;
	default:
		break;
	}
	return 0;
}

static const struct lws_protocols PROTOCOLS[] = {{.name = "http", .callback = on_event}, {0}};

static struct lws_context *made_context(void)
{
	struct lws_context_creation_info info = {0};

	lws_set_log_level(0, NULL);
	info.port = CONTEXT_PORT_NO_LISTEN;
	info.protocols = PROTOCOLS;
	info.timeout_secs = PATIENCE;
	return lws_create_context(&info);
}

/* Requests the path, which comes without its first slash unless it is only /. */
static int get(struct lws_context *context, const char *host, int port, const char *path)
{
	struct lws_client_connect_info info = {0};
	char target[8192];

	snprintf(target, sizeof target, "%s%s", *path == '/' ? "" : "/", path);
	info.context = context;
	info.address = info.host = info.origin = host;
	info.port = port;
	info.path = target;
	info.method = "GET";
	info.alpn = "http/1.1";
	info.protocol = "http";
	if (lws_client_connect_via_info(&info) == NULL)
		return status;
	while (!done && lws_service(context, 0) >= 0)
		;
	return status;
}

int fetch(const char *url)
{
	struct lws_context *context;
	const char *scheme, *host, *path;
	char *copy = strdup(url);
	int port = 80; /* unchanged if the scheme is not in lower case */

	status = 0;
	done = false;
	if (lws_parse_uri(copy, &scheme, &host, &port, &path) == 0) {
		context = made_context();
		get(context, host, port, path);
		lws_context_destroy(context);
	} else {
		refused("no URL");
	}
	free(copy);
	return status;
}
