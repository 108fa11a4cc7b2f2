/* SPDX-License-Identifier: Apache-2.0 */
/* libevent's evhttp_uri_parse(). */
#include "adapter.h"
#include <event2/event.h>
#include <event2/http.h>

const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "libevent %s", event_get_version());
	return version;
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	struct evhttp_uri *uri = evhttp_uri_parse(text);

	(void)length;
	if (uri == NULL)
		return;
	reading.part[SCHEME] = slice(evhttp_uri_get_scheme(uri));
	reading.part[USERINFO] = slice(evhttp_uri_get_userinfo(uri));
	reading.part[HOST] = slice(evhttp_uri_get_host(uri));
	set_port(&reading, evhttp_uri_get_port(uri));
	reading.part[PATH] = slice(evhttp_uri_get_path(uri));
	reading.part[QUERY] = slice(evhttp_uri_get_query(uri));
	reading.part[FRAGMENT] = slice(evhttp_uri_get_fragment(uri));
	tell(&reading);
	evhttp_uri_free(uri);
}
