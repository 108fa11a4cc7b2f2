/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl's easy interface. */
#include "adapter.h"
#include <curl/curl.h>

const char *client_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "libcurl %s", curl_version_info(CURLVERSION_NOW)->version);
	return version;
}

static size_t drop(char *data, size_t size, size_t count, void *user)
{
	(void)data;
	(void)user;
	return size * count;
}

int fetch(const char *url)
{
	static CURL *curl;
	CURLcode code;
	long status = 0;

	if (curl == NULL)
		curl = curl_easy_init();
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)PATIENCE);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
	code = curl_easy_perform(curl);
	if (code != CURLE_OK)
		return refused(curl_easy_strerror(code));
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	return (int)status;
}
