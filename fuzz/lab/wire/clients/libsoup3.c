/* SPDX-License-Identifier: Apache-2.0 */
/* libsoup 3, its SoupSession. */
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
	GError *error = NULL;
	GBytes *body;
	int status;

	if (message == NULL)
		return refused("no URL");
	if (session == NULL)
		session = soup_session_new_with_options("timeout", PATIENCE, "proxy-resolver", NULL, NULL);
	soup_message_set_flags(message, SOUP_MESSAGE_NO_REDIRECT);
	body = soup_session_send_and_read(session, message, NULL, &error);
	status = body != NULL ? (int)soup_message_get_status(message) : refused(error->message);
	g_clear_error(&error);
	g_clear_pointer(&body, g_bytes_unref);
	g_object_unref(message);
	return status;
}
