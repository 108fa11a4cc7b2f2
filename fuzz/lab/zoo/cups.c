/* SPDX-License-Identifier: Apache-2.0 */
/* CUPS' httpSeparateURI(), with nothing decoded. */
#include "adapter.h"
#include <cups/cups.h>
#include <cups/http.h>

const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "CUPS %d.%d.%d", CUPS_VERSION_MAJOR, CUPS_VERSION_MINOR,
		 CUPS_VERSION_PATCH);
	return version;
}

void read_record(const char *text, size_t length)
{
	static char scheme[16384], user[16384], host[16384], resource[16384];
	struct reading reading = {0};
	int port = 0;

	if (length >= sizeof resource ||
	    httpSeparateURI(HTTP_URI_CODING_NONE, text, scheme, sizeof scheme, user, sizeof user,
			    host, sizeof host, &port, resource,
			    sizeof resource) < HTTP_URI_STATUS_OK)
		return;
	reading.part[SCHEME] = slice(scheme);
	if (*user != '\0')
		reading.part[USERINFO] = slice(user);
	reading.part[HOST] = slice(host);
	if (port != 0)
		set_port(&reading, port);
	set_target(&reading, resource);
	tell(&reading);
}
