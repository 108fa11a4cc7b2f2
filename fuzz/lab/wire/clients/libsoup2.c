/* SPDX-License-Identifier: Apache-2.0 */
/* libsoup 2.4, its SoupSession. */
#include "adapter.h"
#include <libsoup/soup.h>

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "libsoup %u.%u.%u", soup_get_major_version(),
		 soup_get_minor_version(), soup_get_micro_version());
	return version;
}

int fetch(const char *url)
{
	static SoupSession *session;
	SoupMessage *message = soup_message_new("GET", url);
	char reason[LONGEST];
	guint status;

	if (message == NULL)
		return refused("no URL");
	if (session == NULL)
		session = soup_session_new_with_options("timeout", PATIENCE, "proxy-resolver", NULL, NULL);
	soup_message_set_flags(message, SOUP_MESSAGE_NO_REDIRECT);
	status = soup_session_send_message(session, message);
	snprintf(reason, sizeof reason, "%s", message->reason_phrase ? message->reason_phrase : "");
	g_object_unref(message);
	/* below 100 are errors of the transport */
	return status >= 100 ? (int)status : refused(reason);
}
