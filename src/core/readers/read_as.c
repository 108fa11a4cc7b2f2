/* SPDX-License-Identifier: Apache-2.0 */
/* Readers by name, and those that are not editions of the standard. */
#include <string.h>

#include "readers/browser.h"
#include "text/names.h"
#include "text/sized.h"
#include "uri/ip.h"
#include "readers/reader.h"

static const char *const names[URIVET_READERS] = {
#define READER(constant, number, name, ...) [number] = name,
#include <urivet/readers.def>
#undef READER
};

const char *urivet_reader_name(unsigned reader)
{
	return reader < URIVET_READERS ? names[reader] : NULL;
}

int urivet_reader_named(const char *name, size_t length)
{
	for (int k = 0; k < URIVET_READERS; k++)
		if (is_named(names[k], name, length))
			return k;
	return -1;
}

/* ---- regex: appendix B, without validation -------------------------------------- */

/* Sets host kind and address, and removes the brackets of a literal from the host. */
static void regex_host(struct text t, struct urivet_uri *uri)
{
	struct urivet_span h = uri->part[URIVET_HOST];
	bool dotted;
	t = within(t, h);
	if (octet(t, h.offset) == '[' && h.length >= 2 && octet(t, t.end - 1) == ']') {
		h = span(h.offset + 1, t.end - 1);
		t = within(t, h);
		uri->part[URIVET_HOST] = h;
		if (urivet_ipv6_address(t, h.offset, uri->address, &dotted)) {
			uri->host_kind = URIVET_HOST_IPV6;
			return;
		}
	}
	uri->host_kind = h.length > 0 ? URIVET_HOST_NAME : URIVET_HOST_NONE;
	if (urivet_ipv4_address(t, h.offset, uri->address)) {
		uri->host_kind = URIVET_HOST_IPV4;
		uri->has_ipv4 = 1;
	}
}

/* Splits by the regular expression. A port is the text after the last ":" outside brackets if it is
 * all digits; otherwise that text belongs to the host. */
static void read_as_regex(struct text t, struct urivet_uri *uri)
{
	const struct urivet_span none = {0, 0};
	struct kinds_seen seen;
	urivet_split(t, SPLIT_REFERENCE, uri, &seen);
	if (urivet_has(uri, URIVET_PORT)) {
		const struct urivet_span port = uri->part[URIVET_PORT];
		if (skip(within(t, port), port.offset, DIGIT) < span_end(port)) {
			uri->part[URIVET_HOST] =
			    span(uri->part[URIVET_HOST].offset, span_end(port));
			uri->part[URIVET_PORT] = none;
			uri->present &= ~(1u << URIVET_PORT);
			uri->port = urivet_default_port(uri->scheme);
		}
	}
	if (urivet_has(uri, URIVET_AUTHORITY))
		regex_host(t, uri);
}

/* ---- resolver: regex, and the address of the host --------------------------------- */

/* Like inet_aton(3): one to four numbers; text after white space is ignored. */
static bool inet_aton_takes(struct text t, uint32_t at, struct urivet_uri *uri)
{
	uint32_t end = at;
	struct dotted_number d;
	while (end < t.end && !is(t, end, SPACE | TAB | CRLF) && octet(t, end) != 0x0b &&
	       octet(t, end) != 0x0c)
		end++;
	d = urivet_dotted_number(until(t, end), at);
	/* browsers accept a bare "0x" and a final dot; the C library does not */
	for (uint32_t i = at; i < end; i++)
		if (lower(octet(t, i)) == 'x' && !is(until(t, end), i + 1, HEXDIG))
			return false;
	if (!d.numeric || !d.has_value || d.trailing_dot)
		return false;
	urivet_set_ipv4(uri, d.value);
	uri->host_kind = URIVET_HOST_IPV4;
	return true;
}

/* Like getaddrinfo(3) with AI_NUMERICHOST: IPv6 with an optional scope number. */
static bool getaddrinfo_takes(struct text t, uint32_t at, struct urivet_uri *uri)
{
	const uint32_t percent = find(t, at, PERCENT);
	uint64_t scope = 0;
	bool dotted;
	if (!urivet_ipv6_address(until(t, percent), at, uri->address, &dotted))
		return false;
	for (uint32_t i = percent + 1; i < t.end; i++) {
		if (!is(t, i, DIGIT) || scope > UINT32_MAX)
			return false;
		scope = scope * 10 + (octet(t, i) - '0');
	}
	if (percent + 1 == t.end || scope > UINT32_MAX)
		return false;
	uri->host_kind = URIVET_HOST_IPV6;
	return true;
}

static bool becomes_address(struct text t, struct urivet_uri *uri)
{
	const struct urivet_span h = uri->part[URIVET_HOST];
	uri->has_ipv4 = 0;
	if (h.length > 0)
		uri->host_kind = URIVET_HOST_NAME;
	return inet_aton_takes(within(t, h), h.offset, uri) ||
	       getaddrinfo_takes(within(t, h), h.offset, uri);
}

