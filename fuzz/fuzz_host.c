/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts: IPv6 and IPv4 as inet_pton(3), inet_aton(3) and getaddrinfo(3) read them. */
#include <arpa/inet.h>
#include <netdb.h>

#include "oracles.h"

#define LONGEST 255

/* Parses "http://HOST/". Returns false if it does not parse. */
static bool parse(const char *prefix, const char *host, const char *suffix, struct urivet_uri *uri)
{
	char text[LONGEST + 32];
	const int n = snprintf(text, sizeof text, "http://%s%s%s/", prefix, host, suffix);
	return urivet_parse(uri, text, (size_t)n, NULL);
}

static void literal(const char *host)
{
	struct urivet_uri uri;
	struct in6_addr address;
	const bool ours = parse("[", host, "]", &uri) && uri.host_kind == URIVET_HOST_IPV6;
	const bool theirs = inet_pton(AF_INET6, host, &address) == 1;
	oracle(ours == theirs, "IPv6 addresses are those of inet_pton");
	oracle(!ours || memcmp(uri.address, &address, 16) == 0, "an IPv6 address has its value");
}

/* Returns true for a final dot, or "0x" without digits: browsers read these as addresses, and so
 * does urivet. */
static bool browsers_alone_take(const char *host)
{
	const size_t length = strlen(host);
	for (size_t i = 0; i < length; i++)
		if ((host[i] == 'x' || host[i] == 'X') &&
		    (host[i + 1] == '.' || host[i + 1] == '\0'))
			return true;
	return host[length - 1] == '.';
}

static void number(const char *host)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET}, *info;
	struct urivet_uri uri;
	struct in_addr address;
	const bool parsed = parse("", host, "", &uri);
	if (!parsed)
		return;
	oracle((uri.host_kind == URIVET_HOST_IPV4) == (inet_pton(AF_INET, host, &address) == 1),
	       "IPv4 addresses are those of inet_pton");
	if (browsers_alone_take(host))
		return;
	oracle((uri.has_ipv4 != 0) == (inet_aton(host, &address) != 0),
	       "numbers that become addresses are those of inet_aton");
	oracle(!uri.has_ipv4 || memcmp(uri.address, &address, 4) == 0,
	       "an IPv4 address has its value");
	if (!uri.has_ipv4)
		return;
	oracle(getaddrinfo(host, NULL, &hints, &info) == 0, "getaddrinfo takes it too");
	freeaddrinfo(info);
}

/* Returns true if some reader takes a label for a number: digits, or hexadecimal digits after 0x. */
static bool is_number(const char *label, size_t length)
{
	const bool hex = length > 1 && label[0] == '0' && label[1] == 'x';
	const char *const digits = hex ? "0123456789abcdef" : "0123456789";
	size_t k = hex ? 2 : 0;
	for (; k < length && strchr(digits, label[k]) != NULL; k++)
		;
	return length > 0 && k == length;
}

/* A name that ends in four numbers or more is taken for an address by some readers. */
static void labels(const char *host)
{
	const size_t length = strlen(host);
	char url[LONGEST + 16];
	const int n = snprintf(url, sizeof url, "http://%s/", host);
	unsigned run = 0, count = 0;
	struct urivet_report r;
	for (size_t at = 0; at <= length; count++) {
		const size_t end = at + strcspn(host + at, ".");
		run = is_number(host + at, end - at) ? run + 1 : 0;
		at = end + 1;
	}
	urivet_check(&r, url, (size_t)n, NULL);
	if (r.dropped == 0 && count > run)
		oracle((report_finding(&r, URIVET_F_IPV4_TOO_MANY_PARTS) != NULL) == (run >= 4),
		       "a name ends in too many numbers if four follow one another");
}

static void read_host(const char *data, size_t length)
{
	char host[LONGEST + 1];
	if (length == 0 || length > LONGEST || memchr(data, '\0', length) != NULL)
		return;
	memcpy(host, data, length);
	host[length] = '\0';
	if (strspn(host, "0123456789abcdefABCDEF:.") == length)
		literal(host);
	if (strspn(host, "0123456789abcdefxABCDEFX.") == length)
		number(host);
	if (strspn(host, "0123456789abcdefghijklmnopqrstuvwxyz.") == length && host[0] != '.' && host[length - 1] != '.' &&
	    strstr(host, "..") == NULL)
		labels(host);
}

/* Checks the octets as a host, and the text where a URL has its host. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct urivet_text rest = urivet_text_of(data, length), host;
	read_host((const char *)data, length);
	for (unsigned slash = 0; slash < 2; slash++)
		(void)up_to(&rest, '/');
	host = up_to(&rest, '/');
	if (host.length > 2 && *(const char *)host.data == '[' &&
	    ((const char *)host.data)[host.length - 1] == ']')
		host = urivet_text_of((const char *)host.data + 1, host.length - 2);
	read_host(host.data, host.length);
	return 0;
}
