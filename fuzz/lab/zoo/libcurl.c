/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl's URL API, with the flags that a transfer uses. */
#include "adapter.h"
#include <curl/curl.h>
#include <curl/mprintf.h>

static const struct {
	enum part part;
	CURLUPart name;
} parts[] = {{SCHEME, CURLUPART_SCHEME}, {HOST, CURLUPART_HOST},   {PORT, CURLUPART_PORT},
	     {PATH, CURLUPART_PATH},     {QUERY, CURLUPART_QUERY}, {FRAGMENT, CURLUPART_FRAGMENT}};

const char *reader_version(void)
{
	return curl_version();
}

/* Joins user name and password, which are two components in curl. */
static char *userinfo(CURLU *url)
{
	char *user = NULL;
	char *password = NULL;
	char *joined = NULL;

	curl_url_get(url, CURLUPART_USER, &user, 0);
	curl_url_get(url, CURLUPART_PASSWORD, &password, 0);
	if (user != NULL || password != NULL)
		joined =
		    curl_maprintf("%s%s%s", user != NULL ? user : "", password != NULL ? ":" : "",
				  password != NULL ? password : "");
	curl_free(user);
	curl_free(password);
	return joined;
}

static void tell_url(CURLU *url)
{
	struct reading reading = {0};
	char *text[PARTS] = {0};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		curl_url_get(url, parts[i].name, &text[parts[i].part], 0);
	text[USERINFO] = userinfo(url);
	for (int i = 0; i < PARTS; i++)
		reading.part[i] = slice(text[i]);
	tell(&reading);
	for (int i = 0; i < PARTS; i++)
		curl_free(text[i]);
}

void read_record(const char *text, size_t length)
{
	CURLU *url = curl_url();

	(void)length;
	if (curl_url_set(url, CURLUPART_URL, text, CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME) ==
	    CURLUE_OK)
		tell_url(url);
	curl_url_cleanup(url);
}
