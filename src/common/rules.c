/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the rules of policy files, and explains how to correct invalid ones. */
#include "common/rules.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct policy_scheme urivet_loader_schemes[POLICY_SCHEMES] = {
    {"http", URIVET_SCHEME_HTTP, 80}, {"https", URIVET_SCHEME_HTTPS, 443},
    {"ws", URIVET_SCHEME_WS, 80},     {"wss", URIVET_SCHEME_WSS, 443},
    {"ftp", URIVET_SCHEME_FTP, 21},   {"other", URIVET_SCHEME_OTHER, URIVET_NO_PORT},
};

/* Maximum number of octets shown of an invalid string. */
#define SHOWN 100

__attribute__((format(printf, 2, 3))) static bool because(struct why *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(why->text, sizeof why->text, format, arguments);
	va_end(arguments);
	return false;
}

/* Explains what is wrong with a string, which is shown in quotes before the sentence. */
static bool because_of(struct why *why, const char *string, const char *sentence)
{
	return because(why, "\"%.*s\"%s", SHOWN, string, sentence);
}

/* ---- Hosts ---------------------------------------------------------------------- */

static bool is_network(const char *string, size_t length)
{
	struct urivet_network network;

	return urivet_network_from(&network, string, length);
}

static bool is_host(const char *string, size_t length)
{
	struct urivet_host_rule rule;

	return urivet_host_rule_from(&rule, string, length, URIVET_ALLOW);
}

/* Explains a URL, or a host with port or path, given as a host. */
static bool because_url(struct why *why, const char *string, enum urivet_action action)
{
	struct urivet_uri uri;
	const struct urivet_span *host = &uri.part[URIVET_HOST];
	size_t start = 0, length = strcspn(string, ":/?#");

	length = strncmp(string + length, "://", 3) == 0 ? 0 : length;
	if (urivet_parse(&uri, string, strlen(string), NULL) && urivet_has(&uri, URIVET_HOST)) {
		start = host->offset;
		length = host->length;
	}
	if (is_host(string + start, length) && action == URIVET_ALLOW && length > 0 &&
	    string[start + length] != '\0' && strcmp(string + start + length, "/") != 0)
		return because(why,
			       "\"%.*s\" is more than a host: write \"%s%.*s\" in \"urls.allow\", "
			       "or \"%.*s\" for all of it",
			       SHOWN, string, start > 0 ? "" : "https://", SHOWN, string,
			       (int)length, string + start);
	if (is_host(string + start, length))
		return because(why, "\"%.*s\" is more than a host: write \"%.*s\"", SHOWN, string,
			       (int)length, string + start);
	return because_of(why, string,
			  " is no host: it takes a name alone, without scheme, port and path");
}

/* Returns true for an address, possibly in brackets or with a port. */
static bool looks_like_address(const char *string)
{
	size_t length = strlen(string);

	if (string[0] == '[' || is_network(string, length) ||
	    is_network(string, strcspn(string, "/")))
		return true;
	return strchr(string, ':') != NULL && is_network(string, strcspn(string, ":"));
}

static bool has_high_octet(const char *string)
{
	while (*string != '\0' && (uint8_t)*string < 0x80)
		string++;
	return *string != '\0';
}

/* Explains a name that is not ASCII. */
static bool because_high(struct why *why, const char *string, const char *host)
{
	char ascii[POLICY_RULE_TEXT];
	const size_t front = strspn(host, "*+.");
	if (urivet_loader_ascii_name(ascii, host + front, strcspn(host + front, ":/?#")) == 0)
		return because_of(why, string,
				  ": write names that are not ASCII as A-labels (xn--...)");
	return because(why, "\"%.*s\": write the name as \"%.*s%s\"", SHOWN, string, (int)front,
		       host, ascii);
}

static bool because_star(struct why *why, const char *string)
{
	if (strcmp(string, "*") == 0)
		return because(why, "\"*\" stands for names below a domain, as in "
				    "\"*.example.com\"; leave \"allow\" out to allow every name");
	return because_of(why, string,
			  ": a star stands only in front and once, as in \"*.example.com\"; for "
			  "exactly one label write \"+.example.com\"");
}

