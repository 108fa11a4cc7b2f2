/* SPDX-License-Identifier: Apache-2.0 */
/* GLib's g_hostname_to_ascii(). */
#include "adapter.h"
#include <glib.h>

static const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "GLib %u.%u.%u", glib_major_version, glib_minor_version,
		 glib_micro_version);
	return version;
}

static const char *translate(const char *configuration, const char *host)
{
	static char *made;
	char *middle = strcmp(configuration, "shown") == 0 ? g_hostname_to_unicode(host) : NULL;

	g_free(made);
	made = NULL;
	if (strcmp(configuration, "shown") != 0)
		made = g_hostname_to_ascii(host);
	else if (middle != NULL)
		made = g_hostname_to_ascii(middle);
	g_free(middle);
	return made;
}
