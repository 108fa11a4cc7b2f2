/* SPDX-License-Identifier: Apache-2.0 */
/* The host parser and serialiser of the URL Standard, for special schemes. A host is first written
 * percent-decoded, without ignored octets, and then examined in the output. */
#include "readers/browser_host.h"

#include "readers/browser_text.h"
#include "readers/uts46.h"
#include "uri/host.h"
#include "uri/ip.h"
#include "uri/uri.h"

/* ---- Addresses ---------------------------------------------------------------- */

/* Returns the offset of the last label, ignoring an empty one after a final dot. */
static uint32_t last_label(struct text t, uint32_t at)
{
	uint32_t last = at;
	for (; at + 1 < t.end; at++)
		if (octet(t, at) == '.')
			last = at + 1;
	return last;
}

/* The ends in a number checker: the last label is all digits, or "0x" followed by hexadecimal
 * digits. */
static bool ends_in_a_number(struct text t, uint32_t at)
{
	return urivet_number(t, last_label(t, at)).base != BASE_NONE;
}

/* The IPv4 parser and serialiser, for the output since `start`. */
static bool ipv4_parser(struct urivet_uri *uri, struct out *o, size_t start)
{
	const struct dotted_number d = urivet_dotted_number(put_so_far(o), (uint32_t)start);
	if (!d.numeric || !d.has_value)
		return false;
	urivet_set_ipv4(uri, d.value);
	uri->host_kind = URIVET_HOST_IPV4;
	o->length = start;
	urivet_put_ipv4(o, uri->address);
	return true;
}

/* The IPv6 parser and serialiser, for the text between the brackets. */
static bool ipv6_parser(struct urivet_uri *uri, struct text t, uint32_t at, struct out *o)
{
	const size_t start = o->length;
	bool dotted;
	for (at = skip(t, at, REMOVED); at < t.end; at = step(t, at))
		put(o, octet(t, at));
	if (!urivet_ipv6_address(put_so_far(o), (uint32_t)start, uri->address, &dotted))
		return false;
	uri->host_kind = URIVET_HOST_IPV6;
	o->length = start;
	urivet_put_ipv6(o, uri->address);
	return true;
}

/* ---- Domains -------------------------------------------------------------------- */

/* The result of put_ascii_domain(). */
enum ascii_domain {
	ASCII_DOMAIN,
	FORBIDDEN_DOMAIN, /* it has a forbidden code point */
	OTHER_DOMAIN      /* it has a code point above 0x7F */
};

/* Writes the domain from `at` to the end of t, percent-decoded and in lower case. For ASCII domains
 * without "xn--" labels this equals domain to ASCII. */
static enum ascii_domain put_ascii_domain(struct out *o, struct text t, uint32_t at)
{
	enum ascii_domain is = ASCII_DOMAIN;
	while (at < t.end) {
		const struct unit u = urivet_percent_decode(t, at);
		if ((urivet_kinds[u.value] & HIGH) != 0)
			return OTHER_DOMAIN;
		if (urivet_is_forbidden(u.value))
			is = FORBIDDEN_DOMAIN;
		put(o, lower(u.value));
		at = skip(t, u.next, REMOVED);
	}
	return is;
}

static bool domain_to_ascii(struct out *o, struct text t, uint32_t at)
{
	const size_t start = o->length;
	const enum ascii_domain is = put_ascii_domain(o, t, at);
	if (is == FORBIDDEN_DOMAIN)
		return false;
	if (is == ASCII_DOMAIN && !has_alabel(put_so_far(o), (uint32_t)start))
		return true;
	o->length = start;
	return urivet_uts46_to_ascii(o, t, at);
}

/* Domain to ASCII, and the IPv4 parser if the domain ends in a number. */
static bool domain_parser(struct urivet_reading *reading, struct text t, uint32_t at, struct out *o)
{
	const size_t start = o->length;
	if (!domain_to_ascii(o, t, at))
		return false;
	reading->uri.host_kind = URIVET_HOST_NAME;
	if (ends_in_a_number(put_so_far(o), (uint32_t)start))
		return ipv4_parser(&reading->uri, o, start);
	return true;
}

/* ---- The host parser -------------------------------------------------------------- */

bool urivet_browser_host(struct urivet_reading *reading, struct text t, uint32_t at, struct out *o)
{
	while (t.end > at && is(t, t.end - 1, REMOVED))
		t.end--;
	at = skip(t, at, REMOVED);
	if (octet(t, at) != '[')
		return at < t.end && domain_parser(reading, t, at, o);
	if (octet(t, t.end - 1) != ']')
		return false;
	put(o, '[');
	if (!ipv6_parser(&reading->uri, until(t, t.end - 1), at + 1, o))
		return false;
	put(o, ']');
	return true;
}
