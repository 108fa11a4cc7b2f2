/* SPDX-License-Identifier: Apache-2.0 */
#include <curl/curl.h>

#include "bench.h"

static bool new_handle(const char *url, size_t length)
{
	CURLU *handle = curl_url();
	const bool accepted = curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK;
	(void)length;
	curl_url_cleanup(handle);
	return accepted;
}

/* Without the first call the URL would be resolved against the one before. */
static bool reused_handle(const char *url, size_t length)
{
	static CURLU *handle;
	(void)length;
	if (handle == NULL)
		handle = curl_url();
	curl_url_set(handle, CURLUPART_URL, NULL, 0);
	return curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK;
}

const struct contestant contestants[] = {
    {"libcurl, new handle", new_handle}, {"libcurl, reused handle", reused_handle}, {NULL, NULL}};
