/* SPDX-License-Identifier: Apache-2.0 */
#include <uriparser/Uri.h>

#include "bench.h"

static bool judge(const char *url, size_t length)
{
	UriUriA uri;
	const char *error;
	if (uriParseSingleUriExA(&uri, url, url + length, &error) != URI_SUCCESS)
		return false;
	uriFreeUriMembersA(&uri);
	return true;
}

const struct contestant contestants[] = {{"uriparser", judge}, {NULL, NULL}};
