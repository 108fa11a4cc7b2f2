/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSSL's OSSL_HTTP_parse_url(), which fetches CRLs, OCSP and CMP answers. */
#include "adapter.h"
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/http.h>

const char *reader_version(void)
{
	return OpenSSL_version(OPENSSL_VERSION);
}

/* Returns an absent component for an empty text, which is how OpenSSL writes an absent one. */
static struct slice unless_empty(const char *text)
{
	return slice(text != NULL && *text != '\0' ? text : NULL);
}

void read_record(const char *text, size_t length)
{
	struct reading reading = {0};
	char *user = NULL, *host = NULL, *port = NULL, *path = NULL, *query = NULL,
	     *fragment = NULL;
	int tls = 0;

	(void)length;
	if (OSSL_HTTP_parse_url(text, &tls, &user, &host, &port, NULL, &path, &query, &fragment)) {
		reading.part[SCHEME] = slice(tls ? "https" : "http");
		reading.part[USERINFO] = unless_empty(user);
		reading.part[HOST] = slice(host);
		reading.part[PORT] = slice(port);
		reading.part[PATH] = slice(path);
		reading.part[QUERY] = unless_empty(query);
		reading.part[FRAGMENT] = unless_empty(fragment);
		tell(&reading);
		OPENSSL_free(user);
		OPENSSL_free(host);
		OPENSSL_free(port);
		OPENSSL_free(path);
		OPENSSL_free(query);
		OPENSSL_free(fragment);
	}
	ERR_clear_error();
}
