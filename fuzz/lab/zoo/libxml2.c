/* SPDX-License-Identifier: Apache-2.0 */
/* libxml2's xmlParseURIRaw(), raw so that nothing is decoded. */
#include "adapter.h"
#include <libxml/uri.h>
#include <libxml/xmlversion.h>

const char *reader_version(void)
{
	return "libxml2 " LIBXML_DOTTED_VERSION;
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	xmlURIPtr uri = xmlParseURIRaw(text, 1);

	(void)length;
	if (uri == NULL)
		return;
	reading.part[SCHEME] = slice(uri->scheme);
	reading.part[USERINFO] = slice(uri->user);
	reading.part[HOST] = slice(uri->server);
	if (uri->port > 0)
		set_port(&reading, uri->port);
	reading.part[PATH] = slice(uri->path != NULL ? uri->path : "");
	reading.part[QUERY] = slice(uri->query_raw != NULL ? uri->query_raw : uri->query);
	reading.part[FRAGMENT] = slice(uri->fragment);
	tell(&reading);
	xmlFreeURI(uri);
}