static bool because_no_host(struct why *why, const char *string, enum urivet_action action)
{
	size_t length = strlen(string);

	if (length == 0)
		return because(why, "an empty host");
	if (looks_like_address(string))
		return because_of(why, string, " is an address: those go into \"addresses\"");
	if (strpbrk(string, ":/?#@") != NULL)
		return because_url(why, string, action);
	if (has_high_octet(string))
		return because_high(why, string, string);
	if (strchr(string, '*') != NULL)
		return because_star(why, string);
	return because_of(why, string,
			  " is no host name: labels of letters, digits, hyphens and underscores, "
			  "at most 63 octets each and 253 in all, the last one no number");
}

bool urivet_loader_read_host(struct urivet_host_rule *rule, const char *string,
			     enum urivet_action action, struct why *why)
{
	return urivet_host_rule_from(rule, string, strlen(string), action) ||
	       because_no_host(why, string, action);
}

void urivet_loader_write_host(char text[POLICY_RULE_TEXT], const struct urivet_host_rule *rule)
{
	static const char *const before[] = {
	    [URIVET_SCOPE_TREE] = ".", [URIVET_SCOPE_HOST] = "", [URIVET_SCOPE_BELOW] = "*.",
	    [URIVET_SCOPE_LABEL] = "+."};

	const struct urivet_text name = urivet_host_rule_name(rule);

	(void)snprintf(text, POLICY_RULE_TEXT, "%s%.*s",
		       before[rule->scope & ~(unsigned)URIVET_SCOPE_RELATIVE], (int)name.length,
		       (const char *)name.data);
}

/* ---- URLs ------------------------------------------------------------------------ */

static bool is_url(const char *string, size_t length)
{
	struct urivet_url_rule rule;

	return urivet_url_rule_from(&rule, string, length);
}

/* Returns true if the first octets of a string, followed by the rest, are a valid rule. */
static bool is_url_of(const char *string, size_t length, const char *rest)
{
	char text[URIVET_URL_RULE_MOST + sizeof "https://"];
	const int written = snprintf(text, sizeof text, "%.*s%s", (int)length, string, rest);

	return (size_t)written < sizeof text && is_url(text, (size_t)written);
}

/* Explains what is wrong with the port, or with the host before it. */
static bool because_authority(struct why *why, const char *string, const char *authority)
{
	const size_t length = strcspn(authority, "/?#");
	const char *colon = memchr(authority, ']', length);

	colon = memchr(colon != NULL ? colon : authority, ':',
		       length - (size_t)(colon != NULL ? colon - authority : 0));
	if (has_high_octet(string))
		return because_high(why, string, authority);
	if (memchr(authority, '@', length) != NULL)
		return because_of(why, string, ": a rule has no userinfo, which is refused anyway");
	if (colon != NULL && (colon[1] == '*' || memchr(colon, '-', length - (size_t)(colon - authority)) != NULL))
		return because_of(why, string,
				  ": a range of ports is \"8000-8099\", or \"*\" for any, after an "
				  "address or one name, not after names below another one");
	if (colon == NULL ||
	    strspn(colon + 1, "0123456789") + 1 == length - (size_t)(colon - authority))
		return because_of(
		    why, string,
		    ": the host or the port is none: a name, also as \".example.com\", "
		    "\"*.example.com\" or \"+.example.com\", without a final dot, or an address; "
		    "the port 1 to 65535");
	return because_of(why, string, ": what follows the host is no port");
}

