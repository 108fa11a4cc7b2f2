/* SPDX-License-Identifier: Apache-2.0 */
/* cc -I. run.c -lcurl && ./a.out: does libcurl read the valid vectors of vectors.h as written? */
#include "vectors.h"
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#if CONSENSUS_URL_VECTORS != 1
#error "another version of the vectors"
#endif

int main(void)
{
	static const CURLUPart part[] = {CURLUPART_SCHEME, CURLUPART_HOST,  CURLUPART_PORT,
					 CURLUPART_PATH,   CURLUPART_QUERY, CURLUPART_FRAGMENT};
	int read = 0, valid = 0, differ = 0;
	for (int k = 0; k < VECTORS; k++) {
		char reading[9000] = "", *got;
		CURLU *url = curl_url();
		valid += vectors[k].valid;
		if (vectors[k].valid && !curl_url_set(url, CURLUPART_URL, vectors[k].octets, 0)) {
			for (int p = 0; p < 6; p++, strcat(reading, " "))
				if (!curl_url_get(url, part[p], &got, CURLU_DEFAULT_PORT))
					curl_free(strcat(reading, got) ? got : NULL);
			read++;
			if (strcmp(reading, vectors[k].reading) != 0 && ++differ)
				printf("%d: %s: %s\n", vectors[k].id, vectors[k].octets, reading);
		}
		curl_url_cleanup(url);
	}
	printf("libcurl: %d read, %d refused, %d differ\n", read, valid - read, differ);
	return differ > 0 || read == 0;
}
