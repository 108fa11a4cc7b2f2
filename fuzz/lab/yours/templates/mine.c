/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader for urivet to compare with others: make versus MINE=mine.c, make yours YOURS=mine.c
 * Change read_mine() so that it calls your parser; yours.h describes its contract.
 */
#include "yours.h"

/* Returns the octets up to the first of `any`, or all. */
static struct slice up_to(const char **at, const char *end, const char *any)
{
	const char *start = *at;

	while (*at < end && strchr(any, **at) == NULL)
		(*at)++;
	return slice_between(start, *at);
}

/* Splits as appendix B of RFC 3986 does, without any check. */
bool read_mine(const char *data, size_t length, struct reading *reading)
{
	const char *at = data;
	const char *end = data + length;
	struct slice *part = reading->part;

	part[SCHEME] = up_to(&at, end, ":/?#");
	if (end - at < 3 || strncmp(at, "://", 3) != 0)
		return false;
	at += 3;
	part[HOST] = up_to(&at, end, "/?#");
	for (const char *sign = at; sign-- > part[HOST].data;) {
		if (*sign != '@')
			continue;
		part[USERINFO] = slice_between(part[HOST].data, sign);
		part[HOST] = slice_between(sign + 1, at);
		break;
	}
	for (const char *colon = at; colon-- > part[HOST].data && *colon != ']';) {
		if (*colon != ':')
			continue;
		part[PORT] = slice_between(colon + 1, at);
		part[HOST] = slice_between(part[HOST].data, colon);
		break;
	}
	part[PATH] = up_to(&at, end, "?#");
	if (at < end && *at == '?') {
		at++;
		part[QUERY] = up_to(&at, end, "#");
	}
	if (at < end)
		part[FRAGMENT] = slice_between(at + 1, end);
	return true;
}
