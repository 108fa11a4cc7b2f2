/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a host that somebody registered, which is what tells whose the host is. */
#include "cli/show/item.h"
#include "cli/show/paint.h"

size_t item_registrable(char domain[URIVET_REGISTRABLE_CAPACITY], const struct item *item)
{
	const struct urivet_report *report = item->report;

	domain[0] = '\0';
	if (item->suffixes == NULL || !report->parsed || report->uri.host_kind != URIVET_HOST_NAME)
		return 0;
	return urivet_suffixes_registrable(domain, URIVET_REGISTRABLE_CAPACITY, item->suffixes,
					   to_library(item_part(item, URIVET_HOST)));
}

/* Is the text the domain, in any letter case? The domain is in lower case. */
static bool spells(const uint8_t *text, const char *domain, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (lower_case(text[i]) != (uint8_t)domain[i])
			return false;
	}
	return true;
}

/* How many octets of the host stand before its registrable domain: all of them if it has none, or
 * if it is written with escapes. */
static size_t before_registrable(const struct item *item, struct text host)
{
	char domain[URIVET_REGISTRABLE_CAPACITY];
	size_t length = item_registrable(domain, item);
	size_t end = host.length;

	if (end > 0 && host.data[end - 1] == '.')
		end--;
	if (length == 0 || length > end || !spells(host.data + end - length, domain, length))
		return host.length;
	return end - length;
}

void human_write_host(struct output *out, const struct item *item)
{
	struct text host = item_part(item, URIVET_HOST);
	size_t before = before_registrable(item, host);

	if (before == host.length)
		before = 0;
	if (before > 0) {
		paint(out, STYLE_HOST_BELOW);
		output_escaped(out, (struct text){host.data, before});
		paint(out, STYLE_PLAIN);
	}
	paint(out, STYLE_HOST);
	output_escaped(out, (struct text){host.data + before, host.length - before});
	paint(out, STYLE_PLAIN);
}
