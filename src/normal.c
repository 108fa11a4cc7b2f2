/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the normal form of a URI. */
#include "normal.h"

#include "ip.h"

/* ---- Octets and triplets (6.2.2.1, 6.2.2.2) -------------------------------- */

/* The unit at `at` in normal spelling: at most three octets. */
struct spelling {
	uint8_t octets[3];
	uint8_t length;
	uint32_t next;
};

static struct spelling spell(struct text t, uint32_t at, bool lower_case)
{
	static const char digits[] = "0123456789ABCDEF";
	const struct unit u = decode(t, at);
	const unsigned c = lower_case ? lower(u.value) : u.value;
	struct spelling s = {{(uint8_t)c}, 1, u.next};
	if (u.escaped && (urivet_kinds[u.value] & UNRESERVED) == 0) {
		s.octets[0] = '%';
		s.octets[1] = (uint8_t)digits[u.value >> 4];
		s.octets[2] = (uint8_t)digits[u.value & 15];
		s.length = 3;
	}
	return s;
}

/* Writes the span in normal spelling. */
static void put_span(struct out *o, struct text t, struct urivet_span where, bool lower_case)
{
	uint32_t at = where.offset;
	t = within(t, where);
	while (at < t.end) {
		const struct spelling s = spell(t, at, lower_case);
		for (unsigned k = 0; k < s.length; k++)
			put(o, s.octets[k]);
		at = s.next;
	}
}

/* ---- Dot segments (5.2.4) ----------------------------------------------------- */

/* 1 or 2 if the segment is "." or "..", however spelled. */
static unsigned dots(struct text segment, uint32_t at)
{
	unsigned n = 0;
	while (at < segment.end) {
		const struct unit u = decode(segment, at);
		if (u.value != '.' || n == 2)
			return 0;
		n++;
		at = u.next;
	}
	return n;
}

static size_t segment_length(struct text segment, uint32_t at)
{
	size_t length = 0;
	while (at < segment.end) {
		const struct spelling s = spell(segment, at, false);
		length += s.length;
		at = s.next;
	}
	return length;
}

/* Writes "/" and the segment so that it ends at output position `end`. */
static void place_segment(struct out *o, struct text segment, uint32_t at, size_t end)
{
	struct out part = *o;
	part.length = end - segment_length(segment, at) - 1;
	put(&part, '/');
	put_span(&part, segment, span(at, segment.end), false);
}

/*
 * The path without dot segments, from its end to its beginning: a ".." takes
 * away the next segment that is met and none other has claimed. Adds up the
 * length; with a `place`, writes each segment where it belongs, so that
 * nothing written is ever read or written again.
 */
static size_t without_dots(struct out *place, struct text t, struct urivet_span path, size_t end)
{
	uint32_t stop = span_end(path), claimed = 0;
	const size_t all = end;
	bool last = true;
	while (stop > path.offset) {
		uint32_t start = stop;
		while (octet(t, start - 1) != '/')
			start--;
		const struct text segment = until(t, stop);
		const unsigned n = dots(segment, start);
		const bool stays = n == 0 && claimed == 0;
		if (n == 2)
			claimed++;
		else if (n == 0 && claimed > 0)
			claimed--;
		if (stays || (last && n > 0)) {
			const struct text kept = until(t, n > 0 ? start : stop);
			if (place != NULL)
				place_segment(place, kept, start, end);
			end -= segment_length(kept, start) + 1;
		}
		last = false;
		stop = start - 1;
	}
	return all - end;
}

/* A path that begins with a slash; others have no dot segments to remove. */
static void put_path(struct out *o, struct text t, struct urivet_span path)
{
	size_t length;
	if (octet(within(t, path), path.offset) != '/') {
		put_span(o, t, path, false);
		return;
	}
	length = without_dots(NULL, t, path, SIZE_MAX);
	without_dots(o, t, path, o->length + length);
	o->length += length;
}

/* ---- Components ------------------------------------------------------------------ */

static void put_host(struct out *o, struct text t, const struct urivet_uri *uri)
{
	const bool literal =
	    uri->host_kind == URIVET_HOST_IPV6 || uri->host_kind == URIVET_HOST_IPVFUTURE;
	if (literal)
		put(o, '[');
	if (uri->host_kind == URIVET_HOST_IPV6)
		urivet_put_ipv6(o, uri->address);
	else
		put_span(o, t, uri->part[URIVET_HOST], true);
	if (literal)
		put(o, ']');
}

/* Without leading zeros; nothing where it is empty or the default. */
static void put_port(struct out *o, struct text t, const struct urivet_uri *uri)
{
	const struct urivet_span port = uri->part[URIVET_PORT];
	uint32_t at = port.offset;
	if (port.length == 0 || uri->port == urivet_default_port(uri->scheme))
		return;
	while (at + 1 < span_end(port) && octet(t, at) == '0')
		at++;
	put(o, ':');
	put_span(o, t, span(at, span_end(port)), false);
}

static void put_authority(struct out *o, struct text t, const struct urivet_uri *uri)
{
	if (!urivet_has(uri, URIVET_AUTHORITY))
		return;
	put_string(o, "//");
	if (urivet_has(uri, URIVET_USERINFO)) {
		put_span(o, t, uri->part[URIVET_USERINFO], false);
		put(o, '@');
	}
	put_host(o, t, uri);
	put_port(o, t, uri);
}

void urivet_put_normal(struct out *o, struct text t, const struct urivet_uri *uri)
{
	if (urivet_has(uri, URIVET_SCHEME)) {
		put_span(o, t, uri->part[URIVET_SCHEME], true);
		put(o, ':');
	}
	put_authority(o, t, uri);
	if (uri->part[URIVET_PATH].length == 0 && urivet_has(uri, URIVET_AUTHORITY) &&
	    urivet_default_port(uri->scheme) != URIVET_NO_PORT)
		put(o, '/');
	else
		put_path(o, t, uri->part[URIVET_PATH]);
	if (urivet_has(uri, URIVET_QUERY)) {
		put(o, '?');
		put_span(o, t, uri->part[URIVET_QUERY], false);
	}
	if (urivet_has(uri, URIVET_FRAGMENT)) {
		put(o, '#');
		put_span(o, t, uri->part[URIVET_FRAGMENT], false);
	}
}