static bool because_path(struct why *why, const char *string, const char *path)
{
	if (strchr(path, '#') != NULL)
		return because_of(why, string,
				  ": a rule has no fragment; it covers every one, or none with "
				  "\"$\" at its end");
	if (strchr(path, '?') != NULL)
		return because_of(why, string,
				  ": after a path, \"?*\" is any query and \"?a=1\" this one, without "
				  "a star; no query is \"$\"");
	if (strchr(path, '*') != NULL)
		return because_of(why, string,
				  ": no star in a path: \"/a\" covers /a and all below it, \"/a$\" "
				  "that path alone");
	if (path[0] != '/')
		return because_of(why, string, ": a path begins with \"/\"");
	return because_of(why, string,
			  ": the path is none, or has segments that are empty or made of dots");
}

/* Explains a wrong scheme, or a wrong beginning after it. Returns false if neither is wrong. */
static bool is_because_of_scheme(struct why *why, const char *string, size_t scheme)
{
	const bool takes_host = is_url_of(string, scheme, "://a");
	const bool has_host = strncmp(string + scheme, "://", 3) == 0;

	if (has_host ? takes_host : is_url_of(string, scheme, ":/a"))
		return false;
	if (takes_host)
		because(why, "\"%.*s\": a URL of this scheme has a host: write \"%.*s://...\"",
			SHOWN, string, (int)scheme, string);
	else
		because_of(why, string,
			   " is no rule: it takes a scheme that is not dangerous by itself, as in "
			   "\"https://app.example.com:8443/cb\" or \"com.example.app:/cb\"");
	return true;
}

