/* SPDX-License-Identifier: Apache-2.0 */
/* GLib's g_uri_parse(), with the flags that libsoup uses. */
#include "adapter.h"
#include <glib.h>

const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "GLib %u.%u.%u", glib_major_version, glib_minor_version,
		 glib_micro_version);
	return version;
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	GUri *uri = g_uri_parse(text, G_URI_FLAGS_ENCODED | G_URI_FLAGS_SCHEME_NORMALIZE, NULL);

	(void)length;
	if (uri == NULL)
		return;
	reading.part[SCHEME] = slice(g_uri_get_scheme(uri));
	reading.part[USERINFO] = slice(g_uri_get_userinfo(uri));
	reading.part[HOST] = slice(g_uri_get_host(uri));
	set_port(&reading, g_uri_get_port(uri));
	reading.part[PATH] = slice(g_uri_get_path(uri));
	reading.part[QUERY] = slice(g_uri_get_query(uri));
	reading.part[FRAGMENT] = slice(g_uri_get_fragment(uri));
	tell(&reading);
	g_uri_unref(uri);
}
