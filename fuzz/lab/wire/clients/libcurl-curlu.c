/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl's easy interface, given what its URL API reads without flags. */
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

static int get(CURL *curl)
{
	CURLcode code = curl_easy_perform(curl);
	long status = 0;

	if (code != CURLE_OK)
		return refused(curl_easy_strerror(code));
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	return (int)status;
}

int fetch(const char *url)
{
	static CURL *curl;
	CURLU *read = curl_url();
	CURLUcode code = curl_url_set(read, CURLUPART_URL, url, 0);
	int status;

	if (curl == NULL)
		curl = curl_easy_init();
	curl_easy_setopt(curl, CURLOPT_CURLU, read);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)PATIENCE);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop);
	status = code == CURLUE_OK ? get(curl) : refused(curl_url_strerror(code));
	curl_easy_setopt(curl, CURLOPT_CURLU, NULL);
	curl_url_cleanup(read);
	return status;
}
