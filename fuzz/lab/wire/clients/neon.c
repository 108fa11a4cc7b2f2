/* SPDX-License-Identifier: Apache-2.0 */
/* neon, with the URL cut by ne_uri_parse() as cadaver and davfs2 do. */
#include "adapter.h"
#include <ne_request.h>
#include <ne_session.h>
#include <ne_uri.h>
#include <ne_utils.h>

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "%.*s", (int)strcspn(ne_version_string(), ":"),
		 ne_version_string());
	return version;
}

static int get(ne_session *session, const char *target)
{
	ne_request *request = ne_request_create(session, "GET", target);
	int status;

	ne_set_connect_timeout(session, PATIENCE);
	ne_set_read_timeout(session, PATIENCE);
	if (ne_request_dispatch(request) == NE_OK)
		status = ne_get_status(request)->code;
	else
		status = refused(ne_get_error(session));
	ne_request_destroy(request);
	return status;
}

int fetch(const char *url)
{
	ne_uri uri = {0};
	ne_session *session;
	char *target;
	int status;

	if (ne_uri_parse(url, &uri) != 0 || uri.scheme == NULL || uri.host == NULL) {
		ne_uri_free(&uri);
		return refused("no URL");
	}
	if (uri.port == 0)
		uri.port = ne_uri_defaultport(uri.scheme);
	target = ne_concat(uri.path, uri.query ? "?" : "", uri.query ? uri.query : "", NULL);
	session = ne_session_create(uri.scheme, uri.host, uri.port);
	status = get(session, target);
	ne_session_destroy(session);
	ne_free(target);
	ne_uri_free(&uri);
	return status;
}
