/* SPDX-License-Identifier: Apache-2.0 */
#include <apr_uri.h>

#include "bench.h"

/* The pool is emptied now and then, as a server does after a request. */
static bool judge(const char *url, size_t length)
{
	static apr_pool_t *pool;
	static unsigned calls;
	apr_uri_t uri;
	(void)length;
	if (pool == NULL) {
		apr_initialize();
		apr_pool_create(&pool, NULL);
	}
	if (++calls % 16 == 0)
		apr_pool_clear(pool);
	return apr_uri_parse(pool, url, &uri) == APR_SUCCESS;
}

const struct contestant contestants[] = {{"apr-util apr_uri_parse", judge}, {NULL, NULL}};