static bool because_no_url(struct why *why, const char *string)
{
	const size_t scheme = strcspn(string, ":/?#");
	const char *authority = string + scheme + 3;
	size_t length;

	if (string[0] == '\0')
		return because(why, "an empty URL");
	if (strlen(string) > URIVET_URL_RULE_MOST)
		return because(why, "a URL of more than %d octets", URIVET_URL_RULE_MOST);
	if (strpbrk(string, "{}|^\\") != NULL)
		return because_of(why, string,
				  ": a rule has no templates and no regular expressions: \"/a\" "
				  "covers /a and all below it, \"*.\" all names below a name");
	if (is_url_of("https://", strlen("https://"), string))
		return because(why, "\"%.*s\" has no scheme: write \"https://%.*s\"", SHOWN, string,
			       SHOWN, string);
	if (string[scheme] != ':' || scheme == 0)
		return because_of(why, string, " is no URL: it has no scheme");
	if (strcspn(string, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") < scheme)
		return because_of(why, string, ": a scheme is written in lower case");
	if (is_because_of_scheme(why, string, scheme))
		return false;
	if (strncmp(string + scheme, "://", 3) != 0)
		return because_path(why, string, string + scheme + 1);
	length = scheme + 3 + strcspn(authority, "/?#");
	if (is_url(string, length))
		return because_path(why, string, string + length);
	return because_authority(why, string, authority);
}

bool urivet_loader_read_url(struct urivet_url_rule *rule, const char *string, struct why *why)
{
	char text[80]; /* 172.17.0.0/16 of "http://172.17.0.0/16:5978" */
	long bits;

	if (!urivet_url_rule_from(rule, string, strlen(string)))
		return because_no_url(why, string);
	bits = rule->path_length > 1 ? strtol(string + rule->path + 1, NULL, 10) : 0;
	(void)snprintf(text, sizeof text, "%.*s/%ld", (int)rule->host_length,
		       string + rule->host, bits);
	return bits == 0 || rule->kind == URIVET_URL_NAME || !is_network(text, strlen(text)) ||
	       because_of(why, string,
			  " has an address and a path: networks go into \"addresses\"");
}

/* ---- Paths ---------------------------------------------------------------------- */

/* Returns true if the string contains the text. */
static bool has_text(const char *string, const char *text)
{
	for (; *string != '\0'; string++)
		if (strncmp(string, text, strlen(text)) == 0)
			return true;
	return false;
}

static bool because_no_path_prefix(struct why *why, const char *string)
{
	static const char *const odd[][2] = {
	    {"//", "servers merge slashes, so a prefix has no //"},
	    {";", "servers cut a path at ;, so a prefix has none"},
	    {"\\", "servers take a backslash for a slash, so a prefix has none"},
	    {"?", "a prefix ends before the query"},
	    {"#", "a prefix ends before the fragment"},
	    {"*", "a prefix has no stars: it covers all paths below it"},
	    {"%", "compared as received: triplets encode no letter, digit or - . _ ~ ; ? # % \\"}};

	if (string[0] == '\0')
		return because(why, "an empty prefix: write \"/\" for all paths");
	if (strlen(string) > URIVET_PATH_RULE_MOST)
		return because(why, "a prefix of more than %d octets", URIVET_PATH_RULE_MOST);
	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
		if (has_text(string, odd[i][0]))
			return because(why, "\"%.*s\": %s", SHOWN, string, odd[i][1]);
	return because_of(why, string,
			  " is no prefix: no segment of it ends in a dot, and its octets are letters, "
			  "digits and - . _ ~ ! $ & ' ( ) + , = : @");
}

bool urivet_loader_read_path(struct urivet_path_rule *rule, const char *string, struct why *why)
{
	return urivet_path_rule_from(rule, string, strlen(string)) ||
	       because_no_path_prefix(why, string);
}

/* ---- Networks ------------------------------------------------------------------- */

void urivet_loader_write_network(char text[POLICY_RULE_TEXT], const struct urivet_network *network)
{
	struct urivet_uri uri = {0};
	size_t used;

	uri.host_kind = network->octets == 4 ? URIVET_HOST_IPV4 : URIVET_HOST_IPV6;
	uri.has_ipv4 = network->octets == 4;
	memcpy(uri.address, network->address, sizeof uri.address);
	used = urivet_format_address(text, POLICY_RULE_TEXT, &uri);
	if (network->length < 8 * network->octets)
		(void)snprintf(text + used, POLICY_RULE_TEXT - used, "/%u", network->length);
}

static void mask(struct urivet_network *network)
{
	for (unsigned bit = network->length; bit < 8u * network->octets; bit++)
		network->address[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
}

/* Converts an IPv4-mapped network to IPv4. Returns false for other networks. */
static bool unmap(struct urivet_network *network)
{
	static const uint8_t prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

	if (network->octets != 16 || network->length < 96 ||
	    memcmp(network->address, prefix, sizeof prefix) != 0)
		return false;
	memmove(network->address, network->address + 12, 4);
	network->octets = 4;
	network->length = (uint8_t)(network->length - 96);
	return true;
}

/* Parses the prefix length after the slash, 1*3DIGIT without leading zeros. Returns -1 if it is
 * invalid. */
static int prefix_length(const char *digits)
{
	size_t length = strspn(digits, "0123456789");

	if (length == 0 || length > 3 || digits[length] != '\0' || (length > 1 && digits[0] == '0'))
		return -1;
	return atoi(digits);
}

/* Explains an invalid prefix. `network` is the address before the slash. */
static bool because_prefix(struct why *why, struct urivet_network *network, const char *string)
{
	int length = prefix_length(strchr(string, '/') + 1);
	char masked[POLICY_RULE_TEXT];

	if (length < 0)
		return because_of(why, string, ": what follows the slash is no prefix length");
	if (length > 8 * network->octets)
		return because(why, "\"%.*s\": a prefix of %s has at most %d bits", SHOWN, string,
			       network->octets == 4 ? "IPv4" : "IPv6", 8 * network->octets);
	network->length = (uint8_t)length;
	mask(network);
	urivet_loader_write_network(masked, network);
	return because(why, "\"%.*s\": bits are set after the prefix; did you mean \"%s\"?", SHOWN,
		       string, masked);
}

static bool because_no_address(struct why *why, const char *string)
{
	if (is_host(string, strlen(string)))
		return because_of(why, string, " is a name: those go into \"hosts\"");
	return because_of(why, string,
			  " is no address: dotted decimal or an IPv6 address, and a slash and the "
			  "prefix length for more than one");
}

bool urivet_loader_read_network(struct urivet_network *network, const char *string, struct why *why)
{
	struct urivet_network address;
	char text[POLICY_RULE_TEXT];

	if (!urivet_network_from(&address, string, strcspn(string, "/")))
		return because_no_address(why, string);
	if (!urivet_network_from(network, string, strlen(string)))
		return because_prefix(why, &address, string);
	address = *network;
	if (!unmap(&address))
		return true;
	urivet_loader_write_network(text, &address);
	return because(why,
		       "\"%.*s\" is IPv4 inside of IPv6, which is judged as IPv4: write \"%s\"",
		       SHOWN, string, text);
}

bool urivet_loader_read_nat64(struct urivet_network *network, const char *string, struct why *why)
{
	static const uint8_t lengths[] = {32, 40, 48, 56, 64, 96};

	if (!urivet_loader_read_network(network, string, why))
		return false;
	if (network->octets == 4)
		return because_of(why, string, ": the prefix of a translator is IPv6");
	if (memchr(lengths, network->length, sizeof lengths) != NULL)
		return true;
	return because_of(why, string,
			  ": the prefix of a translator has 32, 40, 48, 56, 64 or 96 bits "
			  "(RFC 6052, 2.2)");
}

/* ---- Ports ---------------------------------------------------------------------- */

bool urivet_loader_port_is_blocked(uint16_t port)
{
	static const struct urivet_port_rule all = {UINT32_MAX, 1, UINT16_MAX, 0};
	struct urivet_policy policy;
	char uri[32];
	int length = snprintf(uri, sizeof uri, "http://example.com:%u/", port);

	(void)urivet_policy_init(&policy, sizeof policy, URIVET_STRICT);
	policy.ports = &all;
	policy.port_count = 1;
	/* nothing else of this URL refuses */
	return urivet_verdict_of(uri, (size_t)length, &policy, NULL) == URIVET_REJECT;
}

bool urivet_loader_read_port(struct urivet_port_rule *rule, long long number,
			     const struct policy_scheme *scheme, struct why *why)
{
	if (number < 1 || number > UINT16_MAX)
		return because(why, "%lld is no port: those are 1 to 65535", number);
	if (number == scheme->port)
		return because(why, "%lld is the port of %s anyway", number, scheme->name);
	*rule =
	    (struct urivet_port_rule){1u << scheme->scheme, (uint16_t)number, (uint16_t)number, 0};
	return true;
}

/* Parses 1*5DIGIT and advances *at. Returns 0 if it is not a port. */
static uint16_t digits_of_port(const char **at)
{
	size_t length = strspn(*at, "0123456789");
	long value = length > 0 && length <= 5 && **at != '0' ? strtol(*at, NULL, 10) : 0;

	*at += length;
	return value <= UINT16_MAX ? (uint16_t)value : 0;
}

bool urivet_loader_read_range(struct urivet_port_rule *rule, const char *string,
			      const struct policy_scheme *scheme, struct why *why)
{
	const char *at = string;
	uint16_t first = digits_of_port(&at);
	uint16_t last = first;

	if (*at == '\0' && first != 0)
		return urivet_loader_read_port(rule, first, scheme, why);
	if (*at == '-') {
		at++;
		last = digits_of_port(&at);
	}
	if (first == 0 || last == 0 || *at != '\0')
		return because_of(
		    why, string,
		    " is no range of ports: write \"8000-8099\", or 8080; ports are 1 to 65535");
	if (first > last)
		return because(why, "\"%s\" runs backwards: write \"%u-%u\"", string, last, first);
	if (first == last)
		return because(why, "\"%s\" is one port: write %u", string, first);
	*rule = (struct urivet_port_rule){1u << scheme->scheme, first, last, 0};
	return true;
}

void urivet_loader_write_ports(char text[POLICY_RULE_TEXT], const struct urivet_port_rule *rule)
{
	if (rule->first == rule->last)
		(void)snprintf(text, POLICY_RULE_TEXT, "%u", rule->first);
	else
		(void)snprintf(text, POLICY_RULE_TEXT, "%u-%u", rule->first, rule->last);
}
