/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits by RFC 3986, appendix B, and uses the C library for the host: the reading has the address
 * that inet_aton(3) or getaddrinfo(3) returns without a query. Many small clients do the same.
 */
#include "adapter.h"
#include <arpa/inet.h>
#include <gnu/libc-version.h>
#include <netdb.h>
#include <regex.h>

static const char *const expression = "^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?";

const char *reader_version(void)
{
	static char version[40];

	snprintf(version, sizeof version, "glibc %s", gnu_get_libc_version());
	return version;
}

static struct slice group(const char *text, regmatch_t match)
{
	return match.rm_so < 0 ? slice(NULL)
			       : slice_between(text + match.rm_so, text + match.rm_eo);
}

static const char *last(struct slice in, char octet)
{
	for (size_t i = in.length; i > 0; i--)
		if (in.data[i - 1] == octet)
			return in.data + i - 1;
	return NULL;
}

/* Ends userinfo at the last @, and begins the port after the last colon outside brackets. */
static void cut_authority(struct reading *reading, struct slice authority)
{
	const char *end = authority.data + authority.length;
	const char *at = last(authority, '@');
	const char *colon;
	struct slice host;

	if (at != NULL)
		reading->part[USERINFO] = slice_between(authority.data, at);
	host = slice_between(at != NULL ? at + 1 : authority.data, end);
	colon = last(host, ':');
	if (colon != NULL && memchr(colon, ']', (size_t)(end - colon)) == NULL) {
		reading->part[PORT] = slice_between(colon + 1, end);
		host = slice_between(host.data, colon);
	}
	reading->part[HOST] = without_brackets(host);
}

/* Replaces the host by its address, if it is one without a DNS query. */
static void to_address(struct reading *reading)
{
	static char address[INET6_ADDRSTRLEN + 40];
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;
	char *host = strndup(reading->part[HOST].data, reading->part[HOST].length);

	if (host != NULL && *host != '\0' && getaddrinfo(host, NULL, &hints, &found) == 0) {
		if (getnameinfo(found->ai_addr, found->ai_addrlen, address, sizeof address, NULL, 0,
				NI_NUMERICHOST) == 0)
			reading->part[HOST] = slice(address);
		freeaddrinfo(found);
	}
	free(host);
}

void read_record(const char *text, size_t length)
{
	static regex_t regex;
	static bool compiled;
	struct reading reading = {0};
	regmatch_t match[10];

	(void)length;
	if (!compiled && regcomp(&regex, expression, REG_EXTENDED) != 0)
		abort();
	compiled = true;
	if (regexec(&regex, text, 10, match, 0) != 0)
		return;
	reading.part[SCHEME] = group(text, match[2]);
	if (match[4].rm_so >= 0) {
		cut_authority(&reading, group(text, match[4]));
		to_address(&reading);
	}
	reading.part[PATH] = group(text, match[5]);
	reading.part[QUERY] = group(text, match[7]);
	reading.part[FRAGMENT] = group(text, match[9]);
	tell(&reading);
}
