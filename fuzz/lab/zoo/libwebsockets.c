/* SPDX-License-Identifier: Apache-2.0 */
/* libwebsockets' lws_parse_uri(), which cuts in place and leaves path and query whole. */
#include "adapter.h"
#include <libwebsockets.h>

const char *reader_version(void)
{
	static char version[80];

	snprintf(version, sizeof version, "libwebsockets %s", lws_get_library_version());
	return version;
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	const char *scheme, *host, *path;
	char *rooted;
	int port = -1; /* unchanged if the scheme is unknown or not in lower case */
	char *copy = strdup(text);

	if (copy == NULL || lws_parse_uri(copy, &scheme, &host, &port, &path) != 0) {
		free(copy);
		return;
	}
	/* the path lacks its first slash, which clients add again */
	rooted = (char *)malloc(length + 2);
	if (rooted != NULL) {
		snprintf(rooted, length + 2, "%s%s", *path == '/' ? "" : "/", path);
		reading.part[SCHEME] = slice(scheme);
		reading.part[HOST] = slice(host);
		set_port(&reading, port);
		set_target(&reading, rooted);
		tell(&reading);
	}
	free(rooted);
	free(copy);
}
