/* SPDX-License-Identifier: Apache-2.0 */
/* uriparser: that of Debian, or with LABEL one that is built here. */
#include <uriparser/Uri.h>

#include "bench.h"

#ifndef LABEL
#define LABEL "uriparser"
#endif

static bool judge(const char *url, size_t length)
{
	UriUriA uri;
	const char *error;
	if (uriParseSingleUriExA(&uri, url, url + length, &error) != URI_SUCCESS)
		return false;
	uriFreeUriMembersA(&uri);
	return true;
}

const struct contestant contestants[] = {{LABEL, judge}, {NULL, NULL}};
