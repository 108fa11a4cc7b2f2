/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl: the host that it looks up, which CURLU_PUNYCODE shows from 7.88 on. */
#include "adapter.h"
#include <curl/curl.h>
#include <locale.h>

static const char *reader_version(void)
{
	return curl_version();
}

static const char *translate(const char *configuration, const char *host)
{
	static char *made;
	static char url[4096];
	CURLU *handle = curl_url();

	(void)configuration;
	setlocale(LC_ALL, ""); /* hosts are in its charset */
	curl_free(made);
	made = NULL;
	snprintf(url, sizeof url, "https://%s/", host);
	if (curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl_url_get(handle, CURLUPART_HOST, &made, CURLU_PUNYCODE) != CURLUE_OK)
		made = NULL;
	curl_url_cleanup(handle);
	return made;
}
