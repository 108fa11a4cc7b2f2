/* SPDX-License-Identifier: Apache-2.0 */
/* apr_uri_parse() of apr-util, which Apache httpd and Subversion use. */
#include "adapter.h"
#include <apr_general.h>
#include <apr_strings.h>
#include <apr_uri.h>
#include <apu_version.h>

static apr_pool_t *pool;

const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "apr-util %s", apu_version_string());
	return version;
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	apr_uri_t uri;

	(void)length;
	if (pool == NULL && (apr_initialize() != 0 || apr_pool_create(&pool, NULL) != 0))
		abort();
	apr_pool_clear(pool);
	if (apr_uri_parse(pool, text, &uri) != APR_SUCCESS)
		return;
	reading.part[SCHEME] = slice(uri.scheme);
	if (uri.user != NULL)
		reading.part[USERINFO] = slice(
		    uri.password != NULL ? apr_pstrcat(pool, uri.user, ":", uri.password, NULL)
					 : uri.user);
	reading.part[HOST] = slice(uri.hostname);
	reading.part[PORT] = slice(uri.port_str);
	reading.part[PATH] = slice(uri.path != NULL ? uri.path : "");
	reading.part[QUERY] = slice(uri.query);
	reading.part[FRAGMENT] = slice(uri.fragment);
	tell(&reading);
}
