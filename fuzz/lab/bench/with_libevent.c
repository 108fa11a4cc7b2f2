/* SPDX-License-Identifier: Apache-2.0 */
#include <event2/http.h>

#include "bench.h"

static bool judge(const char *url, size_t length)
{
	struct evhttp_uri *uri = evhttp_uri_parse(url);
	(void)length;
	if (uri == NULL)
		return false;
	evhttp_uri_free(uri);
	return true;
}

const struct contestant contestants[] = {{"libevent evhttp_uri_parse", judge}, {NULL, NULL}};
