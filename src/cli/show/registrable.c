/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the registrable domain of a host, which shows its owner. */
#include "cli/show/item.h"
#include "cli/show/paint.h"

#define REMEMBERED  1024u /* entries of the cache, indexed by hash of the host */
#define LENGTH_MOST 62u  /* maximum octets of a host in the cache */

struct remembered {
	uint8_t length; /* of the host; 0: the entry is empty */
	uint8_t domain; /* length of the domain; 0: it has none */
	char host[LENGTH_MOST], name[LENGTH_MOST];
};

static size_t look_up(char domain[URIVET_REGISTRABLE_CAPACITY], const struct item *item,
		      struct text host)
{
	return urivet_suffixes_registrable(domain, URIVET_REGISTRABLE_CAPACITY, item->suffixes,
					   to_library(host));
}

/* Looks up a domain in a cache for each thread. Entries stay valid, since a process uses only one
 * list. */
static size_t look_up_once(char domain[URIVET_REGISTRABLE_CAPACITY], const struct item *item,
			   struct text host)
{
	static _Thread_local struct remembered all[REMEMBERED];
	struct remembered *one = &all[text_hash(host) % REMEMBERED];

	if (one->length != host.length || memcmp(one->host, host.data, host.length) != 0) {
		const size_t length = look_up(domain, item, host);

		if (length > LENGTH_MOST)
			return length;
		one->length = (uint8_t)host.length;
		one->domain = (uint8_t)length;
		memcpy(one->host, host.data, host.length);
		memcpy(one->name, domain, length);
		return length;
	}
	memcpy(domain, one->name, one->domain);
	domain[one->domain] = '\0';
	return one->domain;
}

size_t item_registrable(char domain[URIVET_REGISTRABLE_CAPACITY], const struct item *item)
{
	const struct urivet_report *report = item->report;
	struct text host;

	domain[0] = '\0';
	if (item->suffixes == NULL || !report->parsed || report->uri.host_kind != URIVET_HOST_NAME)
		return 0;
	host = item_part(item, URIVET_HOST);
	if (host.length == 0 || host.length > LENGTH_MOST)
		return look_up(domain, item, host);
	return look_up_once(domain, item, host);
}

/* Returns true if the text equals the domain, which is in lower case, in any letter case. */
static bool spells(const uint8_t *text, const char *domain, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (lower_case(text[i]) != (uint8_t)domain[i])
			return false;
	}
	return true;
}

/* Returns the length of the host before its registrable domain: all of the host if it has none, or
 * is written with escapes. */
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