#define NOTHING AT_END

/* Copies the component after the delimiter `before`, and records its new span. */
static void copy(struct out *o, struct text t, const struct urivet_uri *from, struct urivet_uri *to,
		 enum urivet_component c, unsigned before)
{
	const struct urivet_span s = from->part[c];
	if (!urivet_has(from, c))
		return;
	if (before != NOTHING)
		put(o, before);
	to->part[c].offset = (uint32_t)o->length;
	to->part[c].length = s.length;
	for (uint32_t i = s.offset; i < span_end(s); i++)
		put(o, octet(t, i));
}

static void copy_host(struct out *o, struct text t, const struct urivet_uri *from,
		      struct urivet_uri *to, bool address)
{
	const bool brackets = octet(t, from->part[URIVET_HOST].offset - 1) == '[';
	if (brackets)
		put(o, '[');
	to->part[URIVET_HOST].offset = (uint32_t)o->length;
	if (address && from->host_kind == URIVET_HOST_IPV6)
		urivet_put_ipv6(o, from->address);
	else if (address)
		urivet_put_ipv4(o, from->address);
	else
		copy(o, t, from, to, URIVET_HOST, NOTHING);
	to->part[URIVET_HOST].length = (uint32_t)o->length - to->part[URIVET_HOST].offset;
	if (brackets)
		put(o, ']');
}

static void read_as_resolver(struct urivet_reading *r, struct text t, struct out *o)
{
	struct urivet_uri from;
	bool address;
	read_as_regex(t, &from);
	address = urivet_has(&from, URIVET_HOST) && becomes_address(t, &from);
	r->uri = from;
	copy(o, t, &from, &r->uri, URIVET_SCHEME, NOTHING);
	if (urivet_has(&from, URIVET_SCHEME))
		put(o, ':');
	if (urivet_has(&from, URIVET_AUTHORITY)) {
		put_string(o, "//");
		r->uri.part[URIVET_AUTHORITY].offset = (uint32_t)o->length;
		copy(o, t, &from, &r->uri, URIVET_USERINFO, NOTHING);
		if (urivet_has(&from, URIVET_USERINFO))
			put(o, '@');
		copy_host(o, t, &from, &r->uri, address);
		copy(o, t, &from, &r->uri, URIVET_PORT, ':');
		r->uri.part[URIVET_AUTHORITY].length =
		    (uint32_t)o->length - r->uri.part[URIVET_AUTHORITY].offset;
	}
	copy(o, t, &from, &r->uri, URIVET_PATH, NOTHING);
	copy(o, t, &from, &r->uri, URIVET_QUERY, '?');
	copy(o, t, &from, &r->uri, URIVET_FRAGMENT, '#');
	r->uri.part[URIVET_WHOLE] = span(0, (uint32_t)put_end(o));
	r->reads = true;
	r->written = o->length;
}

/* ---- All readers ------------------------------------------------------------------ */

/* Clears the address of names: by a grammar, an unusual spelling of an IPv4 address is a name. */
static void names_have_no_address(struct urivet_uri *uri)
{
	if (uri->host_kind != URIVET_HOST_IPV4)
		uri->has_ipv4 = 0;
}

/* Size of the smallest version of the struct, that of version 0.2: see text/sized.h. */
#define READING_LEAST sizeof(struct urivet_reading)

bool urivet_read_as_sized(struct urivet_reading *reading, size_t size, enum urivet_reader how,
			  const void *data, size_t length, char *out, size_t capacity)
{
	static const struct urivet_reading none;
	const struct text t = {data, data != NULL ? (uint32_t)length : 0};
	struct out o = {out, capacity, 0};
	if (!urivet_fit(reading, size, READING_LEAST, sizeof *reading))
		return false;
	memcpy(reading, &none, size < sizeof none ? size : sizeof none);
	reading->size = (uint32_t)size;
	if (length > URIVET_MAX_LENGTH)
		return false;
	switch (how) {
	case URIVET_READER_BROWSER:
	case URIVET_READER_RESOLVER:
		if (length > UINT32_MAX / 16 || capacity < URIVET_READING_CAPACITY(length))
			return false;
		if (how == URIVET_READER_BROWSER)
			return urivet_read_as_browser(reading, t, &o);
		read_as_resolver(reading, t, &o);
		break;
	case URIVET_READER_REGEX:
		read_as_regex(t, &reading->uri);
		reading->reads = true;
		break;
	default:
		reading->reads = urivet_edition(how) != NULL &&
				 urivet_read_standard(t, urivet_edition(how), &reading->uri);
		names_have_no_address(&reading->uri);
	}
	return reading->reads;
}
