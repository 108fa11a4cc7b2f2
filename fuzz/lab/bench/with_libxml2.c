/* SPDX-License-Identifier: Apache-2.0 */
#include <libxml/uri.h>

#include "bench.h"

static bool judge(const char *url, size_t length)
{
	xmlURI *uri = xmlParseURI(url);
	(void)length;
	if (uri == NULL)
		return false;
	xmlFreeURI(uri);
	return true;
}

const struct contestant contestants[] = {{"libxml2 xmlParseURI", judge}, {NULL, NULL}};
