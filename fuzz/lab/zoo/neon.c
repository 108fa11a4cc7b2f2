/* SPDX-License-Identifier: Apache-2.0 */
/* neon's ne_uri_parse(), of WebDAV clients. */
#include "adapter.h"
#include <neon/ne_uri.h>
#include <neon/ne_utils.h>

const char *reader_version(void)
{
	return ne_version_string();
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	ne_uri uri;

	(void)length;
	memset(&uri, 0, sizeof uri);
	if (ne_uri_parse(text, &uri) == 0) {
		reading.part[SCHEME] = slice(uri.scheme);
		reading.part[USERINFO] = slice(uri.userinfo);
		reading.part[HOST] = slice(uri.host);
		if (uri.port != 0)
			set_port(&reading, (long)uri.port);
		reading.part[PATH] = slice(uri.path);
		reading.part[QUERY] = slice(uri.query);
		reading.part[FRAGMENT] = slice(uri.fragment);
		tell(&reading);
	}
	ne_uri_free(&uri);
}
