/* SPDX-License-Identifier: Apache-2.0 */
/* libxml2's nanohttp, by which it loads documents. */
#include "adapter.h"
#include <libxml/globals.h>
#include <libxml/nanohttp.h>
#include <libxml/xmlversion.h>

const char *client_version(void)
{
	return "libxml2 " LIBXML_DOTTED_VERSION;
}

int fetch(const char *url)
{
	char *type = NULL;
	void *context = xmlNanoHTTPOpen(url, &type);
	int status;

	if (context == NULL)
		return refused("not opened");
	status = xmlNanoHTTPReturnCode(context);
	xmlNanoHTTPClose(context);
	xmlFree(type);
	return status;
}
