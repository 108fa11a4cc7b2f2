/* SPDX-License-Identifier: Apache-2.0 */
#include <glib.h>

#include "bench.h"

static bool is_valid(const char *url, size_t length)
{
	(void)length;
	return g_uri_is_valid(url, G_URI_FLAGS_ENCODED, NULL);
}

static bool parse(const char *url, size_t length)
{
	GUri *uri = g_uri_parse(url, G_URI_FLAGS_NONE, NULL);
	(void)length;
	if (uri == NULL)
		return false;
	g_uri_unref(uri);
	return true;
}

const struct contestant contestants[] = {
    {"GLib g_uri_is_valid", is_valid}, {"GLib g_uri_parse", parse}, {NULL, NULL}};
